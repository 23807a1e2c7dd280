"""Computation time of a whole period of the runtime over a million periods, against the 250 us of 4 kHz.

    python benchmarks/runtime.py [PERIODS]

A period is frame in, guards, supervisor, reference, law, frame out and row of the log; the virtual plant is not in it.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from parapick.runtime.building import lockstep_sources, lockstep_texts
from parapick.runtime.cell_program import compiled
from parapick.runtime.lockstep import OwnMemory
from parapick.runtime.planner import Feeder
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.session import Session, session

CASES = (("par4", "adept-120", "tsid"), ("fivebar-spindle", "righettini2024", "righettini2024-tsiid"))

TIMED = """
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <time.h>
#include "lockstep.h"
#include "{plant}"
extern const pp_machine {P}_machine;
static pp_lockstep both;
static long now(void)
{{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}}
int timed(void *segment, size_t bytes, unsigned *taken, int most);
int timed(void *segment, size_t bytes, unsigned *taken, int most)
{{
    int k = 0;
    pp_in in;
    pp_out out;
    pp_log_row row;
    memset(&out, 0, sizeof out);
    if (!pp_lockstep_start(&both, &{P}_machine, &{C}_plant, segment, bytes)) return -1;
    for (; k < most && !both.loop.ended; ++k) {{
        pp_cell_sense(&both.cell, &in);
        long begin = now();
        if (pp_loop_period(&both.loop, &in, (unsigned)k + 1, 0, begin, &out, &row)) pp_ring_write(both.log, &row);
        taken[k] = (unsigned)(now() - begin);
        pp_ring_drop(both.log, 1);
        pp_cell_move(&both.cell, &out);
    }}
    return k;
}}
"""


def library(run: Session, folder: Path) -> ctypes.CDLL:
    entry = TIMED.format(plant=f"{run.cell.prefix}_plant.c", P=run.machine.prefix, C=run.cell.prefix)
    texts = lockstep_texts(run) | {"lockstep_entry.c": entry}
    path = compiled(texts, folder, "timed.so", lockstep_sources(run), "-shared", "-fPIC")
    return ctypes.CDLL(str(path))


def periods(run: Session, timed: ctypes.CDLL, wanted: int) -> np.ndarray:
    """Times (s) of so many periods, the task again and again."""
    taken, done = np.zeros(wanted, np.uint32), 0
    while done < wanted:
        memory = OwnMemory(run)
        run.cell.fill(memory)  # pyright: ignore[reportArgumentType]
        run.fill(memory.settings)
        Feeder(memory.rings["reference"], run.rows.all).feed()
        rest = taken[done:]
        count = timed.timed(
            ctypes.c_void_p(memory.bytes.ctypes.data),
            ctypes.c_size_t(memory.size),
            ctypes.c_void_p(rest.ctypes.data),
            len(rest),
        )
        assert count > 0
        done += count
    return taken * 1e-9


def scheduler() -> str:
    """Ask for the scheduler of the runtime, under which nothing usual interrupts; which one it is."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(80))
    except OSError:
        return "SCHED_OTHER"
    return "SCHED_FIFO"


def main(wanted: int) -> None:
    for robot, task, law in CASES:
        run = session(robot, task, law, RunSettings(clock=False))
        run = replace(run, horizon=len(run.rows.all))
        with tempfile.TemporaryDirectory() as folder:
            timed = library(run, Path(folder))
            system = f"{platform.release()}, {scheduler()}, load {os.getloadavg()[0]:.1f}"
            times = 1e6 * periods(run, timed, wanted)
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
        half, most = np.percentile(times, [50, 99.99])
        print(f"{robot} {law}: p50 {half:.1f} us, p99.99 {most:.1f} us, worst {times.max():.1f} us of 250 us")
        print(f"  {wanted} periods, {system}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
