"""How long a user waits before the first answer: kernel from nothing, kernel from the cache, imports, command line.

Each figure comes from fresh interpreters and is the best of a few, because a machine that is busy elsewhere only adds.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, fields
from typing import final

from native import run_python, spawn_cpu_seconds

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
WITH_IMPORTS = "import casadi, llvmlite.binding"

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
