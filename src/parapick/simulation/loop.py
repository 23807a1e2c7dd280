"""A closed loop as one frozen description: controller, plant, law, drives, sensors and friction.

Its floats are the inputs of the compiled loop, its structure is the key by which compiled loops are shared. A gain is
`law.kp.1`, a mass of the plant `plant.plate.mass`, the controller's belief of it `controller.plate.mass`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from parapick.control import (
    ControlLaw,
    DriveTrain,
    Eccentricity,
    Encoder,
    FrictionRipple,
    JointFriction,
    Numbers,
    SineTerm,
    per_joint,
)
from parapick.fields import label, quantity
from parapick.mechanism import Robot


@final
@dataclass(frozen=True)
class Drives:
    """What lies between the torque a law wants and the torque at the arm axes."""

    torque_max: tuple[float, ...] = label("largest torque at each arm axis (N m); infinite without a limit")
    lag: Numbers | None = per_joint("s", "time constant of the torque loop; None: no lag", default=None, above=0.0)
    delay: int = label("whole samples between measurement and torque", default=0)
    losses: bool = label("whether the gearboxes of the plant lose what their efficiency says", default=False)
    speeds: bool = label("whether the motors of the plant drive no faster than their peak speed", default=False)


@final
@dataclass(frozen=True)
class Swing:
    """How a payload swings; see `parapick.control.LoosePayload`."""

    frequency: float = quantity("Hz", "frequency of the swing", above=0.0)
    damping: float = quantity("", "damping ratio of the swing", at_least=0.0)


@final
@dataclass(frozen=True)
class Loop:
    """Everything that is computed in a closed loop.

    Attributes:
        controller: the robot as the controller knows it.
        plant: the robot as it is.
        law: the control law; None where a Python callable stands in for it.
        drives: limits, lag and delay.
        encoder: encoders; None for exact angles.
        friction: friction of the plant; None for none.
        sine: the term f of wu2020 in the plant; None for none.
        forces: whether a force acts on the plate.
        torques: whether disturbing torques act on the joints.
        faults: whether encoders and drives have faults that are made on purpose.
        drive_train: spring between motors and joints, its rotors known; None where they are rigid.
        ripple: how dry friction varies with the angle; None where it does not.
        eccentricity: how far off their axis the encoders are; None for not at all.
        swing: how what is carried swings; None where it does not.
        settling: damping of the bristles of friction over their stiffness (n), s, where brakes hold; otherwise None.
    """

    controller: Robot
    plant: Robot
    law: ControlLaw | None
    drives: Drives
    encoder: Encoder | None = None
    friction: JointFriction | None = None
    sine: SineTerm | None = None
    forces: bool = False
    torques: bool = False
    faults: bool = False
    drive_train: DriveTrain | None = None
    ripple: FrictionRipple | None = None
    eccentricity: Eccentricity | None = None
    swing: Swing | None = None
    settling: tuple[float, ...] | None = None

    @property
    def motors(self) -> int:
        """Number of motors."""
        return self.plant.motors

    @property
    def learns(self) -> bool:
        """Whether the law adds torques that it has learned in cycles before."""
        return getattr(self.law, "learns", False)

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.plant.dof


def names_of(robot: Robot) -> tuple[Any, ...]:
    """What two robots must share to be controller and plant of one loop."""
    return robot.motors, robot.dof, robot.task_names
