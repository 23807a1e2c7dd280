"""Expressions to native code: CasADi expressions are traced, compiled with LLVM and called as NumPy gufuncs.

This room knows nothing of robots.
"""

from __future__ import annotations

from parapick.kernel.kernel import Compilations, Kernel, build, compilations
from parapick.kernel.scan import Scan, ScanRun, Substep, build_scan
from parapick.kernel.trace import Instruction, Port, Trace

__all__ = [
    "Compilations",
    "Instruction",
    "Kernel",
    "Port",
    "Scan",
    "ScanRun",
    "Substep",
    "Trace",
    "build",
    "build_scan",
    "compilations",
]
