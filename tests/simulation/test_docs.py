"""The pages on control and simulation: their tables are complete, their numbers come from their commands."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from pathlib import Path

import pytest

from parapick.control import LAWS
from parapick.papers import DOCUMENTS
from parapick.papers.stated_number import stated_number
from parapick.simulation import simulate

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_every_law_is_in_the_table() -> None:
    rows = dict(re.findall(r"^\| `([\w-]+)` \| `(\w+)` \|", page("control.md"), flags=re.MULTILINE))
    assert rows == {name: law.__name__ for name, law in LAWS.items()}


def test_every_argument_is_in_the_table() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", page("simulation.md"), flags=re.MULTILINE)
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    asked = set(inspect.signature(simulate).parameters)
    assert told == asked


def commands() -> list[tuple[str, str]]:
    """Commands of the page on the documents' loops, with the output that is printed below them."""
    blocks = re.findall(r"^```console\n(.*?)^```", page("closed-loops.md"), flags=re.DOTALL | re.MULTILINE)
    return [tuple(block.removeprefix("$ parapick ").split("\n", 1)) for block in blocks]


def test_the_documents_by_command_give_their_numbers() -> None:
    """wu2020 prints -0.491 mm in z; corbel2010's first line takes 155 N m with its load and no limit."""
    outputs = dict(commands())

    def cell(robot: str, law: str, head: str) -> float:
        """A number of the output by its row and its column."""
        text = next(output for command, output in outputs.items() if robot in command)
        lines = [re.split(r"\s{2,}", line) for line in text.splitlines()]
        heads = next(line for line in lines if line[0] == "law" and head in line)
        row = next(line for line in lines[lines.index(heads) :] if line[0] == law)
        return float(row[heads.index(head)])

    assert cell("asymmetric-screw", "wu2020-fit1", "z (mm)") == pytest.approx(-0.491, abs=0.0015)
    # Peak of the error in x (mm) of righettini2024's TSIID, and of its yaw (mrad), as the page's table has them.
    assert abs(cell("fivebar-spindle", "righettini2024-tsiid", "x (mm)")) == pytest.approx(0.046, abs=0.001)
    assert cell("fivebar-spindle", "righettini2024-tsiid", "yaw (mrad)") == pytest.approx(0.92, abs=0.005)
    assert cell("r4-100g", "corbel2010", "torque (N m)") == pytest.approx(155.3, abs=0.1)


def numbers() -> list[list[str]]:
    """Rows of the page's table of numbers: document, command, table, row, column, what it gives, what is printed."""
    table = page("closed-loops.md").partition("## Each number and its command")[2]
    rows = [line.strip("|").split("|") for line in table.splitlines() if "`" in line and line.startswith("|")]
    return [[cell.strip().strip("`") for cell in row] for row in rows]


@pytest.mark.parametrize("command", sorted({row[1] for row in numbers()}))
def test_each_number_comes_from_its_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    from parapick.cli import main

    main([*shlex.split(command), "--json"])
    answer = json.loads(capsys.readouterr().out)
    for _, _, table, name, column, gives, _ in (row for row in numbers() if row[1] == command):
        rows = [answer["data"]] if table == "data" else answer["tables"][table]["rows"]
        value = next(row[column] for row in rows if not name or name in map(str, row.values()))
        assert f"{value:.4g}" == gives


def test_every_document_has_its_commands() -> None:
    assert {row[0] for row in numbers()} == set(DOCUMENTS)


def test_learning_cycle_by_cycle_comes_from_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The peak error by cycle of the page on robust laws (mm), and how many times it falls."""
    from parapick.cli import main

    text = page("robust.md")
    command = re.search(r"^\$ parapick (simulate .* --cycles 11)$", text, flags=re.MULTILINE)
    assert command is not None
    heads, row = (
        [cell.strip() for cell in line.strip("|").split("|")][1:]
        for line in re.findall(r"^\| (?:learns from|the feedback).*\|$", text, flags=re.MULTILINE)
    )
    assert main(shlex.split(command[1])) == 0
    lines = [re.split(r"\s{2,}", line) for line in capsys.readouterr().out.splitlines()]
    shown = next(k for k, line in enumerate(lines) if line[0].startswith("peak error by cycle"))
    cycles = {
        head.partition(" ")[0]: float(cell)
        for head, cell in zip(lines[shown + 1][1:], lines[shown + 2][1:], strict=True)
    }
    shown_cells = {head: cell.removesuffix(" mm") for head, cell in zip(heads, row, strict=True)}
    assert [head for head, cell in shown_cells.items() if not stated_number(cell).is_met(cycles[head])] == []
    assert "error is seventeen times smaller" in text
    assert 17.0 < cycles["1"] / cycles["11"] < 18.0
