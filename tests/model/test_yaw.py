"""Yaw intervals: every end holds and just beyond it something fails; ranges against the pitch of a screw."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError, ShapeError
from parapick.mechanism.region import Limits
from parapick.model.screw_pitch import yaw_range_against_pitch
from parapick.model.yaw import TOLERANCE
from parapick.model.yaw_interval import YawInterval
from poses import workspace_poses

BEYOND = 2 * TOLERANCE


def limited(name: str, **limits: float) -> pp.Model:
    """A robot with these limits and no others: a screw has no end."""
    robot = dataclasses.replace(pp.load(name).robot, limits=Limits(**limits))
    if robot.plate.kind == "screw":
        robot = dataclasses.replace(robot, plate=dataclasses.replace(robot.plate, travel=None))
    return pp.Model(robot)


def at(position: np.ndarray, yaw: np.ndarray) -> np.ndarray:
    return np.concatenate([position, yaw[..., None]], axis=-1)


def check_ends(model: pp.Model, position: np.ndarray, found: YawInterval) -> None:
    """Both ends hold, and just beyond them fails what the interval says."""
    for end, beyond, reason in ((found.low, -BEYOND, found.low_reason), (found.high, BEYOND, found.high_reason)):
        assert model.reach(at(position, end)).ok.all()
        np.testing.assert_array_equal(model.reach(at(position, end + beyond)).cause, reason)


def test_par4_turns_by_45_degrees_and_its_tool_by_a_whole_turn() -> None:
    """nabat2005, section II."""
    model = pp.load("par4")
    found = model.yaw_interval(workspace_poses(model, 200)[:, :3])
    np.testing.assert_array_equal(found.low, math.radians(-45))
    np.testing.assert_array_equal(found.high, math.radians(45))
    np.testing.assert_allclose(found.tool_width, 2 * math.pi, rtol=1e-15)
    assert set(found.low_reason) == set(found.high_reason) == {"yaw"}


def positions(model: pp.Model, count: int = 60, **conditions: float) -> np.ndarray:
    """Positions in and around the workspace at which the interval has two ends, under these conditions."""
    poses = workspace_poses(model, 3000, seed=1)[:, :3] * [2.0, 2.0, 1.0]
    found = model.yaw_interval(poses, **conditions)
    # A plate that turns all the way round does so either way.
    np.testing.assert_array_equal(np.isinf(found.low), np.isinf(found.high))
    bounded = poses[np.isfinite(found.low)][:count]
    assert len(bounded) == count
    return bounded


@pytest.mark.parametrize(
    ("name", "limits", "reasons"),
    [
        ("par4", {}, {"leg"}),
        ("i4", {}, {"leg"}),
        ("heli4", {}, {"leg"}),
        ("h4-90", {}, {"leg"}),
        ("asymmetric-screw", {}, {"leg"}),
        ("par4", {"yaw_min": -2.0, "yaw_max": 1.0}, {"yaw", "leg"}),
        ("par4", {"joint_min": math.radians(-60), "joint_max": math.radians(25)}, {"joint"}),
        ("par4", {"elbow_min": math.radians(60), "elbow_max": math.radians(140)}, {"elbow"}),
        ("par4", {"cone_max": math.radians(28)}, {"cone"}),
        ("par4", {"clearance_min": 0.047}, {"clearance"}),
    ],
)
def test_ends_hold_and_beyond_them_something_fails(name: str, limits: dict[str, float], reasons: set[str]) -> None:
    model = limited(name, **limits)
    position = positions(model)
    found = model.yaw_interval(position)
    check_ends(model, position, found)
    assert np.all(found.low < 0)
    assert np.all(found.high > 0)
    assert reasons <= {text.split()[0] for text in (*found.low_reason, *found.high_reason)}
    # The interval is connected: it holds at every place in between.
    between = np.linspace(found.low, found.high, 101, axis=-1)
    spread = np.broadcast_to(position[:, None], (*between.shape, 3))
    assert model.reach(at(spread, between)).ok.all()


def test_interval_ends_where_a_leg_is_stretched() -> None:
    """An end set by a leg is a root of the leg's slack."""
    model = limited("asymmetric-screw")
    found = model.yaw_interval([0.0, 0.0, -0.5])
    for end in (found.low, found.high):
        assert np.min(model.reach([0.0, 0.0, -0.5, float(end)]).legs) == pytest.approx(0.0, abs=1e-11)


