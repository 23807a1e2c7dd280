"""The words of prose: README, pages that are held, and messages keep what docs/words.md asks for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from pages import ROOT
from prose import (
    AVOIDED,
    OPENINGS,
    SENTENCE_MAX,
    SENTENCE_MEAN,
    complaints,
    messages,
    objections,
    paragraphs,
    sentences,
    word_count,
)

HELD = (
    "README.md",
    *(
        f"docs/{name}.md"
        for name in (
            "words",
            "evaluate",
            "tuning",
            "robust",
            "studies",
            "into-the-controller",
            "own-law",
            "own-time-law",
            "frames",
            "gallery",
            "public",
        )
    ),
)
"""Pages that are held to the words of prose; a page that is rewritten joins them."""

SOURCES = sorted((ROOT / "src" / "parapick").rglob("*.py"))


@pytest.mark.parametrize("page", HELD)
def test_the_page_keeps_the_words_of_prose(page: str) -> None:
    found = complaints((ROOT / page).read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


def test_messages_keep_the_words_of_prose() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in SOURCES
        for line, message in messages(path)
        for text in objections(message)
    ]
    assert not found, "\n".join(found)


def test_messages_are_short() -> None:
    """A part of a message, up to a stop, a semicolon or a colon, is as short as a sentence."""
    parts = [
        (path, line, part)
        for path in SOURCES
        for line, message in messages(path)
        for part in re.split(r"(?<=[.!?;:])\s+", message)
    ]
    assert len(parts) > 1000
    long = [f"{path.relative_to(ROOT)}:{line}: {part}" for path, line, part in parts if word_count(part) > SENTENCE_MAX]
    assert not long, "\n".join(long)


def test_titles_of_shipped_files_keep_the_words_of_prose() -> None:
    titles = {
        path.name: tomllib.loads(path.read_text(encoding="utf-8")).get("title", "")
        for path in (ROOT / "src" / "parapick").rglob("*.toml")
    }
    assert {name: list(objections(title)) for name, title in titles.items() if list(objections(title))} == {}


def test_the_page_of_words_states_the_numbers_that_are_held() -> None:
    page = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")
    assert f"{SENTENCE_MEAN:g} words" in page
    assert f"{SENTENCE_MAX} words" in page
    held = set(re.findall(r"^- \[\]\((.*?)\)$", page, flags=re.MULTILINE))
    assert held == {Path(name).name for name in HELD if name.startswith("docs/")}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The robot does 120 cycles a minute.", "per minute"),
        ("The pose is looked at.", "computed"),
        ("The number stands in the file.", "is, means"),
        ("A line is no cycle.", "is not a"),
        ("Where a limit is missed, the answer is no.", "the subject comes first"),
        ("word " * SENTENCE_MAX + "end.", f"{SENTENCE_MAX + 1} words"),
        ("word " * (int(SENTENCE_MEAN) + 1) + "end.", "on average"),
        ("- A point.\n- With a comma, it goes on.", "the subject comes first"),
        ("The [page looked\nat](x.md) is.", "computed"),
    ],
)
def test_what_is_avoided_is_seen(text: str, told: str) -> None:
    assert any(told in complaint for complaint in complaints(text))


def test_what_is_no_prose_is_left_aside() -> None:
    page = """# Where it stands

| where it stands | a minute |
| --- | --- |
| With | 1 |

```console
$ parapick evaluate par4
up to 175 a minute
```

$$ x = y $$ (eq)

The law `it stands` and $a$ [](page.md) hold. It takes half a minute. There is no file.

![With a picture](x.png)
"""
    assert complaints(page) == []
    assert paragraphs(page)[0] == "The law code and code page hold. It takes half a minute. There is no file."


def test_sentences_end_where_they_end() -> None:
    text = 'The gain is 0.5 N m. It says "no." Then: 3 of 4 hold (see below). Why? So.'
    assert sentences(text) == ["The gain is 0.5 N m.", 'It says "no.', "Then: 3 of 4 hold (see below).", "Why?", "So."]
    assert word_count("the gain - 0.5 N m.") == 5


def test_messages_are_strings_that_are_not_docstrings(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""It stands."""\n\ndef f(x):\n    """A minute."""\n    return f"{x} a minute", "is no box"\n')
    assert list(messages(module)) == [(5, "x a minute"), (5, "is no box")]
    assert len([text for _, message in messages(module) for text in objections(message)]) == 2
    assert set(AVOIDED).isdisjoint(OPENINGS)
