"""The one answer of all rooms: found by name, as text, as plain values, on a page, as a data frame, as an exit code."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np
import pytest

from parapick.answer import (
    Answer,
    Column,
    Place,
    Requirement,
    Series,
    Table,
    UnknownColumnError,
    UnknownTableError,
    lines,
)
from parapick.answer.plain import FORMAT
from parapick.cli import main
from parapick.cli.printing import print_answer
from parapick.errors import ParapickError

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")

MOTORS = Table(
    name="motors",
    title="peaks per motor",
    columns=(Column("motor"), Column("peak", "N m", decimals=1), Column("angle", "rad"), Column("rated", "N m")),
    rows=((1, 12.345, math.pi / 6, None), (2, -0.04, -1e-12, None)),
    note="at the <joints>",
)
OVER = Requirement(
    "motor torque, peak", 95.0, 90.0, "N m", ok=False, text="too much", place=Place(0.1, (0.1, 0.0, -0.7), 2)
)
MET = Requirement("margin, over-mobility", 0.2, 0.05, "", ok=True, text="enough", floor=True)

COMMANDS = [
    ["robots"],
    ["tasks"],
    ["show", "par4"],
    ["pose", "par4", "0.1", "-0.05", "-0.7", "0.3"],
    ["margins", "par4", "0.1", "-0.05", "-0.7", "0.3"],
    ["margins", "fivebar-spindle"],
    ["modes", "r4-100g"],
    ["workspace", "delta-nr", "--spacing", "100mm"],
    ["capability", "delta-nr", "0", "0", "-0.7"],
    ["capability", "delta-nr"],
    ["map", "delta-nr", "margin", "--spacing", "100mm"],
]


def answer(**changes: Any) -> Answer:
    fields: dict[str, Any] = {"key": "torque", "title": "torques & <more>", "tables": (MOTORS,), **changes}
    return Answer(**fields)


# By name


def test_tables_and_columns_are_found_by_name() -> None:
    assert answer().table("motors") is MOTORS
    assert MOTORS.column("peak") == (12.345, -0.04)
    assert MOTORS.records[1]["motor"] == 2


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(UnknownTableError, match=r"torque has no table 'legs'; there are motors") as table:
        answer().table("legs")
    assert table.value.known == ("motors",)
    with pytest.raises(UnknownTableError, match="it has no tables"):
        answer(tables=()).table("legs")
    with pytest.raises(UnknownColumnError, match="peak") as column:
        MOTORS.column("peaks")
    assert column.value.known == ("motor", "peak", "angle", "rated")


# Plain values


def test_plain_values_are_json_with_none_for_what_is_no_number() -> None:
    data = {
        "worst": np.float64(math.nan),
        "bounds": (math.inf, 1),
        "poses": np.array([[1.0, math.nan]]),
        "n": np.int64(3),
    }
    series = Series("torque", "N m", np.array([0.0, 1.0]), np.array([[1.0], [math.inf]]), ("motor 1",))
    made = answer(findings=(OVER, MET), data=data, notes=("a note",), series=(series,))
    plain = made.to_dict(series=True)
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain["data"] == {"worst": None, "bounds": [None, 1], "poses": [[1.0, None]], "n": 3}
    assert plain["tables"]["motors"]["rows"][0] == {"motor": 1, "peak": 12.345, "angle": math.pi / 6, "rated": None}
    assert plain["tables"]["motors"]["units"] == {"motor": "", "peak": "N m", "angle": "rad", "rated": "N m"}
    assert plain["findings"][0]["use"] == pytest.approx(95 / 90)
    assert plain["findings"][1]["use"] is None
    assert plain["series"][0]["values"] == [[1.0], [None]]
    assert "series" not in made.to_dict()


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_prints_the_same_envelope(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    def refuse(token: str) -> None:
        raise AssertionError(f"{token} is not JSON")

    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert document["format"] == FORMAT == 2
    assert document["answer"] == words[0]
    assert document["ok"] is True
    assert document["refusal"] is None
    keys = {"format", "answer", "ok", "headline", "title", "findings", "tables", "summary", "notes"}
    keys |= {"left_out", "refusal", "data"}
    assert set(document) - {"files", "replaced", "settings"} == keys
    # Where something can be set otherwise than a file states it, nothing was.
    assert document.get("settings", {}) == {}
    assert document["tables"]
    for table in document["tables"].values():
        assert set(table) == {"title", "units", "rows", "note"}
        assert table["rows"]
        assert all(set(row) == set(table["units"]) for row in table["rows"])


# Data frames


def test_tables_become_data_frames() -> None:
    pandas = pytest.importorskip("pandas")
    frame = answer().to_pandas()["motors"]
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["peak"]) == [12.345, -0.04]
    assert frame.attrs["units"]["peak"] == "N m"


def test_without_pandas_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ParapickError, match="pip install pandas"):
        answer().to_pandas()


# Short forms


def test_the_short_form_says_what_there_is() -> None:
    made = answer(findings=(OVER, MET))
    assert repr(made) == "<Answer torque: 1 of 2 requirements met; tables: motors>"
    assert repr(MOTORS) == "<Table motors: 2 rows of motor, peak, angle, rated>"


@pytest.mark.parametrize(
    ("changes", "first"),
    [
        ({}, "torques & <more>"),
        ({"title": "torques\nof par4"}, "torques"),
        ({"refusal": "leg 2 is 3 mm too short"}, "NO: leg 2 is 3 mm too short"),
        ({"headline": "YES: 26 N m of 90 N m"}, "YES: 26 N m of 90 N m"),
        ({"headline": "NO: 95 N m of 90 N m", "refusal": "too much"}, "NO: 95 N m of 90 N m"),
    ],
)
def test_the_first_line_is_the_headline_or_why_not_or_the_title(changes: dict[str, Any], first: str) -> None:
    made = answer(**changes)
    assert made.first_line == first == made.to_dict()["headline"]
    assert made._repr_html_().count(f">{escape(first)}") == 1


def test_a_page_shows_texts_and_no_markup_of_others() -> None:
    page = answer(findings=(OVER,), notes=("<script>",))._repr_html_()
    assert "torques &amp; &lt;more&gt;" in page
    assert "&lt;script&gt;" in page
    assert "<script>" not in page
    assert "At the &lt;joints&gt;" in page
    assert "12.3" in page
    assert MOTORS._repr_html_() in page


# Texts


def test_cells_as_text() -> None:
    texts = MOTORS.texts()
    # Nothing is known of the ratings, so that there is no such column.
    assert texts.heads == ("motor", "peak (N m)", "angle (deg)")
    # A rounded -0 is a plain 0, and so is a rest of rounding.
    assert texts.rows == (("1", "12.3", "30"), ("2", "0.0", "0"))
    assert texts.numbers == (0, 1, 2)


@pytest.mark.parametrize(
    ("cell", "column", "text"),
    [
        (None, Column("peak"), "-"),
        (math.nan, Column("peak"), "-"),
        (math.inf, Column("peak"), "unbounded"),
        (True, Column("singular"), "yes"),
        (False, Column("singular"), "no"),
        ("free", Column("collision"), "free"),
        (0.35, Column("arm", "m"), "350"),
        (0.35, Column("arm", "m", "m", 3), "0.350"),
        (0.5, Column("share", "", "%", 1), "50.0"),
        (123456.0, Column("force", "N"), "123456"),
        (0.00012347, Column("inertia", "kg m2"), "0.0001235"),
        (7, Column("leg"), "7"),
    ],
)
def test_a_cell_as_text(cell: Any, column: Column, text: str) -> None:
    other = ("x",) if isinstance(cell, str) else (1.0,)
    assert Table("t", "", (column,), ((cell,), other)).texts().rows[0] == (text,)


def test_a_column_of_units_says_how_the_number_before_it_is_shown() -> None:
    table = Table("t", "", (Column("value"), Column("unit")), ((0.25, "m"), (2.0, "kg")))
    assert table.texts().rows == (("250", "mm"), ("2", "kg"))


@pytest.mark.parametrize(
    ("column", "cells", "loud"),
    [
        (Column("of peak", "", "%", 1, alarm=1.0), (0.5, 1.0, 1.2, None, math.nan), {2}),
        (Column("singular", alarm=True), (True, False, None), {0}),
        (Column("collision", alarm="collides"), ("free", "collides"), {1}),
        (Column("peak", "N m"), (0.5, 100.0), set()),
    ],
)
def test_cells_that_stand_out(column: Column, cells: tuple[Any, ...], loud: set[int]) -> None:
    """Also where a column before them is left out because it is empty."""
    table = Table("t", "", (Column("name"), Column("empty"), column), tuple(("a", None, cell) for cell in cells))
    assert table.texts().alarms == {(row, 1) for row in loud}


def test_a_list_has_no_heads() -> None:
    assert "<thead>" not in lines("about", {"file": "a.toml"})._repr_html_()
    assert "<thead>" in MOTORS._repr_html_()


def test_a_finding_is_read_by_its_label() -> None:
    force = replace(OVER, label="motor force, peak", place=Place(0.1, (0.1, 0.0, -0.7), 2, "leg"))
    page = answer(findings=(force,))._repr_html_()
    assert "motor force, peak" in page
    assert "motor torque" not in page
    assert "leg 2, 0.1 s" in page


# Printing


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, 0),
        ({"findings": (MET,)}, 0),
        ({"findings": (MET, OVER)}, 1),
        ({"refusal": "out of reach"}, 1),
        ({"left_out": ("no masses",)}, 0),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_the_exit_code_is_the_answer(
    capsys: pytest.CaptureFixture[str], changes: dict[str, Any], code: int, as_json: bool
) -> None:
    assert print_answer(answer(**changes), as_json=as_json) == code
    out = capsys.readouterr().out
    assert all(text in out for text in ("out of reach", "no masses") if text in str(changes))
    if as_json:
        assert json.loads(out)["ok"] is (code == 0)


def test_text_has_title_tables_notes_and_files(capsys: pytest.CaptureFixture[str]) -> None:
    hidden = Table("long", "too long", (Column("x"),), ((1.0,),), printed=0)
    made = answer(tables=(MOTORS, hidden, lines("about", {"file": "a.toml", "legs": "3"})), notes=("a note",))
    print_answer(made, as_json=False, files={"plot": "map.png"})
    out = capsys.readouterr().out
    blocks = out.split("\n\n")
    assert blocks[0] == "torques & <more>"
    assert blocks[1].startswith("peaks per motor\nmotor  peak (N m)")
    assert blocks[1].endswith("at the <joints>")
    assert blocks[2] == "file  a.toml\nlegs  3"
    assert blocks[3:] == ["a note", "plot: map.png\n"]
    print_answer(made, as_json=True, files={"plot": "map.png"})
    assert json.loads(capsys.readouterr().out)["files"] == {"plot": "map.png"}
