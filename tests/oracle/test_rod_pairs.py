"""Axial force of every single rod against the engine, whose pairs must keep the plate level by themselves."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
import poses
from oracle.descriptions import CASES
from oracle.motions import States, allowed
from parapick.mechanism import Robot
from parapick.mechanism.payload import NOTHING, Payload
from parapick.model import Model
from parapick.multibody import Assembly, Loads, assemble, inverse_dynamics, set_pose
from parapick.multibody.limbs import rod_names

DIFFERENCE_MAX = 1e-8
"""Largest difference of a rod's force, as a share of the peak of all. What is left is the engine's least inertia of
1e-12 kg m2, which a fine screw or a poor internal margin magnifies, and rounding."""

RANK = 1e-9
"""Share of the largest singular value below which one counts as 0; rounding leaves 1e-15, and the next is 1e-3."""

COUNT = 8

SPACING = {
    "uneven": (0.08, 0.1, 0.13),
    "inclined": (0.08, 0.1, 0.13),
    "delta-6": (0.08, 0.1, 0.13, 0.09, 0.11, 0.07),
    "asymmetric": 0.08,
}
"""Distances (m) of the rods of a pair for the cases that have none, and uneven ones where many share."""

PRELOADS = {"delta-4": 1, "delta-6": 3, "par4": 1, "geared-par4": 1, "i4": 1, "rails-par4": 1}
"""Pairs more than their plate needs: three hold a rigid plate, Par4's and I4's, four hold H4's and a screw's."""


def case(name: str) -> Robot:
    robot = CASES[name].robot
    return dataclasses.replace(robot, limb=dataclasses.replace(robot.limb, **spaced(name)))


def spaced(name: str) -> dict[str, Any]:
    return {"rod_spacing": SPACING[name]} if name in SPACING else {}


def shipped(rods: int) -> list[str]:
    """Shipped robots with masses and so many rods a leg."""
    limbs = {entry.name: pp.load(entry.name).robot.limb for entry in pp.list_robots()}
    return [name for name, limb in limbs.items() if limb.rod_mass is not None and limb.rods == rods]


PAIRED = [name for name in CASES if case(name).limb.rods == 2]


@cache
def motion(name: str) -> States:
    robot = CASES[name].robot
    reach = 0.7 * np.array(CASES[name].region) * np.array([1.0, -0.8, 0.9, 1.0])[: robot.dof]
    return allowed(Model(robot), np.array(robot.home) - reach, np.array(robot.home) + reach, COUNT)


@cache
def shipped_motion(name: str) -> States:
    model = pp.load(name)
    low, high = poses.bounds(model)
    half = 0.65 * (high - low) / 2 * np.array([1.0, -0.7, 1.0, 1.0])[: len(low)]
    return allowed(model, (low + high) / 2 - half, (low + high) / 2 + half, COUNT)


def ordered(here: Assembly, tension: np.ndarray) -> np.ndarray:
    """The engine's rods (..., arms, rods) in the order of the model: along the tangent, or against the motor axis."""
    base, data, found = here.robot.base, here.data(), []
    for leg in range(here.robot.arms):
        if base.angles is not None:
            direction = np.array([-np.sin(base.angles[leg]), np.cos(base.angles[leg]), 0.0])
        else:
            direction = -np.array(base.axes[leg])
        first, second = (data.site(f"plate{name}").xpos for name in rod_names(here.robot, leg))
        found.append(tension[..., leg, :: 1 if (second - first) @ direction > 0 else -1])
    return np.stack(found, axis=-2)


def preloads(here: Assembly, x: np.ndarray) -> np.ndarray:
    """Forces (arms rods 3, p) on the rods' ends at a pose that no joint, motor or weight needs to balance.

    They are what the engine's own loops leave open, `J' f = 0`, as far as rods take part: columns are orthonormal.
    """
    engine = set_pose(here, x).engine()
    loops = engine.loops()[0]
    _, sizes, right = np.linalg.svd(loops.T)
    free = right[np.sum(sizes > RANK * sizes[0]) :].T
    rows = dict(engine.connects())
    names = [f"rod{name}" for leg in range(here.robot.arms) for name in rod_names(here.robot, leg)]
    first = [rows[here.model.equality(name).id] for name in names]
    columns, sizes, _ = np.linalg.svd(np.concatenate([free[row : row + 3] for row in first]), full_matrices=False)
    return columns[:, sizes > RANK]


def smallest(here: Assembly, states: States, loads: Loads) -> np.ndarray:
    """What to add to the engine's tensions (T, arms, rods) so that the forces of the rods alone are the smallest.

    The engine's are the smallest with the forces at the joints of the plate counted in, such as the pin of Par4's
    second bar.
    """
    added = []
    for x, forces, along in zip(states.x, loads.rod_plate, loads.rod_direction, strict=True):
        basis = preloads(here, x)
        change = -(basis @ (basis.T @ forces.ravel())).reshape(forces.shape)
        added.append(np.sum(change * along, axis=-1))
        np.testing.assert_allclose(change, added[-1][..., None] * along, rtol=0, atol=1e-9 * np.abs(forces).max())
    return np.array(added)


