"""Whether a log is believed: what cannot be of its torques, of what was identified from them, and the likely cause.

This is the one account of it, for `identify` and for `log`. A log that is not believed gives no files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.answer import amount
from parapick.identification.base_parameters import base_parameters, typical_sizes
from parapick.identification.causes import Cause, cause_of, piles
from parapick.identification.clipping import flat_channels
from parapick.identification.filtering import low_passed
from parapick.identification.identifying import Estimate, Identification
from parapick.identification.log import Log
from parapick.identification.residual import Residual
from parapick.identification.trials import Trials
from parapick.parameters import leaves

if TYPE_CHECKING:
    from parapick.model import Model

LARGE: Final = 0.1
"""RMS that a fit may leave of a row, beyond its noise, as a share of the largest torque: friction is of this size, and
what a model leaves so much of cannot tell it."""

BEYOND: Final = 1.2
"""Torque over the drive's peak that a log may show: torque constants are stated within a tenth, and filters ring."""

OVERLOAD: Final = 5.0
"""Peak over rated torque that a servo motor has at most, where only the rated one is stated."""

HEAVY: Final = 10.0
"""What the tool holds, over the mass at the tool that the robot itself is worth; robots carry a few times theirs."""

LIGHT: Final = 0.1
"""Share of that mass by which what the tool holds may come out below nothing: the file's masses are no better."""


@final
@dataclass(frozen=True)
class Doubts:
    """What speaks against a log.

    Attributes:
        reasons: why it is not believed, the likely cause first; empty where it is.
        notes: what a reader should know all the same.
        cause: what explains it much better, if anything does.
        left: largest share that is left of a row beyond its noise (RMS).
    """

    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    cause: Cause | None
    left: float

    @property
    def ok(self) -> bool:
        """Whether the log is believed."""
        return not self.reasons


def doubts_of(result: Identification, residual: Residual) -> Doubts:
    """What speaks against a log and what was identified from it.

    Args:
        residual: what it leaves of its own log.
    """
    model, log = result.model, result.log
    trials = Trials(model, log, result.cutoff)
    left = _left(residual, trials)
    signs = [
        *_dead(model, log),
        *_too_strong(model, log, result.cutoff),
        *_impossible(result),
        *_large(model, left),
    ]
    cause = None if _all_dead(model, log) else cause_of(trials)
    misread = cause is not None and cause.word != "masses"
    notes = [] if misread else [*_at_limits(trials)]
    if cause is not None and (misread or signs):
        signs.insert(0, _named(cause))
    elif cause is not None:
        notes.append(_named(cause))
    elif signs:
        signs.append("no other sign, unit, order, zero or masses explain it much better: is the log of this robot?")
    return Doubts(tuple(signs), tuple(notes), cause, float(np.nanmax(left, initial=0.0)))


def _all_dead(model: Model, log: Log) -> bool:
    """Whether no torque changes, so that nothing can be tried."""
    assert log.torque is not None  # noqa: S101, there is an identification
    return len(flat_channels(log.torque)) == model.motors.count


def _named(cause: Cause) -> str:
    alike = f" (or, as good: {'; '.join(cause.alike)})" if cause.alike else ""
    return f"{cause.text}{alike}: {cause.figures}; {cause.remedy}"


def _left(residual: Residual, trials: Trials) -> np.ndarray:
    """RMS that is left of every row beyond its noise (R,), as a share of its largest torque."""
    size = np.where(residual.size > 0.0, residual.size, np.nan)
    squares = residual.rms(residual.after) ** 2 - trials.noise**2
    return np.sqrt(np.maximum(squares, 0.0)) / size


def _large(model: Model, left: np.ndarray) -> Iterator[str]:
    worst = int(np.nanargmax(left)) if np.isfinite(left).any() else 0
    if left[worst] > LARGE:
        name = f"the force along {model.robot.task_names[worst]}" if model.robot.redundant else f"motor {worst + 1}"
        yield (
            f"the best fit leaves {100.0 * left[worst]:.3g} % of the peak of {name} (RMS, beyond its noise); a model "
            f"that fits leaves a few, and {100.0 * LARGE:.0f} at most"
        )


def _dead(model: Model, log: Log) -> Iterator[str]:
    assert log.torque is not None  # noqa: S101, there is an identification
    for motor, (level, share) in flat_channels(log.torque).items():
        if np.ptp(log.q[:, motor]) > 0.0 and not _unloaded(model, motor):
            unit = model.motors.axes[motor].effort
            yield f"{100.0 * share:.3g} % of the torques of motor {motor + 1} sit on {amount(level, unit)}"


def _unloaded(model: Model, motor: int) -> bool:
    """Whether a motor moves nothing that has mass or rubs, so that its torque is 0."""
    return model.motors.inertia[motor] == 0.0 and motor >= model.motors.arms


def _too_strong(model: Model, log: Log, cutoff: float) -> Iterator[str]:
    """Torques that the drives cannot give."""
    assert log.torque is not None  # noqa: S101, there is an identification
    motors = model.motors
    limit = motors.ratio * np.minimum(motors.peak_torque, OVERLOAD * motors.rated_torque)
    parts = [log.torque[one] for one in log.stretches if one.stop - one.start > 2.0 * log.rate / cutoff]
    peaks = np.max([np.abs(low_passed(part, cutoff, log.rate)).max(axis=0) for part in parts], axis=0)
    over = peaks / limit
    motor, beyond = int(np.argmax(over)), int(np.sum(over > BEYOND))
    if beyond:
        axis = motors.axes[motor]
        yield (
            f"motor {motor + 1} gives {amount(float(peaks[motor]), axis.effort)} at its joint, and its drive "
            f"{amount(float(limit[motor]), axis.effort)} at most{f'; so {beyond - 1} more' if beyond > 1 else ''}"
        )


