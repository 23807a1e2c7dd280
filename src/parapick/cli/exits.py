"""Exit codes: how a command ended, for scripts. This module is imported first and needs no other."""

from __future__ import annotations

UNREACHABLE = 1
WRONG_INPUT = 2
UNWRITTEN = 3
FAULT = 4
INTERRUPTED = 130
"""What shells report for a program that was stopped from the keyboard: 128 and the number of the signal."""

MEANINGS = {
    0: "done; the answer is yes where there was a question",
    UNREACHABLE: "the question was valid and the answer is no",
    WRONG_INPUT: "the input is wrong, or a file that was named cannot be read or written; one message says what",
    UNWRITTEN: "the output cannot be written: it is closed, or its disk is full",
    FAULT: "parapick itself failed; the traceback on the error output belongs into a bug report",
    INTERRUPTED: "stopped from the keyboard (Ctrl-C)",
}
"""What each code means."""
