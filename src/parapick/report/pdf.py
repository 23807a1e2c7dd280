"""A report as PDF, printed by Chromium where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from parapick.errors import ParapickError
from parapick.files import whole_file

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""Programs that print, in the order in which they are looked for."""

TIMEOUT: Final = 120.0
"""Seconds after which printing has failed; a report takes a few."""


def find_chromium() -> str | None:
    """Path of Chromium, or of Chrome; None where there is neither."""
    return next((program for name in NAMES if (program := shutil.which(name))), None)


def write_pdf(html_path: str | Path, pdf_path: str | Path) -> Path:
    """Print a report into a PDF file and say where it is.

    The replay cannot be printed: the report has a picture in its place.

    Args:
        html_path: the report.
        pdf_path: the PDF file.

    Raises:
        ParapickError: there is no report or no Chromium, or it did not print.
    """
    source, target = Path(html_path), Path(pdf_path)
    if not source.is_file():
        raise ParapickError(f"{source}: there is no such report to print")
    browser = find_chromium()
    if browser is None:
        raise ParapickError(
            f"a PDF needs Chromium or Chrome, and none of {', '.join(NAMES)} is on the path; install one, or open "
            f"{source} in any browser and print it"
        )
    with whole_file(target, folders=True) as place:
        _print(browser, source.resolve(), place)
    return target


def _print(browser: str, source: Path, place: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="parapick-print-") as profile:
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--no-pdf-header-footer",
            f"--user-data-dir={profile}",
            # The replay is not printed, so nothing needs to be drawn for it.
            "--disable-3d-apis",
            f"--print-to-pdf={place}",
            source.as_uri(),
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            # Chromium's own sandbox refuses to run for the superuser, as in containers.
            command.insert(1, "--no-sandbox")
        try:
            run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ParapickError(f"{browser} did not print {source}: {error}") from error
    if not place.is_file():
        said = run.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise ParapickError(f"{browser} did not print {source}: {said[0]}")
