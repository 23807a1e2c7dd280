"""Commands that the documents' pages print give the numbers beside them."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from parapick.cli import main
from parapick.papers import DOCUMENTS, document
from parapick.papers.group import Group
from parapick.papers.page import document_page
from parapick.papers.reproduction import Reproduction, print_outcomes
from parapick.papers.setup import Setup
from parapick.papers.stated_number import stated_number

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w])")

IN_G = {("corbel2010", "motion", "acceleration"), ("nabat2005", "acceleration", "acceleration")}
"""Numbers that the documents count in g, of 9.81 m/s2, and commands in m/s2."""

LONG = ("study run",)
"""Commands that only the soak runs."""

COMMANDS = [(key, group) for key, own in DOCUMENTS.items() for group in own.numbers if group.command]


def missing(key: str, group: Group, output: str) -> list[str]:
    """Numbers beside a command that its output does not have, to the digits that it prints."""
    tokens = [stated_number(text) for text in NUMBER.findall(output)]
    computed = import_module(f"parapick.papers.{key}.numbers").NUMBERS[group.id](Setup())
    lacking = []
    for reading, names in group.gives.items():
        for name in names:
            value = float(computed[reading][name]) * (9.81 if (key, group.id, name) in IN_G else 1.0)
            # Of an error that has a sign, a page may state the size.
            if not any(token.is_met(value) or token.is_met(-value) for token in tokens):
                lacking.append(f"{reading}, {name}: {value:g}")
    return lacking


def run_and_compare(key: str, group: Group, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(group.command)) in (0, 1)
    assert missing(key, group, capsys.readouterr().out) == []


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def cases(*, long: bool) -> list[tuple[str, Group]]:
    return [(key, group) for key, group in COMMANDS if group.command.startswith(LONG) == long]


@pytest.mark.parametrize(("key", "group"), cases(long=False), ids=lambda value: getattr(value, "command", value))
def test_a_printed_command_gives_the_numbers_beside_it(
    key: str, group: Group, capsys: pytest.CaptureFixture[str]
) -> None:
    run_and_compare(key, group, capsys)


@pytest.mark.soak
@pytest.mark.parametrize(("key", "group"), cases(long=True), ids=lambda value: getattr(value, "command", value))
def test_a_long_command_gives_the_numbers_beside_it(key: str, group: Group, capsys: pytest.CaptureFixture[str]) -> None:
    run_and_compare(key, group, capsys)


@pytest.mark.parametrize(("key", "group"), COMMANDS, ids=lambda value: getattr(value, "command", value))
def test_a_command_says_which_numbers_it_gives(key: str, group: Group) -> None:
    assert document(key)
    assert group.gives
    for reading, names in group.gives.items():
        assert reading in group.readings
        assert names
        assert all(group.printed_numbers[name].numeric for name in names)


def test_a_command_for_another_robot_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    """With its own masses and gravity the same robot accelerates by 1091 to 1323 m/s2: no column of section V.C."""
    group = next(group for group in document("corbel2010").numbers if group.id == "accelerations")
    main(["map", "r4-100g", "acceleration"])
    assert len(missing("corbel2010", group, capsys.readouterr().out)) == 2


def test_a_page_says_what_its_commands_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parapick.papers.page.drawings", lambda _: {})
    paper, setup = document("righettini2024"), Setup()
    numbers = tuple(group for group in paper.numbers if group.id == "cycle")
    from dataclasses import replace

    short = replace(paper, numbers=numbers)
    page = document_page(Reproduction(short, print_outcomes(short, setup), (), (), setup))
    assert "parapick motion fivebar-spindle righettini2024, which gives every number in the reading" in page
