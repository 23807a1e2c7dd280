"""`parapick check`."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_check_accepts_a_robot(run: Any, own_robot: Any) -> None:
    path = own_robot("par4")
    result = run("check", path)
    assert result.code == 0
    assert result.out.split() == [*path.split(), "is", "a", "valid", "robot"]
    assert run("check", path, "--json").json == {"file": path, "valid": True, "problems": [], "doubts": []}


def test_check_reports_all_problems(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('format = 1\nname = "own"\nhoem = [0, 0, -0.7]\n[limb]\narm = "3 kg"\nrod_length = -1\n')
    message = run("check", str(path)).message
    for text in (
        str(path),
        "limb.arm: '3 kg' is not a length",
        "limb.rod_length: is -1 m",
        "hoem",
        "did you mean home",
    ):
        assert text in message
    result = run("check", str(path), "--json")
    assert result.code == 2
    assert result.json["valid"] is False
    assert {"limb.arm", "limb.rod_length", "hoem", "home", "base", "plate"} == {
        problem["path"] for problem in result.json["problems"]
    }


def test_a_missing_file_is_one_message(run: Any) -> None:
    assert "nowhere.toml: 1 problem\n  there is no such file" in run("check", "nowhere.toml").message


def test_what_no_body_can_be_is_a_doubt_and_no_problem(run: Any) -> None:
    """The barycentric inertia of righettini2024, Table 1, is larger than the link allows."""
    result = run("check", "fivebar-spindle")
    assert result.code == 0
    assert "is a valid robot, with doubts:\n  limb.rod_inertia: is 0.0522 kg m2" in result.out
    answer = run("check", "fivebar-spindle", "--json").json
    assert answer["valid"] is True
    assert [doubt["path"] for doubt in answer["doubts"]] == ["limb.rod_inertia"]
