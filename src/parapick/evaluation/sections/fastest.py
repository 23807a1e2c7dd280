"""The pace: how fast the task can be done by its own law, and by the fastest timing of its path.

By its own law it is the pace at which the verdict turns. The fastest timing runs through the same path as fast as peak
torque and peak speed of the drives allow at every instant and heat allows over the cycle; if its rods would buckle, it
is run slower as a whole until they do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from parapick.answer import (
    Answer,
    Cell,
    Series,
    Table,
    at_least,
    at_most,
    columns,
    percent,
)
from parapick.evaluation.context import Context
from parapick.evaluation.limiting import limiting_of
from parapick.evaluation.pace import LIMITS, Pace, decides_words, returns
from parapick.evaluation.paces import Paces, counted
from parapick.evaluation.run import Run

_TITLE: Final = "Pace"
_SLOWED: Final = "slowed timing"
"""What the fastest timing is called where it has to be run so much slower that the task's own law is faster."""

_AT_LIMIT: Final = 0.98
"""Share of its peak torque from which on a motor counts as working at its limit; the timing keeps 0.1 % back."""


def section(context: Context) -> Answer:
    """How fast the task can be done, by its own law and by the fastest timing, and what decides.

    Args:
        context: the robot along the motion of its task.
    """
    if context.motion.is_synchronized:
        left_out = ("not computed: the motion meets belts that move, so its pace is theirs",)
        return Answer("fastest", _TITLE, left_out=left_out, data={"meets_belts": True, **_data(context.paces)})
    if context.no_pace:
        return Answer("fastest", _TITLE, left_out=(f"not computed: {context.no_pace}",), data=_data(context.paces))
    paces = context.paces
    reasons = {"a pace by its own law": paces.no_own_law, "the fastest timing": paces.no_timed}
    unlimited = _unlimited(context) if paces.own_law is None and not paces.no_own_law else ()
    word = "fastest timing" if paces.slowed is None else _SLOWED
    ways = {"own law": paces.own_law, "slowed" if paces.by_own_law else "fastest": paces.timed}
    stated = {name: pace for name, pace in ways.items() if pace is not None}
    return Answer(
        key="fastest",
        title=_TITLE,
        tables=(_table(context, stated),) if stated else (),
        series=() if paces.timed is None else (_torque(paces.timed, word),),
        summary=_summary({"own law": paces.own_law, word: paces.timed}, paces.items),
        notes=(*unlimited, *_notes(context, paces)),
        left_out=tuple(f"not found: {what}: {reason}" for what, reason in reasons.items() if reason),
        data=_data(paces) | _peak_limited(paces.timed),
    )


def _unlimited(context: Context) -> tuple[str, ...]:
    """Why nothing limits the pace of the task's own law."""
    if not context.motors.rated:
        return ("the file rates no drive, so nothing limits the pace of the task's own law",)
    if limiting_of(context.run.load_requirements) is None:
        return ("the file rates neither drives nor rods, so nothing limits the pace of the task's own law",)
    return ("what the file rates does not limit the pace of the task's own law",)


def _data(paces: Paces) -> dict[str, object]:
    """What programs are given: the pace that is asked for, and that of each way, None where there is none."""
    duration = paces.motion.duration
    data: dict[str, object] = {
        "cycle": paces.cycle,
        "asked_duration": duration,
        "asked_cycles_per_minute": 60.0 / duration if paces.cycle else None,
    }
    for way, pace in {"own_law": paces.own_law, "fastest": paces.fastest, "slowed": paces.slowed}.items():
        data[f"{way}_duration"] = None if pace is None else pace.motion.duration
        data[f"{way}_cycles_per_minute"] = None if pace is None else pace.per_minute
        if paces.items > 1:
            data[f"{way}_picks_per_minute"] = _picks(pace, paces.items)
        data[f"{way}_limited_by"] = None if pace is None or pace.decides is None else pace.decides.name
    data["fastest_by"] = None if paces.fastest is None else "own law" if paces.by_own_law else "timing"
    return data


def _picks(pace: Pace | None, items: int) -> float | None:
    """Items per minute at a pace; None without one, or where the motion is no cycle."""
    return None if pace is None or pace.per_minute is None else items * pace.per_minute


