"""How long evaluate, study, tune and workspace take for 1, 10 and 100 times the work, and as which power it grows.

Run `python benchmarks/growth.py [--json FILE]`. The work is the places of a tray, the designs of a study, the gain
candidates of a tuning and the points of a grid. Times are CPU times on one thread, the first use of every kernel before
them. With the work w and the time t, the exponent is that of `t ~ w^p` between 10 and 100 times the work: 1 where time
is in proportion, less where a fixed part still counts. It is not a test: nothing fails because it is slow.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from racing import Verdict, at_most, figure, keep, table

SIZES: Final = (1, 10, 100)
LARGEST: Final = 1.1
"""Exponent up to which time counts as in proportion to the work."""

SECONDS: Final = 40.0
"""CPU time of all of it, at most (s)."""

TRAY: Final = """
format = 1
name = "tray-of-{places}"
title = "A tray filled from one place"
kind = "pick-and-place"
frame = "workspace"
v_max = "4 m/s"
a_max = "80 m/s2"

[pick]
at = ["-150 mm", 0, 0]
retreat = "30 mm"

[place]
at = ["20 mm", "-60 mm", "10 mm"]
retreat = "30 mm"
grid = {{ columns = {columns}, rows = {rows}, pitch = ["10 mm", "10 mm"] }}
"""
TRAYS: Final = {1: (1, 1), 10: (2, 5), 100: (10, 10)}
"""Columns and rows of the trays."""

LEFT_OUT: Final = ("fastest",)
"""Sections that are not measured: the pace of a tray is searched by planning all its strokes anew, again and again, and
takes minutes for 100 places."""

DESIGNS: Final = 512
CANDIDATES: Final = 8
POINTS: Final = 4e4
"""What is done once: designs of a study, candidates of a tuning, points of a grid."""


def evaluating(size: int) -> Callable[[], object]:
    """A tray with so many places, evaluated."""
    import parapick as pp
    from parapick.evaluation.sections import SECTIONS

    columns, rows = TRAYS[size]
    folder = Path(tempfile.mkdtemp())
    file = folder / "tray.toml"
    file.write_text(TRAY.format(places=size, columns=columns, rows=rows), encoding="utf-8")
    return lambda: pp.evaluate("par4", str(file), sections=[key for key in SECTIONS if key not in LEFT_OUT])


def studying(size: int) -> Callable[[], object]:
    """So many designs of a study, evaluated chunk by chunk."""
    from parapick.study import evaluated, load_study

    study: Any = load_study("corbel2010-100g")
    designs = study.space.ranges.spread(DESIGNS * size, 1)
    chunks = [designs[first : first + study.file.chunk] for first in range(0, len(designs), study.file.chunk)]
    return lambda: [evaluated(study.work, chunk) for chunk in chunks]


def tuning(size: int) -> Callable[[], object]:
    """So many gain candidates of a tuning, run and compared."""
    from parapick.simulation import assembled
    from parapick.tuning.loop_folds import folded_loop, with_law_numbers
    from tuning import case_of, gains_of

    model, motion, _, space = case_of("par4", "adept-120", "pd")
    made = assembled(model, motion, space.controller)
    fold, rows = folded_loop(made), gains_of(space, CANDIDATES * size)
    return lambda: fold(with_law_numbers(made, space.numbers(rows)), threads=1)


def mapping(size: int) -> Callable[[], object]:
    """A grid of so many points over all that a robot could reach."""
    import parapick as pp
    from parapick.capability.reachable import workspace

    model = pp.load("par4")
    coarse = workspace(model, spacing=0.1)
    spacing = 0.1 * (math.prod(coarse.reason.shape) / (POINTS * size)) ** (1 / 3)
    return lambda: workspace(model, spacing=spacing)


WORK: Final = {"evaluate": evaluating, "study": studying, "tune": tuning, "workspace": mapping}
"""What is done, by the name of its command."""


def seconds(make: Callable[[int], Callable[[], object]]) -> dict[int, float]:
    """CPU time (s) of every size of a work; the smallest is done once before."""
    make(SIZES[0])()
    found = {}
    for size in SIZES:
        work = make(size)
        start = time.process_time()
        work()
        found[size] = time.process_time() - start
    return found


def exponent(times: dict[int, float]) -> float:
    """Exponent of the time between the two largest sizes."""
    *_, small, large = SIZES
    return math.log(times[large] / times[small]) / math.log(large / small)


def main() -> int:
    """Measure and print; always 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    file = parser.parse_args().json
    # Read at every call.
    os.environ["PARAPICK_THREADS"] = "1"
    found = {name: seconds(make) for name, make in WORK.items()}
    rows = [[name, *(f"{t:.3g}" for t in times.values()), f"{exponent(times):.2f}"] for name, times in found.items()]
    print(table(["CPU (s)", *(f"{size} times" for size in SIZES), "exponent"], rows), end="\n\n")
    judged: list[Verdict] = [
        at_most(f"{name}: exponent of time over work", exponent(times), LARGEST) for name, times in found.items()
    ]
    judged.append(at_most("CPU of all of it", time.process_time(), SECONDS, " s"))
    judged += [figure(f"{name}: 100 times the work", times[SIZES[-1]], " s") for name, times in found.items()]
    print(*judged, sep="\n")
    keep(file, judged, seconds=found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
