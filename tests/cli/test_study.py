"""`parapick study`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parapick.robots import load
from studies import SMALL


def test_run_status_and_the_best_robot(run: Any, tmp_path: Path) -> None:
    file, out = tmp_path / "small.toml", str(tmp_path / "out")
    file.write_text(SMALL)
    result = run("study", "run", str(file), "--out", out, "--workers", "1", "--json")
    assert result.code == 0
    best = result.data["best"]
    assert result.data["rows"] == 448
    assert Path(result.json["files"]["table"]).is_file()
    assert Path(result.json["files"]["page"]).is_file()
    robot = load(result.json["files"]["small-1"]).robot
    assert robot.limb.arm == best["limb.arm"]
    assert robot.workspace.z_max == best["workspace.z_min"] + 0.1
    assert run("check", result.json["files"]["small-1"]).code == 0
    again = run("study", "run", str(file), "--out", out, "--workers", "1", "--json")
    assert again.data["best"] == best
    assert result.json["replaced"] == []
    assert {"page", "table"} <= set(again.json["replaced"])
    status = run("study", "status", out, "--json")
    assert status.data["state"] == "finished"
    assert status.data["best"]["peak_torque"] == best["peak_torque"]


def test_no_feasible_design_is_a_no_with_the_reason(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(SMALL.replace("reach = {", 'peak_torque = { at_most = "1 N m" }\nreach = {'))
    result = run("study", "run", str(file), "--out", str(tmp_path / "out"), "--workers", "1")
    assert result.code == 1
    assert "no design keeps every requirement" in result.out
    assert "peak_torque" in result.out


def test_a_search_without_a_feasible_start_is_a_no_too(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(SMALL.replace("reach = {", 'peak_torque = { at_most = "1 N m" }\nreach = {'))
    result = run("study", "run", str(file), "--out", str(tmp_path / "out"), "--method", "gradient", "--workers", "1")
    assert result.code == 1
    assert "no search had a start" in result.out


def test_what_is_wrong_is_one_message(run: Any, tmp_path: Path) -> None:
    assert "corbel2010-table6" in run("study", "run", "corbel2010-table", "--out", str(tmp_path / "out")).message
    assert "holds no study" in run("study", "status", str(tmp_path)).message
    assert "grid" in run("study", "run", "corbel2010-table6", "--out", str(tmp_path), "--method", "grd").message
    assert "workers" in run("study", "run", "corbel2010-table6", "--out", str(tmp_path), "--workers", "0").message
    assert run("check", "corbel2010-table6").out == "YES: corbel2010-table6 is a valid study\n"
    assert run("schema", "study").json["title"] == "StudyFile"