def disagreement(robot: Robot, states: States, payload: Payload = NOTHING) -> tuple[float, float]:
    """Largest difference of a rod's force at either end, and of forces shared equally, as shares of the peak."""
    here, inner = assemble(robot, payload=payload), Model(robot).with_payload(payload).inner_forces(*states)
    loads = inverse_dynamics(here, *states)
    added = smallest(here, states, loads)
    differences, equal = [], []
    for tension, axial in ((loads.tension_elbow, inner.axial_elbow), (loads.tension_plate, inner.axial_plate)):
        wanted = ordered(here, tension + added)
        peak = np.max(np.abs(wanted))
        differences.append(np.max(np.abs(axial - wanted)) / peak)
        equal.append(np.max(np.abs(axial.mean(axis=-1, keepdims=True) - wanted)) / peak)
    return float(max(differences)), float(min(equal))


@pytest.mark.parametrize("name", poses.by_kind(shipped(rods=2)))
def test_rods_of_shipped_robots(name: str) -> None:
    difference, equal = disagreement(pp.load(name).robot, shipped_motion(name))
    assert difference < DIFFERENCE_MAX
    assert equal > 0.3


@pytest.mark.parametrize("name", shipped(rods=1))
def test_single_rods_of_shipped_robots(name: str) -> None:
    """The five-bar's links lie level: how their weight hangs on their two hinges has no part in the axial force."""
    model, states = pp.load(name), shipped_motion(name)
    loads, inner = inverse_dynamics(assemble(model.robot), *states), model.inner_forces(*states)
    peak = np.max(np.abs(loads.tension_elbow))
    np.testing.assert_allclose(inner.axial_elbow, loads.tension_elbow, rtol=0, atol=DIFFERENCE_MAX * peak)
    np.testing.assert_allclose(inner.axial_plate, loads.tension_plate, rtol=0, atol=DIFFERENCE_MAX * peak)


@pytest.mark.parametrize("name", PAIRED)
def test_rods_of_every_kind(name: str) -> None:
    difference, equal = disagreement(case(name), motion(name))
    assert difference < DIFFERENCE_MAX
    assert equal > 0.3


@pytest.mark.parametrize("name", [name for name in PAIRED if "par4" not in name])
def test_engine_needs_no_help_unless_joints_of_the_plate_share(name: str) -> None:
    """Where the plate has no closed loop of its own, the engine's smallest forces are those of least norm."""
    here, states = assemble(case(name)), motion(name)
    loads = inverse_dynamics(here, *states)
    peak = np.max(np.abs(loads.tension_plate))
    np.testing.assert_allclose(smallest(here, states, loads), 0.0, rtol=0, atol=DIFFERENCE_MAX * peak)


@pytest.mark.parametrize("name", PAIRED)
def test_preloads_are_the_pairs_a_plate_does_not_need(name: str) -> None:
    assert preloads(assemble(case(name)), motion(name).x[3]).shape[1] == PRELOADS.get(name, 0)


@pytest.mark.parametrize(
    "name", ["delta-3", "delta-4", "uneven", "par4", "geared-par4", "h4", "i4", "heli4", "asymmetric"]
)
def test_payload_beside_the_tool_tips_the_plate(name: str) -> None:
    load = Payload(mass=0.7, offset=(0.03, -0.02, -0.05), inertia=2e-3)
    difference, equal = disagreement(case(name), motion(name), load)
    assert difference < DIFFERENCE_MAX
    assert equal > 0.3


def test_payload_on_a_telescope() -> None:
    """On the axis only: the engine's tool hangs on the telescope, so that a load beside it would not tip the plate."""
    assert disagreement(case("telescope"), motion("telescope"), Payload(0.7, inertia=2e-3))[0] < DIFFERENCE_MAX


