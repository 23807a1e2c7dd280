"""Packs: what a robot's legs do alike is computed side by side, and whatever is packed is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import casadi
import numpy as np
import pytest
from casadi import SX
from hypothesis import given, settings, strategies as st

from parapick.kernel import Substep, build_scan
from parapick.kernel.trace.expressions import trace_of
from parapick.kernel.trace.packs import HOISTED, JOIN, LANE, SUM, Packed, packed

Leg = Callable[[SX, SX], SX]


def rod(x: SX, angle: SX) -> SX:
    """Something like the closure of a leg: two numbers of its own, a root and a division."""
    along = x[0] * casadi.cos(angle) + x[1] * casadi.sin(angle)
    return casadi.sqrt(along**2 + x[2] ** 2 + 1.0) / (2.0 + along**2)


def pack_of(outputs: dict[str, SX], x: SX, angles: SX) -> Packed:
    return packed(trace_of("legs", {"x": x}, angles, outputs, None))


def operations(pack: Packed) -> tuple[Counter[str], Counter[str]]:
    """How many vectors and how many scalars are computed, by operation."""
    counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for node, wide in zip(pack.trace.instructions, pack.wide, strict=True):
        counts[not wide][node.operation] += 1
    return counts


@pytest.mark.parametrize("legs", [3, 4, 6])
def test_legs_become_lanes(legs: int) -> None:
    x, angles = SX.sym("x", 3), SX.sym("angles", legs)
    lengths = [rod(x, angles[leg]) for leg in range(legs)]
    pack = pack_of({"total": sum(lengths[1:], lengths[0]) + x[1]}, x, angles)
    wide, single = operations(pack)
    assert pack.lanes == legs
    assert wide["SQRT"] == wide["DIV"] == 1
    assert single["SQRT"] == single["DIV"] == single["MUL"] == single[LANE] == 0
    assert single[SUM] == 1
    assert wide[JOIN] == 2  # cosines and sines of all angles
    assert single[HOISTED] == 2 * legs


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_sums_with_both_signs_are_one_sum(sign: float) -> None:
    """`sum a_i + k (sum b_i - sum c_i) + d` is two sums across lanes: one of `a`, one of `b - c`."""
    x, angles = SX.sym("x", 3), SX.sym("angles", 5)
    a, b, c = ([rod(factor * x, angles[leg]) for leg in range(4)] for factor in (1.0, 2.0, 3.0))
    scaled = angles[4] * (sum(b, SX(0)) - sum(c, SX(0)))
    total = sum(a, SX(0)) + scaled + x[0] if sign > 0 else sum(a, SX(0)) - scaled + x[0]
    wide, single = operations(pack_of({"total": total}, x, angles))
    assert wide["SQRT"] == 3
    assert single[SUM] == 2
    assert single[LANE] == 0
    assert_computed(total, x, angles)


def assert_computed(total: SX, x: SX, angles: SX) -> None:
    """A scan gives what CasADi gives."""
    values = (
        np.random.default_rng(1).uniform(0.5, 1.5, x.numel()),
        np.random.default_rng(2).uniform(0, 6, angles.numel()),
    )
    scan = build_scan("computed", SX.sym("s", 1), {"x": x}, angles, SX(0.0), {"total": total})
    wanted = float(casadi.Function("wanted", [x, angles], [total])(*values))
    assert scan([0.0], values[0][None], values[1]).outputs["total"][0] == pytest.approx(wanted, rel=1e-13)


def test_two_robots_in_one_trace_and_numbers_alike_by_chance() -> None:
    """A plant and what a controller knows of it: two sets of angles, and four radii that are used alike but belong to
    no legs."""
    x, p = SX.sym("x", 3), SX.sym("p", 12)
    totals = []
    for first in (0, 6):
        outer, inner = p[first + 4], p[first + 5]
        shifted = [
            x + casadi.vertcat(outer * casadi.cos(p[first + leg]) - inner * casadi.cos(p[first + leg]), 0, 0)
            for leg in range(4)
        ]
        totals.append(sum((rod(shifted[leg], p[first + leg]) for leg in range(4)), SX(0)))
    pack = pack_of({"one": totals[0], "other": totals[1]}, x, p)
    wide, single = operations(pack)
    assert pack.lanes == 4
    assert wide["SQRT"] == single[SUM] == 2
    assert single["SQRT"] == single[LANE] == 0
    assert_computed(totals[0] - 2.0 * totals[1], x, p)


def test_nothing_alike_leaves_the_trace_alone() -> None:
    x, p = SX.sym("x", 3), SX.sym("p", 2)
    trace = trace_of("plain", {"x": x}, p, {"y": casadi.sin(x[0]) * p[0] + x[1] / p[1]}, None)
    pack = packed(trace)
    assert not any(pack.wide)
    assert Counter(one.operation for one in pack.trace.instructions if one.operation != HOISTED) == Counter(
        one.operation for n, one in enumerate(trace.instructions) if not trace.fixed[n]
    )


def test_lanes_follow_the_legs_whatever_the_order() -> None:
    """Legs written in different orders in different places still meet in their own lanes."""
    x, angles, gains = SX.sym("x", 3), SX.sym("angles", 4), SX.sym("gains", 4)
    first = {leg: rod(x, angles[leg]) for leg in (2, 0, 3, 1)}
    second = {leg: casadi.sqrt(gains[leg] + x[2] ** 2) for leg in (1, 3, 0, 2)}
    total = sum((first[leg] * second[leg] for leg in (3, 1, 2, 0)), SX(0))
    trace = trace_of("orders", {"x": x, "gains": gains}, angles, {"total": total}, None)
    wide, single = operations(packed(trace))
    assert single[SUM] == 1
    assert wide["SQRT"] == 2
    assert wide["MUL"] == 3  # two products with the angles' cosines and sines, and the last
    # Gains, cosines and sines are read one by one; nothing else is moved between lanes.
    assert wide[JOIN] == 3
    assert single[LANE] == 0
    reference = casadi.Function("reference", [x, gains, angles], [total])
    scan = build_scan("orders", SX.sym("s", 1), {"x": x, "gains": gains}, angles, SX(0.0), {"total": total})
    values = np.random.default_rng(0).uniform(0.5, 1.5, (3, 4))
    run = scan([0.0], values[:1, :3], values[1:2], values[2])
    assert run.outputs["total"][0] == pytest.approx(float(reference(values[0, :3], values[1], values[2])), rel=1e-13)


# Values stay near 1 and nothing jumps, so that rounding is all that may differ.
OPERATIONS: dict[str, Callable[[SX, SX], SX]] = {
    "add": lambda a, b: 0.5 * (a + b),
    "subtract": lambda a, b: 0.5 * (a - b),
    "multiply": lambda a, b: a * casadi.cos(b),
    "divide": lambda a, b: a / (1.5 + b**2),
    "root": lambda a, b: casadi.sqrt(1.0 + a**2) - 0.5,
    "least": casadi.fmin,
    "largest": lambda a, b: casadi.fmax(a, 0.25),
    "size": lambda a, b: casadi.fabs(a),
    "sine": lambda a, b: casadi.sin(a),
    "choice": lambda a, b: casadi.if_else(a < b, a, b),
    "negative": lambda a, b: -a,
}

programs = st.lists(
    st.tuples(st.sampled_from(sorted(OPERATIONS)), st.integers(0, 30), st.integers(0, 30)), min_size=3, max_size=14
)


def run_program(program: list[tuple[str, int, int]], values: list[SX]) -> list[SX]:
    """Values made by a random program from some values, one more a line."""
    values = list(values)
    for name, first, second in program:
        values.append(OPERATIONS[name](values[first % len(values)], values[second % len(values)]))
    return values


@settings(max_examples=25, deadline=None)
@given(
    leg=programs,
    after=programs,
    legs=st.sampled_from([2, 3, 4, 5, 6]),
    signs=st.integers(0, 63),
    seed=st.integers(0, 9),
)
def test_random_legs(
    leg: list[tuple[str, int, int]], after: list[tuple[str, int, int]], legs: int, signs: int, seed: int
) -> None:
    """Random computations done alike for several legs, summed with random signs and used further: CasADi agrees."""
    x, u = SX.sym("x", 2), SX.sym("u", legs)
    p = SX.sym("p", 2 * legs + 1)
    held, inner = SX.sym("held", legs), SX.sym("inner", 2)
    ends = [run_program(leg, [x[0], x[1], u[i], p[i], casadi.cos(p[legs + i])]) for i in range(legs)]
    sums = [sum((one[k] if signs >> i & 1 else -one[k] for i, one in enumerate(ends)), SX(0)) for k in (-1, -2)]
    outputs = casadi.vertcat(*run_program(after, [*sums, sums[0] + p[-1] * sums[1], x[0]])[-3:])
    kept = casadi.vertcat(*[one[-1] for one in ends])
    moved = [run_program(leg, [inner[0], inner[1], held[i], p[i], p[legs + i]])[-1] for i in range(legs)]
    further = casadi.vertcat(sum(moved, SX(0)) / (1.0 + legs), casadi.sin(inner[0]))
    substep = Substep(inner, held, further, values=kept)
    scan = build_scan("random", x, {"u": u}, p, x, {"y": outputs, "kept": kept}, substep=substep)
    numbers = np.random.default_rng(seed).uniform(0.3, 1.2, 3 * legs + 3)
    x0, u0, p0 = numbers[:2], numbers[2 : 2 + legs], numbers[2 + legs :]
    run = scan(x0, u0[None], p0, substeps=2)
    wanted, held0 = casadi.Function("now", [x, u, p], [outputs, kept])(x0, u0, p0)
    then = casadi.Function("then", [inner, held, p], [further])
    last = then(then(x0, held0, p0), held0, p0)
    for actual, expected in ((run.outputs["y"][0], wanted), (run.outputs["kept"][0], held0), (run.state, last)):
        np.testing.assert_allclose(actual, np.array(expected).ravel(), rtol=1e-9, atol=1e-10)
