"""`parapick run` and `parapick export runtime` in lockstep: answers, agreement with `simulate`, wrong input."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Result
from parapick.runtime import lockstep
from parapick.runtime.building import lockstep_library, lockstep_texts
from parapick.runtime.session import Session
from parapick.tasks import list_tasks

Run = Callable[..., Result]

PAR4 = ("par4", "adept-120", "--controller", "tsid")
DELTA = ("delta-4", "adept-120", "--controller", "tsid")
FIVEBAR = ("fivebar-spindle", "righettini2024", "--controller", "righettini2024-tsiid")
IN_LOCKSTEP = ("--lockstep", "--exact")
BRAKED = {"off", "fault"}


@pytest.fixture(autouse=True, scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The same C is compiled once, as fast as that goes."""
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        pytest.skip("a C compiler is missing: install gcc or clang")
    known: dict[str, Path] = {}

    def library(made: Session, folder: Path, *flags: str) -> Path:
        key = hashlib.sha256(repr(sorted(lockstep_texts(made).items())).encode()).hexdigest()
        if key not in known:
            known[key] = lockstep_library(made, tmp_path_factory.mktemp("run"), "-O0", *flags)
        # Each run has memory of its own, as in a process of its own.
        return Path(shutil.copy(known[key], folder))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lockstep, "lockstep_library", library)
        yield


def own_task(folder: Path, name: str, payload: str) -> str:
    """A shipped task that carries something."""
    text = next(one for one in list_tasks() if one.name == name).path.read_text(encoding="utf-8")
    path = folder / f"{name}.toml"
    path.write_text(text.replace("\n\n", f'\npayload = "{payload}"\n\n', 1), encoding="utf-8")
    return str(path)


def the_run(result: Result) -> Any:
    return next(iter(result.data["runs"].values()))


def headline(result: Result) -> str:
    return result.json["headline"]


def agree(run: Run, case: tuple[str, ...], *words: str) -> None:
    """States, trip, exit code and first line of both commands."""
    got = run("run", *case, *IN_LOCKSTEP, *words, "--json")
    expected = run("simulate", *case, "--supervised", *words, "--json")
    assert got.code == expected.code, got.err
    assert list(got.data["runs"]) == list(expected.data["runs"])
    ours, theirs = the_run(got), the_run(expected)
    assert ours["state"] == theirs["state"]
    assert ours["finished"] == theirs["finished"]
    rows, others = got.rows("states"), expected.rows("states")
    assert [one["state"] for one in rows] == [one["state"] for one in others]
    assert [one["from"] for one in rows] == [one["from"] for one in others]
    for name in ("guard", "sample", "samples"):
        assert (ours["trip"] or {}).get(name) == (theirs["trip"] or {}).get(name)
    # How brakes act is the virtual drives' own model, and where they take over the first line has it.
    if not BRAKED & {one["state"] for one in rows}:
        assert headline(got) == headline(expected)
        for one, other in zip(ours["guards"], theirs["guards"], strict=True):
            assert one["guard"] == other["guard"]
            assert one["limit"] == other["limit"]


@pytest.mark.soak
def test_a_stop_of_par4_agrees_with_simulate(run: Run) -> None:
    agree(run, PAR4, "--fault", "stop@0.02")


def test_a_stop_of_delta_4_with_a_payload_agrees_with_simulate(run: Run, tmp_path: Path) -> None:
    agree(run, ("delta-4", own_task(tmp_path, "adept-120", "300 g"), *DELTA[2:]), "--fault", "stop@0.07")


def test_a_stop_of_the_five_bar_agrees_with_simulate(run: Run) -> None:
    agree(run, FIVEBAR, "--fault", "emergency@0.05")


@pytest.mark.soak
@pytest.mark.parametrize("payload", ["", "400 g"])
@pytest.mark.parametrize("case", [PAR4, DELTA, FIVEBAR], ids=lambda case: case[0])
@pytest.mark.parametrize("fault", ["", "stop@0.07", "emergency@0.05", "encoder:2@0.1", "deadline=5@0.1"])
def test_every_run_agrees_with_simulate(
    run: Run, case: tuple[str, ...], payload: str, fault: str, tmp_path: Path
) -> None:
    task = own_task(tmp_path, case[1], payload) if payload else case[1]
    agree(run, (case[0], task, *case[2:]), *(("--fault", fault) if fault else ()))


def test_the_answer_says_how_it_ran(run: Run) -> None:
    result = run("run", *PAR4, *IN_LOCKSTEP, "--fault", "deadline=5@0.01", "--json")
    assert result.code == 0
    runtime = result.data["runtime"]
    assert runtime["horizon"] > 0
    assert runtime["late"]["drives"] >= 1
    # There is no clock whose periods could be counted.
    assert "periods" not in runtime
    assert set(result.json["tables"]).isdisjoint({"periods", "system"})
    notes = result.json["notes"]
    assert any("lockstep" in note for note in notes)
    assert any("drives" in note and "too late" in note for note in notes)


