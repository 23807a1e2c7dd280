"""Pairs of motors and gearboxes along a cycle of par4: folded from shared loads, beside folds of the whole robot.

Run `python benchmarks/sizing.py [--json FILE]`. 100 motors with curves and 100 gearboxes with losses are 10,000 pairs
along 2,000 samples; times are of the processor, all threads together. Both contenders must first agree; then it prints
times and one verdict a target. It is not a test: what it prints depends on the machine; the exit code is 1 only where
contenders disagree.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from racing import Ratio, at_most, figure, keep

COUNT = 100
ROUNDS = 5
WHOLE = 200
"""Pairs that the folds of the whole robot look at."""

AGREEMENT = 1e-9
SECONDS = 1.0


def pairs_of(count: int) -> list:
    """Motors of growing size with gearboxes of growing ratio, each with each."""
    from parapick.sizing import CataloguePart, Pair

    motors = [
        CataloguePart(
            f"motor {i}",
            "",
            i,
            {
                "rated_torque": 2.0 + 0.1 * i,
                "peak_torque": 8.0 + 0.3 * i,
                "peak_speed": 600.0,
                "inertia": 1e-4 * (1.0 + 0.05 * i),
            },
            curves={"peak": ((0.0, 8.0 + 0.3 * i), (300.0, 8.0 + 0.3 * i), (600.0, 4.0))},
        )
        for i in range(count)
    ]
    boxes = [
        CataloguePart(
            f"gearbox {i}",
            "",
            i,
            {"ratio": 5.0 + 0.3 * i, "efficiency": 0.95, "gearbox_inertia": 5e-5, "gearbox.peak_torque": 120.0},
        )
        for i in range(count)
    ]
    return [Pair(motor, box) for motor in motors for box in boxes]


def main() -> int:
    """Race; 1 where contenders disagree."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--json", type=Path)
    target = arguments.parse_args().json
    import parapick as pp
    from parapick.evaluation import evaluate
    from parapick.sizing import SizedTask, pair_rows
    from parapick.study import motion_fold

    model = pp.load("par4")
    motion = evaluate(model, "adept-120", sections=()).motion
    assert motion is not None
    task, pairs = SizedTask(model, "adept-120", motion), pairs_of(COUNT)
    rows, spent = pair_rows(task, pairs), []
    for _ in range(ROUNDS):
        start = time.process_time()
        pair_rows(task, pairs)
        spent.append(time.process_time() - start)
    seconds = Ratio.of(spent)
    motors = list({pair.motor.name: pair.motor for pair in pairs}.values())
    boxes = list({pair.gearbox.name: pair.gearbox for pair in pairs}.values())
    work = task.work(motors, boxes)
    (series,) = work.series
    designs = np.array([(i // COUNT, i % COUNT) for i in range(0, len(pairs), len(pairs) // WHOLE)], dtype=float)
    numbers = work.space.numbers(designs)
    motion_fold(work.space.robot, series, work.sharing, numbers[:2])
    start = time.process_time()
    whole = motion_fold(work.space.robot, series, work.sharing, numbers)
    whole_seconds = (time.process_time() - start) / len(designs) * len(pairs)
    places = (designs[:, 0] * COUNT + designs[:, 1]).astype(int)
    difference = np.abs(rows.columns["peak_torque"][places] / whole.torque.max(axis=-1) - 1.0).max()
    print(f"{len(pairs)} pairs, {len(series.t)} samples: {seconds:.3g} s CPU; whole robot {whole_seconds:.3g} s")
    print(f"largest difference of peak torques: {difference:.2g}")
    verdicts = [
        at_most("10,000 pairs along 2,000 samples of par4, CPU", seconds, SECONDS, " s"),
        figure("torques alone by folds of the whole robot against that, CPU", whole_seconds / seconds),
    ]
    for verdict in verdicts:
        print(verdict)
    keep(target, verdicts)
    return 0 if difference <= AGREEMENT else 1


if __name__ == "__main__":
    sys.exit(main())
