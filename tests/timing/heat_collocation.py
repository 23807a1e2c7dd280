"""An independent solver of the fastest cycle under heat and wear: one convex programme over lengths of lines, by IPOPT.

It shares nothing with parapick's timing but the robot: lines are cut evenly, torques are those of inverse dynamics at
the middles of cells, with friction and losses written out here, and the peaks of the motors hold there. Lines start and
end at rest, and what they take and heat is summed over the whole cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import casadi as ca
import numpy as np

import parapick as pp


def fastest_duration(
    model: pp.Model,
    poses: Sequence[Sequence[float]],
    rated: np.ndarray,
    *,
    rest: float = 0.0,
    cells: int = 80,
    mean: float = 1e9,
) -> float:
    """Shortest time (s) of a cycle along lines from pose to pose whose effective torques keep what motors bear.

    What wears a gearbox per angle goes by the third power of the torque at its output, whatever the time.

    Args:
        model: the robot, with what it carries; redundant motors share by least norm.
        poses: task vectors (m, rad) at which the plate stops; at the last of them it rests as well.
        rated: torque that every motor bears for long (n,), N m, at the shaft; infinite without a limit.
        rest: time of the rest (s).
        cells: cells of a line.
        mean: mean torque that every gearbox bears at its output (N m).
    """
    total = ca.MX.sym("T")
    unknowns, low, high, guess = [total], [0.0], [np.inf], [1.0]
    conditions: list[Any] = []
    times, heat = ca.MX(rest), ca.MX(rest * _holding(model, poses[-1]) ** 2)
    worn, angle = ca.MX(0.0), np.zeros(len(rated))
    for start, end in pairwise(poses):
        line, u = _Line(model, np.array(start), np.array(end), cells), ca.MX.sym("u", cells - 1)
        unknowns.append(u)
        low, high, guess = [*low, *[1e-6] * (cells - 1)], [*high, *line.caps], [*guess, *line.guess]
        p, q = ca.vertcat(0, u), ca.vertcat(u, 0)
        # A root has no slope at rest.
        time = 2 * line.h / (ca.sqrt(p + 1e-14) + ca.sqrt(q + 1e-14))
        torque = line.torque(p, q)
        times, heat = times + ca.sum1(time), heat + ca.sum1(ca.repmat(time, 1, torque.size2()) * torque**2).T
        turned = np.abs(line.rate) * line.h
        worn, angle = worn + ca.sum1(turned * ca.fabs(line.passed(p, q) / mean) ** 3).T, angle + turned.sum(axis=0)
        conditions.append(ca.vec(torque / np.tile(model.motors.peak_torque, (cells, 1))))
    sums = [times - total, heat / np.square(rated) - total, worn - angle]
    solver = ca.nlpsol(
        "cool",
        "ipopt",
        {"x": ca.vertcat(*unknowns), "f": total, "g": ca.vertcat(*conditions, *sums)},
        {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False, "ipopt.tol": 1e-7},
    )
    peaks, count = np.ones(sum(condition.numel() for condition in conditions)), 1 + 2 * len(rated)
    least, most = np.append(-peaks, np.full(count, -np.inf)), np.append(peaks, np.zeros(count))
    answer = solver(x0=guess, lbx=low, ubx=high, lbg=least, ubg=most)
    assert solver.stats()["success"], solver.stats()["return_status"]
    return float(answer["f"])


def _holding(model: pp.Model, pose: Sequence[float]) -> np.ndarray:
    """Torques that hold the plate (n,), N m, at the shafts."""
    nothing = np.zeros(len(pose))
    return model.inverse_dynamics(pose, nothing, nothing) / model.motors.ratio


class _Line:
    """A line, and what the motors give along it by acceleration b and squared speed u at the middles of its cells."""

    def __init__(self, model: pp.Model, start: np.ndarray, end: np.ndarray, cells: int) -> None:
        self.motors = model.motors
        length = float(np.linalg.norm((end - start)[:3]))
        self.h, along = length / cells, (end - start) / length
        x = start + along * self.h * (np.arange(cells) + 0.5)[:, None]
        d, still = np.broadcast_to(along, x.shape), np.zeros_like(x)
        self.weight = model.inverse_dynamics(x, still, still)
        self.by_b = model.inverse_dynamics(x, still, d) - self.weight
        self.by_u = model.inverse_dynamics(x, d, still) - self.weight
        self.rate, self.bend = model.joint_rates(x, d), model.joint_accelerations(x, d, still)
        nodes = start + along * self.h * np.arange(1, cells)[:, None]
        turned = np.abs(model.joint_rates(nodes, np.broadcast_to(along, nodes.shape))) * self.motors.ratio
        self.caps = np.square((self.motors.peak_speed / np.maximum(turned, 1e-9)).min(axis=1))
        share = np.arange(1, cells) / cells
        self.guess = np.minimum(4.0 * length * np.minimum(share, 1.0 - share), 0.5 * self.caps)

    def torque(self, p: Any, q: Any) -> Any:
        """Torques at the shafts (cells, n), N m, by the squared speeds at both ends of the cells."""
        passed, rotor = self.passed(p, q), self._rotor(p, q)
        efficiency = np.broadcast_to(self.motors.efficiency, self.rate.shape)
        # What drives the joint is divided by the efficiency, what the joint drives is multiplied by it.
        ahead, back = passed / efficiency, passed * efficiency
        lost = ca.if_else(ca.DM(self.rate) > 0, ca.fmax(ahead, back), ca.fmin(ahead, back))
        return (rotor + lost) / np.broadcast_to(self.motors.ratio, self.rate.shape)

    def passed(self, p: Any, q: Any) -> Any:
        """Torques at the outputs of the gearboxes (cells, n), N m: all but what accelerates the rotors."""
        b, u = self._state(p, q)
        rubbing = np.sign(self.rate) * self.motors.coulomb + self.motors.viscous * self.rate * ca.sqrt(u)
        return self.by_b * b + self.by_u * u + self.weight + rubbing - self._rotor(p, q)

    def _rotor(self, p: Any, q: Any) -> Any:
        b, u = self._state(p, q)
        return np.tile(self.motors.inertia, (len(self.rate), 1)) * (self.rate * b + self.bend * u)

    def _state(self, p: Any, q: Any) -> tuple[Any, Any]:
        """Accelerations along the line and squared speeds at the middles of cells, for every motor (cells, n)."""
        count = self.weight.shape[1]
        return ca.repmat((q - p) / (2 * self.h), 1, count), ca.repmat((p + q) / 2, 1, count)
