"""Loop and virtual cell as they are, under a scheduler of the tests: late, interrupted and starved as a seed has it."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

import numpy as np

from parapick.runtime.building import LOOP_SOURCES, loop_texts
from parapick.runtime.cell_program import CELL_SOURCES, c_sources
from parapick.runtime.loop_layout import CELL_TURN, LOG, LOOP_TURN
from parapick.runtime.machine import EVENTS
from parapick.runtime.paced import PacedRun, settings_in, shorten_log
from parapick.runtime.segment import new_segment
from parapick.runtime.session import Session
from parapick.runtime.turns import Turns
from parapick.supervision import Event
from runtime.compiled import HERE, linked, pointer, written
from runtime.loop_cases import LEVEL_OF_RUNS
from runtime.scripted import RENAMED

MOST = 20000
"""Rows for which there is room."""

_ROBOT = """extern const pp_machine {P}_machine;
#include "{C}_plant.c"
#define SCHEDULED_MACHINE {P}_machine
#define SCHEDULED_PLANT {C}_plant
#define SCHEDULED_STOP {stop}
"""


class World(ctypes.Structure):
    """`world_settings` of scheduled.c."""

    _fields_ = [
        ("seed", ctypes.c_uint64),
        ("sleeps", ctypes.c_double),
        ("interrupts", ctypes.c_double),
        *((name, ctypes.c_int64) for name in ("longest", "feeds", "asks")),
    ]


class _Kept(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), *((name, ctypes.c_uint64) for name in ("row_size", "rows", "most"))]


def calm(seed: int = 1) -> World:
    """A world in which now and then somebody is late by a few periods."""
    return World(seed, 0.02, 0.002, 1_500_000, 5_000_000, 0)


def drawn(seed: int) -> World:
    """A world of any kind: nearly punctual to hopeless, with a stop at some time in every third."""
    dice = np.random.default_rng(seed)
    sleeps, interrupts = 10.0 ** dice.uniform(-3.0, -0.3), 10.0 ** dice.uniform(-4.0, -1.0)
    longest, feeds = 10.0 ** dice.uniform(5.0, 7.5), 10.0 ** dice.uniform(6.0, 8.0)
    asks = int(1e9 * dice.uniform(1.1, 3.5)) if dice.random() < 1.0 / 3.0 else 0
    return World(seed, sleeps, interrupts, int(longest), int(feeds), asks)


class Scheduled:
    """A run with its loop and cell as a library.

    Attributes:
        run: the run.
    """

    def __init__(self, run: Session, folder: Path) -> None:
        self.run = run
        stop = EVENTS.index(Event.STOP)
        texts = {
            **c_sources(),
            **loop_texts("loop.c", "pace.c"),
            **run.machine.texts,
            f"{run.cell.prefix}_plant.c": run.cell.plant_code().text,
            "scheduled.c": (HERE / "scheduled.c").read_text(),
            "scheduled_robot.h": _ROBOT.format(P=run.machine.prefix, C=run.cell.prefix, stop=stop),
        }
        sources = [*dict.fromkeys([*LOOP_SOURCES, *CELL_SOURCES]), "pace.c", *run.machine.sources, "scheduled.c"]
        renamed = [f"-D{name}=scheduled_{name}" for name in RENAMED]
        path = linked(
            written(folder, texts), "scheduled.so", sources, "-shared", "-fPIC", *renamed, level=LEVEL_OF_RUNS
        )
        self._functions = ctypes.CDLL(str(path))
        self._kept = [np.zeros(MOST, kind) for kind in (LOG, LOOP_TURN, CELL_TURN)]

    def recorded(self, world: World, spoil: Any = None) -> PacedRun:
        """A run in a world.

        Args:
            world: the world.
            spoil: changes the segment before it begins.
        """
        run, rows = self.run, self.run.rows.all
        with new_segment(f"/parapick-scheduled-{os.getpid()}", run.rings) as segment:
            settings: Any = settings_in(segment)
            shorten_log(segment, run)
            run.fill(settings)
            run.cell.fill(segment)
            if spoil is not None:
                spoil(segment)
            kept = (_Kept * 3)(*(_Kept(one.ctypes.data, one.itemsize, 0, MOST) for one in self._kept))
            places = pointer(segment.whole), ctypes.c_size_t(len(segment._memory))
            given = ctypes.c_char_p(segment.name.encode())
            made = pointer(rows), ctypes.c_uint64(len(rows)), kept
            code = self._functions.scheduled_run(given, *places, ctypes.byref(world), *made)
            report = settings["report"].copy()
            del settings
        log, loop, cell = (one[: int(to.rows)].copy() for one, to in zip(self._kept, kept, strict=True))
        return PacedRun(log, report, code, {}, Turns(loop, cell, run.cell.fingerprint))
