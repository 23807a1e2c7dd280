"""The list of commands, and how a run ends: answers on the output, one message for wrong input, an exit code.

Exit code 0: done. 1: the question was valid and the answer is no, such as a pose that cannot be reached. 2: the input
is wrong; one message says what.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

from cyclopts import App, CycloptsError

from parapick import __version__
from parapick.cli.tables import console
from parapick.errors import ParapickError
from parapick.names import printable

__all__ = ["COMMANDS", "INTERRUPTED", "UNREACHABLE", "WRONG_INPUT", "app", "main"]

UNREACHABLE: Final = 1
WRONG_INPUT: Final = 2
INTERRUPTED: Final = 130
"""What shells report for a program that was stopped from the keyboard."""

COMMANDS: Final = {
    "robots:robots": "List the shipped robots.",
    "show:show": "Show a robot: its legs, working modes, and numbers with sources.",
    "check:check": "Check a robot file and report all its problems at once.",
    "pose:pose": "Put a robot at a pose: joint angles, slack, margins.",
    "margins:margins": "How far a robot is from its singularities, at a pose or over its workspace.",
    "modes:modes": "Working modes with the room they leave, and assembly modes, at a pose.",
    "workspace:workspace": "Where a robot can go, and what stops it elsewhere.",
    "capability:capability": "What the motors allow, at a pose or over the workspace: acceleration, force, speed.",
    "map:map": "An index over a region: its worst and best pose, how even it is, as table and figure.",
    "torque:torque": "Torques of the motors, at one state or along a motion.",
    "tasks:tasks": "List the shipped tasks.",
    "motion:motion": "Whether a robot can follow a task, how long it takes, and where each limit is nearest.",
    "simulate:simulate": "How well control laws track a task, with sampling, torque limits and friction.",
    "evaluate:evaluate": "Whether a robot can do a task, what limits it, how fast it could be.",
    "compare:compare": "Several robots on one task, side by side, each in the middle of its own workspace.",
    "export:export": "Write a robot in the format of another program.",
    "schema:schema": "Print the JSON Schema of robot files.",
}
"""Module and function of every command, and its line in the list; the module is imported when it is called."""

app = App(
    name="parapick",
    help="A workbench for fast pick-and-place parallel robots.",
    version=__version__,
    help_format="plaintext",
    help_formatter="plain",
    suppress_keyboard_interrupt=False,
)
for _number, (_place, _line) in enumerate(COMMANDS.items()):
    app.command(f"parapick.cli.{_place}", help=_line, sort_key=_number)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Args:
        arguments: words of the command line; those of the process if not given.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character of somebody's title gets a question mark, not a crash.
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")
    try:
        options = {"exit_on_error": False, "print_error": False, "result_action": "return_value"}
        code = app(arguments, console=console(), **options)
        sys.stdout.flush()
    except CycloptsError as error:
        return _refused(f"{error}\nTry: parapick --help")
    except ParapickError as error:
        return _refused(str(error))
    except BrokenPipeError:
        # Whoever read the output has seen enough; nothing may complain when Python closes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    return code or 0


def _refused(message: str) -> int:
    sys.stderr.write(f"parapick: {printable(message)}\n")
    return WRONG_INPUT
