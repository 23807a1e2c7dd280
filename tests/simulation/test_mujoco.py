"""The same controller drives MuJoCo's model of the robot instead of ours."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from loops import looped
from parapick.control import JointFriction, SineTerm, TaskSpaceID
from parapick.errors import ParameterError
from parapick.motion import Motion, straight
from parapick.papers.wu2020 import control as wu2020_control
from parapick.papers.wu2020.cycles import wu2020_cycle
from simulation.cases import SERVO, cycle, delta

pytest.importorskip("mujoco")

ENGINES = ("native", "mujoco")
EXACT, MEASURED = 1e-6, 1e-5
"""Largest distance of the two plates along a cycle (m; yaw counts with the plate's own length), with exact sensors and
with encoders and friction: the rounding of an encoder decides differently now and then."""


def there_and_back() -> Motion:
    """A quick cycle of the five-bar, all four coordinates moving."""
    there = straight((-0.15, 0.28, 0.0, 0.0), (0.15, 0.34, -0.005, 1.0), duration=0.25)
    return there.then(there.reversed())


@pytest.mark.parametrize("name", ["delta-r4", "par4", "fivebar-spindle"])
def test_both_plants_move_alike(name: str) -> None:
    model = pp.load(name)
    motion = there_and_back() if name == "fivebar-spindle" else pp.adept_cycle(model, cycles_per_minute=120)
    law = TaskSpaceID.from_poles(20.0, 0.8, sharing="least-norm")
    scale = np.array([1.0, 1.0, 1.0, float(model.robot.plate.yaw_length)])[: model.robot.dof]
    real = {"encoder": 65536, "friction": JointFriction(1.0, 0.5), "delay": 1, "lag": 2e-4}
    # One robot tells of encoders, friction, delay and lag: they are the same code before either plant.
    for settings, most in (({}, EXACT), (real, MEASURED))[: 2 if name == "par4" else 1]:
        ours, theirs = (looped(model, motion, law, engine=engine, substeps=1, **settings) for engine in ENGINES)
        assert len(theirs.t) == len(ours.t)
        assert np.max(np.abs(scale * (theirs.x - ours.x))) < most
        assert np.ptp(ours.x, axis=0).max() > 0.29


def test_wu2020_converges_with_the_step() -> None:
    """MuJoCo's loops turn stiffer with the step: half of it leaves about a quarter of the distance to our plant."""
    controlled = wu2020_control.robot()
    cycle_fit = wu2020_cycle("FIT2", controlled)
    law, rods = wu2020_control.law(wu2020_control.sine_term("FIT2")), pp.load("asymmetric-screw")
    settings = {"plant": rods, "rate": 4000.0}
    exact = looped(controlled, cycle_fit, law, substeps=32, **settings)
    apart = []
    for substeps in (1, 2, 4):
        theirs = looped(controlled, cycle_fit, law, engine="mujoco", substeps=substeps, **settings)
        apart.append(np.max(np.abs(theirs.x - exact.x)[:, :3]))
    assert apart[0] < EXACT
    assert apart[1] < apart[0] / 2.5
    assert apart[2] < apart[1] / 2.5


def test_disturbances_act_alike() -> None:
    settings = {"force": (4.0, 0.0, -3.0), "torque": (0.5, -1.0, 0.0)}
    ours, theirs = (looped(delta(), cycle(), SERVO, engine=engine, substeps=1, **settings) for engine in ENGINES)
    assert np.max(np.abs(theirs.x - ours.x)) < EXACT


def test_what_mujoco_cannot_follow_is_refused() -> None:
    with pytest.raises(ParameterError, match="picks something up while it moves"):
        looped(delta(), cycle().carrying(0.5, 0.1, 0.2), SERVO, engine="mujoco")
    with pytest.raises(ParameterError, match="sine: is not known to MuJoCo"):
        looped(delta(), cycle(), SERVO, engine="mujoco", sine=SineTerm())
    with pytest.raises(ParameterError, match="timestep"):
        looped(delta(), cycle(), SERVO, engine="mujoco", rate=1000.0, substeps=1)
