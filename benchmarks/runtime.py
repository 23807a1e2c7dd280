"""Computation time of a whole period of the runtime over a million periods, against the 250 us of 4 kHz; overruns.

    python benchmarks/runtime.py [--periods 100000] [--json out.json]

A period is frame in, guards, supervisor, reference, law, frame out and row of the log; the virtual plant is not in it.
Then the same task runs against a clock, the virtual drives in a process of their own, the deadline guard off, and what
overran is counted: that is about the machine, its kernel, scheduler and load, which are stated, and nothing is wanted.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import platform
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from parapick.runtime import RuntimeRun, run_task
from parapick.runtime.building import lockstep_sources, lockstep_texts
from parapick.runtime.cell_program import compiled
from parapick.runtime.lockstep import OwnMemory
from parapick.runtime.planner import Feeder
from parapick.runtime.run_settings import RunSettings
from parapick.runtime.session import Session, session
from parapick.supervision import GuardLimits, Supervisor
from racing import Verdict, at_most, figure, keep

CASES = (("par4", "adept-120", "tsid"), ("fivebar-spindle", "righettini2024", "righettini2024-tsiid"))

PERIOD_US = 250.0
"""A period of 4 kHz."""

BREATH_SECONDS = 1e-3
"""Rest after a task: a thread of SCHED_FIFO that never rests is stopped by Linux, for the sake of others."""

PACED_SECONDS = 3.0
"""About how long it runs against a clock."""

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
        memory = OwnMemory(run.rings, run.log_rows)
        run.cell.fill(memory)  # pyright: ignore[reportArgumentType]
        run.fill(memory.settings)
        Feeder(memory.rings["reference"], run.rows.blocks()).feed()
        rest = taken[done:]
        count = timed.timed(
            ctypes.c_void_p(memory.bytes.ctypes.data),
            ctypes.c_size_t(memory.size),
            ctypes.c_void_p(rest.ctypes.data),
            len(rest),
        )
        assert count > 0
        done += count
        time.sleep(BREATH_SECONDS)
    return taken * 1e-9


def scheduler() -> str:
    """Ask for the scheduler of the runtime, under which nothing usual interrupts; which one it is."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(80))
    except OSError:
        return "SCHED_OTHER"
    return "SCHED_FIFO"


def computed(robot: str, task: str, law: str, wanted: int) -> list[Verdict]:
    """What computation takes of a period, without a clock."""
    run = session(robot, task, law, RunSettings(clock=False))
    run = replace(run, horizon=run.rows.count)
    with tempfile.TemporaryDirectory() as folder:
        timed = library(run, Path(folder))
        system = f"{platform.release()}, {scheduler()}, load {os.getloadavg()[0]:.1f}"
        times = 1e6 * periods(run, timed, wanted)
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    half, most, worst = (float(value) for value in np.percentile(times, [50, 99.99, 100]))
    what = f"{robot}, {law}: computation of a period"
    return [
        at_most(f"{what}, median of {wanted}", half, PERIOD_US, " us"),
        at_most(f"{what}, 99.99 % of them below", most, PERIOD_US, " us"),
        at_most(f"{what}, worst ({system})", worst, PERIOD_US, " us"),
    ]


def against_clock(robot: str, task: str, law: str) -> RuntimeRun:
    """The task again and again for some seconds, whatever comes late."""
    supervisor = Supervisor(guards=GuardLimits(deadline=None))
    once = session(robot, task, law, RunSettings())
    cycles = max(1, round(PACED_SECONDS / (once.rows.count * once.cell.period * 1e-9)))
    return run_task(robot, task, law, RunSettings(supervisor=supervisor, cycles=cycles))


def overruns(robot: str, task: str, law: str) -> list[Verdict]:
    """How a run against a clock kept it."""
    done = against_clock(robot, task, law)
    assert done.paced is not None
    report = done.paced.report
    system = ", ".join(f"{name} {value}" for name, value in done.paced.system.items())
    what = f"{robot}, {law}: against a clock of 4 kHz"
    print(f"{what}: {system}")
    return [
        figure(f"{what}, periods that overran, of {int(report['periods'])}", int(report["overruns"])),
        figure(f"{what}, longest period", 1e-3 * int(report["worst_length"]), " us"),
        figure(f"{what}, latest begin", 1e-3 * int(report["worst_late"]), " us"),
    ]


def main() -> int:
    """Time both; 0 whatever the times."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--periods", type=int, default=1_000_000)
    given = arguments.parse_args()
    verdicts = []
    for case in CASES:
        verdicts += computed(*case, given.periods) + overruns(*case)
    for verdict in verdicts:
        print(verdict)
    keep(given.json, verdicts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
