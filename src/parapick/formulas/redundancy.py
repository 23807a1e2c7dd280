"""How more motors than freedoms share a task force: least norm, weighted, least peak.

All torques with `J' tau = W` (J is n x d, n > d) move the plate alike; they differ by internal preload. corbel2010 (49)
takes the least norm. The torques within a box map to a zonotope with the columns of J' as generators; its facets give
the least peak exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, final

import casadi as ca

from parapick.algebra import least_squares, smallest_solution

PARALLEL: Final = 1e-12
"""A facet whose normal is shorter than this share of its generators' lengths is no facet: they are parallel."""


def least_norm(jacobian: Any, force: Any, weights: Any = None, own: Any = None) -> tuple[Any, Any]:
    """Torques of least (weighted) norm with `J' (tau - own) = W`, and det(J' V J), which must not vanish.

    corbel2010 (49) with V = 1: the pseudo-inverse, `tau = V J (J' V J)^-1 (W + J' own)`. Formed without the product
    J' V J, whose condition is that of J squared.

    Args:
        jacobian: inverse Jacobian J, n x d.
        force: W, d x 1.
        weights: n x 1, how willing each motor is (V); all alike if not given.
        own: n x 1, what each motor spends on its own leg; nothing if not given.
    """
    if weights is None:
        return smallest_solution(jacobian, force, own)
    roots = ca.sqrt(weights)
    spread = jacobian * ca.repmat(roots, 1, jacobian.shape[1])
    shares, value = smallest_solution(spread, force, None if own is None else own / roots)
    return roots * shares, value


@final
@dataclass(frozen=True)
class Facet:
    """A pair of opposite facets of a zonotope, with the generators that span them.

    Attributes:
        spanning: indices of the d - 1 generators that lie in the facet.
        normal: its normal c, d x 1.
        projections: c . h_k of every generator, n x 1; zero for the spanning ones.
        support: sum of |c . h_k|, the facet's distance from the centre times |c|; 0 where the generators are parallel.
    """

    spanning: tuple[int, ...]
    normal: Any
    projections: Any
    support: Any


def facets(generators: Any) -> list[Facet]:
    """All facets of the zonotope `sum of [-1, 1] h_k`, for three or four freedoms.

    Args:
        generators: h_k as columns, d x n.
    """
    d, n = generators.shape
    bounding = []
    for spanning in combinations(range(n), d - 1):
        normal = _normal(generators[:, list(spanning)])
        projections = ca.mtimes(generators.T, normal)
        for index in spanning:
            projections[index] = 0
        size = ca.SX(1)
        for index in spanning:
            size = size * ca.sumsqr(generators[:, index])
        regular = ca.sumsqr(normal) > PARALLEL * PARALLEL * size
        support = ca.if_else(regular, ca.sum1(ca.fabs(projections)), 0.0)
        bounding.append(Facet(spanning, normal, projections, support))
    return bounding


def _normal(columns: Any) -> Any:
    """Vector orthogonal to d - 1 columns: the generalised cross product."""
    if columns.shape[0] == 3:
        return ca.cross(columns[:, 0], columns[:, 1])
    rows = []
    for i in range(4):
        keep = [k for k in range(4) if k != i]
        a, b, c = (columns[keep, j] for j in range(3))
        rows.append((-1) ** i * ca.dot(a, ca.cross(b, c)))
    return ca.vertcat(*rows)


def least_peak(jacobian: Any, force: Any, limits: Any = None) -> tuple[Any, Any]:
    """Torques whose largest share of its limit is least, and that share; exact (a selection over facets).

    The share is the gauge of the zonotope at W, `max over facets of |c . W| / sum_k |c . h_k|`; on the facet that
    attains it, every motor not in the facet works at the full share, and the spanning ones follow from the force.

    Args:
        jacobian: inverse Jacobian J, n x d.
        force: W, d x 1.
        limits: torque limit of each motor, n x 1; all 1 if not given, so that the share is the peak torque.
    """
    n = jacobian.shape[0]
    generators = jacobian.T if limits is None else (jacobian * ca.repmat(limits, 1, jacobian.shape[1])).T
    best, shares = ca.SX(-1), ca.SX.zeros(n)
    for facet in facets(generators):
        reach = ca.dot(facet.normal, force)
        share = ca.if_else(facet.support > 0, ca.fabs(reach) / facet.support, -1.0)
        candidate = _on_facet(generators, force, facet, ca.copysign(share, reach))
        better = share > best
        best = ca.if_else(better, share, best)
        shares = ca.if_else(better, candidate, shares)
    return (shares if limits is None else shares * limits), best


@final
@dataclass(frozen=True)
class Bounds:
    """The most that each motor gives on one side, `offset + slope t` at a level t.

    Attributes:
        offset: n x 1.
        slope: n x 1, greater than 0.
    """

    offset: Any
    slope: Any

    @classmethod
    def of(cls, pairs: Sequence[tuple[Any, Any]]) -> Bounds:
        """Bounds from an offset and a slope per motor.

        Args:
            pairs: offset and slope of every motor.
        """
        offsets, slopes = zip(*pairs, strict=True)
        return cls(ca.vertcat(*offsets), ca.vertcat(*slopes))


def least_level(jacobian: Any, force: Any, up: Bounds, down: Bounds) -> tuple[Any, Any]:
    """Torques with `J' tau = W` within bounds that grow with a level, at the least level that holds any; and the level.

    As `least_peak`, with bounds that need not be alike on both sides. On the facet with normal c towards its side s,
    `s c . W <= sum_k |c . h_k| (offset_k + slope_k t)`, each motor's bound that of the side to which it pushes.

    Args:
        jacobian: inverse Jacobian J, n x d.
        force: W, d x 1.
        up: the largest torques.
        down: the largest torques the other way, as magnitudes.
    """
    generators = jacobian.T
    best, torques = ca.SX(-math.inf), ca.SX.zeros(jacobian.shape[0])
    for facet in facets(generators):
        reach, weights = ca.dot(facet.normal, force), ca.fabs(facet.projections)
        for side in (1, -1):
            pushes = side * facet.projections > 0
            offset, slope = (ca.if_else(pushes, *pair) for pair in ((up.offset, down.offset), (up.slope, down.slope)))
            level = (side * reach - ca.dot(weights, offset)) / ca.dot(weights, slope)
            level = ca.if_else(facet.support > 0, level, -math.inf)
            at_limits = ca.sign(facet.projections) * side * (offset + slope * level)
            better = level > best
            best = ca.if_else(better, level, best)
            torques = ca.if_else(better, _completed(generators, force, facet, at_limits), torques)
    return torques, best


def _completed(generators: Any, force: Any, facet: Facet, torques: Any) -> Any:
    """The torques, those of the spanning motors found from what the others leave of the force."""
    span = list(facet.spanning)
    completed = ca.SX(torques)
    completed[span] = 0
    completed[span] = least_squares(generators[:, span], force - ca.mtimes(generators, completed))
    return completed


def _on_facet(generators: Any, force: Any, facet: Facet, share: Any) -> Any:
    return _completed(generators, force, facet, share * ca.sign(facet.projections))
