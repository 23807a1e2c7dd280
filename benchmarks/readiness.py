"""How long a user waits before the first answer: kernel from nothing, kernel from the cache, imports, command line.

Each figure comes from fresh interpreters and is the best of a few, because a machine that is busy elsewhere only adds.
`python benchmarks/readiness.py [--json FILE]` measures the first answer of every command, with an empty cache and with
a full one, as CPU time relative to a yardstick in the same run: importing the libraries that such a command cannot do
without. pydantic, which parapick does not use, is kept in it so that figures of all times can be compared. Python's own
cache of compiled sources is full in both cases, as it is once a package is installed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final, final

from native import machine, run_python, spawn_cpu_seconds
from racing import Ratio, Verdict, at_most, figure, keep, table

__all__ = ["Readiness", "measure"]

REPEATS = 5

IMPORT = """
import time, json, numpy
start = time.process_time()
import parapick
print(json.dumps(time.process_time() - start))
"""

FIRST_USE = """
import time, json, numpy, parapick
{imports}
start = time.perf_counter()
model = parapick.load("par4")
loaded = time.perf_counter()
q, jacobian = model.kinematics([0.1, -0.05, -0.7, 0.3])
print(json.dumps([loaded - start, time.perf_counter() - loaded]))
"""
# Whatever is asked of casadi imports it: `import` alone defers that, once parapick is there.
WITH_IMPORTS = "import casadi, llvmlite.binding; casadi.SX"

# What the installed command does, without asking where it was installed.
HELP = "import sys; from parapick.cli import main; sys.argv = ['parapick', '--help']; main()"


@final
@dataclass(frozen=True)
class Readiness:
    """Seconds until something is ready.

    Attributes:
        load: reading and checking the robot's file, casadi and llvmlite imported.
        cold: first answer of a loaded robot, empty cache, casadi and llvmlite imported.
        cached: the same with the kernel in the cache.
        cold_from_nothing: from `import parapick` done to the first answer, empty cache: libraries, file and kernel.
        cached_from_nothing: the same with the kernel in the cache.
        import_cpu: CPU time that `import parapick` adds to importing numpy.
        help_cpu: CPU time of `parapick --help`, interpreter included.
    """

    load: float
    cold: float
    cached: float
    cold_from_nothing: float
    cached_from_nothing: float
    import_cpu: float
    help_cpu: float

    def rows(self) -> list[tuple[str, float]]:
        """Name and value of every figure."""
        return [(field.name.replace("_", " "), getattr(self, field.name)) for field in fields(self)]


def measure() -> Readiness:
    """Measure everything in fresh interpreters with a cache of their own."""
    cold, cached, cold_bare, cached_bare = [], [], [], []
    for _ in range(REPEATS):
        for imports, first, second in ((WITH_IMPORTS, cold, cached), ("", cold_bare, cached_bare)):
            with tempfile.TemporaryDirectory() as folder:
                code = FIRST_USE.format(imports=imports)
                environment = {"PARAPICK_CACHE": folder, "PARAPICK_THREADS": "1"}
                first.append(run_python(code, environment))
                second.append(run_python(code, environment))
    return Readiness(
        load=min(load for load, _ in cold + cached),
        cold=min(answer for _, answer in cold),
        cached=min(answer for _, answer in cached),
        cold_from_nothing=min(map(sum, cold_bare)),
        cached_from_nothing=min(map(sum, cached_bare)),
        import_cpu=min(run_python(IMPORT) for _ in range(REPEATS)),
        help_cpu=min(spawn_cpu_seconds([sys.executable, "-c", HELP]) for _ in range(REPEATS)),
    )


YARDSTICK: Final = "import numpy, pydantic, llvmlite.binding, cyclopts, rich.console"

COMMANDS: Final = {
    "pose": "pose par4 0.1 0 -0.75 10deg",
    "torque": "torque par4 --pose 0,0,-0.75,0 --acceleration 50,0,0",
    "motion": "motion par4 adept-120",
    "motion, as fast as possible": "motion par4 adept-rounded",
    "simulate": "simulate par4 adept-120",
    "map": "map par4 acceleration",
    "workspace, 1e6 points": "workspace par4",
    "evaluate": "evaluate par4 --payload 1kg --no-report",
    "evaluate with report": "evaluate par4 --payload 1kg --out {folder}",
}

TARGETS: Final = {
    "full": {"pose": 1.5, "evaluate": 3.0, "evaluate with report": 8.0},
    "empty": {"pose": 3.1, "evaluate": 8.0},
}
"""Most CPU of a command, relative to the yardstick, by the state of the cache."""

EVALUATE: Final = """
import json, time
import parapick
from parapick.evaluation.sections import ON_REQUEST, SECTIONS

