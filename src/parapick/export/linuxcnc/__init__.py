"""A robot in LinuxCNC: components for HAL, a machine's INI and HAL files, and the task as G-code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.export.linuxcnc.project import (
        ExportedController as ExportedController,
        export_linuxcnc as export_linuxcnc,
    )

__getattr__, __dir__, __all__ = front(__name__, {"project": "ExportedController export_linuxcnc"})
