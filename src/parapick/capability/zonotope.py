"""Zonotopes and their sections as expressions: the largest ball, the farthest point, the reach along a line.

Motors within limits give the plate the forces of a zonotope, `sum_k w_k [-1, 1] g_k`: g_k what a unit torque of motor k
does, w_k how much of it there is. What is asked for (an acceleration, a force) is a vector y of which the force is an
affine function, `B y + b`. So every capability is a section of the force zonotope,

    { y : B y + b in sum_k w_k [-1, 1] g_k }

and d - 1 generators span a pair of its facets with normal m: `|m . (B y + b)| <= S`, `S = sum_k w_k |m . g_k|`
(corbel2010 III). In y they lie at the distance `(S - |m . b|) / |B' m|` from the origin.
No hull is built and no programme solved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final, final

import casadi as ca

from parapick.model.algebra import solve

__all__ = ["SLIVER", "Facet", "Section", "ball", "facets_of", "farthest", "images", "stretch"]

SLIVER: Final = 1e-8
"""A facet whose generators are parallel to this share is left out. Its normal would be right to rounding over this
share, and the polytope grows by no more than this share without it: the two errors are balanced, at 1e-8 of the size
within such slivers and at rounding elsewhere."""

EDGE: Final = 1e-12
"""How far beyond its end an edge may be cut by the section: rounding of an end that lies in it."""


@final
@dataclass(frozen=True)
class Section:
    """The vectors y with `B y + b` in a zonotope about the origin.

    Attributes:
        generators: g_k as columns, d x n, d = 3 or 4.
        widths: w_k >= 0, n x 1.
        offset: b, d x 1.
        basis: B, d x r; r is d, or d - 1. A scalar stands for that multiple of the identity.
    """

    generators: Any
    widths: Any
    offset: Any
    basis: Any

    @property
    def whole(self) -> bool:
        """Whether every force of the zonotope has its y: r is d."""
        return self.basis.shape[0] == self.basis.shape[1]


@final
@dataclass(frozen=True)
class Facet:
    """A pair of opposite facets of the zonotope.

    Attributes:
        normal: m, d x 1.
        square: m . m.
        support: S, the largest `m . force`.
        regular: whether its generators span a facet at all.
    """

    normal: Any
    square: Any
    support: Any
    regular: Any


def facets_of(generators: Any, widths: Any) -> list[Facet]:
    """Every pair of opposite facets. Motors d at a time share a determinant, formed once.

    Args:
        generators: g_k as columns, d x n, d = 3 or 4.
        widths: w_k >= 0, n x 1.
    """
    d, n = generators.shape
    columns = [generators[:, k] for k in range(n)]
    squares = [ca.sumsqr(column) for column in columns]
    normals = _normals(columns, d)
    volumes = {
        several: ca.fabs(ca.dot(normals[several[:-1]], columns[several[-1]])) for several in combinations(range(n), d)
    }
    found = []
    for spanning, normal in normals.items():
        support, size = ca.SX(0), ca.SX(SLIVER * SLIVER)
        for k in range(n):
            if k in spanning:
                size = size * squares[k]
            else:
                support = support + widths[k] * volumes[tuple(sorted((*spanning, k)))]
        square = ca.sumsqr(normal)
        found.append(Facet(normal, square, support, square > size))
    return found


def _normals(columns: list[Any], d: int) -> dict[tuple[int, ...], Any]:
    """A vector orthogonal to every d - 1 generators, by their indices."""
    pairs = combinations(range(len(columns)), 2)
    if d == 3:
        return {(i, j): ca.cross(columns[i], columns[j]) for i, j in pairs}
    minors = {(i, j): _minors(columns[i], columns[j]) for i, j in pairs}
    triples = combinations(range(len(columns)), 3)
    return {(i, j, k): orthogonal(minors[i, j], columns[k]) for i, j, k in triples}


def _minors(p: Any, q: Any) -> dict[tuple[int, int], Any]:
    """The six 2 x 2 minors of two columns of four, by their rows."""
    return {(i, j): p[i] * q[j] - p[j] * q[i] for i, j in combinations(range(4), 2)}


def orthogonal(minors: dict[tuple[int, int], Any], r: Any) -> Any:
    """The vector orthogonal to two columns of four, given by their minors, and to a third."""
    return ca.vertcat(
        minors[1, 2] * r[3] - minors[1, 3] * r[2] + minors[2, 3] * r[1],
        -(minors[0, 2] * r[3] - minors[0, 3] * r[2] + minors[2, 3] * r[0]),
        minors[0, 1] * r[3] - minors[0, 3] * r[1] + minors[1, 3] * r[0],
        -(minors[0, 1] * r[2] - minors[0, 2] * r[1] + minors[1, 2] * r[0]),
    )


def ball(section: Section) -> Any:
    """Radius of the largest ball about the origin of y; negative where the origin lies outside, by how much.

    Facets are compared by their squared distances as fractions, which takes one division in all. 0 where there is no
    facet, because all generators are parallel; minus infinity where no y at all lies in the section.
    """
    found = []
    plain = section.basis.is_scalar()
    for facet in facets_of(section.generators, section.widths):
        left = facet.support - ca.fabs(ca.dot(facet.normal, section.offset))
        slope = facet.square if plain else ca.sumsqr(ca.mtimes(section.basis.T, facet.normal))
        found.append(_Fraction.of(facet, left * ca.fabs(left), slope))
    least = _least(found)
    # The root and the reciprocal do not wait for each other.
    root = ca.copysign(ca.sqrt(ca.fabs(least.top) * least.bottom), least.top)
    value = root * (1 / (least.bottom * section.basis if plain else least.bottom))
    return ca.if_else(least.bottom > 0, value, ca.if_else(least.top < 0, -math.inf, 0.0))


def stretch(section: Section, line: Any) -> tuple[Any, Any]:
    """Largest t > 0 up and down with `b +- t line` in the zonotope; NaN where the line misses it.

    One of the two is negative where the section lies on one side of the origin.

    Args:
        section: generators, widths and offset; its basis is not used.
        line: d x 1.
    """
    up, down = [], []
    for facet in facets_of(section.generators, section.widths):
        slope, at = ca.dot(facet.normal, line), ca.dot(facet.normal, section.offset)
        toward = ca.copysign(1.0, slope) * at
        up.append(_Fraction.of(facet, facet.support - toward, ca.fabs(slope)))
        down.append(_Fraction.of(facet, facet.support + toward, ca.fabs(slope)))
    high, low = _least(up).value(), _least(down).value()
    missed = high + low < 0
    return ca.if_else(missed, math.nan, high), ca.if_else(missed, math.nan, low)


@final
@dataclass(frozen=True)
class _Fraction:
    """A quotient that is not divided out; its bottom is >= 0, and one by zero is infinite, of the sign of its top."""

    top: Any
    bottom: Any

    @classmethod
    def of(cls, facet: Facet, top: Any, bottom: Any) -> _Fraction:
        """That of a facet, infinite where there is none."""
        return cls(ca.if_else(facet.regular, top, 1.0), ca.if_else(facet.regular, bottom, 0.0))

    def value(self) -> Any:
        """The quotient; 0 for the infinite one, which is left where there is no facet at all."""
        return ca.if_else(self.bottom > 0, self.top / self.bottom, ca.if_else(self.top < 0, -math.inf, 0.0))


def _least(fractions: list[_Fraction]) -> _Fraction:
    """The smallest, found in rounds of pairs: a chain of comparisons would make every one wait for the one before."""
    while len(fractions) > 1:
        pairs = [_less(*fractions[k : k + 2]) for k in range(0, len(fractions) - 1, 2)]
        fractions = pairs + fractions[2 * len(pairs) :]
    return fractions[0]


def _less(first: _Fraction, second: _Fraction) -> _Fraction:
    better = second.top * first.bottom < first.top * second.bottom
    return _Fraction(ca.if_else(better, second.top, first.top), ca.if_else(better, second.bottom, first.bottom))


def images(section: Section) -> tuple[Any, Any]:
    """Centre (d x 1) and generators (d x n, widths included) in coordinates of which the first r are y.

    Where r = d - 1 the last coordinate is zero in the section and measures what sticks out of it.
    """
    d, basis = section.generators.shape[0], section.basis
    if basis.is_scalar():
        basis = basis * ca.SX.eye(d)
    if basis.shape[1] < d:
        first, second, third = (basis[:, j] for j in range(3))
        basis = ca.horzcat(basis, orthogonal(_minors(first, second), third))
    scaled = section.generators * ca.repmat(section.widths.T, d, 1)
    found, _ = solve(basis, ca.horzcat(-section.offset, scaled))
    return found[:, 0], found[:, 1:]


def farthest(section: Section) -> Any:
    """Largest length of a y in the section; NaN where there is none.

    It is attained at a vertex: the image of a corner of the box of torques, or, in a section with r = d - 1, of a
    point on one of the box's edges.
    """
    center, generators = images(section)
    best = ca.SX(-1)
    for inside, point in _corners(center, generators) if section.whole else _cuts(center, generators):
        square = ca.sumsqr(point)
        best = ca.if_else(ca.logic_and(inside, square > best), square, best)
    return ca.if_else(best >= 0, ca.sqrt(best), math.nan)


def _corners(center: Any, generators: Any) -> list[tuple[Any, Any]]:
    points = [center]
    for k in range(generators.shape[1]):
        points = [point + sign * generators[:, k] for point in points for sign in (-1, 1)]
    return [(ca.SX(1), point) for point in points]


def _cuts(center: Any, generators: Any) -> list[tuple[Any, Any]]:
    """Where the edges of the box of torques pass through the section."""
    n = generators.shape[1]
    found = []
    for k in range(n):
        others = generators[:, [j for j in range(n) if j != k]]
        edge = generators[:, k]
        for _, middle in _corners(center, others):
            share = -middle[-1] / edge[-1]
            found.append((ca.fabs(share) <= 1 + EDGE, middle[:-1] + share * edge[:-1]))
    return found
