"""Branch coverage of every room by its own tests, as a table.

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
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src/parapick")


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
    def row(self) -> str:
        """Shares as a row of the table."""
        statements = self.statements_run / self.statements if self.statements else 1.0
        branches = self.branches_run / self.branches if self.branches else 1.0
        return f"{self.statements:11d} {statements:8.1%} {self.branches:9d} {branches:8.1%}"


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
    known = [path.name for path in sorted((root / PACKAGE).iterdir()) if (root / "tests" / path.name).is_dir()]
    names = [name for name in wanted.split(",") if name]
    for name in names:
        if name not in known:
            raise SystemExit(f"{name} is no room with tests; there are {', '.join(known)}")
    return names or known


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
    run = ["run", "--branch", f"--source={PACKAGE / room}", "-m", "pytest", "-q", "-n", "0", f"tests/{room}"]
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


def main() -> int:
    """Measure rooms and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", default="", help="only these rooms, such as study,tuning")
    rooms = rooms_of(ROOT, parser.parse_args().rooms)
    sys.stdout.write(f"{'room':15s} {'statements':>11s} {'run':>8s} {'branches':>9s} {'taken':>8s}\n")
    with tempfile.TemporaryDirectory(prefix="branches-") as name:
        for room in rooms:
            sys.stdout.write(f"{room:15s} {measured(room, Path(name)).row}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
