"""The answer of every command at several widths: its first line is the answer, nothing is cut, no line is longer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from br_projects import project_in
from parapick.answer import Answer
from parapick.cli import main, printing
from parapick.cli.app import app
from parapick.columns import csv_text
from parapick.names import printable
from studies import SMALL

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")

WIDTHS = (60, 80, 120)
UNBROKEN = 1000
"""A width at which no table is broken."""

FEW = ("--candidates", "4")
CASES: dict[str, tuple[str, ...]] = {
    "analyse": ("delta-nr", "adept-120", "--controller", "pd"),
    "capability": ("delta-nr", "0", "0", "-0.7"),
    "check": ("par4",),
    "verify": ("irb360",),
    "compare": ("delta-nr", "r4-100g"),
    "controllers": (),
    "evaluate": ("par4", "--no-report"),
    "export br": ("codian-d4-1100", "--out", "project"),
    "export c": ("delta-nr", "--functions", "inverse_kinematics", "--out", "code"),
    "export linuxcnc": ("delta-nr", "--out", "machine"),
    "export mjcf": ("delta-nr", "--out", "robot.xml"),
    "export runtime": ("delta-nr", "--controller", "pd", "--out", "loop"),
    "import br": ("cell",),
    "identify": ("fivebar-spindle", "log.csv"),
    "log": ("fivebar-spindle", "log.csv"),
    "map": ("delta-nr", "margin", "--spacing", "100mm"),
    "margins": ("par4", "0", "0", "-0.7", "0"),
    "modes": ("r4-100g",),
    "motion": ("par4", "adept-120"),
    "new": ("mine", "--like", "delta-nr"),
    "pose": ("par4", "0.1", "0", "-0.7", "0"),
    "reproduce": ("spara",),
    "robots": (),
    "run": ("delta-nr", "adept-120", "--controller", "pd", "--lockstep"),
    "show": ("par4",),
    "simulate": ("par4", "adept-120"),
    "size": ("delta-nr", "adept-120"),
    "studies": (),
    "study run": ("small.toml", "--out", "study", "--workers", "1"),
    "study status": ("study",),
    "tasks": (),
    "tolerance": ("par4", "--samples", "10"),
    "torque": ("par4", "--pose", "0,0,-0.7,0"),
    "tune": ("delta-nr", "adept-120", "--controller", "pd", *FEW, "--free", "law.poles.damping=0.6..1"),
    "workspace": ("delta-nr", "--spacing", "150mm"),
}
"""One cheap question for every command; those of `OTHERS` are asked once more."""

OTHERS: dict[str, tuple[str, ...]] = {
    "capability, workspace": ("delta-nr",),
    "margins, workspace": ("delta-nr",),
    "modes, far": ("r4-100g", "1", "0", "-0.5"),
    "pose, far": ("par4", "2", "0", "-0.7", "0"),
    "motion, far": ("par4", "adept-120", "--set", "limb.arm=100mm"),
    "motion, belts": ("par4", "belts"),
    "simulate, supervised": ("par4", "adept-120", "--controller", "tsid", "--supervised"),
    "evaluate, heavy": ("par4", "--payload", "20", "--no-report", "--set", "limb.arm=340mm"),
    "show, robot of rails": ("delta-linear",),
}
WITHOUT_ANSWER = {"schema": "prints a JSON Schema, for programs"}
WITHOUT_NUMBER = {"new": "it says what was written"}


def commands(of: Any = app, before: str = "") -> Iterator[str]:
    """Every command and every command of a command, by its words."""
    for name in of:
        if not name.startswith("-"):
            inner = list(commands(of[name], f"{before}{name} "))
            yield from inner or [f"{before}{name}"]


def asked(case: str) -> list[str]:
    """The words of a case."""
    return [*case.partition(",")[0].split(), *{**CASES, **OTHERS}[case]]


def write_log(path: Path) -> None:
    """A log of fivebar-spindle along sines."""
    model, t = pp.load("fivebar-spindle"), np.arange(1500)[:, None] / 500.0
    turns, size = np.array([5.0, 8.0, 6.0, 7.0]), np.array([0.1, 0.05, 0.003, 0.5])
    x = np.array([0.0, 0.33, -0.004, 0.0]) + size * np.sin(t * turns)
    torque = model.inverse_dynamics(x, size * turns * np.cos(t * turns), -size * turns**2 * np.sin(t * turns))
    heads = ["t", *(f"q{i}" for i in range(1, 5)), *(f"torque{i}" for i in range(1, 5))]
    path.write_text(csv_text(heads, np.column_stack([t, model.inverse_kinematics(x), torque])), encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that commands are given."""
    place = tmp_path_factory.mktemp("rendered")
    (place / "small.toml").write_text(SMALL, encoding="utf-8")
    write_log(place / "log.csv")
    project_in(place / "cell")
    return place


