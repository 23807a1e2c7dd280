"""Limits of an instant along a ride: the worst of each with its place, its part and its unit."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import Gearbox
from parapick.ride import Ride, UnfollowableError, not_stated
from stated import constant_power, stating

LIMITS = {"joint_acceleration": (300.0, 200.0, 300.0, 300.0), "rod_pull": 60.0, "rod_push": 50.0}


def ride(**changes: object) -> Ride:
    model = stating("par4", curve=constant_power(90.0, 30.0, 250.0), gearbox=Gearbox(peak_torque=40.0), **changes)
    return Ride.along(model, pp.adept_cycle(model, cycles_per_minute=120))


def test_the_worst_of_each_is_the_largest_share() -> None:
    along = ride(limits=LIMITS)
    for loads in along.instant_loads:
        worst = along[loads.kind.title]
        assert worst.use == pytest.approx(loads.shares.max(), rel=1e-12)
        # Of places that are equally bad but for rounding it is the first: what is there must be the largest.
        assert worst.place is not None
        there = loads.shares[int(np.argmin(np.abs(along.samples.t - worst.place.time)))]
        of_leg = there.reshape(4, -1)[worst.place.motor - 1]
        assert of_leg.max() == pytest.approx(loads.shares.max(), rel=1e-9)
    units = {loads.kind.key: along[loads.kind.title].unit for loads in along.instant_loads}
    assert units == {"curve": "N m", "gearbox": "N m", "acceleration": "rad/s2", "rod_pull": "N", "rod_push": "N"}


def test_legs_have_limits_of_their_own() -> None:
    (loads,) = (loads for loads in ride(limits=LIMITS).instant_loads if loads.kind.key == "acceleration")
    assert loads.limits[0].tolist() == list(LIMITS["joint_acceleration"])


def test_rods_are_named_as_in_tables_of_forces() -> None:
    assert ride(limits={"rod_pull": 10.0})["rod pull"].text.startswith("pull in rod ")
    single = stating("spara3", limits={"rod_pull": 10.0})
    along = Ride.along(single, pp.adept_cycle(single, cycles_per_minute=60))
    assert "a:" not in along["rod pull"].text.partition(" N")[0]


def test_a_broken_limit_is_a_problem_of_the_ride() -> None:
    along = ride(limits={"rod_pull": 10.0})
    assert not along.ok
    assert [requirement.name for requirement in along.broken] == ["rod pull"]
    with pytest.raises(UnfollowableError, match="rod"):
        along.raise_if_not()


def test_a_faster_pace_uses_more() -> None:
    along = ride(limits=LIMITS)
    faster = along.sped_up(1.3)
    assert faster["joint acceleration"].value == pytest.approx(1.69 * along["joint acceleration"].value, rel=1e-9)


def test_out_of_reach_nothing_is_said_of_loads() -> None:
    model = stating("par4", limits=LIMITS)
    far = pp.hold((2.0, 0.0, -0.7, 0.0), 0.1)
    along = Ride.along(model, far)
    assert not along.instant_requirements
    assert not along.ok


def test_what_is_not_stated_has_its_field() -> None:
    assert not not_stated(pp.load("par4"))
    assert not_stated(stating("par4", limits=LIMITS)) == (
        "motor torque at speed (drive.curve.peak)",
        "gearbox torque, peak (drive.gearbox.peak_torque)",
        "joint jerk (limits.joint_jerk)",
    )
