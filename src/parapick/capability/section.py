"""Sections of the force zonotope of the motors, and its facets, as expressions.

Motors within limits give the plate the forces of a zonotope, `sum_k w_k [-1, 1] g_k`: g_k what a unit torque of motor k
does, w_k how much of it there is. What is asked for (an acceleration, a force) is a vector y of which the force is an
affine function, `B y + b`. So every capability is a section of the force zonotope,

    { y : B y + b in sum_k w_k [-1, 1] g_k }

and d - 1 generators span a pair of its facets with normal m: `|m . (B y + b)| <= S`, `S = sum_k w_k |m . g_k|`
(corbel2010 III).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Any, Final, final

import casadi as ca

SLIVER: Final = 1e-8
"""A facet whose generators are parallel to this share is left out. Its normal would be right to rounding over this
share, and the polytope grows by no more than this share without it: the two errors are balanced, at 1e-8 of the size
within such slivers and at rounding elsewhere."""


@final
@dataclass(frozen=True)
class Gears:
    """Rotors before lossy gearboxes, for accelerations that are an affine function of y; see `gears`.

    Attributes:
        gain: what a joint that drives its motor has on top, per torque that passes the gearbox: `1/e - e` with its
            efficiency e, n x 1; 0 for joints at rest.
        turning: direction in which every joint turns, 1 or -1, n x 1.
        torque: L, ratio times the torque of every motor, n x 1.
        offset: what every rotor takes, seen at its joint, at y = 0, n x 1.
        slope: the same per y, n x r.
    """

    gain: Any
    turning: Any
    torque: Any
    offset: Any
    slope: Any

    def rotors(self, y: Any) -> Any:
        """What every rotor takes at a y, seen at its joint, n x 1."""
        return self.offset + ca.mtimes(self.slope, y)

    def only(self, motors: list[int]) -> Gears:
        """Those of some motors."""
        return Gears(*(getattr(self, field.name)[motors, :] for field in fields(self)))

    def of(self, matrix: Any, start: Any = None) -> Gears:
        """The same of z, where `y = start + matrix z`.

        Args:
            matrix: r x s.
            start: r x 1; zero if not given.
        """
        offset = self.offset if start is None else self.rotors(start)
        return replace(self, offset=offset, slope=ca.mtimes(self.slope, matrix))


@final
@dataclass(frozen=True)
class Section:
    """The vectors y with `B y + b` in a zonotope about the origin.

    Attributes:
        generators: g_k as columns, d x n, d = 3 or 4.
        widths: w_k >= 0, n x 1.
        offset: b, d x 1.
        basis: B, d x r; r is d, d - 1, or 1 for a line. A scalar stands for that multiple of the identity.
        gears: what motors have on top whose joints drive them; None where there is no such thing.
        rows: least-norm torques per force, n x d: every motor then has a limit of its own, and the body is smaller than
            the zonotope. None where motors share as they need to.
        middles: what each motor gives beyond that, such as its own friction, n x 1; with rows only.
        stated: further facets, of what a file limits beside torques.
        hidden: whether the last y is left free, so that the first ones are asked for alone: a shadow. With gears only;
            otherwise a shadow is a zonotope itself.
    """

    generators: Any
    widths: Any
    offset: Any
    basis: Any
    gears: Gears | None = None
    hidden: bool = False
    rows: Any = None
    middles: Any = None
    stated: tuple[FacetPair, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether every force of the zonotope has its y: r is d."""
        return self.basis.shape[0] == self.basis.shape[1]

    def facets(self) -> list[FacetPair]:
        """Every pair of opposite facets: of the zonotope, or one per motor where motors share by least norm.

        Last come those of what the file limits beside torques.
        """
        if self.rows is None:
            return [*facets_of(self.generators, self.widths), *self.stated]
        count = self.rows.shape[0]
        normals = [self.rows[k, :].T for k in range(count)]
        return [
            *(
                FacetPair((k,), normal, ca.sumsqr(normal), self.widths[k], ca.SX(1), self.middles[k])
                for k, normal in enumerate(normals)
            ),
            *self.stated,
        ]

    def at(self, facet: FacetPair) -> Any:
        """Where y = 0 lies between the two facets of a pair, 0 in their middle."""
        return ca.dot(facet.normal, self.offset) + facet.middle

    @property
    def matrix(self) -> Any:
        """B, d x r."""
        return self.basis * ca.SX.eye(self.generators.shape[0]) if self.basis.is_scalar() else self.basis


@final
@dataclass(frozen=True)
class FacetPair:
    """A pair of opposite facets of the zonotope.

    Attributes:
        spanning: indices of the d - 1 generators that lie in it.
        normal: m, d x 1.
        square: m . m.
        support: S, the largest `m . force`.
        regular: whether its generators span a facet at all.
        middle: what is added to `m . force`; 0 for those of a zonotope about the origin.
    """

    spanning: tuple[int, ...]
    normal: Any
    square: Any
    support: Any
    regular: Any
    middle: Any = 0.0


def facets_of(generators: Any, widths: Any) -> list[FacetPair]:
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
    pairs = []
    for spanning, normal in normals.items():
        support, size = ca.SX(0), ca.SX(SLIVER * SLIVER)
        for k in range(n):
            if k in spanning:
                size = size * squares[k]
            else:
                support = support + widths[k] * volumes[tuple(sorted((*spanning, k)))]
        square = ca.sumsqr(normal)
        pairs.append(FacetPair(spanning, normal, square, support, square > size))
    return pairs


def _normals(columns: list[Any], d: int) -> dict[tuple[int, ...], Any]:
    """A vector orthogonal to every d - 1 generators, by their indices."""
    pairs = combinations(range(len(columns)), 2)
    if d == 3:
        return {(i, j): ca.cross(columns[i], columns[j]) for i, j in pairs}
    minors = {(i, j): minors_of(columns[i], columns[j]) for i, j in pairs}
    triples = combinations(range(len(columns)), 3)
    return {(i, j, k): orthogonal(minors[i, j], columns[k]) for i, j, k in triples}


def minors_of(p: Any, q: Any) -> dict[tuple[int, int], Any]:
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
