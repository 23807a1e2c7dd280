"""The README lists the commands that there are, by group, and compares by figures that the benchmark table has."""

from __future__ import annotations

import re

from pages import ROOT
from parapick.cli.app import GROUPS
from prose import paragraphs, word_count

README = (ROOT / "README.md").read_text(encoding="utf-8")

WORDS_MAX = 500
"""Words of prose, code and tables aside: two minutes for somebody who reads 250 words of a foreign language in one."""

MEASURED = {
    "for torques along a motion MuJoCo": r": MuJoCo, inside its library, by the public method$",
    "Pinocchio": r": Pinocchio, inside its library, by the public method$",
    "for a simulated control loop both": r"^(?:MuJoCo|Pinocchio), its library, by ours$",
}
"""Rows of the benchmark table by the words of the README before "take more than N times as long"."""


def section(title: str) -> str:
    """The text below a heading of the README, up to the next."""
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def listed_commands() -> dict[str, list[str]]:
    """Commands of the README by group, in order."""
    groups: dict[str, list[str]] = {}
    for row in re.findall(r"^\| (.+?) \|", section("Commands"), flags=re.MULTILINE):
        if heading := re.fullmatch(r"\*\*(.+)\*\*", row):
            groups[heading[1]] = []
        elif command := re.match(r"`parapick (\w+)", row):
            groups[next(reversed(groups))].append(command[1])
    return groups


def measured(pattern: str) -> list[float]:
    """Measured figures of the rows of the benchmark table that a pattern finds."""
    rows = re.findall(r"^\| (.+?) \| (\S+)", (ROOT / "benchmarks" / "table.md").read_text(), flags=re.MULTILINE)
    return [float(figure) for name, figure in rows if re.search(pattern, name)]


def test_the_readme_lists_every_command_in_its_group() -> None:
    assert listed_commands() == {group: list(commands) for group, commands in GROUPS.items()}


def stated_figures() -> dict[str, float]:
    """How many times as long others take, by the words before it."""
    stated = re.findall(r"([\w ]+?) (?:takes? )?more than ([\d,]+) times", section("Beside what people use today"))
    return {words.strip().removesuffix(" take"): float(figure.replace(",", "")) for words, figure in stated}


def test_figures_of_the_readme_are_those_of_the_benchmark_table() -> None:
    assert stated_figures().keys() == MEASURED.keys()
    for words, figure in stated_figures().items():
        figures = measured(MEASURED[words])
        assert len(figures) >= 2
        # Kept, and not so far below it that it says nothing.
        assert figure < min(figures) < 2.0 * figure


def test_the_readme_is_read_in_two_minutes() -> None:
    assert sum(map(word_count, paragraphs(README))) <= WORDS_MAX


def test_the_ten_lines_are_ten() -> None:
    program = re.search(r"```python\n(.*?)```", section("Ten lines of Python"), flags=re.DOTALL)
    assert program is not None
    assert len(program[1].strip().splitlines()) <= 12
