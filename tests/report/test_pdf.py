"""What printing says when it cannot print; that it prints is tested with a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from parapick.errors import ParapickError
from parapick.report import find_chromium, write_pdf


def test_without_chromium_the_error_names_what_would_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "report.html"
    page.write_text("<p>hello", encoding="utf-8")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_chromium() is None
    with pytest.raises(ParapickError, match=r"chromium, chromium-browser, google-chrome.*print it"):
        write_pdf(page, tmp_path / "report.pdf")
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_without_a_report_there_is_nothing_to_print(tmp_path: Path) -> None:
    with pytest.raises(ParapickError, match=r"missing\.html: there is no such report"):
        write_pdf(tmp_path / "missing.html", tmp_path / "report.pdf")


def test_a_browser_that_fails_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "report.html"
    page.write_text("<p>hello", encoding="utf-8")
    program = tmp_path / "bin" / "chromium"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'no display at all' >&2\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    with pytest.raises(ParapickError, match="no display at all"):
        write_pdf(page, tmp_path / "report.pdf")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bin", "report.html"]
