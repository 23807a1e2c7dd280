"""What the pages take from the package itself, so that they cannot disagree with it.

Directives: `{fields} module.Class` is a table of the fields of a description with unit, range, default and meaning;
`{kinds} module.Union` is such a table for every member of a union; `{units}` lists the units a file may use;
`{errata} key` are the errata of a document with their evidence, `{verdicts}` the verdicts on its numbers. The
docstrings of the API are read as plain text with code in backticks, and what a field states of itself is added there.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import docutils.nodes
from sphinx.util.docutils import SphinxDirective

from parapick.fields import Label, doc_of, quantity_of, statement_of
from parapick.mechanism import Drive
from parapick.motion.law import LAWS, Law
from parapick.papers import document
from parapick.units import UNITS
from parapick_drawings import SKETCHES, letters
from parapick_records import errata_text, findings_text, verdicts_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docutils import nodes
    from sphinx.application import Sphinx


def _default(field: dataclasses.Field[Any]) -> str:
    default = field.default
    if default is dataclasses.MISSING:
        return "required" if field.default_factory is dataclasses.MISSING else ""
    if isinstance(default, Law):
        return f'`"{default.name}"`' if default == LAWS[default.name]() else f"{default.name}, ramp {default.ramp:.3g}"
    if isinstance(default, (str, bool)):
        return f"`{json.dumps(default)}`"
    if isinstance(default, tuple) and default and all(map(math.isfinite, default)):
        return f"`[{', '.join(f'{number:g}' for number in default)}]`"
    return f"`{default:g}`" if isinstance(default, (int, float)) and math.isfinite(default) else ""


def _range(field: dataclasses.Field[Any]) -> str:
    stated = quantity_of(field)
    if stated is None:
        return ""
    bounds = ((">", stated.above), ("≥", stated.at_least), ("≤", stated.at_most))
    limits = [f"{sign} {bound:g}" for sign, bound in bounds if bound is not None]
    choices = " or ".join(f"{value:g}" for value in stated.one_of)
    return ", ".join([*limits, choices] if choices else limits)


def _meaning(field: dataclasses.Field[Any]) -> str:
    text = doc_of(field)
    return (
        f"{text}; one number, or a list with one per {_axis(field)}"
        if re.search(r"float \| tuple|Numbers", str(field.type))
        else text
    )


def _axis(field: dataclasses.Field[Any]) -> str:
    """What a list of numbers has one for."""
    return {"joint": "joint", "task": "task coordinate", "gain": "axis"}.get(field.metadata.get("axis", ""), "leg")


def field_table(description: type[Any]) -> str:
    """Markdown table of the fields of a description, without `kind`.

    Args:
        description: a dataclass of `parapick.mechanism`.
    """
    rows = ["| field | unit | range | default | meaning |", "| --- | --- | --- | --- | --- |"]
    named = letters(description)
    for field in _stated(description):
        stated = quantity_of(field)
        unit = stated.unit_words if stated else ""
        letter = f" {_typeset(named[field.name])}" if field.name in named else ""
        rows.append(f"| `{field.name}`{letter} | {unit} | {_range(field)} | {_default(field)} | {_meaning(field)} |")
    return "\n".join(rows)


def _typeset(letter: str) -> str:
    """A letter such as "r_b" as HTML."""
    return re.sub(r"_(\w+)", r"<sub>\1</sub>", f"<i>{letter}</i>")


def _stated(description: type[Any]) -> Iterator[dataclasses.Field[Any]]:
    """Fields as a file has them: those that state something, and those of descriptions that stand in the same table."""
    hints = get_type_hints(description)
    for field in dataclasses.fields(description):
        statement = statement_of(field)
        if isinstance(statement, Label) and statement.inline:
            yield from _stated(hints[field.name])
        elif statement is not None and not (field.name == "kind" and len(get_args(hints["kind"])) == 1):
            yield field


def _subtables(description: type[Any]) -> Iterator[tuple[str, type[Any]]]:
    """Fields that are tables of their own, by path, with their description; drives have a section of theirs."""
    hints = get_type_hints(description)
    for field in dataclasses.fields(description):
        statement = statement_of(field)
        plain = isinstance(statement, Label) and statement.form is None and not statement.inline
        for member in (get_args(hints[field.name]) or (hints[field.name],)) if plain else ():
            if dataclasses.is_dataclass(member) and isinstance(member, type) and member is not Drive:
                yield field.name, member
                yield from ((f"{field.name}.{name}", nested) for name, nested in _subtables(member))


def kinds_text(union: Any) -> str:
    """Markdown for every member of a union of descriptions: its kind, what it is, its fields and subtables.

    Args:
        union: such as `parapick.mechanism.Base`.
    """
    parts: list[str] = []
    shown: set[type[Any]] = set()
    for description in get_args(union):
        parts += [f"{_kind(description)} {inspect.getdoc(description)}", *_drawn(description), field_table(description)]
        for name, nested in _subtables(description):
            if nested in shown:
                continue
            shown.add(nested)
            kind = f", {_kind(nested)}" if "kind" in nested.__dataclass_fields__ else "."
            parts += [f"The table `{name}`{kind} {inspect.getdoc(nested)}"]
            parts += [field_table(nested)] if list(_stated(nested)) else []
    return "\n\n".join(parts)


def _drawn(description: type[Any]) -> list[str]:
    """The drawing of a kind, where it has one."""
    name = f"{description.__module__}.{description.__name__}"
    return [f"```{{drawing}} {name}\n```"] if description in SKETCHES else []


def _kind(description: type[Any]) -> str:
    """The line that chooses a member of a union: its field `kind`, or for a control law its name."""
    for field in dataclasses.fields(description):
        if field.name == "kind":
            return f'`kind = "{field.default}"`: {doc_of(field)}.'
    return f'`kind = "{description.name}"`:'


def units_table() -> str:
    """Markdown table of the units a file may use."""
    rows = ["| SI unit | may also be written in |", "| --- | --- |"]
    for unit, spellings in UNITS.items():
        rows.append(f"| {unit or 'pure number'} | {', '.join(f'`{name}`' for name in spellings if name != unit)} |")
    return "\n".join(rows)


class _FromPackage(SphinxDirective):
    """A directive whose argument is the dotted name of something in the package."""

    required_arguments = 1

    def parsed(self, text: str) -> list[nodes.Node]:
        """Markdown as nodes; its tables are of the class `fields`."""
        found = self.parse_text_to_nodes(text)
        for table in (table for node in found for table in node.findall(docutils.nodes.table)):
            table["classes"].append("fields")
        return found

    def subject(self) -> Any:
        module, _, name = self.arguments[0].rpartition(".")
        return getattr(import_module(module), name)


class Fields(_FromPackage):
    """Directive `{fields} module.Class`."""

    def run(self) -> list[nodes.Node]:
        """Put the table into the page, below the drawing of a kind that has one."""
        return self.parsed("\n\n".join([*_drawn(self.subject()), field_table(self.subject())]))


class Kinds(_FromPackage):
    """Directive `{kinds} module.Union`."""

    def run(self) -> list[nodes.Node]:
        """Put the kinds into the page."""
        return self.parsed(kinds_text(self.subject()))


class Errata(SphinxDirective):
    """Directive `{errata} key`: the errata of a document with their evidence."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Put table and evidence into the page."""
        return self.parse_text_to_nodes(errata_text(document(self.arguments[0])))


