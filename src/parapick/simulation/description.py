"""A closed loop as one frozen description: controller, plant, law, drives, sensors and friction.

Its floats are the inputs of the compiled loop, its structure is the key by which compiled loops are shared. A gain is
`law.kp.1`, a mass of the plant `plant.plate.mass`, the controller's belief of it `controller.plate.mass`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, final

from parapick.control import Law, SineTerm
from parapick.control.fields import Numbers, per_joint
from parapick.fields import label
from parapick.mechanism.robot import Robot

PRESLIDING: Final = 2e-4
"""Displacement (rad) over which dry friction builds up where none is given."""


@final
@dataclass(frozen=True)
class Encoder:
    """Encoders of finite resolution."""

    resolution: Numbers = per_joint("rad", "smallest step of the angle at the joint", above=0.0)


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
class JointFriction:
    """Friction at the joints of the plant: `(coulomb + stribeck exp(-(qd/v_s)^2)) s + viscous qd`.

    The dry part builds up over a small displacement. "elasto-plastic": `ds/dq = 1 / presliding` until s is -1 or 1, so
    that a joint under less than its breakaway torque is a spring and stays where it is. "dahl": `ds/dq =
    (1 - s sign(qd)) / presliding`, which is smooth, and creeps under a load that swings.
    """

    coulomb: Numbers = per_joint("N m", "Coulomb friction", default=0.0, at_least=0.0)
    viscous: Numbers = per_joint("N m s/rad", "viscous friction", default=0.0, at_least=0.0)
    stribeck: Numbers = per_joint("N m", "breakaway torque above Coulomb's", default=0.0, at_least=0.0)
    stribeck_speed: Numbers = per_joint("rad/s", "speed at which the Stribeck excess decays", default=0.01, above=0.0)
    presliding: Numbers = per_joint("rad", "displacement over which it builds up", default=PRESLIDING, above=0.0)
    model: Literal["elasto-plastic", "dahl"] = label("how the dry part builds up", default="elasto-plastic")


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
    """

    controller: Robot
    plant: Robot
    law: Law | None
    drives: Drives
    encoder: Encoder | None = None
    friction: JointFriction | None = None
    sine: SineTerm | None = None
    forces: bool = False
    torques: bool = False

    @property
    def motors(self) -> int:
        """Number of motors."""
        return self.plant.motors

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.plant.dof


def names_of(robot: Robot) -> tuple[Any, ...]:
    """What two robots must share to be controller and plant of one loop."""
    return robot.motors, robot.dof, robot.task_names
