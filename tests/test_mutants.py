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
    for name in ("test_another.py", "test_file.py", "test_file_words.py", "test_naming.py", "helpers.py"):
        (room / name).touch()
    (room / "test_naming.py").write_text("from parapick.room.file import between")
    names = [Path(path).name for path in mutants.tests_of(changes[0], tmp_path)]
    assert names == ["test_file.py", "test_file_words.py", "test_naming.py", "test_another.py"]


def test_a_change_is_found_by_a_test_that_fails_and_by_nothing_else() -> None:
    assert mutants.first_failure(0, "1 passed") is None
    assert mutants.first_failure(1, "FAILED tests/a.py::test_b - AssertionError\n") == "tests/a.py::test_b"
    assert mutants.first_failure(2, "ERROR tests/a.py - NameError\n") == "tests/a.py"
    with pytest.raises(RuntimeError, match="ended with 4"):
        mutants.first_failure(4, "ERROR: unknown option")
    with pytest.raises(RuntimeError, match="No module named pytest"):
        mutants.first_failure(1, "No module named pytest")


def test_a_change_in_a_copy_is_found_and_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Of five starts of pytest each would import hypothesis, which no test of the copy needs.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p xdist.plugin")
    source, tests = tmp_path / "src" / "parapick" / "room", tmp_path / "tests" / "room"
    for folder in (source, tests):
        folder.mkdir(parents=True)
    path = Path("src/parapick/room/file.py")
    (tmp_path / path).write_text(SOURCE)
    test = "import runpy\n\ndef test_seven():\n    assert not runpy.run_path('{}')['between'](7, high=1.0)\n"
    (tests / "test_file.py").write_text(test.format(path))
    changes = {change.after: change for change in mutants.mutants_of(path, SOURCE)}
    assert mutants.finder(changes["low <= 7"], tmp_path, 0) == "tests/room/test_file.py::test_seven"
    assert mutants.finder(changes["3.5"], tmp_path, 0) is None
    (tests / "test_file.py").write_text("def test_nothing():\n    raise AssertionError\n")
    with pytest.raises(SystemExit, match="test_nothing fails without a change too"):
        mutants.finder(changes["3.5"], tmp_path, 0)
    assert (tmp_path / path).read_text() == SOURCE