class Verdicts(SphinxDirective):
    """Directive `{verdicts}`: how many printed numbers have which verdict, by document, as recorded."""

    def run(self) -> list[nodes.Node]:
        """Put the table into the page."""
        return self.parse_text_to_nodes(verdicts_text())


class Findings(SphinxDirective):
    """Directive `{findings}`: what the documents did not say."""

    def run(self) -> list[nodes.Node]:
        """Put the list into the page."""
        return self.parse_text_to_nodes(findings_text())


class Units(SphinxDirective):
    """Directive `{units}`."""

    def run(self) -> list[nodes.Node]:
        """Put the table into the page."""
        return self.parse_text_to_nodes(units_table())


def _escaped(line: str) -> str:
    """The line with the signs that reStructuredText would interpret escaped, except inside backticks."""
    bullet = re.match(r"\s*[*] ", line)
    start = bullet.end() if bullet else 0
    pieces = re.split(r"(`+[^`]*`+)", line[start:])
    pieces[::2] = [re.sub(r"([|*]|(?<=\w)_(?!\w))", r"\\\1", piece) for piece in pieces[::2]]
    return line[:start] + "".join(pieces)


def plain_docstring(_app: Sphinx, _what: str, _name: str, obj: object, _options: object, lines: list[str]) -> None:
    """Read a docstring as text with code in backticks, and add what the fields of a description state."""
    lines[:] = [_escaped(line) for line in lines]
    if not (isinstance(obj, type) and dataclasses.is_dataclass(obj)):
        return
    stated = [field for field in dataclasses.fields(obj) if doc_of(field)]
    if stated:
        lines += ["", "Attributes:"]
    for field in stated:
        quantity = quantity_of(field)
        unit = f" ({quantity.unit_words})" if quantity and quantity.unit_words else ""
        lines.append(_escaped(f"    {field.name}: {doc_of(field)}{unit}"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives and the docstring reader, which comes before napoleon's (priority 500)."""
    app.add_directive("fields", Fields)
    app.add_directive("kinds", Kinds)
    app.add_directive("units", Units)
    app.add_directive("errata", Errata)
    app.add_directive("verdicts", Verdicts)
    app.add_directive("findings", Findings)
    app.connect("autodoc-process-docstring", plain_docstring, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