def test_clearance_if_asked_for() -> None:
    model = limited("par4")
    position = positions(model, clearance=0.047)
    found = model.yaw_interval(position, clearance=0.047)
    assert np.all(found.width <= model.yaw_interval(position).width + BEYOND)
    stopped = found.low_reason == "clearance"
    assert np.count_nonzero(stopped) > 10
    inside, outside = (at(position[stopped], found.low[stopped] - beyond) for beyond in (0.0, BEYOND))
    assert np.all(model.clearance(inside).distance >= 0.047)
    assert np.all(model.clearance(outside).distance < 0.047)
    # The same as a limit of the robot.
    limit = limited("par4", clearance_min=0.047).yaw_interval(position)
    np.testing.assert_allclose(found.low, limit.low, atol=BEYOND)


def test_margin_if_asked_for() -> None:
    model = limited("par4")
    position = positions(model, margin=0.3)
    found = model.yaw_interval(position, margin=0.3)
    assert np.all(found.width <= model.yaw_interval(position).width + BEYOND)
    stopped = found.high_reason == "margin"
    assert np.count_nonzero(stopped) > 10
    inside, outside = (at(position[stopped], found.high[stopped] + beyond) for beyond in (0.0, BEYOND))
    assert np.all(np.min(model.margins(inside), axis=0) >= 0.3)
    assert np.all(np.min(model.margins(outside), axis=0) < 0.3)


@pytest.mark.parametrize("name", ["delta-4", "fivebar-spindle"])
def test_nothing_stops_a_tool_that_turns_on_its_own(name: str) -> None:
    model = limited(name)
    found = model.yaw_interval(model.robot.home[:3])
    assert (found.low, found.high) == (-math.inf, math.inf)
    assert (found.tool_low, found.tool_high) == (-math.inf, math.inf)
    assert found.low_reason == found.high_reason == ""
    bounded = limited(name, yaw_min=-20.0, yaw_max=30.0).yaw_interval(model.robot.home[:3])
    assert (bounded.low, bounded.high) == (-20.0, 30.0)
    assert bounded.low_reason == "yaw"


def test_start_may_differ_by_position_and_ends_do_not_depend_on_it() -> None:
    model = limited("par4", joint_max=math.radians(25))
    position = positions(model, 30)
    first = model.yaw_interval(position)
    second = model.yaw_interval(position, start=0.7 * first.low + 0.3 * first.high, step=0.01)
    np.testing.assert_allclose(second.low, first.low, atol=BEYOND)
    np.testing.assert_allclose(second.high, first.high, atol=BEYOND)


def test_batch_equals_loop_and_keeps_its_shape() -> None:
    model = limited("par4", joint_max=math.radians(25))
    position = positions(model, 12).reshape(3, 4, 3)
    found = model.yaw_interval(position)
    for field in dataclasses.fields(found):
        assert getattr(found, field.name).shape == (3, 4)
        single = getattr(model.yaw_interval(position[1, 2]), field.name)
        assert single.shape == ()
        assert single == getattr(found, field.name)[1, 2]


def test_where_the_start_fails_the_interval_is_nan_and_says_why() -> None:
    model = pp.load("par4")
    found = model.yaw_interval([[2.0, 0.0, -0.7], [0.0, 0.0, -0.7], [0.0, np.nan, -0.7]])
    np.testing.assert_array_equal(np.isnan(found.low), [True, False, True])
    np.testing.assert_array_equal(np.isnan(found.tool_high), [True, False, True])
    assert found.low_reason[0].startswith("leg")
    assert list(found.high_reason[1:]) == ["yaw", "pose"]
    beyond = model.yaw_interval([0.0, 0.0, -0.7], start=1.0)
    assert np.isnan(beyond.low)
    assert beyond.low_reason == "yaw"


