"""Panels of the report zoom: by dragging and by keys, the panels of a figure together, and on every screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator

from browser.watched import Watched
from parapick.report import write_report
from parapick.report.replay import NARROWEST
from report.evaluations import made


@pytest.fixture(scope="module")
def tray(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(made("par4", "tray"), tmp_path_factory.mktemp("tray"), replay=False)


def figure(watched: Watched) -> Locator:
    """The figure of the motion: several panels over one time."""
    drawn = watched.page.locator("#section-motion figure.wide")
    drawn.scroll_into_view_if_needed()
    return drawn


def drag(watched: Watched, plot: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag across a panel, between shares of its width and height."""
    box = plot.locator("svg").first.bounding_box()
    assert box is not None
    mouse = watched.page.mouse
    points = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
    mouse.move(*points[0])
    mouse.down()
    mouse.move(*points[1], steps=4)
    mouse.up()


def view(plot: Locator) -> list[float]:
    """What a panel shows of its drawing: left, top, width and height as shares."""
    numbers = [float(text) for text in str(plot.locator("svg").first.get_attribute("viewBox")).split()]
    return [numbers[0] / 30000, numbers[1] / 7500, numbers[2] / 30000, numbers[3] / 7500]


def numbers_below(plot: Locator) -> list[float]:
    texts = plot.locator(":scope > .x").all_text_contents()
    return [float(text.replace("\u2212", "-")) for text in texts]


WHOLE = [0.0, 0.0, 1.0, 1.0]


def test_a_drag_shows_that_part_in_all_panels_of_the_figure(watched: Watched, tray: Path) -> None:
    watched.open(tray, 1400)
    plots = figure(watched).locator(".plot").all()
    first, second = plots[0], plots[1]
    end = float(str(first.get_attribute("data-x")).split()[1])
    before = numbers_below(first)
    drag(watched, first, (0.25, 0.5), (0.5, 0.52))
    for plot in (first, second):
        assert view(plot) == pytest.approx([0.25, 0.0, 0.25, 1.0], abs=0.01)
        places = numbers_below(plot)
        assert places != before
        assert len(places) >= 2
        assert 0.24 * end < min(places) < max(places) < 0.51 * end
    # Numbers stand where they belong.
    shares = first.locator(":scope > .x").evaluate_all("spans => spans.map(span => parseFloat(span.style.left) / 100)")
    left, _, width, _ = view(first)
    assert shares == pytest.approx([(place / end - left) / width for place in numbers_below(first)], abs=1e-3)
    first.dblclick()
    assert [view(plot) for plot in plots] == [WHOLE for _ in plots]
    assert numbers_below(first) == before
    assert watched.errors == []


def test_a_box_zooms_both_axes_and_a_button_shows_the_whole(watched: Watched, tray: Path) -> None:
    watched.open(tray, 1400)
    plot = figure(watched).locator(".plot").first
    button = plot.locator(".whole")
    assert not button.is_visible()
    drag(watched, plot, (0.2, 0.1), (0.6, 0.6))
    assert view(plot) == pytest.approx([0.2, 0.1, 0.4, 0.5], abs=0.02)
    # Once more, within what is shown.
    drag(watched, plot, (0.0, 0.0), (0.5, 1.0))
    assert view(plot) == pytest.approx([0.2, 0.1, 0.2, 0.5], abs=0.02)
    button.click()
    assert view(plot) == WHOLE
    assert not button.is_visible()


def test_keys_zoom_and_move(watched: Watched, tray: Path) -> None:
    watched.open(tray, 1400)
    plot = figure(watched).locator(".plot").first
    plot.focus()
    watched.page.keyboard.press("+")
    assert view(plot) == pytest.approx([0.25, 0.0, 0.5, 1.0])
    watched.page.keyboard.press("ArrowRight")
    assert view(plot)[0] == pytest.approx(0.35)
    for _ in range(9):
        watched.page.keyboard.press("ArrowRight")
    assert view(plot)[:3:2] == pytest.approx([0.5, 0.5])
    for _ in range(20):
        watched.page.keyboard.press("+")
    # There is a closest.
    assert view(plot)[2] == pytest.approx(1 / 60)
    watched.page.keyboard.press("0")
    assert view(plot) == WHOLE


def test_views_to_scale_keep_their_scale(watched: Watched, tray: Path) -> None:
    watched.open(tray, 1400)
    plot = watched.page.locator("#section-reach figure.views .plot").first
    plot.scroll_into_view_if_needed()
    texts = plot.locator(".beside").count()
    drag(watched, plot, (0.4, 0.4), (0.6, 0.5))
    left, top, width, height = map(float, str(plot.locator("svg").first.get_attribute("viewBox")).split())
    ratio = plot.evaluate("plot => plot.clientWidth / plot.clientHeight")
    assert width / height == pytest.approx(ratio, rel=0.01)
    assert left > 0.0 < top
    # Numbers of motors outside are not left standing beside the view.
    hidden = plot.locator(".beside").evaluate_all("all => all.filter(one => one.style.visibility == 'hidden').length")
    assert 0 < hidden <= texts


@pytest.mark.parametrize("width", [1400, 420])
def test_a_larger_panel_fits_the_page_and_a_zoomed_one_prints(watched: Watched, tray: Path, width: int) -> None:
    watched.open(tray, width)
    drawn = figure(watched)
    panel = drawn.locator(".panel").first
    plot = panel.locator(".plot")
    small = plot.evaluate("plot => plot.clientHeight")
    panel.locator(".enlarge").click()
    assert plot.evaluate("plot => plot.clientHeight") > 1.5 * small
    drag(watched, plot, (0.3, 0.5), (0.8, 0.5))
    assert view(plot)[2] == pytest.approx(0.5, abs=0.02)
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= width
    watched.page.emulate_media(media="print")
    assert not panel.locator(".enlarge").is_visible()
    assert not plot.locator(".whole").is_visible()
    assert len(numbers_below(plot)) >= 2
    assert watched.errors == []


@pytest.mark.parametrize("width", [1400, 420, 360])
def test_the_frame_of_the_replay_is_wide_enough_for_the_whole_robot(
    watched: Watched, tmp_path: Path, width: int
) -> None:
    page = write_report(made("par4", "box"), tmp_path, replay=False).read_text(encoding="utf-8")
    framed = tmp_path / "framed.html"
    framed.write_text(page.replace("<main>", '<main><iframe class="replay"></iframe>', 1), encoding="utf-8")
    watched.open(framed, width)
    size = watched.page.locator(".replay").bounding_box()
    assert size is not None
    assert size["width"] / size["height"] >= NARROWEST
    assert size["height"] >= 250


def test_requirements_are_whole_on_a_phone(watched: Watched, tray: Path) -> None:
    watched.open(tray, 420)
    table = watched.page.locator(".findings")
    assert table.evaluate("table => table.parentElement.scrollWidth <= table.parentElement.clientWidth")
    for cell in table.locator("td.kept").all():
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 420


def test_without_a_script_panels_are_as_they_are(watched: Watched, tray: Path, tmp_path: Path) -> None:
    text = tray.read_text(encoding="utf-8")
    start, end = text.index("<script>"), text.index("</script>")
    still = tmp_path / "still.html"
    still.write_text(text[:start] + text[end:].replace("</script>", "", 1), encoding="utf-8")
    watched.open(still, 1400)
    assert watched.page.locator(".enlarge, .whole").count() == 0
    assert not watched.page.locator(".zoom-hint").is_visible()
    assert len(numbers_below(figure(watched).locator(".plot").first)) >= 3
