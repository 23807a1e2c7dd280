"""Reach: what is left, what is missing, and how an unreachable pose answers."""

from __future__ import annotations

import dataclasses
import math
import warnings

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from parapick.errors import UnreachableError
from parapick.formulas.slack_kinds import FAULTS
from parapick.mechanism.legs import ArmRod
from parapick.mechanism.region import Limits
from poses import by_kind, wide_poses


@pytest.mark.parametrize("name", by_kind())
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


@pytest.mark.parametrize("name", by_kind())
def test_slack_is_negative_exactly_where_the_answer_is_nan(name: str) -> None:
    model = pp.load(name)
    x = wide_poses(model, 5000)
    x[::3] *= 1.5
    closes = model.reach(x).closes
    assert 0 < np.count_nonzero(closes) < len(x)
    np.testing.assert_array_equal(closes, ~np.isnan(model.inverse_kinematics(x)).any(axis=-1))


def with_rods(model: pp.Model, length: float) -> pp.Model:
    """The model with other rods, whether or not it still reaches its home."""
    limb = dataclasses.replace(model.robot.limb, rod_length=length)
    return pp.Model(dataclasses.replace(model.robot, limb=limb))


@pytest.mark.parametrize("name", by_kind())
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
        assert with_rods(model, length + missing * 1.000001).reach(x[i]).closes
        assert not with_rods(model, length + missing * 0.999).reach(x[i]).closes


def test_raise_names_leg_and_distance() -> None:
    model = pp.load("par4")
    model.reach([0.1, 0.0, -0.7, 0.0]).raise_if_unreachable()
    reach = model.reach([[0.0, 0.0, -0.7, 0.0], [0.9, 0.0, -0.7, 0.0]])
    with pytest.raises(
        UnreachableError, match=r"pose \(0.9, 0, -0.7, 0\) \(index 1 of the batch\).*leg [23]: .*mm too short"
    ) as caught:
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
    assert model.reach(x).cause == "pose"


# Every limit by itself.


def limited(name: str, **limits: float | tuple[float, ...]) -> pp.Model:
    """A robot with these limits and no others."""
    return pp.Model(dataclasses.replace(pp.load(name).robot, limits=dataclasses.replace(Limits(), **limits)))


STRICT = {
    "joint_min": math.radians(-75),
    "joint_max": math.radians(50),
    "yaw_min": math.radians(-52),
    "yaw_max": math.radians(52),
    "elbow_min": math.radians(60),
    "elbow_max": math.radians(150),
    "cone_max": math.radians(20),
    "clearance_min": 0.0542,
}
"""Limits of which poses near the workspace of Par4 violate any."""

WORDS = {
    "leg": r"leg \d: the rod is .* mm too (short|long)",
    "joint": r"leg \d: the joint limit is exceeded by .* deg",
    "elbow": r"leg \d: the limit of the elbow angle is exceeded by .* deg",
    "cone": r"leg \d: the rod leans .* deg further sideways than its ball joints allow",
    "yaw": r"the yaw limit of the plate is exceeded by .* deg",
    "clearance": r"two links come .* mm nearer to each other than allowed",
}


def slacks(reach: pp.Reach) -> dict[str, np.ndarray]:
    """Smallest slack of every kind of fault (...)."""
    by_leg = {"leg": reach.legs, "joint": reach.joints, "elbow": reach.elbow, "cone": reach.cone}
    return {kind: np.min(slack, axis=-1) for kind, slack in by_leg.items()} | {
        "yaw": reach.yaw,
        "clearance": reach.clearance,
    }