def _impossible(result: Identification) -> Iterator[str]:
    """Numbers that no robot can have."""
    own = _own_mass(result.model)
    for one in result.estimates:
        if not one.identified:
            continue
        name = one.unknown.name
        if name.startswith(("friction.coulomb.", "friction.viscous.")):
            why = _friction(result, one)
        elif name == "gripper.mass":
            why = _payload(one, own)
        elif name.startswith(("friction.", "gripper.")):
            why = ""
        else:
            why = _inertial(result, one)
        if why:
            yield f"{name} comes out as {amount(one.value, one.unknown.unit)}, which cannot be: {why}"


def _friction(result: Identification, one: Estimate) -> str:
    """Why friction cannot be: more than the drive's, or so far below 0 that it would push."""
    _, kind, number = one.unknown.name.split(".")
    motor, motors = int(number) - 1, result.model.motors
    assert result.log.torque is not None  # noqa: S101, there is an identification
    axis = motors.axes[motor]
    speed = float(np.abs(np.gradient(low_passed(result.log.q[:, motor], result.cutoff, result.log.rate))).max())
    scale = 1.0 if kind == "coulomb" else speed * result.log.rate
    rating = motors.rated_torque[motor] if kind == "coulomb" else motors.peak_torque[motor]
    known = min(float(rating), float(motors.peak_torque[motor])) * float(motors.ratio[motor])
    if (one.value - one.half) * scale > known:
        return f"its drive gives {amount(known, axis.effort)} at the joint"
    peak = float(np.abs(result.log.torque[:, motor]).max())
    if (one.value + one.half) * scale < -LARGE * peak:
        return f"friction would push, with {amount(-one.value * scale, axis.effort)} of {amount(peak, axis.effort)}"
    return ""


def _payload(one: Estimate, own: float) -> str:
    if one.value - one.half > HEAVY * own:
        return f"the robot itself is worth {amount(own, 'kg')} at its tool"
    return "a mass is not below 0" if one.value + one.half < -LIGHT * own else ""


def _inertial(result: Identification, one: Estimate) -> str:
    """Why an inertial number cannot be: the sum that it carries, with the file's other numbers, is none."""
    numbers = dict(leaves(result.model.robot))
    sums = {base.name: base.others for base in base_parameters(result.model).sums}
    others = sums.get(one.unknown.name, {})
    rest = sum(factor * numbers.get(name, 0.0) for name, factor in others.items())
    stated = one.unknown.file + rest
    if one.value + one.half + rest < 0.0:
        return "with all that acts as it does it is below 0"
    return f"{HEAVY:g} times what the file says" if one.value - one.half + rest > HEAVY * stated > 0.0 else ""


def _own_mass(model: Model) -> float:
    """The mass at the tool that takes as much torque, in fast pick and place, as the robot itself (kg)."""
    sizes, numbers = typical_sizes(model), dict(leaves(model.robot))
    own = sum(numbers[path] * size for path, size in sizes.items() if path in numbers)
    return float(own / sizes["gripper.mass"]) if sizes["gripper.mass"] > 0.0 else np.inf


def _at_limits(trials: Trials) -> Iterator[str]:
    """Values on which torques sit that the model finds right: the drive was at its limit."""
    for one in piles(trials):
        unit = trials.model.motors.axes[one.motor].effort
        yield (
            f"{100.0 * one.share:.2g} % of the torques of motor {one.motor + 1} sit on {amount(one.level, unit)}, and "
            "the model agrees with them there: its drive was at a limit"
        )


def verdict_of(result: Identification, doubts: Doubts) -> str:
    """What an identification is worth, in one sentence.

    Args:
        doubts: what speaks against it.
    """
    count = sum(one.identified for one in result.estimates)
    if doubts.ok and not count:
        return "NO: nothing could be identified from this log"
    nothing = sum(one.identified and abs(one.value) < one.half for one in result.estimates)
    zero = f", {nothing} of them no different from 0" if nothing else ""
    return log_verdict(doubts, f"{count} of {len(result.estimates)} numbers identified{zero}; ")


def log_verdict(doubts: Doubts, remark: str = "") -> str:
    """Whether a log is believed, in one sentence.

    Args:
        doubts: what speaks against it.
        remark: what else is said of one that is believed.
    """
    if not doubts.ok:
        return f"NO: this log is not believed: {doubts.reasons[0]}"
    left = (
        f"the best fit leaves at most {100.0 * doubts.left:.2g} % of a peak beyond the noise (RMS); "
        f"{100.0 * LARGE:.0f} % are allowed"
    )
    return f"YES: {remark}{left}"


def refusal_of(doubts: Doubts) -> str:
    """Why a log is not believed, all of it, and what follows; empty where it is.

    Args:
        doubts: what speaks against it.
    """
    return "" if doubts.ok else f"not believed, so no robot and no controller follows: {'; '.join(doubts.reasons)}"


def doubts_data(doubts: Doubts) -> dict[str, object]:
    """What speaks against a log, for programs.

    Args:
        doubts: what does.
    """
    cause = doubts.cause
    named = None
    if cause is not None:
        after = None if cause.after is None else cause.after.rms
        named = {"cause": cause.word, "text": cause.text, "left": cause.before.rms, "left_so": after}
    return {"believed": doubts.ok, "doubts": list(doubts.reasons), "left": doubts.left, "cause": named}
