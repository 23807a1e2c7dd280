"""A requirement: a value against the limit that it must keep, with one tolerance, whatever is compared.

Everything that a command refuses is one of these: what, its value, its limit, where, what is left, whether it is kept.
A value `v` keeps an upper limit `u` where `|v| <= u + tolerance(u)`, and a lower one `l` where `v >= l - tolerance(l)`.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.answer.values import Place
from parapick.answer.words import amount, percent
from parapick.errors import ParameterError
from parapick.extremes import LIMIT_SLACK, TOUCH


def keeps(value: ArrayLike, *, at_least: ArrayLike | None = None, at_most: ArrayLike | None = None) -> np.ndarray:
    """Whether values keep their limits (...), with the tolerance of rounding.

    What is not a number keeps no limit, and an infinite magnitude keeps no upper one, not even an infinite one.

    Args:
        value: the values (...).
        at_least: what they must not fall below: one limit, or one each; None for no such limit.
        at_most: what their magnitudes must not exceed: one limit, or one each; None for no such limit.
    """
    values = np.asarray(value, float)
    kept = ~np.isnan(values)
    if at_least is not None:
        kept = kept & (values >= np.asarray(at_least, float) - tolerance(at_least))
    if at_most is not None:
        bound = np.asarray(at_most, float) + tolerance(at_most)
        kept = kept & np.isfinite(values) & (np.abs(values) <= bound)
    return kept


def tolerance(limit: ArrayLike) -> np.ndarray:
    """By how much limits may be exceeded and still count as kept (...), in their unit; 0 for infinite ones.

    A limit that is met exactly may be exceeded by rounding: by `LIMIT_SLACK` of it, and by `TOUCH` where it is next
    to 0.

    Args:
        limit: the limits (...).
    """
    size = np.abs(np.asarray(limit, float))
    return np.where(np.isfinite(size), np.maximum(LIMIT_SLACK * size, TOUCH), 0.0)[()]


@final
@dataclass(frozen=True)
class Requirement:
    """One requirement, and whether it is met.

    Attributes:
        name: the quantity, such as "motor torque, peak".
        value: its worst value (SI).
        limit: what it must not exceed, or fall below where `floor`; None where nothing limits it.
        unit: unit of both; empty for margins and ratios.
        ok: whether the requirement is met.
        text: the requirement in words with its numbers and its place.
        place: where the worst is.
        floor: whether `limit` is a lower bound (slack, margin) instead of an upper one.
        brief: the same in few words without the place, as a verdict quotes it; the whole text if empty.
        motor: which motor a requirement without a place is about, from 1; 0 for none.
        label: what people read instead of the name, such as "motor force, peak" of linear motors; the name if empty.
        reading: what people read instead of value and limit, such as "4 of 4 laws do it"; the numbers if empty.
    """

    name: str
    value: float
    limit: float | None
    unit: str
    ok: bool
    text: str
    place: Place | None = None
    floor: bool = False
    brief: str = ""
    motor: int = 0
    label: str = ""
    reading: str = ""

    @property
    def whose(self) -> str:
        """The motor or leg that it is about, such as "leg 2"; empty where it is a property of all."""
        if self.place is not None:
            return self.place.whose
        return f"motor {self.motor}" if self.motor else ""

    @property
    def title(self) -> str:
        """What people read: the label, or the name where there is none."""
        return self.label or self.name

    @property
    def use(self) -> float | None:
        """Share of an upper limit that is used; None without one."""
        return abs(self.value) / self.limit if self.limit and not self.floor else None

    @property
    def reserve(self) -> float | None:
        """What is left to the limit, in the unit of both; negative is what is missing, None where nothing limits it."""
        if self.limit is None:
            return None
        return self.value - self.limit if self.floor else self.limit - abs(self.value)

    def to_dict(self) -> dict[str, Any]:
        """The requirement as plain values, with the share of its limit that is used and what is left to it."""
        return {**asdict(self), "use": self.use, "reserve": self.reserve}


def against(
    name: str,
    subject: str,
    value: float,
    *,
    unit: str,
    at_least: float | None = None,
    at_most: float | None = None,
    where: str = "",
    place: Place | None = None,
    motor: int = 0,
    label: str = "",
    state: str = "",
    words: str = "",
    reading: str = "",
) -> Requirement:
    """A value against its limit, if it has one, in words: the one way to make a requirement.

    Args:
        name: the quantity, such as "motor torque, peak".
        subject: the quantity of which motor, leg or rod, in words.
        value: its worst value (SI); the magnitude counts against an upper limit.
        unit: unit of value and limit.
        at_least: what it must not fall below, minus infinity where it need only be a number; None where it has an upper
            limit or none.
        at_most: what it must not exceed; None or infinite where it has a lower limit or none.
        where: where it is, in words; that of the place if empty.
        place: where it is; None where it is a property of the whole.
        motor: which motor a requirement without a place is about, from 1; 0 for none.
        label: what people read instead of the name; the name if empty.
        state: what is said of the value, where its number alone does not say it, such as "singular".
        words: the whole requirement in words, where subject and number do not say it, such as "under control: tsid".
        reading: what people read instead of value and limit, such as "4 of 4 laws do it"; the numbers if empty.

    Raises:
        ParameterError: a lower and an upper limit; these are two requirements.
    """
    if at_least is not None and at_most is not None:
        raise ParameterError("at_most", f"is {at_most:g}, beside at_least {at_least:g}; give one of them")
    floor = at_least is not None
    limit = _finite(at_least if floor else at_most)
    kept = bool(keeps(value, at_least=at_least, at_most=at_most))
    brief, text = "", words
    if not words:
        relation = f": {state}" if state else _relation(value, unit, limit, floor=floor, kept=kept)
        numbers = f": {state}" if state else _numbers(value, unit, limit, floor=floor, kept=kept)
        spot = where or ("" if place is None else str(place))
        brief = f"{subject}{relation}"
        text = f"{subject}{numbers}{f', {spot}' if spot else ''}"
    return Requirement(name, value, limit, unit, kept, text, place, floor, brief, motor, label, reading)


def _finite(limit: float | None) -> float | None:
    """A limit that limits; None for an infinite one."""
    return limit if limit is not None and math.isfinite(limit) else None


def _relation(value: float, unit: str, limit: float | None, *, floor: bool, kept: bool) -> str:
    """A value by its limit in few words, as a verdict quotes it: the share that it uses, or what is left."""
    if floor or not limit or not math.isfinite(value):
        return _numbers(value, unit, limit, floor=floor, kept=kept)
    return f" at {percent(abs(value) / limit)} of {amount(limit, unit)}"


def _numbers(value: float, unit: str, limit: float | None, *, floor: bool, kept: bool) -> str:
    """A value by its limit in full: both numbers and the share that it uses, or what is left or missing."""
    if limit is None or not math.isfinite(value):
        return f": {amount(abs(value), unit)}"
    if floor:
        # What is missing by rounding alone is kept, and nothing is left of it.
        left = value - limit
        return f": {amount(left, unit)} left" if kept else f": {amount(-left, unit)} is missing"
    share = f" ({percent(abs(value) / limit)})" if limit else ""
    return f": {amount(abs(value), unit)} of {amount(limit, unit)}{share}"
