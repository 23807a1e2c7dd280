"""The list of commands, and how a run ends: answers on the output, one message for wrong input, an exit code."""

from __future__ import annotations

import errno
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any, Final

from cyclopts import App, CycloptsError, Group

from parapick import __version__
from parapick.catalogue import KINDS, kinds_in_words, misplaced
from parapick.cli.doubts import doubts_collected
from parapick.cli.exits import FAULT, MEANINGS, UNWRITTEN, WRONG_INPUT
from parapick.cli.help import HelpLayout, wrapped, wrapped_list
from parapick.cli.replacing import no_empty_folders
from parapick.cli.streams import abandon, complain, prepare
from parapick.cli.tables import console, note, print_document, width
from parapick.cli.usage import error_document, usage_message
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
    "tolerance:tolerance": "How far tolerances of parts and joints put the plate off, and which to buy first.",
    "verify:verify": "Whether MuJoCo agrees with a robot: loops, torques and energy, with the differences.",
    "torque:torque": "Torques of the motors, at one state or along a motion.",
    "motion:motion": "Whether a robot can follow a task, how long it takes, and where each limit is nearest.",
    "simulate:simulate": "How well control laws track a task, with sampling, torque limits and friction.",
    "run:run": "A task on the runtime: law, supervisor and drives against a clock. Needs a C compiler.",
    "log:log": "A log of a machine, beside the robot's file or over a simulation of its task.",
    "identify:identify": "Friction, payload and masses of a robot from a log, and a motion to log.",
    "analyse:analyse": "Stability, margins and disturbance responses of control laws along a task.",
    "tune:tune": "Gains that follow a task best and keep their margins, over payloads and frictions.",
    "evaluate:evaluate": "Whether a robot can do a task, what limits it, how fast it could be.",
    "compare:compare": "Several robots on one task, side by side, each in the middle of its own workspace.",
    "size:size": "Which motor and which gearbox of a catalogue a robot needs for a task.",
    "study:study": "Which robot to build: many designs of a robot, evaluated side by side, from a study file.",
    "reproduce:reproduce": "The source documents, computed again: every printed number with a verdict.",
    "imports:import": "Read a robot from a project of another program.",
    "export:export": "Write a robot in the format of another program.",
    "schema:schema": f"Print the JSON Schema of {kinds_in_words()} files.",
}
"""Module and function of every command, and its line in the list; the module is imported when it is called."""

GROUPS: Final = {
    "The main job": ("evaluate", "compare", "size", "study"),
    "A robot": (
        "robots",
        "show",
        "new",
        "check",
        "pose",
        "margins",
        "modes",
        "workspace",
        "capability",
        "map",
        "tolerance",
        "verify",
    ),
    "A task": ("tasks", "motion", "torque"),
    "Control": ("controllers", "simulate", "run", "analyse", "tune", "log", "identify"),
    "Documents and files": ("reproduce", "studies", "import", "export", "schema"),
}
"""The commands by group, in the order in which the help lists them; commands to come take their place here."""

EXAMPLES: Final = {
    "evaluate": "evaluate par4 adept-120 --payload 500g --out reports",
    "compare": "compare par4 delta-4 --task adept-120",
    "size": "size par4 adept-120 --by cost --out sized.toml",
    "study": "study run corbel2010-100g --out results",
    "robots": "robots",
    "show": "show par4",
    "new": "new my-delta --like delta-4",
    "check": "check par4",
    "pose": "pose par4 100mm 0 -700mm 30deg",
    "margins": "margins par4 0 0 -0.7",
    "modes": "modes par4",
    "workspace": "workspace par4 --spacing 20mm --out workspace.png",
    "capability": "capability par4 0 0 -0.7 --payload 500g",
    "map": "map par4 acceleration --z -700mm --out map.png",
    "tolerance": "tolerance par4 --tolerance limb.rod_length=0.05mm",
    "verify": "verify par4",
    "tasks": "tasks",
    "motion": "motion par4 adept-120 --out motion.csv --out cam:cam.csv",
    "torque": "torque par4 --pose 0,0,-0.7 --acceleration 50,0,0",
    "controllers": "controllers",
    "simulate": "simulate par4 adept-120 --controller pd,tsid --out run.png",
    "analyse": "analyse par4 adept-120 --controller tsid",
    "tune": "tune par4 adept-120 --controller tsid --delay-margin 1ms --out tuned.toml",
    "run": "run par4 adept-120 --controller tsid --lockstep",
    "log": "log par4 scope.csv --out log.png",
    "identify": "identify par4 --out motion:exciting.toml",
    "reproduce": "reproduce corbel2010",
    "studies": "studies",
    "import": "import br project --out my-delta.toml",
    "export": "export mjcf par4 --out par4.xml",
    "schema": "schema robot",
}
"""An example of every command, printed below its help."""

