"""The page on the design names files, rooms and rules that exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "parapick"
PAGES = ("docs/design.md", "CONTRIBUTING.md", "docs/evaluate.md", "docs/multibody.md", "docs/control.md")

_NAMED = re.compile(r"`((?:[\w.*-]+/)*[\w*-]+\.(?:py|toml|md|png)|(?:[\w.-]+/)+(?:[\w-]+)?)`")
"""A file or a folder in backticks; names in angle brackets stand for one that a reader writes."""


def missing(text: str, own: tuple[Path, ...]) -> list[str]:
    """Files and folders that a text names and that do not exist; a plain name stands beside the one before it."""
    found, before = [], SOURCE
    for line in text.splitlines():
        for name in _NAMED.findall(line):
            places = (*own, before) if "/" not in name else own
            hits = [hit for place in places for hit in place.glob(name.rstrip("/"))]
            hits += [hit for hit in SOURCE.rglob(name) if "/" not in name and before == SOURCE]
            if not hits:
                found.append(name)
            elif "/" in name:
                before = hits[0].parent
        before = SOURCE
    return found


@pytest.mark.parametrize("page", PAGES)
def test_files_that_a_page_names_exist(page: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    # Files that the reader is to write.
    written = {"my-delta.toml", "machine.toml", "par4.xml"}
    assert [name for name in missing(text, (SOURCE, ROOT, SOURCE.parent)) if name not in written] == []


def test_a_file_that_is_gone_is_seen() -> None:
    row = "| `evaluation/run.py`, `limiting.py`, `reaching.py` | the `Ride` | a `Requirement` each |"
    assert missing(row, (SOURCE,)) == ["reaching.py"]
    assert missing("`model/nothing.py` and `nowhere/`", (SOURCE,)) == ["model/nothing.py", "nowhere/"]


def test_rooms_of_the_page_are_those_of_the_contract() -> None:
    """Each is there, or stands in parentheses in the contract because it is yet to come."""
    page = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    block = re.search(r"^```text\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    assert block is not None
    rooms = [name for line in block[1].splitlines() for name in re.split(r", ", re.split(r"  +", line)[0])]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(one["layers"] for one in contracts if one["type"] == "layers" and "parapick" in one["containers"])
    listed = [name for layer in layers for name in re.split(r" [|:] ", layer)]
    assert sorted(rooms) == sorted(name.strip("()") for name in listed)
    for name in listed:
        there = (SOURCE / name.strip("()")).is_dir() or (SOURCE / f"{name.strip('()')}.py").is_file()
        assert there or name.startswith("("), name
