"""What follows from an identification: numbers for the robot's file, and a controller that makes up for friction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from parapick.control import Controller, FrictionFeedforward, JointFriction
from parapick.errors import ParameterError, ParapickError
from parapick.identification.identifying import Estimate, Identification
from parapick.identification.regressor import PAYLOAD
from parapick.mechanism import Payload

if TYPE_CHECKING:
    from parapick.model import Model

DIFFERENT: Final = 3.0
"""Standard deviations between two motors of a group from which on one number for both is called a mean."""


@final
@dataclass(frozen=True)
class RobotChange:
    """Numbers of a robot's file that were identified.

    Attributes:
        numbers: new number (SI) by path, as `with_parameters` and `--set` take it.
        sources: where each is from, in words.
        notes: what the file cannot say as it was found.
    """

    numbers: Mapping[str, float]
    sources: Mapping[str, str]
    notes: tuple[str, ...]


def robot_change(result: Identification) -> RobotChange:
    """What an identification changes in the robot's file.

    A file states one friction for all arms: the plain mean of the motors. A number that cannot be told from 0 is not
    written: the file's stays.
    """
    numbers: dict[str, float] = {}
    halves: dict[str, float] = {}
    notes: list[str] = []
    for estimate in result.estimates:
        name = estimate.unknown.name
        if estimate.identified and not name.startswith("friction.") and name not in PAYLOAD:
            if why := _unwritten(estimate.value, estimate.half):
                notes.append(f"{name}: {estimate.value:.4g} {estimate.unknown.unit} {why}, so the file's is kept")
                continue
            numbers[name], halves[name] = estimate.value, estimate.half
    for kind in ("coulomb", "viscous", "stribeck"):
        _pooled(result, kind, numbers, halves, notes)
    _held(result, numbers, halves, notes)
    sources = {
        path: f"identified from {Path(result.log.file).name}, 95 % interval +-{halves[path]:.3g}"
        for path in numbers
        if path in halves
    }
    return RobotChange(numbers, sources, tuple(notes))


def changed_model(result: Identification) -> Model:
    """The robot with the numbers that were identified.

    Raises:
        ParameterError: a number that no robot can have.
    """
    return result.model.with_parameters(dict(robot_change(result).numbers))


def _pooled(
    result: Identification, kind: str, numbers: dict[str, float], halves: dict[str, float], notes: list[str]
) -> None:
    """Friction of a kind for the arms, and for the plate's own motors."""
    motors = result.model.motors
    for group, own in motors.groups.items():
        members = range(motors.count)[own]
        estimates = [one for one in _frictions(result, kind) if int(one.unknown.name.rpartition(".")[2]) - 1 in members]
        if not estimates:
            continue
        if group == "arms" and result.model.robot.drive is None:
            notes.append("the robot's file states no [drive], so that it has no place for friction")
            continue
        deviations = np.array([one.deviation for one in estimates])
        values, unit = np.array([one.value for one in estimates]), estimates[0].unknown.unit
        mean, half = float(values.mean()), estimates[0].critical * float(np.linalg.norm(deviations)) / len(estimates)
        path = f"{'drive' if group == 'arms' else motors.plate_drive}.friction.{kind}"
        if why := _unwritten(mean, half):
            notes.append(f"{path}: {mean:.4g} {unit} {why}, so the file's is kept")
            continue
        numbers[path], halves[path] = mean, half
        apart = float(np.max(np.abs(values - mean) / deviations))
        if len(estimates) > 1 and apart > DIFFERENT:
            ends = (values.min(), values.max())
            notes.append(
                f"{path}: the motors differ, {ends[0]:.4g} to {ends[1]:.4g} {unit}; a robot's file states one for all, "
                "here their plain mean; a controller has each"
            )
        if kind == "stribeck" and result.speeds:
            numbers[f"{path}_speed"] = float(np.mean([result.speeds[i] for i in members if i in result.speeds]))


def _unwritten(value: float, half: float) -> str:
    """Why a number is not written; empty where it is."""
    if abs(value) < half:
        return f"+-{half:.2g} cannot be told from 0"
    return "cannot be" if value < 0.0 else ""


def _frictions(result: Identification, kind: str) -> list[Estimate]:
    return [one for one in result.estimates if one.identified and one.unknown.name.startswith(f"friction.{kind}.")]


def payload_of(result: Identification) -> Payload | None:
    """What the tool holds, its gripper included; None where it was not identified, cannot be, or be told from 0."""
    values = {
        estimate.unknown.name: estimate.value
        for estimate in result.estimates
        if estimate.unknown.name in PAYLOAD and estimate.sure
    }
    names = [*PAYLOAD]
    if names[0] not in values or values[names[0]] < 0.0:
        return None
    mass, old = values[names[0]], result.model.held
    x, y, z = (
        values.get(name, mass * at) / mass if mass else 0.0 for name, at in zip(names[1:4], old.offset, strict=True)
    )
    about = values.get(names[4])
    inertia = old.inertia if about is None else max(about - mass * (x * x + y * y), 0.0)
    return Payload(mass, (x, y, z), inertia)


def _held(result: Identification, numbers: dict[str, float], halves: dict[str, float], notes: list[str]) -> None:
    """The payload as the gripper of the file."""
    asked = [one for one in result.estimates if one.unknown.name in PAYLOAD and one.identified]
    held = payload_of(result)
    if held is None:
        for one in asked[:1]:
            why = _unwritten(one.value, one.half) or "cannot be"
            notes.append(f"{one.unknown.name}: {one.value:.4g} kg {why}, so the file's {one.unknown.file:g} kg is kept")
        return
    halves["gripper.mass"] = asked[0].half
    numbers["gripper.mass"] = held.mass
    if len(asked) > 1:
        numbers |= {f"gripper.offset.{i}": at for i, at in enumerate(held.offset, start=1)}
        numbers["gripper.inertia"] = held.inertia


def feedforward(result: Identification, controller: Controller, name: str = "identified") -> Controller:
    """A controller with the model and the friction that were identified, on the plant that has them.

    Args:
        controller: the controller it starts from.
        name: what the new one is called.

    Raises:
        ParameterError: its law cannot make up for friction.
    """
    law: Any = controller.law
    if not hasattr(law, "friction"):
        raise ParameterError("controller", f"{controller.run_name}: its law has no place for friction")
    coulomb, viscous, stribeck = (tuple(result.friction(kind).tolist()) for kind in ("coulomb", "viscous", "stribeck"))
    change = robot_change(result)
    inertial = {path: value for path, value in change.numbers.items() if ".friction." not in path}
    speeds = tuple(result.speeds.get(i, float(speed)) for i, speed in enumerate(result.model.motors.stribeck_speed))
    rubbing = JointFriction(coulomb, viscous, stribeck, speeds)
    stated = f"identified from {Path(result.log.file).name}"
    sources = {"law.friction": stated, "plant.friction": stated, **({"model.parameters": stated} if inertial else {})}
    return replace(
        controller,
        law=replace(law, friction=FrictionFeedforward(coulomb, viscous)),
        model=replace(controller.model, parameters={**controller.model.parameters, **inertial}),
        plant=replace(controller.plant, friction=rubbing),
        name=name,
        title=f"{controller.title or controller.run_name}, friction and masses of {result.model.robot.name} identified",
        sources={**controller.sources, **sources},
    )


def check_identified(result: Identification) -> None:
    """Raise if nothing was identified, so that there is nothing to write.

    Raises:
        ParapickError: nothing was.
    """
    if not any(one.identified for one in result.estimates):
        raise ParapickError(f"{result.log.file}: nothing could be identified from it, so nothing is written")
