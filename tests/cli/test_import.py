"""`parapick import br` and `parapick export br`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from br_projects import HARDWARE, OTHER, SYSTEM, change, project_in
from parapick.robots import load_robot


def plain(text: str) -> str:
    return " ".join(text.split())


def test_a_project_becomes_a_robot_file(run: Any, tmp_path: Path) -> None:
    folder, target = project_in(tmp_path / "project"), tmp_path / "my-delta.toml"
    result = run("import", "br", str(folder), "--out", str(target))
    assert result.code == 0
    assert result.out.startswith("my-delta has ")
    assert "not taken over: " in result.out
    assert f"next: parapick check {target}" in plain(result.out)
    robot = load_robot(target)
    assert (robot.robot.name, robot.robot.limb.arm) == ("my-delta", 0.25)
    assert robot.sources["limb.arm"].startswith(f"{SYSTEM}: MechSys_D4test")
    assert run("check", str(target)).code == 0


def test_nothing_is_written_unless_asked_for(run: Any, tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    before = sorted(folder.iterdir())
    result = run("import", "br", str(folder))
    assert result.code == 0
    assert "nothing is written; --out FILE.toml does" in plain(result.out)
    assert sorted(folder.iterdir()) == before


def test_a_robot_file_is_replaced_only_with_force(run: Any, tmp_path: Path) -> None:
    folder, target = project_in(tmp_path / "project"), tmp_path / "own.toml"
    assert run("import", "br", str(folder), "--out", str(target)).code == 0
    project_in(folder, arm=260.0)
    assert "is there already, and is left alone" in run("import", "br", str(folder), "--out", str(target)).message
    assert load_robot(target).robot.limb.arm == 0.25
    result = run("import", "br", str(folder), "--out", str(target), "--force")
    assert f"robot: {target} (replaced)" in plain(result.out)
    assert load_robot(target).robot.limb.arm == 0.26


def test_a_contradiction_is_no(run: Any, tmp_path: Path) -> None:
    folder, target = project_in(tmp_path / "project"), tmp_path / "own.toml"
    change(folder, HARDWARE, 'Location="M1/Brake" Value="0.5"', 'Location="M1/Brake" Value="0.9"')
    result = run("import", "br", str(folder), "--out", str(target))
    assert result.code == 1
    assert "The project contradicts itself" in result.out
    assert "inertia of the drives" in plain(result.out)
    assert "axis 1: motor, brake, encoder and gearbox; JDrive1: 0.000322 and 0.000282 kg m2" in plain(result.out)
    assert load_robot(target).robot.drive.brake.inertia == pytest.approx(0.9e-4)


def test_json_names_every_setting_that_is_left(run: Any, tmp_path: Path) -> None:
    data = run("import", "br", str(project_in(tmp_path)), "--json")
    left = data.json["data"]["left"]
    assert data.json["answer"] == "import"
    assert sum(len(group["paths"]) for group in left) == data.json["data"]["settings_left"]
    assert {group["file"] for group in left} >= {SYSTEM, HARDWARE}
    paths = [row["path"] for row in data.json["tables"]["sources"]["rows"]]
    assert {"limb.arm", "drive.ratio", "limits.joint_speed"} <= set(paths)


def test_the_system_is_chosen_by_its_name(run: Any, tmp_path: Path) -> None:
    project_in(tmp_path / "a")
    project_in(tmp_path / "b", OTHER)
    (tmp_path / "b" / HARDWARE).unlink()
    assert "2 mechanical systems; say which" in run("import", "br", str(tmp_path)).message
    result = run("import", "br", str(tmp_path), "--system", "MechSys_D4other")
    assert result.out.startswith("MechSys_D4other has ")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "nowhere: there is no such folder"),
        ([".", "--out", "own.csv"], "nothing can be written that ends in .csv"),
        ([".", "--out", "two words.toml"], "it must be a word of letters"),
        ([".", "--system", "other"], "has no mechanical system 'other'; it has MechSys_D4test"),
        ([], "requires an argument"),
    ],
)
def test_wrong_input_is_one_message(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(project_in(tmp_path))
    assert message in run("import", "br", *words).message


def test_a_robot_becomes_a_project_and_comes_back(run: Any, tmp_path: Path) -> None:
    folder, target = tmp_path / "out", tmp_path / "codian.toml"
    result = run("export", "br", "codian-d4-1100", "--out", str(folder))
    assert result.code == 0
    assert "with a dynamic model of 142 rows" in plain(result.out)
    assert sorted(path.suffix for path in folder.iterdir()) == [".axesgroup", ".axis", ".hw", ".mechanicalsystem"]
    assert run("import", "br", str(folder), "--out", str(target)).code == 0
    assert load_robot(target).robot.drive == load_robot("codian-d4-1100").robot.drive


def test_files_of_a_project_are_replaced_only_with_force(run: Any, tmp_path: Path) -> None:
    words = ("export", "br", "codian-d4-1100", "--out", str(tmp_path))
    (tmp_path / HARDWARE).write_text("mine")
    assert "has Hardware.hw already, left alone" in run(*words).message
    assert (tmp_path / HARDWARE).read_text() == "mine"
    assert run(*words, "--force").code == 2, "a file of another kind is never replaced"
    (tmp_path / HARDWARE).unlink()
    assert run(*words).code == 0
    assert run(*words).code == 2
    assert run(*words, "--force").code == 0


def test_the_mechanical_system_is_printed_if_nothing_is_written(run: Any) -> None:
    out = run("export", "br", "delta-4").out
    assert out.startswith('<?xml version="1.0" encoding="utf-8"?>')
    assert 'Value="4AxesDeltaA"' in out
    data = run("export", "br", "delta-4", "--json").data
    assert data["documents"]["delta_4.mechanicalsystem"].removeprefix("\ufeff") == out
    assert data["rows"] == 142


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["par4"], "par4 cannot be a mechanical system of Automation Studio: its plate is of the kind parallelogram"),
        (["delta-4", "--mode", "inward"], "its elbows point inward"),
        (["delta-4", "--out", "x.xml"], "nothing can be written that ends in .xml"),
        (["nobody"], "nobody"),
    ],
)
def test_what_cannot_be_exported_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run("export", "br", *words).message