model = parapick.load("par4")
everything = [key for key in SECTIONS if key not in ON_REQUEST]
some = [key for key in everything if key not in ("improve", "fastest")]

def seconds(sections):
    start = time.process_time()
    parapick.evaluate(model, payload=1.0, sections=sections)
    return time.process_time() - start

print(json.dumps([[seconds(sections) for _ in range(8)] for sections in (everything, some)]))
"""

EVALUATED: Final = (("all sections", 0.15), ("without improve and fastest", 0.02))
"""What is evaluated in a running process, and the most CPU (s) that it may take."""


@final
@dataclass(frozen=True)
class Answers:
    """CPU time (s) of first answers, one number a round.

    Attributes:
        yardstick: importing what no command can do without.
        cold: by command, with an empty cache.
        warm: by command, with a full cache.
    """

    yardstick: tuple[float, ...]
    cold: dict[str, tuple[float, ...]]
    warm: dict[str, tuple[float, ...]]

    def ratio(self, seconds: tuple[float, ...]) -> Ratio:
        """Median over the rounds of a time relative to the yardstick of its round."""
        return Ratio.of(own / one for own, one in zip(seconds, self.yardstick, strict=False))

    def rows(self) -> list[tuple[str, ...]]:
        """Command, CPU time with a full cache, and both times relative to the yardstick."""
        pairs = [(name, seconds, self.cold[name]) for name, seconds in self.warm.items()]
        return [
            (name, f"{min(warm):.2f}", f"{self.ratio(warm):.2f}", f"{self.ratio(cold):.2f}")
            for name, warm, cold in pairs
        ]

    def verdicts(self) -> list[Verdict]:
        """Both times of every command relative to the yardstick, with what is wanted of them."""
        judged = []
        for name in COMMANDS:
            for state, seconds in (("full", self.warm[name]), ("empty", self.cold[name])):
                what, limit = f"`{name}`: first answer, {state} cache", TARGETS[state].get(name)
                ratio = self.ratio(seconds)
                judged.append(figure(what, ratio) if limit is None else at_most(what, ratio, limit))
        return judged


def first_answers(folder: Path) -> Answers:
    """Measure every command in turns with the yardstick.

    Args:
        folder: an empty folder for caches and reports.
    """
    environment = {
        "PYTHONPYCACHEPREFIX": str(folder / "sources"),
        "PYTHONDONTWRITEBYTECODE": "",
        "PARAPICK_THREADS": "1",
    }

    def command(name: str, cache: str) -> float:
        words = COMMANDS[name].format(folder=folder / "reports").split()
        own = environment | {"PARAPICK_CACHE": str(folder / cache)}
        return spawn_cpu_seconds([sys.executable, "-m", "parapick", *words], own)

    for name in COMMANDS:
        command(name, "warm")
    yardstick: list[float] = []
    cold: dict[str, list[float]] = {name: [] for name in COMMANDS}
    warm: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for turn in range(REPEATS):
        yardstick.append(spawn_cpu_seconds([sys.executable, "-c", YARDSTICK], environment))
        for number, name in enumerate(COMMANDS):
            warm[name].append(command(name, "warm"))
            cold[name].append(command(name, f"cold {number} {turn}"))
    rounds = [{name: tuple(seconds) for name, seconds in found.items()} for found in (cold, warm)]
    return Answers(tuple(yardstick), *rounds)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        answers = first_answers(Path(folder))
        evaluated = run_python(EVALUATE, {"PARAPICK_CACHE": str(Path(folder) / "warm"), "PARAPICK_THREADS": "1"})
    judged = answers.verdicts() + [
        at_most(f"`evaluate` in a running process, {what}, CPU", Ratio.of(seconds), limit, " s")
        for seconds, (what, limit) in zip(evaluated, EVALUATED, strict=True)
    ]
    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    print(f"yardstick: {YARDSTICK}: {min(answers.yardstick):.2f} s of CPU\n")
    print(table(("first answer", "CPU s", "full cache, ratio", "empty cache, ratio"), answers.rows()), end="\n\n")
    print(*(verdict for verdict in judged if verdict.limit is not None), sep="\n")
    keep(options.json, judged, machine=machine(), yardstick_s=min(answers.yardstick))
    return 0


if __name__ == "__main__":
    sys.exit(main())
