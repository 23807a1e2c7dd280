"""Scenarios a tuning must bear: payloads, frictions and errors of mass, each combination a plant of its own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, final

from parapick.control import Controller, JointFriction
from parapick.errors import ParameterError
from parapick.model import Model
from parapick.motion import Motion
from parapick.simulation import friction_of


@final
@dataclass(frozen=True)
class Conditions:
    """What differs from scenario to scenario; each combination is one. The first of each list is the nominal one.

    Attributes:
        payload: masses carried (kg) beyond the gripper, in the place of what the motion carries; empty for that.
        motions: the motion with each of them; where none are given it carries them where it carried its own load, or
            all along where it carried none.
        friction: factors on the friction of the plant; empty for 1.
        factors: factors on numbers of the plant, by their path in the robot's file.
    """

    payload: tuple[float, ...] = ()
    motions: tuple[Motion, ...] = ()
    friction: tuple[float, ...] = ()
    factors: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


@final
@dataclass(frozen=True, eq=False)
class Scenario:
    """A plant and a motion on which candidates are run.

    Attributes:
        name: what distinguishes it, such as "1 kg, friction x0.5"; "nominal" where nothing does.
        controller: the controller with this plant.
        motion: the motion with this payload.
    """

    name: str
    controller: Controller
    motion: Motion


def scenarios_of(model: Model, motion: Motion, controller: Controller, conditions: Conditions) -> tuple[Scenario, ...]:
    """Every combination of conditions, the nominal one first.

    Args:
        conditions: what differs.

    Raises:
        ParameterError: a mass or factor that cannot be, friction of a plant that has none.
    """
    _check(conditions)
    motions = conditions.motions or tuple(motion.with_payload(mass) for mass in conditions.payload)
    loads = tuple(zip(conditions.payload, motions, strict=True)) or ((None, motion),)
    axes: list[Sequence[Any]] = [loads, conditions.friction or (None,)]
    axes += [[(path, factor) for factor in factors] for path, factors in conditions.factors.items()]
    return tuple(_scenario(model, controller, *chosen) for chosen in product(*axes))


def _check(conditions: Conditions) -> None:
    if any(not 0.0 <= mass < math.inf for mass in conditions.payload):
        raise ParameterError("payload", f"is {conditions.payload} kg; masses must be finite and at least 0")
    if conditions.motions and len(conditions.motions) != len(conditions.payload):
        counts = f"{len(conditions.motions)} motions and {len(conditions.payload)} payloads"
        raise ParameterError("motions", f"there are {counts}; give one motion per payload, or none")
    if any(not 0.0 <= factor < math.inf for factor in conditions.friction):
        raise ParameterError("friction", f"is {conditions.friction}; factors must be finite and at least 0")
    for path, factors in conditions.factors.items():
        if not factors or any(not 0.0 < factor < math.inf for factor in factors):
            raise ParameterError(path, f"has the factors {factors}; they must be finite and greater than 0")


def _scenario(
    model: Model,
    controller: Controller,
    load: tuple[float | None, Motion],
    friction: float | None,
    *factors: tuple[str, float],
) -> Scenario:
    plant = controller.plant
    if friction is not None:
        plant = replace(plant, friction=_scaled(model, controller, friction))
    for path, factor in factors:
        # A number that is given may not have a factor beside it.
        given = plant.parameters.get(path)
        if isinstance(given, (int, float)):
            plant = replace(plant, parameters={**plant.parameters, path: given * factor})
        else:
            plant = replace(plant, factors={**plant.factors, path: plant.factors.get(path, 1.0) * factor})
    payload, motion = load
    name = ", ".join(_words(payload, friction, factors)) or "nominal"
    return Scenario(name, replace(controller, plant=plant), motion)


def _words(payload: float | None, friction: float | None, factors: Sequence[tuple[str, float]]) -> Iterator[str]:
    if payload is not None:
        yield f"{payload:g} kg"
    if friction is not None:
        yield f"friction x{friction:g}"
    yield from (f"{path} x{factor:g}" for path, factor in factors)


def _scaled(model: Model, controller: Controller, factor: float) -> JointFriction:
    """Friction of the plant, that of the controller's file or of the drives, times a factor."""
    plant = controller.plant.applied(controller.model.applied(model))
    friction = friction_of(plant, controller.plant.friction)
    if friction is None:
        raise ParameterError("friction", "has nothing to scale: neither drives nor controller state any friction")
    parts: dict[str, Any] = {name: getattr(friction, name) for name in ("coulomb", "viscous", "stribeck")}
    return replace(friction, **{name: tuple(factor * number for number in numbers) for name, numbers in parts.items()})
