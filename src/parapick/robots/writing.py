"""A robot as TOML text: from scratch with a comment for every field, or into the text of an existing file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import tomlkit
from tomlkit.items import Array, Item, String

from parapick import units
from parapick.fields import Quantity, doc_of, quantity_of
from parapick.forms import FORMAT
from parapick.mechanism import Robot
from parapick.parameters import Follow, identical
from parapick.robots.form import NOT_IN_FILES
from parapick.robots.robot_file import RobotFile


def fresh(contents: RobotFile) -> str:
    """The text of a new robot file; every number has its unit and meaning as a comment.

    Args:
        contents: what to write.
    """
    robot = contents.robot
    document = tomlkit.document()
    document.add("format", tomlkit.item(FORMAT))
    sections = []
    for field in dataclasses.fields(robot):
        value = getattr(robot, field.name)
        if field.name in NOT_IN_FILES or identical(value, field.default):
            continue
        if dataclasses.is_dataclass(value):
            sections.append((field.name, _table(value)))
        else:
            document.add(field.name, _commented(_item(value), field))
    if contents.description:
        document.add("description", tomlkit.item(contents.description))
    sections.append(("working_modes", _from_mapping(modes(robot))))
    if contents.sources:
        sections.append(("sources", _from_mapping(contents.sources)))
    for name, table in sections:
        document.add(name, table)
    return tomlkit.dumps(document)


def updated(text: str, old: RobotFile, new: RobotFile) -> str:
    """The text of a file with what changed in it, everything else as it was.

    Args:
        text: the file.
        old: what the file says.
        new: what it is to say.
    """
    document = tomlkit.parse(text)
    _update(document, old.robot, new.robot, skip=NOT_IN_FILES)
    _update_mapping(document, "working_modes", modes(old.robot), modes(new.robot))
    if old.description != new.description:
        _set(document, "description", tomlkit.item(new.description) if new.description else None)
    _update_mapping(document, "sources", old.sources, new.sources)
    return tomlkit.dumps(document)


def modes(robot: Robot) -> dict[str, str]:
    """The table of working modes: the default by its name where it has one."""
    signs = "".join("+" if branch > 0 else "-" for branch in robot.branches)
    named = {mode.name: mode.signs for mode in robot.modes}
    default = next((name for name, other in named.items() if other == signs), signs)
    return {"default": default, **named}


def _commented(item: Item, field: dataclasses.Field[Any]) -> Item:
    stated = quantity_of(field)
    unit = f"{stated.unit_words}: " if stated is not None and stated.unit_words else ""
    return item.comment(f"{unit}{doc_of(field)}")


def _table(node: Any) -> Any:
    table = tomlkit.table()
    later = []
    for field in sorted(dataclasses.fields(node), key=lambda field: field.name != "kind"):
        value = getattr(node, field.name)
        needed = field.name == "kind" and not getattr(type(node), "implied", False)
        if not needed and identical(value, field.default):
            continue
        if dataclasses.is_dataclass(value) and not isinstance(value, Follow):
            later.append((field.name, _table(value)))
        else:
            table.add(field.name, _commented(_item(value), field))
    for name, inner in later:
        table.add(name, inner)
    return table


def _from_mapping(mapping: Mapping[str, str]) -> Any:
    table = tomlkit.table()
    for key, text in mapping.items():
        table.add(key, text)
    return table


def _item(value: Any) -> Item:
    """A value of a description in TOML."""
    if isinstance(value, Follow):
        inline = tomlkit.inline_table()
        inline.update({"of": value.of, "coefficients": [float(c) for c in value.coefficients]})
        return inline
    if isinstance(value, tuple):
        array = tomlkit.array()
        for entry in value:
            array.append(_item(entry))
        return array
    return tomlkit.item(float(value) if isinstance(value, float) else value)


def _update(table: Any, old: Any, new: Any, skip: tuple[str, ...] = ()) -> None:
    for field in dataclasses.fields(new):
        name = field.name
        before, after = getattr(old, name), getattr(new, name)
        if name in skip or identical(before, after):
            continue
        stated = quantity_of(field)
        if stated is not None:
            _set(table, name, _changed(table.get(name), before, after, stated))
        elif type(before) is type(after) and dataclasses.is_dataclass(after):
            if name not in table:
                table[name] = _table(after)
            _update(table[name], before, after)
        elif dataclasses.is_dataclass(after):
            _set(table, name, _table(after))
        else:
            _set(table, name, None if after is None else _item(after))


def _set(table: Any, name: str, item: Any) -> None:
    if item is None:
        table.pop(name, None)
    else:
        table[name] = item


def _changed(item: Any, before: Any, after: Any, stated: Quantity) -> Any:
    """The item for a changed value; in the unit and the layout of the old one where that is possible."""
    if after is None:
        return None
    same_length = isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after)
    if isinstance(item, Array) and same_length:
        for index, (entry, wanted) in enumerate(zip(before, after, strict=True)):
            if not identical(entry, wanted):
                item[index] = _changed(item[index], entry, wanted, stated.of_item(entry, index))
        return item
    if isinstance(item, String) and isinstance(after, float):
        text = units.rewritten(str(item), after, stated.unit)
        return _item(after) if text is None else tomlkit.item(text)
    return _item(after)


def _update_mapping(document: Any, name: str, old: Mapping[str, str], new: Mapping[str, str]) -> None:
    if dict(old) == dict(new):
        return
    if name not in document:
        document[name] = _from_mapping(new)
        return
    for key in old.keys() - new.keys():
        _set_text(document[name], key, None)
    for key, text in new.items():
        if old.get(key) != text:
            _set_text(document[name], key, text)


def _set_text(table: Any, key: str, text: str | None) -> None:
    """Set or remove a text by its dotted key, which the file may have written as one key or as nested tables."""
    head, _, rest = key.partition(".")
    if key not in table and rest and isinstance(table.get(head), Mapping):
        _set_text(table[head], rest, text)
    else:
        _set(table, key, text)