@pytest.mark.parametrize("kind", list(WORDS))
def test_a_pose_that_violates_one_limit_only(kind: str) -> None:
    model = limited("par4", **STRICT)
    x = wide_poses(model, 60000, seed=4)
    reach = model.reach(x)
    # Where a leg does not close, the slacks of its joints are NaN and not negative.
    negative = {name: slack < 0 for name, slack in slacks(reach).items()}
    others = np.any([hit for name, hit in negative.items() if name != kind], axis=0)
    only = np.flatnonzero(negative[kind] & ~others)
    assert len(only) > 3
    reach = model.reach(x[only[:20]])
    assert not reach.ok.any()
    assert [FAULTS[fault] for fault in reach.fault] == [kind] * len(reach.fault)
    for i, pose in enumerate(reach.x):
        assert str(reach.cause[i]).split()[0] == kind
        with pytest.raises(UnreachableError, match=WORDS[kind]) as caught:
            model.reach(pose).raise_if_unreachable()
        assert caught.value.slack == pytest.approx(slacks(reach)[kind][i], abs=1e-14)
        assert caught.value.slack < 0
        # Without this one limit nothing is wrong.
        if kind != "leg":
            rest = {name: value for name, value in STRICT.items() if not name.startswith(kind)}
            assert limited("par4", **rest).reach(pose).ok


def test_first_of_several_faults_is_named_and_of_several_legs_the_worst() -> None:
    model = limited("par4", **STRICT)
    reach = model.reach(wide_poses(model, 20000, seed=6))
    every, causes = slacks(reach), reach.cause
    several = np.flatnonzero(np.sum([slack < 0 for slack in every.values()], axis=0) > 1)
    assert len(several) > 100
    for i in several[:200]:
        first = next(kind for kind in FAULTS[2:] if not every[kind][i] >= 0)
        name, *leg = str(causes[i]).split()
        assert name == first
        if leg:
            own = {"leg": reach.legs, "joint": reach.joints, "elbow": reach.elbow, "cone": reach.cone}[first][i]
            assert own[int(leg[0]) - 1] == every[first][i]
            assert f"leg {leg[0]}:" in model.reach(reach.x[i]).reason()


@pytest.mark.parametrize("name", ["par4", "asymmetric-screw", "spara3", "fivebar-spindle"])
def test_passive_joints_from_the_angles_of_the_motors(name: str) -> None:
    """Elbow and cone from points in NumPy; the elbow limits are set so that their slack is the angle itself."""
    flat = limited(name, elbow_max=math.pi, cone_max=math.pi / 2)
    folded = limited(name, elbow_min=0.0)
    x = wide_poses(flat, 300, seed=7)
    reach, q = flat.reach(x), flat.inverse_kinematics(x)
    x, q = x[reach.closes], q[reach.closes]
    assert len(x) > 20
    legs = [leg for leg in flat.robot.legs() if isinstance(leg, ArmRod)]
    for pose, angles in zip(x[:40], q, strict=False):
        points = flat.robot.points(ca.DM(pose))
        for i, leg in enumerate(legs):
            axis, base, forward, up, plate = (
                np.array(ca.DM(v)).ravel() for v in (leg.axis, leg.base, leg.forward, leg.up, points[i])
            )
            phi = leg.zero + leg.sign * angles[i]
            arm = leg.arm * (math.cos(phi) * forward + math.sin(phi) * up)
            rod = plate - base - arm
            elbow = math.acos(np.clip(-arm @ rod / (leg.arm * leg.rod), -1, 1))
            sideways = math.asin(np.clip(abs(rod @ axis) / leg.rod, 0, 1))
            assert folded.reach(pose).elbow[i] == pytest.approx(elbow, abs=1e-7)
            assert flat.reach(pose).elbow[i] == pytest.approx(math.pi - elbow, abs=1e-7)
            assert flat.reach(pose).cone[i] == pytest.approx(math.pi / 2 - sideways, abs=1e-7)


def test_stretched_leg_has_an_elbow_of_180_degrees() -> None:
    """At the length of arm and rod from both motors; the square root of the closure leaves half the digits there."""
    model = limited("fivebar-spindle", elbow_max=math.pi)
    # Arm and rod of 0.25 m each, motors 0.09 m beside the axis of symmetry.
    far = math.sqrt((0.25 + 0.25) ** 2 - 0.09**2) - 1e-13
    np.testing.assert_allclose(model.reach([0.0, far, 0.0, 0.0]).elbow, 0.0, atol=1e-5)


