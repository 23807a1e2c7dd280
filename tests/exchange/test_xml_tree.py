"""XML within bounds: hostile and damaged files are refused with their line, before they cost anything."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from fuzzing import guarded
from parapick.exchange import xml_tree
from parapick.exchange.xml_tree import DEPTH_MAX, ELEMENTS_MAX, SIZE_MAX, TEXT_MAX, Node, read_xml, xml_text
from parapick.files import UnreadableError

LAUGHS = '<!DOCTYPE a [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


def read(folder: Path, text: str | bytes) -> Node:
    path = folder / "file.axis"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with guarded():
        return read_xml(path, "a configuration")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{LAUGHS}]><a>&i;</a>", "line 1: a document type"),
        ('\n<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "line 2: a document type"),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "a document type"),
        ("<a>&x;</a>", "line 1: is not XML: undefined entity"),
        ("<a>" * (DEPTH_MAX + 1) + "</a>" * (DEPTH_MAX + 1), f"more than {DEPTH_MAX} elements inside each other"),
        ("<a>" * 100_000, f"more than {DEPTH_MAX} elements inside each other"),
        (f'<a b="{"x" * (TEXT_MAX + 1)}"/>', f"more than {TEXT_MAX} characters"),
        (f"<{'x' * (TEXT_MAX + 1)}/>", f"more than {TEXT_MAX} characters"),
        (f"<a>{'x' * (TEXT_MAX + 1)}</a>", f"more than {TEXT_MAX} characters"),
        ("<a><b></a>", "is not XML: mismatched tag"),
        ("<a>\n<b", "line 2: is not XML: unclosed token"),
        ("", "is not XML: no element found"),
        ("<a/><b/>", "is not XML: junk after document element"),
        ("<a\x00/>", "is not XML"),
        ("<a b='1' b='2'/>", "is not XML: duplicate attribute"),
        (b"<a b='\xff'/>", "is not UTF-8 text"),
        ("<a/>".encode("utf-16"), "is not UTF-8 text"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        read(tmp_path, text)


def test_elements_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ELEMENTS_MAX == 200_000
    monkeypatch.setattr(xml_tree, "ELEMENTS_MAX", 50)
    assert len(read(tmp_path, "<a>" + "<b/>" * 49 + "</a>").children) == 49
    with pytest.raises(UnreadableError, match="line 2: more than 50 elements up to here"):
        read(tmp_path, "<a>" + "<b/>" * 49 + "\n<b/></a>")


def test_a_huge_file_is_not_even_opened(tmp_path: Path) -> None:
    path = tmp_path / "Hardware.hw"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with guarded(0.5), pytest.raises(UnreadableError, match=f"too large .* at most {SIZE_MAX}"):
        read_xml(path, "a configuration")


def test_what_is_read(tmp_path: Path) -> None:
    head = '\ufeff<?xml version="1.0" encoding="utf-16"?>\n<?AS 4?>\n'
    text = f'{head}<x:a xmlns:x="u">\n<b c="&lt;&#228;"/>word <!-- no -->\n</x:a>'
    root = read(tmp_path, text)
    assert (root.tag, root.line, root.text) == ("a", 3, "word")
    assert root.children == (Node("b", {"c": "<ä"}, line=4),)


def test_a_document_reads_back_here_and_elsewhere(tmp_path: Path) -> None:
    root = Node("a", {"v": '<"&ä'}, (Node("b", {"n": "1"}), Node("c", {}, (Node("d", {"x": "a\nb"}),))))
    text = xml_text(root, "<?AS 4?>")
    again = read(tmp_path, text)
    other = ET.fromstring(text.removeprefix("\ufeff"))

    def plain(node: Node) -> tuple[object, ...]:
        return node.tag, dict(node.attributes), tuple(map(plain, node.children))

    def foreign(node: ET.Element) -> tuple[object, ...]:
        return node.tag, node.attrib, tuple(map(foreign, node))

    assert plain(again) == plain(root) == foreign(other)


@pytest.mark.parametrize("value", ["\x00", "a\x1b", "\ufffe", "\ud800"])
def test_what_no_document_can_hold_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="no XML document can hold"):
        xml_text(Node("a", {"b": value}))
