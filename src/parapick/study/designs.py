"""Designs evaluated: each becomes a row with its slacks, its measures, whether it is feasible, and why it is not.

What is computed here needs no file: `Work` is plain data that travels to a worker, and `evaluated` is the function that
is called there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from parapick.answer import amount, percent
from parapick.evaluation import PUSH, Run
from parapick.extremes import TOUCH
from parapick.formulas import SLACKS
from parapick.study.account import TASK, Shortfall, run_shortfall
from parapick.study.cycle_times import planned_motions
from parapick.study.design_folds import DesignFolds
from parapick.study.instant_fold import INSTANT_TITLES
from parapick.study.motion_fold import MotionFold
from parapick.study.path_fold import MARGIN, STATED, path_fold
from parapick.study.region_fold import reach_fold
from parapick.study.study_measures import FIELDS, RATINGS, STUDY_MEASURES, measured
from parapick.study.timed_runs import Runs, run_fold, run_slacks, run_uses
from parapick.study.work import BETWEEN, Work, slack_column, slack_title
from parapick.tasks import PlannedTask

Rows = Mapping[str, np.ndarray]
"""Columns of designs by name."""

FEASIBLE: Final = "feasible"
FAULT: Final = "fault"
REASON: Final = "reason"
"""Columns of every row: whether it is feasible, and if not, what the first fault is, as a word and as a sentence."""

NUMBERS: Final = "numbers"
"""Fault of a design with a number that no robot can have."""

USE: Final = "use"
"""Column of every row: the largest share of a limit of motors or rods that is kept; NaN where it is not known."""

Fault = tuple[str, str]
"""What is wrong, as a word and as a sentence; empty for nothing."""

SOUND: Final[Fault] = ("", "")
"""Nothing is wrong."""

_FAULTS: Final = {
    **{kind.name: (kind.fault, kind.unit) for kind in SLACKS},
    STATED[0]: ("beyond the stated workspace", "m"),
    STATED[1]: ("beyond the yaw of the stated workspace", "rad"),
}

MISSED: Final = -1.5 * TOUCH
KEPT: Final = -0.5 * TOUCH
"""A slack (m, rad) below the first is missed, one above the second kept, whatever a fold rounds: between them, about
what counts as touching a limit, `evaluate` decides."""

NEAR: Final = 1e-4
"""A bound of the margins below which the margins themselves decide: far above what is called singular, 1e-6."""

BETWEEN_PLACES: Final = 1e-5
"""Likewise of a slack (m, rad): at 1,000 m/s2 a turning point is less than this beyond its nearest sample."""


def evaluated(work: Work, designs: np.ndarray) -> dict[str, np.ndarray]:
    """The rows of designs, as columns by name.

    Args:
        work: what they are evaluated with.
        designs: values of the free numbers (m, free), SI.
    """
    sifted = sifted_designs(work, designs)
    faults = list(sifted.faults)
    for row in np.flatnonzero(sifted.reached):
        if not faults[row][0]:
            timed = [runs[row] for runs in sifted.timed]
            faults[row] = _refused(work, designs[row], timed, plain=bool(sifted.plain[row]))
    return {**sifted.columns, **_verdicts(faults)}


class SiftedDesigns(NamedTuple):
    """Designs as far as folds decide about them.

    Attributes:
        columns: their columns by name, without verdicts.
        faults: what folds hold against each, as a word and as a sentence; empty for nothing.
        reached: which of them reach what they must (m,).
        plain: which of these the folds decide, because nothing is next to its limit (m,).
        timed: every task that is another one for each.
        uses: largest share of every limit of `Work.rated` (m,), by the names that `evaluate` has.
    """

    columns: dict[str, np.ndarray]
    faults: tuple[Fault, ...]
    reached: np.ndarray
    plain: np.ndarray
    timed: list[Runs]
    uses: dict[str, np.ndarray]


def sifted_designs(work: Work, designs: np.ndarray) -> SiftedDesigns:
    """Designs with their slacks, uses and measures, and what these alone hold against them; `evaluate` is not asked.

    Args:
        work: what they are evaluated with.
        designs: values of the free numbers (m, free), SI.
    """
    numbers, objections = work.space.numbers(designs), work.space.objections(designs)
    faults = [(NUMBERS, objection) if objection else SOUND for objection in objections]
    possible = np.array([not fault for fault, _ in faults], dtype=bool)
    path, region = _along(work, numbers, possible), _over(work, numbers, possible)
    slacks = {kind: _smaller(path[kind], region.get(kind) if work.reach else None) for kind in work.kinds}
    reached = possible & np.all([slack >= MISSED for slack in slacks.values()], axis=0)
    folds = DesignFolds(work, numbers[reached])
    uses = _uses(work, folds, reached)
    timed = _timed(work, designs, reached)
    values = _measures(work, folds, reached, region, timed)
    for row in np.flatnonzero(possible & ~reached):
        faults[row] = _unreached({kind: float(slack[row]) for kind, slack in slacks.items()})
    for row in np.flatnonzero(reached):
        faults[row] = (
            _unmet(work, {name: float(value[row]) for name, value in values.items()})
            or _exceeded(work, {name: float(use[row]) for name, use in uses.items()})
            or SOUND
        )
    free = {number.path: designs[:, i] for i, number in enumerate(work.space.free)}
    there = run_slacks(work, timed, len(designs))
    kept = {slack_column(kind): np.minimum(slack, there[kind]) for kind, slack in slacks.items()}
    most = np.max([*uses.values()], axis=0) if uses else np.full(len(designs), np.nan)
    most = np.fmax(most, run_uses(work, timed, len(designs)))
    columns = {**free, **kept, USE: most, **values}
    return SiftedDesigns(columns, tuple(faults), reached, _plain(work, path, uses), timed, uses)


def refused(work: Work, designs: np.ndarray, reason: str) -> dict[str, np.ndarray]:
    """The rows of designs that could not be evaluated.

    Args:
        work: what they should have been evaluated with.
        designs: values of the free numbers (m, free), SI.
        reason: why not.
    """
    free = {number.path: designs[:, i] for i, number in enumerate(work.space.free)}
    names = [*map(slack_column, work.kinds), USE, *work.columns]
    nothing = {name: np.full(len(designs), np.nan) for name in names}
    return {**free, **nothing, **_verdicts([(NUMBERS, reason)] * len(designs))}


def _verdicts(faults: list[Fault]) -> dict[str, np.ndarray]:
    words, reasons = ([fault[i] for fault in faults] for i in (0, 1))
    feasible = np.array([not word for word in words], dtype=bool)
    return {FEASIBLE: feasible, FAULT: np.array(words, dtype=str), REASON: np.array(reasons, dtype=str)}


def _scattered(values: dict[str, np.ndarray], rows: np.ndarray) -> dict[str, np.ndarray]:
    """Values of some rows (k,) as columns of all (m,), NaN elsewhere."""
    columns = {name: np.full(len(rows), np.nan) for name in values}
    for name, column in columns.items():
        column[rows] = values[name]
    return columns


def _smaller(first: np.ndarray, other: np.ndarray | None) -> np.ndarray:
    return first if other is None else np.minimum(first, other)


def _along(work: Work, numbers: np.ndarray, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Smallest slacks and the bound of the margins along the tasks by a law of time, of some rows; infinite without."""
    chosen = numbers[rows]
    # Drives move nothing: where designs differ in them alone, one stands for all.
    chosen = chosen[:1] if work.of_drives else chosen
    least = {name: np.full(len(chosen), np.inf) for name in (*work.kinds, MARGIN)}
    for series in work.looked:
        fold = path_fold(work.space.robot, series, chosen)
        least = {name: np.minimum(values, fold[name]) for name, values in least.items()}
    return _scattered(least, rows)


