"""The fastest cycle that keeps its motors cool: the joint optimum of all its stretches under heat and every limit.

Where the fastest timing by limits of an instant heats a motor more than it bears, time is best added where it saves
most heat: programmes (`heat_programme`) share it out among all strokes, by what each motor has to give there. Each is
around the profile of the last (`heat_terms`) and meets the heat that a ride along it found; limits are looked at
between nodes as in `refinement`. What is left to the last per mille is run slower as a whole (`endurance`).

Where another sum over the cycle decides (gearboxes, windings, the bus), motors get less heat than they bear: as much
as leaves that sum at its limit. That is no optimum of that sum, but adds time where it lowers torques.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.motors import HEAT, TorqueLimit
from parapick.ride import Ride
from parapick.timing.endurance import borne, endurance_under
from parapick.timing.heat_terms import HeatedCycle
from parapick.timing.refinement import CourseBatch, TimedStretch, cuts_where_exceeded

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.timing.timed_paths import RouteTiming

# Samples of a motion from which its heat is found; corners and reversals are added.
_LOOKS: Final = 2000.0
# Programmes one after the other; two to four are enough but for redundant motors that share by least peak, whose choice
# of motors may go back and forth: from some programmes on, each goes half of the way.
_PROGRAMMES: Final = 7
_WHOLE: Final = 4
# Shares of the duration and of the heat to which they settle, and to which they do that go half of the way.
_SETTLED: Final = 2e-5
_STEADY: Final = 2e-4
# Share by which the time to cool may be longer than the cycle before the cycle's own is taken.
_LOOSE: Final = 1e-5
# Share by which a cycle may miss its optimum before it is held against the fastest one, run slower as a whole.
_NEAR: Final = 1e-3
# Cycles with less heat that are tried where another sum decides, a programme each, and the share of its limit that is
# near enough.
_ROUNDS: Final = 5
_ENOUGH: Final = 2e-3
# Powers of the torque that a sum may go by: the mean of a gearbox by about the first, a voltage by more.
_POWERS: Final = (0.5, 4.0)


def cool_cycle(
    model: Model, timing: RouteTiming, timed: Sequence[TimedStretch], motion: Motion, rated: TorqueLimit
) -> Motion:
    """The fastest motion along a route that motors bear again and again; the motion itself where they bear it.

    With a bound on jerk the motion is run slower as a whole: the programme has none.

    Args:
        model: the robot.
        timing: the route.
        timed: the profiles of its courses, as fast as limits of an instant allow.
        motion: the motion by these.
        rated: torque that a motor bears for long; see `Motors.continuous`.

    Raises:
        OverheatingError: no motion is slow enough: a motor is too hot when it holds the plate.
        ParameterError: a rating that the file does not state, or numbers that no motor can keep.
    """
    limit = borne(model.motors, rated)
    slowed = endurance_under(model, motion, limit)
    if not slowed.decides or timing.smooth:
        return slowed.motion
    batch = CourseBatch.along([*chain(*timing.runs)], timed)
    cycle = HeatedCycle(timing.often, timing.resting, limit)
    cooling = _Cooling(model, timing, cycle, batch, motion, _heat(model, motion))
    kept = slowed
    if slowed.decides == HEAT.title:
        cool = cooling.settled()
        kept = endurance_under(model, cool.motion, limit)
        if cool is not cooling and kept.motion.duration <= cool.motion.duration * (1.0 + _NEAR):
            return kept.motion
        cooling = cool
    others = () if kept.decides in ("", HEAT.title) else _eased(cooling, limit)
    return min(kept.motion, slowed.motion, *others, key=_duration)


def _eased(cooling: _Cooling, limit: np.ndarray) -> Iterator[Motion]:
    """Cycles with less heat, so that every other sum is kept as well; each follows from how much the last one missed.

    Args:
        cooling: the cycle to begin with.
        limit: torque at rest whose heat every motor bears (n,), N m.
    """
    power, before = 1.0, (0.0, 0.0)
    for turn in range(_ROUNDS):
        ride = Ride.along(cooling.model, cooling.motion, _LOOKS / cooling.motion.duration)
        share, rms = np.maximum(_others(ride), np.finfo(float).tiny), ride.rms_torque
        worst = int(np.argmax(share))
        if not np.isfinite(share).all() or abs(share[worst] - 1.0) <= _ENOUGH:
            return
        # The sum goes by some power of the effective torque, which two cycles tell; what speed heats stays about the
        # same.
        here = (float(np.log(rms[worst])), float(np.log(share[worst])))
        if turn and here[0] != before[0]:
            power = float(np.clip((here[1] - before[1]) / (here[0] - before[0]), *_POWERS))
        before = here
        least = np.minimum(limit, np.sqrt((rms * share ** (-1.0 / power)) ** 2 + cooling.heat - rms**2))
        cooling = replace(cooling, cycle=replace(cooling.cycle, limit=least)).settled(1)
        yield endurance_under(cooling.model, cooling.motion, limit).motion


def _others(ride: Ride) -> np.ndarray:
    """Largest share of every motor's sums beside heat (n,), as shares of torques; the bus is one of all motors."""
    shares = np.zeros(ride.model.motors.count)
    for loads in ride.cycle_loads:
        if loads.kind is not HEAT:
            # A winding is warm by the square of its torque.
            shares = np.maximum(shares, np.sqrt(loads.shares) if loads.kind.key == "winding" else loads.shares)
    return shares


