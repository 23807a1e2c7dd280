"""The programs on the page about the report run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick import report
from report.evaluations import made

PAGE = Path(__file__).parents[2] / "docs" / "reading-report.md"


def programs() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def program(name: str) -> str:
    """The program that uses a name."""
    (text,) = [text for text in programs() if name in text]
    return text


def test_the_program_that_writes_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What evaluating and printing do is tested elsewhere; they take long.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pp, "evaluate", made)
    printed: list[tuple[Path, Path]] = []
    monkeypatch.setattr(report, "write_pdf", lambda page, target: printed.append((page, target)))
    exec(programs()[0], {})
    stem = Path("reports/par4-adept-120")
    assert printed == [(stem.with_suffix(".html"), stem.with_suffix(".pdf"))]
    assert stem.with_suffix(".html").read_text(encoding="utf-8").endswith("</html>\n")


def test_the_program_that_writes_a_report_for_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(programs()[1], {})
    page = Path("reports/par4-adept-120.html").read_text(encoding="utf-8")
    assert "<h1>Tray cell 4</h1>" in page
    assert "adept-120.toml, shipped with parapick" in page


def test_the_program_that_reads_the_numbers_with_pandas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(program("read_parquet"), names)
    (series,) = [one for one in names["found"]["torque"].series if one.name == "motor torque"]
    peaks = names["peaks"]
    assert list(peaks.index) == sorted(series.labels)
    for label, values in zip(series.labels, series.values.T, strict=True):
        assert list(peaks.loc[label, ["min", "max"]]) == [np.min(values), np.max(values)]


def test_the_program_that_draws_a_robot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(program("robot_picture"), {})
    assert Path("par4.png").read_bytes().startswith(b"\x89PNG")
