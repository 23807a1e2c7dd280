"""Indices: what each of them promises, against sampled directions and other ways to the same number."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.capability.index import INDICES, Index, UnknownIndexError, index_of
from parapick.capability.index_types import IndexOptions
from parapick.capability.map import index_map
from parapick.errors import MissingMassError, ParameterError
from parapick.measures import Measure
from parapick.mechanism import Box
from parapick.motion import adept_cycle
from parapick.timing import fastest_cycle

STATED = IndexOptions(torque=90.0, speed=20.0)
QUICK = [name for name, index in INDICES.items() if not index.slow]


def some_poses(name: str, count: int = 12) -> np.ndarray:
    robot = pp.load(name).robot
    spread = np.array([0.1, 0.1, 0.05, 0.3][: robot.dof])
    return np.array(robot.home) + np.random.default_rng(8).uniform(-1, 1, (count, robot.dof)) * spread


def directions(count: int) -> np.ndarray:
    vectors = np.random.default_rng(9).normal(size=(count, 3))
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


@pytest.mark.parametrize("name", QUICK)
def test_a_batch_equals_a_loop_and_every_pose_has_a_value(name: str) -> None:
    model, poses = pp.load("par4"), some_poses("par4")
    index = index_of(name)
    index.check(model, STATED)
    values = index.function(model, poses, STATED)
    assert values.shape == (len(poses),)
    assert np.isfinite(values).all()
    assert [float(index.function(model, pose[None], STATED)[0]) for pose in poses] == values.tolist()


@pytest.mark.parametrize(
    ("robot", "sharing"),
    [("par4", None), ("delta-r4", "least-norm"), ("delta-r4", "least-peak"), ("delta-r6", "least-norm")],
)
def test_torque_for_an_acceleration_is_the_largest_of_all_directions(robot: str, sharing: str | None) -> None:
    model, poses = pp.load(robot).with_payload(0.4).with_sharing(sharing), some_poses(robot, 3)
    ways = np.zeros((20_000, model.robot.dof))
    ways[:, :3] = 70.0 * directions(len(ways))
    sampled = np.abs(model.inverse_dynamics(poses[:, None], np.zeros(model.robot.dof), ways)).max(axis=(-1, -2))
    values = INDICES["torque"].function(model, poses, IndexOptions(acceleration=70.0))
    assert (sampled <= values * (1 + 1e-12)).all()
    # The nearest of 20,000 directions is a degree or two away.
    assert sampled == pytest.approx(values, rel=2e-3)
    if sharing == "least-peak":
        # It is the rule of maps where none is asked for.
        unstated = INDICES["torque"].function(model.with_sharing(None), poses, IndexOptions(acceleration=70.0))
        assert unstated.tolist() == values.tolist()


@pytest.mark.parametrize("robot", ["par4", "spara3"])
def test_joint_speed_is_the_largest_of_all_directions(robot: str) -> None:
    model, poses = pp.load(robot), some_poses(robot, 3)
    ways = np.zeros((20_000, model.robot.dof))
    ways[:, :3] = 2.5 * directions(len(ways))
    sampled = np.abs(model.joint_rates(poses[:, None], ways)).max(axis=(-1, -2))
    values = INDICES["joint-speed"].function(model, poses, IndexOptions(plate_speed=2.5))
    assert (sampled <= values * (1 + 1e-12)).all()
    assert sampled == pytest.approx(values, rel=2e-3)


def test_spara_needs_8_08_rad_s_for_3_5_m_s() -> None:
    """spara: 8.08 rad/s for 3.5 m/s in the worst direction and pose of the box; 10 rad/s give 4.33 m/s anywhere."""
    model = pp.load("spara3")
    found = index_map(model, "joint-speed", spacing=0.02, options=IndexOptions(plate_speed=3.5))
    assert found.worst is not None
    assert found.worst.value == pytest.approx(8.08, abs=0.005)
    anywhere = index_map(model, "speed", spacing=0.02, options=IndexOptions(speed=10.0)).worst
    assert anywhere is not None
    assert anywhere.value == pytest.approx(4.33, abs=0.005)


def test_the_smallest_margin_is_that_of_the_three() -> None:
    model, poses = pp.load("par4"), some_poses("par4")
    names = ("under-mobility", "over-mobility", "internal")
    three = [INDICES[name].function(model, poses, STATED) for name in names]
    assert np.array_equal(INDICES["margin"].function(model, poses, STATED), np.min(three, axis=0))


@pytest.mark.parametrize("robot", ["delta-nr", "par4"])
def test_cycle_time_is_that_of_the_adept_cycle(robot: str) -> None:
    """Another way to it: a cycle made by a law and then timed anew. Rounded corners are the same curve."""
    model, center = pp.load(robot), (0.05, -0.02, -0.72)
    yaw = (0.2, 0.2) if model.robot.dof == 4 else (0.0, 0.0)
    cycle = adept_cycle(
        model, center=center, azimuth=0.4, yaw=yaw, v_max=2.0, a_max=50.0, law="fastest", corner_radius=0.02
    )
    pose = np.array([[*center, 0.2][: model.robot.dof]])
    value = INDICES["cycle-time"].function(model, pose, IndexOptions(azimuth=0.4))
    assert value[0] == pytest.approx(fastest_cycle(model, cycle).duration, rel=5e-3)


def test_cycle_time_counts_heat_where_the_file_states_a_rated_torque() -> None:
    robot = pp.load("par4").robot
    model = pp.Model(dataclasses.replace(robot, drive=dataclasses.replace(robot.drive, rated_torque=15.0)))
    pose, function = np.array([[0.0, 0.0, -0.7, 0.0]]), INDICES["cycle-time"].function
    hot = function(model, pose, IndexOptions(rated=None))
    assert hot == function(pp.load("par4"), pose, IndexOptions())
    cool = function(model, pose, IndexOptions())
    assert cool > 1.2 * hot
    assert cool == function(pp.load("par4"), pose, IndexOptions(rated=15.0))
    assert function(model, pose, IndexOptions(rated=20.0)) < cool
    # Where no cycle is slow enough there is none.
    assert np.isnan(function(model, pose, IndexOptions(rated=0.1)))
    # And the title says which of them it is.
    region = Box(0.0, 0.0, 0.0, 0.0, -0.7, -0.7)
    titles = [index_map(one, "cycle-time", region) for one in (model, pp.load("par4"))]
    assert [found.index.heading(found.options).split(", ")[-1] for found in titles] == [
        "by torque and heat",
        "heat aside",
    ]


def test_a_cycle_that_leaves_the_reach_has_no_time() -> None:
    model = pp.load("r4-100g")
    poses = np.array([[0.0, 0.0, -0.48], [0.29, 0.0, -0.48]])
    assert model.reach(poses).ok.all()
    times = INDICES["cycle-time"].function(model, poses, IndexOptions())
    assert np.isnan(times).tolist() == [False, True]


def test_acceleration_at_speed_is_less_than_at_rest() -> None:
    model, poses = pp.load("r4-100g").with_payload(0.25), np.array([[0.3, 0.0, -0.53]])
    rest, fast = (
        INDICES["acceleration"].function(model, poses, IndexOptions(velocity=velocity))
        for velocity in (None, (11.0, 0.0, 0.0))
    )
    assert fast[0] < 0.9 * rest[0]


def test_an_unknown_index_lists_those_there_are() -> None:
    with pytest.raises(
        UnknownIndexError, match=r"no index 'stifness'; did you mean stiffness\? indices: acceleration,"
    ):
        index_of("stifness")


@pytest.mark.parametrize(
    ("robot", "index", "options", "message"),
    [
        ("spara3", "internal", IndexOptions(), "internal: spara3 has no rod pairs"),
        ("spara3", "internal-conditioning", IndexOptions(), "internal: spara3 has no rod pairs"),
        ("delta-nr", "yaw-acceleration", IndexOptions(), "delta-nr has no yaw"),
        ("spara3", "acceleration", IndexOptions(), "drive.peak_torque: the file of spara3 does not state it"),
        ("par4", "speed", IndexOptions(), "drive.peak_speed: the file of par4 does not state it"),
        ("par4", "acceleration", IndexOptions(torque=(1.0, 2.0)), "has 2 numbers; par4 has 4 motors"),
        ("par4", "acceleration", IndexOptions(velocity=(1.0,)), "velocity: is .* give finite numbers for x, y, z, yaw"),
        ("par4", "torque", IndexOptions(acceleration=-1.0), "acceleration: is -1; it must be a finite number greater"),
        (
            "par4",
            "cycle-time",
            IndexOptions(corner_radius=0.03),
            "corner_radius: is 0.03 m; it must be 0 to the height",
        ),
        ("irb360", "stiffness", IndexOptions(rods="file"), "limb.rod_modulus: the file of irb360 does not state it"),
    ],
)
def test_what_a_robot_does_not_have_is_said(robot: str, index: str, options: IndexOptions, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        index_map(pp.load(robot), index, options=options)


def test_forces_need_masses() -> None:
    with pytest.raises(MissingMassError, match="irb360 has no masses"):
        index_map(pp.load("irb360"), "torque")


def test_titles_name_what_was_asked_for() -> None:
    assert INDICES["torque"].heading(IndexOptions(acceleration=150.0)).startswith("torque at the arms for 150 m/s2")
    fast = IndexOptions(velocity=(5.0, 0.0, 0.0))
    assert INDICES["acceleration"].heading(fast) == "acceleration in any direction at (5, 0, 0) m/s"
    for index in INDICES.values():
        assert "{" not in index.heading(IndexOptions())


def test_the_page_lists_every_index() -> None:
    page = (Path(__file__).parents[2] / "docs" / "maps.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([\w-]+)` \| (.+?) \| (.+?) \| (high|low) \|$", page, flags=re.MULTILINE)
    asked = IndexOptions()
    assert listed == [(i.name, i.heading(asked), i.unit or "-", i.better) for i in INDICES.values()]


def test_an_index_of_your_own() -> None:
    height = Index(Measure("height", "height above -1 m", "m", "high", "pose"), lambda _, poses, __: poses[:, 2] + 1.0)
    found = index_map(pp.load("delta-nr"), height)
    assert found.best is not None
    assert found.best.value == pytest.approx(0.35)
    wrong = Index(Measure("wrong", "one number for all", "", "high", "pose"), lambda _, __, ___: np.array(1.0))
    with pytest.raises(ParameterError, match="it must give one number a pose"):
        index_map(pp.load("delta-nr"), wrong)
