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
from typing import Any

import casadi as ca

from parapick.formulas.dynamics import PARTS, PlateState, balance, payload_offset, plate_loads
from parapick.formulas.expression import Expression
from parapick.formulas.rod_forces import HeldRods, held_rods, pair_differences
from parapick.formulas.terms import Motions, total
from parapick.formulas.torques import shared_torque, state_of, validity_of
from parapick.mechanism import Robot
from parapick.mechanism.plates import PlateCut, PlatePose, Wrench


def plate_joint_loads(robot: Robot) -> Expression:
    """Axis, force and moment of every joint of the plate, a row each; motors and pairs share as in `inner_forces`."""
    state = state_of(robot)
    forces, plate = balance(robot, state), robot.plate_pose(state.x)
    torque, value = shared_torque(robot, forces, PARTS)
    legs = held_rods(robot, forces, torque)
    deltas, _, regular = pair_differences(robot, state, legs)
    wrenches = plate.joint_loads(_cut(robot, plate, state, legs, deltas))
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
    for body in plate.swings:
        yield body.name, body.point, Wrench(total(next(loads).terms), none)
        # Each axis e with its second moment S has the angular momentum `S e x ed`.
        for axis in body.axes:
            yield body.name, none, Wrench(none, ca.cross(axis, total(next(loads).terms)))
    carried, _, turned = loads
    at = plate.tool.point + payload_offset(plate.tool, state.payload)
    yield "payload", at, Wrench(total(carried.terms), ca.vertcat(0.0, 0.0, total(turned.terms)))
