"""A project of B&R Automation Studio as settings: every value of every file by its place.

Configurations (`.mechanicalsystem`, `.axis`, `.axesgroup`, `.axesgroupfeature`) hold elements with groups, selectors
and properties; `Hardware.hw` holds modules with parameters and connections. Either is a part with settings by path.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final

from parapick.errors import FileError, FileProblem, ParapickError
from parapick.exchange.xml_tree import Node, read_xml
from parapick.files import unreadable
from parapick.names import printable, quoted

CONFIGURATIONS: Final = (".mechanicalsystem", ".axis", ".axesgroup", ".axesgroupfeature")
"""Endings of the files that are read, beside `Hardware.hw`."""

HARDWARE: Final = ".hw"
"""Ending of the file with the modules of a machine."""

FILES_MAX: Final = 200
"""Most files that are read: a configuration with ten robots has some fifty."""

ENTRIES_MAX: Final = 200_000
"""Most files and folders that are looked through: a project with its libraries has some thousands."""

KIND: Final = "a configuration of Automation Studio"


@final
@dataclass(frozen=True)
class ProjectSetting:
    """A value of a file.

    Attributes:
        file: name of the file.
        part: the element or module that it belongs to.
        path: its place in that, from outside in, joined by slashes.
        value: its text.
        line: its line in the file.
    """

    file: str
    part: str
    path: str
    value: str
    line: int

    def __str__(self) -> str:
        return printable(f"{self.file}: {self.part}, {self.path.removeprefix('Type/Subtype/').removesuffix('/Value')}")

    def error(self, message: str) -> FileError:
        """What is raised where this value cannot be taken.

        Args:
            message: what is wrong with it and what would be valid.
        """
        place = printable(f"{self.part}, {self.path} (line {self.line})")
        return FileError(self.file, (FileProblem(place, message),))


@final
@dataclass(frozen=True)
class ProjectPart:
    """An element of a configuration, or a module of the hardware.

    Attributes:
        file: name of the file.
        name: its name in the project.
        kind: its type: "mechanicalsystem", "axis", or that of a module.
        settings: its values by their paths.
    """

    file: str
    name: str
    kind: str
    settings: Mapping[str, ProjectSetting]

    def below(self, prefix: str) -> dict[str, ProjectSetting]:
        """Its values below a place, by the rest of their paths.

        Args:
            prefix: the place, with a slash at its end.
        """
        return {path.removeprefix(prefix): one for path, one in self.settings.items() if path.startswith(prefix)}

    def text(self, path: str, default: str = "") -> str:
        """A value as text; what the program takes where it is not stated.

        Args:
            path: its place.
            default: what holds where it is not stated.
        """
        return self.settings[path].value if path in self.settings else default

    def error(self, message: str) -> FileError:
        """What is raised where the part as a whole cannot be taken.

        Args:
            message: what is wrong with it and what would be valid.
        """
        return FileError(self.file, (FileProblem(printable(self.name), message),))


@final
@dataclass(frozen=True)
class Project:
    """What is read of a project.

    Attributes:
        folder: where it is.
        parts: elements and modules, in the order of the files.
    """

    folder: Path
    parts: tuple[ProjectPart, ...]

    def of_kind(self, kind: str) -> tuple[ProjectPart, ...]:
        """The parts of a type.

        Args:
            kind: the type.
        """
        return tuple(part for part in self.parts if part.kind == kind)


def read_project(folder: str | os.PathLike[str]) -> Project:
    """Every setting of the files of a folder and the folders in it.

    Args:
        folder: the folder of a project, or of one configuration of it.

    Raises:
        ParapickError: it is no folder, or has no such files.
        FileError: a file is not what its ending says, or two define the same.
    """
    place = Path(folder)
    files = _files(place)
    parts = tuple(part for file in files for part in _parts(file, str(file.relative_to(place))))
    seen: dict[tuple[bool, str], ProjectPart] = {}
    for part in parts:
        other = seen.setdefault((part.file.lower().endswith(HARDWARE), part.name), part)
        if other is not part:
            message = f"is in {other.file}, too; give the folder of one configuration, or remove one of them"
            raise part.error(message)
    return Project(place, parts)


def _files(folder: Path) -> list[Path]:
    """The files that are read, in the order of their names; links to folders are not followed."""
    if "\0" in str(folder):
        raise ParapickError(f"{str(folder)!r}: is not a path: it has a null character")
    try:
        if not folder.is_dir():
            reason = "is a file; give the folder that it is in" if folder.exists() else "there is no such folder"
            raise ParapickError(f"{folder}: {reason}")
    except OSError as error:
        raise ParapickError(f"{folder}: {unreadable(error)}") from error
    files, entries = [], 0
    for root, folders, names in os.walk(folder):
        folders.sort()
        entries += len(folders) + len(names)
        if entries > ENTRIES_MAX:
            raise ParapickError(
                f"{folder}: has more than {ENTRIES_MAX} files and folders; give that of a configuration"
            )
        endings = (*CONFIGURATIONS, HARDWARE)
        files += [Path(root) / name for name in sorted(names) if name.lower().endswith(endings)]
    if not any(file.suffix.lower() == CONFIGURATIONS[0] for file in files):
        message = f"has no file that ends in {CONFIGURATIONS[0]}; give the folder of a project of Automation Studio"
        raise ParapickError(f"{folder}: {message}, or of one of its configurations")
    if len(files) > FILES_MAX:
        raise ParapickError(f"{folder}: has {len(files)} configurations; give a folder with at most {FILES_MAX}")
    return files


def _parts(file: Path, name: str) -> Iterator[ProjectPart]:
    root = read_xml(file, KIND)
    hardware = file.suffix.lower() == HARDWARE
    wanted = "Hardware" if hardware else "Configuration"
    if root.tag != wanted:
        message = f"begins with <{printable(root.tag)}>; {KIND} of this ending begins with <{wanted}>"
        raise FileError(name, (FileProblem("", message),))
    inner, identity = ("Module", "Name") if hardware else ("Element", "ID")
    for node in root.children:
        if node.tag != inner or identity not in node.attributes:
            place = f"<{printable(node.tag)}> (line {node.line})"
            raise FileError(
                name, (FileProblem(place, f"must be <{inner} {identity}=...>; every element there is one"),)
            )
        own = node.attributes[identity]
        settings: dict[str, ProjectSetting] = {}
        for one in _settings(node, ProjectSetting(name, own, "", "", node.line)):
            other = settings.setdefault(one.path, one)
            if other is not one:
                raise one.error(f"is stated on line {other.line}, too: {quoted(other.value)}; state it once")
        yield ProjectPart(name, own, node.attributes.get("Type", ""), settings)


def _settings(node: Node, place: ProjectSetting) -> Iterator[ProjectSetting]:
    """The values in an element, each by its place: groups by their names, parameters by their location.

    Args:
        node: the element.
        place: where it is; its path is that of the element.
    """
    unnamed: Counter[str] = Counter()
    for child in node.children:
        known = child.attributes
        name = known.get("ID")
        if name is None:
            name = known.get("Connector") or child.tag
            unnamed[name] += 1
            name = name if unnamed[name] == 1 else f"{name} {unnamed[name]}"
        path = "/".join(filter(None, (place.path, known.get("Location", ""), name)))
        if "Value" in known:
            yield ProjectSetting(place.file, place.part, path, known["Value"], child.line)
        for key, value in known.items():
            if key not in ("ID", "Location", "Value", "Connector"):
                yield ProjectSetting(place.file, place.part, f"{path}/{key}", value, child.line)
        if child.text:
            yield ProjectSetting(place.file, place.part, f"{path}/text", child.text, child.line)
        yield from _settings(child, ProjectSetting(place.file, place.part, path, "", child.line))
