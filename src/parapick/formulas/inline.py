"""Expressions made of symbols, put to use on other expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca

from parapick.kernel import renoted


def inlined(expressions: Sequence[Any], symbols: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """The same expressions with other expressions in the place of their symbols, and so the values noted in them.

    Args:
        expressions: columns or matrices.
        symbols: columns of symbols they are made of.
        values: what takes the symbols' place, in shapes alike.
    """

    def replaced(each: Sequence[Any]) -> list[Any]:
        # CasADi declares more forms of this than it has.
        changed: Any = ca.substitute([ca.SX(one) for one in each], [*symbols], [*values])
        return changed

    renoted(replaced)
    return replaced(expressions)
