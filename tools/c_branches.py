"""Branch coverage of the runtime's C by its tests, as gcov counts it; it fails where all files together are below 85 %.

    python tools/c_branches.py

The tests compile library and cell for gcov where `PARAPICK_RUNTIME_COVERAGE` names a folder; what they leave there is
added up, a branch counting once however many programs contain it. Long: it is no part of `make test`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "parapick" / "runtime" / "c"

FLOOR = 85.0
"""Share (%) of the branches that tests take at least."""

Branches = dict[str, dict[tuple[int, int], int]]
"""By file: how often each branch of each line was taken."""


def added(reports: Iterable[dict[str, Any]], names: Iterable[str]) -> Branches:
    """How often branches were taken, over all programs.

    Args:
        reports: what gcov says of each program, as JSON.
        names: the files that count.
    """
    known, taken = set(names), defaultdict(lambda: defaultdict(int))
    for report in reports:
        for file in report["files"]:
            name = Path(file["file"]).name
            for line in file["lines"] if name in known else ():
                for place, branch in enumerate(line["branches"]):
                    taken[name][line["line_number"], place] += branch["count"]
    return {name: dict(branches) for name, branches in taken.items()}


def share(branches: Iterable[int]) -> float:
    """Share of branches that were taken (%); all of none.

    Args:
        branches: how often each was taken.
    """
    counts = list(branches)
    return 100.0 * sum(count > 0 for count in counts) / len(counts) if counts else 100.0


def reports_of(folder: Path) -> list[dict[str, Any]]:
    """What gcov says of everything that ran in a folder.

    Args:
        folder: where programs were compiled for it.
    """
    made = []
    for counted in sorted(folder.rglob("*.gcda")):
        command = ["gcov", "--branch-probabilities", "--json-format", "--stdout", counted.name]
        done = subprocess.run(command, cwd=counted.parent, capture_output=True, text=True, check=True)
        made += [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    return made


def main() -> int:
    """Run the tests, print the table; 1 where the floor is not kept."""
    names = [path.name for path in SOURCES.rglob("*.[ch]")]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PARAPICK_RUNTIME_COVERAGE": folder}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/runtime"]
        tests = subprocess.run([*command, *sys.argv[1:]], cwd=ROOT, env=environment, check=False)
        branches = added(reports_of(Path(folder)), names)
    for name in sorted(branches):
        counts = branches[name].values()
        sys.stdout.write(f"{name:14s} {len(counts):5d} {share(counts):7.1f}%\n")
        missing = sorted({line for (line, _), count in branches[name].items() if not count})
        sys.stdout.write(f"{'':14s} not taken at {', '.join(map(str, missing))}\n" if missing else "")
    every = [count for counts in branches.values() for count in counts.values()]
    sys.stdout.write(f"{'all':14s} {len(every):5d} {share(every):7.1f}%\n")
    return int(tests.returncode != 0 or share(every) < FLOOR)


if __name__ == "__main__":
    sys.exit(main())
