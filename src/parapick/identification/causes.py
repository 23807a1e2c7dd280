"""Why a log may not fit its robot: readings that are tried in turn, and the one that explains it much better.

Tried are signs of torques and angles, their order, a factor of all torques, the zero of one joint, and torques that
were cut off. Beside them stand the masses of the file, set free: what other masses explain as well is no fault of a
reading.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from parapick.answer import amount
from parapick.errors import MotionError
from parapick.identification.clipping import Pile, piles_of
from parapick.identification.trials import Left, Trials
from parapick.units import UNITS

if TYPE_CHECKING:
    from parapick.motors import Motors

SUSPECT: Final = 0.005
"""Share of the largest torque of a row, beyond its noise, from which on causes are tried: a right model leaves less."""

MUCH: Final = 3.0
"""How many times less a cause must leave to be named: a tenth of the squares."""

FLOOR: Final = 0.002
"""Share of the largest torques below which what is left counts as nothing: filters and steps of encoders leave it."""

ALIKE: Final = 1.1
"""How much more than the least two readings may leave to count as alike: a symmetric robot does not tell them apart."""

CLIPPED: Final = 2.0
"""How many times less must be left without the samples that sit on one value, so that these were cut off."""

FACTOR: Final = 3.0
"""Factor of all torques, or one over it, from which on it counts as one of units: torque constants and masses of a file
are wrong by less."""

NEAR_UNIT: Final = 0.1
"""How far from the factor between two units the one that fits best may be, as a share."""

ZERO: Final = 0.02
"""Angle (rad, m) from which on a zero counts as wrong: calibrated ones are within a degree."""

ZERO_MAX: Final = 0.3
"""Largest error of a zero that is tried (rad, m)."""

DISAGREE: Final = 0.005
"""Angle (rad, m) by which the joints of a redundant robot may disagree: zeros set with care, and built lengths."""

_STEP: Final = 1e-4
_ROUNDS: Final = 3

Change = Callable[[np.ndarray], np.ndarray]


@final
@dataclass(frozen=True)
class Cause:
    """What explains a log much better than the way it was read.

    Attributes:
        word: "sign", "unit", "order", "zero", "clipping" or "masses".
        text: what it is, such as "the torque of motor 2 has the other sign".
        remedy: what to do about it.
        before: what is left of the log as it was read.
        after: what is left with it; None where too little remains to say.
        alike: other readings that leave as little, in words.
    """

    word: str
    text: str
    remedy: str
    before: Left
    after: Left | None
    alike: tuple[str, ...] = ()

    @property
    def figures(self) -> str:
        """What is left without and with it."""
        if self.after is None:
            return f"{100.0 * self.before.rms:.3g} % of the peak left"
        return f"{100.0 * self.before.rms:.3g} % of the peak left as read, {100.0 * self.after.rms:.2g} % so"


def cause_of(trials: Trials) -> Cause | None:
    """The cause that explains a log much better, if there is one."""
    before = trials.as_read()
    uneasy = trials.model.robot.redundant and trials.disagreement() > DISAGREE
    if uneasy and (zero := _zero_by_closure(trials, before)):
        return zero
    if max(before.beyond, before.worst) < SUSPECT:
        return None
    if clipped := _clipping(trials, before):
        return clipped
    masses = trials.with_masses()
    best = _best_reading(trials, before, masses)
    if best is None and masses is not None and masses.beyond <= before.beyond / MUCH:
        remedy = "identify them too (inertia), or state them better"
        return Cause("masses", "the masses of the file are not those of the machine", remedy, before, masses)
    return best


def _best_reading(trials: Trials, before: Left, masses: Left | None) -> Cause | None:
    """The reading that leaves least, with those of its kind that leave as little; None where none explains the log."""
    # A zero that other masses explain as well is no fault of the zero: it need not be tried.
    doubtful = masses is not None and masses.beyond <= FLOOR
    best: list[tuple[Left, Cause]] = []
    for kind in _READINGS[:-1] if doubtful else _READINGS:
        tried = [(one.after, one) for one in kind(trials, before) if one.after is not None]
        good = [pair for pair in tried if _explains(pair[0], before, masses)]
        best = _least_left([*best, *good])
        if best and best[0][0].beyond <= FLOOR:
            break
    if not best:
        return None
    first, *others = (cause for _, cause in best)
    return replace(first, alike=tuple(one.text for one in others if one.word == first.word))


def _least_left(causes: list[tuple[Left, Cause]]) -> list[tuple[Left, Cause]]:
    """The causes that leave next to least, in the order in which they were tried."""
    least = min((max(left.beyond, FLOOR) for left, _ in causes), default=0.0)
    return [pair for pair in causes if pair[0].beyond <= ALIKE * least]


def _explains(after: Left, before: Left, masses: Left | None) -> bool:
    """Whether a reading leaves much less, and not more than other masses would."""
    rival = math.inf if masses is None else max(masses.beyond, FLOOR)
    return after.beyond <= min(before.beyond / MUCH, rival)


def piles(trials: Trials) -> tuple[Pile, ...]:
    """Values on which torques of a trial sit."""
    return piles_of(trials.motion.torque)


def _clipping(trials: Trials, before: Left) -> Cause | None:
    """Torques that were cut off: without the samples that sit on one value much less is left, or too few remain."""
    there = piles(trials)
    if not there:
        return None
    mask = np.zeros(trials.motion.torque.shape, dtype=bool)
    for one in there:
        mask[:, one.motor] |= one.there
    after = trials.without(mask)
    if after is not None and after.beyond > before.beyond / CLIPPED:
        return None
    motors = [motor + 1 for motor in dict.fromkeys(one.motor for one in there)]
    most = max(there, key=lambda one: one.share)
    unit = trials.model.motors.axes[most.motor].effort
    text = (
        f"{_of(motors, trials.model.motors.count, 'torque')} {_are(motors)} clipped: {100.0 * most.share:.2g} % of the "
        f"samples of motor {most.motor + 1} sit on {amount(most.level, unit)}"
    )
    return Cause("clipping", text, "log them with a larger range, or a slower motion", before, after)


def _torque_signs(trials: Trials, before: Left) -> Iterator[Cause]:
    count = trials.model.motors.count
    patterns = itertools.product((1.0, -1.0), repeat=count)
    for signs in sorted(patterns, key=lambda one: one.count(-1.0))[1:]:
        flipped = [i + 1 for i, sign in enumerate(signs) if sign < 0.0]
        after = trials.with_torque(lambda torque, signs=signs: torque * np.array(signs))
        text = f"{_of(flipped, count, 'torque')} {_have(flipped)} the other sign"
        yield Cause("sign", text, _option("--torque-sign", trials.log.torque_sign, signs), before, after)


def _option(name: str, read: float | Sequence[float], signs: Sequence[float] | np.ndarray) -> str:
    """The option for signs that change those with which a log was read."""
    wanted = [f"{one:.0f}" for one in np.asarray(read) * np.asarray(signs)]
    return f"{name}={wanted[0] if len({*wanted}) == 1 else ','.join(wanted)}"


def _units(trials: Trials, before: Left) -> Iterator[Cause]:
    """A factor of all torques, and torques that are counted at the other side of the gearboxes."""
    motors, factor = trials.model.motors, trials.factor()
    if np.any(motors.ratio != 1.0):
        for word, own in (("motor", motors.ratio), ("joint", 1.0 / motors.ratio)):
            after = trials.with_torque(lambda torque, own=own: torque * own)
            text = f"torques are those of the {word}s, angles are not"
            yield Cause("unit", text, "state torques and angles on one side of the gearboxes", before, after)
    if not 1.0 / FACTOR < abs(factor) < FACTOR:
        chosen, name = _unit_of(motors, factor)
        after = trials.with_torque(lambda torque: torque * chosen)
        sign = " and have the other sign" if factor < 0.0 else ""
        text = f"torques are {1.0 / abs(chosen):.4g} times what the masses of the file ask for{sign}"
        unit = motors.axes[0].effort
        remedy = f"they may be in {name}, not {unit}: --column 'torque=HEADING{{}} [{name}]'" if name else _UNNAMED
        yield Cause("unit", text, remedy, before, after)


_UNNAMED: Final = "no unit of torque is so far from another; is the torque constant, or the rated torque, the motor's?"


def _unit_of(motors: Motors, factor: float) -> tuple[float, str]:
    """The factor of the unit that is nearest to one that fits, and its name; itself, and none, where all are far."""
    known = {name: float(one) for name, one in UNITS[motors.axes[0].effort].items() if one != 1}
    near = min(known, key=lambda name: abs(math.log(known[name] / abs(factor))))
    if abs(known[near] / abs(factor) - 1.0) > NEAR_UNIT:
        return factor, ""
    return math.copysign(known[near], factor), near


def _orders(trials: Trials, before: Left) -> Iterator[Cause]:
    """Two motors exchanged, and counted from another: torques alone, then angles with them."""
    count = trials.model.motors.count
    for what in ("torques", "motors"):
        for order, text in _permutations(count, what):
            change: Change = lambda values, order=order: values[:, order]  # noqa: E731
            after = trials.with_torque(change) if what == "torques" else trials.with_angles(change, change)
            if after is not None:
                columns = ("torque",) if what == "torques" else ("q", "torque")
                yield Cause("order", text, f"name the columns one by one: {_named(columns)}", before, after)


def _permutations(count: int, what: str) -> Iterator[tuple[list[int], str]]:
    for a, b in itertools.combinations(range(count), 2):
        order = list(range(count))
        order[a], order[b] = b, a
        yield order, f"{what} {a + 1} and {b + 1} are exchanged"
    for shift in range(1, count):
        order = [(i + shift) % count for i in range(count)]
        if count > 2:
            yield order, f"{what} are counted from another: what was read as motor {shift + 1} is motor 1"


def _named(columns: Sequence[str]) -> str:
    return ", ".join(f"--column {one}1=HEADING" for one in columns)


def _angle_signs(trials: Trials, before: Left) -> Iterator[Cause]:
    """Angles that count the other way, of one motor or of all: alone, and torques with them."""
    count = trials.model.motors.count
    for flipped in (*([i] for i in range(count)), list(range(count))):
        sign = np.ones(count)
        sign[flipped] = -1.0
        change: Change = lambda values, sign=sign: values * sign  # noqa: E731
        keep: Change = lambda values: values  # noqa: E731
        for what, torque in (("angle", keep), ("angle and torque", change)):
            after = trials.with_angles(change, torque)
            if after is not None:
                numbers = [i + 1 for i in flipped]
                have = _have([*numbers, 0] if " and " in what else numbers)
                text = f"{_of(numbers, count, what)} {have} the other sign"
                extra = f" {_option('--torque-sign', trials.log.torque_sign, sign)}" if what == "angle" else ""
                yield Cause("sign", text, f"{_option('--sign', trials.log.sign, sign)}{extra}", before, after)


def _zeros(trials: Trials, before: Left) -> Iterator[Cause]:
    """The zero of one joint, by a few steps of Gauss and Newton each."""
    for joint in range(trials.model.motors.count):
        zero = 0.0
        try:
            for _ in range(_ROUNDS):
                zero = float(np.clip(zero + trials.zero_step(joint, zero, _STEP), -ZERO_MAX, ZERO_MAX))
        except MotionError:
            continue
        after = trials.with_zero(joint, zero)
        if after is not None and abs(zero) >= ZERO:
            yield _zero(trials, joint, zero, before, after)


def _zero(trials: Trials, joint: int, zero: float, before: Left, after: Left) -> Cause:
    axis = trials.model.motors.axes[joint]
    text = f"the zero of joint {joint + 1} is off by {axis.text(-zero)}"
    given = ["0"] * trials.model.motors.count
    given[joint] = f"{zero:.4g}{axis.unit}"
    return Cause("zero", text, f"--zero={','.join(given)}, beside what was given", before, after)


def _zero_by_closure(trials: Trials, before: Left) -> Cause | None:
    """The zero of one joint of a redundant robot: the one with which the joints agree best with one another."""
    from scipy.optimize import minimize_scalar

    best = {}
    for joint in range(trials.model.motors.count):
        least: Any = minimize_scalar(
            lambda zero, joint=joint: trials.disagreement(joint, zero),
            bounds=(-ZERO_MAX, ZERO_MAX),
            method="bounded",
            options={"xatol": _STEP},
        )
        best[joint] = (float(least.fun), float(least.x))
    joint = min(best, key=lambda one: best[one])
    rest, zero = best[joint]
    after = trials.with_zero(joint, zero)
    if after is None or abs(zero) < ZERO or rest > trials.disagreement() / MUCH:
        return None
    return _zero(trials, joint, zero, before, after)


_READINGS: Final = (_torque_signs, _units, _orders, _angle_signs, _zeros)
"""Kinds of readings, each with its simplest first, in the order in which they are tried."""


def _of(numbers: Sequence[int], count: int, what: str) -> str:
    plural = "s" if len(numbers) > 1 else ""
    words = " and ".join(f"{one}{plural}" for one in what.split(" and "))
    return f"the {words} of {'all motors' if len(numbers) == count else f'motor{plural} ' + _listed(numbers)}"


def _listed(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last}" if first else last


def _have(numbers: Sequence[int]) -> str:
    return "have" if len(numbers) > 1 else "has"


def _are(numbers: Sequence[int]) -> str:
    return "are" if len(numbers) > 1 else "is"
