"""Inverse kinematics with Jacobian of Par4: parapick beside hand-written C and NumPy, on one thread.

Run `python benchmarks/kinematics.py [--json FILE]`. Contenders must first agree on random poses, unreachable ones
included; then it prints times, ratios to the vectorised C, and one verdict a target. It is not a test: what it
prints depends on the machine, and the exit code is 1 only where contenders disagree.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from native import C_WIDE, LANES, VECTOR_FLAGS, aligned, machine
from par4_native import GEOMETRY, NativePar4, build
from par4_numpy import Chunked, readable
from racing import Race, Verdict, at_least, at_most, holds, keep, race, table
from readiness import Readiness, measure

BATCHES = (1, 100_000)
ROUNDS = 40
SEED = 20250

# Contenders evaluate different formulas in double precision on lengths of about 1 m; near the border of reach the
# Jacobian grows, so the difference is taken relative to the largest entry of the row where that exceeds 1.
AGREEMENT = 1e-9
# A pose of Par4 worked out independently, with six decimals.
GOLDEN_POSE, GOLDEN_Q = (0.1, -0.05, -0.7, 0.3), (-0.400704, -0.610940, -0.510572, -0.191733)
GOLDEN_TOLERANCE = 1e-6

PUBLIC, CONTIGUOUS = "parapick, public method, plain rows", "parapick, kernel, contiguous, out="
C_NEW, C_ROWS = f"{C_WIDE}, new arrays", f"{C_WIDE} on plain rows, new arrays"
C_OUT = f"{C_WIDE}, arrays given"
C_BOUND, C_SCALAR = f"{C_WIDE}, addresses at hand", "C scalar, addresses at hand"
CHUNKED, READABLE = "NumPy, chunks, arrays given", "NumPy, readable, plain rows"

Contender = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


def workspace_poses(generator: np.random.Generator, count: int) -> np.ndarray:
    """Poses (count, 4) of the working cylinder: radius 0.3 m, z from -0.75 to -0.65 m, yaw within 45 degrees."""
    radius, angle = 0.3 * np.sqrt(generator.uniform(size=count)), generator.uniform(0.0, 2.0 * np.pi, count)
    z, yaw = generator.uniform(-0.75, -0.65, count), generator.uniform(-np.pi / 4, np.pi / 4, count)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), z, yaw])


def wide_poses(generator: np.random.Generator, count: int) -> np.ndarray:
    """Poses (count, 4) of which about a sixth is out of reach, and four with a NaN in one place each."""
    poses = generator.uniform([-0.5, -0.5, -1.0, -1.2], [0.5, 0.5, -0.4, 1.2], (count, 4))
    poses[np.arange(4) * 7, np.arange(4)] = np.nan
    poses[0] = GOLDEN_POSE
    return poses


def contiguous(model: Any, pose: np.ndarray, q: np.ndarray, jacobian: np.ndarray) -> Callable[[], object]:
    """Our kernel on structures of arrays `pose` (4, n), `q` (4, n), `jacobian` (16, n), through transposed views."""
    ufunc, parameters = model.kernel("kinematics").ufunc, model.parameters
    rows, out = pose.T, (q.T, jacobian.reshape(4, 4, -1).transpose(2, 0, 1))
    return lambda: ufunc(rows, parameters, out=out)


def answers(model: Any, vector: NativePar4, scalar: NativePar4) -> dict[str, Contender]:
    """By name, every contender as a function of plain rows that gives q (n, 4) and J (n, 4, 4)."""

    def arrays(call: Callable[[np.ndarray, np.ndarray, np.ndarray], object]) -> Contender:
        def contender(pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            q, jacobian = np.empty((4, len(pose))), np.empty((16, len(pose)))
            call(np.ascontiguousarray(pose.T), q, jacobian)
            return q.T, jacobian.T.reshape(-1, 4, 4)

        return contender

    return {
        PUBLIC: lambda pose: tuple(model.kinematics(pose)),
        CONTIGUOUS: arrays(lambda pose, q, jacobian: contiguous(model, pose, q, jacobian)()),
        C_OUT: arrays(vector.into),
        C_ROWS: vector.rows,
        C_SCALAR: arrays(scalar.into),
        CHUNKED: arrays(Chunked(GEOMETRY)),
    }


def disagreements(contenders: Mapping[str, Contender], poses: np.ndarray) -> list[str]:
    """What is wrong with whom, compared with the readable NumPy form; empty when all agree."""
    q_wanted, wanted = _joined(readable(GEOMETRY, poses))
    found = []
    if np.abs(q_wanted[0] - GOLDEN_Q).max() > GOLDEN_TOLERANCE:
        found.append(f"{READABLE}: the golden pose is missed")
    for name, contender in contenders.items():
        _, given = _joined(contender(poses))
        if not np.array_equal(np.isnan(given), np.isnan(wanted)):
            found.append(f"{name}: NaN in other places")
            continue
        scale = np.maximum(1.0, np.abs(wanted).max(axis=1, keepdims=True))
        worst = float(np.nanmax(np.abs(given - wanted) / scale))
        if worst > AGREEMENT:
            found.append(f"{name}: differs by {worst:.1e}")
    return found


def _joined(answer: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    q, jacobian = answer
    return q, np.hstack([q, jacobian.reshape(len(q), 16)])


def run_batch(model: Any, vector: NativePar4, scalar: NativePar4, count: int) -> Race:
    """Time every contender on `count` poses of the workspace."""
    rows = workspace_poses(np.random.default_rng(SEED), count)
    pose, q, jacobian = aligned(4, count), aligned(4, count), aligned(16, count)
    pose[:] = rows.T
    chunked = Chunked(GEOMETRY)
    return race(
        {
            PUBLIC: lambda: model.kinematics(rows),
            C_NEW: lambda: vector.allocating(pose),
            C_ROWS: lambda: vector.rows(rows),
            CONTIGUOUS: contiguous(model, pose, q, jacobian),
            C_OUT: lambda: vector.into(pose, q, jacobian),
            C_BOUND: vector.bound(pose, q, jacobian),
            C_SCALAR: scalar.bound(pose, q, jacobian),
            CHUNKED: lambda: chunked(pose, q, jacobian),
            READABLE: lambda: readable(GEOMETRY, rows),
        },
        ROUNDS,
    )


def batch_table(outcome: Race, count: int) -> str:
    """Times a pose and ratios; contenders that make their arrays are compared with the C that makes its own."""
    references = {PUBLIC: C_NEW, C_NEW: C_NEW, C_ROWS: C_NEW, READABLE: C_NEW}
    lines = []
    for name in outcome.seconds:
        reference = references.get(name, C_OUT)
        nanoseconds, ratio = outcome.best(name) / count * 1e9, outcome.ratio(name, reference)
        lines.append((name, f"{nanoseconds:.1f}", f"{ratio:.2f}", reference))
    return table((_poses(count), "ns a pose", "ratio", "to"), lines)


def _poses(count: int) -> str:
    return "1 pose" if count == 1 else f"{count} poses"


def verdicts(outcomes: Mapping[int, Race], vector: NativePar4, ready: Readiness) -> list[Verdict]:
    """One verdict a target."""
    large = outcomes[BATCHES[-1]]
    code = vector.machine_code
    called = {name.removeprefix("_ZGV")[1:] for name in code.calls}
    wide = code.is_wide("vsqrtpd", "vdivpd", "vmulpd") and {f"N{LANES}v_tan", f"N{LANES}vv_atan2"} <= called
    public = [
        at_most(f"public method against {label}, {_poses(count)}", outcome.ratio(PUBLIC, opponent), 1.5)
        for count, outcome in outcomes.items()
        for label, opponent in (("C on structures of arrays", C_NEW), ("C on the same plain rows", C_ROWS))
    ]
    kernel = [
        at_most(f"contiguous kernel against C, arrays given, {_poses(count)}", outcome.ratio(CONTIGUOUS, C_OUT), 1.3)
        for count, outcome in outcomes.items()
    ]
    return [
        *public,
        *kernel,
        at_least("C: time of the scalar build by that of the vectorised build", large.ratio(C_SCALAR, C_BOUND), 3.5),
        holds(f"C: sqrt, division, products, tan and atan2 are in vectors of {LANES} in the machine code", wide),
        at_most("kernel ready, cold, casadi and llvmlite imported", ready.cold, 0.5, " s"),
        at_most("first answer, cold, importing libraries and reading the file too", ready.cold_from_nothing, 0.5, " s"),
        at_most("kernel ready from the cache, casadi and llvmlite imported", ready.cached, 0.1, " s"),
        at_most("CPU of import parapick beyond numpy", ready.import_cpu, 0.1, " s"),
    ]


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison and print it; 1 where contenders disagree, otherwise 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    options = parser.parse_args(arguments)
    # Read when the package is imported; one thread is the comparison that C's one thread allows.
    os.environ["PARAPICK_THREADS"] = "1"
    import parapick

    model = parapick.load("par4")
    with tempfile.TemporaryDirectory() as folder:
        vector, scalar = build(Path(folder), vectors=True), build(Path(folder), vectors=False)
    wrong = disagreements(answers(model, vector, scalar), wide_poses(np.random.default_rng(SEED), 20_001))
    if wrong:
        print("The contenders disagree:", *wrong, sep="\n  ")
        return 1
    outcomes = {count: run_batch(model, vector, scalar, count) for count in BATCHES}
    ready = measure()
    judged = verdicts(outcomes, vector, ready)

    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    print(f"gcc {' '.join(VECTOR_FLAGS)}; vector calls: {' '.join(sorted(vector.machine_code.calls))}")
    print(f"All contenders agree to {AGREEMENT:g} and have NaN in the same rows.\n")
    for count, outcome in outcomes.items():
        print(batch_table(outcome, count), end="\n\n")
    print(table(("first use and import", "s"), ((name, f"{value:.3f}") for name, value in ready.rows())), end="\n\n")
    print(*judged, sep="\n")
    keep(options.json, judged, **_figures(outcomes, ready))
    return 0


def _figures(outcomes: Mapping[int, Race], ready: Readiness) -> dict[str, Any]:
    nanoseconds = {
        str(count): {name: outcome.best(name) / count * 1e9 for name in outcome.seconds}
        for count, outcome in outcomes.items()
    }
    return {
        "machine": machine(),
        "ns_a_pose": nanoseconds,
        "seconds": asdict(ready),
    }


if __name__ == "__main__":
    sys.exit(main())
