"""The hint at masses that follow a length: its lines, pasted into a robot file, give the mass that they promise."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import parapick as pp
from parapick.cli import main
from parapick.robots import ROBOTS

LONGER = ("--set", "limb.arm=400mm")
STUDY = """
format = 1
name = "arms"
robot = "mine.toml"
best = 1
objectives = ["moving_mass"]

[parameters]
"limb.arm" = ["400 mm", "420 mm"]

[[methods]]
kind = "grid"
"""


@pytest.fixture
def pasted(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The robot file of par4 with the lines of the hint in the place of its own."""
    monkeypatch.chdir(tmp_path)
    (doubt,) = run("evaluate", "par4", "--sections", "reach", *LONGER, "--json").json["doubts"]
    lines = {line.partition(" = ")[0]: line for line in doubt["lines"]}
    assert set(lines) == {"arm_mass", "arm_center", "arm_inertia"}
    text = (ROBOTS.folder / "par4.toml").read_text(encoding="utf-8")
    rows = [lines.get(row.partition(" = ")[0], row) for row in text.splitlines()]
    path = tmp_path / "mine.toml"
    path.write_text("\n".join(rows), encoding="utf-8")
    assert all("of" in tomllib.loads(path.read_text())["limb"][name] for name in lines)
    return path


def test_the_hint_is_gone_and_the_mass_is_that_of_a_bar_by_set(pasted: Path, run: Any) -> None:
    stated = pp.load("par4").numbers.limb
    assert pp.load(pasted).numbers.limb.arm_mass == pytest.approx(stated.arm_mass, rel=1e-8)
    answer = run("evaluate", str(pasted), "--sections", "reach", *LONGER, "--json").json
    assert not [doubt for doubt in answer.get("doubts", []) if doubt["path"] == "limb.arm"]
    # Arms that became longer swing more mass: by hand, mass per length stays.
    words = ("torque", "--pose", "0.1,0,-0.7,0", "--acceleration", "0,0,50,0", "--json")
    robots = {"follows": str(pasted), "stays": "par4"}
    torques = {name: run(words[0], robot, *words[1:], *LONGER).json["tables"] for name, robot in robots.items()}
    assert torques["follows"] != torques["stays"]
    heavier = stated.arm_mass * 400 / 350
    by_hand = ("--set", f"limb.arm_mass={heavier}", "--set", "limb.arm_center=200mm")
    inertia = ("--set", f"limb.arm_inertia={heavier * 0.4**2 / 3}")
    same = run(words[0], "par4", *words[1:], *LONGER, *by_hand, *inertia).json["tables"]
    assert _numbers(same) == pytest.approx(_numbers(torques["follows"]), rel=1e-6)


def _numbers(tables: Any) -> list[float]:
    """Every number of some tables, in their order."""
    if isinstance(tables, dict):
        return [number for value in tables.values() for number in _numbers(value)]
    if isinstance(tables, list):
        return [number for value in tables for number in _numbers(value)]
    return [float(tables)] if isinstance(tables, (int, float)) and not isinstance(tables, bool) else []


def test_a_study_of_the_pasted_file_moves_the_mass_with_the_arm(
    pasted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    (tmp_path / "arms.toml").write_text(STUDY, encoding="utf-8")
    code = main(["study", "run", "arms.toml", "--out", "out", "--workers", "1", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert code == 0
    assert answer["data"]["best"]["limb.arm"] == pytest.approx(0.4)
    (file,) = _robot_files(tmp_path / "out")
    made = pp.load(file).numbers.limb
    assert made.arm_mass == pytest.approx(pp.load("par4").numbers.limb.arm_mass * 400 / 350, rel=1e-6)
    assert not [table for table in answer["tables"] if table.startswith("masses of")]


def _robot_files(folder: Path) -> list[Path]:
    """Robot files in a folder."""
    return [path for path in folder.rglob("*.toml") if "limb" in tomllib.loads(path.read_text(encoding="utf-8"))]
