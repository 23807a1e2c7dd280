"""Run a quick part of the tests with every Python on this computer, and with the oldest dependencies allowed.

    python tools/versions.py [3.11 3.12 ... | lowest]

Each gets an environment of its own: `.venv-3.12`, and `.venv-lowest` with the oldest Python and the lower bounds of
`pyproject.toml` as the versions themselves. It needs a network and takes minutes; what is installed stays for the next
time.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = FILE["project"]
OLDEST = tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))
LOWEST = "lowest"

# Where programs that manage Pythons put them, beside the folders of PATH.
FOLDERS = (
    "~/.pyenv/versions/*/bin",
    "~/.local/share/uv/python/*/bin",
    "~/.asdf/installs/python/*/bin",
    "/opt/python*/bin",
)

# A part that touches every dependency: import, command line, kernels, models, files, figures, replay, Parquet, MuJoCo.
TESTS = (
    "tests/cli/test_pose.py",
    "tests/cli/test_robots.py",
    "tests/cli/test_show.py",
    "tests/cli/test_streams.py",
    "tests/export/test_record.py",
    "tests/kernel/test_cache.py",
    "tests/kernel/test_gufunc.py",
    "tests/formulas/test_kinematics.py",
    "tests/motion/test_fit.py",
    "tests/oracle/test_golden_states.py",
    "tests/report/test_figures.py",
    "tests/report/test_replay.py",
    "tests/robots/test_reading.py",
    "tests/robots/test_save.py",
)
TOOLS = ("pytest", "hypothesis")


def pythons() -> dict[str, str]:
    """Per minor version that parapick allows, the newest Python found on this computer."""
    folders = [*os.environ.get("PATH", "").split(os.pathsep), *(found for one in FOLDERS for found in places(one))]
    programs = {program for folder in folders for program in places(f"{folder}/python3*")}
    newest: dict[tuple[int, int], tuple[tuple[int, int, int], str]] = {}
    for program in sorted(filter(re.compile(r".*/python3(\.\d+)?").fullmatch, programs)):
        code = "import sys; print(*sys.version_info[:3], sys.prefix == sys.base_prefix)"
        run = subprocess.run([program, "-c", code], capture_output=True, text=True, check=False)
        # A program of that name may be a door to one that is not installed, and a virtual environment is no Python.
        found = re.fullmatch(r"(\d+) (\d+) (\d+) True\n", run.stdout)
        if run.returncode == 0 and found:
            number = (int(found[1]), int(found[2]), int(found[3]))
            if number[:2] >= OLDEST:
                newest[number[:2]] = max(newest.get(number[:2], (number, program)), (number, program))
    return {f"{minor[0]}.{minor[1]}": program for minor, (_, program) in sorted(newest.items())}


def places(pattern: str) -> list[str]:
    """What a pattern of paths stands for."""
    return glob.glob(os.path.expanduser(pattern))  # noqa: PTH111, PTH207


def lower_bounds() -> list[str]:
    """Every requirement of the project and of its tests, extras included, with its lower bound as the version."""
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values(), FILE["dependency-groups"]["test"]]
    bounds = [re.match(r"([\w-]+)>=([\w.]+)", requirement) for group in groups for requirement in group]
    return sorted({f"{bound[1]}=={bound[2]}" for bound in bounds if bound})


def environment(name: str, program: str) -> Path:
    """The Python of an environment with parapick and what its tests need; made where it is missing."""
    folder = ROOT / f".venv-{name}"
    python = folder / "bin" / "python"
    if not python.exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([program, "-m", "venv", folder], check=True)
    bounds = folder / "constraints.txt"
    bounds.write_text("\n".join(lower_bounds() if name == LOWEST else []) + "\n", encoding="utf-8")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "-qq", "install"]
    subprocess.run([*pip, "--constraint", bounds, "--editable", ".[all]", *TOOLS], cwd=ROOT, check=True)
    return python


def main(wanted: list[str]) -> int:
    """Run the tests in all environments, or in those named; the number of those that failed."""
    found = pythons()
    runs = {**found, LOWEST: found[min(found, key=lambda name: tuple(map(int, name.split("."))))]}
    sys.stdout.write(f"found: {', '.join(f'{name} ({program})' for name, program in found.items())}\n")
    if unknown := set(wanted) - set(runs):
        sys.exit(f"not found on this computer: {', '.join(sorted(unknown))}")
    failed = []
    for name in wanted or runs:
        sys.stdout.write(f"\n== {name} ==\n")
        sys.stdout.flush()
        try:
            python = environment(name, runs[name])
            # Old versions of one library use what newer ones of another advise against; that is not for us to mend.
            options = ["-W", "ignore::DeprecationWarning"] if name == LOWEST else []
            subprocess.run([python, "-m", "pytest", "-q", *options, *TESTS], cwd=ROOT, check=True)
        except subprocess.CalledProcessError:
            failed.append(name)
    sys.stdout.write(f"\n{'failed: ' + ', '.join(failed) if failed else 'all passed'}\n")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
