"""What holds for all commands: help, exit codes, plain output in pipes, colour on terminals, JSON."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import subprocess
import sys
from typing import Any

import pytest

import parapick as pp
from parapick.cli import main
from parapick.cli.app import COMMANDS, GROUPS as GROUPED, app
from parapick.cli.exits import INTERRUPTED
from parapick.cli.export import FORMATS
from parapick.cli.imports import FORMATS as IMPORTS
from parapick.cli.tables import WIDTH_MAX
from poses import of_few_kinds

GOLDEN = ["0.1", "-0.05", "-0.7", "0.3"]

EVERY = [
    ["robots"],
    ["show", "par4"],
    ["show", "fivebar-spindle"],
    ["pose", "par4", *GOLDEN],
    ["margins", "par4", *GOLDEN],
    ["margins", "fivebar-spindle"],
    ["modes", "r4-100g"],
    ["workspace", "par4", "--spacing", "50mm"],
    ["torque", "delta-4", "--pose", "0.1,0,-0.7", "--acceleration", "50,0,0"],
]

# CPU time of a whole process that prints the help (s).
HELP_CPU_MAX = 0.3
GROUPS = {"export:export", "imports:import", "study:study"}
"""Places of commands that have commands of their own."""
HEAVY = ("casadi", "llvmlite", "matplotlib", "mujoco", "numpy", "pydantic", "scipy")


def command(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(f"parapick.cli.{module}"), name)


@pytest.mark.parametrize("place", [place for place in COMMANDS if place not in GROUPS])
def test_the_list_of_commands_says_what_a_command_says_of_itself(place: str) -> None:
    assert (command(place).__doc__ or "").splitlines()[0] == COMMANDS[place]


@pytest.mark.parametrize(
    ("room", "name"), [*(("export", one) for one in FORMATS), *(("imports", one) for one in IMPORTS)]
)
def test_the_list_of_formats_says_what_a_format_says_of_itself(room: str, name: str) -> None:
    listed = {"export": FORMATS, "imports": IMPORTS}[room]
    assert (command(f"{room}.{name}:{name}").__doc__ or "").splitlines()[0] == listed[name]


@pytest.mark.parametrize(
    "words", [[], ["--help"], ["pose", "--help"], ["show", "-h"], ["export", "mjcf", "--help"], ["import", "br", "-h"]]
)
def test_help_is_plain(run: Any, words: list[str]) -> None:
    result = run(*words)
    assert result.code == 0
    assert "Usage: parapick" in result.out
    assert result.out.isascii()
    assert max(map(len, result.out.splitlines())) <= WIDTH_MAX


def test_help_lists_the_commands_in_their_order(run: Any) -> None:
    listed = run("--help").out
    places = [listed.index(f"\n  {name} ") for names in GROUPED.values() for name in names]
    assert places == sorted(places)
    assert all(line in " ".join(listed.split()) for line in COMMANDS.values())


@pytest.mark.parametrize("place", [place for place in COMMANDS if place not in GROUPS | {"schema:schema"}])
def test_every_command_takes_json(run: Any, place: str) -> None:
    assert "--json" in run(place.partition(":")[2], "--help").out


@pytest.mark.parametrize("name", ["run", "status"])
def test_every_command_of_studies_takes_json(run: Any, name: str) -> None:
    assert "--json" in run("study", name, "--help").out


def help_of(*commands: str) -> tuple[float, list[set[str]]]:
    """CPU time of a process that prints helps, and the modules loaded after each; one that is only deferred is not."""
    code = """
import contextlib, io, json, sys, time
from parapick.cli import main
plain, loaded = type(sys), []
for words in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()):
        main([*words.split(), "--help"])
    loaded.append([name for name, module in sys.modules.items() if type(module) is plain])
