"""The report in Chromium: nothing leaves the computer, it fits the screen, the robot moves, and it prints."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from browser.chromium import Page, chromium_page
from parapick.report import find_chromium, write_pdf, write_report
from report.evaluations import made

pytestmark = pytest.mark.skipif(find_chromium() is None, reason="Chromium is not installed")

FRAME = "document.querySelector('iframe').contentDocument"
CLOCK = f"parseFloat({FRAME}.querySelector('input').value)"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("viser")
    return write_report(made(), tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with chromium_page() as found:
        yield found


@pytest.mark.parametrize("width", [1200, 420])
def test_the_page_fits_the_screen_and_asks_for_nothing(page: Page, report: Path, width: int) -> None:
    page.open(report, width, 400)
    page.until(f"{FRAME}.querySelector('canvas') != null")
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.run("[...document.querySelectorAll('svg.drawn')].every(s => getComputedStyle(s).width != '0px')")
    assert page.run("document.querySelector('.still').checkVisibility()") is False
    outside = [url for url in page.requests if not url.startswith(("data:", "blob:", report.resolve().as_uri()))]
    assert outside == []
    assert page.errors == []


def test_the_robot_moves(page: Page, report: Path) -> None:
    # A small window: the picture is drawn without a graphics card.
    page.open(report, 420, 360)
    page.until(f"{FRAME}.querySelector('canvas') != null")
    page.run("document.querySelector('iframe').scrollIntoView({behavior: 'instant'})")
    page.until(f"{CLOCK} > 0.2")
    first = picture(page)
    page.until(f"Math.abs({CLOCK} - 1.6) < 0.5")
    second = picture(page)
    assert first.shape == second.shape
    assert (np.abs(first - second).max(axis=-1) > 0.2).sum() > 50


def picture(page: Page) -> np.ndarray:
    """Right half of the replay (h, w, 3), where viser puts no messages."""
    from matplotlib.image import imread

    box = page.run(
        "(({x, y, width, height}) => ({x, y, width, height}))(document.querySelector('iframe').getBoundingClientRect())"
    )
    half = {"x": box["x"] + box["width"] / 2, "y": 0, "width": box["width"] / 2, "height": box["height"] * 0.85}
    half["y"] = box["y"] + page.run("scrollY")
    return imread(io.BytesIO(page.picture(clip=half)))[..., :3]


def test_it_prints_with_a_picture_in_the_place_of_the_replay(page: Page, report: Path, tmp_path: Path) -> None:
    printed = write_pdf(report, tmp_path / "report.pdf").read_bytes()
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") >= 3
    assert [file.name for file in tmp_path.iterdir()] == ["report.pdf"]
    page.open(report, 800, 300)
    page.call("Emulation.setEmulatedMedia", media="print")
    try:
        shown = page.run("['.still', '.replay', 'nav'].map(name => document.querySelector(name).checkVisibility())")
    finally:
        page.call("Emulation.setEmulatedMedia", media="")
    assert shown == [True, False, False]
