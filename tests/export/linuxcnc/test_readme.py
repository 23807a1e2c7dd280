"""What an export says of itself: its README, and its answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from export.linuxcnc.machines import component_pins
from parapick.export import ExportedController
from parapick.export.linuxcnc.files import FileNames
from parapick.export.linuxcnc.machine import CncMachine
from parapick.export.linuxcnc.readme import readme_text


def test_the_readme_names_every_file_and_no_other(exported: ExportedController) -> None:
    readme, names = exported.texts["README.md"], exported.names
    written = set(exported.texts) - {"README.md"}
    told = set(re.findall(r"[\w-]+\.(?:comp|ini|hal|ngc|tbl|py|c)\b", readme))
    assert told == written
    assert f"halcompile --install {names.kinematics}.comp {names.plant}.comp" in readme


def test_the_readme_says_each_joint_and_axis(exported: ExportedController) -> None:
    lines = [line for line in exported.texts["README.md"].splitlines() if re.match(r"\| [\dXYZC] \|", line)]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    machine = exported.machine
    assert [row[0] for row in rows] == [*machine.letters, *(str(i) for i in range(len(machine.joints)))]
    for row, joint in zip(rows[len(machine.axes) :], machine.joints, strict=True):
        assert row[1:3] == [str(int(row[0]) + 1), "deg"]
        stated = [float(cell) for cell in row[3:]]
        assert stated == pytest.approx([joint.home, joint.low, joint.high, joint.ratio], rel=1e-5)


def test_the_answer_says_what_the_files_say(exported: ExportedController, tmp_path: Path) -> None:
    answer = exported.answer()
    sizes = dict(exported.table("files").rows)
    written = exported.write(tmp_path)
    assert {name: path.stat().st_size for name, path in written.items()} == sizes
    assert written[exported.names.runner].stat().st_mode & 0o111 == 0o111
    assert exported.ok
    assert "4 joints and the axes XYZC; torques at the motor shaft" in answer.headline
    assert exported.table("joints").column("unit") == ("deg",) * 4
    assert "par4_kins" in repr(exported)
    assert "par4_kins" in exported._repr_html_()
    assert answer.data["task"] in exported.texts[exported.names.ini]


def test_the_readme_names_pins_that_there_are(exported: ExportedController) -> None:
    pins = component_pins(exported.texts)
    told = re.findall(r"`(par4-\w+\.[\w-]+)-N`", exported.texts["README.md"])
    assert len(told) == 2
    assert all(f"{name}-0" in pins for name in told)


def test_the_readme_of_a_robot_without_masses_speaks_of_no_torque(exported: ExportedController) -> None:
    machine = exported.machine
    massless = CncMachine(machine.axes, machine.joints, machine.speed, machine.acceleration, masses=False)
    text = readme_text(exported.model.robot, massless, FileNames("par4"), "a task")
    assert "## No torques" in text
    assert "plant" not in text
    assert "machine.c" not in text
