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

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.kernel.call.kernel import (
        Kernel as Kernel,
        build as build,
        known as known,
        known_by_reads as known_by_reads,
    )
    from parapick.kernel.call.scan import (
        Scan as Scan,
        build_scan as build_scan,
        known_scan as known_scan,
        known_scan_by_reads as known_scan_by_reads,
    )
    from parapick.kernel.compiled import (
        compilations as compilations,
    )
    from parapick.kernel.reads import (
        Reads as Reads,
        is_watched as is_watched,
    )
    from parapick.kernel.recipe import (
        Recipe as Recipe,
        casadi_version as casadi_version,
        digest as digest,
        room_of as room_of,
    )
    from parapick.kernel.trace.expressions import (
        trace_of as trace_of,
    )
    from parapick.kernel.trace.instructions import (
        CONSTANT as CONSTANT,
        INPUT as INPUT,
        PARAMETER as PARAMETER,
        Trace as Trace,
    )
    from parapick.kernel.trace.scan_trace import (
        Substep as Substep,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "call.kernel": "Kernel build known known_by_reads",
        "call.scan": "Scan build_scan known_scan known_scan_by_reads",
        "compiled": "compilations",
        "reads": "Reads is_watched",
        "recipe": "Recipe casadi_version digest room_of",
        "trace.expressions": "trace_of",
        "trace.instructions": "CONSTANT INPUT PARAMETER Trace",
        "trace.scan_trace": "Substep",
    },
)
