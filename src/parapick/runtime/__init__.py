"""The machine around a law: a process image, virtual drives with the plant behind them, and the loop between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.runtime.cell_program import (
        CompilerError as CompilerError,
    )
    from parapick.runtime.folder import (
        ExportedRuntime as ExportedRuntime,
        export_runtime as export_runtime,
    )
    from parapick.runtime.paced import (
        Privileges as Privileges,
        RuntimeRefusedError as RuntimeRefusedError,
        quantile as quantile,
    )
    from parapick.runtime.running import (
        RuntimeRun as RuntimeRun,
        run_task as run_task,
    )
    from parapick.runtime.segment import (
        SegmentError as SegmentError,
    )
    from parapick.runtime.virtual_drives import (
        VirtualDrives as VirtualDrives,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "cell_program": "CompilerError",
        "folder": "ExportedRuntime export_runtime",
        "paced": "Privileges RuntimeRefusedError quantile",
        "running": "RuntimeRun run_task",
        "segment": "SegmentError",
        "virtual_drives": "VirtualDrives",
    },
)