def test_a_trip_that_nobody_made_is_a_no(run: Run) -> None:
    result = run("run", *PAR4, *IN_LOCKSTEP, "--guard", "following=0.0001", "--json")
    assert result.code == 1
    assert the_run(result)["trip"]["guard"] == "following"
    assert result.data["runtime"]["late"] == {}


@pytest.mark.soak
def test_drives_that_follow_positions_finish_the_task(run: Run) -> None:
    result = run("run", *PAR4, "--lockstep", "--drive-mode", "position", "--json")
    assert result.code == 0
    assert the_run(result)["finished"]


def test_a_record_is_written_and_not_replaced_unasked(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "run.csv"
    words = ("run", *PAR4, *IN_LOCKSTEP, "--fault", "emergency@0.01", "--out", str(record))
    result = run(*words, "--json")
    assert result.code == 0
    text = record.read_text(encoding="utf-8")
    numbers = [line for line in text.splitlines() if line.lstrip("-")[:1].isdigit()]
    assert len(numbers) == result.data["runtime"]["samples"]
    assert "--force" in run(*words).message
    assert record.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("par4", "adept-120", "--controller", "tsidd"), ("tsidd", "did you mean tsid")),
        (("par5", "adept-120"), ("par5", "did you mean par4")),
        (("par4", "adept-12"), ("adept-12", "did you mean")),
        (("par4", "adept-120", "--controller", "par4-learning"), ("learn",)),
        ((*PAR4, "--fault", "encodr:2@0.1"), ("did you mean encoder",)),
        ((*PAR4, "--fault", "encoder:9@0.1"), ("9",)),
        ((*PAR4, "--fault", "drift:x=0.1@homing+0.001"), ("let it begin in running",)),
        ((*PAR4, "--guard", "folowing=1"), ("did you mean following",)),
        ((*PAR4, "--guard", "workspace=30mm"), ("the task itself is",)),
        ((*PAR4, "--brake", "-3"), ("it must be greater than 0",)),
        ((*PAR4, "--start", "0.9,0,-0.7"), ("cannot be reached",)),
        ((*PAR4, "--settle", "-1ms"), ("--settle",)),
        ((*PAR4, "--cycles", "0"), ("cycles: is 0",)),
        ((*PAR4, "--drive-mode", "speed"), ("--drive-mode",)),
        ((*PAR4, "--priority", "-1"), ("priority: is -1", "1 to 99")),
        ((*PAR4, "--priority", "100"), ("priority: is 100", "1 to 99")),
        ((*PAR4, "--processor", "-2"), ("processor: is -2",)),
        ((*PAR4, "--out", "run.xyz"), ("run.xyz",)),
    ],
)
def test_wrong_input_is_refused(run: Run, words: tuple[str, ...], parts: tuple[str, ...]) -> None:
    message = run("run", *words, "--lockstep").message
    for part in parts:
        assert part in message


def test_a_task_outside_the_workspace_is_a_no(run: Run, tmp_path: Path) -> None:
    text = next(one for one in list_tasks() if one.name == "pick-and-place").path.read_text(encoding="utf-8")
    path = tmp_path / "far.toml"
    path.write_text(text.replace('"150 mm", "50 mm", "20 mm"', '"900 mm", "50 mm", "20 mm"'), encoding="utf-8")
    result, other = (run(name, "par4", str(path), *more) for name, more in (("run", ("--lockstep",)), ("simulate", ())))
    assert result.code == other.code == 1
    assert result.out.splitlines()[0] == other.out.splitlines()[0]
    assert result.out.startswith("NO: ")


def test_without_a_compiler_nothing_runs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, *rest, **more: None)
    assert "needs a C compiler" in run("run", *PAR4, "--lockstep").message


def test_the_runtime_is_exported_and_not_replaced_unasked(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    words = ("export", "runtime", "par4", "--controller", "tsid", "--out", f"{folder}/")
    folder.mkdir()
    (folder / "loop.c").write_text("mine")
    message = run(*words).message
    assert "loop.c" in message
    assert "--force" in message
    assert [one.name for one in folder.iterdir()] == ["loop.c"]
    assert (folder / "loop.c").read_text() == "mine"
    result = run(*words, "--force", "--json")
    assert result.code == 0
    names = result.column("files", "file")
    assert {"Makefile", "README.md", "loop.c", "pace.c", "cell.c", "bus.h", "pp_names.h"} <= set(names)
    assert {one.name for one in folder.iterdir()} == set(names)
    assert result.column("files", "bytes") == [(folder / name).stat().st_size for name in names]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("par5",), "did you mean par4"),
        (("par4", "adept-12"), "did you mean"),
        (("par4", "--controller", "tsidd"), "did you mean tsid"),
        (("par4", "--controller", "par4-learning"), "learn"),
        (("par4", "--guard", "folowing=1"), "did you mean following"),
        (("par4", "--out", "runtime.zip"), "runtime.zip"),
    ],
)
def test_what_cannot_be_exported_leaves_no_folder(run: Run, words: tuple[str, ...], part: str) -> None:
    assert part in run("export", "runtime", *words).message
    assert list(Path().iterdir()) == []
