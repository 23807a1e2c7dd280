"""The tool that measures branch coverage: which rooms it knows, what it sums, and when it fails."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

TOOL = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "branches.py"))


def test_files_of_a_room_are_summed() -> None:
    names = ("num_statements", "covered_lines", "num_branches", "covered_branches")
    files = {path: {"summary": dict(zip(names, numbers, strict=True))} for path, numbers in FILES.items()}
    coverage = TOOL["coverage_of"]({"files": files})
    assert coverage == (40, 30, 8, 5)
    assert coverage.row(60.0).split() == ["40", "75.0%", "8", "62.5%"]


FILES = {"a.py": (30, 25, 8, 5), "b.py": (10, 5, 0, 0)}


def test_rooms_are_those_with_tests_of_their_own(tmp_path: Path) -> None:
    rooms = ("study", "tuning", "bare", "multibody")
    for name in (*(f"src/parapick/{room}" for room in rooms), "tests/study", "tests/tuning", "tests/oracle"):
        (tmp_path / name).mkdir(parents=True)
    rooms_of = TOOL["rooms_of"]
    assert rooms_of(tmp_path, "") == ["multibody", "study", "tuning"]
    assert rooms_of(tmp_path, "tuning") == ["tuning"]
    with pytest.raises(SystemExit, match="bare is no room with tests; there are multibody, study, tuning"):
        rooms_of(tmp_path, "study,bare")


ROOMS = {"analysis": (815, 805, 130, 122), "bare": (4, 4, 0, 0), "thin": (100, 99, 20, 16), "even": (10, 9, 20, 17)}


@pytest.fixture
def lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], tuple[int, list[str]]]:
    """The exit code and the lines that it writes of these rooms, by its floor."""
    main = TOOL["main"]
    monkeypatch.setitem(main.__globals__, "rooms_of", lambda root, wanted: [*ROOMS])
    monkeypatch.setitem(main.__globals__, "measured", lambda room, folder: TOOL["Coverage"](*ROOMS[room]))

    def written(floor: str) -> tuple[int, list[str]]:
        return main(["--floor", floor]), capsys.readouterr().out.splitlines()

    return written


def test_the_table_marks_rooms_below_the_floor_and_fails(lines: Callable[[str], tuple[int, list[str]]]) -> None:
    code, (head, *rows, last) = lines("85")
    assert code == 1
    assert head.split() == ["room", "statements", "run", "branches", "taken"]
    shown = {row.split()[0]: row for row in rows}
    assert [*shown] == [*ROOMS]
    # 80 % is below; 85 % is not, nor is a room without a branch.
    assert [name for name, row in shown.items() if "below 85 %" in row] == ["thin"]
    assert shown["bare"].split()[-1] == "100.0%"
    assert shown["even"].split()[-1] == "85.0%"
    assert last == "below 85 % of branches: thin"


@pytest.mark.parametrize(("floor", "code", "below"), [("95", 1, "analysis, thin, even"), ("80", 0, "none")])
def test_another_floor(lines: Callable[[str], tuple[int, list[str]]], floor: str, code: int, below: str) -> None:
    returned, written = lines(floor)
    assert returned == code
    assert written[-1] == f"below {floor} % of branches: {below}"


def test_a_room_whose_tests_fail_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = TOOL["measured"]
    monkeypatch.setitem(measured.__globals__, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match="tests of study fail"):
        measured("study", tmp_path)
