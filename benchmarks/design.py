"""Designs of Table VI of corbel2010: which reach the cylinder, and their torque; parapick beside chunked NumPy.

Run `python benchmarks/design.py [--json FILE]`. A design is arm, rod, base and altitude of the four-motor Delta. Every
contender looks at the same points of the cylinder and the same samples of the four lines, and gives the smallest slack
of leg and joint and the largest torque. They must first agree; then it prints times, ratios, and one verdict a target.
It is not a test: what it prints depends on the machine, and the exit code is 1 only where contenders disagree.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from native import machine
from racing import Verdict, at_least, at_most, keep, race, table

COUNT = 512
ROUNDS = 7
SIZES = (27, 1_000, 10_000, 100_000)
LARGEST = 1_000_000
AGREEMENT = 1e-9
LENGTHS = Path(__file__).parent / "par4-lengths.toml"
# CPU (s) wanted of that study.
SEARCHED = 20.0
# Rows of designs times points that NumPy keeps in its second-level cache.
CHUNK = 16

OURS, NUMPY = "parapick, one thread", "NumPy, chunks"


def designs_of(study: Any, count: int) -> np.ndarray:
    """Designs spread over ranges around those of the table, most of which reach the cylinder."""
    generator = np.random.default_rng(2010)
    low, high = np.array([0.10, 0.20, 0.50, -0.56]), np.array([0.14, 0.24, 0.54, -0.50])
    return generator.uniform(low, high, (count, len(study.space.free)))


def ours(study: Any, designs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    from parapick.study import motion_fold
    from parapick.study.region_fold import reach_fold

    work, numbers = study.work, study.space.numbers(designs)
    region = reach_fold(work.space.robot, work.points, "region", numbers)
    torque = np.max([motion_fold(work.space.robot, one, work.sharing, numbers).torque for one in work.series], axis=0)
    return region["leg"], region["joint"], torque.max(axis=-1)


def by_numpy(study: Any, designs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    parts = [_chunk(study, designs[first : first + CHUNK]) for first in range(0, len(designs), CHUNK)]
    return tuple(np.concatenate(part) for part in zip(*parts, strict=True))  # pyright: ignore[reportReturnType]


def _chunk(study: Any, designs: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Reach and torque by the formulas of the document, (9) to (49), for some designs at a time."""
    base, arm, rod, z = (designs[:, i, None, None] for i in range(4))
    azimuths = np.radians([0.0, 90.0, 180.0, 270.0])
    c, s = np.cos(azimuths), np.sin(azimuths)
    points = study.work.points
    place = (0.3 * points[:, :1], 0.3 * points[:, 1:2], z + 0.05 + 0.05 * points[:, 2:])
    radial, side, up = place[0] * c + place[1] * s + 0.05 - base, -place[0] * s + place[1] * c, place[2]
    far = np.sqrt(radial**2 + up**2)
    legs = np.minimum(rod - np.sqrt(side**2 + (far - arm) ** 2), np.sqrt(side**2 + (far + arm) ** 2) - rod)
    closed = (legs >= 0).all(axis=-1)
    cos, sin, _ = _elbow(radial, side, up, arm, rod)
    with np.errstate(invalid="ignore"):
        q = np.arctan2(sin, cos)
        joints = np.minimum(q + np.pi / 2, np.radians(25.0) - q).min(axis=-1)
    joint = np.where(closed, joints, np.inf).min(axis=-1)
    torque = np.zeros(len(designs))
    for series in study.work.series:
        torque = np.maximum(torque, _torque(series, base, arm, rod, z, c, s))
    return legs.min(axis=(-2, -1)), joint, torque


def _elbow(radial: Any, side: Any, up: Any, arm: Any, rod: Any) -> tuple[Any, Any, Any]:
    """Cosine and sine of the arm's angle, elbows outward, and what is under the root."""
    square = radial**2 + up**2
    share = (square + side**2 + arm**2 - rod**2) / (2 * arm)
    with np.errstate(invalid="ignore"):
        root = np.sqrt(square - share**2)
    return (radial * share - up * root) / square, (up * share + radial * root) / square, root


