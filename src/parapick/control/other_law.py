"""A controller with another law: what it states stays, wherever the other law has it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from parapick.control.controller import Controller, law_name
from parapick.control.departures import with_true_sources
from parapick.control.fields import axis_of, gain_axis
from parapick.control.laws import GAINS
from parapick.control.poles import Poles
from parapick.control.tuned import law_named
from parapick.fields import quantity_of


def with_law(controller: Controller, name: str) -> Controller:
    """The same controller with another law; of the same law it stays whole.

    The other law keeps what both have: sensing, friction feedforward, sharing, numbers of the same meaning and unit. It
    keeps the gains where it has all of its own by name, unit and axis; otherwise they follow from the poles that were
    stated, or else from the usual ones. `departures` says what differs.

    Args:
        name: a name of `LAWS`.

    Raises:
        UnknownControlLawError: no law has this name.
    """
    other, law = law_named(name), controller.law
    if law_name(law) == name:
        return controller
    kept = dict(_kept(law, other)) if dataclasses.is_dataclass(law) else {}
    gains = [field.name for field in dataclasses.fields(other) if field.name in GAINS]
    if any(kept.get(gain) is None for gain in gains):
        kept = {field: value for field, value in kept.items() if field not in gains}
        kept["poles"] = _poles(law, other)
    own = f"{controller.name}-{name}" if controller.name else ""
    return with_true_sources(controller, replace(controller, law=other(**kept), name=own))


def _kept(law: Any, other: Any) -> Iterator[tuple[str, Any]]:
    """Fields of a law that another one has too."""
    own = {field.name: field for field in dataclasses.fields(law)}
    for field in dataclasses.fields(other):
        if field.name in own and _alike(own[field.name], field):
            yield field.name, getattr(law, field.name)


def _alike(one: dataclasses.Field[Any], other: dataclasses.Field[Any]) -> bool:
    """Whether two fields of one name mean the same: numbers by unit and axis and, unless they are gains, by meaning."""
    numbers = quantity_of(one), quantity_of(other)
    if None in numbers:
        return numbers == (None, None)
    first, second = numbers
    same = first.unit == second.unit and axis_of(one) == axis_of(other)  # pyright: ignore[reportOptionalMemberAccess]
    return same and (one.name in GAINS or first.doc == second.doc)  # pyright: ignore[reportOptionalMemberAccess]


def _poles(law: Any, other: Any) -> Poles:
    """Poles that a law stated; the usual ones in the place of those per axis, where the other law has other axes."""
    stated = getattr(law, "poles", None) or Poles()
    if gain_axis(law) == gain_axis(other):
        return stated
    usual = Poles()
    per_axis = [name for name in ("frequency", "damping", "integral") if isinstance(getattr(stated, name), tuple)]
    return replace(stated, **{name: getattr(usual, name) for name in per_axis})
