"""The one writer of files: nothing that a command has read and nothing of another kind is replaced."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from parapick.cli.app import run
from parapick.errors import ParapickError
from parapick.files import as_templates, file_kind, inputs_kept, read_text, unfinished_in, whole_file, write_text
from parapick.study import run_study, study_answer, write_best_robots
from studies import changed, study_of

KINDS = {
    "a.png": (b"\x89PNG\r\n", "a PNG picture"),
    "a.pdf": (b"%PDF-1.4", "a PDF file"),
    "a.svg": (b'<?xml version="1.0"?><svg/>', "an XML file"),
    "a.html": (b"<!DOCTYPE html><html>", "a web page"),
    "a.json": (b'{"a": 1}', "a JSON file"),
    "a.parquet": (b"PAR1....", "a Parquet file"),
    "a.csv": (b"t,x,y\n0,1,2\n", "a table of t, x"),
    "b.csv": (b"\xef\xbb\xbf# scope\nT; Q1 [deg]\n", "a table of t, q1 [deg]"),
    "record.csv": (b"# parapick record {}\nt\n", "a record"),
    "robot.toml": (b'format = 1\n[limb]\nkind = "arm-rod"\n', "a robot file"),
    "law.toml": (b'format = 1\n[law]\nkind = "pd"\n', "a controller file"),
    "task.toml": (b'format = 1\nkind = "line"\nlaw = { name = "pulse" }\n', "a task file"),
    "study.toml": (b'objectives = ["energy"]\n[[tasks]]\nkind = "line"\n', "a study file"),
    "other.toml": (b"a = 1\n", "another TOML file"),
    "notes.txt": (b"call home", "another file"),
    "empty.csv": (b"", "nothing"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, (content, _) in KINDS.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def test_kinds_are_known_by_their_beginning(folder: Path) -> None:
    assert {name: file_kind(folder / name) for name in KINDS} == {name: kind for name, (_, kind) in KINDS.items()}


def _write(target: Path, content: bytes) -> None:
    with whole_file(target) as place:
        place.write_bytes(content)


def test_only_a_file_of_the_same_kind_is_replaced(folder: Path) -> None:
    for name, (content, kind) in KINDS.items():
        for other, (new, new_kind) in KINDS.items():
            if Path(name).suffix != Path(other).suffix or not new:
                continue
            target = folder / name
            target.write_bytes(content)
            if kind in (new_kind, "nothing"):
                _write(target, new)
                assert target.read_bytes() == new
                continue
            with pytest.raises(ParapickError, match="is not replaced by"):
                _write(target, new)
            assert target.read_bytes() == content
    assert not unfinished_in(folder)


def test_what_a_command_read_it_does_not_replace(folder: Path) -> None:
    table, link, hard = folder / "a.csv", folder / "link.csv", folder / "hard.csv"
    link.symlink_to(table)
    with inputs_kept():
        write_text(table, "t,x\n5,6\n")
        hard.hardlink_to(table)
        read_text(table, 1000, "a table")
        for target in (table, link, hard, folder / ".." / folder.name / "a.csv"):
            with pytest.raises(ParapickError, match="is an input of this command"):
                write_text(target, "t,x\n7,8\n")
        with as_templates():
            read_text(folder / "b.csv", 1000, "a table")
        write_text(folder / "b.csv", "T; Q1 [deg]\n")
    assert table.read_text() == "t,x\n5,6\n"
    write_text(table, "t,x\n7,8\n")


def test_commands_keep_their_inputs(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(folder)
    assert run(["motion", "par4", "adept-120", "--out", "m.csv"]) == 0
    motion = Path("m.csv").read_bytes()
    assert run(["torque", "par4", "--motion", "m.csv", "--out", "m.csv", "--force"]) == 2
    assert run(["torque", "par4", "--motion", "m.csv", "--out", "a.csv", "--force"]) == 2
    assert run(["motion", "par4", "adept-120", "--out", "n.csv", "--out", "a.pdf"]) == 0
    assert Path("m.csv").read_bytes() == motion
    assert Path("a.csv").read_bytes() == KINDS["a.csv"][0]
    said = capsys.readouterr().err
    assert "m.csv: is a table of t, x, and is not replaced by a table of t, tau1" in said
    assert "a.csv: is a table of t, x, and is not replaced by a table of t, tau1" in said


def test_a_proposed_motion_replaces_no_log(tmp_path: Path) -> None:
    import parapick as pp
    from parapick.identification.excitation import ExcitingMotion
    from parapick.identification.proposal import save_motion

    par4 = pp.load("par4")
    samples = pp.adept_cycle(par4, cycles_per_minute=60).sample(100)
    motion = ExcitingMotion(samples, 1.0, (), 0)
    (tmp_path / "p.csv").write_text("t,q1,torque1\n0,1,2\n")
    with pytest.raises(ParapickError, match=r"p\.csv: is a table of t, q1, and is not replaced"):
        save_motion(par4, motion, tmp_path / "p.toml")
    assert [path.name for path in tmp_path.iterdir()] == ["p.csv"]


@pytest.fixture
def full() -> Iterator[None]:
    """A disk on which a file has at most 2 kB."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.parametrize("ending", ["pdf", "png", "svg"])
@pytest.mark.usefixtures("full")
def test_a_figure_on_a_full_disk(tmp_path: Path, ending: str) -> None:
    pytest.importorskip("matplotlib")
    from parapick.report.canvas import new_figure, save_figure

    figure = new_figure(6.0, 4.0)
    figure.add_subplot().plot(range(500), [i * i % 97 for i in range(500)])
    with pytest.raises(ParapickError, match="cannot be written: file too large"):
        save_figure(figure, tmp_path / f"x.{ending}")
    assert not list(tmp_path.iterdir())


def _failing(target: Path) -> None:
    with whole_file(target) as place:
        place.write_text("t,x")
        raise RuntimeError


def test_a_writer_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        _failing(tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())


def test_a_robot_that_was_edited_is_kept_and_named(tmp_path: Path) -> None:
    study = study_of(changed(("count = 4", "count = 2"), ("best = 1", "best = 2")))
    store = run_study(study, tmp_path / "out", workers=1).store
    first = study_answer(study, store, write_best_robots(study, store))
    robot, second = (store.folder / f"small-{i}.toml" for i in (1, 2))
    assert first.data["robots"] == [str(robot), str(second)]
    written = robot.read_text()
    # What the study wrote itself it may write again.
    robot.unlink()
    assert study_answer(study, store, write_best_robots(study, store)).notes == first.notes
    assert robot.read_text() == written
    robot.write_text(f"{written}\n# mine\n")
    again = study_answer(study, store, write_best_robots(study, store))
    assert robot.read_text() == f"{written}\n# mine\n"
    assert any("small-1.toml was changed since the study wrote it" in note for note in again.notes)
    assert again.data["robots"] == [str(second)]