@pytest.mark.parametrize("rods", ["cylinder", "general", "halves", "two-thirds", "thirds"])
def test_rod_models(rods: Any) -> None:
    robot = case("par4")
    # Point masses that hang by another centre than theirs are no body; with their own they are, also under gravity.
    center = {"cylinder": None, "general": 0.3, "halves": 0.4, "two-thirds": 0.8 / 3, "thirds": 1.6 / 3}[rods]
    limb = dataclasses.replace(robot.limb, rod_model=rods, rod_radius=0.02, rod_center=center, rod_inertia=0.004)
    assert disagreement(dataclasses.replace(robot, limb=limb), motion("par4"))[0] < DIFFERENCE_MAX


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("delta-3", "limb.rod_spacing"),
        ("delta-3", "plate.radius"),
        ("par4", "plate.carried_mass"),
        ("par4", "plate.bar_mass"),
        ("geared-par4", "plate.yaw_ratio"),
        ("h4", "plate.crossbar_mass"),
        ("i4", "plate.side_mass"),
        ("heli4", "plate.carried_mass"),
    ],
)
def test_one_percent_shows(name: str, path: str) -> None:
    here, states, model = assemble(case(name)), motion(name), Model(case(name))
    loads = inverse_dynamics(here, *states)
    wanted = ordered(here, loads.tension_plate + smallest(here, states, loads))
    section, field = path.split(".")
    changed = model.with_parameters({path: 1.01 * getattr(getattr(model.robot, section), field)})
    difference = np.abs(changed.inner_forces(*states).axial_plate - wanted)
    assert np.max(difference) > 1e3 * DIFFERENCE_MAX * np.max(np.abs(wanted))


@pytest.mark.parametrize("name", ["delta-3", "uneven", "telescope", "swinging", "h4", "heli4", "asymmetric"])
def test_bearings_carry_arms_and_rods(name: str) -> None:
    """Newton's and Euler's laws for every arm, with each rod at its own end of the elbow's axle."""
    robot, states = case(name), motion(name)
    here, inner = assemble(robot), Model(robot).inner_forces(*states)
    loads = inverse_dynamics(here, *states)
    per_leg = [np.broadcast_to(value, robot.arms) for value in (robot.limb.arm, robot.limb.arm_mass)]
    center = per_leg[0] / 2 if robot.limb.arm_center is None else np.broadcast_to(robot.limb.arm_center, robot.arms)
    aside = np.broadcast_to(robot.limb.arm_offset or 0.0, robot.arms)
    forces, moments = np.zeros_like(inner.bearing), np.zeros_like(inner.bearing)
    for k, x in enumerate(states.x):
        data = set_pose(here, x).data()
        for leg, mount in enumerate(here.mounts):
            along = (data.site(f"elbow{leg + 1}").xpos - mount.point) / per_leg[0][leg]
            middle = center[leg] * along + aside[leg] * np.cross(mount.axis, along)
            turning = np.cross(mount.axis, middle)
            acceleration = loads.qdd[k, leg] * turning + loads.qd[k, leg] ** 2 * np.cross(mount.axis, turning)
            own = per_leg[1][leg] * (acceleration + np.array([0.0, 0.0, robot.gravity]))
            ends = [data.body(f"rod{name}").xpos - mount.point for name in rod_names(robot, leg)]
            forces[k, leg] = loads.rod_elbow[k, leg].sum(axis=0) + own
            moment = np.cross(ends, loads.rod_elbow[k, leg]).sum(axis=0) + np.cross(middle, own)
            moments[k, leg] = moment - (moment @ mount.axis) * mount.axis
    np.testing.assert_allclose(inner.bearing, forces, rtol=0, atol=DIFFERENCE_MAX * np.abs(forces).max())
    np.testing.assert_allclose(inner.bearing_moment, moments, rtol=0, atol=DIFFERENCE_MAX * np.abs(moments).max())


@pytest.mark.parametrize("name", ["rails", "inclined"])
def test_rails_carry_carriages_and_rods(name: str) -> None:
    """Newton's and Euler's laws for every carriage, about the middle of its rods; the motor pushes along the rail."""
    robot, states = case(name), motion(name)
    here, inner = assemble(robot), Model(robot).inner_forces(*states)
    loads = inverse_dynamics(here, *states)
    masses = np.broadcast_to(robot.limb.carriage_mass, robot.arms)
    forces, moments = np.zeros_like(inner.bearing), np.zeros_like(inner.bearing)
    for k, x in enumerate(states.x):
        data = set_pose(here, x).data()
        for leg, mount in enumerate(here.mounts):
            axis = mount.frame(0.0)[:, 0]
            own = masses[leg] * (loads.qdd[k, leg] * axis + np.array([0.0, 0.0, robot.gravity]))
            force = loads.rod_elbow[k, leg].sum(axis=0) + own
            forces[k, leg] = force - (force @ axis) * axis
            middle = data.site(f"elbow{leg + 1}").xpos
            ends = [data.body(f"rod{name}").xpos - middle for name in rod_names(robot, leg)]
            moments[k, leg] = np.cross(ends, loads.rod_elbow[k, leg]).sum(axis=0)
    np.testing.assert_allclose(inner.bearing, forces, rtol=0, atol=DIFFERENCE_MAX * np.abs(forces).max())
    np.testing.assert_allclose(inner.bearing_moment, moments, rtol=0, atol=DIFFERENCE_MAX * np.abs(moments).max())
