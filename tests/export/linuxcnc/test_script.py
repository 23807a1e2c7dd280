"""The script that runs a task unattended, against a controller that is none."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from parapick.export.linuxcnc.files import FileNames
from parapick.export.linuxcnc.runner import runner_text


class Controller:
    """LinuxCNC as its Python module shows it, as far as the script asks."""

    STATE_ESTOP_RESET, STATE_ON, MODE_MANUAL, MODE_AUTO, AUTO_RUN, INTERP_IDLE, EXEC_DONE = range(7)

    def __init__(self, complains_at: str = "", homes: bool = True) -> None:
        self.asked: list[tuple[str, Any]] = []
        self._complains_at, self._homes, self._errors, self._looks = complains_at, homes, list[Any](), 0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        def ask(*values: Any) -> None:
            if name != "wait_complete":
                self.asked.append((name, values[0]))
            if name == self._complains_at:
                self._errors.append((1, f" {name} failed \n"))

        return ask

    def command(self) -> Controller:
        return self

    def stat(self) -> SimpleNamespace:
        status = SimpleNamespace(
            joints=3, task_state=self.STATE_ON, homed=(0,) * 9, joint_position=(1.0, 2.0, 3.0, 4.0),
            interp_state=self.INTERP_IDLE, exec_state=self.EXEC_DONE, inpos=True,
        )  # fmt: skip

        def poll() -> None:
            self._looks += 1
            status.homed = (int(self._homes and ("home", -1) in self.asked),) * 3 + (0,) * 6
            # The program runs for some looks, then it is idle again.
            running = ("auto", self.AUTO_RUN) in self.asked and self._looks < 12
            status.interp_state = -1 if running else self.INTERP_IDLE

        status.poll = poll
        return status

    def error_channel(self) -> SimpleNamespace:
        return SimpleNamespace(poll=lambda: self._errors.pop(0) if self._errors else None)


def ran(controller: Controller, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, dict[str, Any]]:
    """Exit code of the script, and what it wrote; a second passes at each look."""
    clock = iter(range(10_000))
    monkeypatch.setitem(sys.modules, "linuxcnc", controller)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)) / 2)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as ended:
        exec(compile(runner_text(FileNames("a_robot"), 2.0), "unattended.py", "exec"), {"__name__": "__main__"})
    return int(str(ended.value.code)), json.loads((folder / "run.json").read_text())


def test_the_script_homes_and_runs_the_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    controller = Controller()
    code, result = ran(controller, tmp_path, monkeypatch)
    assert (code, result["on"], result["homed"], result["done"], result["messages"]) == (0, True, True, True, [])
    assert result["joints"] == [1.0, 2.0, 3.0]
    kinds = [name for name, _ in controller.asked]
    assert kinds == ["state", "state", "mode", "teleop_enable", "home", "mode", "program_open", "auto"]
    assert ("program_open", "a_robot.ngc") in controller.asked


def test_the_script_stops_where_the_controller_complains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    controller = Controller(complains_at="home")
    code, result = ran(controller, tmp_path, monkeypatch)
    assert (code, result["homed"], result["done"], result["messages"]) == (1, False, False, ["home failed"])
    assert "auto" not in [name for name, _ in controller.asked]


def test_the_script_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, result = ran(Controller(homes=False), tmp_path, monkeypatch)
    assert (code, result["homed"], result["messages"]) == (1, False, ["took too long"])
