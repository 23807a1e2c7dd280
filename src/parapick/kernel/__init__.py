"""Expressions to native code: CasADi expressions are traced, compiled with LLVM and called as NumPy gufuncs.

- `trace`: expressions to instructions.
- `llvm`: instructions to machine code.
- `call`: machine code called from Python.
- Beside them the table of operations, the cache on disk and whose files it trusts, recipes by which code is found
  there without a trace, and the registry of what was made.

This room knows nothing of robots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching
from parapick.kernel.call.kernel import Kernel, build, known, known_by_reads
from parapick.kernel.call.scan import Scan, ScanRun, build_scan, known_scan, known_scan_by_reads
from parapick.kernel.compiled import Compilations, compilations
from parapick.kernel.ports import Port, Ports
from parapick.kernel.reads import Reads, is_watched
from parapick.kernel.recipe import Recipe, room_of

if TYPE_CHECKING:
    from parapick.kernel.trace.instructions import Instruction, Trace
    from parapick.kernel.trace.scan_trace import Substep

__all__ = [
    "Compilations",
    "Instruction",
    "Kernel",
    "Port",
    "Ports",
    "Reads",
    "Recipe",
    "Scan",
    "ScanRun",
    "Substep",
    "Trace",
    "build",
    "build_scan",
    "compilations",
    "is_watched",
    "known",
    "known_by_reads",
    "known_scan",
    "known_scan_by_reads",
    "room_of",
]

# Who finds a kernel made before needs none of these.
__getattr__ = fetching(__name__, {"trace.instructions": ("Instruction", "Trace"), "trace.scan_trace": ("Substep",)})
