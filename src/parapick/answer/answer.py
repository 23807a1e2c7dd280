"""What a room answers a person: requirements that are met or not, tables with named columns, notes, data.

These are plain values. The command line prints them, the report draws them, JSON carries them; none of them asks where
the numbers come from. Numbers are SI throughout; how they are shown is said by their columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final, final

from parapick.answer.page import findings_table, notes_list, table_element
from parapick.answer.plain import finite
from parapick.answer.requirement import Requirement
from parapick.answer.table import Table
from parapick.answer.values import Series
from parapick.errors import ParapickError

if TYPE_CHECKING:
    from pandas import DataFrame

_SHOWN: Final = 120
"""Most characters of the first line in the repr of an answer."""


@final
@dataclass(frozen=True, eq=False)
class Answer:
    """What was asked, and what came out; an evaluation is several of them.

    Attributes:
        key: its name, such as "torque"; that of a section or a command.
        title: its heading.
        findings: requirements it checks.
        tables: what it found.
        series: quantities along the task.
        summary: what people ask for first, a line each by its name; printed on the terminal.
        notes: sentences that a reader should know.
        left_out: what could not be computed, and why, each as a sentence without its subject.
        data: plain values (dict, list, str, numbers) for programs beside the tables; empty if the tables say it all.
        refusal: why the answer is no although no requirement is listed, such as a pose out of reach; otherwise empty.
        headline: the answer in one sentence, with its number and its limit; empty where `first_line` follows from the
            rest, and of the sections of an evaluation, whose verdict is that of all of them.
    """

    key: str
    title: str
    findings: tuple[Requirement, ...] = ()
    tables: tuple[Table, ...] = ()
    series: tuple[Series, ...] = ()
    summary: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)
    refusal: str = ""
    headline: str = ""

    @property
    def first_line(self) -> str:
        """What is read first, on a terminal, on a page and in JSON: the headline, or why not, or the title."""
        if self.headline or not self.refusal:
            return self.headline or self.title.partition("\n")[0]
        return f"NO: {self.refusal}"

    @property
    def ok(self) -> bool:
        """Whether every requirement is met and nothing is refused."""
        return not self.refusal and all(finding.ok for finding in self.findings)

    def answer(self) -> Answer:
        """Itself: every result of a verb has an answer, and some are one."""
        return self

    def table(self, name: str) -> Table:
        """A table by its name.

        Args:
            name: its name, such as "motors".

        Raises:
            UnknownTableError: there is none of this name.
        """
        for table in self.tables:
            if table.name == name:
                return table
        raise UnknownTableError(self.key, name, tuple(table.name for table in self.tables))

    def to_dict(self, *, series: bool = False) -> dict[str, Any]:
        """The answer as dicts, lists, texts and numbers, None in the place of NaN and infinity; as JSON has it.

        Args:
            series: whether the quantities along the task are given too; they are long.
        """
        values = {
            "headline": self.first_line,
            "title": self.title,
            "findings": [finding.to_dict() for finding in self.findings],
            "tables": {table.name: table.to_dict() for table in self.tables},
            "summary": self.summary,
            "notes": list(self.notes),
            "left_out": list(self.left_out),
            "refusal": self.refusal or None,
            "data": self.data,
        }
        return finite({**values, "series": [asdict(one) for one in self.series]} if series else values)

    def to_pandas(self) -> dict[str, DataFrame]:
        """Every table as a `pandas.DataFrame`, by its name; needs pandas."""
        return {table.name: table.to_pandas() for table in self.tables}

    def __repr__(self) -> str:
        met = sum(finding.ok for finding in self.findings)
        says = f"{met} of {len(self.findings)} requirements met" if self.findings else shorten(self.first_line, _SHOWN)
        names = ", ".join(table.name for table in self.tables) or "none"
        return f"<Answer {self.key}: {says}; tables: {names}>"

    def _repr_html_(self) -> str:
        findings = findings_table(self.findings) if self.findings else ""
        tables = "".join(table_element(table.title, table.texts(), table.note) for table in self.tables)
        known = self.title.splitlines()[:1] == [self.first_line]
        first = "" if known else f"<p><strong>{escape(self.first_line)}</strong></p>\n"
        return f"{first}<h3>{escape(self.title)}</h3>\n{notes_list(self.notes)}{findings}{tables}"


@final
class UnknownTableError(ParapickError):
    """An answer has no table of this name.

    Attributes:
        name: the name.
        known: names of its tables.
    """

    def __init__(self, key: str, name: str, known: tuple[str, ...]) -> None:
        there_are = f"there are {', '.join(known)}" if known else "it has no tables"
        super().__init__(f"{key} has no table {name!r}; {there_are}")
        self.name = name
        self.known = known
