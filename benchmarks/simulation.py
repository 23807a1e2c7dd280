"""A closed loop of delta-r4 for 0.5 s at 4 kHz with RK4: parapick beside hand-written C, MuJoCo and Pinocchio.

Run `python benchmarks/simulation.py [--json FILE]`. Computed torque with saturation, on one thread. C and parapick must
first agree on the whole record; then it prints times, ratios and one verdict a target. It is not a test: what it prints
depends on the machine, and the exit code is 1 only where contenders disagree. MuJoCo and Pinocchio simulate the plant
alone, under the torques our loop applied; they are left out where they are not installed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from closed_loop import Case, case, closed_loop, parameters, plant
from control_step import tsid_stage
from engines_dynamics import MISSING
from engines_loop import Engine, mujoco_engine, pinocchio_engine, seconds
from native import VECTOR_FLAGS, machine, run_python
from native_loop import build
from racing import Race, Verdict, at_least, at_most, holds, keep, race, table

ROBOT = "delta-r4"
ROUNDS = 40
ENGINE_RUNS = 5
BATCH = 64
# Different formulas in double precision along 2000 steps of a loop that forgets its errors.
AGREEMENT = 1e-10
REFERENCE_SUBSTEPS = 16
READY_RUNS = 3

OURS = "parapick, scan"
LANES = f"parapick, {BATCH} candidates in lanes, last state only"
C_SCALAR, C_LANES = "C, scalar", "C, a leg a vector lane"

CONTROL_ROBOTS = ("fivebar-spindle", "par4")
# A machine that runs at 4 kHz has this long for everything.
SAMPLE_SECONDS = 250e-6
# Rates by differences lag behind by half a sample: the law's torque is that of inverse dynamics to about this share.
CONTROL_AGREEMENT = 0.25

READY = """
import sys, time, json, numpy, casadi, llvmlite.binding, parapick
sys.path.insert(0, {folder!r})
from closed_loop import case, closed_loop, parameters
given = case(parapick.load({robot!r}))
start = time.process_time()
scan = closed_loop(given.model)
scan(given.start, given.x[:1], given.xd[:1], given.xdd[:1], parameters(given))
print(json.dumps(time.process_time() - start))
"""


class Peer(NamedTuple):
    """What an engine took and how exact it was.

    Attributes:
        seconds: CPU time of a run.
        library: the library's part of it (s).
        error: largest distance from the reference (m).
        size: freedoms and loop rows.
    """

    seconds: float
    library: float
    error: float
    size: tuple[int, int]


def bound(given: Case, scan: Any) -> Callable[[], Any]:
    """A call of our scan on a case."""
    numbers = parameters(given)
    return lambda: scan(given.start, given.x, given.xd, given.xdd, numbers, substeps=given.substeps)


def lanes(given: Case, scan: Any) -> Callable[[], Any]:
    """A call of our scan for the last states of many candidates, whose gains differ."""
    numbers = np.tile(parameters(given), (BATCH, 1))
    numbers[:, -4] *= np.linspace(0.9, 1.1, BATCH)
    return lambda: scan.final(given.start, given.x, given.xd, given.xdd, numbers, substeps=given.substeps)


def disagreements(run: Any, natives: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]]) -> list[str]:
    """Whose record is not ours."""
    found = []
    for name, native in natives.items():
        for key, value in zip(("x", "tau"), native(), strict=True):
            ours = run.outputs[key]
            worst = float(np.abs(value - ours).max() / np.abs(ours).max())
            if not worst <= AGREEMENT:
                found.append(f"{name}: {key} differs by {worst:.1e}")
    return found


def peers(given: Case, torques: np.ndarray) -> tuple[dict[str, Peer], float]:
    """Engines that are installed, and our own error on the same plant under the same torques (m)."""
    alone = plant(given.model)
    fine = given.with_substeps(REFERENCE_SUBSTEPS)
    wanted, own = (
        alone(one.start, torques, parameters(one), substeps=one.substeps).outputs["x"] for one in (fine, given)
    )
    makers: dict[str, Callable[[Case, np.ndarray], Engine | None]] = {
        "MuJoCo": mujoco_engine,
        "Pinocchio": pinocchio_engine,
    }
    found = {}
    for name, make in makers.items():
        engine = make(given, torques)
        if engine is None:
            print(f"\n{name}: {MISSING[name]}")
            continue
        error = float(np.abs(engine.positions(engine.run()) - wanted).max())
        whole = min(seconds(engine.run) for _ in range(ENGINE_RUNS))
        library = min(whole, *(engine.library() for _ in range(ENGINE_RUNS)))
        found[name] = Peer(whole, library, error, engine.size)
    return found, float(np.abs(own - wanted).max())


def ready() -> float:
    """CPU seconds from a loaded robot to the first step of its loop, nothing cached, libraries imported."""
    code = READY.format(folder=str(Path(__file__).parent), robot=ROBOT)
    times = []
    for _ in range(READY_RUNS):
        with tempfile.TemporaryDirectory() as folder:
            times.append(run_python(code, {"PARAPICK_CACHE": folder}))
    return min(times)


def control_steps() -> dict[str, float]:
    """Seconds a sample of task-space inverse dynamics, by robot."""
    import parapick

    found = {}
    for name in CONTROL_ROBOTS:
        stage = tsid_stage(parapick.load(name))
        torques = stage.run()
        off = np.linalg.norm(torques - stage.wanted) / np.linalg.norm(stage.wanted)
        if not off <= CONTROL_AGREEMENT:
            raise SystemExit(f"{name}: the law's torques are {off:.0%} off inverse dynamics")
        found[name] = race({name: stage.run}, ROUNDS).best(name) / len(torques)
    return found


def verdicts(
    outcome: Race, found: dict[str, Peer], own_error: float, waits: dict[str, float], steps: dict[str, float]
) -> list[Verdict]:
    """One verdict a target."""
    ours = outcome.best(OURS)
    judged = [
        at_most("parapick against scalar C", outcome.ratio(OURS, C_SCALAR), 1.0),
        at_most("parapick against C with a leg a lane", outcome.ratio(OURS, C_LANES), 1.5),
        at_most("a step ready, nothing cached", waits[OURS], 1.0, " s"),
    ]
    judged += [
        at_most(f"{name}: a sample of TSID", 1e6 * one, 1e6 * SAMPLE_SECONDS, " us") for name, one in steps.items()
    ]
    for name, wanted in (("MuJoCo", 80.0), ("Pinocchio", 100.0)):
        if name in found:
            judged.append(at_least(f"{name}, its library, by ours", found[name].library / ours, wanted))
            judged.append(holds(f"ours is as exact as {name} or better", own_error <= found[name].error))
    return judged


def report(given: Case, outcome: Race, found: dict[str, Peer], own_error: float, waits: dict[str, float]) -> None:
    """Print the tables."""
    head = (f"{ROBOT}, {len(given.x)} steps of {1e3 * given.step:g} ms", "ms", "ns a step", "to scalar C", "to C lanes")
    lines = []
    for name in outcome.seconds:
        runs = BATCH if name == LANES else 1
        once = outcome.best(name) / runs
        ratios = (f"{outcome.ratio(name, reference) / runs:.2f}" for reference in (C_SCALAR, C_LANES))
        lines.append((name, f"{1e3 * once:.3f}", f"{1e9 * once / len(given.x):.0f}", *ratios))
    print("\n" + table(head, lines))
    print("\n" + table(("ready, nothing cached", "s of CPU"), [(name, f"{wait:.2f}") for name, wait in waits.items()]))
    ours = outcome.best(OURS)
    rows = [("parapick, law included", "3, 0", f"{1e3 * ours:.2f}", f"{1e3 * ours:.2f}", "1", f"{own_error:.1e}")]
    for name, peer in found.items():
        times = f"{1e3 * peer.seconds:.1f}", f"{1e3 * peer.library:.1f}", f"{peer.library / ours:.0f}"
        rows.append((f"{name}, plant only", "{}, {}".format(*peer.size), *times, f"{peer.error:.1e}"))
    print("\n" + table(("engine", "freedoms, loops", "ms", "library ms", "ratio", "error m"), rows))
    print("The engines take any tree of bodies with any loops; ours is the minimal form of one family of robots.")


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison and print it; 1 where contenders disagree, otherwise 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    options = parser.parse_args(arguments)
    # Read when the package is imported; one thread is the comparison that C's one thread allows.
    os.environ["PARAPICK_THREADS"] = "1"
    import parapick

    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    print(f"gcc {' '.join(VECTOR_FLAGS)}")
    given = case(parapick.load(ROBOT))
    scan = closed_loop(given.model)
    run = bound(given, scan)()
    with tempfile.TemporaryDirectory() as folder:
        natives = {C_SCALAR: build(Path(folder), given, lanes=False), C_LANES: build(Path(folder), given, lanes=True)}
    wrong = disagreements(run, natives)
    if wrong:
        print("The contenders disagree:", *wrong, sep="\n  ")
        return 1
    saturated = np.mean((np.abs(run.outputs["tau"]) >= given.limit).any(axis=1))
    print(f"\nC and parapick agree to {AGREEMENT:g}; a motor is at its limit in {saturated:.0%} of the steps.")
    outcome = race({OURS: bound(given, scan), **natives, LANES: lanes(given, scan)}, ROUNDS)
    found, own_error = peers(given, run.outputs["tau"])
    waits = {OURS: ready()}
    steps = control_steps()
    report(given, outcome, found, own_error, waits)
    print("\n" + table(("a sample of TSID", "us"), [(name, f"{1e6 * one:.2f}") for name, one in steps.items()]))
    judged = verdicts(outcome, found, own_error, waits, steps)
    print("", *judged, sep="\n")
    figures = {
        "machine": machine(),
        "ms": {name: 1e3 * outcome.best(name) for name in outcome.seconds},
        "engines": {name: peer._asdict() for name, peer in found.items()},
        "ready_s": waits,
        "tsid_us": {name: 1e6 * one for name, one in steps.items()},
    }
    keep(options.json, judged, **figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
