"""The source documents: one file each, with errata and free choices as data.

A docstring that differs from a print cites its erratum as `papers/corbel2010.toml, erratum E2`;
`parapick.papers.erratum("corbel2010", "E2")` gives its text and evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from parapick.deferred import fetching
from parapick.papers.document import (
    Choice,
    Discovery,
    Document,
    Erratum,
    UnknownDocumentError,
    UnknownErratumError,
    read_document,
)
from parapick.papers.printed import Group

if TYPE_CHECKING:
    from parapick.papers.reproduction import Reproduction, reproduce
    from parapick.papers.setup import Setup

__all__ = [
    "DOCUMENTS",
    "Choice",
    "Discovery",
    "Document",
    "Erratum",
    "Group",
    "Reproduction",
    "Setup",
    "UnknownDocumentError",
    "UnknownErratumError",
    "document",
    "erratum",
    "reproduce",
]

# These are imported at their first use: they compute.
__getattr__ = fetching(__name__, {"reproduction": ("Reproduction", "reproduce"), "setup": ("Setup",)})

# Key -> document, oldest first.
DOCUMENTS: Final[Mapping[str, Document]] = MappingProxyType(
    {key: read_document(key) for key in ("nabat2005", "corbel2010", "wu2020", "righettini2024", "spara")}
)


def document(key: str) -> Document:
    """Look a document up by its key.

    Args:
        key: such as `corbel2010`.

    Raises:
        UnknownDocumentError: there is no such document; the error lists those there are.
    """
    try:
        return DOCUMENTS[key]
    except KeyError:
        raise UnknownDocumentError(key, tuple(DOCUMENTS)) from None


def erratum(key: str, erratum_id: str) -> Erratum:
    """Look an erratum up, as docstrings cite it.

    Args:
        key: key of the document, such as `corbel2010`.
        erratum_id: id within the document, such as `E2`.

    Raises:
        UnknownDocumentError: there is no such document.
        UnknownErratumError: the document has no such erratum; the error lists those it has.
    """
    return document(key).erratum(erratum_id)
