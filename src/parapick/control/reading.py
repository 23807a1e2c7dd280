"""From the document of a controller file to a controller, with every problem found on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from parapick import forms
from parapick.control.controller import Controller
from parapick.errors import FileProblem

_OTHERS: Final = {"kind": "a task file", "plate": "a robot file", "limb": "a robot file", "home": "a robot file"}
"""Fields that controller files do not have, and the files that have them."""


@cache
def file_form() -> forms.TableForm:
    """The form of a controller file."""
    table = forms.table_of(Controller)
    entries = {**table.entries, "name": replace(table.entries["name"], default=None)}
    return forms.file_of(replace(table, name="ControllerFile", entries=entries, what="of a controller"))


def read_controller(document: Mapping[str, Any]) -> tuple[Controller | None, tuple[FileProblem, ...]]:
    """The controller of a document and everything that is wrong with it; no controller where there is a problem.

    Args:
        document: a TOML file as nested dictionaries.
    """
    for field, what in _OTHERS.items():
        if field in document:
            return None, (FileProblem("", f"is {what}, for it has {field}; a controller file has a table [law]"),)
    table, values, problems = forms.read_document(file_form(), document)
    if table is None or problems:
        return None, problems
    controller: Controller = table.make(values)
    wrong = (*forms.source_problems(controller.sources, forms.paths(controller)), *controller.problems())
    return (None if wrong else controller), wrong
