"""Robots with drives of equal total torque, so that a comparison is one of mechanisms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.errors import ParameterError
from parapick.mechanism import TURNING
from parapick.parameters import leaves

if TYPE_CHECKING:
    from parapick.model import Model


def with_total_torque(model: Model, total: float) -> tuple[Model, float]:
    """The same robot with other drives on its arms, so that their peak torques add up to a total; and the factor.

    Peak torque, continuous torques and rotor inertia grow together, as with more or fewer motors of one kind, and with
    them the resistance and the torque constant of a winding; ratio, speed and friction stay.

    Args:
        total: sum of the peak torques of the arms' drives at their joints (N m).

    Raises:
        ParameterError: its file states no peak torque.
    """
    now, drive = total_torque(model), model.numbers.drive
    if now is None or drive is None:
        message = f"{model.robot.name} states none, so its drives cannot be scaled to equal total torque"
        raise ParameterError(model.motors.rating_path(0, "peak_torque"), message)
    factor = total / now
    inertia = "inertia" if drive.axis is TURNING else "reflected_mass"
    stated = {model.motors.rating_path(0, name): getattr(drive, name) for name in ("peak_torque", "rated_torque")}
    stated[f"drive.{inertia}"] = drive.inertia
    stated |= {path: value for path, value in leaves(drive, "drive") if _is_torque(path)}
    changes = {path: value * factor for path, value in stated.items() if value is not None}
    return model.with_parameters(changes), factor


def _is_torque(path: str) -> bool:
    """Whether a number of a drive is a torque of its motor at some speed, or one of its winding that grows with it."""
    point = path.startswith("drive.curve.") and path.endswith(".2")
    return point or path in ("drive.stall_torque", "drive.winding.resistance", "drive.winding.torque_constant")


def equalised(models: list[Model]) -> tuple[list[Model], tuple[str, ...]]:
    """The same robots with drives of the total peak torque of the first one's, and a note that says so.

    Args:
        models: the robots.

    Raises:
        ParameterError: motors of some turn and of others slide, or a file states no peak torque.
    """
    first = models[0]
    for model in models[1:]:
        if model.robot.limb.axis is not first.robot.limb.axis:
            units = f"{model.motors.torque_unit}, those of {first.robot.name} {first.motors.torque_unit}"
            raise ParameterError("equal torque", f"the motors of {model.robot.name} give {units}: no total has both")
    total = total_torque(first)
    scaled = [with_total_torque(model, total or 0.0) for model in models]
    factors = ", ".join(f"{model.robot.name} x {factor:.4g}" for model, factor in scaled)
    note = (
        f"equal total torque: the arms' drives of every robot give {total:.4g} {first.motors.torque_unit} together at "
        f"their joints, as those of {first.robot.name}; peak torque, rated torque and rotor inertia scaled: {factors}"
    )
    return [model for model, _ in scaled], (note,)


def total_torque(model: Model) -> float | None:
    """Sum of the peak torques of the arms' drives at their joints (N m); None where the file states none."""
    motors = model.motors
    total = float(sum(motors.peak_torque[: motors.arms] * motors.ratio[: motors.arms]))
    return total if total < float("inf") else None
