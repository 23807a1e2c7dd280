"""Reach: what is left, what is missing, and how an unreachable pose answers."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from poses import ROBOTS, wide_poses

import parapick as pp
from parapick.errors import UnreachableError


@pytest.mark.parametrize("name", ROBOTS)
def test_unreachable_is_nan_in_all_outputs_and_neighbours_are_untouched(name: str) -> None:
    model = pp.load(name)
    x = wide_poses(model, 9)
    far = x.copy()
    far[4, :2] += 10.0
    xd = np.ones_like(x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = [*model.kinematics(x), model.joint_accelerations(x, xd, xd), *model.margins(x)]
        after = [*model.kinematics(far), model.joint_accelerations(far, xd, xd), *model.margins(far)]
    for old, new in zip(before, after, strict=True):
        assert np.isnan(new[4]).all()
        others = np.arange(9) != 4
        np.testing.assert_array_equal(new[others], old[others])


@pytest.mark.parametrize("name", ROBOTS)
def test_slack_is_negative_exactly_where_the_answer_is_nan(name: str) -> None:
    model = pp.load(name)
    x = wide_poses(model, 5000)
    x[::3] *= 1.5
    closes = model.reach(x).closes
    assert 0 < np.count_nonzero(closes) < len(x)
    np.testing.assert_array_equal(closes, ~np.isnan(model.inverse_kinematics(x)).any(axis=-1))


@pytest.mark.parametrize("name", ROBOTS)
def test_missing_distance_is_what_the_rods_lack(name: str) -> None:
    model = pp.load(name)
    if isinstance(model.robot.limb.rod_length, tuple):
        pytest.skip("one rod length a leg")
    x = wide_poses(model, 4000, seed=2)
    x[:, :2] *= 2
    reach = model.reach(x)
    only_short = np.flatnonzero(~reach.closes & np.all(reach.long > 0.3, axis=-1))[:20]
    assert len(only_short) > 3
    for i in only_short:
        missing = -np.min(reach.legs[i])
        length = model.robot.limb.rod_length
        if missing > 0.25:
            continue
        assert model.with_parameters({"limb.rod_length": length + missing * 1.000001}).reach(x[i]).closes
        assert not model.with_parameters({"limb.rod_length": length + missing * 0.999}).reach(x[i]).closes


def test_raise_names_leg_and_distance() -> None:
    model = pp.load("par4")
    model.reach([0.1, 0.0, -0.7, 0.0]).raise_if_unreachable()
    reach = model.reach([[0.0, 0.0, -0.7, 0.0], [0.9, 0.0, -0.7, 0.0]])
    with pytest.raises(UnreachableError, match=r"pose \(0.9, 0, -0.7, 0\) \(index 1 of the batch\).*leg [23]: .*mm too short") as caught:
        reach.raise_if_unreachable()
    assert caught.value.index == (1,)
    assert caught.value.slack == pytest.approx(np.min(reach.legs[1]))
    assert isinstance(caught.value, ValueError)


def test_yaw_limit_is_reported_but_still_answers() -> None:
    model = pp.load("par4")
    x = [0.0, 0.0, -0.7, np.radians(50)]
    reach = model.reach(x)
    assert reach.closes
    assert not reach.ok
    assert np.degrees(reach.yaw) == pytest.approx(-5)
    assert "yaw limit" in reach.reason()
    assert np.isfinite(model.inverse_kinematics(x)).all()


def test_nan_pose_is_nan_and_not_ok() -> None:
    model = pp.load("par4")
    x = [0.0, np.nan, -0.7, 0.0]
    assert np.isnan(model.inverse_kinematics(x)).all()
    assert not model.reach(x).ok
    with pytest.raises(UnreachableError, match="not a number"):
        model.reach(x).raise_if_unreachable()
