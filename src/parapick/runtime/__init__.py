"""The machine around a law: a process image, virtual drives with the plant behind them, and the loop between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.runtime.bridge import (
        Bridge as Bridge,
        BridgedDrive as BridgedDrive,
        BridgeError as BridgeError,
        bridged_segment as bridged_segment,
        run_bridge as run_bridge,
    )
    from parapick.runtime.cell_belts import (
        CellBelts as CellBelts,
        belts_of as belts_of,
    )
    from parapick.runtime.cell_program import (
        CellError as CellError,
        CompilerError as CompilerError,
        cell_program as cell_program,
        cell_texts as cell_texts,
        running_cell as running_cell,
    )
    from parapick.runtime.ethercat import (
        EthercatWire as EthercatWire,
        ethercat_wire as ethercat_wire,
    )
    from parapick.runtime.explaining import (
        Explanation as Explanation,
    )
    from parapick.runtime.fingerprint import (
        fingerprint_of as fingerprint_of,
    )
    from parapick.runtime.folder import (
        ExportedRuntime as ExportedRuntime,
        export_runtime as export_runtime,
    )
    from parapick.runtime.paced import (
        Privileges as Privileges,
        RuntimeRefusedError as RuntimeRefusedError,
        Watcher as Watcher,
        quantile as quantile,
    )
    from parapick.runtime.pdo import (
        PdoMap as PdoMap,
    )
    from parapick.runtime.run_settings import (
        RunSettings as RunSettings,
    )
    from parapick.runtime.running import (
        RuntimeRun as RuntimeRun,
        run_task as run_task,
    )
    from parapick.runtime.segment import (
        SegmentError as SegmentError,
        SharedSegment as SharedSegment,
        new_segment as new_segment,
        open_segment as open_segment,
    )
    from parapick.runtime.serving import (
        ServedCell as ServedCell,
        serve_cell as serve_cell,
    )
    from parapick.runtime.session import (
        Session as Session,
    )
    from parapick.runtime.turns import (
        TurnsError as TurnsError,
    )
    from parapick.runtime.virtual_cell import (
        VirtualCell as VirtualCell,
        virtual_cell as virtual_cell,
    )
    from parapick.runtime.virtual_drives import (
        VirtualDrives as VirtualDrives,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "bridge": "Bridge BridgeError BridgedDrive bridged_segment run_bridge",
        "cell_belts": "CellBelts belts_of",
        "cell_program": "CellError CompilerError cell_program cell_texts running_cell",
        "ethercat": "EthercatWire ethercat_wire",
        "explaining": "Explanation",
        "fingerprint": "fingerprint_of",
        "folder": "ExportedRuntime export_runtime",
        "paced": "Privileges RuntimeRefusedError Watcher quantile",
        "pdo": "PdoMap",
        "run_settings": "RunSettings",
        "running": "RuntimeRun run_task",
        "segment": "SharedSegment SegmentError new_segment open_segment",
        "serving": "ServedCell serve_cell",
        "session": "Session",
        "turns": "TurnsError",
        "virtual_cell": "VirtualCell virtual_cell",
        "virtual_drives": "VirtualDrives",
    },
)
