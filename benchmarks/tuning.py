"""A thousand gain candidates against one simulation: closed loops folded in vector lanes, beside a recorded run.

Run `python benchmarks/tuning.py [--json FILE]`. A candidate is a law with other gains on the same task; what is wanted
of its run is its error, so nothing is recorded. Four and, where the processor has them, eight candidates run at once,
on one thread. One simulation is read in two ways: a call of `simulate`, and its native run alone. The folds must first
agree with the records of single runs. It is not a test: what it prints depends on the machine, and the exit code is 1
only where contenders disagree.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from racing import Race, Verdict, at_most, figure, keep, race, table

BATCH = 32
ROUNDS = 7
CANDIDATES = 1000
AGREEMENT = 1e-6
SIMULATE, NATIVE = "simulate", "native run"
LIMITS = {4: 250.0, 8: 160.0}
CASES = {
    "delta-nr, TSID": ("delta-nr", "adept-120", "tsid"),
    "par4, PD": ("par4", "adept-120", "pd"),
    "asymmetric-screw, computed torque": ("asymmetric-screw", "wu2020-fit1", "wu2020-fit1"),
    "fivebar-spindle, TSIID with friction": ("fivebar-spindle", "righettini2024", "righettini2024-tsiid"),
}


def widths() -> list[int]:
    """Numbers of candidates that this processor runs at once."""
    from parapick.kernel.llvm.target import host_target

    return [width for width in LIMITS if width <= host_target().width]


def lanes_of(width: int) -> str:
    """Name of the folds of so many candidates at once."""
    return f"{width} lanes"


def gains_of(space: Any, count: int) -> np.ndarray:
    """Candidates around the middle of the bounds, all of which follow the task."""
    return np.random.default_rng(2020).uniform(0.4, 0.6, (count, len(space.free)))


def case_of(robot: str, task: str, name: str) -> tuple[Any, Any, Any, Any]:
    """The robot, its motion, its controller and the candidates of a case."""
    import parapick as pp
    from parapick.control import LAWS, load_controller, machine_controller
    from parapick.parameters import leaves
    from parapick.tasks import load_task
    from parapick.tuning.free_gains import gain_space

    model = pp.load(robot)
    motion = load_task(task).motion(model)
    controller: Any = machine_controller(name) if name in LAWS else load_controller(name)
    paths = ("law.kp", "law.kd") if controller.law.poles is None else ("law.poles.frequency", "law.poles.damping")
    own: dict[str, Any] = {}
    for path in paths:
        middle = float(np.mean([value for leaf, value in leaves(controller) if leaf.startswith(path)]))
        own[path] = (0.7 * middle, 1.4 * middle)
    return model, motion, controller, gain_space(model, motion, controller, own)


def measured(robot: str, task: str, name: str) -> Race | None:
    """Seconds of one simulation and of a thousand candidates, by contender; None where folds and records differ."""
    from parapick.kernel.llvm.target import host_target
    from parapick.simulation import STAGES, assembled, initial_state, simulate, summary
    from parapick.simulation.native_loop import scan_of
    from parapick.tuning.loop_folds import folded_loop, with_law_numbers

    model, motion, controller, space = case_of(robot, task, name)
    made = assembled(model, motion, space.controller)
    rows = gains_of(space, BATCH)
    fold = folded_loop(made)
    found = fold(with_law_numbers(made, space.numbers(rows)), threads=1)
    for k in (0, BATCH - 1):
        record = simulate(model, motion, space.controller_at(rows[k]))
        if abs(found.rms[k] / summary(record).distance.rms - 1.0) > AGREEMENT:
            return None
    scan, series = scan_of(made.loop), made.series
    first = initial_state(made.loop, series.x[0], series.xd[0], scan.states)
    steps = STAGES * made.substeps
    contenders: dict[str, Callable[[], object]] = {
        # Each on a motion of its own, whose samples nobody keeps: what one call of a user takes.
        SIMULATE: lambda: simulate(model, replace(motion), controller),
        NATIVE: lambda: scan(first, *series.inputs, made.parameters, substeps=steps),
    }
    for width in widths():
        lanes = replace(fold, scan=replace(fold.scan, lanes=host_target(width)))
        contenders[lanes_of(width)] = lambda lanes=lanes: lanes(with_law_numbers(made, space.numbers(rows)), threads=1)
    seconds = race(contenders, ROUNDS).seconds
    each = {name: 1.0 if name in (SIMULATE, NATIVE) else CANDIDATES / BATCH for name in seconds}
    return Race({name: tuple(each[name] * second for second in found) for name, found in seconds.items()})


def judged(name: str, times: Race) -> list[Verdict]:
    """One verdict per width, against a call of `simulate`; the ratio to its native run beside it."""
    verdicts = []
    for width in widths():
        what = f"{name}: {CANDIDATES} candidates in {lanes_of(width)}"
        verdicts.append(at_most(f"{what}, in simulations", times.ratio(lanes_of(width), SIMULATE), LIMITS[width]))
        verdicts.append(figure(f"{what}, in native runs", times.ratio(lanes_of(width), NATIVE)))
    return verdicts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    file = parser.parse_args().json
    found = {name: measured(*case) for name, case in CASES.items()}
    times = {name: one for name, one in found.items() if one is not None}
    if len(times) < len(found):
        print(f"folds and records differ: {', '.join(found.keys() - times.keys())}")
        return 1
    columns = [SIMULATE, NATIVE, *map(lanes_of, widths())]
    rows = [[name, *(f"{1e3 * one.best(key):.4g}" for key in columns)] for name, one in times.items()]
    print(table(["case (ms)", *columns], rows))
    verdicts = [verdict for name, one in times.items() for verdict in judged(name, one)]
    print("\n".join(str(verdict) for verdict in verdicts))
    keep(file, verdicts, seconds={name: {key: one.best(key) for key in columns} for name, one in times.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
