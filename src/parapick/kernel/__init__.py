"""Expressions to native code: CasADi expressions are traced, compiled with LLVM and called as NumPy gufuncs.

This room knows nothing of robots.
"""

from __future__ import annotations

from parapick.kernel.kernel import Compilations, Kernel, build, compilations
from parapick.kernel.trace import Instruction, Port, Trace

__all__ = ["Compilations", "Instruction", "Kernel", "Port", "Trace", "build", "compilations"]
