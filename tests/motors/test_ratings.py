"""Ratings of motors as limits and in words, and the rules by which motors share."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.motors import JUDGED, LEAST_NORM, LEAST_PEAK, SHARINGS, Motors, check_sharing, per_motor

PAR4 = pp.load("par4").motors
SLIDING = pp.load("delta-linear").motors
BOTH = pp.load("fivebar-spindle").motors


def rated(motors: Motors, **ratings: float | list[float]) -> Motors:
    """The same motors with other numbers, one for all or one each."""
    numbers = {name: np.broadcast_to(np.array(value, dtype=float), motors.count) for name, value in ratings.items()}
    return dataclasses.replace(motors, **numbers)


def test_units_and_words_follow_the_axes() -> None:
    assert (PAR4.unit, PAR4.torque_unit, PAR4.speed_unit, PAR4.word) == ("rad", "N m", "rad/s", "torque")
    assert (SLIDING.unit, SLIDING.torque_unit, SLIDING.speed_unit, SLIDING.word) == ("m", "N", "m/s", "force")
    assert BOTH.word == "torque"


def test_groups_are_those_of_arms_and_plate() -> None:
    assert PAR4.groups == {"arms": slice(0, 4)}
    assert BOTH.groups == {"arms": slice(0, BOTH.arms), "plate": slice(BOTH.arms, BOTH.count)}
    assert BOTH.count > BOTH.arms


RATINGS = (
    "peak_torque",
    "continuous_torque",
    "peak_speed",
    "gearbox_torque",
    "gearbox_mean_torque",
    "joint_acceleration",
    "joint_jerk",
)


@pytest.mark.parametrize("name", RATINGS)
def test_one_rating_is_enough_to_be_rated(name: str) -> None:
    bare = rated(PAR4, **dict.fromkeys(RATINGS, math.inf))
    assert not bare.rated
    assert rated(bare, **{name: 3.0}).rated


def test_dry_friction_decays_from_breakaway_to_coulomb() -> None:
    motors = rated(PAR4, coulomb=2.0, stribeck=1.0, stribeck_speed=0.5)
    np.testing.assert_allclose(motors.dry(np.zeros(4)), 3.0)
    np.testing.assert_allclose(motors.dry(np.full(4, 0.5)), 2.0 + math.exp(-1.0))
    np.testing.assert_allclose(motors.dry(np.full((2, 4), -50.0)), 2.0)


@pytest.mark.parametrize(
    ("numbers", "rubbing", "lossy"),
    [
        ({"coulomb": 0.0, "stribeck": 0.0, "efficiency": 1.0}, False, False),
        ({"coulomb": 0.1, "stribeck": 0.0, "efficiency": 1.0}, True, False),
        ({"coulomb": 0.0, "stribeck": 0.1, "efficiency": 1.0}, True, False),
        ({"coulomb": 0.0, "stribeck": 0.0, "efficiency": 0.9}, False, True),
    ],
)
def test_torque_jumps_with_dry_friction_or_losses(numbers: dict[str, float], rubbing: bool, lossy: bool) -> None:
    motors = rated(PAR4, **numbers)
    assert (motors.rubbing, motors.lossy, motors.jumping) == (rubbing, lossy, rubbing or lossy)


def test_limits_by_word_by_number_and_none() -> None:
    motors = rated(PAR4, peak_torque=9.0, rated_torque=4.0, peak_speed=[1.0, 2.0, 3.0, math.inf])
    np.testing.assert_array_equal(motors.torque("peak"), [9.0] * 4)
    np.testing.assert_array_equal(motors.torque("rated"), [4.0] * 4)
    np.testing.assert_array_equal(motors.torque(7.0), [7.0] * 4)
    np.testing.assert_array_equal(motors.torque([1.0, 2.0, 3.0, 4.0]), [1.0, 2.0, 3.0, 4.0])
    np.testing.assert_array_equal(motors.torque(None), [math.inf] * 4)
    np.testing.assert_array_equal(motors.speed("peak"), [1.0, 2.0, 3.0, math.inf])
    np.testing.assert_array_equal(motors.speed(None), [math.inf] * 4)


def test_limits_at_the_joints_pass_the_gearbox() -> None:
    motors = rated(PAR4, peak_torque=9.0, peak_speed=400.0, ratio=20.0, efficiency=0.5)
    np.testing.assert_allclose(motors.joint_torque("peak"), 90.0)
    np.testing.assert_allclose(motors.joint_speed("peak"), 20.0)
    np.testing.assert_allclose(motors.joint_torque(2.0), 20.0)


def test_limits_at_the_joints_need_the_rating_of_every_motor() -> None:
    motors = rated(PAR4, peak_speed=[1.0, 2.0, math.inf, 3.0])
    with pytest.raises(ParameterError, match=r"drive.peak_speed.*does not state it"):
        motors.joint_speed("peak")
    with pytest.raises(ParameterError, match="valid are 'peak' and numbers"):
        motors.joint_speed(None)


def test_a_rating_that_no_motor_has_names_its_place_in_the_file() -> None:
    bare = rated(PAR4, peak_torque=math.inf)
    with pytest.raises(ParameterError, match=r"drive.peak_torque.*give torque="):
        bare.torque("peak")
    with pytest.raises(ParameterError, match=r"drive.peak_force.*give force="):
        rated(SLIDING, peak_torque=math.inf).torque("peak", name="force")


def test_an_unknown_word_says_which_are_known() -> None:
    with pytest.raises(ParameterError, match=r"'most'; valid are 'peak', 'rated', None and numbers \(N m"):
        PAR4.torque("most")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ParameterError, match=r"'rated'; valid are 'peak', None and numbers \(rad/s"):
        PAR4.speed("rated")  # pyright: ignore[reportArgumentType]


def test_paths_of_ratings_of_arms_and_plate() -> None:
    assert PAR4.rating_path(0, "peak_torque") == "drive.peak_torque"
    assert BOTH.rating_path(BOTH.count - 1, "peak_speed") == f"{BOTH.plate_drive}.peak_speed"
    assert SLIDING.rating_path(1, "rated_torque") == "drive.rated_force"


def test_shares_count_against_the_rating_or_one() -> None:
    np.testing.assert_array_equal(PAR4.scale(np.array([2.0, math.inf])), [2.0, math.inf])
    np.testing.assert_array_equal(PAR4.scale(np.array([math.inf, math.inf])), [1.0, 1.0])


def test_limits_are_told_apart_where_groups_differ() -> None:
    split = np.full(BOTH.count, 5.0)
    assert BOTH.named(peak=split) == {"peak": 5.0}
    split[BOTH.arms :] = 7.0
    assert BOTH.named(peak=split) == {"peak, arms": 5.0, "peak, plate": 7.0}
    split[: BOTH.arms] = math.inf
    assert BOTH.named(peak=split) == {"peak, plate": 7.0}


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ([1.0, 2.0], "has 2 numbers; par4 has 4 motors: give one, or one each"),
        ([1.0, 2.0, 0.0, 1.0], "of motor 3 is 0 N m"),
        ([1.0, math.nan, 1.0, 1.0], "of motor 2 is nan N m"),
        (math.inf, "of motor 1 is inf N m"),
        (-1.0, "greater than 0"),
    ],
)
def test_numbers_that_no_motor_can_have(numbers: float | list[float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        per_motor(PAR4, "torque", numbers, "N m")


def test_one_number_stands_for_every_motor() -> None:
    np.testing.assert_array_equal(per_motor(PAR4, "torque", 3, "N m"), [3.0] * 4)


def test_sharing_rules() -> None:
    assert JUDGED in SHARINGS
    for rule in (LEAST_NORM, LEAST_PEAK):
        check_sharing(rule)
    with pytest.raises(ParameterError, match="'equal' is not a sharing rule; valid are least-norm, least-peak"):
        check_sharing("equal")
