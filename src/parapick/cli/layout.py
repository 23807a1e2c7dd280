"""A table of texts in a width: one rule, by which no number and no word is cut in two.

What is tried in turn, until the table fits:

1. Every cell on one line.
2. Heads are broken between words, their units kept whole; then texts, the widest first, to `ROOM` characters at least.
   Numbers are never broken.
3. Details are left out, those that are named first, and a line below the table names them.
4. The table goes on below itself with its other columns; the columns by which rows are told apart are repeated.
5. Every row is a block of its own, with a line for each cell: its head, and what it says.

Only a single word that is longer than the width makes a longer line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

from parapick.cli.wrapping import ROOM, display_width, glued, glued_unit, list_lines, longest_word, wrapped

GAP: Final = "  "
"""What stands between two columns."""

HEAD: Final = "bold"
ALARM: Final = "bold red"
"""Styles of heads, and of cells that stand out; other text has none."""

_UNIT: Final = "unit"
"""Head of a column that gives the unit of the number before it, row by row."""

Line = list[tuple[str, str]]
"""Pieces of a line: text and style each."""


@final
@dataclass(frozen=True)
class TextGrid:
    """A table of texts.

    Attributes:
        heads: heads of the columns.
        rows: the cells.
        numbers: columns of numbers, which stand to the right and are not broken.
        alarms: row and column of the cells that stand out.
        details: groups of columns that may be left out, the first group first.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    alarms: frozenset[tuple[int, int]] = frozenset()
    details: tuple[tuple[int, ...], ...] = ()

    def chosen(self, columns: Sequence[int]) -> TextGrid:
        """The table with these of its columns, in this order.

        Args:
            columns: their indices.
        """
        places = {old: new for new, old in enumerate(columns)}
        return TextGrid(
            tuple(self.heads[i] for i in columns),
            tuple(tuple(row[i] for i in columns) for row in self.rows),
            frozenset(places[i] for i in self.numbers if i in places),
            frozenset((row, places[i]) for row, i in self.alarms if i in places),
        )

    def cells(self, column: int) -> tuple[str, ...]:
        """The cells of a column.

        Args:
            column: its index.
        """
        return tuple(row[column] for row in self.rows)


def table_lines(grid: TextGrid, width: int) -> list[Line]:
    """A table as lines of a width (characters).

    Args:
        grid: the table.
        width: of the lines.
    """
    columns = list(range(len(grid.heads)))
    left_out: list[str] = []
    for group in ((), *grid.details):
        left_out += [grid.heads[i] for i in group]
        columns = [i for i in columns if i not in group]
        shown = grid.chosen(columns)
        if widths := _fitted(shown, width):
            return [*_drawn(shown, widths), *_left_out(left_out, width)]
    whole = replace(grid, details=())
    return _folded(whole, width) or _blocks(whole, width)


def _left_out(heads: Sequence[str], width: int) -> list[Line]:
    """A line that names what was left out; none where nothing was."""
    if not heads:
        return []
    text = f"left out at this width: {', '.join(map(glued, heads))}"
    return [[(line, "")] for line in wrapped(text, width, GAP)]


def _fitted(grid: TextGrid, width: int) -> list[int]:
    """Widths of the columns, so that the table fits; empty where it cannot."""
    cells = [max(map(display_width, grid.cells(i)), default=0) for i in range(len(grid.heads))]
    widths = [max(cell, display_width(head)) for cell, head in zip(cells, grid.heads, strict=True)]
    floors = [_floor(grid, i) for i in range(len(grid.heads))]
    room = width - len(GAP) * (len(widths) - 1)
    while sum(widths) > room:
        # A broken head costs one line, broken texts may cost one in every row.
        wide = [i for i, size in enumerate(widths) if size > max(floors[i], cells[i])]
        wide = wide or [i for i, size in enumerate(widths) if size > floors[i]]
        if not wide:
            return []
        widths[max(wide, key=lambda i: widths[i])] -= 1
    return widths


