"""XML files within bounds: every file of another program that is XML is read here.

A parser takes what it is given: entities that name each other grow to gigabytes, deep elements cost its stack. So a
document type is refused where it begins, before anything it declares, and elements are counted while they are read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, final
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from parapick.files import UnreadableError, read_text

SIZE_MAX: Final = 20_000_000
"""Most bytes of a file: the hardware of a machine with a robot has 50,000, and a line with hundreds of drives a few
million."""

DEPTH_MAX: Final = 32
"""Most elements inside each other: a mechanical system has eight."""

ELEMENTS_MAX: Final = 200_000
"""Most elements of a file: a mechanical system with its table has a thousand."""

TEXT_MAX: Final = 2_000
"""Longest value of an attribute, and longest text of an element (characters): the longest of a project is a path of
files, which systems keep below this."""

_NO_XML_CHARACTER: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document can hold, not even as a reference."""


@final
@dataclass(frozen=True)
class Node:
    """An element.

    Attributes:
        tag: its name, with no name space.
        attributes: its attributes.
        children: the elements in it.
        text: what stands in it beside them, without space around it.
        line: its line in the file, from 1.
    """

    tag: str
    attributes: Mapping[str, str]
    children: tuple[Node, ...] = ()
    text: str = ""
    line: int = 0


def read_xml(path: str | Path, kind: str) -> Node:
    """The outermost element of an XML file.

    Args:
        path: the file.
        kind: what it should be, for messages: "a mechanical system".

    Raises:
        UnreadableError: it cannot be read, holds more than such a file does, or is not XML; the message has the line.
    """
    builder = _Builder(path, kind)
    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = lambda *_: builder.refuse(
        parser, "a document type (<!DOCTYPE), which could declare entities; such a file has none"
    )
    parser.StartElementHandler = lambda tag, attributes: builder.start(parser, tag, attributes)
    parser.EndElementHandler = lambda _: builder.end()
    parser.CharacterDataHandler = lambda text: builder.add(parser, text)
    try:
        # As bytes, so that another encoding that the file names does not count: it was read as UTF-8.
        parser.Parse(read_text(path, SIZE_MAX, kind).encode(), True)
    except expat.ExpatError as error:
        message = f"line {error.lineno}: is not XML: {expat.ErrorString(error.code)}"
        raise UnreadableError(path, f"is not {kind}: {message}") from error
    return builder.root


class _Builder:
    """What is read so far."""

    def __init__(self, path: str | Path, kind: str) -> None:
        self._path, self._kind, self._count = path, kind, 0
        self._open: list[tuple[str, dict[str, str], list[Node], list[str], int]] = []
        self._root: list[Node] = []

    @property
    def root(self) -> Node:
        """The outermost element; there is one wherever the parser had nothing to say."""
        return self._root[0]

    def refuse(self, parser: expat.XMLParserType, message: str) -> None:
        """Raise with the line at which the parser is."""
        raise UnreadableError(self._path, f"is not {self._kind}: line {parser.CurrentLineNumber}: {message}")

    def start(self, parser: expat.XMLParserType, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        self._count += 1
        for name, count, most in (
            ("elements inside each other", len(self._open) + 1, DEPTH_MAX),
            ("elements up to here", self._count, ELEMENTS_MAX),
            ("characters in a value", max(map(len, (tag, *attributes, *attributes.values()))), TEXT_MAX),
        ):
            if count > most:
                self.refuse(parser, f"more than {most} {name}")
        self._open.append((tag.rpartition(":")[2], attributes, [], [], parser.CurrentLineNumber))

    def add(self, parser: expat.XMLParserType, text: str) -> None:
        """Text in the innermost element."""
        if text.strip():
            texts = self._open[-1][3]
            texts.append(text.strip())
            if sum(map(len, texts)) > TEXT_MAX:
                self.refuse(parser, f"more than {TEXT_MAX} characters in an element")

    def end(self) -> None:
        """The innermost element ends."""
        tag, attributes, children, texts, line = self._open.pop()
        node = Node(tag, attributes, tuple(children), " ".join(texts), line)
        (self._open[-1][2] if self._open else self._root).append(node)


def xml_text(root: Node, *heads: str) -> str:
    """A document, indented by two spaces; UTF-8 with a byte order mark and line ends as the system's editor has them.

    Args:
        root: its outermost element.
        heads: lines between the declaration and the element.

    Raises:
        ValueError: a value that no XML document can hold.
    """
    return "\ufeff" + "\n".join(('<?xml version="1.0" encoding="utf-8"?>', *heads, *_lines(root, ""))) + "\n"


def _lines(node: Node, indent: str) -> list[str]:
    values = "".join(f" {name}={quoteattr(value)}" for name, value in node.attributes.items())
    if _NO_XML_CHARACTER.search(values):
        raise ValueError(f"{node.tag}: a value has a character that no XML document can hold")
    if not node.children:
        return [f"{indent}<{node.tag}{values} />"]
    inner = [line for child in node.children for line in _lines(child, f"{indent}  ")]
    return [f"{indent}<{node.tag}{values}>", *inner, f"{indent}</{node.tag}>"]
