"""Loads of the plate's own joints at a batch of states: guides, hinges, screw, telescope, bearing of the tool.

`formulas/plate_joint_forces.py` derives them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParameterError
from parapick.mechanism import Robot
from parapick.model.robot_kernels import RobotKernels


@final
@dataclass(frozen=True, eq=False)
class PlateJointLoads:
    """What the joints of a plate pass, for a batch of states; NaN where inner forces are.

    Each load is that of the body nearer to the plate's centre on the farther one, about the joint's point. Its four
    components count along and across the joint's axis. A hinge bears thrust (`axial`), `lateral` force and tilting
    moment (`bending`), while the `torque` about its axis is a belt's or a gear's; a guide bears `lateral` force, roll
    (`torque`) and pitch with yaw (`bending`), while the `axial` force is its rack's; a screw bears all four, as the
    spline does without the axial one. A telescope without mass passes a moment alone; real
    halves lean on the tool with a force too.

    Attributes:
        names: name of every joint.
        kinds: kind of every joint: hinge, slide, screw, spline or telescope.
        axis: unit vector of its axis (..., joints, 3).
        force: force (..., joints, 3), N.
        moment: moment (..., joints, 3), N m.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    axis: np.ndarray
    force: np.ndarray
    moment: np.ndarray

    @cached_property
    def axial(self) -> np.ndarray:
        """Force along the axis (..., joints), N."""
        return np.sum(self.force * self.axis, axis=-1)

    @cached_property
    def lateral(self) -> np.ndarray:
        """Size of the force across the axis (..., joints), N."""
        return np.linalg.norm(self.force - self.axial[..., None] * self.axis, axis=-1)

    @cached_property
    def torque(self) -> np.ndarray:
        """Moment about the axis (..., joints), N m."""
        return np.sum(self.moment * self.axis, axis=-1)

    @cached_property
    def bending(self) -> np.ndarray:
        """Size of the moment across the axis (..., joints), N m."""
        return np.linalg.norm(self.moment - self.torque[..., None] * self.axis, axis=-1)

    def components(self) -> dict[str, np.ndarray]:
        """The four components (..., joints) by name, N and N m."""
        return {"axial": self.axial, "lateral": self.lateral, "torque": self.torque, "bending": self.bending}


COMPONENTS: Final = {"axial": "N", "lateral": "N", "torque": "N m", "bending": "N m"}
"""Components of a joint's load, and their units."""


def joint_names(robot: Robot) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and kinds of the joints of a robot's plate; empty where it is one body."""
    joints = robot.plate.traits.joints
    return tuple(joint.name for joint in joints), tuple(joint.kind for joint in joints)


def unknown_joints(robot: Robot) -> str:
    """Which number the file must state for the forces in the plate's joints, as a path; empty where none is missing."""
    traits = robot.plate.traits
    if not traits.joints:
        return ""
    # Legs that meet in one point leave the plate nothing that rod pairs would hold level.
    if not traits.one_point and (robot.limb.rods != 2 or robot.limb.rod_spacing is None):
        return "limb.rod_spacing" if robot.limb.rods == 2 else "limb.rods"
    missing = [name for name in traits.joint_fields if getattr(robot.plate, name) is None]
    return f"plate.{missing[0]}" if missing else ""


def why_unknown(path: str) -> str:
    """Why forces in the plate's joints need a number that the file does not state.

    Args:
        path: where it stands in the file.
    """
    if path == "limb.rods":
        return "is not 2: what keeps the plate level is not in the file, so the forces in its joints are not known"
    return "is not in the file; the forces in the plate's joints depend on it"


def plate_joint_loads_at(
    kernels: RobotKernels, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike, payload: np.ndarray
) -> PlateJointLoads:
    """The loads at a batch of states.

    Args:
        x: task vectors (..., dof), m and rad.
        xd: their rates (..., dof), m/s and rad/s.
        xdd: their accelerations (..., dof), m/s2 and rad/s2.
        payload: what the tool holds (..., 5), as kernels take it.

    Raises:
        ParameterError: the file lacks a number that they depend on.
    """
    if path := unknown_joints(kernels.robot):
        raise ParameterError(path, why_unknown(path))
    names, kinds = joint_names(kernels.robot)
    if not names:
        states = {"x": x, "xd": xd, "xdd": xdd}
        shape = np.broadcast_shapes(*(reals(name, value).shape[:-1] for name, value in states.items()))
        return PlateJointLoads((), (), *(np.zeros((*shape, 0, 3)) for _ in range(3)))
    rows = kernels("plate_joint_loads", x, xd, xdd, payload)
    return PlateJointLoads(names, kinds, *rows)
