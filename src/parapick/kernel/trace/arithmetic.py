"""CasADi's arithmetic of symbols without its question which kind of matrix each operand is.

Sum, difference, product and quotient of CasADi try for each operand which of five kinds it is or can be made, which
takes ten times as long as the operation, and half of the time in which expressions are written. While they are written,
operands that are `SX` already, or plain numbers other than 0, go to the operation at once; all else goes the usual way.
The expressions are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final

import casadi
from casadi import SX

_CODES: Final = {"add": casadi.OP_ADD, "sub": casadi.OP_SUB, "mul": casadi.OP_MUL, "truediv": casadi.OP_DIV}
"""Operations by the name of Python's operator."""

_lock = Lock()
_writers = 0
_numbers: dict[float, SX] = {}
"""Numbers as SX; not 0, of which there are two that are equal."""


@contextmanager
def direct_arithmetic() -> Iterator[None]:
    """Let operators of SX go straight to their operations meanwhile, in all threads."""
    global _writers  # noqa: PLW0603
    with _lock:
        if not _writers:
            for name, operator in _DIRECT.items():
                setattr(SX, name, operator)
        _writers += 1
    try:
        yield
    finally:
        with _lock:
            _writers -= 1
            if not _writers:
                # CasADi's own belong to a class above.
                for name in _DIRECT:
                    delattr(SX, name)
                _numbers.clear()


def _operators() -> dict[str, Callable[[SX, Any], Any]]:
    """Operators by their names, each with its reflection."""
    direct: dict[str, Callable[[SX, Any], Any]] = {}
    for name, code in _CODES.items():
        direct[f"__{name}__"] = _operator(getattr(SX, f"__{name}__"), code, reflected=False)
        direct[f"__r{name}__"] = _operator(getattr(SX, f"__r{name}__"), code, reflected=True)
    return direct


def _operator(usual: Callable[[SX, Any], Any], code: int, *, reflected: bool) -> Callable[[SX, Any], Any]:
    """An operator that goes straight to its operation where both operands are known."""
    binary = SX.binary

    def operate(one: SX, other: Any) -> Any:
        kind = type(other)
        if (kind is float or kind is int) and other:
            number = _numbers.get(other)
            if number is None:
                number = _numbers[other] = SX(other)
            return binary(code, number, one) if reflected else binary(code, one, number)
        return binary(code, one, other) if kind is SX and not reflected else usual(one, other)

    return operate


_DIRECT: Final = _operators()
