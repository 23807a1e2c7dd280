"""The list of commands, and how a run ends: answers on the output, one message for wrong input, an exit code."""

from __future__ import annotations

import errno
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Final

from cyclopts import App, CycloptsError

from parapick import __version__
from parapick.catalogue import KINDS, kinds_in_words
from parapick.cli.exits import MEANINGS, UNWRITTEN, WRONG_INPUT
from parapick.cli.streams import abandon, complain, prepare
from parapick.cli.tables import console, note
from parapick.errors import CacheWarning, ParapickError
from parapick.files import inputs_kept, unwritable

_UNWRITABLE: Final = frozenset({errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC})
"""Errors of writing to a stream that is open: closed behind our back, over a quota or a limit, broken, full."""

COMMANDS: Final = {
    **{f"listing:{kind.plural}": f"List the shipped {kind.plural}." for kind in KINDS.values()},
    "show:show": "Show a robot: legs, working modes, numbers with sources, and its tasks.",
    "new:new": "Write a robot file to start from, with the meaning of every field.",
    "check:check": f"Check a {kinds_in_words()} file: all its problems at once, and its doubts.",
    "pose:pose": "Put a robot at a pose: joint angles, slack, margins.",
    "margins:margins": "How far a robot is from its singularities, at a pose or over its workspace.",
    "modes:modes": "Working modes with the room they leave, and assembly modes, at a pose.",
    "workspace:workspace": "Where a robot can go, and what stops it elsewhere.",
    "capability:capability": "What the motors allow, at a pose or over the workspace: acceleration, force, speed.",
    "map:map": "An index over a region: its worst and best pose, how even it is, as table and figure.",
    "tolerance:tolerance": "How far the plate is off by tolerances of parts and joints, and which to buy first.",
    "verify:verify": "Whether MuJoCo agrees with a robot: loops, torques and energy, with the differences.",
    "torque:torque": "Torques of the motors, at one state or along a motion.",
    "motion:motion": "Whether a robot can follow a task, how long it takes, and where each limit is nearest.",
    "simulate:simulate": "How well control laws track a task, with sampling, torque limits and friction.",
    "log:log": "A log of a machine, beside the robot's file or over a simulation of its task.",
    "identify:identify": "Friction, payload and masses of a robot from a log, and a motion to log.",
    "analyse:analyse": "Stability, margins and disturbance responses of control laws along a task.",
    "tune:tune": "Gains that follow a task best and keep their margins, over payloads and frictions.",
    "evaluate:evaluate": "Whether a robot can do a task, what limits it, how fast it could be.",
    "compare:compare": "Several robots on one task, side by side, each in the middle of its own workspace.",
    "study:study": "Which robot to build: many designs of a robot, evaluated side by side, from a study file.",
    "reproduce:reproduce": "The source documents, computed again: every printed number with a verdict.",
    "export:export": "Write a robot in the format of another program.",
    "schema:schema": f"Print the JSON Schema of {kinds_in_words()} files.",
}
"""Module and function of every command, and its line in the list; the module is imported when it is called."""

app = App(
    name="parapick",
    help="A workbench for fast pick-and-place parallel robots.",
    help_epilogue="Exit codes:\n" + "\n".join(f"  {code}: {meaning}" for code, meaning in MEANINGS.items()),
    version=__version__,
    help_format="plaintext",
    help_formatter="plain",
    suppress_keyboard_interrupt=False,
)
for _number, (_place, _line) in enumerate(COMMANDS.items()):
    app.command(f"parapick.cli.{_place}", help=_line, sort_key=_number)


def run(arguments: Sequence[str] | None) -> int:
    """Run a command and return its exit code.

    Args:
        arguments: words of the command line; None: those of the process.
    """
    if not prepare():
        return _ended(UNWRITTEN, "the output is closed; to have none, send it to the null device")
    try:
        code = _answer(arguments)
    except CycloptsError as error:
        return _ended(WRONG_INPUT, f"{error}\nTry: parapick --help")
    except ParapickError as error:
        return _ended(WRONG_INPUT, str(error))
    except OSError as error:
        code = _failed(error)
    return _flushed(code)


def _answer(arguments: Sequence[str] | None) -> int:
    """What a command answers; a warning that concerns its user becomes a note."""
    shown = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
        if issubclass(category, CacheWarning):
            note(str(message))
        else:
            shown(message, category, *place)

    options = {"exit_on_error": False, "print_error": False, "result_action": "return_value"}
    with warnings.catch_warnings(), inputs_kept():
        warnings.showwarning = show
        return app(sys.argv[1:] if arguments is None else arguments, console=console(), **options) or 0


def _failed(error: OSError) -> int:
    """The exit code where a file or the output could not be used.

    Raises:
        OSError: it was neither.
    """
    if isinstance(error, BrokenPipeError):
        # Whoever read the output has seen enough.
        return 0
    if error.filename is not None:
        return _ended(WRONG_INPUT, f"{error.filename}: {(error.strerror or str(error)).lower()}")
    if error.errno not in _UNWRITABLE:
        raise error
    return _ended(UNWRITTEN, f"the output {unwritable(error)}")


def _flushed(code: int) -> int:
    """The exit code of a run whose output is complete; another where it turns out that it cannot be written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        abandon(sys.stdout)
        return code if code == UNWRITTEN else _failed(error) or code
    return code


def _ended(code: int, message: str) -> int:
    complain(message)
    return code
