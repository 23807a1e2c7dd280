"""Fixtures of the browser tests: the system's Chromium, a page of it, and a report to look at."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.watched import FLAGS, Watched, program
from parapick.report import write_report
from report.evaluations import made


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """A page of its own for each test."""
    page = browser.new_page()
    yield Watched(page)
    page.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not os.environ.get("CI"):
        pytest.importorskip("viser")
    return write_report(made(), tmp_path_factory.mktemp("report"))
