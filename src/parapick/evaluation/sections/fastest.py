"""The pace: how fast the task can be done by its own law, and by the fastest timing of its path.

By its own law it is the pace at which the verdict turns. The fastest timing runs through the same path as fast as peak
torque and peak speed of the drives allow at every instant; if its motors get too hot, or its rods would buckle, it is
run slower as a whole until they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from parapick.answer import Answer, Cell, Series, Table, columns
from parapick.answer.words import at_least, at_most, percent
from parapick.errors import ParapickError
from parapick.evaluation.context import Context
from parapick.evaluation.findings import limiting_of
from parapick.evaluation.pace import LIMITS, Pace, decides_words, own_pace, returns
from parapick.evaluation.run import Run
from parapick.model.extremes import LIMIT_SLACK

_TITLE: Final = "Pace"
_SLOWED: Final = "timing slowed for heat"
"""What the fastest timing is called where it has to be run so much slower that the task's own law is faster."""

_AT_LIMIT: Final = 0.98
"""Share of its peak torque from which on a motor counts as working at its limit; the timing keeps 0.1 % back."""


def section(context: Context) -> Answer:
    """How fast the task can be done, by its own law and by the fastest timing, and what decides.

    Args:
        context: the robot on its way.
    """
    if context.motion.is_synchronized:
        left_out = ("not looked at: the motion meets belts that move, so its pace is theirs",)
        return Answer("fastest", _TITLE, left_out=left_out, data={"meets_belts": True, **_nothing(context)})
    if context.no_pace:
        return Answer("fastest", _TITLE, left_out=(f"not looked at: {context.no_pace}",), data=_nothing(context))
    own, no_own = _pace_or_reason(lambda: _own(context))
    fastest, no_fastest = _pace_or_reason(lambda: context.pace)
    reasons = {"a pace by its own law": no_own, "the fastest timing": no_fastest}
    unlimited = _unlimited(context) if own is None and not no_own else ()
    word, key = (_SLOWED, "slowed") if _slower(fastest, own) else ("fastest timing", "fastest")
    paces = {name: pace for name, pace in (("own law", own), (key, fastest)) if pace is not None}
    return Answer(
        key="fastest",
        title=_TITLE,
        tables=(_table(context, paces),) if paces else (),
        series=() if fastest is None else (_torque(fastest, word),),
        summary=_summary({"own law": own, word: fastest}),
        notes=(*unlimited, *_notes(context, own, fastest)),
        left_out=tuple(f"not found: {what}: {reason}" for what, reason in reasons.items() if reason),
        data=_nothing(context) | _data("own_law", own) | _data(key, fastest) | _peak_limited(fastest),
    )


def _slower(fastest: Pace | None, own: Pace | None) -> bool:
    """Whether the timing by peak torque, run slower as a whole for heat, takes longer than the task's own law."""
    if fastest is None or own is None:
        return False
    return fastest.motion.duration > own.motion.duration * (1.0 + LIMIT_SLACK)


def _pace_or_reason(make: Callable[[], Pace | None]) -> tuple[Pace | None, str]:
    """A pace, or why there is none."""
    try:
        return make(), ""
    except ParapickError as error:
        return None, str(error)


def _own(context: Context) -> Pace | None:
    """The pace by the task's own law; None where nothing limits it, or where rods alone would."""
    if limiting_of(context.run.moving) is None or not context.motors.rated:
        return None
    return own_pace(context.run, context.task or context.own, context.own)


def _unlimited(context: Context) -> tuple[str, ...]:
    """Why nothing limits the pace of the task's own law."""
    if not context.motors.rated:
        return ("the file rates no drive, so nothing limits the pace of the task's own law",)
    if limiting_of(context.run.moving) is None:
        return ("the file rates neither drives nor rods, so nothing limits the pace of the task's own law",)
    return ("what the file rates does not limit the pace of the task's own law",)


def _nothing(context: Context) -> dict[str, object]:
    """What is said of the motion itself, and no pace."""
    cycle, duration = returns(context.motion) and not context.motion.is_synchronized, context.motion.duration
    keys = [f"{way}_{what}" for way in ("own_law", "fastest", "slowed") for what in _PACE]
    asked = {"asked_duration": duration, "asked_cycles_per_minute": 60.0 / duration if cycle else None}
    return {"cycle": cycle, **asked, **dict.fromkeys(keys)}


_PACE: Final = ("duration", "cycles_per_minute", "limited_by")
"""What is stated of a pace."""


def _data(way: str, pace: Pace | None) -> dict[str, object]:
    if pace is None:
        return {}
    duration, decides = pace.motion.duration, pace.decides
    per_minute = 60.0 / duration if returns(pace.motion) else None
    values = (duration, per_minute, None if decides is None else decides.name)
    return {f"{way}_{what}": value for what, value in zip(_PACE, values, strict=True)}


def _summary(paces: Mapping[str, Pace | None]) -> dict[str, str]:
    """Every pace in a line, rounded to what is kept."""
    lines = {}
    for name, pace in paces.items():
        if pace is not None:
            duration = pace.motion.duration
            per_minute = f"up to {at_most(60.0 / duration, 4)} per minute, " if returns(pace.motion) else ""
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
    values = [_column(one) for one in ways.values()]
    rows = tuple((name, *(column[name] for column in values)) for name in values[0])
    title = "the task as asked for, by its own law, and timed by what the motors can give, each as fast as it can be"
    return Table("paces", title, columns(("quantity", *ways), ("",) * (len(ways) + 1)), rows, printed=0)


def _column(run: Run) -> dict[str, Cell]:
    """The motion at a pace, by quantity."""
    motion, samples = run.motion, run.ride.samples
    motors = run.ride.model.motors
    share = np.abs(run.ride.loads.torque) / motors.peak_torque
    cycle: dict[str, Cell] = {"cycles a minute": 60.0 / motion.duration} if returns(motion) else {}
    at_limit = {
        f"motor {i + 1} at its peak {motors.axes[i].word} (% of the time)": _lasting(samples.t, own)
        for i, own in enumerate(share.T)
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


def _notes(context: Context, own: Pace | None, fastest: Pace | None) -> Iterator[str]:
    if not returns(context.motion):
        yield "the motion ends elsewhere than it begins, so it is no cycle, and not counted per minute"
    if own is not None:
        beyond = "the limits of the task allow no faster pace"
        if own.decides is not None and own.decides.name != LIMITS:
            beyond = f"beyond it breaks: {own.decides.brief or own.decides.text}"
        yield f"by its own law {_words(own)}; {beyond}"
    if fastest is None:
        return
    if _slower(fastest, own):
        yield (
            f"timed by peak {context.motors.word} and speed, and run slower until it keeps its rating, "
            f"{_words(fastest)}: less than by its own law, so this is not the fastest timing"
        )
    else:
        yield f"by the fastest timing {_words(fastest)}; limits of the task on the plate are left aside"
    if fastest.hot:
        slower, word = fastest.motion.duration / fastest.peak_limited - 1.0, context.motors.word
        yield (
            f"by peak {word} and speed alone the path would take {fastest.peak_limited:.4g} s; run "
            f"{percent(slower)} slower the effective {word} keeps its rating"
        )


def _words(pace: Pace) -> str:
    """A pace in words, rounded to what is kept."""
    duration = pace.motion.duration
    return f"up to {at_most(60.0 / duration)} a minute" if returns(pace.motion) else f"{at_least(duration)} s one way"