def _floor(grid: TextGrid, column: int) -> int:
    """Least width of a column."""
    head, cells = longest_word(glued_unit(grid.heads[column])), grid.cells(column)
    longest = max(map(display_width, cells), default=0)
    if column in grid.numbers:
        return max(head, longest)
    return max(head, min(longest, ROOM), max(map(longest_word, cells), default=0))


def _drawn(grid: TextGrid, widths: Sequence[int]) -> list[Line]:
    """The lines of a table whose columns have these widths."""
    heads = [wrapped(glued_unit(head), size) for head, size in zip(grid.heads, widths, strict=True)]
    deep = max(map(len, heads))
    # Heads stand on the line above their cells.
    lines = [*_row_lines([[""] * (deep - len(head)) + head for head in heads], grid, widths, [HEAD] * len(widths))]
    for number, row in enumerate(grid.rows):
        styles = [ALARM if (number, i) in grid.alarms else "" for i in range(len(row))]
        pairs = enumerate(zip(row, widths, strict=True))
        cells = [[cell] if i in grid.numbers else wrapped(cell, size) for i, (cell, size) in pairs]
        lines += _row_lines(cells, grid, widths, styles)
    return lines


def _row_lines(
    cells: Sequence[Sequence[str]], grid: TextGrid, widths: Sequence[int], styles: Sequence[str]
) -> Iterable[Line]:
    for depth in range(max(map(len, cells))):
        line: Line = []
        for i, (lines, size, style) in enumerate(zip(cells, widths, styles, strict=True)):
            text = lines[depth] if depth < len(lines) else ""
            blanks = " " * (size - display_width(text))
            before, behind = (blanks, "") if i in grid.numbers else ("", blanks)
            line += [(before, ""), (text, style), (behind + (GAP if i + 1 < len(widths) else ""), "")]
        yield _stripped(line)


def _stripped(line: Line) -> Line:
    """A line without the blanks at its end, and without pieces that are empty."""
    pieces = [piece for piece in line if piece[0]]
    while pieces and not pieces[-1][0].strip():
        pieces.pop()
    return [*pieces[:-1], (pieces[-1][0].rstrip(), pieces[-1][1])] if pieces else []


def _keys(grid: TextGrid) -> list[int]:
    """The leading columns by which rows are told apart; the first alone where none are."""
    for count in range(1, len(grid.heads)):
        if len({row[:count] for row in grid.rows}) == len(grid.rows):
            return list(range(count))
    return [0]


def _folded(grid: TextGrid, width: int) -> list[Line]:
    """The table with columns below one another; no lines where a column does not fit beside the keys."""
    keys = _keys(grid)
    others, groups = _bound(grid, keys), [list(keys)]
    if not others:
        return []
    for column in others:
        if not _fitted(grid.chosen([*keys, *column]), width):
            return []
        if _fitted(grid.chosen([*groups[-1], *column]), width):
            groups[-1] += column
        else:
            groups.append([*keys, *column])
    lines: list[Line] = []
    for group in groups:
        part = grid.chosen(group)
        lines += [*([[]] if lines else []), *_drawn(part, _fitted(part, width))]
    return lines


def _bound(grid: TextGrid, keys: Sequence[int]) -> list[list[int]]:
    """The columns that are not keys, a number together with the column of its unit."""
    bound: list[list[int]] = []
    for i in range(len(keys), len(grid.heads)):
        if grid.heads[i] == _UNIT and bound:
            bound[-1].append(i)
        else:
            bound.append([i])
    return bound


def _blocks(grid: TextGrid, width: int) -> list[Line]:
    """Every row as a list of its cells by their heads, an empty line between two rows."""
    lines: list[Line] = []
    for row in grid.rows:
        entries = [(head, cell) for head, cell in zip(grid.heads, row, strict=True) if cell]
        lines += [[]] if lines else []
        lines += [[(line, "")] for line in list_lines(entries, width)] if entries else []
    return lines