def _torque(series: Any, base: Any, arm: Any, rod: Any, z: Any, c: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Largest torque along a line, (49): least norm, with 0.45 kg on the plate and the elbow's half of a forearm."""
    x, v, a = series.x, series.xd, series.xdd
    radial, side = x[:, :1] * c + x[:, 1:2] * s + 0.05 - base, -x[:, :1] * s + x[:, 1:2] * c
    up = (x[:, 2:] + z + 0.05) * np.ones_like(c)
    cos, sin, _ = _elbow(radial, side, up, arm, rod)
    rows = np.stack([radial - arm * cos, side * np.ones_like(cos), up - arm * sin], axis=-1)
    lever = arm * (-rows[..., 0] * sin + rows[..., 2] * cos)
    turned = np.stack([rows[..., 0] * c - rows[..., 1] * s, rows[..., 0] * s + rows[..., 1] * c, rows[..., 2]], axis=-1)
    jacobian = turned / lever[..., None]
    rate = np.einsum("mtnk,tk->mtn", jacobian, v)
    local = np.stack([v[:, :1] * c + v[:, 1:2] * s, -v[:, :1] * s + v[:, 1:2] * c, v[:, 2:] * np.ones_like(c)], axis=-1)
    w = arm[..., None] * np.stack([-sin, np.zeros_like(sin), cos], axis=-1)
    swing = local - w * rate[..., None]
    lean = arm * rate**2 * (rows[..., 0] * cos + rows[..., 2] * sin)
    acceleration = np.einsum("mtnk,tk->mtn", jacobian, a) + (lean + np.sum(swing**2, axis=-1)) / lever
    forearm = -0.15 + 0.5 * rod
    inertia = 0.004 - 0.007 + 0.06 * arm + arm**2 * forearm / 2
    own = inertia * acceleration
    force = 0.45 * a + np.einsum("mtnk,mtn->mtk", jacobian, own)
    normal = np.einsum("mtnk,mtnl->mtkl", jacobian, jacobian)
    shared = np.linalg.solve(normal, force[..., None])[..., 0]
    return np.abs(np.einsum("mtnk,mtk->mtn", jacobian, shared)).max(axis=(-2, -1))


def agree(study: Any) -> bool:
    designs = designs_of(study, 64)
    pairs = zip(ours(study, designs), by_numpy(study, designs), strict=True)
    return all(np.allclose(one, other, rtol=AGREEMENT, atol=AGREEMENT, equal_nan=True) for one, other in pairs)


def growth(study: Any, sizes: tuple[int, ...]) -> dict[int, tuple[float, float]]:
    """CPU time a design (s) and peak memory (MB) of a whole evaluation, chunk by chunk, of growing sizes."""
    from parapick.study import evaluated

    found = {}
    for size in sizes:
        designs, start = designs_of(study, size), time.process_time()
        for first in range(0, size, study.file.chunk):
            evaluated(study.work, designs[first : first + study.file.chunk])
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        found[size] = (time.process_time() - start) / size, memory
    return found


def searched() -> float:
    """CPU (s) of a whole gradient study of three lengths of par4, after one that compiled its kernels."""
    from parapick.study import load_study, run_study

    study, seconds = load_study(str(LENGTHS)), []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            start = time.process_time()
            run_study(study, Path(folder) / "out", workers=1)
            seconds.append(time.process_time() - start)
    return seconds[-1]


def two_workers() -> float:
    """How many times as fast two workers finish 200,000 designs as one, both with their start."""
    from dataclasses import replace

    from parapick.study import load_study, run_study

    study, seconds = load_study("corbel2010-100g"), []
    method = replace(study.method("sobol"), points=2 * SIZES[-1], rounds=1)
    study = replace(study, file=replace(study.file, methods=(method,)))
    for workers in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            run_study(study, Path(folder) / "out", workers=workers)
            seconds.append(time.perf_counter() - start)
    return seconds[0] / seconds[1]


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison and print it; 1 where contenders disagree, otherwise 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    parser.add_argument("--large", action="store_true", help="also a million designs, and two workers against one")
    options = parser.parse_args(arguments)
    # Read at every call; the formulas in NumPy have one thread, too.
    os.environ["PARAPICK_THREADS"] = "1"
    from parapick.study import load_study

    study = load_study("corbel2010-table6")
    if not agree(study):
        print("The contenders disagree.")
        return 1
    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    print(f"Both contenders agree to {AGREEMENT:g}.\n")
    designs = designs_of(study, COUNT)
    times = race({OURS: lambda: ours(study, designs), NUMPY: lambda: by_numpy(study, designs)}, ROUNDS)
    each = {name: 1e6 * times.best(name) / COUNT for name in times.seconds}
    print(table(["contender", "us a design"], [[name, f"{value:.1f}"] for name, value in each.items()]), end="\n\n")
    found = growth(study, (*SIZES, *((LARGEST,) if options.large else ())))
    rows = [[str(size), f"{1e6 * cpu:.1f}", f"{memory:.0f}"] for size, (cpu, memory) in found.items()]
    print(table(["designs", "us of CPU each", "peak MB"], rows), end="\n\n")
    small, large = found[SIZES[1]], found[max(found)]
    judged: list[Verdict] = [
        at_least("designs a second over those of chunked NumPy", times.ratio(NUMPY, OURS), 6.0),
        at_most("time a design of the largest study over that of a small one", large[0] / small[0], 1.2),
        at_most("memory of the largest study over that of a small one", large[1] / small[1], 1.5),
        at_most("CPU of a gradient study of three lengths of par4", searched(), SEARCHED, " s"),
    ]
    if options.large:
        judged.append(at_least("speed of two workers over that of one", two_workers(), 1.8))
    print(*judged, sep="\n")
    keep(options.json, judged, machine=machine(), us_a_design=each)
    return 0


if __name__ == "__main__":
    sys.exit(main())
