"""Where requirements begin to be broken, against numbers for which they are known to be."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from parapick.timing import turning
from parapick.timing.turning import CLOSE


def square(border: float) -> Callable[[float], float]:
    """Share of a limit that grows with the square of a number and is used up at a border."""
    return lambda number: (number / border) ** 2


def jump(border: float) -> Callable[[float], float]:
    """A requirement that is broken all at once."""
    return lambda number: 0.1 if number <= border else 5.0


def asked(use: Callable[[float], float], start: float, least: float = 1e-3, most: float = 1e6) -> tuple[float, float]:
    """The largest number that is kept, and the share that is used beyond it (NaN where nothing breaks)."""
    turn = turning(use, math.log, start, least, most)
    return turn.kept, math.nan if turn.breaks is None else turn.breaks


@pytest.mark.parametrize("start", [0.01, 1.0, 3.99, 4.0, 50.0, 1e5])
@pytest.mark.parametrize("use", [square(4.0), jump(4.0)], ids=["square", "jump"])
def test_the_border_is_found_from_below_and_from_above(use: Callable[[float], float], start: float) -> None:
    kept, beyond = asked(use, start)
    assert kept == pytest.approx(4.0, rel=2 * CLOSE)
    assert use(kept) <= 1.0 < beyond


def test_what_is_never_broken_has_no_border() -> None:
    kept, beyond = asked(square(1e9), 1.0, most=100.0)
    assert math.isinf(kept)
    assert math.isnan(beyond)


def test_what_is_never_kept_says_what_breaks_at_the_least() -> None:
    kept, beyond = asked(square(1e-6), 1.0, least=0.5)
    assert kept == 0.0
    assert beyond == pytest.approx((0.5 / 1e-6) ** 2)
