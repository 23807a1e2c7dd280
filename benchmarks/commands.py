"""Whole commands that search or compute much: a study, a tuning, all source documents, each with a full cache.

Run `python benchmarks/commands.py [--json FILE]`. A figure is the CPU time of the process, imports included, in a fresh
interpreter and in the default settings. What is run several times takes turns. `reproduce` takes half a minute and is
run once, with the kernels of your own cache; where some were missing there it is run once more. It is not a test.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Final

from native import machine, spawn_cpu_seconds
from parapick.kernel.cache import directory
from racing import Ratio, Verdict, at_most, keep

REPEATS: Final = 3

COMMANDS: Final = {
    "study run corbel2010-100g": ("study run corbel2010-100g --out {folder}", 4.0, REPEATS),
    "tune par4 adept-120, TSID, delay margin 2 ms": (
        "tune par4 adept-120 --controller tsid --delay-margin 2ms",
        3.0,
        REPEATS,
    ),
    "reproduce": ("reproduce", 40.0, 1),
}
"""Command by its name, the most CPU (s) that is wanted of it, and how often it is run."""


def compiled() -> set[Path]:
    """Kernels in the cache."""
    folder = directory()
    return set() if folder is None else set(folder.iterdir() if folder.exists() else ())


def seconds(words: str, folder: Path) -> float:
    """CPU (s) of a command in a fresh interpreter; Python's own cache of compiled sources lies in a folder."""
    environment = {"PYTHONPYCACHEPREFIX": str(folder / "sources"), "PYTHONDONTWRITEBYTECODE": ""}
    with tempfile.TemporaryDirectory(dir=folder) as out:
        line = [sys.executable, "-m", "parapick", *words.format(folder=Path(out) / "out").split()]
        return spawn_cpu_seconds(line, environment)


def found(folder: Path) -> dict[str, tuple[float, ...]]:
    """CPU (s) of every command, one number a round, with its kernels in the cache.

    Args:
        folder: an empty folder for results and compiled sources.
    """
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for name, (words, _, repeats) in COMMANDS.items():
        before = compiled()
        first = seconds(words, folder)
        # The first run of what is repeated also compiles the sources.
        if repeats == 1:
            times[name].append(seconds(words, folder) if compiled() - before else first)
    for turn in range(REPEATS):
        for name, (words, _, repeats) in COMMANDS.items():
            if turn < repeats and repeats > 1:
                times[name].append(seconds(words, folder))
    return {name: tuple(numbers) for name, numbers in times.items()}


def verdicts(times: dict[str, tuple[float, ...]]) -> list[Verdict]:
    """The CPU of every command, with what is wanted of it."""
    return [
        at_most(f"`{name}`, CPU", Ratio.of(times[name]) if repeats > 1 else times[name][0], limit, " s")
        for name, (_, limit, repeats) in COMMANDS.items()
    ]


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        times = found(Path(folder))
    judged = verdicts(times)
    print(", ".join(f"{key} {value}" for key, value in machine().items()), end="\n\n")
    print(*judged, sep="\n")
    keep(options.json, judged, machine=machine(), seconds=times)
    return 0


if __name__ == "__main__":
    sys.exit(main())
