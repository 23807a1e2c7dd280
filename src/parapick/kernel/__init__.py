"""Expressions to native code: CasADi expressions are traced, compiled with LLVM and called as NumPy gufuncs.

- `trace`: expressions to instructions.
- `llvm`: instructions to machine code.
- `call`: machine code called from Python.
- `c`: instructions to C that a person can read.
- Beside them the table of operations, the cache on disk and whose files it trusts, recipes by which code is found
  there without a trace, and the registry of what was made.

This room knows nothing of robots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.kernel.c.cost import (
        CallCost as CallCost,
    )
    from parapick.kernel.c.function import (
        CFunction as CFunction,
        c_function as c_function,
        prototype as prototype,
    )
    from parapick.kernel.c.helpers import (
        helper_texts as helper_texts,
    )
    from parapick.kernel.c.names import (
        identifier as identifier,
        identifiers as identifiers,
        is_identifier as is_identifier,
    )
    from parapick.kernel.c.signature import (
        CArgument as CArgument,
        Signature as Signature,
        plain_signature as plain_signature,
    )
    from parapick.kernel.c.style import (
        CStyle as CStyle,
    )
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
    from parapick.kernel.llvm.foreign import (
        PROCESSORS as PROCESSORS,
        ProcessorObject as ProcessorObject,
        processor_object as processor_object,
    )
    from parapick.kernel.notes import (
        Note as Note,
        collecting as collecting,
        noted as noted,
        numbered as numbered,
        part_of as part_of,
        renoted as renoted,
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
        "c.cost": "CallCost",
        "c.function": "CFunction c_function prototype",
        "c.helpers": "helper_texts",
        "c.names": "identifier identifiers is_identifier",
        "c.signature": "CArgument Signature plain_signature",
        "c.style": "CStyle",
        "call.kernel": "Kernel build known known_by_reads",
        "call.scan": "Scan build_scan known_scan known_scan_by_reads",
        "compiled": "compilations",
        "notes": "Note collecting noted numbered part_of renoted",
        "reads": "Reads is_watched",
        "recipe": "Recipe casadi_version digest room_of",
        "llvm.foreign": "PROCESSORS ProcessorObject processor_object",
        "trace.expressions": "trace_of",
        "trace.instructions": "CONSTANT INPUT PARAMETER Trace",
        "trace.scan_trace": "Substep",
    },
)
