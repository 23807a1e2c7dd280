"""The search by IPOPT through CasADi: a peak becomes a bound on all its pieces, which is smooth.

    min t   with   piece_j(d) <= t,   slack_j(d) >= 0,   low <= d <= high

Values and exact slopes of the pieces come from our own kernels: a CasADi `Callback` whose Jacobian is another one.
There are thousands of pieces, of which few hold: the programme is solved with the most pressing ones, and again with
those that its solution does not keep, until it keeps all. Second derivatives are IPOPT's own approximation; where as
many pieces hold as there are free numbers, the design does not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from parapick.study.descent import Problem

FIRST: Final = 200
"""Most pressing pieces of the objective, and of the requirements, that the first programme has."""

INSIDE: Final = 1e-7
"""How far inside every requirement the search stays (rad, m, or a share): ten times what IPOPT lets pass."""

VIOLATION: Final = 1e-8
"""What IPOPT lets pass of a requirement; a piece that lacks more is added."""

PROGRAMMES_MAX: Final = 20
"""Most programmes of a search; each has all pieces that the one before it did not keep."""

_FAR: Final = 1.0
"""Slack of what has none at a design, such as the joint of a leg that does not close (rad, m, or a share)."""

PieceRows = tuple[np.ndarray, np.ndarray]
"""Values (m,) and slopes (m, n)."""


def solved(problem: Problem, start: np.ndarray, steps_max: int) -> np.ndarray:
    """The best design near a start (free,), SI.

    Args:
        problem: what is searched.
        start: values of the free numbers (free,), SI, a design with an objective.
        steps_max: most steps of IPOPT in each programme.
    """
    rows = _Rows(problem, start)
    share, kept = (start - problem.low) / problem.size, rows.first(start)
    for _ in range(PROGRAMMES_MAX):
        point = _programme(rows, kept, share, steps_max)
        values, _ = rows(point[:-1])
        missing = values - rows.bounded * point[-1]
        if not np.isfinite(missing).all():
            break
        share = point[:-1]
        broken = (missing > 2 * VIOLATION) & ~kept
        if not broken.any():
            break
        kept = kept | broken
    return np.clip(problem.low + problem.size * share, problem.low, problem.high)


class _Rows:
    """All pieces at a design as rows `value - bounded t <= 0`, the last design remembered."""

    def __init__(self, problem: Problem, start: np.ndarray) -> None:
        goal, held = problem.pieces(start, whole=True)
        self.problem, self.scale = problem, abs(float(np.max(goal.values))) or 1.0
        self.bounded = np.concatenate([np.ones(len(goal.values)), np.zeros(len(held.values))])
        self._last: tuple[bytes, PieceRows] = (b"", (np.empty(0), np.empty((0, 0))))

    def __call__(self, share: np.ndarray) -> PieceRows:
        """Values and slopes, slopes by shares of the ranges."""
        if self._last[0] != share.tobytes():
            goal, held = self.problem.pieces(self.problem.low + self.problem.size * share, whole=True)
            slack = np.where(np.isfinite(held.values), held.values, _FAR) - INSIDE
            slopes = np.where(np.isfinite(held.values)[:, None], held.slopes, 0.0)
            values = np.concatenate([goal.values / self.scale, -slack])
            self._last = share.tobytes(), (values, np.concatenate([goal.slopes / self.scale, -slopes]))
        return self._last[1]

    def first(self, start: np.ndarray) -> np.ndarray:
        """The most pressing pieces at a design (m,), of the objective and of the requirements."""
        values, _ = self((start - self.problem.low) / self.problem.size)
        chosen = np.zeros(len(values), dtype=bool)
        for rows in (np.flatnonzero(self.bounded == 1.0), np.flatnonzero(self.bounded == 0.0)):
            chosen[rows[np.argsort(-values[rows], kind="stable")[:FIRST]]] = True
        return chosen


def _programme(rows: _Rows, kept: np.ndarray, share: np.ndarray, steps_max: int) -> np.ndarray:
    """Shares of the ranges and the bound of the objective (free + 1,) at the solution with some of the pieces."""
    import casadi as ca

    count, chosen = len(share), np.flatnonzero(kept)
    low, high = rows.problem.low, rows.problem.high
    x = ca.MX.sym("x", count + 1)
    pieces = callback(lambda at: (rows(at)[0][chosen], rows(at)[1][chosen]), count, len(chosen))
    lacking = pieces(x[:count]) - ca.DM(rows.bounded[chosen]) * x[count]
    solver = ca.nlpsol("study", "ipopt", {"x": x, "f": x[count], "g": lacking}, _options(steps_max))
    top = float(np.max(rows(share)[0][rows.bounded == 1.0]))
    found = solver(
        x0=np.append(share, top),
        lbx=[*np.zeros(count), -np.inf],
        ubx=[*np.where(high > low, 1.0, 0.0), np.inf],
        lbg=-np.inf,
        ubg=0.0,
    )
    return np.array(found["x"]).ravel()


def _options(steps_max: int) -> dict[str, Any]:
    own = {
        "print_level": 0,
        "sb": "yes",
        "max_iter": steps_max,
        "tol": 1e-8,
        "constr_viol_tol": VIOLATION,
        "bound_relax_factor": 0.0,
        "hessian_approximation": "limited-memory",
    }
    return {"print_time": False, "show_eval_warnings": False, **{f"ipopt.{key}": value for key, value in own.items()}}


def callback(function: Callable[[np.ndarray], PieceRows], inputs: int, outputs: int) -> Any:
    """A CasADi function with its Jacobian, both computed by a function of ours.

    Args:
        function: from a point (inputs,) to values (outputs,) and slopes (outputs, inputs).
        inputs: how many numbers it takes.
        outputs: how many it gives.
    """
    import casadi as ca

    class PieceSlopes(ca.Callback):
        def __init__(self, name: str) -> None:
            ca.Callback.__init__(self)
            self.construct(name, {})

        def get_n_in(self) -> int:
            return 2

        def get_sparsity_in(self, i: int) -> Any:
            # The second is the value, which CasADi offers and nobody needs.
            return ca.Sparsity(outputs, 1) if i else ca.Sparsity.dense(inputs, 1)

        def get_sparsity_out(self, i: int) -> Any:
            return ca.Sparsity.dense(outputs, inputs)

        def eval(self, arguments: Any) -> Any:
            return [function(np.array(arguments[0]).ravel())[1]]

    class PieceValues(ca.Callback):
        def __init__(self) -> None:
            ca.Callback.__init__(self)
            self.slopes: Any = None
            self.construct("pieces", {})

        def get_sparsity_in(self, i: int) -> Any:
            return ca.Sparsity.dense(inputs, 1)

        def get_sparsity_out(self, i: int) -> Any:
            return ca.Sparsity.dense(outputs, 1)

        def eval(self, arguments: Any) -> Any:
            return [function(np.array(arguments[0]).ravel())[0]]

        def has_jacobian(self) -> bool:
            return True

        def get_jacobian(self, name: str, inames: Any, onames: Any, opts: Any) -> Any:
            # CasADi keeps no reference.
            self.slopes = PieceSlopes(name)
            return self.slopes

    return PieceValues()
