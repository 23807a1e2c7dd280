"""Projects of other programs: a machine that somebody else described becomes a robot here, and a robot theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.exchange.br.from_robot import (
        machine_of as machine_of,
    )
    from parapick.exchange.br.importing import (
        ImportedRobot as ImportedRobot,
        import_br as import_br,
    )
    from parapick.exchange.br.machine import (
        TABLE_ROWS as TABLE_ROWS,
        BrDelta as BrDelta,
    )
    from parapick.exchange.br.writing import (
        project_texts as project_texts,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "br.from_robot": "machine_of",
        "br.importing": "ImportedRobot import_br",
        "br.machine": "BrDelta TABLE_ROWS",
        "br.writing": "project_texts",
    },
)
