"""How the help of a command is laid out: wrapped once, beside the option that it explains, at any width."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, final

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions

_INDENT: Final = 2
_HANGING: Final = 6
"""Where texts begin that do not fit beside their names (characters)."""
_BESIDE: Final = 24
"""Names at most this wide have their text beside them (characters)."""

_RANKS: Final = {"--out": 0, "--force": 0, "--json": 2}
"""Which options stand first in their group, and which last; the others keep their order."""


@final
class HelpLayout:
    """A formatter of cyclopts that wraps every text once: no line is wider than the terminal, no word is split."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print a group of commands or options.

        Args:
            console: where to print.
            options: not used.
            panel: the group.
        """
        if not panel.entries:
            return
        lines = [] if not panel.title else [f"{panel.title}:"]
        for entry in sorted(panel.entries, key=lambda entry: _RANKS.get(_labels(entry).partition(" ")[0], 1)):
            lines += _entry_lines(_labels(entry), _explained(entry), console.width)
        _print(console, [*lines, ""])

    def render_usage(self, console: Console, _options: ConsoleOptions, usage: Any) -> None:
        """Print how a command is called."""
        text = _plain(usage)
        if text:
            _print(console, [wrapped(f"Usage: {text.removeprefix('Usage: ')}", console.width, " " * _HANGING), ""])

    def render_description(self, console: Console, _options: ConsoleOptions, description: Any) -> None:
        """Print what a command does."""
        paragraphs = [part for part in _plain(description).split("\n\n") if part.strip()]
        for part in paragraphs:
            # Lines that are indented, such as an example, stay as they are.
            lines = part.splitlines() if part.startswith(" ") else _wrapped(part, console.width)
            _print(console, [*lines, ""])


def wrapped_list(entries: dict[str, str], width: int, column: int) -> str:
    """Short names with their texts beside them.

    Args:
        entries: the texts by name.
        width: of the output (characters).
        column: where the texts begin behind the indent (characters).
    """
    indent = " " * (_INDENT + column)
    return "\n".join(wrapped(f"{'':{_INDENT}}{name:<{column}}{text}", width, indent) for name, text in entries.items())


def wrapped(text: str, width: int, indent: str = "") -> str:
    """A text, at most so wide, broken between words only; blanks stay as they are.

    Args:
        text: the text.
        width: of the output (characters).
        indent: before all lines but the first.
    """
    return textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _labels(entry: HelpEntry) -> str:
    return ", ".join(entry.display_labels_with_metavar)


def _explained(entry: HelpEntry) -> str:
    """The text of an option, with its choices and its default."""
    parts = [_plain(entry.description)]
    if entry.choices:
        parts.append(f"One of {', '.join(entry.choices)}.")
    if entry.default is not None:
        parts.append(f"Default: {entry.default.removesuffix('.0')}.")
    return " ".join(filter(None, parts))


def _entry_lines(name: str, text: str, width: int) -> Iterator[str]:
    """The lines of a name and its text, which stands beside it or below."""
    column = _INDENT + _BESIDE
    if len(name) <= _BESIDE - 2 and width >= 72:
        first, *rest = _wrapped(text, width - column) or [""]
        yield f"{'':{_INDENT}}{name:<{_BESIDE}}{first}".rstrip()
        yield from (f"{'':{column}}{line}" for line in rest)
        return
    indent = column if width >= 72 else _HANGING
    yield from _wrapped(f"{'':{_INDENT}}{name}", width, " " * _HANGING)
    yield from (f"{'':{indent}}{line}" for line in _wrapped(text, width - indent))


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Lines of a text, at most so wide, broken between words only."""
    head = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        " ".join(text.split()),
        width,
        initial_indent=head,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _plain(text: Any) -> str:
    """What a text or something that rich prints says, without style."""
    if text is None:
        return ""
    if isinstance(text, str):
        return text.rstrip()
    if hasattr(text, "plain"):
        return text.plain.rstrip()
    if hasattr(text, "primary_renderable"):
        return _plain(text.primary_renderable)
    from rich.console import Console

    # So wide that nothing is wrapped: that is done once, here.
    console = Console(width=10_000, no_color=True, highlight=False, markup=False, emoji=False)
    with console.capture() as printed:
        console.print(text, end="")
    return "\n".join(line.rstrip() for line in printed.get().splitlines()).rstrip()


def _print(console: Console, lines: list[str]) -> None:
    console.out("\n".join(lines), highlight=False)