app = App(
    name="parapick",
    help="A workbench for fast pick-and-place parallel robots.",
    version=__version__,
    help_format="plaintext",
    help_formatter=HelpLayout(),
    suppress_keyboard_interrupt=False,
)


def _register() -> None:
    """Make every command known, in the order of the groups; one that no group names is listed behind all."""
    groups = {title: Group(title, sort_key=number) for number, title in enumerate([*GROUPS, "More", "This program"])}
    titles = {name: title for title, names in GROUPS.items() for name in names}
    for place, line in COMMANDS.items():
        name = place.partition(":")[2]
        app.command(
            f"parapick.cli.{place}",
            help=line,
            group=groups[titles.get(name, "More")],
            sort_key=list(titles).index(name) if name in titles else len(titles),
        )
    for flag in ("--help", "--version"):
        app[flag].group = groups["This program"]
    text = "Let bash, zsh or fish complete commands and options; --shell NAME for another than yours."
    app.register_install_completion_command(group=groups["This program"], help=text)


_register()


def run(arguments: Sequence[str] | None) -> int:
    """Run a command and return its exit code.

    Args:
        arguments: words of the command line; None: those of the process.
    """
    if not prepare():
        return _ended(UNWRITTEN, "the output is closed; to have none, send it to the null device")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _answer(words)
    except CycloptsError as error:
        code = _refused(words, usage_message(app, words, error))
    except ParapickError as error:
        code = _refused(words, misplaced(error) or str(error), error)
    except OSError as error:
        code = _failed(words, error)
    return _flushed(words, code)


def _answer(words: list[str]) -> int:
    """What a command answers; a warning that concerns its user becomes a note."""
    shown = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
        if issubclass(category, CacheWarning):
            note(str(message))
        else:
            shown(message, category, *place)

    if not words or {"--help", "-h"} & set(words):
        app.help_epilogue = epilogue(app, words)
    options = {"exit_on_error": False, "print_error": False, "result_action": "return_value"}
    with warnings.catch_warnings(), inputs_kept(), no_empty_folders(), doubts_collected():
        warnings.showwarning = show
        return app(words, console=console(), **options) or 0


def epilogue(commands: App, words: list[str]) -> str:
    """What stands below a help: the meaning of the exit codes, or the example of a command.

    Args:
        commands: all commands.
        words: the command line.
    """
    chain = commands.parse_commands(words)[0]
    if chain and chain[0] in EXAMPLES:
        return "Example:\n" + wrapped(f"  parapick {EXAMPLES[chain[0]]}", width(), "      ")
    return "Exit codes:\n" + wrapped_list({str(code): text for code, text in MEANINGS.items()}, width(), 5)


def _refused(words: list[str], message: str, error: ParapickError | None = None) -> int:
    """Say what is wrong with the input, as a JSON document where one is asked for, too; the exit code."""
    if "--json" in words:
        try:
            print_document(error_document(WRONG_INPUT, message, error))
        except OSError as failure:
            return _failed(words, failure)
    return _ended(WRONG_INPUT, message)


def print_fault(error: Exception) -> None:
    """Print a fault of ours as a JSON document, where the process was asked for one.

    Args:
        error: what was raised.
    """
    if "--json" in sys.argv[1:]:
        said = traceback.format_exception_only(error)[-1].strip()
        print_document(error_document(FAULT, f"{MEANINGS[FAULT]}: {said}"))
        sys.stdout.flush()


def _failed(words: list[str], error: OSError) -> int:
    """The exit code where a file or the output could not be used.

    Raises:
        OSError: it was neither.
    """
    if isinstance(error, BrokenPipeError):
        # Whoever read the output has seen enough.
        return 0
    if error.filename is not None:
        return _refused(words, f"{error.filename}: {(error.strerror or str(error)).lower()}")
    if error.errno not in _UNWRITABLE:
        raise error
    return _ended(UNWRITTEN, f"the output {unwritable(error)}")


def _flushed(words: list[str], code: int) -> int:
    """The exit code of a run whose output is complete; another where it turns out that it cannot be written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        abandon(sys.stdout)
        return code if code == UNWRITTEN else _failed(words, error) or code
    return code


def _ended(code: int, message: str) -> int:
    complain(message)
    return code