print(json.dumps([time.process_time(), loaded]))
"""
    done = subprocess.run([sys.executable, "-c", code, *commands], capture_output=True, text=True, check=True)
    seconds, loaded = json.loads(done.stdout)
    return seconds, [set(names) for names in loaded]


def test_help_is_quick() -> None:
    assert min(help_of("")[0] for _ in range(3)) < HELP_CPU_MAX


def test_help_imports_no_command_and_no_heavy_library() -> None:
    (loaded,) = help_of("")[1]
    assert "parapick.cli.app" in loaded
    assert not loaded & {*HEAVY, *(f"parapick.cli.{place.partition(':')[0]}" for place in COMMANDS)}


def test_help_of_a_command_imports_no_heavy_library() -> None:
    modules = {name: module for module, _, name in (place.partition(":") for place in COMMANDS)}
    modules |= {"export mjcf": "export.mjcf", "export br": "export.br", "import br": "imports.br"}
    for words, loaded in zip(modules, help_of(*modules)[1], strict=True):
        assert f"parapick.cli.{modules[words]}" in loaded
        # The list of control laws, which these helps print, is read from the laws themselves.
        allowed = {"numpy"} if loaded & {"parapick.cli.loop_options"} else set()
        assert not loaded & set(HEAVY) - allowed, words


def test_version(run: Any) -> None:
    assert run("--version").out.strip() == pp.__version__


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_tables_in_a_pipe_are_plain_and_narrow(
    run: Any, process: Any, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "")
    monkeypatch.setenv("TERM", "xterm-256color")
    # What captures the output here is no terminal either; one command shows that in a real pipe.
    result = (process if words == ["show", "par4"] else run)(*words)
    assert result.code == 0
    assert result.err == ""
    assert result.out.isascii()
    assert "\x1b" not in result.out
    # The first line is the answer, on one line where nobody stated a width.
    assert max(map(len, result.out.splitlines()[1:]), default=0) <= WIDTH_MAX
    assert not [line for line in result.out.splitlines() if line != line.rstrip()]


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_json_is_one_document(run: Any, words: list[str]) -> None:
    result = run(*words, "--json")
    assert result.code == 0
    assert result.json


def on_terminal(*words: str) -> tuple[str, str]:
    """What a command prints on a terminal 60 characters wide, and what it shows there on the error output."""
    (out, out_end), (err, err_end) = os.openpty(), os.openpty()
    line = [sys.executable, "-m", "parapick", *words]
    env = {**os.environ, "COLUMNS": "60", "TERM": "xterm-256color"}
    running = subprocess.Popen(line, stdout=out_end, stderr=err_end, env=env)
    for end in (out_end, err_end):
        os.close(end)
    texts = {out: b"", err: b""}
    waiting = set(texts)
    while waiting:
        for master in select.select(list(waiting), [], [])[0]:
            # A terminal whose other end is closed is at its end, or in error, depending on the system.
            with contextlib.suppress(OSError):
                if part := os.read(master, 4096):
                    texts[master] += part
                    continue
            waiting.remove(master)
            os.close(master)
    assert running.wait() == 0
    return texts[out].decode(), texts[err].decode()


def test_a_terminal_gets_colour_its_own_width_and_a_sign_of_life() -> None:
    out, err = on_terminal("margins", "h4-90")
    assert "\x1b[1m" in out
    assert "\x1b[1;31myes" in out
    assert "looking at the poses of the workspace" in err
    assert "looking" not in out
    plain = [line for line in out.replace("\r", "").splitlines() if "\x1b" not in line]
    assert max(map(len, plain)) <= 60


def test_a_title_beyond_the_encoding_is_no_crash(process: Any, own_robot: Any) -> None:
    path = own_robot("spara3", ('title = "', 'title = "[red]Größe 机 '))
    result = process("show", path, PYTHONIOENCODING="ascii")
    assert result.code == 0
    assert "[red]Gr??e ? " in result.out


def test_a_reader_that_stops_is_no_error() -> None:
    line = [sys.executable, "-m", "parapick", "show", "par4", "--json"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        err = running.stderr.read()
    assert err == b""
    assert running.returncode == 0


def test_a_key_that_interrupts_leaves_no_traceback(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("parapick.forms.file_kind.FileKind.entries", stopped)
    assert main(["robots"]) == INTERRUPTED
    assert capsys.readouterr().err == ""


def test_the_process_leaves_with_the_exit_code(process: Any) -> None:
    assert process("pose", "par4", *GOLDEN).code == 0
    assert process("pose", "par4", "0.9", "0", "-0.7").code == 1
    wrong = process("pose", "par4", "0.9", "0", "nan")
    assert wrong.code == 2
    assert wrong.out == ""
    assert "Traceback" not in wrong.err


def test_every_command_is_listed() -> None:
    assert set(COMMANDS.values()) == {spec.help for spec in app._commands.values() if hasattr(spec, "import_path")}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nonsense"], "Unknown command"),
        (["robots", "--jsno"], "Unknown option"),
        (["show"], "requires an argument"),
        (["export", "nonsense"], "Unknown command"),
    ],
)
def test_wrong_words_are_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run(*words).message


@pytest.mark.parametrize("name", of_few_kinds())
@pytest.mark.parametrize("words", [["modes"], ["workspace", "--spacing", "80mm"]], ids=" ".join)
def test_every_shipped_robot_is_answered(run: Any, name: str, words: list[str]) -> None:
    result = run(words[0], name, *words[1:])
    assert result.code == 0
    assert result.err == ""
