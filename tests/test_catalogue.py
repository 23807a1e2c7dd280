"""The catalogue: all kinds of files, how a file's kind is told, and what is said of a name of none."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from parapick.catalogue import KINDS, file_answer, find, kinds_in_words, recognised
from parapick.control import UnknownControllerError
from parapick.errors import FileError, UnknownFileError
from parapick.study import UnknownStudyError

SHIPPED = [(name, path) for name, kind in KINDS.items() for path in kind.shipped().values()]


def test_kinds_are_those_that_the_commands_name() -> None:
    assert kinds_in_words() == "robot, task, controller or study"
    assert [kind.plural for kind in KINDS.values()] == ["robots", "tasks", "controllers", "studies"]


@pytest.mark.parametrize(("name", "path"), SHIPPED, ids=[f"{name}-{path.stem}" for name, path in SHIPPED])
def test_every_shipped_file_is_known_for_what_it_is(name: str, path: Path) -> None:
    kind = recognised(tomllib.loads(path.read_text(encoding="utf-8")))
    assert kind is not None
    assert kind.name == name


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_every_kind_has_errors_of_its_own(name: str, kind: Any, tmp_path: Path) -> None:
    with pytest.raises(UnknownFileError, match=f"shipped {kind.plural}: ") as unknown:
        kind.find("xyzzy")
    with pytest.raises(FileError, match="there is no such file") as refused:
        kind.load(tmp_path / "nowhere.toml")
    assert type(unknown.value).__name__ == f"Unknown{name.capitalize()}Error"
    assert type(refused.value).__name__ == f"{name.capitalize()}FileError"


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ({}, None),
        ({"format": 1, "name": "x"}, None),
        ({"kind": "adept", "limb": {}}, "task"),
        ({"kind": "rigid", "limb": {}}, "robot"),
        ({"law": {"kind": "pd"}}, "controller"),
        ({"law": {"name": "s-curve"}, "kind": "adept"}, "task"),
        ({"objectives": []}, "study"),
    ],
)
def test_a_document_is_of_the_kind_with_most_fields_of_its_own(document: dict[str, Any], kind: str | None) -> None:
    best = recognised(document)
    assert (None if best is None else best.name) == kind


def test_of_two_files_of_a_name_the_one_that_names_the_other_is_found() -> None:
    assert find("wu2020-fit1") == KINDS["controller"].find("wu2020-fit1") != KINDS["task"].find("wu2020-fit1")
    assert find("par4") == KINDS["robot"].find("par4")


def test_an_unknown_name_is_of_the_kind_that_comes_close() -> None:
    with pytest.raises(UnknownControllerError, match="did you mean nabat2005-ppi"):
        find("nabat2005-p")
    with pytest.raises(UnknownStudyError, match="did you mean corbel2010-table6"):
        find("corbel2010-tabel6")


def test_a_control_law_is_no_file() -> None:
    with pytest.raises(UnknownFileError, match="no robot named 'pid'"):
        find("pid")


def test_a_motion_as_a_table_is_a_task(tmp_path: Path) -> None:
    table = tmp_path / "motion.csv"
    table.write_text("t,x,y,z\n0,0,0,-0.7\n1,0.1,0,-0.7\n2,0.1,0,-0.6\n")
    assert file_answer(table).data["what"] == "task"
    assert file_answer(table).refusal == ""
    table.write_text("t,x\n")
    assert file_answer(table).refusal.startswith(f"{table}: 1 problem\n  is empty")


def test_a_study_is_checked_with_the_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'format = 1\nname = "own"\nrobot = "mine.toml"\nobjectives = ["footprint"]\n'
        '[parameters]\n"limb.arm" = [0.3, 0.4]\n[[methods]]\nkind = "grid"\n'
    )
    assert "no such file" in file_answer(tmp_path / "own.toml").refusal
    (tmp_path / "mine.toml").write_bytes(find("par4").read_bytes())
    answer = file_answer(tmp_path / "own.toml")
    assert (answer.refusal, answer.data["what"]) == ("", "study")
