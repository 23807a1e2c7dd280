"""What would improve the robot most: how the requirement that limits it changes with each of its numbers.

That requirement is peak torque, effective torque or motor speed, whichever comes nearest to its limit or exceeds it
most. Slopes of all three are exact, by differentiation; the motion stays as it is. The cycle time is found by timing
the changed robot anew, for the numbers with the largest effect. Where a file states parts of its drives, better parts
are tried as a whole (`part_effects`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.answer import Answer, Cell, Column, Requirement, Table, columns, percent
from parapick.evaluation.context import Context
from parapick.evaluation.limiting import limiting_of
from parapick.evaluation.load_requirements import PEAK, RMS, SPEED
from parapick.evaluation.pace import Pace
from parapick.evaluation.part_effects import changed_model, fastest_or_none, not_retimed, part_effects, parts_table
from parapick.evaluation.remedies import states_parts, untold
from parapick.evaluation.slopes import dimensions, speed_slopes, torque_slopes
from parapick.motors import JUDGED, turning_heat_slope
from parapick.parameters import leaves

CHANGE: Final = 0.05
"""Share by which a number is changed, in the direction in which the limiting requirement falls."""

_ROWS: Final = 12
"""Numbers that are listed, those with the largest effect first."""

_RETIMED: Final = 3
"""Numbers whose effect on the fastest cycle is found; each takes as long as the fastest cycle itself."""

_PRINTED: Final = 5
"""Numbers listed on the terminal; the report has them all."""

_NOTHING: Final = 1e-6
"""Relative effect below which a number has none."""

_SLOWER: Final = 5e-4
"""Relative change of the fastest cycle from which on it counts as slower: what is printed as 0.1 %."""

_NO_CYCLES: Final = (
    "not computed: fastest cycles of changed robots, each of which takes a second or so where {}; "
    "evaluate with --set times the robot with other numbers"
)

_KINDS: Final = {PEAK: "peak", RMS: "rms", SPEED: "speed"}
"""Requirements that the numbers of a robot can ease, and their names in the data."""

_RATINGS: Final = {PEAK: "peak_torque", RMS: "rated_torque", SPEED: "peak_speed"}
"""Which rating of a drive a requirement is counted against."""


@final
@dataclass(frozen=True)
class _Effect:
    """What a number does.

    Attributes:
        path: its path.
        value: its value (SI).
        unit: its unit.
        slopes: change of each requirement with it (N m or rad/s per unit).
        effects: relative change of each requirement for a change by the whole value.
        limiting: the requirement that it should ease.
    """

    path: str
    value: float
    unit: str
    slopes: Mapping[str, float]
    effects: Mapping[str, float]
    limiting: str

    @property
    def rank(self) -> tuple[float, float]:
        """Sorts by the effect on what limits; by the largest other effect where there is none."""
        eases = abs(self.effects[self.limiting])
        return -eases if eases > _NOTHING else 0.0, -max(map(abs, self.effects.values()))

    @property
    def step(self) -> float:
        """Share by which it is changed so that what limits falls; where that is flat, another requirement."""
        eased = self.effects[self.limiting]
        if abs(eased) <= _NOTHING:
            eased = next(value for value in self.effects.values() if abs(value) > _NOTHING)
        return -CHANGE if eased > 0.0 else CHANGE

    def change(self, name: str) -> float:
        """Relative change of a requirement by the step, to first order.

        Args:
            name: the requirement.
        """
        return self.effects[name] * self.step


def section(context: Context) -> Answer:
    """Effects of dimensions and masses on what limits the robot, and on the cycle time.

    Args:
        context: the robot along the motion of its task.
    """
    title = "What would improve it"
    if context.run.no_torque:
        return Answer("improve", title, left_out=(f"not computed: {context.run.no_torque}",))
    requirements = {
        requirement.name: requirement for requirement in context.run.load_requirements if requirement.name in _KINDS
    }
    limiting = limiting_of(requirements.values()) or requirements[PEAK]
    slopes, by_payload = _slopes(context)
    effects = sorted(_effects(context, slopes, requirements, limiting.name), key=lambda effect: effect.rank)
    cycles = _cycles(context, effects[:_RETIMED])
    parts = part_effects(context)
    motors = {PEAK: context.ride.limiting[1], RMS: context.ride.hottest, SPEED: context.ride.quickest[1]}
    return Answer(
        key="improve",
        title=title,
        tables=(_table(context, effects[:_ROWS], cycles, motors), *parts_table(context, parts)),
        notes=(
            *_notes(context, effects, cycles, requirements, limiting, by_payload),
            *(untold(context.model.numbers) if parts else ()),
        ),
        left_out=tuple(_NO_CYCLES.format(reason) for reason in (not_retimed(context),) if reason),
        data={
            "limited_by": limiting.name,
            "motors": {kind: motors[name] + 1 for name, kind in _KINDS.items()},
            "change": CHANGE,
            "slopes": {
                effect.path: {"unit": effect.unit, **{kind: effect.slopes[name] for name, kind in _KINDS.items()}}
                for effect in effects
            },
            "peak_per_payload": by_payload,
            "cycle_time": cycles,
            **({"parts": [part.data for part in parts]} if parts else {}),
        },
    )


def _slopes(context: Context) -> tuple[dict[str, np.ndarray], float]:
    """Slopes of each requirement's nearest motor by every parameter (P,), and of the peak torque by the payload."""
    (sample, motor), hottest, samples = context.ride.limiting, context.ride.hottest, context.samples
    peak, by_payload = _torque_slopes(context, motor, slice(sample, sample + 1))
    sign = np.sign(context.ride.loads.torque[sample, motor])
    torque, rms = context.ride.loads.torque[:, hottest], context.ride.heat_torque[hottest]
    along, _ = _torque_slopes(context, hottest, slice(None))
    work = np.trapezoid(torque[:, None] * along + _turning_slopes(context, hottest), samples.t, axis=0)
    effective = work / ((samples.t[-1] - samples.t[0]) * rms) if rms else np.zeros_like(work)
    fastest, fast = context.ride.quickest
    turning = np.sign(context.ride.joint_speed[fastest, fast]) * np.eye(context.model.robot.motors)[fast]
    speed = speed_slopes(context.model, samples.x[fastest], samples.xd[fastest], turning)
    return {PEAK: sign * peak[0], RMS: effective, SPEED: speed}, float(sign * by_payload[0, 0])


