"""Branch coverage of every room by its own tests, as a table; it fails where a room is below the floor.

    python tools/branches.py --rooms study,tuning

What a test of another room runs does not count: a room is to be tested where it is. Code that runs in worker processes
counts where coverage.py follows them. Long: it is no part of `make test`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src/parapick")

ELSEWHERE = {"multibody": "oracle"}
"""Folders of tests that are not named after their room: the engine that a room describes robots for is their oracle."""

FLOOR = 85.0
"""Share (%) of the ways out of branches that the tests of a room take at least."""


class Coverage(NamedTuple):
    """What tests run of a room.

    Attributes:
        statements: statements of it.
        statements_run: those that tests run.
        branches: ways out of its branches.
        branches_run: those that tests take.
    """

    statements: int
    statements_run: int
    branches: int
    branches_run: int

    @property
    def statements_share(self) -> float:
        """Share of the statements that tests run (%); all of none."""
        return 100.0 * self.statements_run / self.statements if self.statements else 100.0

    @property
    def branches_share(self) -> float:
        """Share of the ways out of branches that tests take (%); all of none."""
        return 100.0 * self.branches_run / self.branches if self.branches else 100.0

    def row(self, floor: float = FLOOR) -> str:
        """Shares as a row of the table, marked where branches are below the floor.

        Args:
            floor: least share of branches (%).
        """
        mark = f"  below {floor:g} %" if self.branches_share < floor else ""
        statements = f"{self.statements:11d} {self.statements_share:7.1f}%"
        return f"{statements} {self.branches:9d} {self.branches_share:7.1f}%{mark}"


def coverage_of(report: dict[str, dict[str, dict[str, dict[str, int]]]]) -> Coverage:
    """The sum over all files of a report of coverage.py.

    Args:
        report: what `coverage json` writes.
    """
    names = ("num_statements", "covered_lines", "num_branches", "covered_branches")
    files = [file["summary"] for file in report["files"].values()]
    return Coverage(*(sum(file[name] for file in files) for name in names))


def rooms_of(root: Path, wanted: str) -> list[str]:
    """Rooms that have tests of their own, in alphabetical order.

    Args:
        root: the project.
        wanted: names with commas between them; empty for all.

    Raises:
        SystemExit: a name that is no such room.
    """
    known = [path.name for path in sorted((root / PACKAGE).iterdir()) if (root / tests_of(path.name)).is_dir()]
    names = [name for name in wanted.split(",") if name]
    for name in names:
        if name not in known:
            raise SystemExit(f"{name} is no room with tests; there are {', '.join(known)}")
    return names or known


def tests_of(room: str) -> str:
    """The folder of a room's own tests, from the project.

    Args:
        room: its name.
    """
    return f"tests/{ELSEWHERE.get(room, room)}"


def measured(room: str, folder: Path) -> Coverage:
    """Run the tests of a room.

    Args:
        room: its name.
        folder: where coverage.py leaves its data.

    Raises:
        SystemExit: a test fails.
    """
    data, report = folder / f"{room}.data", folder / f"{room}.json"
    environment = {**os.environ, "COVERAGE_FILE": str(data)}
    run = ["run", "--branch", f"--source={PACKAGE / room}", "-m", "pytest", "-q", "-n", "0", tests_of(room)]
    for words in (run, ["json", "-q", "-o", str(report)]):
        done = subprocess.run(
            [sys.executable, "-m", "coverage", *words],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"tests of {room} fail:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
    return coverage_of(json.loads(report.read_text(encoding="utf-8")))


def main(words: Sequence[str] | None = None) -> int:
    """Measure rooms and write the table; 1 where one is below the floor.

    Args:
        words: the command line; that of the process if not given.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", default="", help="only these rooms, such as study,tuning")
    parser.add_argument("--floor", type=float, default=FLOOR, help="least share of branches (percent)")
    options = parser.parse_args(words)
    rooms = rooms_of(ROOT, options.rooms)
    below = []
    _say(f"{'room':15s} {'statements':>11s} {'run':>8s} {'branches':>9s} {'taken':>8s}")
    with tempfile.TemporaryDirectory(prefix="branches-") as folder:
        for room in rooms:
            coverage = measured(room, Path(folder))
            _say(f"{room:15s} {coverage.row(options.floor)}")
            if coverage.branches_share < options.floor:
                below.append(room)
    _say(f"below {options.floor:g} % of branches: {', '.join(below) or 'none'}")
    return 1 if below else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
