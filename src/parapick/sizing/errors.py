"""What can be wrong with a catalogue of parts."""

from __future__ import annotations

from typing import final

from parapick.errors import FileError


@final
class CatalogueFileError(FileError):
    """A file of a catalogue does not describe its parts; carries every problem found, with row and field."""