def _turning_slopes(context: Context, motor: int) -> np.ndarray | float:
    """Half of the slopes of what a motor is heated by its speed, by every parameter (T, P); 0 where it is not."""
    motors, ride = context.motors, context.ride
    if motors.continuous_curves[motor] is None:
        return 0.0
    weights = np.zeros_like(ride.loads.speed)
    weights[:, motor] = turning_heat_slope(motors.continuous_curves[motor], ride.loads.speed[:, motor]) / 2.0
    return speed_slopes(context.model, context.samples.x, context.samples.xd, weights)


def _torque_slopes(context: Context, motor: int, here: slice) -> tuple[np.ndarray, np.ndarray]:
    """Slopes of a motor's torque at some samples, by every parameter (k, P) and by the payload (k, 5)."""
    samples = context.samples
    state = (samples.x[here], samples.xd[here], samples.xdd[here], context.ride.held[here])
    weights = np.zeros((len(state[0]), context.model.robot.motors))
    weights[:, motor] = 1.0
    return torque_slopes(context.model, state, weights, context.model.sharing or JUDGED)


def _effects(
    context: Context, slopes: Mapping[str, np.ndarray], requirements: Mapping[str, Requirement], limiting: str
) -> Iterator[_Effect]:
    units = dimensions(context.model.robot)
    sizes = {name: abs(requirement.value) for name, requirement in requirements.items()}
    for i, (path, value) in enumerate(leaves(context.model.robot)):
        if path not in units:
            continue
        slope_of = {name: float(slope[i]) for name, slope in slopes.items()}
        effects = {name: slope * value / sizes[name] if sizes[name] else 0.0 for name, slope in slope_of.items()}
        if max(map(abs, effects.values())) > _NOTHING:
            yield _Effect(path, value, units[path], slope_of, effects, limiting)


def _cycles(context: Context, effects: list[_Effect]) -> dict[str, float | None]:
    """Relative change of the fastest cycle's duration by path, where a number is changed; None where it fails."""
    pace = fastest_or_none(context)
    if pace is None:
        return {}
    now = pace.motion.duration
    changed = {effect.path: effect.value * (1.0 + effect.step) for effect in effects}
    changed |= {path: value * (1.0 + CHANGE) for path, value in _deciding_rating(context).items()}
    models = {path: changed_model(context, {path: value}) for path, value in changed.items()}
    possible = [model for model in models.values() if model is not None]
    paces = iter(context.fastest_paces(possible))
    timed = {path: None if model is None else next(paces) for path, model in models.items()}
    return {path: pace.motion.duration / now - 1.0 if isinstance(pace, Pace) else None for path, pace in timed.items()}


