"""Which of many requirements decides, and by how much: what verdicts, paces and payloads rest on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from parapick.answer import Requirement
from parapick.timing import FAR

_BROKEN: Final = 1e-12
"""Excess of a limit that is broken by rounding alone: greater than 0, so that a search knows its side."""


def limiting_of(requirements: Iterable[Requirement]) -> Requirement | None:
    """The requirement that a verdict rests on; None where nothing limits.

    A requirement of reach breaks first, for without it no other has a value; then the one that exceeds its limit most;
    last what has no place on the path, such as that no control law does the task. Where all are kept it is the one that
    uses most of its limit.

    Args:
        requirements: the requirements.
    """
    known = tuple(requirements)
    broken = [requirement for requirement in known if not requirement.ok]
    lost = next((requirement for requirement in broken if requirement.floor and requirement.place), None)
    limited = [requirement for requirement in broken or known if requirement.use is not None]
    tightest = max(limited, key=lambda requirement: requirement.use or 0.0, default=None)
    return lost or tightest or next(iter(broken), None)


def excess_of(requirement: Requirement | None) -> float:
    """Logarithm of the share of its limit that a requirement uses: above 0 where broken, far below where none limits.

    Args:
        requirement: the requirement that limits; None where nothing does.
    """
    if requirement is None or (requirement.ok and not requirement.use):
        return -FAR
    if requirement.use is None:
        return FAR
    excess = math.log(requirement.use)
    return min(excess, 0.0) if requirement.ok else max(excess, _BROKEN)
