"""Vectors of the supervisor: steps of a cell, guards along a motion, a controlled stop, and the library's answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from parapick.export.c.law import CLaw
from parapick.export.c.supervised import CSupervisor
from parapick.export.c.supervisor_step import EVENTS, STATES
from parapick.export.c.supervisor_unit import stop_limits_of, watch_of
from parapick.kernel import CStyle
from parapick.ride import Pose
from parapick.supervision import (
    GUARDS,
    NAMES,
    CellMemory,
    Event,
    Observation,
    Past,
    Rules,
    Signals,
    State,
    StopPlan,
    Watched,
    step,
    stop_plan,
)

_SETTLED: Final = 3

RULES: Final = Rules(tuple(_SETTLED + 1 if name == "unrest" else 2 for name in NAMES), _SETTLED)
"""Rules of the walk: short, so that it meets every guard in few samples, but time enough for the plate to settle."""

SAMPLES: Final = 24
"""Samples of the guards' vectors, at the fastest part of the motion."""

STOP_SAMPLES: Final = 20
"""Samples in which the stop of the vectors slows a pace of 1 to rest, where motors allow."""

_ERROR: Final = 1e-3
"""Error of the encoder angles (rad, or m on rails), so that no quantity is 0."""


@final
@dataclass(frozen=True)
class GuardVectors:
    """Samples of the guards.

    Attributes:
        signals: what is read.
        past: what was before.
        watched: what the library finds.
    """

    signals: Signals
    past: Past
    watched: Watched


@final
@dataclass(frozen=True)
class StopVectors:
    """A stop along the motion.

    Attributes:
        begin: path time and pace at the sample before.
        period: of its samples (s).
        course: the path at every sample: x, x_s and x_ss side by side (T, 3 dof).
        payload: what the tool holds (5,).
        plan: what the library plans.
    """

    begin: tuple[float, float]
    period: float
    course: np.ndarray
    payload: np.ndarray
    plan: StopPlan


def walk() -> np.ndarray:
    """Steps of a cell with every guard, whole numbers (T, 8).

    A row is: guard beyond its limit or -1, still, arrived, command; then state, fault, event and cause after it.
    """
    memory, rows = CellMemory(), []
    for guard, still, arrived, command in _asked():
        over = tuple(place == guard for place in range(len(NAMES)))
        memory = step(RULES, memory, Observation(over, bool(still), bool(arrived), command))
        after = (STATES.index(memory.state), memory.fault, EVENTS.index(memory.event), memory.cause)
        rows.append((guard, still, arrived, EVENTS.index(command), *after))
    return np.array(rows)


def _asked() -> Iterator[tuple[int, int, int, Event | None]]:
    """For every guard: switch on, home, start, let it trip, come to rest, reset; then a plain run, and two stops."""
    settled = [(-1, 1, 1, None)] * RULES.settled
    started = [(-1, 1, 0, Event.ENABLE), *settled, *settled, (-1, 1, 0, Event.START), (-1, 0, 0, None)]
    for place, guard in enumerate(GUARDS):
        watched = started if State.RUNNING in guard.armed else [*started, (-1, 0, 0, Event.STOP)]
        tripping = [(place, 0, int(guard.name == "unrest"), None)] * (RULES.persistence[place] + 1)
        yield from [*watched, *tripping, *settled, (-1, 1, 1, None), (-1, 1, 0, Event.RESET)]
        yield (-1, 1, 0, Event.DISABLE)
    yield from [(-1, 1, 0, Event.ENABLE), *settled, (-1, 0, 0, Event.STOP), (-1, 0, 0, None), *settled]
    yield from [
        *started,
        *settled,
        (-1, 1, 0, Event.START),
        (-1, 0, 0, Event.STOP),
        *settled,
        (-1, 1, 0, Event.DISABLE),
    ]


def guard_vectors(law: CLaw, supervisor: CSupervisor, style: CStyle) -> GuardVectors:
    """Samples at the fastest part of a motion, signals of every kind among them.

    Args:
        law: the law, with the motion it was taken from.
        supervisor: the supervisor.
        style: the type of numbers, to which what is read is rounded.
    """
    series, model, draw = law.assembly.series, supervisor.model, np.random.default_rng(11)
    fastest = int(np.argmax(np.linalg.norm(series.xd, axis=1)))
    first = max(min(fastest, len(series.t) - 2 * SAMPLES), 0)
    x = series.x[first : first + SAMPLES]
    q, n = model.inverse_kinematics(x), model.robot.motors
    errors = _ERROR * draw.uniform(0.5, 1.0, n)
    late, emergency = np.arange(len(x)) % 7 == 5, np.arange(len(x)) % 9 == 4
    signals = Signals(
        q_meas=style.rounded(q + errors),
        x_ref=style.rounded(x),
        x_ahead=style.rounded(series.x[first + SAMPLES : first + 2 * SAMPLES]),
        command=style.rounded(draw.uniform(-5.0, 5.0, q.shape)),
        late=late,
        dead=np.eye(n, dtype=bool)[np.arange(len(x)) % n] & late[:, None],
        emergency=emergency,
    )
    past = Past.resting(signals.q_meas[0], style.rounded(q[0]))
    return GuardVectors(signals, past, watch_of(model, supervisor.machine).look(signals, past))


def stop_vectors(law: CLaw, supervisor: CSupervisor, style: CStyle) -> StopVectors:
    """A stop that begins where the motion is fastest, in few samples.

    Args:
        law: the law, with the motion it was taken from.
        supervisor: the supervisor.
        style: the type of numbers, to which the path is rounded.
    """
    series, motion = law.assembly.series, law.assembly.known
    begin = float(series.t[int(np.argmax(np.linalg.norm(series.xd, axis=1)))])
    limits = stop_limits_of(supervisor.model, supervisor.machine)
    coarse = replace(limits, rate=STOP_SAMPLES / limits.stop_time)

    def course(s: float) -> Pose:
        return Pose(*(style.rounded(column) for column in motion.at(min(s, motion.duration))))

    plan = stop_plan(coarse, course, begin, 1.0)
    path = np.array([np.concatenate([*course(s)]) for s in plan.s.tolist()])
    return StopVectors((begin, 1.0), 1.0 / coarse.rate, path, style.rounded(coarse.payload), plan)
