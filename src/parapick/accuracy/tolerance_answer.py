"""Tolerances to the error of the plate over a workspace, and which tolerance to buy first, as an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Final

import numpy as np

from parapick.accuracy.built_robot import pose_slopes
from parapick.accuracy.counted_poses import CountedPoses, counted_poses
from parapick.accuracy.drawing import RobotDraws, check_drawing
from parapick.accuracy.error_propagation import first_order, monte_carlo
from parapick.accuracy.error_target import ToleranceChoice, Unreachable, choose, target_of
from parapick.accuracy.pose_errors import PoseErrors, widest_poses
from parapick.accuracy.target_answer import (
    checked_errors,
    choice_data,
    choice_headline,
    choice_notes,
    choice_table,
    joined,
    requirements_of,
    unreachable_text,
)
from parapick.accuracy.tolerance_target import ToleranceTarget
from parapick.accuracy.tolerances import Tolerance, exact_sources, short_names, tolerances_of
from parapick.answer import Answer, Cell, Column, Table, amount, percent, pose_text
from parapick.capability import region_text
from parapick.inspection import (
    about,
    coordinates,
    named,
    subject,
    unit_of,
)
from parapick.mechanism import Region, Robot
from parapick.model import LEAST_MARGIN, Model
from parapick.progress import Listener
from parapick.robots import RobotChoice, model_of
from parapick.units import quantity

SAMPLES: Final = 1000
"""Robots drawn if not said otherwise: their deviation is then known to two percent."""

_DIGITS: Final = 9
"""Digits of a share that are not rounding."""

_LEG_DIGITS: Final = 6
"""Digits to which the shares of legs that are alike agree: their poses are rounded."""

_NOTHING: Final = 1e-12
"""Deviation (m, rad) that is rounding: no ratio of it is shown."""

_STILL: Final = 1e-9
"""Slope of the pose by an error (m and rad each) that rounding alone may give."""

_IDLE: Final = 1e-9
"""Share of the variance that rounding alone may give a tolerance without effect."""


def tolerance(
    robot: RobotChoice,
    tolerances: Mapping[str, float | str] | None = None,
    *,
    target: ToleranceTarget | float | str | None = None,
    region: Region | None = None,
    spacing: float | str | None = None,
    margin: float = LEAST_MARGIN,
    distribution: str = "uniform",
    samples: int = SAMPLES,
    seed: int = 0,
    progress: Listener | None = None,
) -> Answer:
    """How far the plate is from where it should be, by tolerances of parts and joints, and which of them matters most.

    Two methods side by side: derivatives of the closures, and forward kinematics of robots drawn at random. The
    controller knows the robot as described. Refused where no pose counts.

    With a target, the tolerances that are not given are chosen: the cheapest set with which the error is within the
    target at every pose of the region. Refused where none within their bounds is.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        tolerances: tolerance by path, SI or a text with its unit, such as `{"limb.rod_length": "0.05 mm"}`; ordinary
            ones if not given. Each leg has errors of its own; `limb.rod_length.2` is that of leg 2. What has none
            counts as exact; with a target, what has an ordinary one or a cost is chosen.
        target: what errors must keep and what tolerances cost; or the largest distance of the plate from where it
            should be alone, SI or a text such as "0.1 mm".
        region: a cylinder, a box or a body of revolution; the workspace of the robot's file if not given.
        spacing: largest distance of neighbouring poses (m, or a text such as "50 mm"); a few along each
            axis if not given.
        margin: smallest margin to a singularity of the poses that count.
        distribution: "uniform" within the tolerances, or "normal" with each at three standard deviations.
        samples: number of robots drawn.
        seed: where the random numbers begin.
        progress: called with how many robots are done, now and then; what it raises ends the work.

    Raises:
        ParameterError: an unknown path, an amount that no tolerance can have, a target or a cost that cannot be, or no
            workspace.
    """
    model = model_of(robot)
    spacing = None if spacing is None else quantity("spacing", spacing, "m")
    asked = target if isinstance(target, ToleranceTarget) else ToleranceTarget(target)
    aim = target_of(asked, yaw=model.robot.dof > 3)
    allowed = tolerances_of(model.numbers, tolerances) if aim is None else ()
    drawing = RobotDraws(distribution, samples, seed)
    check_drawing(drawing)
    over = counted_poses(model, region, spacing, margin)
    blank = _blank(model, over, drawing, "" if aim is None else aim.words)
    if not len(over.poses):
        return replace(blank, refusal=f"no pose of it counts: {', '.join(over.reasons)}; {over.nearest}")
    if aim is None:
        return _answer(model, blank, over, allowed, drawing, progress, ordinary=tolerances is None)
    choice = choose(model, over.poses, aim, tolerances or {}, asked.costs or {}, drawing)
    if isinstance(choice, Unreachable):
        more = {"target": asdict(aim), "floor": choice.floor.size}
        return replace(blank, data={**blank.data, **more}, refusal=unreachable_text(choice))
    return _with_choice(_answer(model, blank, over, choice.tolerances, drawing, progress, chosen=True), choice)


def _blank(model: Model, over: CountedPoses, drawing: RobotDraws, asked: str) -> Answer:
    """The answer before anything is computed: what was asked, of what."""
    title = subject(model, "as built, over a region", region_text(over.region, model.robot.dof))
    data = {
        **about(model),
        "region": asdict(over.region),
        "poses": len(over.poses),
        "left_out": over.left_out,
        **asdict(drawing),
    }
    return Answer("tolerance", "\n".join(filter(None, [title, asked])), data=data)


def _answer(
    model: Model,
    blank: Answer,
    over: CountedPoses,
    allowed: Sequence[Tolerance],
    drawing: RobotDraws,
    progress: Listener | None,
    *,
    chosen: bool = False,
    ordinary: bool = False,
) -> Answer:
    """The answer on given tolerances, by both methods."""
    linear = first_order(model, over.poses, allowed, drawing.distribution)
    drawn = monte_carlo(
        model, over.poses, linear, drawing.samples, drawing.seed, progress, watched=widest_poses(linear)
    )
    errors = PoseErrors(over.poses, over.weights, linear, drawn)
    exact = _exact(model, over.poses, allowed)
    more = {"unclosed": drawn.unclosed, "difference": named(model.robot, drawn.difference), "exact": list(exact)}
    return replace(
        blank,
        tables=(_errors(errors), _ratios(errors), _places(model.robot, errors), _tolerances(errors), _sources(errors)),
        notes=_notes(model.robot, errors, drawing.samples, exact, chosen=chosen, ordinary=ordinary),
        left_out=tuple(f"left out: {text}" for text in over.reasons),
        data={**blank.data, **more},
        headline=_headline(model.robot, errors),
    )


def _exact(model: Model, poses: np.ndarray, tolerances: Sequence[Tolerance]) -> tuple[str, ...]:
    """What counts as exact although the plate moves with it, by path."""
    sources = exact_sources(model.numbers, tolerances)
    if not sources:
        return ()
    moved = np.abs(pose_slopes(model, poses, sources)).max(axis=(0, 1)) > _STILL
    return short_names(model.numbers, [source for source, moves in zip(sources, moved, strict=True) if moves])


def _with_choice(answer: Answer, choice: ToleranceChoice) -> Answer:
    """The answer on chosen tolerances, with how they were chosen before all else."""
    errors = checked_errors(answer.table("errors"), choice)
    others = (errors if table.name == errors.name else table for table in answer.tables)
    return replace(
        answer,
        findings=requirements_of(choice),
        tables=(choice_table(choice), *others),
        notes=(*choice_notes(choice), *answer.notes),
        data={**answer.data, **choice_data(choice)},
        headline=choice_headline(choice),
    )


def _headline(robot: Robot, errors: PoseErrors) -> str:
    """How far the plate is off, and which tolerance matters most."""
    position = errors.names.index("position")
    worst, most = float(errors.at_worst[0][position]), float(errors.worst_case[position])
    where = pose_text(errors.poses[errors.worst[position]])
    share = errors.shares(errors.linear.variances)[0]
    paths = _largest_shares([tolerance.path for tolerance in errors.linear.tolerances], share)
    tie = " each (a tie)" if len(paths) > 1 else ""
    verb = "are" if tie else "is"
    buy = f"; {joined(paths)} {verb} {percent(float(share.max()))} of the variance{tie}" if share.any() else ""
    off = f"is off by {amount(worst, 'm')} (standard deviation) at its worst pose, {where}"
    return f"The plate of {robot.name} {off}, and by {amount(most, 'm')} at most anywhere{buy}."


def _errors(errors: PoseErrors) -> Table:
    """Deviation of each error by both methods, and the largest errors."""
    pairs = {"workspace": errors.over_region, "worst pose": errors.at_worst}
    rows: list[tuple[Cell, ...]] = []
    for where, (linear, drawn) in pairs.items():
        rows += [(where, "Jacobian", *linear.tolist()), (where, "Monte Carlo", *drawn.tolist())]
    for method, sizes in zip(("95 %, Jacobian", "95 %, Monte Carlo"), errors.most, strict=True):
        rows.append(("worst pose", method, *sizes.tolist()))
    rows += [("anywhere", "worst case", *errors.worst_case.tolist())]
    rows += [("anywhere", "largest drawn", *errors.largest_drawn.tolist())]
    columns = (Column("where"), Column("error"), *(Column(name, unit_of(name)) for name in errors.names))
    note = (
        "Jacobian, Monte Carlo: standard deviations (1 sigma). 95 %: what 95 % of robots keep, at the worst pose for "
        "that. Worst case: every error at its tolerance, all the same way."
    )
    return Table("errors", "", columns, tuple(rows), note=note)


def _ratios(errors: PoseErrors) -> Table:
    """Monte Carlo over Jacobian; nothing where there is no error to first order."""
    rows = []
    for where, (linear, drawn) in {"workspace": errors.over_region, "worst pose": errors.at_worst}.items():
        pairs = zip(linear.tolist(), drawn.tolist(), strict=True)
        rows.append((where, *(second / first if first > _NOTHING else None for first, second in pairs)))
    columns = (Column("Monte Carlo over Jacobian"), *(Column(name, decimals=3) for name in errors.names))
    return Table("ratios", "", columns, tuple(rows))


def _places(robot: Robot, errors: PoseErrors) -> Table:
    """The pose at which each error has its largest deviation."""
    columns = (Column("worst pose of"), *coordinates(robot, 1), Column("equal poses"))
    each = zip(errors.names, errors.worst, errors.equal_poses.tolist(), strict=True)
    rows = ((name, *errors.poses[at].tolist(), count) for name, at, count in each)
    note = "Equal poses: at so many the error is as large, by symmetry; the first of them is shown."
    return Table("worst poses", "", columns, tuple(rows), note=note if errors.equal_poses.max() > 1 else "")


def _share_columns(errors: PoseErrors, *words: str) -> tuple[Column, ...]:
    """Columns of shares: of the position, and of yaw where there is yaw."""
    of = ("", "yaw ")[: len(errors.names) - 3]
    return tuple(Column(f"{prefix}{word}", shown="%", decimals=1) for prefix in of for word in words)


def _tolerances(errors: PoseErrors) -> Table:
    """Share of each tolerance in the variance, and what halving it saves; the one to buy first is the first."""
    shares, saved = errors.shares(errors.linear.variances), errors.saved
    cells = np.stack([shares, saved], axis=-1)
    # Equal ones stay as they were given, whatever rounding makes of them.
    order = np.argsort(-np.round(shares[0], _DIGITS), kind="stable")
    stated = errors.linear.tolerances
    rows = ((stated[i].path, stated[i].amount, stated[i].unit, *cells[:, i].ravel().tolist()) for i in order)
    columns = (Column("tolerance"), Column("amount"), Column("unit"), *_share_columns(errors, "share", "saved"))
    note = "Share: of the variance over the workspace. Saved: of the worst case anywhere, by halving this tolerance."
    return Table("tolerances", "", columns, tuple(rows), note=note)


def _sources(errors: PoseErrors) -> Table:
    """Share of every single error of the parts in the variance."""
    linear = errors.linear
    shares = errors.shares((linear.bounds * linear.slopes) ** 2)
    rows = tuple((source.name, *shares[:, i].tolist()) for i, source in enumerate(linear.sources))
    columns = (Column("error"), *_share_columns(errors, "share"))
    return Table("sources", "share of every single error", columns, rows, printed=0)


def _largest_shares(paths: Sequence[str], shares: np.ndarray) -> list[str]:
    """The tolerance with the largest share, or all of those that tie."""
    rounded = np.round(shares, _DIGITS)
    return [path for path, share in zip(paths, rounded, strict=True) if share == rounded.max()]


def _first_to_buy(paths: Sequence[str], shares: np.ndarray) -> str:
    """Which tolerance has the largest share, all of those that tie."""
    first = [
        path for path, share in zip(paths, shares, strict=True) if round(share, _DIGITS) >= round(max(shares), _DIGITS)
    ]
    each = f"{100 * max(shares):.0f} % of the variance of the position"
    return f"buy first: {first[0]}, {each}" if len(first) == 1 else f"buy first: {joined(first)}, a tie: each {each}"


def _leg_ties(errors: PoseErrors) -> bool:
    """Whether every leg has the same share in each kind of error, as of a robot whose legs are alike."""
    linear = errors.linear
    shares = errors.shares((linear.bounds * linear.slopes) ** 2)[0]
    kinds: dict[str, set[float]] = {}
    counts: dict[str, int] = {}
    for source, share in zip(linear.sources, shares.tolist(), strict=True):
        if source.leg is not None:
            kind = ".".join(part for part in source.name.split(".") if not part.isdigit())
            kinds.setdefault(kind, set()).add(round(share, _LEG_DIGITS))
            counts[kind] = counts.get(kind, 0) + 1
    return bool(kinds) and max(counts.values()) > 1 and all(len(values) == 1 for values in kinds.values())


def _notes(
    robot: Robot, errors: PoseErrors, samples: int, exact: Sequence[str], *, chosen: bool, ordinary: bool
) -> tuple[str, ...]:
    """What to buy first, what counts as exact, and how far the numbers can be trusted."""
    shares = errors.shares(errors.linear.variances)
    paths = [tolerance.path for tolerance in errors.linear.tolerances]
    idle = [path for path, share in zip(paths, shares.T, strict=True) if (share < _IDLE).all()]
    difference = named(robot, errors.drawn.difference).items()
    beside = ", ".join(f"{name} {amount(value, unit_of(name))}" for name, value in difference)
    known = 100.0 / np.sqrt(2 * samples)
    notes = {
        _first_to_buy(paths, shares[0]): bool(shares[0].any()) and not chosen,
        "the legs tie: each has the same share in every tolerance": _leg_ties(errors),
        "no tolerance was given: these are ordinary ones": ordinary and not chosen,
        f"counted as exact, as no tolerance is given: {', '.join(exact)}": bool(exact),
        f"to first order the plate does not move with {', '.join(idle)}": bool(idle),
        f"{samples} robots at {len(errors.poses)} poses, so Monte Carlo is known to {known:.2g} %": True,
        f"on the same robots the routes differ by at most {beside}": True,
        f"the loops of drawn robots did not close {errors.drawn.unclosed} times": errors.drawn.unclosed > 0,
    }
    return tuple(note for note, holds in notes.items() if holds)
