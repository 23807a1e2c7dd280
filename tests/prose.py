"""Prose as sentences: what is left of a page without its code, tables, formulas and links, and of a message."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

SENTENCE_MAX: Final = 35
"""Most words of a sentence."""

SENTENCE_MEAN: Final = 20.0
"""Most words of the sentences of a page, on average."""

AVOIDED: Final = {
    r"\ba (?:second|minute|hour)\b": "per second, per minute, per hour",
    r"\blook(?:s|ed) at\b": "computed, checked, sampled",
    r"\bstands\b": "is, means",
    r"(?<!here )\b(?:is|are) no (?!if\b|with\b)\w+": "is not a ...",
}
"""Words that prose does without, as patterns, and what to write instead."""

_SPANS: Final = r"\b(?:half|than|about|of|takes|within|in) a (?:second|minute|hour)\b"
"""A span of time, which is not a rate."""

OPENINGS: Final = frozenset(
    {
        "along",
        "as",
        "at",
        "beside",
        "between",
        "by",
        "during",
        "for",
        "from",
        "if",
        "in",
        "into",
        "likewise",
        "of",
        "on",
        "to",
        "under",
        "unlike",
        "when",
        "where",
        "whether",
        "while",
        "with",
        "within",
        "without",
    }
)
"""Words with which a sentence does not begin: its subject is still to come."""

_DROPPED: Final = (
    r"^(?P<fence>`{3,}|:{3,})[\s\S]*?^(?P=fence)[ \t]*$",  # code and directives
    r"^\$\$[\s\S]*?\$\$.*$",  # formulas
    r"^\|.*$",  # rows of tables
    r"^#+ .*$",  # headings
    r"!\[[^\]]*\]\([^)]*\)",  # pictures
    r"<!--[\s\S]*?-->",
)


def paragraphs(page: str) -> list[str]:
    """The paragraphs and points of a Markdown page, each on one line; a link is its text and code is one word.

    Args:
        page: the text of the page.
    """
    for pattern in _DROPPED:
        page = re.sub(pattern, "\n", page, flags=re.MULTILINE)
    page = re.sub(r"`[^`]*`|(?<!\$)\$[^$]+\$", "code", page)
    page = re.sub(r"\[\]\([^)]*\)", "page", page)
    page = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", page)
    page = re.sub(r"^\s*(?:- |\* |\d+\. |: )", "\n\n", page, flags=re.MULTILINE)
    parts = (re.sub(r"\s+", " ", part.replace("*", "")).strip() for part in re.split(r"\n\s*\n", page))
    return [part for part in parts if part]


def sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph: they end in a full stop, a question or an exclamation mark."""
    return [part for part in re.split(r"(?<=[.!?])[\")]?\s+(?=[\"(]?[A-Z0-9]|code|parapick)", paragraph) if part]


def word_count(sentence: str) -> int:
    """Words of a sentence; a number with its unit sign, or a dash by itself, is none."""
    return sum(bool(re.search(r"[^\W\d]", word)) or word[:1].isdigit() for word in sentence.split())


def objections(sentence: str) -> Iterator[str]:
    """What is against the words of a sentence, whatever its length."""
    plain = re.sub(_SPANS, "", sentence)
    for pattern, instead in AVOIDED.items():
        yield from (f"{match[0]!r}; write: {instead}" for match in re.finditer(pattern, plain))


def complaints(page: str) -> list[str]:
    """What is against the prose of a page.

    Args:
        page: its text, Markdown.
    """
    found, lengths = [], []
    for sentence in (one for paragraph in paragraphs(page) for one in sentences(paragraph)):
        count = word_count(sentence)
        lengths.append(count)
        found += [f"{text}: {sentence}" for text in objections(sentence)]
        if count > SENTENCE_MAX:
            found.append(f"{count} words, at most {SENTENCE_MAX}: {sentence}")
        if (first := re.match(r"\w+", sentence)) and first[0].lower() in OPENINGS:
            found.append(f"opens with {first[0]!r}; the subject comes first: {sentence}")
    if lengths and (mean := sum(lengths) / len(lengths)) > SENTENCE_MEAN:
        found.append(f"{mean:.1f} words a sentence on average, at most {SENTENCE_MEAN:g}")
    return found


@cache
def messages(module: Path) -> tuple[tuple[int, str], ...]:
    """The texts of a module that a user may read, with their lines: strings with a space that are not docstrings.

    Args:
        module: the file.
    """
    return tuple(_messages(ast.parse(module.read_text(encoding="utf-8"))))


def _messages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    inside = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Expr, ast.JoinedStr))
        for child in ast.walk(node)
        if isinstance(child, ast.Constant) and (isinstance(node, ast.JoinedStr) or child is getattr(node, "value", 0))
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, node.value
