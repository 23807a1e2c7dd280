"""Texts and tables in a width: no word is cut, no line is longer than it must be, nothing is lost."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, strategies as st

from parapick.cli.layout import TextGrid, table_lines
from parapick.cli.wrapping import display_width, list_lines, wrapped

WIDTHS = st.integers(1, 140)
WORDS = st.text("abcdefghijklm-_.0123456789机é", min_size=1, max_size=14)
TEXTS = st.lists(WORDS, min_size=0, max_size=8).map(" ".join)
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: f"{value:.4g}")
UNITS = st.sampled_from(["", " (N m)", " (mm)", " (mm/(N m))"])
HEADS = st.tuples(WORDS, UNITS).map("".join)

NARROW = TextGrid(
    ("motor", "peak (N m)", "what it is", "x (mm)", "y (mm)"),
    (("1", "26.75", "the first of all motors of the robot", "-152.5", "0.0"), ("2", "-3.1", "second", "76.2", "1.0")),
    frozenset({0, 1, 3, 4}),
    frozenset({(0, 1)}),
    ((3, 4),),
)


@st.composite
def grids(draw: st.DrawFn) -> TextGrid:
    """Tables of any heads, texts and numbers."""
    count, rows = draw(st.integers(1, 9)), draw(st.integers(0, 5))
    numeric = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    cells = [draw(st.lists(NUMBERS if number else TEXTS, min_size=rows, max_size=rows)) for number in numeric]
    heads = tuple(draw(st.lists(HEADS, min_size=count, max_size=count)))
    numbers = frozenset(i for i, number in enumerate(numeric) if number)
    details = draw(st.sampled_from([(), ((count - 1,),)])) if count > 2 else ()
    return TextGrid(heads, tuple(zip(*cells, strict=True)), numbers, frozenset(), details)


def plain(grid: TextGrid, width: int) -> list[str]:
    return ["".join(text for text, _ in line) for line in table_lines(grid, width)]


def words(text: str) -> Counter[str]:
    return Counter(word.strip(":,") for word in re.split(r"[ \n]+", text) if word)


def too_long(lines: list[str], width: int) -> list[str]:
    """Lines beyond a width, other than a word alone."""
    return [line for line in lines if display_width(line) > width and len(line.split()) > 1]


# Texts


@given(TEXTS, WIDTHS)
def test_a_text_keeps_its_words_in_order(text: str, width: int) -> None:
    lines = wrapped(text, width, "  ")
    assert " ".join(lines).split() == text.split()
    assert not too_long(lines, width)
    assert not [line for line in lines if line != line.rstrip()]


def test_a_number_stays_with_its_unit() -> None:
    lines = wrapped("peak torque of motor 2 at 30 % of 90 N m at 0.1 s", 12)
    for amount in ("30 %", "90 N m", "0.1 s"):
        assert any(amount in line for line in lines), amount


def test_a_wide_letter_takes_two_columns() -> None:
    assert display_width("机机") == 4
    assert wrapped("机机 机机", 8) == ["机机", "机机"]
    assert display_width("e\u0301") == 1


@given(st.lists(st.tuples(WORDS, TEXTS), min_size=1, max_size=6), WIDTHS)
def test_a_list_keeps_every_word(entries: list[tuple[str, str]], width: int) -> None:
    lines = list(list_lines(entries, width))
    assert words(" ".join(lines)) == sum((words(f"{name} {text}") for name, text in entries), Counter())
    assert not too_long(lines, width)


def test_a_list_without_room_goes_on_below_its_names() -> None:
    entries = [("largest over smallest", "0.7109 of all that there is")]
    assert next(list_lines(entries, 60)).startswith("largest over smallest  0.7109")
    assert next(list_lines(entries, 30)) == "largest over smallest: 0.7109"


# Tables


@given(grids(), WIDTHS)
def test_no_word_of_a_table_is_cut_or_lost(grid: TextGrid, width: int) -> None:
    lines = plain(grid, width)
    shown = words(" ".join(lines))
    hidden = {i for group in grid.details for i in group} if any("left out at" in line for line in lines) else set()
    for i in set(range(len(grid.heads))) - hidden:
        for cell in grid.cells(i):
            assert not words(cell) - shown, cell
    for i, head in enumerate(grid.heads):
        # A block has no line for what is empty.
        assert not any(grid.cells(i)) or not words(head) - shown, head
    assert not too_long(lines, width)
    assert not [line for line in lines if line != line.rstrip()]


@given(grids(), WIDTHS)
def test_a_number_is_on_one_line_and_whole(grid: TextGrid, width: int) -> None:
    lines = plain(grid, width)
    left_out = any("left out at" in line for line in lines)
    for i in grid.numbers - {i for group in grid.details for i in group if left_out}:
        assert all(any(cell in line.split() for line in lines) for cell in grid.cells(i))


def test_a_table_that_fits_has_a_line_for_each_row() -> None:
    head, first, second = plain(NARROW, 90)
    assert " ".join(head.split()) == "motor peak (N m) what it is x (mm) y (mm)"
    # Numbers stand to the right, below the end of their head.
    assert head.index("(N m)") + len("(N m)") == first.index("26.75") + len("26.75") == second.index("-3.1") + 4
    assert "the first of all motors of the robot" in first


def test_texts_are_broken_before_anything_is_left_out() -> None:
    lines = plain(NARROW, 56)
    assert len(lines) > 3
    assert any("-152.5" in line for line in lines)
    assert not any("left out" in line for line in lines)


def test_details_are_left_out_and_named() -> None:
    lines = plain(NARROW, 42)
    assert lines[-1] == "left out at this width: x (mm), y (mm)"
    assert not any("-152.5" in line for line in lines)
    assert any("26.75" in line for line in lines)


def test_columns_go_on_below_with_what_tells_rows_apart() -> None:
    grid = TextGrid(
        ("law", "number", *(f"x{i}" for i in range(6))),
        (("pd", "kp", *"123456"), ("pd", "kd", *"abcdef")),
        frozenset(range(2, 8)),
    )
    lines = plain(grid, 24)
    # Law alone tells no rows apart; with the number it does.
    assert [line.split()[:2] for line in lines if line.startswith("law")] == [["law", "number"]] * 2
    assert next(line.split()[:2] for line in lines if "6" in line) == ["pd", "kp"]


def test_a_number_and_the_column_of_its_unit_stay_together() -> None:
    grid = TextGrid(
        ("guard", "nearest", "unit", "limit", "unit"), (("torque", "26", "N m", "90", "N m"),), frozenset({1, 3})
    )
    for width in range(22, 32):
        for line in plain(grid, width):
            assert ("26" in line) <= ("26  N m" in line)
            assert ("90" in line) <= (re.search(r"90\s+N m", line) is not None)


def test_where_nothing_else_fits_a_row_is_a_block() -> None:
    grid = TextGrid(("file", "peak (N m)"), (("/a/very/long/path/of/a/file.csv", "26.75"),), frozenset({1}))
    assert plain(grid, 20) == ["file:", "    /a/very/long/path/of/a/file.csv", "peak (N m): 26.75"]


@pytest.mark.parametrize("width", [30, 50, 90])
def test_styles_are_those_of_heads_and_alarms(width: int) -> None:
    pieces = [piece for line in table_lines(NARROW, width) for piece in line]
    assert {text for text, style in pieces if style == "bold red"} == {"26.75"}
    assert "motor" in {text for text, style in pieces if style == "bold"}
