"""The source documents: one folder each, with errata and free choices as data, and what computes them.

A docstring that differs from a print cites its erratum as `papers/corbel2010, erratum E2`;
`parapick.papers.erratum("corbel2010", "E2")` gives its text and evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.papers.document import (
        Choice as Choice,
        Document as Document,
        DocumentFinding as DocumentFinding,
        Erratum as Erratum,
        UnknownDocumentError as UnknownDocumentError,
        UnknownErratumError as UnknownErratumError,
        read_document as read_document,
    )
    from parapick.papers.documents import (
        DOCUMENTS as DOCUMENTS,
        document as document,
        erratum as erratum,
    )
    from parapick.papers.group import (
        Group as Group,
    )
    from parapick.papers.page import (
        write_pages as write_pages,
    )
    from parapick.papers.reproduction import (
        Reproduction as Reproduction,
        reproduce as reproduce,
    )
    from parapick.papers.reproduction_answer import (
        reproduction_answer as reproduction_answer,
    )
    from parapick.papers.sensitivity import (
        with_sensitivity as with_sensitivity,
    )
    from parapick.papers.setup import (
        Setup as Setup,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "document": "Choice Document DocumentFinding Erratum UnknownDocumentError UnknownErratumError read_document",
        "documents": "DOCUMENTS document erratum",
        "group": "Group",
        "page": "write_pages",
        "reproduction": "Reproduction reproduce",
        "reproduction_answer": "reproduction_answer",
        "sensitivity": "with_sensitivity",
        "setup": "Setup",
    },
)
