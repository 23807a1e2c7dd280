"""`parapick import`: one file a format, each imported only when it is called."""

from __future__ import annotations

from typing import Final

from cyclopts import App

__all__ = ["FORMATS", "imports"]

FORMATS: Final = {
    "br": "A Delta of a B&R Automation Studio project as a robot file.",
}
"""Every format, and its line in the list."""

imports = App(name="import", help_format="plaintext")
for _number, (_name, _line) in enumerate(FORMATS.items()):
    imports.command(f"parapick.cli.imports.{_name}:{_name}", help=_line, sort_key=_number)

# A command is found in its module by its name, which here is a word of Python.
vars()["import"] = imports
