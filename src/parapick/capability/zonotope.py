"""Zonotopes and their sections as expressions: the largest ball, the farthest point, the reach along a line.

By the facets of `section`: in y they lie at the distance `(S - |m . b|) / |B' m|` from the origin. No hull is built and
no programme solved. Where motors have more than that because their joints drive them, `gears` has the same three.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, final

import casadi as ca

from parapick.algebra import solve
from parapick.capability.gears import EDGE, corners, lossy_ball, lossy_stretch
from parapick.capability.section import FacetPair, Section, minors_of, orthogonal


def ball(section: Section) -> Any:
    """Radius of the largest ball about the origin of y; negative where the origin lies outside, by how much.

    Facets are compared by their squared distances as fractions, which takes one division in all. 0 where there is no
    facet, because all generators are parallel; minus infinity where no y at all lies in the section.
    """
    if section.gears is not None:
        free = lossy_ball(replace(section, stated=()), section.gears)
        return ca.fmin(free, _nearest(section, section.stated)) if section.stated else free
    return _nearest(section, section.facets())


def _nearest(section: Section, facets: Sequence[FacetPair]) -> Any:
    """Distance of the nearest of facets from the origin of y."""
    distances = []
    plain = section.basis.is_scalar()
    for facet in facets:
        left = facet.support - ca.fabs(section.at(facet))
        slope = facet.square if plain else ca.sumsqr(ca.mtimes(section.basis.T, facet.normal))
        distances.append(_Fraction.of(facet, left * ca.fabs(left), slope))
    least = _least(distances)
    # The root and the reciprocal do not wait for each other.
    root = ca.copysign(ca.sqrt(ca.fabs(least.top) * least.bottom), least.top)
    value = root * (1 / (least.bottom * section.basis if plain else least.bottom))
    return ca.if_else(least.bottom > 0, value, ca.if_else(least.top < 0, -math.inf, 0.0))


def ratio_of(most: Any, least: Any) -> Any:
    """The farthest over the nearest; infinite where the origin lies outside, so that there is no nearest."""
    return ca.if_else(least > 0, most / least, math.inf)


def stretch(section: Section) -> tuple[Any, Any]:
    """Largest t > 0 up and down with `b +- t B` in the zonotope; NaN where the line misses it.

    One of the two is negative where the section lies on one side of the origin.

    Args:
        section: the section, its y a number.
    """
    if section.gears is None:
        high, low = _stretch(section, section.facets())
    else:
        high, low = lossy_stretch(replace(section, stated=()), section.gears)
        if section.stated:
            high, low = map(ca.fmin, (high, low), _stretch(section, section.stated))
    missed = high + low < 0
    return ca.if_else(missed, math.nan, high), ca.if_else(missed, math.nan, low)


def _stretch(section: Section, facets: Sequence[FacetPair]) -> tuple[Any, Any]:
    up, down = [], []
    for facet in facets:
        slope, at = ca.dot(facet.normal, section.basis), section.at(facet)
        toward = ca.copysign(1.0, slope) * at
        up.append(_Fraction.of(facet, facet.support - toward, ca.fabs(slope)))
        down.append(_Fraction.of(facet, facet.support + toward, ca.fabs(slope)))
    return _least(up).value(), _least(down).value()


@final
@dataclass(frozen=True)
class _Fraction:
    """A quotient that is not divided out; its bottom is >= 0, and one by zero is infinite, of the sign of its top."""

    top: Any
    bottom: Any

    @classmethod
    def of(cls, facet: FacetPair, top: Any, bottom: Any) -> _Fraction:
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
    d, basis = section.generators.shape[0], section.matrix
    if basis.shape[1] < d:
        first, second, third = (basis[:, j] for j in range(3))
        basis = ca.horzcat(basis, orthogonal(minors_of(first, second), third))
    scaled = section.generators * ca.repmat(section.widths.T, d, 1)
    columns, _ = solve(basis, ca.horzcat(-section.offset, scaled))
    return columns[:, 0], columns[:, 1:]


def farthest(section: Section) -> Any:
    """Largest length of a y in the section; NaN where there is none.

    It is attained at a vertex: the image of a corner of the box of torques, or, in a section with r = d - 1, of a
    point on one of the box's edges.
    """
    best = ca.SX(-1)
    for inside, point in ends_of(section):
        square = ca.sumsqr(point)
        best = ca.if_else(ca.logic_and(inside, square > best), square, best)
    return ca.if_else(best >= 0, ca.sqrt(best), math.nan)


def ends_of(section: Section) -> list[tuple[Any, Any]]:
    """Points among which the vertices are, and whether each lies in the section."""
    if section.gears is not None:
        return [(point.inside, point.y) for point in corners(section, section.gears)]
    if section.rows is not None:
        return _crossings(section)
    center, generators = images(section)
    return _corners(center, generators) if section.whole else _cuts(center, generators)


def _corners(center: Any, generators: Any) -> list[tuple[Any, Any]]:
    points = [center]
    for k in range(generators.shape[1]):
        points = [point + sign * generators[:, k] for point in points for sign in (-1, 1)]
    return [(ca.SX(1), point) for point in points]


def _crossings(section: Section) -> list[tuple[Any, Any]]:
    """Where as many facets as y has numbers cross, and whether that lies between all others."""
    facets, basis = section.facets(), section.matrix
    slopes = [ca.mtimes(basis.T, facet.normal) for facet in facets]
    points = []
    for chosen in combinations(range(len(facets)), basis.shape[1]):
        inverse, determinant = solve(ca.horzcat(*(slopes[k] for k in chosen)).T, ca.SX.eye(basis.shape[1]))
        for sides in product((-1, 1), repeat=len(chosen)):
            wanted = [s * facets[k].support - section.at(facets[k]) for s, k in zip(sides, chosen, strict=True)]
            y, inside = ca.mtimes(inverse, ca.vertcat(*wanted)), ca.fabs(determinant) > 0
            for facet, slope in zip(facets, slopes, strict=True):
                within = ca.fabs(ca.dot(slope, y) + section.at(facet)) <= facet.support * (1 + EDGE)
                inside = ca.logic_and(inside, within)
            points.append((inside, y))
    return points


def _cuts(center: Any, generators: Any) -> list[tuple[Any, Any]]:
    """Where the edges of the box of torques pass through the section."""
    n = generators.shape[1]
    cuts = []
    for k in range(n):
        others = generators[:, [j for j in range(n) if j != k]]
        edge = generators[:, k]
        for _, middle in _corners(center, others):
            share = -middle[-1] / edge[-1]
            cuts.append((ca.fabs(share) <= 1 + EDGE, middle[:-1] + share * edge[:-1]))
    return cuts
