"""The runtime's C as a shared library for tests, compiled once in a session, with a robot's plant behind it."""

from __future__ import annotations

import ctypes
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from parapick.runtime.cell_program import c_sources, cell_texts, compiler
from parapick.runtime.layout import IN, MAGIC, OUT, SEGMENT, VERSION
from parapick.runtime.virtual_cell import VirtualCell

HERE = Path(__file__).parent

STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off")

PLANT = """
#include "cell.h"
#include "{plant}"
const pp_plant *probe_plant(void) {{ return &{prefix}_plant; }}
"""

COVERED = os.environ.get("PARAPICK_RUNTIME_COVERAGE", "")
"""Folder in which everything is compiled for gcov; empty: no coverage. See tools/c_branches.py."""

LEVEL = ("--coverage", "-O0") if COVERED else ("-O1",)

LONGEST = 20.0
"""Time (s) after which a test gives up waiting."""


def run(command: list[str], **kwargs: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=True, **kwargs)


def written(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


def linked(folder: Path, program: str, sources: list[str], *flags: str, level: tuple[str, ...] = LEVEL) -> Path:
    """Sources of a folder as a program or library."""
    command = [compiler(), *STRICT, *level, *flags, "-o", str(folder / program)]
    run([*command, *sources, "-lm", "-lrt", "-lpthread"], cwd=folder)
    return folder / program


def pointer(values: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(np.asarray(values).ctypes.data)


@dataclass(frozen=True)
class Library:
    """The compiled runtime and the cell that it has.

    Attributes:
        functions: the library.
        cell: the cell whose plant it has.
        folder: where it was compiled.
    """

    functions: ctypes.CDLL
    cell: VirtualCell
    folder: Path

    @classmethod
    def of(cls, cell: VirtualCell, folder: Path) -> Library:
        texts = {**c_sources(), **cell_texts(cell), "probe.c": (HERE / "probe.c").read_text()}
        plant = f"{cell.prefix}_plant.c"
        texts["probe_plant.c"] = PLANT.format(plant=plant, prefix=cell.prefix)
        written(folder, texts)
        sources = sorted(name for name in c_sources() if name.endswith(".c") and name != "cell_run.c")
        path = linked(folder, "library.so", [*sources, "probe.c", "probe_plant.c"], "-shared", "-fPIC")
        functions = ctypes.CDLL(str(path))
        for name in ("probe_plant", "probe_segment"):
            getattr(functions, name).restype = ctypes.c_void_p
        for name in ("pp_bus_reason", "pp_cia402_name"):
            getattr(functions, name).restype = ctypes.c_char_p
        for name in ("probe_ring_waiting", "probe_ring_drop", "probe_ring_bytes", "pp_bus_read_in", "pp_bus_read_out"):
            getattr(functions, name).restype = ctypes.c_uint64
        functions.pp_master_understood.restype = ctypes.c_double
        functions.pp_drive_brake.restype = ctypes.c_double
        functions.probe_int16.restype = ctypes.c_int16
        return cls(functions, cell, folder)

    def buffer(self, name: str) -> ctypes.Array[ctypes.c_char]:
        """Room for a struct that only C knows."""
        return ctypes.create_string_buffer(getattr(self.functions, f"probe_{name}_size")() + 64)

    def segment(self, cell: VirtualCell | None = None) -> Any:
        """A segment in ordinary memory, filled for a cell."""
        whole = np.zeros((), SEGMENT)
        filled(whole, cell or self.cell)
        return whole

    def started(self, whole: Any) -> ctypes.Array[ctypes.c_char]:
        """A cell at its start."""
        state = self.buffer("cell")
        # The cell reads its settings there as long as it lives.
        state.whole = whole  # pyright: ignore[reportAttributeAccessIssue]
        plant = ctypes.c_void_p(self.functions.probe_plant())
        assert self.functions.pp_cell_start(state, plant, pointer(whole)) == 1
        return state

    def run(self, state: ctypes.Array[ctypes.c_char], outs: np.ndarray) -> np.ndarray:
        """What a cell reports along frames (T,)."""
        assert outs.dtype == OUT
        ins = np.zeros(len(outs), IN)
        self.functions.probe_cell_run(state, pointer(outs), pointer(ins), len(outs))
        return ins


class InMemory:
    """Stands for a mapped segment where a cell fills it."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole

    def publish(self) -> None:
        head = self.whole["head"]
        head["version"], head["bytes"], head["magic"] = VERSION, SEGMENT.itemsize, MAGIC


def filled(whole: Any, cell: VirtualCell) -> None:
    cell.fill(InMemory(whole))


def frames(count: int, word: int = 0x0F, mode: int = 10) -> np.ndarray:
    """Frames of a master that brings drives up: shut down, switch on, then a word (T,)."""
    outs = np.zeros(count, OUT)
    outs["cycle"] = 1 + np.arange(count)
    outs["drives"]["mode"] = mode
    words = np.full(count, word)
    words[:3] = [0, 0x06, 0x07]
    outs["drives"]["control_word"] = words[:, None]
    return outs


BRING_UP = 3
"""Frames before the one that enables."""
