"""Which motor and which gearbox to buy: pairs of a catalogue on a task, ranked, and what rejects the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.sizing.errors import (
        CatalogueFileError as CatalogueFileError,
    )
    from parapick.sizing.pair_designs import (
        PairRows as PairRows,
        SizedTask as SizedTask,
        pair_rows as pair_rows,
    )
    from parapick.sizing.part_files import (
        SHIPPED as SHIPPED,
        read_catalogue as read_catalogue,
    )
    from parapick.sizing.parts import (
        CataloguePart as CataloguePart,
        Pair as Pair,
        PartsCatalogue as PartsCatalogue,
    )
    from parapick.sizing.ranking import (
        By as By,
    )
    from parapick.sizing.sized_pair import (
        SizedPair as SizedPair,
    )
    from parapick.sizing.sizing import (
        Sizing as Sizing,
        size as size,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "errors": "CatalogueFileError",
        "pair_designs": "PairRows SizedTask pair_rows",
        "part_files": "SHIPPED read_catalogue",
        "parts": "Pair CataloguePart PartsCatalogue",
        "ranking": "By",
        "sized_pair": "SizedPair",
        "sizing": "Sizing size",
    },
)