def _deciding_rating(context: Context) -> dict[str, float]:
    """Path and value of the rating that decides the fastest cycle, if one does."""
    there, decides = context.fastest_pace.run.ride, context.fastest_pace.decides
    if decides is None or decides.name not in _RATINGS or states_parts(context.model.numbers):
        return {}
    motor = there.hottest if decides.place is None else decides.place.motor - 1
    path, stated = context.motors.rating_path(motor, _RATINGS[decides.name]), dict(leaves(context.model.numbers))
    # A continuous torque that is stated as a curve alone has no number of its own.
    return {path: stated[path]} if path in stated else {}


def _requirement_words(context: Context) -> dict[str, str]:
    """What the requirements are called, in the table and the notes."""
    word = context.motors.word
    return {PEAK: f"peak {word}", RMS: f"RMS {word}", SPEED: "motor speed"}


def _table(
    context: Context, effects: list[_Effect], cycles: Mapping[str, float | None], motors: Mapping[str, int]
) -> Table:
    rows = []
    for effect in effects:
        cycle = cycles.get(effect.path)
        changes: list[Cell] = [100.0 * effect.change(name) for name in _KINDS]
        changes.append(None if cycle is None else 100.0 * cycle)
        rows.append((effect.path, effect.value, effect.unit, _words(effect.step), *changes))
    words = _requirement_words(context)
    heads = columns(("number", "value", "unit", "change"), ("",) * 4)
    heads += tuple(Column(name, "%", decimals=1, signed=True) for name in (*words.values(), "cycle time"))
    whose = ", ".join(f"{words[name]} of motor {motor + 1}" for name, motor in motors.items())
    timed = "; fastest cycle by timing the changed robot, for the first of them" if cycles else ""
    note = (
        f"Relative changes: {whose}, to first order, from exact slopes, with the motion as it is{timed}. Numbers that "
        "ease what limits the robot most come first."
    )
    return Table("changes", "what a change of each number does", heads, tuple(rows), note, printed=_PRINTED)


def _words(step: float) -> str:
    return f"{100.0 * abs(step):g} % {'less' if step < 0.0 else 'more'}"


def _signed(share: float) -> str:
    number = round(100.0 * share, 1)
    return f"{number:+.1f} %" if number else "0.0 %"


def _notes(
    context: Context,
    effects: list[_Effect],
    cycles: Mapping[str, float | None],
    requirements: Mapping[str, Requirement],
    limiting: Requirement,
    by_payload: float,
) -> Iterator[str]:
    motors, words = context.motors, _requirement_words(context)
    use = "" if limiting.use is None else f", {percent(limiting.use)} of its limit"
    yield f"ordered by the effect on what limits the robot here: {words[limiting.name]}{use}"
    worst = limiting_of(context.run.requirements)
    if worst is not None and worst.name not in _KINDS:
        yield f"the verdict rests on something that this table does not look at: {worst.brief or worst.text}"
    for best in effects[:1]:
        cycle = cycles.get(best.path)
        changes = [f"{word} {_signed(best.change(name))}" for name, word in words.items()]
        changes += [] if cycle is None else [f"fastest cycle {_signed(cycle)}"]
        yield f"{_words(best.step)} {best.path}: {', '.join(changes)}{_broken(best, requirements, words)}"
    for effect in effects:
        cycle = cycles.get(effect.path)
        if cycle is not None and cycle >= _SLOWER:
            yield f"but {_words(effect.step)} {effect.path} makes the fastest cycle slower: {_signed(cycle)}"
    for path, cycle in cycles.items():
        if cycle is not None and path.rpartition(".")[2] in (*_RATINGS.values(), "peak_force", "rated_force"):
            yield f"{_words(CHANGE)} {path}, which decides the fastest cycle: fastest cycle {_signed(cycle)}"
    yield f"every kilogram of payload changes the peak {motors.word} by {by_payload:+.3g} {motors.torque_unit}"


def _broken(best: _Effect, requirements: Mapping[str, Requirement], words: Mapping[str, str]) -> str:
    """What else a change would bring, or leave, above its limit."""
    uses = {
        name: requirement.use * (1.0 + best.change(name))
        for name, requirement in requirements.items()
        if requirement.use
    }
    over = [f"{words[name]} at {percent(use)}" for name, use in uses.items() if use > 1.0]
    return f"; then {' and '.join(over)} of its limit" if over else ""
