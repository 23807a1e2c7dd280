"""What is said where the words of a command line are wrong: which word, what comes nearest, and where to look."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from parapick.errors import FileError, ParameterError, ParapickError

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError


def usage_message(app: App, words: Sequence[str], error: CycloptsError) -> str:
    """What is wrong with a command line, and which help to read.

    Args:
        app: all commands.
        words: the command line.
        error: what cyclopts says of it.
    """
    chain, apps, _ = app.parse_commands(list(words))
    unknown = unknown_option(apps[-1], words)
    text = unknown or _without_place(error) or str(error)
    return f"{text}\nTry: {' '.join(['parapick', *chain])} --help"


def _without_place(error: CycloptsError) -> str:
    """Which words of a command line are too many; empty where none is."""
    from cyclopts import UnusedCliTokensError

    if not isinstance(error, UnusedCliTokensError):
        return ""
    return f"there is no place for: {' '.join(error.unused_tokens or ())}"


def unknown_option(command: App, words: Sequence[str]) -> str:
    """Which option a command does not have, and the nearest that it has; empty where it has all.

    Args:
        command: the command.
        words: the command line.
    """
    known = options_of(command)
    before = list(words)[: words.index("--")] if "--" in words else words
    for word in before:
        name = word.partition("=")[0]
        if name.startswith("--") and name not in known:
            close = get_close_matches(name, sorted(known), n=1, cutoff=0.6)
            return f"Unknown option {name}" + (f"; did you mean {close[0]}?" if close else "")
    return ""


def options_of(command: App) -> frozenset[str]:
    """The options of a command.

    Args:
        command: the command; one that only has others below it has none but the common ones.
    """
    arguments = [] if command.default_command is None else command.assemble_argument_collection()
    own = {name for argument in arguments for name in argument.names if name.startswith("--")}
    return frozenset({*own, *(name for name in command if name.startswith("--")), "--help", "--version"})


def error_document(code: int, message: str, error: ParapickError | None = None) -> dict[str, Any]:
    """An error as plain values, for who reads JSON.

    Args:
        code: the exit code.
        message: what is wrong, in words.
        error: what was raised; None where the words of the command line are wrong.
    """
    from parapick.answer import FORMAT

    entry: dict[str, Any] = {"code": code, "message": message, "field": None, "file": None, "problems": []}
    if isinstance(error, ParameterError):
        entry["field"] = error.path
    if isinstance(error, FileError):
        problems = [{"path": problem.path, "message": problem.message} for problem in error.problems]
        entry |= {"file": error.file, "problems": problems}
    return {"format": FORMAT, "answer": "error", "ok": False, "error": entry}