Printed = tuple[Answer, Mapping[str, str], Sequence[str]]


@pytest.fixture(scope="module")
def answers(folder: Path) -> dict[str, Printed]:
    """What commands have printed so far."""
    return {}


@pytest.fixture(params=[*CASES, *OTHERS])
def printed(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, folder: Path, answers: dict[str, Printed]
) -> tuple[str, Printed]:
    """The answer of a command with what is printed beside it, computed once."""
    case = request.param
    monkeypatch.chdir(folder)
    if case == "study status" and "study run" not in answers:
        assert main(asked("study run")) == 0
    if case not in answers:
        with monkeypatch.context() as patched:
            patched.setattr(printing, "print_text", lambda *given: answers.update({case: (*given, ())[:3]}))
            main(asked(case))
    return case, answers[case]


def rendered(printed: Printed, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """An answer as it is printed at a width."""
    monkeypatch.setenv("COLUMNS", str(width))
    capsys.readouterr()
    printing.print_text(*printed)
    return capsys.readouterr().out


def words(text: str) -> set[str]:
    return {word.strip(",:;") for word in text.split()}


def test_every_command_has_a_case() -> None:
    assert {*CASES, *WITHOUT_ANSWER} == set(commands())


def test_nothing_is_cut_at_any_width(
    printed: tuple[str, Printed], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case, answer = printed
    whole = words(rendered(answer, UNBROKEN, monkeypatch, capsys)) | {"left", "out", "at", "this", "width"}
    for width in WIDTHS:
        text = rendered(answer, width, monkeypatch, capsys)
        assert not words(text) - whole, (case, width)
        # A path is one word, and may be as long as it is.
        assert not [line for line in text.splitlines() if len(line) > width and len(line.split()) > 1], (case, width)
        assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_nothing_but_details_is_left_out(
    printed: tuple[str, Printed], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case, answer = printed
    whole = rendered(answer, UNBROKEN, monkeypatch, capsys)
    for width in WIDTHS:
        text = rendered(answer, width, monkeypatch, capsys)
        if "left out at this width" not in text:
            assert not words(whole) - words(text), (case, width)
        for table in answer[0].tables:
            for row in table.texts().rows[: table.printed]:
                assert not set().union(*map(words, map(printable, row))) - words(text), (case, table.name)


def test_the_first_line_is_the_answer(
    printed: tuple[str, Printed], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case, (answer, files, below) = printed
    first = answer.first_line
    assert first.startswith(("YES", "NO: ")) or first.endswith("."), first
    assert re.search(r"\d", first) or case in WITHOUT_NUMBER, first
    assert first.startswith("NO: ") is not answer.ok
    assert answer.to_dict()["headline"] == first
    text = " ".join(rendered((answer, files, below), WIDTHS[0], monkeypatch, capsys).split())
    assert text.startswith(" ".join(printable(first).split()))
    # It is said once.
    assert text.count(" ".join(printable(first).split())) == 1


def test_in_a_pipe_without_a_width_the_first_line_is_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COLUMNS")
    answer = Answer("pose", "par4", headline=f"YES: {'a long answer ' * 20}ends here")
    printing.print_text(answer, {})
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == answer.headline
    assert rest == ["par4"]
