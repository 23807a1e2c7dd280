"""Files of format 1 as they were shipped, from version 0.1.0 on: they are still read, and still mean the same.

`tests/formats/1` holds copies of every shipped file, and in `numbers.json` every number that was read of each by its
path. Neither is ever changed: what somebody wrote then must still give these numbers, whatever fields came later. Files
that are shipped for the first time are added. A catalogue of parts is a folder of tables, without a format number.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from parapick.catalogue import KINDS
from parapick.errors import FileError
from parapick.parameters import leaves
from parapick.sizing import read_catalogue

FOLDER = Path(__file__).parent / "formats" / "1"
FILES = [(kind, path) for kind in KINDS.values() for path in sorted((FOLDER / kind.plural).glob("*.toml"))]
CATALOGUES = sorted((FOLDER / "catalogues").iterdir())
each_file = pytest.mark.parametrize(("kind", "path"), FILES, ids=[f"{kind.name}-{path.stem}" for kind, path in FILES])


def numbers(kind: Any, path: Path) -> dict[str, float]:
    """Every number of what a file describes, by its path; of a study its ranges, since its robot is another file."""
    described = kind.load(path)
    if kind.name == "robot":
        described = described.robot
    if kind.name == "study":
        return {f"{free.path}.{end}": getattr(free, end) for free in described.space.free for end in ("low", "high")}
    return dict(leaves(described))


def catalogue_numbers(folder: Path) -> dict[str, float]:
    """Every number of a catalogue, by its kind, part and path; of a pair that it is there."""
    catalogue = read_catalogue(folder)
    found = {f"pair.{motor}.{gearbox}": 1.0 for motor, gearbox in catalogue.pairs}
    for kind, parts in (("motor", catalogue.motors), ("gearbox", catalogue.gearboxes)):
        for part in parts.values():
            points = {
                f"{curve}.{k}.{name}": value
                for curve, line in part.curves.items()
                for k, point in enumerate(line)
                for name, value in zip(("speed", "torque"), point, strict=True)
            }
            stated = {"mass": part.mass, "price": part.price, **part.numbers, **points}
            found |= {f"{kind}.{part.name}.{path}": value for path, value in stated.items() if value is not None}
    return found


@pytest.fixture(scope="module")
def recorded() -> dict[str, dict[str, float]]:
    return json.loads((FOLDER / "numbers.json").read_text(encoding="utf-8"))


def test_copies_of_every_kind_are_there() -> None:
    assert {kind.name for kind, _ in FILES} == set(KINDS)
    recorded = json.loads((FOLDER / "numbers.json").read_text(encoding="utf-8"))
    assert len(FILES) + len(CATALOGUES) == len(recorded) == 57


@each_file
def test_a_file_of_format_1_still_gives_its_numbers(kind: Any, path: Path, recorded: dict[str, Any]) -> None:
    now, then = numbers(kind, path), recorded[f"{kind.plural}/{path.stem}"]
    assert then
    assert changed(then, now) == {}


@pytest.mark.parametrize("folder", CATALOGUES, ids=lambda folder: folder.name)
def test_a_catalogue_still_gives_its_numbers(folder: Path, recorded: dict[str, Any]) -> None:
    then = recorded[f"catalogues/{folder.name}"]
    assert then
    assert changed(then, catalogue_numbers(folder)) == {}


def changed(then: dict[str, float], now: dict[str, float]) -> dict[str, tuple[float, float | None]]:
    """What is another number now, or none."""
    return {name: (value, now.get(name)) for name, value in then.items() if not same(value, now.get(name))}


def same(then: float, now: float | None) -> bool:
    return now is not None and math.isclose(then, now, rel_tol=1e-12, abs_tol=1e-15)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_a_later_format_is_refused_and_says_which_is_read(kind: Any, tmp_path: Path) -> None:
    path = next(path for owner, path in FILES if owner is kind)
    later = tmp_path / path.name
    later.write_text(path.read_text(encoding="utf-8").replace("format = 1", "format = 2"), encoding="utf-8")
    with pytest.raises(FileError, match="format"):
        kind.load(later)
