"""What determines a kernel or scan before its expressions are made, so that one compiled before is found without them.

Expressions follow from the structure of a description, from the quantity asked for, and from the sources that write
them. A recipe names these; its content is their text and digests, with the version of CasADi. Numbers are inputs of the
compiled code and no part of it.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick.names import WORDS

_FOLDER: Final = Path(__file__).parent.parent
"""Folder of the package."""


@final
@dataclasses.dataclass(frozen=True)
class Recipe:
    """What a kernel or scan is made of.

    Attributes:
        rooms: those whose sources write the expressions and the classes of the description, "parapick.formulas" say.
        name: the quantity, with every choice that changes its expressions.
        structure: the description, and what else they depend on: frozen dataclasses and tuples of text, whole numbers
            and None; floats count as parameters, whatever their value. Fields that are there for people only
            (`parapick.names.WORDS`) are emptied, so that a robot's name makes no other kernel.
    """

    rooms: tuple[str, ...]
    name: str
    structure: object

    def __post_init__(self) -> None:
        """Empty what is there for people only."""
        object.__setattr__(self, "structure", _without_words(self.structure))

    def content(self) -> bytes | None:
        """All that determines the expressions; None where that is not known, since somebody else's code takes part.

        That is where a class, such as a user's control law, is in none of the rooms, or a room is somebody else's.
        """
        parts = list(_texts(self.structure, tuple(f"{room}." for room in self.rooms)))
        sources = [digest(room) for room in self.rooms]
        if None in parts or None in sources:
            return None
        return repr((self.rooms, sources, casadi_version(), self.name, parts)).encode()


def _without_words(node: Any) -> Any:
    """The same description with its words emptied; itself where it has none."""
    if type(node) is tuple:
        items = tuple(map(_without_words, node))
        return node if all(item is before for item, before in zip(items, node, strict=True)) else items
    if not dataclasses.is_dataclass(node) or isinstance(node, type):
        return node
    new = {}
    for name, words in _fields(type(node)):
        before = getattr(node, name)
        after = type(before)() if words else _without_words(before)
        if after is not before:
            new[name] = after
    return dataclasses.replace(node, **new) if new else node


@cache
def _fields(kind: Any) -> tuple[tuple[str, bool], ...]:
    """Name of every field of a description, and whether it is there for people only."""
    return tuple((field.name, field.metadata.get(WORDS, False)) for field in dataclasses.fields(kind))


def _texts(node: Any, known: tuple[str, ...]) -> Iterator[str | None]:
    """The text of a description piece by piece; None for what is in none of the known modules."""
    # What NumPy computed is the same structure as what was written.
    node = node.item() if isinstance(node, np.generic) else node
    kind = type(node)
    if isinstance(node, float):
        yield "float"
    elif kind in (str, int, bool, type(None)):
        yield repr(node)
    elif kind is tuple:
        yield f"({len(node)}"
        for item in node:
            yield from _texts(item, known)
    elif dataclasses.is_dataclass(node) and f"{kind.__module__}.".startswith(known):
        yield f"{kind.__module__}.{kind.__qualname__}"
        for field in dataclasses.fields(node):
            yield field.name
            yield from _texts(getattr(node, field.name), known)
    else:
        yield None


def room_of(maker: Callable[..., object]) -> str:
    """The room a function is in.

    Args:
        maker: the function.
    """
    return ".".join(maker.__module__.split(".")[:2])


@cache
def digest(room: str) -> bytes | None:
    """Digest of the sources of a room of this package, or of a single module; None where there are none.

    Args:
        room: its name, such as "parapick.kernel" or "parapick.algebra".
    """
    package, _, name = room.partition(".")
    if not name or package != _FOLDER.name:
        return None
    module = _FOLDER / f"{name}.py"
    texts = [module.read_bytes()] if module.is_file() else []
    for folder, folders, files in os.walk(_FOLDER / name):
        folders.sort()
        place = Path(folder)
        for file in sorted(file for file in files if file.endswith(".py")):
            texts += [file.encode(), (place / file).read_bytes()]
    return sha256(b"\0".join(texts)).digest() if texts else None


@cache
def casadi_version() -> str:
    """Version of CasADi, as its installation is named: importing it only to ask would take longer than most answers."""
    spec = find_spec("casadi")
    folder = Path(spec.origin or "").parent.parent if spec else Path()
    names = sorted(entry.name for entry in folder.glob("casadi-*.dist-info"))
    if names:
        return ", ".join(names)
    import casadi

    return str(vars(casadi)["__version__"])
