"""Findings: a value against the limit that it must keep, in words."""

from __future__ import annotations

import math

from parapick.evaluation.answer import Finding, Place
from parapick.evaluation.words import amount, percent
from parapick.motion.fit import LIMIT_SLACK

__all__ = ["against"]


def against(
    name: str, subject: str, value: float, *, limit: float, unit: str, where: str, place: Place | None
) -> Finding:
    """A value against its upper limit, if it has one.

    Args:
        name: the quantity.
        subject: the quantity of which motor or rod, in words.
        value: its worst value (SI); its magnitude counts.
        limit: what it must not exceed; infinite without a limit.
        unit: unit of both.
        where: where it is, in words.
        place: where it is; None where it is a property of the whole cycle.
    """
    size = abs(value)
    if not math.isfinite(limit):
        brief = f"{subject}: {amount(size, unit)}"
        return Finding(name, value, None, unit, True, f"{brief}, {where}", place, brief=brief)
    share = size / limit
    text = f"{subject}: {amount(size, unit)} of {amount(limit, unit)} ({percent(share)}), {where}"
    brief = f"{subject} at {percent(share)} of {amount(limit, unit)}"
    return Finding(name, value, limit, unit, size <= limit * (1.0 + LIMIT_SLACK), text, place, brief=brief)
