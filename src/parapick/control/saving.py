"""Controllers as files: what a controller states otherwise than by default, checked to read back as the same."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from parapick.control.controller import Controller, law_name
from parapick.control.errors import ControllerFileError
from parapick.control.files import CONTROLLERS
from parapick.control.reading import read_controller
from parapick.control.stage import ControlLaw
from parapick.errors import FileProblem
from parapick.files import write_text
from parapick.forms import FORMAT


def controller_text(controller: Controller) -> str:
    """The TOML text of a controller; numbers are SI.

    Args:
        controller: the controller, with a law that has a name.

    Raises:
        ControllerFileError: it would not read back as the same, because its law is a Python function for example.
    """
    import tomlkit

    if not isinstance(controller.law, ControlLaw):
        message = f"{controller.run_name} is a Python function, which no file holds"
        raise CONTROLLERS.problem(controller.run_name, message, "law")
    document = {"format": FORMAT, **_plain(controller)}
    document["law"] = {"kind": law_name(controller.law), **document.get("law", {})}
    text = tomlkit.dumps(document)
    again, problems = read_controller(tomlkit.parse(text).unwrap())
    if again != controller:
        wrong = problems or (FileProblem("", "would not read back as the same controller"),)
        raise ControllerFileError(controller.run_name, wrong)
    return text


def save_controller(controller: Controller, path: str | os.PathLike[str]) -> Path:
    """Write a controller to a TOML file and return its path.

    Args:
        path: the file, ending in `.toml`.

    Raises:
        ControllerFileError: its name ends otherwise, or it would not read back as the same.
        ParapickError: it cannot be written.
    """
    target = Path(path)
    if target.suffix.lower() != ".toml":
        raise CONTROLLERS.problem(target, "a controller file has a name that ends in .toml")
    write_text(target, controller_text(controller))
    return target


def _plain(node: Any) -> dict[str, Any]:
    """The fields of a description that are not as by default, as a file has them; tables after plain values."""
    fields = {}
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        default = field.default_factory() if callable(field.default_factory) else field.default
        needed = field.name == "kind" and not getattr(type(node), "implied", False)
        if needed or repr(value) != repr(default):
            fields[field.name] = _value(value)
    return dict(sorted(fields.items(), key=lambda entry: isinstance(entry[1], dict)))


def _value(value: Any) -> Any:
    if value is None:
        # Only a torque limit may be none where that is not its default.
        return "none"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _plain(value)
    if isinstance(value, Mapping):
        return {str(name): _value(one) for name, one in value.items()}
    if isinstance(value, tuple):
        return [_value(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value
