"""What cannot be run is refused with its reason, before any torque and before anything is compiled."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.cli import main
from parapick.control import Controller, LawError, controller_of
from parapick.errors import ParameterError, UnreachableError
from parapick.motion import hold
from parapick.operation import TaskBeyondGuardError, faults_from
from parapick.runtime import CompilerError, export_runtime, run_task
from parapick.runtime.planner import check_path_faults
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.session import session
from runtime.loop_cases import PAR4

ROBOT, TASK, _ = PAR4


def test_a_python_function_is_refused() -> None:
    with pytest.raises(ParameterError, match="Python function"):
        session(ROBOT, TASK, lambda t, measured, wanted: np.zeros(4))


def test_a_law_that_learns_is_refused() -> None:
    with pytest.raises((ParameterError, LawError), match="learn"):
        session(ROBOT, TASK, "par4-learning")


def test_a_filtered_command_is_refused() -> None:
    from dataclasses import replace

    stated = controller_of("nabat2005-ppi", pp.load(ROBOT))
    assert isinstance(stated, Controller)
    with pytest.raises(ParameterError, match="command_filter"):
        session(ROBOT, TASK, replace(stated, command_filter=0.01))


def test_a_task_that_leaves_the_workspace_is_refused() -> None:
    model = pp.load(ROBOT)
    x = np.array(model.robot.home)
    far = hold(x + np.array([2.0, 0.0, 0.0, 0.0]), 0.1, "far")
    with pytest.raises((TaskBeyondGuardError, UnreachableError)):
        session(model, far, "tsid")


def test_a_fault_of_the_reference_outside_the_task_is_refused() -> None:
    faults = faults_from(("drift:x=0.1@homing+0.001",), pp.load(ROBOT), bare=True)
    with pytest.raises(ParameterError, match="let it begin in running"):
        check_path_faults(faults)


def test_too_many_faults_and_commands_are_refused() -> None:
    with pytest.raises(ParameterError, match="room for 8"):
        session(ROBOT, TASK, "tsid", RunSettings(faults=["stop@0.1"] * 9))


def test_without_a_compiler_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(CompilerError, match="needs a C compiler"):
        run_task(ROBOT, TASK, "tsid")


def test_the_folder_says_how_it_is_built(tmp_path: Path) -> None:
    exported = export_runtime(ROBOT, "tsid", TASK)
    assert exported.ok
    paths = exported.write(tmp_path)
    assert exported.answer().table("files").column("file") == tuple(exported.texts)
    makefile, readme = (paths[name].read_text() for name in ("Makefile", "README.md"))
    assert all(name in exported.texts for name in makefile.split() if name.endswith((".c", ".h")))
    assert "needs a C compiler" in readme
    assert all(f"`{name}`" in readme for name in exported.texts if name not in ("Makefile", "README.md"))
    printed = [line.split("`")[1] for line in readme.splitlines() if line.endswith(f"of {ROBOT}, printed |")]
    assert printed
    assert all(name.startswith(ROBOT.replace("-", "_")) for name in printed)


def test_the_command_answers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "run.csv"
    words = ["run", ROBOT, TASK, "--lockstep", "--exact", "--fault", "emergency@0.01", "--out", str(record), "--json"]
    assert main(words) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["data"]["runtime"]["samples"] > 1000
    assert answer["data"]["runs"]["tsid"]["trip"]["guard"] == "emergency"
    assert record.exists()
