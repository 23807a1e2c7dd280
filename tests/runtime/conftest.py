"""One compiled library for all tests of the runtime's drives."""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path
from typing import Any

import pytest

import parapick as pp
from parapick.control import controller_of
from parapick.runtime.session import Session
from parapick.runtime.virtual_cell import VirtualCell, virtual_cell
from parapick.simulation import Record
from parapick.supervision import Supervisor
from parapick.tasks import motion_for
from runtime.compiled import COVERED, LONGEST, Library
from runtime.loop_cases import PAR4, Compiled, base
from runtime.scripted import DOF, HOMING, RUNNING, Scene, compiled_loop, functions_of

ROBOT, TASK, CONTROLLER = "fivebar-spindle", "righettini2024", "righettini2024-tsiid"
"""A plant with friction, lag and encoders that differs from its model: what a virtual cell can have."""


@pytest.fixture(scope="session")
def cell() -> VirtualCell:
    model = pp.load(ROBOT)
    motion = motion_for(TASK, model)
    start = Supervisor(start=tuple(motion.start.tolist()))
    return virtual_cell(model, motion, controller_of(CONTROLLER, model), supervisor=start)


@pytest.fixture(scope="session")
def record(cell: VirtualCell) -> Record:
    """What a simulation makes of the same robot, task and controller."""
    return pp.simulate(cell.assembly.model, cell.assembly.motion, cell.assembly.controller)


@pytest.fixture(scope="session")
def library(cell: VirtualCell, tmp_path_factory: pytest.TempPathFactory) -> Library:
    if shutil.which("cc") is None and shutil.which("gcc") is None and shutil.which("clang") is None:
        pytest.skip("a C compiler is missing: install gcc or clang")
    folder = Path(COVERED) / "library" if COVERED else tmp_path_factory.mktemp("runtime")
    return Library.of(cell, folder)


@pytest.fixture(scope="session")
def loop_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Loop and pace with the system of loop_probe.c, compiled."""
    if shutil.which("cc") is None and shutil.which("gcc") is None and shutil.which("clang") is None:
        pytest.skip("a C compiler is missing: install gcc or clang")
    return compiled_loop(Path(COVERED) / "loop" if COVERED else tmp_path_factory.mktemp("loop"))


@pytest.fixture(scope="session")
def loop_library(loop_path: Path) -> ctypes.CDLL:
    return functions_of(loop_path)


@pytest.fixture(scope="session")
def par4(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    """A lockstep run of par4, compiled."""
    return Compiled(base(PAR4), tmp_path_factory.mktemp("par4"))


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A period may take as long as it likes: what a busy machine takes is no matter of these tests."""
    fill = Session.fill

    def filled(self: Session, settings: Any) -> None:
        fill(self, settings)
        settings["budget"] = round(1e9 * LONGEST)

    monkeypatch.setattr(Session, "fill", filled)


@pytest.fixture
def scene(loop_library: ctypes.CDLL) -> Scene:
    made = Scene(loop_library)
    made.settings["start"]["x"][:DOF] = HOMING["x"][0, :DOF]
    return made


@pytest.fixture
def fed(scene: Scene) -> Scene:
    scene.feed(HOMING, RUNNING)
    assert scene.start()
    return scene
