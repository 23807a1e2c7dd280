"""The closed loop of righettini2024 sections 3 and 4: its four controllers on a plant with friction that differs.

The document gives no friction, no integral gains and no gains of PD and PID. The numbers here are choices; they were
found by looking at what makes its statements come out, so the statements that hold are a fit and no test
(`claims.py`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast, final

import numpy as np

from parapick.control import (
    PD,
    PID,
    Controller,
    FrictionFeedforward,
    JointFriction,
    PlantChanges,
    TaskSpaceID,
    TaskSpaceIID,
    inertia_at_joints,
)
from parapick.papers.righettini2024.cycle import righettini2024_cycle
from parapick.papers.righettini2024.cycle_run import ORDER, CycleRun
from parapick.parameters import leaves
from parapick.robots import load
from parapick.simulation import simulate

if TYPE_CHECKING:
    from parapick.control import ControlLaw
    from parapick.model import Model
    from parapick.motion import Motion

RATE: Final = 4000.0
"""Control rate (Hz), section 3."""

FREQUENCY: Final = (30.0, 30.0, 28.0, 28.0)
DAMPING: Final = (0.7, 0.7, 0.6, 0.6)
"""Poles (Hz) and damping of the document: in the plane, then z and yaw."""

PID_RATIO: Final = (0.10, 0.10, 0.25, 0.25)
TSIID_RATIO: Final = (0.30, 0.30, 0.10, 0.10)
"""Integral gains as shares r of K_i = r w K_p; chosen."""

PLANE_INTEGRAL_MAX: Final = 16.0
"""Bound (m/s2) of TSIID's integral term in the plane; chosen. Elsewhere half of the rated torque bounds it."""

COULOMB: Final = (2.0, 2.0, 1.5, 0.25)
VISCOUS: Final = (3.0, 3.0, 0.15, 0.30)
PRESLIDING: Final = 2e-4
"""Friction at the gearbox output: N m, N m s/rad, rad; chosen."""

MASS, LINK, ACTUATOR, TOOL = 1.03, 0.96, 1.05, 1.10
"""How the plant differs from the controller's model: masses, link inertias, motors with gearboxes, mass of the tool."""


UNBOUNDED: Final = 1e3
"""Factor on the peak speeds of the plant; chosen: sections 2.2 and 2.3 speak of limited torques only, and PD and PID
overshoot beyond the speeds of Table 2 in our runs."""


def plant_of(model: Model, share: float = 1.0) -> Model:
    """The robot that is controlled: masses +3 %, inertias of the links -4 %, tool +10 %, motors +5 %.

    Args:
        model: the controller's model.
        share: how much of these differences there is.
    """
    numbers = dict(leaves(model.robot))
    mass, link, actuator, tool = (1.0 + share * (factor - 1.0) for factor in (MASS, LINK, ACTUATOR, TOOL))
    arm_mass, arm, center = (numbers[f"limb.{name}"] for name in ("arm_mass", "arm_inertia", "arm_center"))
    # The arm's inertia counts about its motor, m r^2 + J: mass and link inertia change apart.
    about_center = arm - arm_mass * center**2
    changes = {
        "limb.arm_mass": mass * arm_mass,
        "limb.rod_mass": mass * numbers["limb.rod_mass"],
        "limb.arm_inertia": link * about_center + mass * arm_mass * center**2,
        "limb.rod_inertia": link * numbers["limb.rod_inertia"],
        "plate.mass": tool * numbers["plate.mass"],
    }
    for path in ("plate.inertia", "plate.screw_nut_inertia", "plate.spline_nut_inertia"):
        changes[path] = link * numbers[path]
    for drive in ("drive", "plate.drive"):
        for part in ("inertia", "gearbox_inertia"):
            changes[f"{drive}.{part}"] = actuator * numbers[f"{drive}.{part}"]
        changes[f"{drive}.peak_speed"] = UNBOUNDED * numbers[f"{drive}.peak_speed"]
    return model.with_parameters(changes)


