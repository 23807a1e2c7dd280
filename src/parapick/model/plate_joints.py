"""Forces in the plate's own joints: guides, hinges, screw, telescope, bearing of the tool.

Beyond a joint lie some bodies of the plate and the legs that hold them. With p from the joint to a body, its force
`f = m (a + g)`, M what turning bodies need, `hold_i` the force of the plate on the rods of a leg and
`spacing_i delta_i f_i x s_i` its moment on them (see `forces`), the joint passes to them

    F = sum f + sum_i hold_i
    M = sum (p x f + M e_z) + sum_i (p_i x hold_i + spacing_i delta_i f_i x s_i)

What of this a joint bears, and what passes beside it through a rack, a belt or a thread, the plate says by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, final

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParameterError
from parapick.mechanism.plates import PlateCut, PlatePose, Wrench
from parapick.mechanism.robot import Robot
from parapick.model.dynamics import PARTS, PlateState, balance, payload_offset, plate_loads
from parapick.model.expression import Expression
from parapick.model.forces import HeldRods, held_rods, pair_differences
from parapick.model.terms import Motions, total
from parapick.model.torques import shared_torque, state_of, validity_of

if TYPE_CHECKING:
    from parapick.model.asked import AskedModel


@final
@dataclass(frozen=True, eq=False)
class PlateJointLoads:
    """What the joints of a plate pass, for a batch of states; NaN where inner forces are.

    Each load is that of the body nearer to the plate's centre on the farther one, about the joint's point. Its four
    components count along and across the joint's axis. A hinge bears thrust (`axial`), `lateral` force and tilting
    moment (`bending`), while the `torque` about its axis is a belt's or a gear's; a guide bears `lateral` force, roll
    (`torque`) and pitch with yaw (`bending`), while the `axial` force is its rack's; a screw bears all four, as the
    spline does without the axial one. A telescope passes a moment alone.

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

    @property
    def axial(self) -> np.ndarray:
        """Force along the axis (..., joints), N."""
        return np.sum(self.force * self.axis, axis=-1)

    @property
    def lateral(self) -> np.ndarray:
        """Size of the force across the axis (..., joints), N."""
        return np.linalg.norm(self.force - self.axial[..., None] * self.axis, axis=-1)

    @property
    def torque(self) -> np.ndarray:
        """Moment about the axis (..., joints), N m."""
        return np.sum(self.moment * self.axis, axis=-1)

    @property
    def bending(self) -> np.ndarray:
        """Size of the moment across the axis (..., joints), N m."""
        return np.linalg.norm(self.moment - self.torque[..., None] * self.axis, axis=-1)

    def components(self) -> dict[str, np.ndarray]:
        """The four components (..., joints) by name, N and N m."""
        return {"axial": self.axial, "lateral": self.lateral, "torque": self.torque, "bending": self.bending}


COMPONENTS: Final = {"axial": "N", "lateral": "N", "torque": "N m", "bending": "N m"}
"""Components of a joint's load, and their units."""


def joint_names(robot: Robot) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and kinds of the joints of a robot's plate; empty where it is one body.

    Args:
        robot: the description.
    """
    joints = robot.plate.traits.joints
    return tuple(joint.name for joint in joints), tuple(joint.kind for joint in joints)


def unknown_joints(robot: Robot) -> str:
    """Which number the file must state for the forces in the plate's joints, as a path; empty where none is missing.

    Args:
        robot: the description.
    """
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
    model: AskedModel, x: ArrayLike, xd: ArrayLike, xdd: ArrayLike, payload: np.ndarray
) -> PlateJointLoads:
    """The loads at a batch of states.

    Args:
        model: the robot.
        x: task vectors (..., dof), m and rad.
        xd: their rates (..., dof), m/s and rad/s.
        xdd: their accelerations (..., dof), m/s2 and rad/s2.
        payload: what the tool holds (..., 5), as kernels take it.

    Raises:
        ParameterError: the file lacks a number that they depend on.
    """
    if path := unknown_joints(model.robot):
        raise ParameterError(path, why_unknown(path))
    names, kinds = joint_names(model.robot)
    if not names:
        given = {"x": x, "xd": xd, "xdd": xdd}
        shape = np.broadcast_shapes(*(reals(name, value).shape[:-1] for name, value in given.items()))
        return PlateJointLoads((), (), *(np.zeros((*shape, 0, 3)) for _ in range(3)))
    rows = model.kernel("plate_joint_loads")(x, xd, xdd, payload, model.parameters)
    return PlateJointLoads(names, kinds, *rows)


def plate_joint_loads(robot: Robot) -> Expression:
    """Axis, force and moment of every joint of the plate, a row each; motors and pairs share as in `inner_forces`."""
    state = state_of(robot)
    forces, plate = balance(robot, state), robot.plate_pose(state.x)
    torque, value = shared_torque(robot, forces, PARTS)
    held = held_rods(robot, forces, torque)
    deltas, _, regular = pair_differences(robot, state, held)
    wrenches = plate.joint_loads(_cut(robot, plate, state, held, deltas))
    outputs = {
        "axis": ca.vertcat(*(ca.SX(axis).T for axis in plate.joint_axes)),
        "force": ca.vertcat(*(wrench.force.T for wrench in wrenches)),
        "moment": ca.vertcat(*(wrench.moment.T for wrench in wrenches)),
    }
    dense = {name: ca.densify(rows) for name, rows in outputs.items()}
    return Expression(state.inputs, dense, ca.vertcat(validity_of(forces, value), regular))


def _cut(robot: Robot, plate: PlatePose, state: PlateState, held: list[HeldRods], deltas: list[Any]) -> PlateCut:
    needs = list(_needs(robot, plate, state))

    def cut(point: Any, bodies: Collection[str], legs: Sequence[int] = ()) -> Wrench:
        force, moment = ca.SX.zeros(3), ca.SX.zeros(3)
        for name, at, wrench in needs:
            if name in bodies:
                force, moment = force + wrench.force, moment + wrench.moment + ca.cross(at - point, wrench.force)
        for i in legs:
            leg, hold = held[i].leg, held[i].hold
            spacing = 0.0 if robot.limb.rods != 2 else leg.rods.spacing
            couple = spacing * deltas[i] * ca.cross(leg.pair, held[i].direction)
            force, moment = force + hold, moment + couple + ca.cross(plate.points[i] - point, hold)
        return Wrench(force, moment)

    return cut


def _needs(robot: Robot, plate: PlatePose, state: PlateState) -> Iterator[tuple[str, Any, Wrench]]:
    """What every body of the plate and the payload need, each with its name and the point where it acts."""
    loads = iter(plate_loads(robot, plate, Motions(state.x, state.xd, state.xdd), state.payload))
    none = ca.SX.zeros(3)
    for part in plate.parts:
        yield part.name, part.point, Wrench(total(next(loads).terms), none)
    for bar in plate.bars:
        for end in (bar.start, bar.end):
            yield bar.name, end, Wrench(total(next(loads).terms), none)
    for body in plate.yaws:
        yield body.name, none, Wrench(none, ca.vertcat(0.0, 0.0, total(next(loads).terms)))
    carried, _, turned = loads
    at = plate.tool.point + payload_offset(plate.tool, state.payload)
    yield "payload", at, Wrench(total(carried.terms), ca.vertcat(0.0, 0.0, total(turned.terms)))
