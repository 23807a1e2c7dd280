"""How a process ends: streams closed or full, names that no file can have, a key that interrupts, faults of ours."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from parapick import cli
from parapick.cli.exits import FAULT, INTERRUPTED, MEANINGS, UNREACHABLE, UNWRITTEN, WRONG_INPUT

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "parapick"]
FULL = Path("/dev/full")

needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")


def redirected(words: list[str], redirection: str, python: str = "-u") -> tuple[int, str]:
    """Exit code and error output of a command that a shell started with a redirection."""
    line = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, python, "-m", "parapick", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@needs_full
@pytest.mark.parametrize("python", ["-u", "-B"], ids=["while it is printed", "when it is flushed"])
def test_an_output_that_is_full(python: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    code, said = redirected(["robots"], "> /dev/full", python)
    assert code == UNWRITTEN
    assert said == "parapick: the output cannot be written: no space left on device\n"


def test_an_output_that_is_closed() -> None:
    code, said = redirected(["robots"], ">&-")
    assert code == UNWRITTEN
    assert said.startswith("parapick: the output is closed; ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("redirection", ["2>&-", pytest.param("2> /dev/full", marks=needs_full)])
def test_an_error_output_that_cannot_be_written_leaves_the_exit_code(redirection: str) -> None:
    assert redirected(["robots", "--nonsense"], redirection)[0] == WRONG_INPUT


def test_all_streams_closed() -> None:
    assert redirected(["robots"], "<&- >&- 2>&-")[0] == UNWRITTEN


@pytest.mark.parametrize(
    "words",
    [["workspace", "par4", "--out", f"{'a' * 300}.png"], ["export", "mjcf", "par4", "--out", f"{'a' * 300}.xml"]],
    ids=lambda words: words[0],
)
def test_a_name_that_is_too_long_for_a_file(run: Any, words: list[str]) -> None:
    message = run(*words).message
    assert message.startswith(f"parapick: {words[-1]}: ")
    assert message.endswith("file name too long\n")


def test_an_error_of_the_system_that_is_no_file_and_no_output_is_not_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr("parapick.forms.file_kind.FileKind.entries", refused)
    with pytest.raises(ConnectionRefusedError):
        cli.main(["robots"])


# A console script as pip writes it, with Ctrl-C pressed at the moment when a module is first looked for.
INTERRUPTED_SCRIPT = """
import json
import os, signal, sys
# A process that a shell started in the background ignores the key.
signal.signal(signal.SIGINT, signal.default_int_handler)
class Key:
    def find_spec(self, name, path=None, target=None):
        if name == key:
            os.kill(os.getpid(), signal.SIGINT)
key = sys.argv.pop(1)
sys.meta_path.insert(0, Key())
from parapick.cli import command
sys.exit(command())
"""


@pytest.mark.parametrize("module", ["parapick.errors", "cyclopts", "parapick.robots"])
def test_a_key_that_interrupts_while_modules_are_loaded(module: str) -> None:
    line = [sys.executable, "-c", INTERRUPTED_SCRIPT, module, "robots"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "")


def test_nothing_that_takes_time_is_loaded_before_a_key_is_heard() -> None:
    code = "import sys; before = set(sys.modules); import parapick.cli; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "parapick.cli" in loaded
    assert not loaded & {"collections", "cyclopts", "dataclasses", "parapick.errors", "re", "rich", "typing"}


@pytest.fixture
def handler() -> Any:
    """Restores what happens on Ctrl-C."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("handler")
def test_a_fault_of_ours_is_no_answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def wrong(*_: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("parapick.forms.file_kind.FileKind.entries", wrong)
    monkeypatch.setattr(sys, "argv", ["parapick", "robots"])
    assert cli.command() == FAULT
    assert "ZeroDivisionError: ours" in capsys.readouterr().err
    monkeypatch.setattr(sys, "argv", ["parapick", "robots", "--json"])
    assert cli.command() == FAULT
    printed = capsys.readouterr()
    assert "Traceback" in printed.err
    document = json.loads(printed.out)
    assert document["ok"] is False
    assert document["error"]["code"] == FAULT
    assert "ZeroDivisionError: ours" in document["error"]["message"]


@pytest.mark.usefixtures("handler")
def test_a_fault_in_what_prints_faults_keeps_its_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(*_: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("parapick.cli.app.prepare", wrong)
    monkeypatch.setattr("parapick.cli.app.print_document", wrong)
    monkeypatch.setattr(sys, "argv", ["parapick", "robots", "--json"])
    assert cli.command() == FAULT
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("Traceback") == 1


def test_a_file_that_the_system_refuses_is_a_document_too(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "shelf")

    monkeypatch.setattr("parapick.forms.file_kind.FileKind.entries", refused)
    result = run("robots", "--json")
    assert result.code == WRONG_INPUT
    assert result.json["error"]["message"] == "shelf: permission denied"
    assert "shelf: permission denied" in result.err


@pytest.mark.usefixtures("handler")
def test_a_key_after_the_last_line_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["parapick", "robots"])
    assert cli.command() == 0
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def test_the_console_script_is_the_same_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"parapick": f"{cli.__name__}:{cli.command.__name__}"}


def test_a_cache_that_is_not_safe_is_one_note(process: Callable[..., Any], tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    result = process("pose", "par4", "0.1", "-0.05", "-0.7", "0.3", PARAPICK_CACHE=str(tmp_path))
    assert result.code == 0
    assert result.err.startswith("parapick: note: compiled kernels are not kept: ")
    assert str(tmp_path) in result.err
    assert result.err.count("\n") == 1


def documented_codes(text: str) -> list[int]:
    return [int(code) for code in re.findall(r"^\| `?(\d+)`? \|", text, flags=re.MULTILINE)]


def test_every_exit_code_is_documented(run: Any) -> None:
    listed = " ".join(run("--help").out.partition("Exit codes:")[2].split())
    assert listed == " ".join(f"{code} {meaning}" for code, meaning in MEANINGS.items())
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    table = page.split("## Exit codes")[1].split("\n## ", maxsplit=1)[0]
    assert documented_codes(table) == list(MEANINGS)
    assert {0, UNREACHABLE, WRONG_INPUT, UNWRITTEN, FAULT, INTERRUPTED} == set(MEANINGS)
