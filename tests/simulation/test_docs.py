"""The pages on control and simulation: their programs run, their tables are complete."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from parapick.control import LAWS
from parapick.simulation import Record, simulate

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["control.md", "simulation.md", "controller-files.md"])
def test_the_programs_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "servo.toml").write_text(page("controller-files.md").partition("```toml\n")[2].partition("```")[0])
    names: dict[str, object] = {}
    for block in re.findall(r"^```python\n(.*?)^```", page(name), flags=re.DOTALL | re.MULTILINE):
        exec(compile(block, name, "exec"), names)
    record = names["record"]
    assert isinstance(record, Record)
    assert record.completed


def test_every_law_is_in_the_table() -> None:
    rows = dict(re.findall(r"^\| `([\w-]+)` \| `(\w+)` \|", page("control.md"), flags=re.MULTILINE))
    assert rows == {name: law.__name__ for name, law in LAWS.items()}


def test_every_argument_is_in_the_table() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", page("simulation.md"), flags=re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    asked = set(inspect.signature(simulate).parameters) - {"model", "motion"}
    assert told == asked
