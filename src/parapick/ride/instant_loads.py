"""What a robot's file limits at every instant of a motion, beside the peaks of its motors: values, limits, the worst.

The limits are those of `formulas.INSTANT`: torque over speed, the output of gearboxes, joint acceleration and
jerk, pull and push of rods. Each is the worst along the samples, with its place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.answer import Place, Requirement, against
from parapick.extremes import first_largest
from parapick.formulas import INSTANT, LIMIT, InstantLimit, sharing_kernel, states
from parapick.mechanism import MotorAxis
from parapick.motors import JUDGED
from parapick.ride.requirements import UNBOUNDED

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.ride.samples import Samples

_JUMPS: Final = "without bound, the acceleration jumps at {} s (that of s-curve and 3-4-5 on a smooth path does not)"
"""What is said of a jerk where there is none."""


@final
@dataclass(frozen=True, eq=False)
class InstantLoads:
    """Values of one kind along samples, and their limits.

    Attributes:
        kind: what they are.
        values: magnitudes (..., parts), SI; NaN where the robot cannot be.
        limits: their limits (..., parts), SI; infinite where the file states none.
    """

    kind: InstantLimit
    values: np.ndarray
    limits: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """Values as shares of their limits (..., parts)."""
        return self.values / self.limits


def limits_jerk(model: Model) -> bool:
    """Whether a robot's file limits the jerk of a joint, so that a motion is asked for its jerk."""
    return bool(np.isfinite(model.motors.joint_jerk).any())


def instant_loads(
    model: Model,
    x: np.ndarray,
    xd: np.ndarray,
    xdd: np.ndarray,
    held: np.ndarray | None = None,
    xddd: np.ndarray | None = None,
) -> tuple[InstantLoads, ...]:
    """Every limit of an instant that a robot's file states, at states; none where it states none.

    Args:
        x: task vectors (..., dof), m and rad.
        xd: their rates (..., dof).
        xdd: their accelerations (..., dof).
        held: what the tool holds (..., 5) as kernels take it; what the model holds if not given.
        xddd: their jerks (..., dof), infinite where the acceleration jumps; for robots that limit it, see
            `limits_jerk`. Without them it does not count.
    """
    kinds = model.kernels.instant_kinds
    if not kinds:
        return ()
    name = sharing_kernel(model.robot, "instant_limits", model.sharing or JUDGED)
    kernel = model.kernel(name)
    further = () if not limits_jerk(model) else (np.zeros_like(x) if xddd is None else xddd,)
    outputs = kernel(x, xd, xdd, model.held.vector() if held is None else held, *further, model.parameters)
    shape = x.shape[:-1]
    kinds = tuple(kind for kind in kinds if kind.of_state or xddd is not None)
    # A kernel leaves out the axis of a single part.
    series = {port.name: value.reshape(*shape, -1) for port, value in zip(kernel.ports.outputs, outputs, strict=True)}
    return tuple(InstantLoads(kind, series[kind.key], series[f"{kind.key}{LIMIT}"]) for kind in kinds)


def instant_requirements(
    model: Model, samples: Samples, closes: np.ndarray, loads: Iterable[InstantLoads]
) -> Iterator[Requirement]:
    """The worst of every limit of an instant that the robot's file states.

    Nothing where the robot cannot be on the motion at all; not a number where it can, and is singular; infinite where
    the acceleration jumps and its jerk is limited.

    Args:
        model: the robot.
        samples: the motion (T samples).
        closes: whether the legs close (T,).
        loads: the values of every kind along the samples.
    """
    for stated in loads:
        known = (np.isfinite(stated.values) if stated.kind.of_state else ~np.isnan(stated.values)).all(axis=1)
        lost = closes & ~known
        if lost.any():
            place = Place.of(samples, int(np.argmax(lost)))
            title, unit = stated.kind.title, unit_of(stated.kind, model.motors.axes[0])
            yield against(title, title, math.nan, at_least=-math.inf, unit=unit, place=place, state=UNBOUNDED)
        elif known.any():
            yield _worst(model, samples, stated)


def _worst(model: Model, samples: Samples, loads: InstantLoads) -> Requirement:
    kind, shares, rods = loads.kind, loads.shares, model.robot.limb.rods
    sample, part = (int(index) for index in np.unravel_index(first_largest(shares), shares.shape))
    leg = part if kind.part == "motor" else part // rods
    value = max(float(loads.values[sample, part]), 0.0)
    return against(
        kind.title,
        f"{kind.words} {_whose(kind, part, rods)}",
        value,
        at_most=float(loads.limits[sample, part]),
        unit=unit_of(kind, model.motors.axes[leg]),
        place=Place.of(samples, sample, leg + 1, "motor" if kind.part == "motor" else "leg"),
        state=_JUMPS.format(f"{samples.t[sample]:.4g}") if math.isinf(value) else "",
    )


def _whose(kind: InstantLimit, part: int, rods: int) -> str:
    """Which motor or rod a part is, in words."""
    if kind.part == "motor":
        return f"of motor {part + 1}"
    return f"in rod {part // rods + 1}{'ab'[part % rods] if rods == 2 else ''}"


def unit_of(kind: InstantLimit, axis: MotorAxis) -> str:
    """Unit of the values of a kind (SI).

    Args:
        axis: of the motor.
    """
    if kind.part == "rod":
        return "N"
    rates = {"acceleration": f"{axis.unit}/s2", "jerk": f"{axis.unit}/s3"}
    return rates.get(kind.key, axis.effort)


def counted_note(model: Model, *left_out: str, motion: bool = True) -> tuple[str, ...]:
    """What counts at every instant beside peaks, and what the file does not state; nothing where it states none of it.

    Args:
        left_out: what does not count here although a file may state it, in words.
        motion: whether there is a motion, so that jerk counts; or only states.
    """
    counted = tuple(kind for kind in model.kernels.instant_kinds if motion or kind.of_state)
    if not model.kernels.instant_kinds:
        return ()
    missing = not_stated(model)
    words = f"counted at every instant beside peak {model.motors.word} and speed: "
    words += "; ".join(kind.title for kind in counted) or "nothing"
    words += f". Not stated in the file: {'; '.join(missing)}" if missing else ""
    return (". ".join((words, *left_out)),)


def not_stated(model: Model) -> tuple[str, ...]:
    """Limits of an instant that a file does not state, each with its field; nothing where it states none at all."""
    if not model.kernels.instant_kinds:
        return ()
    return tuple(f"{kind.title} ({kind.fields})" for kind in INSTANT if not states(model.robot, kind))