def _duration(motion: Motion) -> float:
    return motion.duration


def _heat(model: Model, motion: Motion) -> np.ndarray:
    """Mean heat of every motor along a motion (n,), (N m)2."""
    return Ride.along(model, motion, _LOOKS / motion.duration).heat_torque ** 2


@final
@dataclass(frozen=True, eq=False)
class _Cooling:
    """A cycle on its way to the optimum.

    Attributes:
        model: the robot.
        timing: the route.
        cycle: what the motors bear.
        batch: the stretches, with the profile so far.
        motion: the motion by it.
        heat: mean heat of every motor along it (n,), (N m)2.
    """

    model: Model
    timing: RouteTiming
    cycle: HeatedCycle
    batch: CourseBatch
    motion: Motion
    heat: np.ndarray

    def with_profile(self, batch: CourseBatch) -> _Cooling:
        """The cycle with another profile."""
        motion = self.timing.motion([batch.stretch(number) for number in range(len(batch.courses))])
        return replace(self, batch=batch, motion=motion, heat=_heat(self.model, motion))

    def slowed(self, factor: float) -> _Cooling:
        """The cycle with its stretches so many times as slow."""
        return self.with_profile(self.batch.with_speeds(self.batch.u / factor**2))

    def settled(self, programmes: int = _PROGRAMMES) -> _Cooling:
        """The cycle after programmes that change nothing more; the last one where they do not settle.

        Args:
            programmes: how many at most.
        """
        cycle, cools = self, True
        for turn in range(programmes):
            programme = cycle.cycle.programme(cycle.batch, cycle.heat, cools=cools)
            answer = programme.solved(programme.nodes(cycle.batch.u.T))
            if answer is None:
                break
            ahead = programme.ends(answer[0]).T
            batch = cycle.batch.with_speeds(ahead if turn < _WHOLE else 0.5 * (ahead + cycle.batch.u))
            parts, tighter = cuts_where_exceeded(batch, batch.use())
            whole = (parts == 1).all() and (tighter == 1.0).all()
            before, cycle = cycle, cycle.with_profile(batch if whole else batch.split(parts, tighter))
            if cools and answer[1] > cycle.motion.duration * (1.0 + _LOOSE):
                # Around a cycle that is cool, tangents of its time leave something.
                slower = endurance_under(self.model, cycle.motion, self.cycle.limit).motion
                cycle, cools = cycle.slowed(slower.duration / cycle.motion.duration), False
                continue
            changed = abs(cycle.motion.duration / before.motion.duration - 1.0)
            missed = abs(float((cycle.heat / cycle.cycle.limit**2).max()) - 1.0)
            if whole and max(changed, missed) <= (_SETTLED if turn < _WHOLE else _STEADY):
                break
        return cycle
