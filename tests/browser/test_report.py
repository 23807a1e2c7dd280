"""The report in Chromium: nothing leaves the computer, it fits the screen, the robot moves, and it prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from browser.chromium import Page, chromium_page
from parapick.report import find_chromium, write_pdf, write_report
from report.evaluations import made

pytestmark = pytest.mark.skipif(find_chromium() is None, reason="Chromium is not installed")

CLOCK = "parseFloat(document.querySelector('input').value)"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("viser")
    return write_report(made(), tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with chromium_page() as found:
        yield found


@pytest.fixture
def page(browser: Page) -> Iterator[Page]:
    """A page that is left afterwards, so that nothing goes on being drawn."""
    browser.requests.clear()
    browser.errors.clear()
    yield browser
    browser.call("Page.navigate", url="about:blank")


@pytest.mark.parametrize("width", [1200, 420])
def test_the_page_fits_the_screen_and_asks_for_nothing(page: Page, report: Path, width: int) -> None:
    page.open(report, width, 400)
    page.until("document.querySelector('canvas') != null", inside=True)
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.run("[...document.querySelectorAll('svg.drawn')].every(s => getComputedStyle(s).width != '0px')")
    assert page.run("document.querySelector('.still').checkVisibility()") is False
    outside = [url for url in page.requests if not url.startswith(("data:", "blob:", report.resolve().as_uri()))]
    assert outside == []
    assert page.errors == []


def test_the_robot_moves(page: Page, report: Path) -> None:
    page.open(report, 420, 360)
    # A small picture: it is drawn without a graphics card.
    page.run("document.querySelector('iframe').style = 'width: 180px; height: 160px; min-height: 0'")
    page.run("document.querySelector('iframe').scrollIntoView({behavior: 'instant'})")
    page.until("document.querySelector('canvas') != null && document.querySelector('input') != null", inside=True)
    page.until(f"{CLOCK} > 0.2", inside=True)
    # The robot goes there and back, so that two moments may look alike; several do not.
    first = picture(page)
    assert any(changed(first, picture(page)) for _ in range(8))
    # Nothing but its motion changes the picture: paused, it stands still.
    page.run("window.dispatchEvent(new KeyboardEvent('keydown', {code: 'Space'}))", inside=True)
    still = f"(async () => {{ const t = {CLOCK}; await new Promise(d => setTimeout(d, 300)); return t == {CLOCK} }})()"
    page.until(still, inside=True)
    assert not changed(picture(page), picture(page))
    # The clocks, the pictures and the key: none of it made the replay stumble over its walls.
    assert page.errors == []


WAYS_OUT = (
    "localStorage.length",
    "document.cookie",
    "parent.document.title",
    "top.location.href",
    "indexedDB.open('x')",
)


def test_the_replay_is_walled_in(page: Page, report: Path) -> None:
    page.open(report, 420, 200)
    assert page.run("window.origin", inside=True) == "null"
    assert page.run("document.querySelector('iframe').contentDocument") is None
    for way in WAYS_OUT:
        tried = f"(() => {{ try {{ {way}; return 'out' }} catch (error) {{ return error.name }} }})()"
        assert page.run(tried, inside=True) == "SecurityError", way
    # What it complains about is heard.
    page.run("console.error('wall')", inside=True)
    assert page.errors == ["wall"]


def changed(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether a body moved between two pictures: enough of their dots differ clearly."""
    return (np.abs(first - second) > 40).sum() > 20


def picture(page: Page) -> np.ndarray:
    """What the replay draws (60, 80), as grey from 0 to 255, once it draws something."""
    script = """(async () => {
        const small = Object.assign(document.createElement('canvas'), {width: 80, height: 60}).getContext('2d');
        for (let tries = 0; tries < 400; tries++) {
            // What was drawn is there until the end of the frame: ask for a turn after the one who draws.
            await new Promise(done => setTimeout(() => requestAnimationFrame(done), 0));
            const size = canvas => canvas.width * canvas.height;
            const drawn = [...document.querySelectorAll('canvas')].sort((a, b) => size(b) - size(a))[0];
            if (!drawn || !size(drawn)) continue;
            small.fillStyle = 'white';
            small.fillRect(0, 0, 80, 60);
            small.drawImage(drawn, 0, 0, 80, 60);
            const data = [...small.getImageData(0, 0, 80, 60).data];
            const grey = Array.from({length: 4800}, (_, i) => (data[4*i] + data[4*i + 1] + data[4*i + 2]) / 3);
            if (Math.min(...grey) < 120 && tries > 2) return grey;
        }
        return null;
    })()"""
    grey = page.run(script, inside=True)
    assert grey is not None, "the replay draws nothing"
    return np.reshape(grey, (60, 80))


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


def test_the_log_would_see_a_request(page: Page, tmp_path: Path) -> None:
    other = tmp_path / "asking.html"
    other.write_text("<!DOCTYPE html><img src='https://nowhere.invalid/picture.png'>", encoding="utf-8")
    page.open(other, 400, 300)
    assert "https://nowhere.invalid/picture.png" in page.requests
