"""The passes of `speed_profile` as expressions: bounds on the squared speeds at both ends of a cell, p and q."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Final, NamedTuple

import casadi as ca
import numpy as np

from parapick.kernel import Kernel, Scan, build, build_scan
from parapick.timing.limit_rows import BOUNDS, CAP, CELL_USE, CURVATURE, FORWARD, SLOW, UNBOUNDED, USE, RowForm

# Share of a row's other coefficients below which the one of q is rounding.
_NOTHING: Final = 1e-13
# What a row keeps free at rest where it is tightened or linearised.
_ROOM: Final = 1e-9
# Newton steps that a call takes: most cells meet no more lines.
_NEWTON: Final = 3
# A circle is left alone this share before its rim, where its tangent is vertical.
_RIM: Final = 1e-9


class _Line(NamedTuple):
    """A line, or the tangent of a curve: what it gives at a p, its slope, and what it gives at zero."""

    value: Any
    slope: Any
    offset: Any

    @staticmethod
    def through(offset: Any, slope: Any, p: Any) -> _Line:
        """A line by what it gives at zero."""
        return _Line(offset + slope * p, slope, offset)

    @staticmethod
    def tangent(value: Any, slope: Any, p: Any) -> _Line:
        """A line by what it gives at p."""
        return _Line(value, slope, value - slope * p)


class _Circle(NamedTuple):
    """The bound on the plate's acceleration in a cell, `b^2 + (kappa u)^2 <= a^2` at both ends.

    Of a squared speed v at one end, the circles at this and at the other end leave an interval at the other.
    """

    h: Any
    before: Any
    after: Any
    a_max: Any

    def near(self, v: Any, curvature: Any) -> tuple[Any, Any]:
        """Middle of what the circle at this end, of this curvature, leaves at the other, and how far it reaches."""
        return v, 2 * self.h * _root(self.a_max**2 - (curvature * v) ** 2)

    def far(self, v: Any, curvature: Any) -> tuple[Any, Any]:
        """The same for the circle at the other end."""
        turn = (2 * self.h * curvature) ** 2
        return v / (1 + turn), _root((1 + turn) * (2 * self.h * self.a_max) ** 2 - turn * v**2) / (1 + turn)

    def rims(self) -> list[Any]:
        """Values of p beyond which the circles leave nothing."""
        turn = (2 * self.h * self.after) ** 2
        return [(1 - _RIM) * self.a_max / self.before, (1 - _RIM) * self.a_max * ca.sqrt(1 + turn) / self.after]

    def lines(self, p: Any) -> tuple[list[_Line], list[_Line]]:
        """Tangents of the upper and of the lower bounds on q."""
        turn = (2 * self.h * self.after) ** 2
        middle, reach = self.near(p, self.before)
        fall = (2 * self.h * self.before) ** 2 * p / reach
        other, wide = self.far(p, self.after)
        drop = turn / (1 + turn) ** 2 * p / wide
        share = 1 / (1 + turn)
        upper = [_Line.tangent(middle + reach, 1 - fall, p), _Line.tangent(other + wide, share - drop, p)]
        return upper, [_Line.tangent(middle - reach, 1 + fall, p), _Line.tangent(other - wide, share + drop, p)]

    def ahead(self, p: Any) -> list[Any]:
        """Largest q of a p."""
        return [sum(self.near(p, self.before)), sum(self.far(p, self.after))]

    def back(self, q: Any) -> list[Any]:
        """Largest p of all q up to one."""
        top = self.a_max / (self.after * ca.sqrt(1 + (2 * self.h * self.after) ** 2))
        first, second = ca.fmin(q, self.a_max / self.before), ca.fmin(q, top)
        return [sum(self.far(first, self.before)), sum(self.near(second, self.after))]


def _root(square: Any) -> Any:
    return ca.sqrt(ca.fmax(square, 0))


def _least(values: Sequence[Any]) -> Any:
    """Least of several, as a tree: a chain of minima would have to wait for each of them."""
    while len(values) > 1:
        values = [reduce(ca.fmin, values[i : i + 2]) for i in range(0, len(values), 2)]
    return values[0]


def _first(lines: Sequence[_Line], sign: int) -> _Line:
    """The line with the least value, by the sign 1, or with the largest, by -1."""

    def chosen(one: _Line, other: _Line) -> _Line:
        better = sign * other.value < sign * one.value
        return _Line(*(ca.if_else(better, new, old) for new, old in zip(other, one, strict=True)))

    return reduce(chosen, lines)


def _linear(form: RowForm, rows: Any, tight: Any, u: Any) -> list[tuple[Any, Any, Any]]:
    """Alpha, beta and what is left at rest of every row; as `limit_rows.linear_rows`."""
    alpha, beta, gamma, delta = form.coefficients(rows)
    if form.rough:
        # A tangent at more than the speed that friction alone allows would leave nothing at rest.
        most = reduce(ca.fmax, ca.vertsplit(delta), np.finfo(float).tiny)
        speed = ca.fmin(ca.sqrt(u), 1 / most)
        beta = beta + ca.if_else(speed > SLOW, delta / (2 * speed), 0)
        gamma = gamma + ca.if_else(speed > SLOW, delta * speed / 2, 0)
    room = ca.fmax(1 - tight * gamma, _ROOM)
    return list(zip(*(ca.vertsplit(column) for column in (tight * alpha, tight * beta, room)), strict=True))


def _cell_rows(form: RowForm, cell: Mapping[str, Any]) -> list[tuple[Any, Any, Any]]:
    """Rows `A q + B p <= C` of a cell."""
    h, guess = cell["h"], ca.vertsplit(cell.get("guess", ca.SX.zeros(2)))
    ends = zip((cell["before"], cell["after"]), guess, strict=True)
    first, last = (_linear(form, rows, cell["tight"], u) for rows, u in ends)
    rows = [(alpha / (2 * h), beta - alpha / (2 * h), room) for alpha, beta, room in first]
    rows += [(beta + alpha / (2 * h), -alpha / (2 * h), room) for alpha, beta, room in last]
    return [(ca.if_else(ca.fabs(A) > _NOTHING * (ca.fabs(B) + C), A, 0), B, C) for A, B, C in rows]


def cell_bounds(form: RowForm) -> Kernel:
    """Of cells the largest p, how far its last Newton step went, and the lines of both passes.

    What is left to q, the lowest upper bound less the highest lower one, is concave in p and not negative at p = 0.
    From the right, Newton's method runs down its lines to where it is zero, in as many steps as lines are met.
    """
    sizes = {"before": form.width, "after": form.width, "h": 1, "tight": 1}
    sizes |= ({"a_max": 1} if form.bounded else {}) | ({"guess": 2} if form.rough else {}) | {"start": 1}
    cell = {name: ca.SX.sym(name, size) for name, size in sizes.items()}
    before, after, rows = cell["before"], cell["after"], _cell_rows(form, cell)
    # Upper bounds q <= high + rise p, lower bounds q >= low + fall p, bounds p <= offset + factor q.
    upper = [(ca.if_else(A > 0, C / A, ca.inf), ca.if_else(A > 0, -B / A, 0)) for A, B, C in rows]
    lower = [(ca.if_else(A < 0, C / A, -ca.inf), ca.if_else(A < 0, -B / A, 0)) for A, B, C in rows]
    held = [ca.logic_and(A <= 0, B > 0) for A, B, _ in rows]
    back = [
        (ca.if_else(on, C / B, ca.inf), ca.if_else(on, -A / B, 0)) for on, (A, B, C) in zip(held, rows, strict=True)
    ]
    direct = [ca.if_else(A == 0, offset, ca.inf) for (A, _, _), (offset, _) in zip(rows, back, strict=True)]
    a_max = cell.get("a_max", UNBOUNDED) / cell["tight"]
    circle = _Circle(cell["h"], before[CURVATURE], after[CURVATURE], a_max)
    p = _least([cell["start"], before[CAP], *direct, *(circle.rims() if form.bounded else ())])
    step, top, none = ca.SX(0), ca.fmin(after[CAP], UNBOUNDED), ca.SX(0)
    for _ in range(_NEWTON):
        above = [_Line(top, none, top), *(_Line.through(high, rise, p) for high, rise in upper)]
        below = [_Line(none, none, none), *(_Line.through(low, fall, p) for low, fall in lower)]
        if form.bounded:
            above, below = (ours + more for ours, more in zip((above, below), circle.lines(p), strict=True))
        least, most = _first(above, 1), _first(below, -1)
        left, slope = least.value - most.value, least.slope - most.slope
        # By what they give at zero: far out, a difference of two values would be rounding.
        met = ca.fmax(ca.if_else(slope < 0, (most.offset - least.offset) / slope, 0), 0)
        step = ca.if_else(left < 0, p - ca.fmin(p, met), 0)
        p = p - step
    outputs = {"step": step, "p": p, "ahead": _column(upper), "back": _column(back)}
    return build(BOUNDS, cell, None, outputs)


def _column(lines: Sequence[tuple[Any, Any]]) -> Any:
    """Offsets of all lines, then their slopes."""
    return ca.vertcat(*(ca.vertcat(*column) for column in zip(*lines, strict=True)))


def speed_pass(name: str, form: RowForm) -> Scan:
    """A pass over cells: from the squared speed at one end, the last one or the one given, to the largest at the other.

    A squared speed is given, or `NOT_GIVEN`, and a bound on the result.
    """
    state, lines, circle = ca.SX.sym("state"), ca.SX.sym("lines", 4 * form.count), ca.SX.sym("circle", 4)
    given, bound = ca.SX.sym("given"), ca.SX.sym("bound")
    known = ca.if_else(given >= 0, given, state)
    bounds = [bound, *ca.vertsplit(lines[: 2 * form.count] + lines[2 * form.count :] * known)]
    if form.bounded:
        limit = _Circle(*ca.vertsplit(circle))
        bounds += limit.ahead(known) if name == FORWARD else limit.back(known)
    reached = ca.fmax(_least(bounds), 0)
    inputs = {"lines": lines, **({"circle": circle} if form.bounded else {}), "given": given, "bound": bound}
    return build_scan(name, state, inputs, None, reached, {"u": ca.vertcat(known, reached)})


def limit_use(form: RowForm) -> Kernel:
    """The largest share of a limit at a point, at an acceleration and a squared speed under a bound on acceleration."""
    rows, b, u, a_max = ca.SX.sym("rows", form.width), *(ca.SX.sym(name) for name in ("b", "u", "a_max"))
    inputs = {"rows": rows, "b": b, "u": u, **({"a_max": a_max} if form.bounded else {})}
    return build(USE, inputs, None, {"use": _share(form, rows, b, u, a_max)})


def cell_use(form: RowForm, looks: Sequence[float]) -> Kernel:
    """The most and the least of the shares of `limit_use` at looks into a cell, given as shares of its length.

    The rows at all looks are one column; the squared speed is linear in between its values at both ends.
    """
    rows, h, u = ca.SX.sym("rows", len(looks) * form.width), ca.SX.sym("h"), ca.SX.sym("u", 2)
    a_max, rise = ca.SX.sym("a_max"), u[1] - u[0]
    every = zip(looks, ca.vertsplit(rows, form.width), strict=True)
    shares = [_share(form, own, rise / (2 * h), u[0] + rise * look, a_max) for look, own in every]
    inputs = {"rows": rows, "h": h, "u": u, **({"a_max": a_max} if form.bounded else {})}
    return build(CELL_USE, inputs, None, {"most": reduce(ca.fmax, shares), "least": reduce(ca.fmin, shares)})


def _share(form: RowForm, rows: Any, b: Any, u: Any, a_max: Any) -> Any:
    alpha, beta, gamma, delta = form.coefficients(rows)
    shares = [*ca.vertsplit(alpha * b + beta * u + gamma + delta * ca.sqrt(u)), ca.sqrt(u / rows[CAP])]
    shares += [ca.sqrt(b**2 + (rows[CURVATURE] * u) ** 2) / a_max] if form.bounded else []
    return reduce(ca.fmax, shares)
