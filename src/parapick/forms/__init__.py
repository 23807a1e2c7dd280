"""The forms that values take in the files people write: the one reader, JSON Schema and writer of messages.

A form reads a value of a TOML document, says all that is wrong with it, and states itself as JSON Schema. `table_of`
makes the form of a description from what its fields state (`parapick.fields`); robots and tasks are read with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.forms.document import (
        FORMAT as FORMAT,
        file_of as file_of,
        json_schema as json_schema,
        read_document as read_document,
    )
    from parapick.forms.file_kind import (
        FileKind as FileKind,
        Reading as Reading,
    )
    from parapick.forms.place import (
        UNREAD as UNREAD,
        FilePlace as FilePlace,
        Form as Form,
    )
    from parapick.forms.sources import (
        Sources as Sources,
        paths as paths,
        source_problems as source_problems,
    )
    from parapick.forms.tables import (
        Entry as Entry,
        Kinds as Kinds,
        TableForm as TableForm,
        kinds_of as kinds_of,
        table_of as table_of,
    )
    from parapick.forms.values import (
        Flag as Flag,
        Listed as Listed,
        Name as Name,
        Number as Number,
        OneOrList as OneOrList,
        Text as Text,
        Whole as Whole,
        Word as Word,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "document": "FORMAT file_of json_schema read_document",
        "file_kind": "FileKind Reading",
        "place": "FilePlace Form UNREAD",
        "sources": "Sources paths source_problems",
        "tables": "Entry Kinds TableForm kinds_of table_of",
        "values": "Flag Listed Name Number OneOrList Text Whole Word",
    },
)
