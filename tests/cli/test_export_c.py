"""`parapick export c` and `parapick export linuxcnc`: folders, answers, and what stands in the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import parapick as pp

SMALL = ("export", "c", "delta-4", "--functions", "inverse_kinematics, reach")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_folder_of_c_without_a_name_is_named_after_the_robot(run: Any, tmp_path: Path) -> None:
    result = run(*SMALL)
    assert result.code == 0
    exported = pp.export_c("delta-4", functions=("inverse_kinematics", "reach"))
    assert names(tmp_path) == {"delta-4-c"}
    assert {path.name: path.read_text() for path in (tmp_path / "delta-4-c").iterdir()} == exported.texts
    assert "2 functions of C with the prefix delta_4" in " ".join(result.out.split())


def test_c_as_json(run: Any, tmp_path: Path) -> None:
    result = run(*SMALL, "--prefix", "arm", "--fixed", "--real", "float", "--out", str(tmp_path / "c"), "--json")
    assert result.code == 0
    assert result.data == {"robot": "delta-4", "export": "c", "prefix": "arm"}
    assert set(result.column("files", "file")) == names(tmp_path / "c")
    assert result.column("functions", "function") == ["arm_inverse_kinematics", "arm_reach"]
    assert set(result.json["files"].values()) == {str(tmp_path / "c" / name) for name in names(tmp_path / "c")}
    header = (tmp_path / "c" / "arm.h").read_text()
    assert "typedef float arm_real;" in header
    assert "arm_parameters" not in header
    (said,) = result.json["left_out"]
    assert said.startswith("supervisor: ")


def test_objects_are_asked_for_by_their_processors(run: Any, tmp_path: Path) -> None:
    result = run(*SMALL, "--object", "cortex-m7", "--object", "aarch64", "--out", str(tmp_path / "c"), "--json")
    assert {name for name in names(tmp_path / "c") if name.endswith(".o")} == {
        "delta_4_cortex_m7.o",
        "delta_4_aarch64.o",
    }
    assert len(result.rows("objects")) == 4


@pytest.mark.parametrize(
    ("words", "own"), [(SMALL, "delta_4.h"), (("export", "linuxcnc", "irb360"), "irb360.hal")], ids=["c", "linuxcnc"]
)
def test_files_of_the_same_names_are_left_alone_without_force(
    run: Any, tmp_path: Path, words: tuple[str, ...], own: str
) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    (folder / own).write_text("mine")
    (folder / "notes.txt").write_text("mine too")
    asked = (*words, "--out", str(folder))
    message = run(*asked).message
    assert own in message
    assert "--force" in message
    assert names(folder) == {own, "notes.txt"}
    assert (folder / own).read_text() == "mine"
    result = run(*asked, "--force", "--json")
    assert result.code == 0
    assert (folder / own).read_text() != "mine"
    assert (folder / "notes.txt").read_text() == "mine too"
    assert str(folder / own) in json.dumps(result.json["files"])
    assert str(folder / "notes.txt") not in json.dumps(result.json["files"])


@pytest.mark.parametrize("words", [SMALL, ("export", "linuxcnc", "irb360")], ids=["c", "linuxcnc"])
def test_a_file_in_the_way_of_the_folder_is_named(run: Any, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "there").write_text("mine")
    for force in ((), ("--force",)):
        assert "there" in run(*words, "--out", str(tmp_path / "there"), *force).message
    assert (tmp_path / "there").read_text() == "mine"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--functions", "jacobian"), ("functions", "inverse_jacobian")),
        (("--prefix", "9x"), ("prefix", "n9x")),
        (("--object", "avr"), ("object", "cortex-m7")),
        (("--real", "half"), ("--real", "float")),
        (("--guard", "following=1mm"), ("--guard", "--controller")),
        (("--controller", "tsid", "--guard", "folowing=1mm"), ("folowing", "following")),
        (("--controller", "nobody"), ("nobody", "tsid")),
        (("--task", "nobody", "--controller", "pd"), ("nobody", "adept-120")),
    ],
)
def test_what_is_wrong_is_named_with_what_would_be_valid(
    run: Any, tmp_path: Path, more: tuple[str, ...], said: tuple[str, ...]
) -> None:
    words = SMALL[:3] if more[0] == "--functions" else SMALL
    message = " ".join(run(*words, *more, "--out", str(tmp_path / "c")).message.split())
    assert all(word in message for word in said), message
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_machine_of_linuxcnc_is_printed_or_written(run: Any, tmp_path: Path) -> None:
    """Without masses, whose C takes the least time."""
    printed = run("export", "linuxcnc", "irb360")
    assert printed.out.startswith("// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later")
    assert not names(tmp_path)
    documents = run("export", "linuxcnc", "irb360", "--json").data["documents"]
    assert documents["irb360_kins.comp"] == printed.out
    result = run("export", "linuxcnc", "irb360", "--out", str(tmp_path / "cnc"), "--json")
    assert {path.name: path.read_text() for path in (tmp_path / "cnc").iterdir()} == documents
    assert "documents" not in result.data
    assert result.data["prefix"] == "irb360"
    assert set(result.column("files", "file")) == set(documents)
    assert result.column("joints", "unit") == ["deg"] * 3
    assert "no torques: the robot states no masses" in result.json["headline"]


def test_a_belt_is_refused_before_anything_is_written(run: Any, tmp_path: Path) -> None:
    message = run("export", "linuxcnc", "par4", "belts-stream", "--out", str(tmp_path / "cnc")).message
    assert "choose a task between fixed places" in " ".join(message.split())
    assert not names(tmp_path)
