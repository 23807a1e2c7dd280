"""Acceleration possible in any direction, for R4 and R6: parapick beside hand-written C and pycapacity.

Run `python benchmarks/capability.py [--json FILE]`. The robots are `delta-r4` and `delta-r6`, at rest, with gravity.
Contenders must first agree on random poses, unreachable ones included; then it prints times, ratios to the vectorised
C on one thread, and one verdict a target. It is not a test: what it prints depends on the machine, and the exit code is
1 only where contenders disagree.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from native import C_WIDE, LANES, VECTOR_FLAGS, aligned, machine
from native_capability import NativeCapability, build
from racing import Race, Verdict, at_least, at_most, holds, keep, race, table

ROBOTS = ("delta-r4", "delta-r6")
COUNT = 100_000
# pycapacity takes some milliseconds a pose.
PEER_COUNT = 40
# Two threads against one on more poses: starting work on a thread takes as long as some thousand of them.
THREAD_COUNT = 1_000_000
ROUNDS = 40
SEED = 20100

# Different formulas in double precision. Near the border of reach the Jacobian grows, and rounding with it.
AGREEMENT = 1e-9

PUBLIC, CONTIGUOUS = "parapick, public method, plain rows", "parapick, kernel, contiguous, out="
C_NEW, C_ROWS = f"{C_WIDE}, new array", f"{C_WIDE} on plain rows, new array"
C_OUT = f"{C_WIDE}, array given"
C_SCALAR, PEER = "C scalar, array given", "pycapacity, its library calls only"
ONE, TWO = "parapick, kernel, one thread", "parapick, kernel, two threads"


@final
@dataclass(frozen=True)
class Case:
    """One robot with all who compute its index.

    Attributes:
        model: the robot.
        vector: its C with vectors.
        scalar: its C without.
    """

    model: Any
    vector: NativeCapability
    scalar: NativeCapability

    def kernel(self) -> tuple[Any, np.ndarray]:
        """Our kernel and its last input."""
        from parapick.capability import ball_only, constants
        from parapick.capability.acceleration import acceleration_kernel

        kernel = acceleration_kernel(self.model, "acceleration_any", ball_only)
        return kernel, constants(self.model, self.model.motors.joint_torque("peak"))


def workspace_poses(generator: np.random.Generator, count: int) -> np.ndarray:
    """Poses (count, 3) of the working cylinder: radius 0.3 m, z from -0.75 to -0.65 m."""
    radius, angle = 0.3 * np.sqrt(generator.uniform(size=count)), generator.uniform(0.0, 2.0 * np.pi, count)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), generator.uniform(-0.75, -0.65, count)])


def wide_poses(generator: np.random.Generator, count: int) -> np.ndarray:
    """Poses (count, 3) of which about a fifth is out of reach, and three with a NaN in one place each."""
    poses = generator.uniform([-0.6, -0.6, -1.1], [0.6, 0.6, -0.4], (count, 3))
    poses[np.arange(3) * 7, np.arange(3)] = np.nan
    return poses


def generators(model: Any, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Generators (n, 3, motors) and middles (n, 3) of the zonotopes, for those who take matrices."""
    rest = np.zeros(3)
    mass, jacobian = model.mass_matrix(poses), model.inverse_jacobian(poses)
    images = np.linalg.solve(mass, np.swapaxes(jacobian, -1, -2)) * model.robot.drive.peak_torque
    return images, np.linalg.solve(mass, -model.bias(poses, rest)[..., None])[..., 0]