def test_limits_may_differ_by_leg() -> None:
    model = limited("par4", cone_max=(0.1, 0.2, 0.3, 0.4), elbow_min=(0.1, 0.2, 0.3, 0.4))
    reach = model.reach(model.robot.home)
    np.testing.assert_allclose(np.diff(reach.cone), 0.1, atol=1e-12)
    np.testing.assert_allclose(np.diff(reach.elbow), -0.1, atol=1e-12)


@pytest.mark.parametrize("name", ["par4", "delta-nr", "fivebar-spindle"])
def test_clearance_slack_is_the_clearance_minus_what_is_asked_for(name: str) -> None:
    model = limited(name, clearance_min=0.02)
    x = wide_poses(model, 400, seed=8)
    reach, clearance = model.reach(x), model.clearance(x)
    np.testing.assert_array_equal(np.isnan(reach.clearance), ~reach.closes)
    np.testing.assert_allclose(reach.clearance, clearance.distance - 0.02, atol=1e-14)


def test_clearance_costs_nothing_where_no_limit_asks_for_it() -> None:
    plain, asking = limited("par4"), limited("par4", clearance_min=0.01)
    assert len(plain.kernel("reach").trace.instructions) < 400
    assert len(asking.kernel("reach").trace.instructions) > 2000


@pytest.mark.parametrize("name", by_kind())
def test_without_limits_slacks_are_infinite_and_nan_where_open(name: str) -> None:
    model = limited(name)
    x = wide_poses(model, 500, seed=9)
    x[::3, :2] *= 3
    reach = model.reach(x)
    assert reach.elbow.shape == reach.cone.shape == (500, model.robot.arms)
    assert reach.joints.shape == (500, model.robot.motors)
    assert reach.yaw.shape == reach.clearance.shape == (500,)
    if model.robot.limb.body == "carriage":
        # Rails end without being told to.
        q = model.inverse_kinematics(x)
        left = np.where(reach.closes[:, None], np.minimum(q, model.robot.base.length - q), reach.joints)
        np.testing.assert_allclose(reach.joints, left, rtol=0, atol=1e-12)
        np.testing.assert_array_equal(reach.ok, reach.closes & (left >= 0).all(axis=1))
        return
    for slack in (reach.elbow, reach.cone, reach.joints[:, : model.robot.arms]):
        np.testing.assert_array_equal(slack, np.where(reach.legs >= 0, np.inf, np.nan))
    np.testing.assert_array_equal(reach.clearance, np.where(reach.closes, np.inf, np.nan))
    np.testing.assert_array_equal(reach.ok, reach.closes)
    np.testing.assert_array_equal(reach.fault, np.where(reach.closes, 0, FAULTS.index("leg")))


def test_raise_if_open_ignores_limits() -> None:
    model = pp.load("par4")
    model.reach([0.0, 0.0, -0.7, 2.0]).raise_if_open()
    with pytest.raises(UnreachableError, match="index 1 of the batch"):
        model.reach([[0.0, 0.0, -0.7, 2.0], [2.0, 0.0, -0.7, 0.0]]).raise_if_open()


def test_the_rim_is_a_matter_of_legs_not_of_joints() -> None:
    """Where rounding decides whether a leg closes, the answer is a leg that lacks a hair, or none."""
    model = pp.load("fivebar-spindle")
    turn = np.linspace(0.2, 3.0, 2001)
    x = np.stack([-0.09 + 0.5 * np.cos(turn), 0.5 * np.sin(turn), 0 * turn, 0 * turn], axis=-1)
    reach = model.reach(x)
    assert 0 < np.count_nonzero(reach.closes) < len(x)
    assert not np.any(np.char.startswith(reach.cause, "joint"))
    assert str(model.reach([0.9, 0.0, 0.0, 0.0]).cause) in ("leg 1", "leg 2")
