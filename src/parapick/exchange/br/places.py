"""Where a number stands in a project: each field of a description states its place and its unit there, once.

Reading and writing follow from the same statement: `read_record` takes a description from settings, `record_texts`
gives the settings of a description.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, TypeVar, final

from parapick.exchange.br.project import ProjectSetting
from parapick.names import quoted
from parapick.units import UNITS

R = TypeVar("R")

NUMBER: Final = re.compile(r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?")
"""A number as the program writes it. The exponent is short, so that exact arithmetic stays small."""

NO_LIMIT: Final = 1e38
"""From here on a number stands for no limit: the program writes the largest single or double precision number."""

_OWN_UNITS: Final = {
    "N m s/turn": 1 / (2 * math.pi),
    "%": 0.01,
    "": 1.0,
    "mH": 1e-3,
}
"""Units of the program that files of ours do not have, and what one of them is in SI."""

_FACTORS: Final[Mapping[str, Fraction]] = {
    unit: factor for units in UNITS.values() for unit, factor in units.items() if unit not in _OWN_UNITS
}
"""What one of each unit is in SI; a unit has one meaning, whatever it is the unit of."""


@final
@dataclass(frozen=True)
class SettingPlace:
    """Where a number stands.

    Attributes:
        path: its place in the part, with `{n}` for the number of the arm, the axis or the body, from 1.
        unit: its unit there.
    """

    path: str
    unit: str


def stated(path: str, unit: str, default: Any = None) -> Any:
    """A field with its place.

    Args:
        path: its place, with `{n}` for a number from 1.
        unit: its unit there.
        default: what it is where the project states nothing (SI).
    """
    return field(default=default, metadata={"place": SettingPlace(path, unit)})


@final
class Ledger:
    """Which settings were taken, and for which number; what is left is listed."""

    def __init__(self) -> None:
        self.taken: set[tuple[str, str, str]] = set()
        self._sources: dict[str, list[str]] = {}

    def take(self, setting: ProjectSetting, key: str = "", called: str = "") -> str:
        """The text of a setting, which counts as taken.

        Args:
            setting: the setting.
            key: the number that it gives, as `source` asks for it.
            called: what a row of a table is called, beside its place.
        """
        self.taken.add((setting.file, setting.part, setting.path))
        parts = key.split(".") if key else []
        for length in range(1, len(parts) + 1):
            text = f"{setting} ({called})" if called else str(setting)
            self._sources.setdefault(".".join(parts[:length]), []).append(text)
        return setting.value

    def has(self, setting: ProjectSetting) -> bool:
        """Whether a setting was taken.

        Args:
            setting: the setting.
        """
        return (setting.file, setting.part, setting.path) in self.taken

    def source(self, *keys: str) -> str:
        """Where numbers come from, in words; empty where the project states none of them.

        Args:
            keys: the numbers, such as "Arm.upper.1"; without the last word those of all arms.
        """
        places = [text for key in keys for text in self._sources.get(key, ())]
        return _joined(list(dict.fromkeys(places)))


def _joined(places: list[str]) -> str:
    """Places in words: the first, and how many more; those of one part by their paths alone."""
    if len(places) < 2:
        return "".join(places)
    head, _, _ = places[0].partition(", ")
    rest = [text.removeprefix(f"{head}, ") for text in places[1:]]
    return f"{places[0]}; {rest[0]}" if len(rest) == 1 else f"{places[0]} and {len(rest)} more like it"


def number(setting: ProjectSetting, unit: str = "") -> float:
    """The number of a setting in SI.

    Args:
        setting: the setting.
        unit: its unit in the project.

    Raises:
        FileError: it is not a number.
    """
    text = setting.value.strip()
    if not NUMBER.fullmatch(text):
        raise setting.error(f"is {quoted(setting.value)}; it must be a number, such as 320.0")
    exact = Fraction(text)
    value = float(text) * _OWN_UNITS[unit] if unit in _OWN_UNITS else _float(exact * _FACTORS[unit])
    if not math.isfinite(value):
        raise setting.error(f"is {quoted(setting.value)}; it must be a finite number")
    return value


def _float(exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        return math.inf


def number_text(value: float, unit: str = "") -> str:
    """A number (SI) as the program writes it, with all its digits.

    Args:
        value: the number (SI).
        unit: its unit in the project.
    """
    if unit in _OWN_UNITS:
        return repr(float(value) / _OWN_UNITS[unit])
    return repr(float(Fraction(value) / _FACTORS[unit]))


def places_of(kind: type) -> Iterator[tuple[str, SettingPlace]]:
    """The fields of a description that have a place.

    Args:
        kind: the description.
    """
    for one in dataclasses.fields(kind):  # pyright: ignore[reportArgumentType]
        if "place" in one.metadata:
            yield one.name, one.metadata["place"]


def read_record(kind: type[R], settings: Mapping[str, ProjectSetting], ledger: Ledger, n: int = 0) -> R:
    """A description from settings; what the project does not state has its default.

    Args:
        kind: the description.
        settings: the settings by their paths.
        ledger: what was taken.
        n: number of the arm, the axis or the body, from 1; 0 where there is only one.

    Raises:
        FileError: a setting is no number.
    """
    values: dict[str, float] = {}
    for name, place in places_of(kind):
        setting = settings.get(place.path.format(n=n))
        if setting is None:
            continue
        value = number(setting, place.unit)
        path = place.path.format(n=n)
        called = "" if setting.path.endswith(path) else path
        ledger.take(setting, f"{kind.__name__}.{name}" + (f".{n}" if n else ""), called)
        if abs(float(setting.value)) < NO_LIMIT:
            values[name] = value
    return kind(**values)


def record_texts(record: Any, n: int = 0) -> Iterator[tuple[str, str]]:
    """The settings of a description: paths and texts. What is None is not stated.

    Args:
        record: the description.
        n: number of the arm, the axis or the body, from 1; 0 where there is only one.
    """
    for name, place in places_of(type(record)):
        value = getattr(record, name)
        if value is not None:
            yield place.path.format(n=n), number_text(value, place.unit)
