"""One sample of the controlled stop, as expressions.

Letters: `s` path time, `pace` its rate, `slowing` = -s''; `x_s`, `x_ss` first and second derivative of the path by s.
A sample tries `CHOICES` slowings one after the other, from the strongest to none, each by `stop_try`; the strongest
under which every motor keeps its share of the torque limit is taken, and where none is that of the least load. Then
`stop_advance` gives what is wanted at the sample, and path time and pace at the next.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import Any, Final

import casadi as ca

from parapick.formulas import ROOMS, Expression, expression_of, inlined, sharing_kernel
from parapick.kernel import Kernel, Reads, Recipe, Scan, build, build_scan, known, known_scan_by_reads
from parapick.mechanism import Robot
from parapick.parameters import structure, symbols_of

CHOICES: Final = 33
"""Slowings that are tried at every sample, from the stated one to none."""

STILL: Final = 1e-12
"""Pace that is what rounding leaves of a sum of slowings."""

TRIED: Final = ("choice", "kept", "slowing", "load")
"""What one try hands on to the next: how many were made, whether the best so far keeps its share of the torque limits,
that slowing (1/s), and the largest share of its limit that a motor then needs."""

UNTRIED: Final = (0.0, 0.0, 0.0, math.inf)
"""The same before the first try."""


def stop_try(robot: Robot, sharing: str) -> Expression:
    """One slowing tried: `xd = x_s pace`, `xdd = x_ss pace^2 - x_s slowing`, and the torques of the drives then.

    `load` is the largest |torque| ratio / torque_max; infinite where the pose is out of reach.

    Args:
        robot: the controller's description, with symbols in its fields.
        sharing: how the motors of a redundant robot share.
    """
    sym, dof = ca.SX.sym, robot.dof
    before = {name: sym(name) for name in TRIED}
    course = {name: sym(name, dof) for name in ("x", "x_s", "x_ss")}
    held = {"pace": sym("pace"), "slowing_max": sym("slowing_max"), "reserve": sym("reserve")}
    payload, torque_max = sym("payload", 5), sym("torque_max", robot.motors)
    most = ca.if_else(held["pace"] == 0.0, 0.0, held["slowing_max"])
    slowing = most * (1.0 - before["choice"] / (CHOICES - 1))
    rates = _rates(course["x_s"], course["x_ss"], held["pace"], slowing)
    load = _load(robot, sharing, (course["x"], *rates, payload), torque_max)
    keeps = load <= 1.0 - held["reserve"]
    better = ca.logic_or(before["choice"] == 0.0, ca.logic_or(keeps, load < before["load"]))
    taken = ca.logic_and(ca.logic_not(before["kept"]), better)
    outputs = {
        "choice_next": before["choice"] + 1.0,
        "kept_next": ca.logic_or(before["kept"], keeps),
        "slowing_next": ca.if_else(taken, slowing, before["slowing"]),
        "load_next": ca.if_else(taken, load, before["load"]),
    }
    return Expression(before | course | held | {"payload": payload, "torque_max": torque_max}, outputs)


def _rates(first: Any, second: Any, pace: Any, slowing: Any) -> tuple[Any, Any]:
    """Rate and acceleration along a path whose time runs at a pace and slows down."""
    return first * pace, second * pace**2 - first * slowing


def _load(robot: Robot, sharing: str, state: tuple[Any, ...], torque_max: Any) -> Any:
    """Largest share of its torque limit that a motor needs; infinite where the pose is out of reach or singular."""
    drives = expression_of(sharing_kernel(robot, "drive_torque", sharing), robot)
    inputs = [drives.inputs[name] for name in ("x", "xd", "xdd", "payload")]
    torque, valid = inlined([drives.outputs["torque"], drives.validity], inputs, [*state])
    ratios = ca.vertcat(*(drive.ratio for drive in robot.motor_drives()))
    shares = ca.fabs(torque) * ratios / torque_max
    return ca.if_else(_fold(ca.fmin, valid) >= 0.0, _fold(ca.fmax, shares), math.inf)


def _fold(choose: Any, column: Any) -> Any:
    return reduce(choose, ca.vertsplit(column))


def stop_advance(dof: int) -> Expression:
    """What is wanted at the sample under the slowing that was taken, and path time and pace at the next.

    `pace_next = pace - slowing period`, 0 where only rounding is left; `s_next = s + (pace + pace_next) period / 2`.

    Args:
        dof: length of the task vector.
    """
    s, pace, slowing, period = (ca.SX.sym(name) for name in ("s", "pace", "slowing", "period"))
    first, second = ca.SX.sym("x_s", dof), ca.SX.sym("x_ss", dof)
    after = pace - slowing * period
    after = ca.if_else(after > STILL, after, 0.0)
    xd, xdd = _rates(first, second, pace, slowing)
    inputs = {"s": s, "pace": pace, "slowing": slowing, "period": period, "x_s": first, "x_ss": second}
    return Expression(inputs, {"s_next": s + 0.5 * (pace + after) * period, "pace_next": after, "xd": xd, "xdd": xdd})


def stop_begin() -> Expression:
    """The beginning of a stop: path time at its first sample, and the strongest slowing that is tried.

    `s_next = s + pace period`, `slowing_max = max(pace, 1) / stop_time`.
    """
    s, pace, period, stop_time = (ca.SX.sym(name) for name in ("s", "pace", "period", "stop_time"))
    outputs = {"s_next": s + pace * period, "slowing_max": ca.fmax(pace, 1.0) / stop_time}
    return Expression({"s": s, "pace": pace, "period": period, "stop_time": stop_time}, outputs)


def try_scan(robot: Robot, sharing: str) -> Scan:
    """`stop_try` as the substep of a scan: one step of it is a sample, whose substeps are the tries.

    Its state is `TRIED`, its series are the other inputs of `stop_try`.

    Args:
        robot: the controller's description.
        sharing: how the motors of a redundant robot share.
    """
    key = structure(robot)

    def make(reads: Reads) -> Scan:
        from parapick.kernel import Substep

        parameters, symbolic = symbols_of(key, reads)
        one = stop_try(symbolic, sharing)
        state = ca.vertcat(*(one.inputs[name] for name in TRIED))
        held = {name: column for name, column in one.inputs.items() if name not in TRIED}
        given = {name: ca.SX.sym(f"{name}_now", column.numel()) for name, column in held.items()}
        start = ca.SX.sym("start", len(TRIED))
        substep = Substep(
            state,
            ca.vertcat(*held.values()),
            ca.vertcat(*(one.outputs[f"{name}_next"] for name in TRIED)),
            values=ca.vertcat(*given.values()),
        )
        return build_scan("stop_try", start, given, parameters, start, {"tried": start[0]}, substep)

    return known_scan_by_reads(Recipe((*ROOMS, "parapick.supervision"), f"stop_try {sharing}", key), make)


def advance_kernel(dof: int) -> Kernel:
    """The kernel of `stop_advance`.

    Args:
        dof: length of the task vector.
    """
    return _kernel("stop_advance", (dof,))


def begin_kernel() -> Kernel:
    """The kernel of `stop_begin`."""
    return _kernel("stop_begin", ())


def _kernel(name: str, sizes: tuple[int, ...]) -> Kernel:
    def made() -> Kernel:
        expression = {"stop_advance": stop_advance, "stop_begin": stop_begin}[name](*sizes)
        return build(name, expression.inputs, None, expression.outputs)

    return known(Recipe(("parapick.supervision",), name, sizes), made)
