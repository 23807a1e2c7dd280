"""What a second process does with what the first one compiled: everything, without CasADi, unless a source changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import parapick

COMMANDS = (
    "pose par4 0.1 0 -0.75 10deg",
    "evaluate par4 --payload 1kg --no-report",
    "torque par4 --pose 0,0,-0.75,0 --acceleration 50,0,0",
    "motion par4 adept-120",
    "workspace par4 --spacing 60mm",
    "simulate par4 adept-120",
)

PROGRAM = """
import json, sys
from importlib.machinery import SourceFileLoader

import parapick
from parapick.cli import main

load = SourceFileLoader.exec_module
blocked = sys.argv[1] == "blocked"

def exec_module(self, module):
    if blocked and module.__name__.partition(".")[0] == "casadi":
        raise RuntimeError("CasADi is asked for")
    load(self, module)

SourceFileLoader.exec_module = exec_module
codes = [main(command.split()) for command in sys.argv[2:]]
print(json.dumps([codes, "casadi.casadi" in sys.modules]))
"""


def run(program: str, *arguments: str, path: Path | None = None) -> str:
    """The output of a program in a process of its own."""
    places = [] if path is None else [str(path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*places, *sys.path])}
    if path is not None:
        # Python takes a source of the same size and second for the one it compiled.
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_a_warm_command_needs_no_expressions() -> None:
    cold = run(PROGRAM, "free", *COMMANDS)
    warm = run(PROGRAM, "blocked", *COMMANDS)
    *said, last = warm.splitlines()
    assert said == cold.splitlines()[:-1]
    codes, loaded = json.loads(last)
    assert codes == json.loads(cold.splitlines()[-1])[0]
    assert not loaded


ROOMS = """
import json, sys
from parapick.cli import main

main(sys.argv[1:])
# A front and the kind of file behind it list names and compute nothing: the list of commands has them all. The count
# of picks is of every task with items, on a belt or not.
light = ("files", "errors", "picks")
names = [name.split(".") for name in sys.modules if name.startswith("parapick.")]
print(json.dumps(sorted({name[1] for name in names if len(name) > 2 and name[2] not in light})))
"""


@pytest.mark.parametrize(
    ("command", "unused"),
    [
        (COMMANDS[0], {"motion", "timing", "belts", "tasks", "control", "simulation", "capability", "evaluation"}),
        (COMMANDS[1], {"belts", "control", "simulation", "report", "export", "multibody"}),
        (COMMANDS[2], {"timing", "belts", "tasks", "control", "simulation", "capability", "evaluation"}),
    ],
    ids=["pose", "evaluate", "torque"],
)
def test_a_command_imports_what_it_needs(command: str, unused: set[str]) -> None:
    rooms = json.loads(run(ROOMS, *command.split()).splitlines()[-1])
    assert "model" in rooms
    assert unused.isdisjoint(rooms)


POSE = "import parapick as pp; print(*pp.load('delta-nr').inverse_kinematics([0.1, 0.0, -0.8]))"


@pytest.mark.parametrize(
    ("source", "line", "changed"),
    [
        ("mechanism/legs/arm_rod.py", "self.branch * ca.sqrt(ca.fmax(", "-self.branch * ca.sqrt(ca.fmax("),
        ("kernel/operations.py", '"ATAN2": _function("atan2", 2)', '"ATAN2": _function("hypot", 2)'),
    ],
    ids=["expressions", "code"],
)
def test_a_changed_source_gives_new_numbers(source: str, line: str, changed: str, tmp_path: Path) -> None:
    copy = tmp_path / "parapick"
    shutil.copytree(Path(parapick.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = run(POSE, path=tmp_path)
    text = (copy / source).read_text()
    assert text.count(line) == 1
    (copy / source).write_text(text.replace(line, changed))
    after = run(POSE, path=tmp_path)
    assert "nan" not in before
    assert after != before
    (copy / source).write_text(text)
    assert run(POSE, path=tmp_path) == before


LAW = """
from dataclasses import dataclass
from typing import ClassVar

from parapick.control import ControlStage
from parapick.control.stage import sample_of


@dataclass(frozen=True)
class Constant:
    name: ClassVar[str] = "constant"
    size: float = 2.0

    def problems(self, robot):
        return []

    def stage(self, robot):
        sample = sample_of(robot)
        torque = self.size * (1 + 0 * sample.measured.q)
        return ControlStage(sample, (), torque, {"constant": torque}, {})
"""

LOOP = """
import parapick as pp
from own_law import Constant

model = pp.load("delta-nr")
record = pp.simulate(model, pp.hold(model.robot.home, 0.002), Constant())
print(record.command[0].tolist())
"""


def test_a_changed_law_of_a_user_gives_new_numbers(tmp_path: Path) -> None:
    law = tmp_path / "own_law.py"
    law.write_text(LAW)
    assert json.loads(run(LOOP, path=tmp_path)) == [2.0, 2.0, 2.0]
    law.write_text(LAW.replace("self.size * (1", "self.size * (4"))
    assert json.loads(run(LOOP, path=tmp_path)) == [8.0, 8.0, 8.0]
