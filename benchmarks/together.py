"""All benchmarks one after the other, and one table of what they found, with the machine it was found on.

`make bench` runs it. The table is written to `benchmarks/table.md`, which the documentation shows.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from native import machine

HERE: Final = Path(__file__).parent
TABLE: Final = HERE / "table.md"

SUBJECTS: Final = {
    "readiness": "first answers, CPU relative to importing NumPy, pydantic, llvmlite, cyclopts and rich",
    "kinematics": "inverse kinematics with Jacobian",
    "dynamics": "inverse dynamics",
    "exported": "exported C, one call, scalar",
    "capability": "acceleration in any direction",
    "simulation": "closed loop",
    "runtime": "a period of the runtime",
    "timing": "fastest timing",
    "tuning": "gain candidates in vector lanes, in simulations",
    "design": "designs of a study",
    "sizing": "pairs of motors and gearboxes",
    "commands": "whole commands, CPU with a full cache",
    "growth": "CPU time for 1, 10 and 100 times the work, as a power of the work",
}
"""What each of the benchmarks is about."""


def verdicts(name: str, folder: Path) -> list[dict[str, Any]] | None:
    """What one of the benchmarks found; None where it fails or has nobody to race with."""
    file = folder / f"{name}.json"
    print(f"\n== benchmarks/{name}.py ==", flush=True)
    done = subprocess.run([sys.executable, str(HERE / f"{name}.py"), "--json", str(file)], check=False)
    return json.loads(file.read_text(encoding="utf-8"))["verdicts"] if done.returncode == 0 and file.exists() else None


def row(verdict: dict[str, Any]) -> str:
    """A row of the table: what, measured, wanted, whether it is met."""
    measured, limit, unit = (verdict[key] for key in ("measured", "limit", "unit"))
    wanted = "" if limit is None else f"{limit:g}{unit}"
    decided = "undecided" if verdict["undecided"] else "yes" if verdict["met"] else "no"
    met = "" if limit is None and measured is not None else decided
    spread = "" if verdict["interval"] is None else " ({:.3g} to {:.3g})".format(*verdict["interval"])
    return f"| {verdict['target']} | {'' if measured is None else f'{measured:.3g}{unit}{spread}'} | {wanted} | {met} |"


def markdown(found: dict[str, list[dict[str, Any]] | None]) -> str:
    """The table, below the machine it was found on."""
    lines = ["Measured on: " + ", ".join(f"{key} {value}" for key, value in machine().items()) + "."]
    lines += ["In brackets: where the median of repeats lies at 95 %; a target inside of it is undecided.", ""]
    lines += ["| what | measured | wanted | met |", "| --- | ---: | ---: | --- |"]
    for name, judged in found.items():
        lines.append(f"| **{SUBJECTS[name]}** | | | |")
        lines += ["| not run | | | |"] if judged is None else [row(verdict) for verdict in judged]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run everything; 1 where one of the benchmarks fails, otherwise 0, whatever the times."""
    with tempfile.TemporaryDirectory() as folder:
        found = {name: verdicts(name, Path(folder)) for name in SUBJECTS}
    text = markdown(found)
    TABLE.write_text(text, encoding="utf-8")
    print(f"\n== {TABLE.relative_to(HERE.parent)} ==\n{text}")
    return 1 if None in found.values() else 0


if __name__ == "__main__":
    sys.exit(main())