def peer(images: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """The index by pycapacity, a pose at a time: its acceleration polytope, and the nearest of its half-spaces."""
    from pycapacity.robot import acceleration_polytope

    motors = images.shape[-1]
    unit, one = np.eye(motors), np.ones(motors)
    found = np.empty(len(images))
    for k, (matrix, middle) in enumerate(zip(images, middles, strict=True)):
        body: Any = acceleration_polytope(matrix, unit, one, -one)
        found[k] = ((np.ravel(body.d) + body.H @ middle) / np.linalg.norm(body.H, axis=1)).min()
    return found


def disagreements(case: Case) -> list[str]:
    """What is wrong with whom, compared with the public method; empty when all agree."""
    from parapick import capability as cap

    poses = wide_poses(np.random.default_rng(SEED), 20_001)
    wanted = cap.acceleration_any(case.model, poses)
    columns = np.ascontiguousarray(poses.T)
    found = {C_NEW: case.vector.allocating(columns), C_ROWS: case.vector.rows(poses)}
    found |= {C_SCALAR: case.scalar.allocating(columns)}
    wrong = [text for name, given in found.items() if (text := _difference(name, given, wanted))]
    near = workspace_poses(np.random.default_rng(SEED), PEER_COUNT)
    if _has_peer():
        text = _difference(PEER, peer(*generators(case.model, near)), cap.acceleration_any(case.model, near))
        wrong += [text] if text else []
    return wrong


def _difference(name: str, given: np.ndarray, wanted: np.ndarray) -> str:
    if not np.array_equal(np.isnan(given), np.isnan(wanted)):
        return f"{name}: NaN in other places"
    worst = float(np.nanmax(np.abs(given - wanted) / np.maximum(1.0, np.abs(wanted))))
    return f"{name}: differs by {worst:.1e}" if worst > AGREEMENT else ""


def _has_peer() -> bool:
    try:
        import pycapacity.robot  # noqa: F401
    except ImportError:
        return False
    return True


def run_batch(case: Case) -> Race:
    """Time every contender on `COUNT` poses of the workspace."""
    from parapick import capability as cap

    rows = workspace_poses(np.random.default_rng(SEED), COUNT)
    pose, out = aligned(3, COUNT), aligned(COUNT)
    pose[:] = rows.T
    kernel, numbers = case.kernel()
    return race(
        {
            PUBLIC: lambda: cap.acceleration_any(case.model, rows),
            C_NEW: lambda: case.vector.allocating(pose),
            C_ROWS: lambda: case.vector.rows(rows),
            CONTIGUOUS: lambda: kernel.ufunc(pose.T, numbers, out=(out,)),
            C_OUT: lambda: case.vector.into(pose, out),
            C_SCALAR: lambda: case.scalar.into(pose, out),
        },
        ROUNDS,
    )


def run_threads(case: Case) -> Race:
    """Time one thread and two on `THREAD_COUNT` poses."""
    rows = workspace_poses(np.random.default_rng(SEED), THREAD_COUNT)
    kernel, numbers = case.kernel()
    return race(
        {ONE: lambda: kernel(rows, numbers, threads=1), TWO: lambda: kernel(rows, numbers, threads=2)}, 10, threads=True
    )


def run_peer(case: Case) -> Race | None:
    """Time pycapacity on `PEER_COUNT` poses beside our kernel on as many; None where it is not installed."""
    if not _has_peer():
        return None
    images = generators(case.model, workspace_poses(np.random.default_rng(SEED), PEER_COUNT))
    return race({PEER: lambda: peer(*images)}, 3)


def batch_table(name: str, outcome: Race, other: Race | None) -> str:
    """Times a pose and ratios; contenders that make their array are compared with the C that makes its own."""
    references = {PUBLIC: C_NEW, C_NEW: C_NEW, C_ROWS: C_NEW}
    lines = []
    for contender in outcome.seconds:
        reference = references.get(contender, C_OUT)
        nanoseconds, ratio = outcome.best(contender) / COUNT * 1e9, outcome.ratio(contender, reference)
        lines.append((contender, f"{nanoseconds:.1f}", f"{ratio:.2f}", reference))
    if other is not None:
        nanoseconds = other.best(PEER) / PEER_COUNT * 1e9
        lines.append((PEER, f"{nanoseconds:.0f}", f"{nanoseconds / (outcome.best(C_OUT) / COUNT * 1e9):.0f}", C_OUT))
    return table((f"{name}, {COUNT} poses", "ns a pose", "ratio", "to"), lines)


def verdicts(name: str, case: Case, outcome: Race, threads: Race, other: Race | None) -> list[Verdict]:
    """One verdict a target."""
    wide = case.vector.machine_code.is_wide("vsqrtpd", "vdivpd", "vmulpd")
    found = [
        at_most(f"{name}: contiguous kernel against C, array given", outcome.ratio(CONTIGUOUS, C_OUT), 1.3),
        at_most(f"{name}: public method against C on structures of arrays", outcome.ratio(PUBLIC, C_NEW), 1.5),
        at_most(f"{name}: public method against C on the same plain rows", outcome.ratio(PUBLIC, C_ROWS), 1.5),
        at_least(f"{name}: time of one thread by that of two", threads.ratio(ONE, TWO), 1.7),
        at_least(f"{name}: time of the scalar C by that of the vectorised build", outcome.ratio(C_SCALAR, C_OUT), 2.5),
        holds(f"{name}: C has square roots, divisions and products in vectors of {LANES}", wide),
    ]
    if other is not None:
        faster = (other.best(PEER) / PEER_COUNT) / (outcome.best(PUBLIC) / COUNT)
        found.append(at_least(f"{name}: pycapacity by the public method", faster, 10_000))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison and print it; 1 where contenders disagree, otherwise 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    options = parser.parse_args(arguments)
    # Read at every call; one thread is the comparison that C's one thread allows.
    os.environ["PARAPICK_THREADS"] = "1"
    import parapick

    with tempfile.TemporaryDirectory() as folder:
        cases = {}
        for name in ROBOTS:
            model = parapick.load(name)
            both = [build(Path(folder), model, vectors=vectors) for vectors in (True, False)]
            cases[name] = Case(model, *both)
    wrong = [f"{name}: {text}" for name, case in cases.items() for text in disagreements(case)]
    if wrong:
        print("The contenders disagree:", *wrong, sep="\n  ")
        return 1
    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    print(f"gcc {' '.join(VECTOR_FLAGS)}")
    print(f"All contenders agree to {AGREEMENT:g} and have NaN in the same rows.\n")
    judged, figures = [], {}
    for name, case in cases.items():
        outcome, threads, other = run_batch(case), run_threads(case), run_peer(case)
        print(batch_table(name, outcome, other), end="\n\n")
        judged += verdicts(name, case, outcome, threads, other)
        figures[name] = _nanoseconds(outcome, threads, other)
    if not _has_peer():
        print("pycapacity is not installed: no comparison with it.\n")
    print(*judged, sep="\n")
    keep(options.json, judged, machine=machine(), ns_a_pose=figures)
    return 0


def _nanoseconds(outcome: Race, threads: Race, other: Race | None) -> dict[str, float]:
    races: list[tuple[Race, int]] = [(outcome, COUNT), (threads, THREAD_COUNT)]
    races += [] if other is None else [(other, PEER_COUNT)]
    return {name: one.best(name) / count * 1e9 for one, count in races for name in one.seconds}


if __name__ == "__main__":
    sys.exit(main())
