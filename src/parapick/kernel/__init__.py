"""Expressions to native code: CasADi expressions are traced, compiled with LLVM and called as NumPy gufuncs.

- `trace`: expressions to instructions.
- `llvm`: instructions to machine code.
- `call`: machine code called from Python.
- Beside them the table of operations, the cache on disk and whose files it trusts, and the registry of what was made.

This room knows nothing of robots.
"""

from __future__ import annotations

from parapick.kernel.call.kernel import Kernel, build
from parapick.kernel.call.scan import Scan, ScanRun, build_scan
from parapick.kernel.compiled import Compilations, compilations
from parapick.kernel.registry import Registry
from parapick.kernel.trace.instructions import Instruction, Port, Trace
from parapick.kernel.trace.scan_trace import Substep

__all__ = [
    "Compilations",
    "Instruction",
    "Kernel",
    "Port",
    "Registry",
    "Scan",
    "ScanRun",
    "Substep",
    "Trace",
    "build",
    "build_scan",
    "compilations",
]
