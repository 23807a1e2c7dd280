"""Our inverse dynamics against the engine's: every plate, every shipped robot, every rod model, payloads."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
import poses
from oracle.descriptions import CASES, assembled
from oracle.motions import States, allowed
from parapick.fields import quantity_of
from parapick.mechanism.limb import per_leg
from parapick.mechanism.payload import Payload
from parapick.mechanism.rod import LUMPED, UNIFORM
from parapick.model import Model
from parapick.multibody import Loads, assemble, inverse_dynamics

DIFFERENCE_MAX = 1e-7
"""Largest torque difference, as a share of the peak. What is left is the engine's least inertia of 1e-12 kg m2 and
rounding."""

CHANGE = 1.01
"""A deliberate change of one percent."""

VISIBLE = 1e3
"""How many times the agreement such a change must exceed."""

COUNT = 12

WITHOUT_EFFECT = {
    "base.offsets": "motor and plate joint shift together",
    "base.length": "rails only end somewhere",
    "limb.rod_spacing": "the pair stays parallel whatever its spacing",
    "plate.bar_spacing": "the bars stay parallel whatever their spacing",
}
LEVEL_ARMS = {"five-bar": {"limb.arm_mass"}}
"""Arms that turn about the vertical have no lever for their weight, and their inertia is stated by itself."""


@cache
def motion(name: str) -> tuple[Model, States, Loads]:
    """A case with its motion, and what the engine says of it."""
    case = CASES[name]
    model = Model(case.robot)
    reach = 0.7 * np.array(case.region) * np.array([1.0, -0.8, 0.9, 1.0])[: case.robot.dof]
    states = allowed(model, np.array(case.robot.home) - reach, np.array(case.robot.home) + reach, COUNT)
    return model, states, inverse_dynamics(assembled(name), *states)


def difference(tau: np.ndarray, other: np.ndarray) -> float:
    """Largest difference of a motor's torque along a motion, as a share of that motor's peak."""
    return float(np.max(np.max(np.abs(tau - other), axis=0) / np.max(np.abs(other), axis=0)))


def task_force(model: Model, states: States) -> np.ndarray:
    return np.einsum("tij,ti->tj", model.inverse_jacobian(states.x), model.inverse_dynamics(*states))


@pytest.mark.parametrize("name", CASES)
def test_torques_of_every_kind(name: str) -> None:
    model, states, loads = motion(name)
    assert difference(task_force(model, states), loads.force) < DIFFERENCE_MAX
    assert difference(model.inverse_dynamics(*states), loads.tau) < DIFFERENCE_MAX


@pytest.mark.parametrize("name", ["delta-4", "uneven", "par4", "asymmetric", "spara3", "five-bar", "inclined"])
def test_joint_motion(name: str) -> None:
    model, states, loads = motion(name)
    assert difference(model.joint_rates(states.x, states.xd), loads.qd) < 1e-9
    assert difference(model.joint_accelerations(*states), loads.qdd) < 1e-9


def sizes(node: Any, prefix: str = "") -> Iterator[tuple[str, float]]:
    """Path and value of every length, mass and moment of inertia below a description."""
    for field in dataclasses.fields(node):
        value, stated, path = getattr(node, field.name), quantity_of(field), f"{prefix}{field.name}"
        if dataclasses.is_dataclass(value):
            yield from sizes(value, f"{path}.")
        elif stated is not None and stated.unit in ("m", "kg", "kg m2"):
            yield from numbers(value, path)


def numbers(value: Any, path: str) -> Iterator[tuple[str, float]]:
    if path in WITHOUT_EFFECT:
        return
    if isinstance(value, tuple):
        for index, item in enumerate(value, start=1):
            yield from numbers(item, f"{path}.{index}")
    elif isinstance(value, float) and value != 0.0:
        yield path, value


@pytest.mark.parametrize("name", CASES)
def test_one_percent_of_any_length_or_mass_shows(name: str) -> None:
    model, states, loads = motion(name)
    robot = model.robot
    agreed = difference(task_force(model, states), loads.force)
    changed = {
        path: difference(task_force(model.with_parameters({path: CHANGE * value}), states), loads.force)
        for part in ("base", "limb", "plate", "drive")
        for path, value in sizes(getattr(robot, part), f"{part}.")
    }
    assert len(changed) >= 7
    hidden = {path for path, shows in changed.items() if not shows > VISIBLE * agreed}
    assert hidden == LEVEL_ARMS.get(name, set())


def shipped_with_masses() -> list[str]:
    return [entry.name for entry in pp.list_robots() if pp.load(entry.name).robot.limb.rod_mass is not None]


@pytest.mark.parametrize("name", poses.by_kind(shipped_with_masses()))
def test_torques_of_shipped_robots(name: str) -> None:
    model = pp.load(name)
    low, high = poses.bounds(model)
    middle, half = (low + high) / 2, 0.65 * (high - low) / 2
    half *= np.array([1.0, -0.7, 1.0, 1.0])[: len(half)]
    states = allowed(model, middle - half, middle + half, COUNT)
    loads = inverse_dynamics(assemble(model.robot), *states)
    np.testing.assert_allclose(model.inverse_kinematics(states.x), loads.q, rtol=0, atol=1e-9)
    assert difference(task_force(model, states), loads.force) < DIFFERENCE_MAX
    assert difference(model.inverse_dynamics(*states), loads.tau) < DIFFERENCE_MAX


@pytest.mark.parametrize("rods", ["slender", "cylinder", "general", "halves", "two-thirds", "thirds"])
@pytest.mark.parametrize("name", ["par4", "spara3"])
def test_every_constant_rod_model_is_a_rigid_rod(name: str, rods: str) -> None:
    robot, states = CASES[name].robot, motion(name)[1]
    center = None if rods in UNIFORM else 0.3
    limb = dataclasses.replace(robot.limb, rod_model=rods, rod_radius=0.02, rod_center=center, rod_inertia=0.004)
    # Masses that move like points on the ends but hang by another centre are no body; without gravity they are.
    gravity = 0.0 if rods in LUMPED else robot.gravity
    robot = dataclasses.replace(robot, limb=limb, gravity=gravity)
    loads = inverse_dynamics(assemble(robot), *states)
    assert difference(Model(robot).inverse_dynamics(*states), loads.tau) < DIFFERENCE_MAX


@pytest.mark.parametrize(("rods", "share"), [("halves", 1 / 2), ("two-thirds", 2 / 3), ("thirds", 1 / 3)])
@pytest.mark.parametrize("name", ["par4", "spara3"])
def test_point_masses_that_hang_by_their_own_centre_are_a_rigid_rod(name: str, rods: str, share: float) -> None:
    """Under gravity, too: with a share s on the elbow, the centre of both points is (1 - s) of the rod away from it."""
    robot, states = CASES[name].robot, motion(name)[1]
    center = tuple((1 - share) * per_leg(robot.limb.rod_length, i) for i in range(robot.arms))
    limb = dataclasses.replace(robot.limb, rod_model=rods, rod_center=center)
    robot = dataclasses.replace(robot, limb=limb)
    loads = inverse_dynamics(assemble(robot), *states)
    assert difference(Model(robot).inverse_dynamics(*states), loads.tau) < DIFFERENCE_MAX


@pytest.mark.parametrize(
    "name", ["delta-4", "geared-par4", "h4", "i4", "heli4", "telescope", "swinging", "spara3", "five-bar"]
)
def test_payload_turns_with_the_tool(name: str) -> None:
    model, states, empty = motion(name)
    load = Payload(mass=0.7, offset=(0.03, -0.02, -0.05), inertia=2e-3)
    loads = inverse_dynamics(assemble(model.robot, payload=load), *states)
    assert difference(model.with_payload(load).inverse_dynamics(*states), loads.tau) < DIFFERENCE_MAX
    assert difference(loads.tau, empty.tau) > 0.01
