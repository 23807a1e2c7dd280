"""An independent solver of the fastest timing under joint jerk: one nonlinear programme in time, by IPOPT.

The unknown is the jerk of the curve's parameter, constant in every interval of time. Joint jerks are CasADi's third
derivatives of the joint angles by that parameter: nothing is shared with parapick's timing but the closed legs and the
torques.
"""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np

import parapick as pp
from parapick.formulas.kinematics import inverse_kinematics
from parapick.formulas.torques import inverse_dynamics
from parapick.parameters import resolved
from timing.collocation import Curve


def fastest_under_jerk(model: pp.Model, curve: Curve, jerk: np.ndarray, torque: float, intervals: int = 40) -> float:
    """Shortest time (s) from rest to rest along a curve, without an acceleration at its ends.

    Args:
        model: the robot, not redundant.
        curve: the path, of a parameter from 0 to 1.
        jerk: largest jerk of every joint (n,), rad/s3.
        torque: limit of every motor (N m).
        intervals: intervals of constant jerk of the parameter; limits hold at both ends of each.
    """
    n, dt, used = intervals, 1.0 / intervals, _shares(model, curve, jerk, torque)
    time, j, nodes = ca.MX.sym("T"), ca.MX.sym("j", 1, n), ca.MX.sym("nodes", 3, n + 1)
    (r, w, a), end = ca.vertsplit(nodes[:, :-1]), nodes[:, 1:]
    after = ca.vertcat(r + dt * w + dt**2 / 2 * a + dt**3 / 6 * j, w + dt * a + dt**2 / 2 * j, a + dt * j)
    shares = [used.map(n)(side, j, ca.repmat(time, 1, n)) for side in (nodes[:, :-1], end)]
    conditions = ca.vertcat(ca.vec(end - after), *map(ca.vec, shares))
    slack = np.append(np.zeros(3 * n), np.ones(conditions.numel() - 3 * n))
    tau = np.linspace(0.0, 1.0, n + 1)
    place = np.stack(
        [tau**3 * (10 - 15 * tau + 6 * tau**2), 30 * (tau * (1 - tau)) ** 2, 60 * tau * (1 - tau) * (1 - 2 * tau)]
    )
    guess = np.concatenate([[0.3], np.diff(place[2]) * n, place.T.ravel()])
    low, high = (
        np.concatenate([[limit], np.full(n, side * 1e5), np.full(3 * n + 3, side * 1e3)])
        for limit, side in ((0.01, -1.0), (2.0, 1.0))
    )
    low[n + 2 :: 3], ends = 0.0, guess[n + 1 :]
    low[n + 1 : n + 4] = high[n + 1 : n + 4] = ends[:3]
    low[-3:] = high[-3:] = ends[-3:]
    solver = ca.nlpsol(
        "fastest",
        "ipopt",
        {"x": ca.vertcat(time, j.T, ca.vec(nodes)), "f": 10 * time, "g": conditions},
        {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False, "ipopt.tol": 1e-6, "ipopt.max_iter": 300},
    )
    answer = solver(x0=guess, lbx=low, ubx=high, lbg=-slack, ubg=slack)
    assert solver.stats()["success"], solver.stats()["return_status"]
    return float(answer["f"]) / 10


def _shares(model: pp.Model, curve: Curve, jerk: np.ndarray, torque: float) -> Any:
    """Shares of all limits on joint jerks and torques, by the parameter with its derivatives and the time."""
    robot = resolved(model.robot)
    closed, dynamics = inverse_kinematics(robot), inverse_dynamics(robot)
    angles = ca.Function("angles", [closed.inputs["x"]], [closed.outputs["q"]])
    needed = ca.Function("needed", list(dynamics.inputs.values()), [dynamics.outputs["tau"]])
    s, third, time = ca.SX.sym("s", 3), ca.SX.sym("third"), ca.SX.sym("T")
    r, w, a = ca.vertsplit(s)
    x = curve(r)
    d1 = ca.jacobian(x, r)
    xd, xdd = d1 * w / time, (ca.jacobian(d1, r) * w * w + d1 * a) / time**2
    q1 = ca.jacobian(angles(x), r)
    q2 = ca.jacobian(q1, r)
    qddd = (q1 * third + 3 * q2 * w * a + ca.jacobian(q2, r) * w**3) / time**3
    limited = [k for k in range(robot.motors) if np.isfinite(jerk[k])]
    shares = [qddd[k] / jerk[k] for k in limited]
    tau = needed(x, xd, xdd, ca.DM(model.held.vector())) / torque
    return ca.Function("shares", [s, third, time], [ca.vertcat(*shares, tau)])