def test_wrong_input() -> None:
    with pytest.raises(ParameterError, match="has no yaw"):
        pp.load("delta-nr").yaw_interval([0.0, 0.0, -0.7])
    model = pp.load("par4")
    with pytest.raises(ShapeError, match="position"):
        model.yaw_interval(model.robot.home)
    with pytest.raises(ShapeError, match="start"):
        model.yaw_interval([0.0, 0.0, -0.7], start=[0.0, 0.1])
    for step in (0.0, -1.0, math.nan):
        with pytest.raises(ParameterError, match="positive angle"):
            model.yaw_interval([0.0, 0.0, -0.7], step=step)
    for step in (1e-9, 1e-300):
        with pytest.raises(
            ParameterError, match=r"more than 100000 steps over 0\.785 rad; give at least 7\.85e-06 rad"
        ):
            model.yaw_interval([0.0, 0.0, -0.7], step=step)
    with pytest.raises(ParameterError, match="no screw"):
        yaw_range_against_pitch(model, [0.02], [0.0, 0.0, -0.7])
    screw = pp.load("asymmetric-screw")
    with pytest.raises(ShapeError, match="pitches"):
        yaw_range_against_pitch(screw, 0.02, [0.0, 0.0, -0.5])
    with pytest.raises(ParameterError, match=r"plate\.pitch"):
        yaw_range_against_pitch(screw, [-0.02], [0.0, 0.0, -0.5])


# wu2020: the tool turns as far as the sub-platforms can part.

PITCHES = np.array([0.01, 0.02, 0.03, 0.05])


def test_range_grows_as_the_pitch_shrinks() -> None:
    model = limited("asymmetric-screw")
    found = yaw_range_against_pitch(model, PITCHES, [[0.0, 0.0, -0.5], [0.1, 0.05, -0.6]])
    assert found.width.shape == (4, 2)
    assert np.all(np.diff(found.width, axis=0) < 0)
    # Legs alone stop it, and they know only the lift: pitch times turns.
    assert {text.split()[0] for text in found.high_reason.ravel()} == {"leg"}
    np.testing.assert_allclose(found.width * PITCHES[:, None], np.tile(found.width[1] * 0.02, (4, 1)), rtol=1e-9)


def test_at_home_the_sub_platforms_part_by_up_to_0_3_metres() -> None:
    model = limited("asymmetric-screw")
    found = yaw_range_against_pitch(model, [0.02], [0.0, 0.0, -0.5])
    np.testing.assert_allclose([found.low[0], found.high[0]], [-97.0040, 101.0656], atol=1e-3)
    lift = 0.02 * found.high[0] / (2 * math.pi)
    assert lift == pytest.approx(0.3217, abs=1e-4)


def test_range_against_pitch_is_stopped_by_links_and_margins() -> None:
    """Two modes have their arms near each other, so the links stop the screw before the legs do."""
    model = limited("asymmetric-screw").with_working_mode("++++")
    position = [0.0, 0.0, -0.64]
    free = yaw_range_against_pitch(model, PITCHES, position)
    wide = yaw_range_against_pitch(model, PITCHES, position, clearance=0.02)
    assert {*wide.low_reason, *wide.high_reason} & {"clearance"}
    assert np.all(wide.width < free.width)
    np.testing.assert_allclose(wide.width * PITCHES, wide.width[0] * PITCHES[0], rtol=1e-8)
    safe = yaw_range_against_pitch(model, PITCHES, position, margin=0.1)
    assert np.all(safe.width < free.width)
    assert {*safe.low_reason, *safe.high_reason} & {"margin"}


def test_yaw_limits_of_the_plate_end_the_growth() -> None:
    model = limited("asymmetric-screw", yaw_min=-30.0, yaw_max=30.0)
    found = yaw_range_against_pitch(model, [0.01, 0.02, 0.2], [0.0, 0.0, -0.5])
    np.testing.assert_array_equal(found.width[:2], 60.0)
    assert found.width[2] < 60.0


def test_a_screw_ends_the_yaw() -> None:
    model = pp.load("asymmetric-screw")
    found = model.yaw_interval([[0.0, 0.0, -0.5], [0.1, 0.05, -0.6]])
    # 40 mm of travel at 20 mm a turn: a whole turn either way.
    np.testing.assert_allclose(found.high, 2 * math.pi, rtol=1e-9)
    np.testing.assert_allclose(found.low, -2 * math.pi, rtol=1e-9)
    assert set(found.low_reason) == set(found.high_reason) == {"yaw"}
    steeper = model.with_parameters({"plate.pitch": 0.04})
    assert steeper.reach([0.0, 0.0, -0.5, 4.0]).yaw == pytest.approx(math.pi - 4.0)
    assert "yaw" in steeper.reach([0.0, 0.0, -0.5, 4.0]).reason()
