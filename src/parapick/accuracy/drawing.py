"""How robots are drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from parapick.accuracy.tolerances import DISTRIBUTIONS
from parapick.errors import ParameterError
from parapick.limits import count_objection


@final
@dataclass(frozen=True)
class RobotDraws:
    """How robots are drawn at random.

    Attributes:
        distribution: a name of `DISTRIBUTIONS`.
        samples: number of robots.
        seed: where the random numbers begin.
    """

    distribution: str
    samples: int
    seed: int


def check_drawing(drawing: RobotDraws) -> None:
    """Raise if robots cannot be drawn like this.

    Raises:
        ParameterError: an unknown distribution, fewer than two robots, or a seed below 0.
    """
    if drawing.distribution not in DISTRIBUTIONS:
        raise ParameterError("distribution", f"is {drawing.distribution!r}; it must be {' or '.join(DISTRIBUTIONS)}")
    for name, number, least in (("samples", drawing.samples, 2), ("seed", drawing.seed, 0)):
        if isinstance(number, bool) or not isinstance(number, int) or number < least:
            raise ParameterError(name, f"is {number}; it must be a whole number of at least {least}")
        if objection := count_objection(name, number):
            raise ParameterError(name, objection)
