"""The tool that changes single lines: what it changes, what it leaves alone, and that a change is exactly one."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "mutants.py"
spec = importlib.util.spec_from_file_location("mutants", TOOL)
assert spec is not None
mutants = importlib.util.module_from_spec(spec)
sys.modules["mutants"] = mutants
assert spec.loader is not None
spec.loader.exec_module(mutants)

SOURCE = '''"""Words with 1 number."""

LIMIT = 3


def between(low: int = 4, *, high: float) -> bool:
    """Whether 5 is between."""
    text: str = f"{low + 6} é"
    return low < 7 and not -high == 2.5
'''


@pytest.fixture
def changes() -> list[Any]:
    return list(mutants.mutants_of(Path("src/parapick/room/file.py"), SOURCE))


def test_only_what_is_computed_in_functions_is_changed(changes: list[Any]) -> None:
    assert {(change.before, change.after) for change in changes} == {
        ("low < 7 and not -high == 2.5", "low < 7 or not -high == 2.5"),
        ("low < 7", "low <= 7"),
        ("7", "8"),
        ("not -high == 2.5", "-high == 2.5"),
        ("-high == 2.5", "-high != 2.5"),
        ("-high", "high"),
        ("2.5", "3.5"),
    }


def test_a_change_is_one_place_of_a_text_that_still_parses(changes: list[Any]) -> None:
    for change in changes:
        text = change.applied(SOURCE.encode()).decode()
        assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(SOURCE))
        assert text.replace(f"({change.after})", change.before, 1).splitlines()[:8] == SOURCE.splitlines()[:8]
        assert change.line == 9
        assert change.room == "room"


def test_the_tests_of_the_file_come_first(tmp_path: Path, changes: list[Any]) -> None:
    room = tmp_path / "tests" / "room"
    room.mkdir(parents=True)
    for name in ("test_another.py", "test_file.py", "test_file_words.py", "helpers.py"):
        (room / name).touch()
    names = [Path(path).name for path in mutants.tests_of(changes[0], tmp_path)]
    assert names == ["test_file.py", "test_file_words.py", "test_another.py"]
