"""`--out` and `--force`: what a command writes, what it replaces, and what it leaves alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import parapick as pp
from parapick.cli.outputs import FIGURE, FOLDER, Output, Outputs
from parapick.errors import ParapickError
from parapick.robots import list_robots
from parapick.tasks import list_tasks

OUTPUTS = Outputs(
    FIGURE,
    Output("motion", "the motion", (".csv",), "a table of t, x", usual=True),
    Output("cam", "a cam table", (".csv", ".parquet"), "a table of t [s], x [m]"),
    Output("robot", "the robot", (".toml",), "a robot file"),
    Output("task", "the task", (".toml",), "a task file", beside={".csv": "a table of t, x"}),
    Output("folder", "everything", (FOLDER,)),
)
TABLE = "t,x\n0,1\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def names(*out: str, **options: Any) -> dict[str, str]:
    return {name: str(target) for name, target in OUTPUTS.targets(out, **options).written().items()}


def test_an_ending_or_a_name_says_what_is_written() -> None:
    assert names("a.PNG", "b.svg", "c.csv", "cam:d.csv", "e.parquet", "robot:f.toml") == {
        "figure": "a.PNG",
        "figure 2": "b.svg",
        "motion": "c.csv",
        "cam": "d.csv",
        "cam 2": "e.parquet",
        "robot": "f.toml",
    }


def test_a_path_without_an_ending_is_a_folder_that_is_made() -> None:
    Path("v1.2").mkdir()
    assert names("new/deep", "v1.2", "x.y/") == {"folder": "new/deep", "folder 2": "v1.2", "folder 3": "x.y"}
    assert Path("new/deep").is_dir()


def test_several_things_have_a_file_each() -> None:
    assert names("c.csv", each={"motion": ("pd", "tsid")}) == {
        "motion of pd": "c-pd.csv",
        "motion of tsid": "c-tsid.csv",
    }
    assert names("c.csv", each={"motion": ("pd",)}) == {"motion": "c.csv"}


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("a.gif", "nothing can be written that ends in .gif; this command writes figure"),
        ("a.toml", "several things end in .toml; say which; this command writes figure"),
        ("cma:a.csv", "cma: is not the name of something that can be written"),
        ("cam:a.txt", "cam is cam:FILE.csv, .parquet"),
        ("no/a.csv", "no/a.csv: the folder no does not exist"),
        (f"{'a' * 300}.png", "cannot be written: file name too long"),
        ("a\0.png", "null character"),
    ],
)
def test_what_cannot_be_written_is_refused(out: str, message: str) -> None:
    with pytest.raises(ParapickError) as refused:
        OUTPUTS.targets([out])
    assert message in str(refused.value)


def test_a_file_is_named_once() -> None:
    with pytest.raises(ParapickError, match=r"a\.csv is given twice"):
        OUTPUTS.targets(["a.csv", "cam:a.csv"])


def test_tables_and_descriptions_are_replaced_by_force_only() -> None:
    Path("a.csv").write_text(TABLE)
    with pytest.raises(ParapickError, match=r"a\.csv: is there already.*--force"):
        OUTPUTS.targets(["a.csv"])
    (target,) = OUTPUTS.targets(["a.csv"], force=True).of("motion")
    assert target.replaces
    Path("a.csv").write_text("")
    assert OUTPUTS.targets(["a.csv"]).of("motion")[0].path == Path("a.csv")


def test_a_file_beside_another_is_not_lost_either() -> None:
    Path("a.csv").write_text(TABLE)
    with pytest.raises(ParapickError, match=r"a\.csv: is there already"):
        OUTPUTS.targets(["task:a.toml"])


@pytest.mark.parametrize("force", [False, True])
def test_a_file_of_another_kind_is_never_replaced(force: bool) -> None:
    Path("robot.toml").write_bytes(next(iter(list_robots())).path.read_bytes())
    Path("a.png").write_text("notes")
    for out, kinds in (
        ("task:robot.toml", "is a robot file, and is not replaced by a task file"),
        ("a.png", "another"),
    ):
        with pytest.raises(ParapickError, match=kinds):
            OUTPUTS.targets([out], force=force)


def test_figures_are_replaced_and_the_line_says_so(run: Any) -> None:
    words = ("workspace", "par4", "--spacing", "80mm", "--out", "a.png", "--out", "b.svg")
    first = run(*words)
    assert "replaced" not in first.out
    again = run(*words)
    assert again.code == 0
    assert "figure: a.png (replaced)" in again.out
    document = run(*words, "--json").json
    assert document["files"] == {"figure": "a.png", "figure 2": "b.svg"}
    assert document["replaced"] == ["figure", "figure 2"]


def test_a_tuned_controller_does_not_take_the_place_of_a_robot(run: Any) -> None:
    robot = Path("mine.toml")
    robot.write_bytes(next(entry.path for entry in list_robots() if entry.name == "delta-nr").read_bytes())
    before = robot.read_bytes()
    # Before anything is computed: no candidate is tried.
    message = run("tune", "delta-nr", "adept-120", "--controller", "tsid", "--out", "mine.toml", "--force").message
    assert "mine.toml: is a robot file, and is not replaced by a controller file" in message
    assert robot.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unwritable for root")
def test_a_folder_that_takes_nothing_is_seen_before(run: Any, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    message = run("workspace", "par4", "--out", f"{closed}/a.png").message
    assert "nothing can be written into the folder" in message


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        (("motion", "delta-nr", "adept-120", "--out", "motion:m.csv", "--out", "cam:c.csv"), {"m.csv", "c.csv"}),
        (("map", "delta-nr", "margin", "--spacing", "80mm", "--out", "m.csv"), {"m.csv"}),
        (("export", "mjcf", "delta-nr", "--out", "m.xml"), {"m.xml"}),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_what_is_written_is_of_the_kind_that_the_table_states(
    run: Any, words: tuple[str, ...], kinds: set[str]
) -> None:
    assert run(*words).code == 0
    assert {path.name for path in Path().iterdir()} == kinds
    again = run(*words, *(() if words[0] == "export" else ("--force",)))
    assert again.code == 0, again.err
    assert again.out.count("(replaced)") == len(kinds)


def test_a_new_robot_replaces_a_robot_by_force_only(run: Any) -> None:
    assert run("new", "mine").code == 0
    before = Path("mine.toml").read_bytes()
    assert "mine.toml: is there already" in run("new", "mine", "--like", "par4").message
    assert Path("mine.toml").read_bytes() == before
    again = run("new", "mine", "--like", "par4", "--force")
    assert "robot: mine.toml (replaced)" in again.out
    assert pp.load("mine.toml").robot.limb == pp.load("par4").robot.limb
    assert run("new", "mine", "--force", "--json").json["replaced"] == ["robot"]


def test_a_new_robot_takes_the_place_of_nothing_else(run: Any) -> None:
    task = next(entry.path for entry in list_tasks() if entry.name == "arch")
    Path("arch.toml").write_bytes(task.read_bytes())
    assert "is a task file, and is not replaced by a robot file" in run("new", "arch", "--force").message
    assert Path("arch.toml").read_bytes() == task.read_bytes()
    run("new", "mine")
    assert "is an input of this command" in run("new", "mine", "--like", "mine.toml", "--force").message
    Path("empty.toml").touch()
    assert run("new", "empty").code == 0
    Path("shelf").mkdir()
    assert "is a folder" in run("new", "shelf/").message
    assert run("new", "shelf/mine").code == 0
    assert "is a folder" in run("new", "").message


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("table.csv", "nothing can be written that ends in .csv"),
        ("v1.2", "a folder with a dot ends in /"),
        ("taken", "taken: cannot be a folder"),
        ("taken/inside", "taken/inside: cannot be a folder"),
        ("page:x", "page: is not the name of something that can be written; this command writes results (FOLDER)"),
    ],
)
def test_a_study_goes_into_a_folder(run: Any, out: str, message: str) -> None:
    Path("taken").write_text("notes")
    assert message in run("study", "run", "corbel2010-table6", "--out", out).message
    assert {path.name for path in Path().iterdir()} == {"taken"}


def test_what_folders_and_files_hold_is_listed_once_each(run: Any) -> None:
    words = ("evaluate", "delta-nr", "--sections", "reach", "--out", "a", "--out", "own.json", "--json")
    first = run(*words).json
    assert first["files"] == {
        "report": "a/delta-nr-adept.html",
        "numbers": "a/delta-nr-adept.json",
        "numbers 2": "own.json",
    }
    assert first["replaced"] == []
    assert run(*words).json["replaced"] == list(first["files"])


def test_a_refused_command_leaves_no_folder_that_it_made(run: Any) -> None:
    Path("mine").mkdir()
    for folder in ("new/deep", "mine", "mine/inside"):
        refused = run("export", "c", "par4", "--controller", "learning", "--out", folder)
        assert refused.code == 2
        assert "learns between cycles" in refused.message
    assert [str(path) for path in Path().rglob("*")] == ["mine"]


def test_a_folder_stays_when_something_was_written_into_it(run: Any) -> None:
    assert run("evaluate", "par4", "--out", "new/deep").code == 0
    assert "par4-adept.html" in {path.name for path in Path("new/deep").iterdir()}