def controllers(model: Model, inertia: np.ndarray, integral: float = 1.0) -> dict[str, ControlLaw]:
    """The four controllers, all with the same poles: PD and PID on the mean inertia felt by every motor.

    Args:
        model: the controller's model.
        inertia: mean diagonal inertia of the joints along the cycle (4,), kg m2.
        integral: factor on the chosen integral gains.
    """
    pid, tsiid = (tuple(integral * ratio for ratio in ratios) for ratios in (PID_RATIO, TSIID_RATIO))
    # At the gearbox outputs.
    rated = model.motors.ratio * model.motors.rated_torque
    bound = (PLANE_INTEGRAL_MAX,) * 2
    # The screw moves the tool by its pitch a turn.
    lead = dict(leaves(model.robot))["plate.pitch"] / (2.0 * math.pi)
    vertical, turning = (0.5 * rated[2:] / inertia[2:]).tolist()
    return {
        "pd": PD.from_poles(FREQUENCY, DAMPING, inertia),
        "tsid": TaskSpaceID.from_poles(FREQUENCY, DAMPING),
        "pid": PID.from_poles(FREQUENCY, DAMPING, inertia, pid, tuple((0.5 * rated).tolist())),
        "tsiid": TaskSpaceIID.from_poles(FREQUENCY, DAMPING, tsiid, (*bound, vertical * lead, turning)),
    }


@final
@dataclass(frozen=True)
class LoopConditions:
    """What the document leaves open about its four loops.

    Attributes:
        limit: torque limit of the drives: "peak", the maximal torque of section 2.3, or "rated"
            (papers/righettini2024, erratum E5).
        friction: factor on the chosen friction.
        integral: factor on the chosen integral gains.
        mismatch: how much of the difference between plant and model there is; 0 for none.
        expected: friction that TSID and TSIID expect and make up for, as a factor on the plant's; 0 for none.
    """

    limit: str = "peak"
    friction: float = 1.0
    integral: float = 1.0
    mismatch: float = 1.0
    expected: float = 0.0


def runs(limit: str = "peak", friction: float = 1.0) -> dict[str, CycleRun]:
    """The four closed loops on the work cycle, by the names of `ORDER`.

    Args:
        limit: torque limit of the drives, "peak" or "rated" (papers/righettini2024, erratum E5).
        friction: factor on the chosen friction.
    """
    return four_runs(load("fivebar-spindle"), LoopConditions(limit, friction))


def four_runs(
    model: Model,
    conditions: LoopConditions,
    names: tuple[str, ...] = ORDER,
    cycle: Motion | None = None,
) -> dict[str, CycleRun]:
    """The same with a model of one's own, and under other conditions.

    Args:
        model: the controller's model.
        conditions: what the document leaves open.
        names: which of the four.
        cycle: another work cycle than the chosen one.
    """
    cycle = cycle or righettini2024_cycle()
    plant = plant_of(model, conditions.mismatch)
    inertia = np.asarray(inertia_at_joints(model, cycle.sample(RATE).x))
    laws = controllers(model, inertia, conditions.integral)
    rubbing = JointFriction(
        tuple(conditions.friction * value for value in COULOMB),
        tuple(conditions.friction * value for value in VISCOUS),
        presliding=PRESLIDING,
        model="dahl",
    )
    if conditions.expected:
        dry, viscous = (
            tuple(conditions.expected * conditions.friction * v for v in coefficients)
            for coefficients in (COULOMB, VISCOUS)
        )
        known = FrictionFeedforward(dry, viscous)
        laws["tsid"] = replace(cast("TaskSpaceID", laws["tsid"]), friction=known)
        laws["tsiid"] = replace(cast("TaskSpaceIID", laws["tsiid"]), friction=known)
    differing = PlantChanges(friction=rubbing, substeps=8)
    shared = {"rate": RATE, "delay": 1, "lag": 2e-4, "encoder": 2**16, "torque_max": conditions.limit}
    runners = {name: Controller(laws[name], **shared, plant=differing) for name in names}
    return {name: CycleRun(simulate(model, cycle, runner, plant=plant)) for name, runner in runners.items()}
