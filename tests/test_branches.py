"""The tool that measures branch coverage: which rooms it knows, and what it sums."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

TOOL = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "branches.py"))


def test_files_of_a_room_are_summed() -> None:
    names = ("num_statements", "covered_lines", "num_branches", "covered_branches")
    files = {path: {"summary": dict(zip(names, numbers, strict=True))} for path, numbers in FILES.items()}
    coverage = TOOL["coverage_of"]({"files": files})
    assert coverage == (40, 30, 8, 5)
    assert coverage.row.split() == ["40", "75.0%", "8", "62.5%"]


FILES = {"a.py": (30, 25, 8, 5), "b.py": (10, 5, 0, 0)}


def test_rooms_are_those_with_tests_of_their_own(tmp_path: Path) -> None:
    for name in ("src/parapick/study", "src/parapick/tuning", "src/parapick/bare", "tests/study", "tests/tuning"):
        (tmp_path / name).mkdir(parents=True)
    rooms_of = TOOL["rooms_of"]
    assert rooms_of(tmp_path, "") == ["study", "tuning"]
    assert rooms_of(tmp_path, "tuning") == ["tuning"]
    with pytest.raises(SystemExit, match="bare is no room with tests; there are study, tuning"):
        rooms_of(tmp_path, "study,bare")
