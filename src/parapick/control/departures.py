"""What a controller that is run has otherwise than its file states it, in words; and the sources that still hold."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, Final

from parapick.control.controller import Controller, law_name
from parapick.control.laws import GAINS

_WORDS: Final = ("name", "title", "sources")
"""Fields of a controller that say what it is and change nothing."""

_POLES: Final = "law.poles"


def departures(stated: Controller, changed: Controller) -> tuple[str, ...]:
    """Everything in which a controller differs from another one, in words; numbers are SI.

    What another law has by default is part of that law, and not said.

    Args:
        stated: the controller as its file states it.
        changed: the controller that is run.
    """
    before, after = _values(stated), _values(changed)
    other = law_name(stated.law) != law_name(changed.law)
    said = [f"law {law_name(changed.law)} instead of {law_name(stated.law)}"] if other else []
    said += _gains(stated.law, changed.law)
    defaults = _defaults(changed.law) if other else {}
    for path in dict.fromkeys([*before, *after]):
        if path.rpartition(".")[0] in (*_missing(before, after), *_missing(after, before)) or _settled(path):
            continue
        old, new = before.get(path), after.get(path)
        if _node(old) and _node(new):
            continue
        if old is not None and new is None and not (_node(old) and _default(stated.law, path, old)):
            said.append(f"without {path}{_worth(old)}")
        elif old is None and new is not None and defaults.get(path) != new:
            said.append(f"with {path}{_worth(new)}")
        elif None not in (old, new) and old != new:
            said.append(f"{path}{_worth(new)} instead of{_worth(old) or ' another'}")
    return tuple(said)


def with_true_sources(stated: Controller, changed: Controller) -> Controller:
    """The changed controller with the sources of those fields that are as stated.

    Args:
        stated: the controller whose sources hold.
        changed: the same with other fields.
    """
    before, after = _values(stated), _values(changed)
    kept = {
        path: text
        for path, text in changed.sources.items()
        if path in after and before.get(path, _WORDS) == after[path]
    }
    return dataclasses.replace(changed, sources=kept)


def _gains(stated: Any, changed: Any) -> Iterator[str]:
    """How the gains differ: stated ones, or poles from which they follow."""
    old, new = (_gain_words(law) for law in (stated, changed))
    if old != new:
        yield f"{new} instead of {old}"


def _gain_words(law: Any) -> str:
    poles = getattr(law, "poles", None)
    if poles is not None:
        text = f"gains from {_text(poles.frequency)} Hz, a damping of {_text(poles.damping)}"
        own = type(poles)()
        text += f", an integral of {_text(poles.integral)}" if poles.integral != own.integral else ""
        return text if poles.inertia is None else f"{text} and an inertia of {_text(poles.inertia)}"
    gains = {name: getattr(law, name) for name in GAINS if getattr(law, name, None) is not None}
    return " and ".join(f"law.{name} {_text(value)}" for name, value in gains.items()) or "none"


def _settled(path: str) -> bool:
    """Whether gains say it: a gain, or something of the poles."""
    return path == _POLES or path.startswith(f"{_POLES}.") or path in {f"law.{name}" for name in GAINS}


def _values(node: Any, prefix: str = "") -> dict[str, Any]:
    """Every field of a description and of its parts by path, mappings by their names."""
    values: dict[str, Any] = {}
    for name, value in _fields(node):
        if prefix or name not in _WORDS:
            values[f"{prefix}{name}"] = value
            values |= _values(value, f"{prefix}{name}.") if _node(value) else {}
    return values


def _fields(node: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(node, Mapping):
        yield from node.items()
    elif dataclasses.is_dataclass(node):
        yield from ((field.name, getattr(node, field.name)) for field in dataclasses.fields(node))


def _node(value: Any) -> bool:
    return isinstance(value, Mapping) or (dataclasses.is_dataclass(value) and not isinstance(value, type))


def _missing(whole: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Parts that one has and the other has not: they are said as a whole."""
    return [path for path, value in whole.items() if _node(value) and not _node(other.get(path))]


def _defaults(law: Any) -> dict[str, Any]:
    """What a law has where nothing is stated, by path in the controller's file."""
    if not dataclasses.is_dataclass(law):
        return {}
    return {f"law.{field.name}": field.default for field in dataclasses.fields(law)}


def _default(law: Any, path: str, value: Any) -> bool:
    """Whether a part of a law is as where nothing is stated."""
    return path.startswith("law.") and _defaults(law).get(path) == value


def _worth(value: Any) -> str:
    return "" if _node(value) else f" {_text(value)}"


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return "/".join(_text(one) for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
