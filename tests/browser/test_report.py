"""The report in Chromium: nothing leaves the computer, it fits the screen, the robot moves, and it prints."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Frame

from browser.watched import Watched, until
from parapick.report import write_pdf, write_report
from report.evaluations import made

CLOCK = "parseFloat(document.querySelector('input').value)"


@pytest.mark.parametrize("width", [1200, 420])
def test_the_page_fits_the_screen_and_asks_for_nothing(watched: Watched, report: Path, width: int) -> None:
    watched.open(report, width, 400)
    page = watched.page
    until(watched.replay, "document.querySelector('canvas') != null")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Titles of tables are on the screen however far their tables are scrolled.
    page.evaluate("document.querySelectorAll('.scroll').forEach(part => part.scrollLeft = 1e4)")
    captions = "[...document.querySelectorAll('main > section caption')].map(text => text.getBoundingClientRect())"
    sides = page.evaluate(f"{captions}.filter(box => box.width).map(box => [box.left, box.right])")
    assert sides
    assert all(0 <= left < right <= width for left, right in sides)
    assert page.evaluate("[...document.querySelectorAll('svg.drawn')].every(s => getComputedStyle(s).width != '0px')")
    assert page.evaluate("document.querySelector('.still').checkVisibility()") is False
    outside = [url for url in watched.requests if not url.startswith(("data:", "blob:", report.resolve().as_uri()))]
    assert outside == []
    assert watched.errors == []


TEXTS = """(() => {
    // Rectangles of the texts of every figure, as they are drawn.
    const boxes = figure => {
        const found = [], walker = document.createTreeWalker(figure, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const range = document.createRange();
            range.selectNodeContents(walker.currentNode);
            for (const box of range.getClientRects())
                if (box.width) found.push([walker.currentNode.data, box.left, box.top, box.right, box.bottom]);
        }
        return found;
    };
    return [...document.querySelectorAll('figure:not(.still) > .panels')].map(boxes);
})()"""


def overlaps(boxes: list[tuple[str, float, float, float, float]]) -> list[str]:
    """Pairs of texts that share more than a hair of a figure."""
    return [
        f"{first[0]!r} on {second[0]!r}"
        for first, second in itertools.combinations(boxes, 2)
        if min(first[3], second[3]) - max(first[1], second[1]) > 1.5
        and min(first[4], second[4]) - max(first[2], second[2]) > 3.5
    ]


def test_the_check_of_overlaps_sees_one() -> None:
    first, second, third = ("a", 0.0, 0.0, 20.0, 10.0), ("b", 15.0, 2.0, 30.0, 12.0), ("c", 21.0, 14.0, 30.0, 24.0)
    assert overlaps([first, second, third]) == ["'a' on 'b'"]


@pytest.mark.parametrize("width", [1400, 420])
@pytest.mark.parametrize(
    ("robot", "task"), [("par4", "box"), ("delta-r6", "adept-13g"), ("fivebar-spindle", "box"), ("par4", "belts")]
)
def test_no_text_of_a_figure_lies_on_another_or_leaves_the_page(
    watched: Watched, tmp_path: Path, robot: str, task: str, width: int
) -> None:
    watched.open(write_report(made(robot, task), tmp_path, replay=False), width)
    figures = watched.page.evaluate(TEXTS)
    assert len(figures) > 5
    assert [overlaps(boxes) for boxes in figures] == [[] for _ in figures]
    assert max(box[3] for boxes in figures for box in boxes) <= width
    assert min(box[1] for boxes in figures for box in boxes) >= 0.0


def test_the_robot_moves(watched: Watched, report: Path) -> None:
    watched.open(report, 420, 360)
    # A small picture: it is drawn without a graphics card.
    watched.page.evaluate("document.querySelector('iframe').style = 'width: 180px; height: 160px; min-height: 0'")
    watched.page.evaluate("document.querySelector('iframe').scrollIntoView({behavior: 'instant'})")
    replay = watched.replay
    until(replay, "document.querySelector('canvas') != null && document.querySelector('input') != null")
    until(replay, f"{CLOCK} > 0.2")
    # The robot goes there and back, so that two moments may look alike; several do not.
    first = picture(replay)
    assert any(changed(first, picture(replay)) for _ in range(8))
    # Nothing but its motion changes the picture: paused, it stands still.
    replay.evaluate("window.dispatchEvent(new KeyboardEvent('keydown', {code: 'Space'}))")
    until(
        replay,
        f"(async () => {{ const t = {CLOCK}; await new Promise(d => setTimeout(d, 300)); return t == {CLOCK} }})()",
    )
    assert not changed(picture(replay), picture(replay))
    # The clocks, the pictures and the key: none of it made the replay stumble over its walls.
    assert watched.errors == []


WAYS_OUT = (
    "localStorage.length",
    "document.cookie",
    "parent.document.title",
    "top.location.href",
    "indexedDB.open('x')",
)


def test_the_replay_is_walled_in(watched: Watched, report: Path) -> None:
    watched.open(report, 420, 200)
    replay = watched.replay
    assert replay.evaluate("window.origin") == "null"
    assert watched.page.evaluate("document.querySelector('iframe').contentDocument") is None
    for way in WAYS_OUT:
        tried = f"(() => {{ try {{ {way}; return 'out' }} catch (error) {{ return error.name }} }})()"
        assert replay.evaluate(tried) == "SecurityError", way
    # What it complains about is heard: on the console, and an exception that nobody catches.
    replay.evaluate("console.error('wall'); setTimeout(() => { throw new Error('fallen') }, 0)")
    until(replay, "new Promise(done => setTimeout(() => done(true), 50))")
    assert watched.errors == ["wall", "fallen"]


def changed(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether a body moved between two pictures: enough of their dots differ clearly."""
    return (np.abs(first - second) > 40).sum() > 20


def picture(replay: Frame) -> np.ndarray:
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
    grey = replay.evaluate(script)
    assert grey is not None, "the replay draws nothing"
    return np.reshape(grey, (60, 80))


def test_it_prints_with_a_picture_in_the_place_of_the_replay(watched: Watched, report: Path, tmp_path: Path) -> None:
    printed = write_pdf(report, tmp_path / "report.pdf").read_bytes()
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") >= 3
    assert [file.name for file in tmp_path.iterdir()] == ["report.pdf"]
    watched.open(report, 800, 300)
    watched.page.emulate_media(media="print")
    shown = watched.page.evaluate(
        "['.still', '.replay', 'nav'].map(name => document.querySelector(name).checkVisibility())"
    )
    assert shown == [True, False, False]


def test_the_log_would_see_a_request(watched: Watched, tmp_path: Path) -> None:
    """A picture is seen as a request; a socket, whose host is not found, as a complaint."""
    other = tmp_path / "asking.html"
    asking = "<img src='https://nowhere.invalid/picture.png'><script>new WebSocket('wss://nowhere.invalid')</script>"
    other.write_text(f"<!DOCTYPE html>{asking}", encoding="utf-8")
    with watched.page.expect_console_message(lambda message: "wss://nowhere.invalid" in message.text):
        watched.open(other, 400, 300)
    assert "https://nowhere.invalid/picture.png" in watched.requests
    assert any("wss://nowhere.invalid" in error for error in watched.errors)
