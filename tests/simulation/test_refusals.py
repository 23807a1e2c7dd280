"""Settings that a loop cannot have."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import parapick as pp
from loops import looped
from parapick.control import PD, Encoder, JointFriction, LawError, Poles
from parapick.errors import MissingMassError, ParameterError, ShapeError, UnreachableError
from parapick.motion import hold
from parapick.motion.errors import MotionError
from parapick.simulation import simulate
from simulation.cases import SERVO, cycle, delta

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no rate": ({"rate": 0.0}, "rate: is 0 Hz; it must be greater than 0 and at most"),
    "rate nan": ({"rate": float("nan")}, "rate: is nan Hz"),
    "rate too slow": ({"rate": 3.0}, r"rate: is 3 Hz; the motion lasts 0\.4 s, so give at least 5 Hz"),
    "rate too fast": ({"rate": 1e7}, "rate: is 1e\\+07 Hz"),
    "too many samples": ({"rate": 1e6, "settle": 60.0}, "more than 2000000 samples"),
    "a million cycles": (
        {"cycles": 1_000_000},
        r"cycles: is 1000000; at 4000 Hz a run has room for 1250 cycles of 0\.4 s",
    ),
    "cycles without end": ({"cycles": 10**5000}, "cycles: is a huge number; at 4000 Hz a run has room for 1250 cycles"),
    "half a cycle": ({"cycles": 1.5}, r"cycles: is 1\.5; a loop runs through its motion once or more often"),
    "substeps too few": (
        {"rate": 50.0, "substeps": 2},
        "substeps: is 2; at 50 Hz the integration would step by 10 ms, which it cannot follow: give at least 10",
    ),
    "substeps none": ({"substeps": 0}, "substeps: is 0; it must be a whole number, at least 1"),
    "substeps broken": ({"substeps": 1.5}, r"substeps: is 1\.5; it must be a whole number"),
    "encoder coarse": ({"encoder": 1e-4}, "encoder: is 0.0001 counts a motor turn; it must be at least 16"),
    "encoder negative": ({"encoder": Encoder(-1e-4)}, "encoder.resolution: is -0.0001 rad; it must be greater than 0"),
    "torque word": ({"torque_max": "much"}, "torque_max: is 'much'; valid are 'drive', 'peak', 'rated'"),
    "torque missing": ({"torque_max": "rated"}, "torque_max: is 'rated', but delta-nr states no rated_torque"),
    "torque negative": ({"torque_max": -5.0}, "torque_max: is -5.0 N m; it must be greater than 0"),
    "lag": ({"lag": 0.0}, "drives.lag: is 0 s; it must be greater than 0"),
    "delay": ({"delay": -1}, "delay: is -1; it must be a whole number of samples, 0 to 256"),
    "friction": ({"friction": JointFriction((1.0, -1.0, 1.0))}, r"plant\.friction\.coulomb\.2: is -1 N m"),
    "friction stiff": (
        {"friction": JointFriction(viscous=1e5)},
        "substeps: friction has a mode of .* 1/s, which steps of 62.5 us cannot follow: step by at most",
    ),
    "offset": ({"offset": (0.0, np.nan, 0.0)}, "disturbance.offset: is .* it must hold finite numbers"),
    "force": ({"force": (0.0, np.inf, 0.0)}, "disturbance.force: holds a number that is not finite"),
    "engine": ({"engine": "other"}, "engine: is 'other'; valid are native, python, mujoco"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_impossible_settings_are_refused(case: str) -> None:
    settings, message = REFUSED[case]
    with pytest.raises(ParameterError, match=message):
        looped(delta(), cycle(), SERVO, **settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"offset": (0.0, 0.0)}, r"disturbance\.offset has shape \(2,\); it should be \(3,\)"),
        ({"torque_max": (1.0, 2.0)}, r"torque_max has shape \(2,\); it should be a number, or one per motor \(3,\)"),
        (
            {"force": np.zeros(4)},
            r"disturbance\.force has shape \(4,\); it should be \(3,\), or one row per sample \(1601, 3\)",
        ),
        ({"torque": lambda t: np.zeros(2)}, r"disturbance\.torque\(t\) has shape \(2,\); it should be \(3,\)"),
    ],
)
def test_wrong_shapes_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        looped(delta(), cycle(), SERVO, **settings)


def test_plant_must_have_the_controllers_axes() -> None:
    with pytest.raises(ParameterError, match="plant: delta-r4 has 4 motors and 3 freedoms, delta-nr 3 and 3"):
        looped(delta(), cycle(), SERVO, plant=pp.load("delta-r4"))


@pytest.mark.parametrize("controller", [None, 3.0])
def test_what_is_not_a_controller(controller: Any) -> None:
    with pytest.raises(ParameterError, match=r"controller: is .* it must be a Controller, a control law"):
        simulate(delta(), cycle(), controller)


def test_poles_have_as_many_numbers_as_axes() -> None:
    with pytest.raises(LawError, match=r"poles\.frequency: has 2 numbers; it must have 3, or be one number for all"):
        simulate(delta(), cycle(), PD(poles=Poles((20.0, 30.0))))
    with pytest.raises(LawError, match=r"kp: is given beside poles"):
        simulate(delta(), cycle(), PD(100.0, poles=Poles()))
    with pytest.raises(LawError, match=r"kd: is missing; give every gain, or poles"):
        simulate(delta(), cycle(), PD(100.0))


def test_units_are_those_of_the_joints() -> None:
    """A carriage has N and m where an arm has N m and rad."""
    rails = pp.load("delta-linear")
    motion = pp.adept_cycle(rails, cycles_per_minute=60)
    with pytest.raises(LawError, match=r"kp: is -1 N/m; it must be at least 0 N/m"):
        simulate(rails, motion, PD(-1.0, 1.0))
    with pytest.raises(ParameterError, match=r"torque_max: is -5\.0 N; it must be greater than 0"):
        looped(rails, motion, PD(1e4, 1e2), torque_max=-5.0)
    with pytest.raises(ParameterError, match=r"plant\.friction\.viscous: is -1 N s/m"):
        looped(rails, motion, PD(1e4, 1e2), friction=JointFriction(viscous=-1.0))


def test_motion_must_fit() -> None:
    with pytest.raises(MotionError, match="the motion has 4 coordinates and delta-nr has 3"):
        looped(delta(), hold((0.0, 0.0, -0.7, 0.0), 0.1), SERVO)
    with pytest.raises(UnreachableError):
        looped(delta(), hold((0.0, 0.0, -1.7), 0.1), SERVO)
    with pytest.raises(UnreachableError):
        looped(delta(), hold((0.0, 0.0, -0.7), 0.1), SERVO, offset=(0.0, 0.0, -1.0))
    with pytest.raises(MotionError, match="starts"):
        looped(delta(), pp.motion.straight((0.0, 0.0, -0.7), (0.1, 0.0, -0.7), duration=0.1), SERVO, cycles=2)


def test_plant_needs_masses() -> None:
    robot = delta().robot
    bare = dataclasses.replace(delta(), robot=dataclasses.replace(robot, drive=None))
    with pytest.raises(MissingMassError, match=r"drive\.inertia"):
        looped(bare, cycle(), SERVO)
