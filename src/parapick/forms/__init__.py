"""The forms that values take in the files people write: the one reader, JSON Schema and writer of messages.

A form reads a value of a TOML document, says all that is wrong with it, and states itself as JSON Schema. `table_of`
makes the form of a description from what its fields state (`parapick.fields`); robots and tasks are read with it.
"""

from __future__ import annotations

from parapick.forms.document import FORMAT, file_of, json_schema, read_document
from parapick.forms.place import UNREAD, FilePlace, Form
from parapick.forms.sources import Sources, paths, source_problems
from parapick.forms.tables import Entry, Kinds, TableForm, kinds_of, table_of
from parapick.forms.values import Flag, Listed, Name, Number, OneOrList, Text, Whole, Word

__all__ = [
    "FORMAT",
    "UNREAD",
    "Entry",
    "FilePlace",
    "Flag",
    "Form",
    "Kinds",
    "Listed",
    "Name",
    "Number",
    "OneOrList",
    "Sources",
    "TableForm",
    "Text",
    "Whole",
    "Word",
    "file_of",
    "json_schema",
    "kinds_of",
    "paths",
    "read_document",
    "source_problems",
    "table_of",
]