def _over(work: Work, numbers: np.ndarray, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Slacks and quantities over the points of the workspace, of some rows; none where nothing is asked of it."""
    if not len(work.points):
        return {}
    return _scattered(reach_fold(work.space.robot, work.points, "region", numbers[rows], work.quantities), rows)


def _uses(work: Work, folds: DesignFolds, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Largest share of every limit of `Work.rated` along the tasks, of some rows; NaN where there is no torque."""
    if not (work.rated and work.weighed and work.looked and rows.any()):
        return _scattered({name: np.full(int(rows.sum()), np.nan) for name in work.rated}, rows)
    shares = {name: list[np.ndarray]() for name in work.rated}
    for series in work.looked:
        stated = any(name in INSTANT_TITLES for name in shares)
        instant = folds.instant(series) if stated else {}
        for name, parts in shares.items():
            if name in instant:
                parts.append(instant[name])
            else:
                parts.append(folds.push(series) if name == PUSH else _share(name, folds.motion(series), folds.body))
    return _scattered({name: np.max(parts, axis=0) for name, parts in shares.items()}, rows)


def _share(name: str, motion: MotionFold, body: dict[str, np.ndarray]) -> np.ndarray:
    """Largest share of a rating among the motors of designs (m,)."""
    rating = RATINGS[name]
    return (getattr(motion, _SERIES[rating]) / body[rating]).max(axis=-1)


_SERIES: Final = {measure.rating: FIELDS[measure.name] for measure in STUDY_MEASURES.values() if measure.rating}
"""Field of `MotionFold` that each rating is a limit of."""


def _timed(work: Work, designs: np.ndarray, rows: np.ndarray) -> list[Runs]:
    """Some rows on every task whose motion is another one for each, or why there is none; empty of other rows."""
    chosen = np.flatnonzero(rows)
    models, tables = [work.model(designs[row]) for row in chosen] if work.timed else [], []
    for task in work.timed:
        runs: list[Run | str] = [""] * len(designs)
        for row, model, planned in zip(chosen, models, planned_motions(task, models), strict=True):
            there = isinstance(planned, PlannedTask)
            runs[row] = Run.of(model, planned.motion, planned.picks) if there else planned
        tables.append(runs)
    return tables


def _measures(
    work: Work,
    folds: DesignFolds,
    rows: np.ndarray,
    region: dict[str, np.ndarray],
    timed: list[Runs],
) -> dict[str, np.ndarray]:
    """The measures of the rows that reach what they must; NaN of others."""
    moving = any(measure.source == "motion" for measure in work.measures)
    motions = [folds.motion(series) for series in work.series] if moving else []
    own = np.flatnonzero(rows)
    motions += [run_fold(work.space.robot.motors, [runs[row] for row in own]) for runs in timed] if moving else []
    least = {name: column[rows] for name, column in region.items()}
    times = np.array([[_duration(run) for run in runs] for runs in timed]).reshape(-1, len(rows)).sum(axis=0)
    return _scattered(
        {
            measure.name: times[rows] if measure.source == "timing" else measured(measure, motions, least, folds.body)
            for measure in work.measures
        },
        rows,
    )


def _duration(run: Run | str) -> float:
    return run.motion.duration if isinstance(run, Run) else math.nan


def _unreached(slacks: dict[str, float]) -> Fault:
    """What is missing of the reach: legs first, for without them joints have no angles."""
    for kind, slack in slacks.items():
        if not slack >= MISSED:
            fault, unit = _FAULTS[kind]
            return slack_title(kind), f"{fault}, {amount(-slack, unit)} missing"
    return SOUND


def _plain(work: Work, path: dict[str, np.ndarray], uses: dict[str, np.ndarray]) -> np.ndarray:
    """Which rows (m,) the folds decide, because nothing is next to its limit."""
    touching = KEPT if work.sharing.lossless else BETWEEN_PLACES
    plain = (path[MARGIN] >= NEAR) & (not work.unfolded)
    for kind in work.kinds:
        plain &= path[kind] >= touching
    for use in uses.values():
        # Not "use > 1 - band": what has no value is not plain.
        plain &= use <= 1.0 - work.band
    return plain


def _exceeded(work: Work, uses: dict[str, float]) -> Fault | None:
    """The limit of motors or rods that is exceeded most, where samples leave no doubt."""
    name = max(uses, key=lambda name: uses[name] if uses[name] > 0.0 else 0.0, default="")
    if not name or not uses[name] > 1.0 + min(work.band, BETWEEN):
        return None
    if math.isinf(uses[name]):
        return name, f"{name} without bound: the acceleration of a task jumps"
    return name, f"{name} at {percent(uses[name])} of its limit"


def _refused(work: Work, design: np.ndarray, timed: Runs, *, plain: bool) -> Fault:
    """What `evaluate` holds against a design, asked where the folds do not decide."""
    lacking = None if plain else work.shortfall(design)
    for task, run in zip(work.timed, timed, strict=True):
        if lacking is not None:
            break
        if isinstance(run, str):
            lacking = Shortfall(TASK, f"{task.name} cannot be done: {run}")
        else:
            lacking = run_shortfall(run, work.left_out)
    return SOUND if lacking is None else (lacking.name, lacking.text)


def _unmet(work: Work, values: dict[str, float]) -> Fault | None:
    """The first measure that cannot be computed, or requirement of the study that is not met."""
    for measure in work.measures:
        # What has no motion has no time either, and says why by itself.
        along_timed = measure.source == "timing" or (measure.source == "motion" and work.timed)
        if not np.isfinite(values[measure.name]) and not along_timed:
            return measure.name, f"{measure.name} has no value: a singular pose"
    for bound in work.requirements:
        unit = work.unit_of(bound.name)
        broken = next(
            (requirement for requirement in bound.requirements(values[bound.name], unit) if not requirement.ok), None
        )
        if broken is not None:
            limit = f"{'at least' if broken.floor else 'at most'} {amount(broken.limit or 0.0, unit)}"
            return bound.name, f"{bound.name} is {amount(broken.value, unit)}; {limit} is required"
    return None
