"""Expressions made of symbols, put to use on other expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca


def inlined(expressions: Sequence[Any], symbols: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """The same expressions with other expressions in the place of their symbols.

    Args:
        expressions: columns or matrices.
        symbols: columns of symbols they are made of.
        values: what takes the symbols' place, in shapes alike.
    """
    replaced: Any = ca.substitute([*expressions], [*symbols], [*values])
    return replaced
