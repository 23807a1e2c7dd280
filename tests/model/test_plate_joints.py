"""Forces in the plate's own joints: what passes freely, how bars share, what is missing. The engine checks the rest."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.mechanism.payload import Payload
from parapick.model import Model
from parapick.model.plate_joints import PlateJointLoads
from poses import workspace_poses

PAYLOAD = Payload(0.5, (0.03, -0.02, -0.05), 1e-4)
NOTHING_LEFT = 1e-10
"""Share of the peak force or moment that rounding may leave of what must be zero."""


def loads(model: Model, count: int = 6) -> PlateJointLoads:
    rng, x = np.random.default_rng(3), workspace_poses(model, count)
    rates, bends = (scale * rng.normal(size=x.shape) for scale in (1.0, 30.0))
    return model.with_payload(PAYLOAD).plate_joint_loads(x, rates, bends)


def of(found: PlateJointLoads, joint: str, component: str) -> np.ndarray:
    return found.components()[component][:, found.names.index(joint)]


@pytest.mark.parametrize("name", ["heli4", "asymmetric-screw"])
def test_a_screw_without_friction_gives_its_lift_times_its_force(name: str) -> None:
    model = pp.load(name)
    found = loads(model)
    lift = model.numbers.plate.yaw_length
    peak = np.abs(found.moment).max()
    np.testing.assert_allclose(
        of(found, "screw pair", "torque"), lift * of(found, "screw pair", "axial"), rtol=0, atol=NOTHING_LEFT * peak
    )
    assert np.abs(of(found, "screw pair", "torque")).max() > 1e-3
    # Nothing turns the screw but its thread.
    assert np.abs(of(found, "screw bearing", "torque")).max() < NOTHING_LEFT * peak


def test_racks_alone_turn_the_pinion() -> None:
    model = pp.load("i4")
    found = loads(model)
    assert np.abs(of(found, "pinion", "torque")).max() < NOTHING_LEFT * np.abs(found.moment).max()
    racks = of(found, "guide of side -1", "axial") - of(found, "guide of side 1", "axial")
    assert np.abs(racks).max() > 1.0


def test_a_belt_turns_the_tool_and_its_bar_alone() -> None:
    found = loads(pp.load("par4"))
    belt = of(found, "tool", "torque")
    assert np.abs(belt).max() > 0.1
    np.testing.assert_allclose(of(found, "bar 1 on the half plate", "torque"), -4 * belt, rtol=1e-9)
    for joint in ("bar 2 on the half plate", "bar 1 on the carried half plate", "bar 2 on the carried half plate"):
        assert np.abs(of(found, joint, "torque")).max() < NOTHING_LEFT * np.abs(found.moment).max()


def test_bars_share_so_that_tilting_moments_are_smallest() -> None:
    """Any other way to share thrust and tilt that keeps both bars and the carried half plate in balance is worse."""
    model = pp.load("par4")
    x = np.array([0.1, -0.05, -0.7, 0.3])
    found = model.plate_joint_loads(x, np.ones(4), 40 * np.ones(4))
    angle = math.pi / 2 + x[3]
    span = 0.1 * np.array([math.cos(angle), math.sin(angle), 0.0])
    spread, up = 0.1 * np.array([math.cos(math.pi), math.sin(math.pi), 0.0]), np.array([0.0, 0.0, 1.0])

    def tilt(change: np.ndarray) -> float:
        """Sum of squares with other thrusts (first entry) and moments (the other two) of the bars."""
        force, moment = change[0] * up, np.array([*change[1:], 0.0])
        ends = [-moment - np.cross(spread, force) / 2, moment - np.cross(spread, force) / 2]
        added = [ends[0] - np.cross(span, force), ends[0], ends[1] + np.cross(span, force), ends[1]]
        return float(sum(np.sum((own + more)[:2] ** 2) for own, more in zip(found.moment[:4], added, strict=True)))

    least = tilt(np.zeros(3))
    for change in np.vstack([np.eye(3), -np.eye(3)]):
        assert tilt(0.01 * change) > least
        assert tilt(1e-4 * change) > least


def test_a_guide_has_the_moments_of_its_legs() -> None:
    """At rest and level, by hand: side 1 is held by two leaning rod pairs, whose sideways pull the guide takes."""
    model = pp.load("i4")
    rest = np.zeros(4)
    found, inner = (
        function([0.0, 0.0, -0.7, 0.0], rest, rest) for function in (model.plate_joint_loads, model.inner_forces)
    )
    weight = np.array([0.0, 0.0, 0.18 * 9.81])
    np.testing.assert_allclose(found.force[0], weight - inner.plate[:2].sum(axis=0), rtol=0, atol=1e-9)
    assert found.lateral[0] == pytest.approx(np.hypot(*found.force[0, 1:]))


def test_states_out_of_reach_are_nan_and_a_batch_is_a_loop() -> None:
    model = pp.load("par4")
    x = np.array([[0.1, 0.0, -0.7, 0.1], [2.0, 0.0, -0.7, 0.0], [0.0, 0.1, -0.72, -0.2]])
    found = model.plate_joint_loads(x, np.ones(4), np.ones(4))
    assert np.isnan(found.bending[1]).all()
    for i in (0, 2):
        one = model.plate_joint_loads(x[i], np.ones(4), np.ones(4))
        np.testing.assert_array_equal(one.force, found.force[i])


def test_a_plate_of_one_body_has_no_joints() -> None:
    found = pp.load("delta-nr").plate_joint_loads(np.zeros((2, 3)) - [0, 0, 0.7], np.zeros(3), np.zeros(3))
    assert found.names == ()
    assert found.lateral.shape == (2, 0)


def test_what_the_file_must_state_is_named() -> None:
    par4, rest = pp.load("par4").robot, np.zeros(4)
    cases = {
        "plate.bar_spacing": dataclasses.replace(par4, plate=dataclasses.replace(par4.plate, bar_spacing=None)),
        "limb.rod_spacing": dataclasses.replace(par4, limb=dataclasses.replace(par4.limb, rod_spacing=None)),
        "limb.rods": dataclasses.replace(par4, limb=dataclasses.replace(par4.limb, rods=1, rod_spacing=None)),
    }
    for path, robot in cases.items():
        with pytest.raises(ParameterError, match=path):
            Model(robot).plate_joint_loads(par4.home, rest, rest)


def test_the_page_shows_these_numbers() -> None:
    page = (Path(__file__).parents[2] / "docs" / "forces.md").read_text(encoding="utf-8")
    state = [0.1, -0.05, -0.7, 0.3], [1.5, -0.5, 0.3, 4.0], [60.0, -40.0, 30.0, 200.0]
    first, second, third, fourth, _ = pp.load("par4").plate_joint_loads(*state).lateral
    assert f"{first:.0f}, {second:.0f}, {third:.0f} and {fourth:.0f} N at the hinges" in page
    delta = pp.load("delta-4").with_payload(0.5)
    samples = pp.adept_cycle(delta, cycles_per_minute=120, yaw=(-math.pi / 2, math.pi / 2)).sample(4000.0)
    found = delta.plate_joint_loads(samples.x, samples.xd, samples.xdd)
    assert f"{of(found, 'tool', 'bending').max():.4f} N m at most" in page