def _summary(paces: Mapping[str, Pace | None], items: int) -> dict[str, str]:
    """Every pace in a line, rounded to what is kept; picks where there are several items in a cycle."""
    lines, unit = {}, "picks per minute" if items > 1 else "per minute"
    for name, pace in paces.items():
        if pace is not None:
            duration = pace.motion.duration
            per_minute = f"up to {at_most(60.0 * items / duration, 4)} {unit}, " if returns(pace.motion) else ""
            lines[name] = f"{per_minute}{at_least(duration, 4)} s{decides_words(pace.decides)}"
    return lines


def _peak_limited(fastest: Pace | None) -> dict[str, object]:
    if fastest is None:
        return {}
    return {"peak_limited_duration": fastest.peak_limited, "limited_by_heat": fastest.hot}


def _torque(fastest: Pace, word: str) -> Series:
    motors, loads = fastest.run.ride.model.motors, fastest.run.ride.loads
    return Series(
        f"motor {motors.word} of the {word}",
        motors.torque_unit,
        loads.t,
        loads.torque,
        tuple(f"motor {i + 1}" for i in range(loads.torque.shape[1])),
        motors.named(peak=motors.peak_torque, rated=motors.rated_torque),
    )


def _table(context: Context, paces: dict[str, Pace]) -> Table:
    ways = {"asked": context.run, **{name: pace.run for name, pace in paces.items()}}
    cells = [_column(run, context.items) for run in ways.values()]
    rows = tuple((name, *(column[name] for column in cells)) for name in cells[0])
    title = "the task as asked for, by its own law, and timed by what the motors can give, each as fast as it can be"
    return Table("paces", title, columns(("quantity", *ways), ("",) * (len(ways) + 1)), rows, printed=0)


def _column(run: Run, items: int) -> dict[str, Cell]:
    """The motion at a pace, by quantity."""
    motion, samples = run.motion, run.ride.samples
    motors = run.ride.model.motors
    share = np.abs(run.ride.loads.torque) / motors.peak_torque
    counted_items = {f"{counted(items)} per minute": 60.0 * items / motion.duration}
    cycle: dict[str, Cell] = {**counted_items} if returns(motion) else {}
    at_limit = {
        f"motor {i + 1} at its peak {motors.axes[i].word} (% of the time)": _lasting(samples.t, used)
        for i, used in enumerate(share.T)
    }
    return {
        **cycle,
        "duration (s)": motion.duration,
        "plate speed (m/s)": float(np.linalg.norm(samples.xd[:, :3], axis=-1).max()),
        "plate acceleration (m/s2)": float(np.linalg.norm(samples.xdd[:, :3], axis=-1).max()),
        **at_limit,
    }


def _lasting(t: np.ndarray, share: np.ndarray) -> float:
    """Share of the time (%) for which a share of a limit counts as all of it."""
    return 100.0 * float(np.trapezoid((share >= _AT_LIMIT).astype(float), t) / (t[-1] - t[0]))


def _notes(context: Context, paces: Paces) -> Iterator[str]:
    if not returns(context.motion):
        yield "the motion ends elsewhere than it begins, so it is not a cycle and has no pace"
    if paces.own_law is not None:
        beyond = "the limits of the task allow no faster pace"
        decides = paces.own_law.decides
        if decides is not None and decides.name != LIMITS:
            beyond = f"beyond it breaks: {decides.brief or decides.text}"
        yield f"by its own law {_words(paces.own_law, paces.items)}; {beyond}"
    if paces.fastest is not None and not paces.by_own_law:
        most = _words(paces.fastest, paces.items)
        yield f"by the fastest timing {most}; limits of the task on the plate are left aside"
    if paces.slowed is not None:
        yield (
            f"timed as fast as the motors can, and run slower until all is kept, {_words(paces.slowed, paces.items)}: "
            "less than by its own law, which is the fastest timing that is known"
        )
    if paces.timed is not None and paces.timed.hot:
        yield from _heat_notes(paces.timed, context.motors.word)


def _heat_notes(timed: Pace, word: str) -> Iterator[str]:
    longer = timed.motion.duration / timed.peak_limited - 1.0
    how = "as a whole" if timed.scaled else "where it saves most heat, in all strokes together"
    yield (
        f"by peak {word} and speed alone the path would take {timed.peak_limited:.4g} s; run slower {how}, "
        f"the effective {word} keeps its rating in {percent(longer)} more time"
    )


def _words(pace: Pace, items: int) -> str:
    """A pace in words, rounded to what is kept; picks where there are several items in a cycle."""
    duration, unit = pace.motion.duration, "picks per minute" if items > 1 else "per minute"
    most = f"up to {at_most(60.0 * items / duration)} {unit}"
    return most if returns(pace.motion) else f"{at_least(duration)} s one way"
