"""The integral of an error, summed by forward Euler and held within bounds (righettini2024 (22))."""

from __future__ import annotations

from typing import Any

import casadi as ca

from parapick.control.stage import Memory


def clamped_integral(name: str, rate: Any, step: Any, bound: Any) -> tuple[Any, Memory]:
    """The integral before a sample, and its memory: `I_next = clamp(I + T rate, +-bound)`.

    The document's "stops its summation" is read as a clamp; a literal stop would never start again.

    Args:
        name: name of the state.
        rate: what is summed (k), such as gain times error.
        step: control period T (s).
        bound: largest magnitude (k) as a column; None for no bound.
    """
    before = ca.SX.sym(name, rate.shape[0])
    after = before + step * rate
    if bound is not None:
        after = ca.fmin(ca.fmax(after, -bound), bound)
    return before, Memory(before, ca.SX.zeros(rate.shape[0]), after)
