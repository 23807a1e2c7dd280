"""Captions and titles of the documents' pages: no number in them is written down, and each is what the figure shows."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
import pytest

import parapick as pp
import parapick.papers
from parapick.capability.reachable import workspace
from parapick.mechanism.limb import RodModel
from parapick.papers import DOCUMENTS
from parapick.papers.captions import counted, part_of, printed_text, span
from parapick.papers.corbel2010.figures import FIGURES as CORBEL_FIGURES, any_direction, line_figure, loaded_figure
from parapick.papers.nabat2005.cycles import NabatCycle
from parapick.papers.nabat2005.numbers import SINGULAR
from parapick.papers.righettini2024.evidence import FACTORS
from parapick.papers.righettini2024.figures import disturbance, normal_error, path_figure, torque_figure
from parapick.papers.setup import Setup
from parapick.papers.stated_number import stated_number
from parapick.papers.wu2020.experiment import LIMIT, PLAY, experiment_words, outcome
from parapick.papers.wu2020.figures import FIGURES, experiment_figure
from parapick.report.figures import Drawing
from parapick.report.plot import Area, Curve, Marks, Panel, Tiles
from parapick.report.plot.page import panel_html
from parapick.robots import list_robots

FOLDER = Path(parapick.papers.__file__).parent

SENTENCES = (*sorted(FOLDER.glob("*/figures.py")), FOLDER / "page.py", FOLDER / "captions.py", FOLDER / "plots.py")
"""Files whose sentences a page shows, beside the records."""

COUNTS: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "twenty", "thirty", "fifty", "hundred", "dozen"),
)

PLACES: Final = (
    r"Figs?\. \d+(?:(?:,| and| to) \d+)*",  # figures of a document
    r"\(\d+\w?\)",  # its equations
    r"\brow \d+",  # a row of its table
    r"\b(?:m/s|1/s|rad/s|kg m)\d",  # units
    r"</?h\d>",  # elements of a page
    r"#[\dA-F]{6}",  # colours
)
"""Digits that are names and no numbers."""

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w])")


def names() -> set[str]:
    """Texts that a file of sentences looks something up by: robots, groups, readings, cycles and terms of evidence."""
    groups = [group for document in DOCUMENTS.values() for group in document.numbers]
    looked = {name for group in groups for name in (group.id, *group.readings, *group.printed)}
    shipped = {entry.name for entry in list_robots()}
    return looked | shipped | set(DOCUMENTS) | set(get_args(NabatCycle)) | set(FACTORS) | set(get_args(RodModel))


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of the constants of a file that are neither documentation nor the format of a number."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            silent |= {id(part) for part in ast.walk(node.format_spec)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.lineno, node.value


def stated_numbers(text: str) -> list[str]:
    """Numbers and counts in a text, without digits that are names."""
    for place in PLACES:
        text = re.sub(place, " ", text)
    return [*NUMBER.findall(text), *re.findall(rf"\b(?:{'|'.join(COUNTS)})\b", text)]


def test_the_sweep_sees_numbers_and_counts() -> None:
    assert stated_numbers("Fig. 7, computed: three planes, 127 N m; printed 914 to 1166") == [
        "127",
        "914",
        "1166",
        "three",
    ]
    assert stated_numbers("Figs. 16 to 19, by (26) of row 1, in m/s2, on Par4 and H4") == []
    assert stated_numbers("20 times") == ["20"]


@pytest.mark.parametrize("path", SENTENCES, ids=lambda path: path.name)
def test_no_sentence_has_a_number_of_its_own(path: Path) -> None:
    known = names() | set(import_module("parapick.papers.captions")._COUNTS)
    found = [(line, text) for line, text in sentences(path) if text not in known and stated_numbers(text)]
    assert found == []


def test_counts_in_words() -> None:
    assert [counted(count, "lines") for count in (0, 1, 4, 12, 20)] == [
        "no lines",
        "one line",
        "four lines",
        "twelve lines",
        "20 lines",
    ]
    assert part_of(4, 4, "lines") == "all four lines"
    assert part_of(3, 4, "lines") == "three lines of four"
    assert part_of(0, 4, "lines") == "none of the four lines"
    assert span([903.4, np.nan, 1182.1]) == "903 to 1182"
    assert span([127.04, 127.01], 1) == "127.0"
    assert printed_text("corbel2010", "accelerations", "any direction, min", "any direction, max") == "914 to 1166"


@cache
def setup(key: str) -> Setup:
    """One computation of a document for all tests of this file."""
    assert key in DOCUMENTS
    return Setup()


SLOW = {"gains", "held", "experiment_figure", "workspace_views", "overshoot_figure", "feedforward"}
"""Figures that take long: the soak draws them."""

EXTRA = {
    "corbel2010": ("control", "numbers"),
    "nabat2005": ("numbers", "control"),
    "wu2020": ("experiment", "figures"),
    "righettini2024": ("figures",),
    "spara": ("numbers",),
}
"""Modules whose named constants a caption may state: what a figure is drawn with."""


def makers(key: str, *, slow: bool) -> list[Any]:
    figures = import_module(f"parapick.papers.{key}.figures").FIGURES
    return [make for own in figures.values() for make in own if (make.__name__ in SLOW) == slow]


def drawn_numbers(panel: Panel) -> Iterator[float]:
    """Extremes of what a panel draws, and the numbers that its texts state."""
    for item in panel.items:
        values = (item.x,) if isinstance(item, (Area, Tiles)) else (item.x, item.y)
        for own in (number[np.isfinite(number)] for number in values):
            yield from (own.min(), own.max(), own[0], own[-1], np.abs(own).max()) if own.size else ()
    texts = [panel.title, panel.aside, *(item.label for item in panel.items), *(panel.names or {}).values()]
    yield from (float(text) for words in texts for text in NUMBER.findall(words))


def flat(value: Any) -> Iterator[float]:
    """Numbers of a named constant."""
    if isinstance(value, (tuple, dict)):
        for own in value.values() if isinstance(value, dict) else value:
            yield from flat(own)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def constants(key: str) -> Iterator[float]:
    for name in EXTRA[key]:
        for value in vars(import_module(f"parapick.papers.{key}.{name}")).values():
            yield from flat(value)


def curve(panel: Panel, name: str) -> np.ndarray:
    """Heights of a curve by the name of its legend."""
    return next(item.y for item in panel.items if isinstance(item, Curve) and item.label == name)


def of(drawing: Drawing, title: str) -> Panel:
    """A panel by what its title says."""
    return next(panel for panel in drawing.panels if title in panel.title)


def workspace_numbers(robot: str) -> list[float]:
    found = workspace(pp.load(robot), spacing=0.02)
    return [found.volume, found.connected_volume, found.room.margin]


def transient_numbers(drawing: Drawing) -> list[float]:
    """Largest error in z of the first and of the last of twenty cycles, from the curves."""
    ends = [part for panel in drawing.panels for part in (np.split(curve(panel, "z")[:-1], 20)[k] for k in (0, -1))]
    return [float(own[np.argmax(np.abs(own))]) for own in ends]


def experiment_numbers(drawing: Drawing) -> list[float]:
    """Position error and share of saturated samples from the curves, the play from the shipped controller."""
    plate = of(drawing, "error of the plate")
    position = np.linalg.norm([curve(plate, name) for name in "xyz"], axis=0).max()
    torque = of(drawing, "torque")
    limited = np.any([np.abs(curve(torque, f"motor {motor}")) >= 100.0 for motor in range(1, 5)], axis=0)
    train = pp.load_controller("wu2020-play").plant.drive_train
    assert train is not None
    assert train.backlash is not None
    return [float(position), 100.0 * float(limited.mean()), math.degrees(train.backlash)]


def outside_box(drawing: Drawing) -> list[float]:
    """How far (mm) the path leaves the workspace of the robot's file."""
    box = pp.load("fivebar-spindle").robot.workspace
    assert box is not None
    low, high = 1e3 * box.outline.min(axis=0), 1e3 * box.outline.max(axis=0)
    yaw = [item for item in drawing.panels[0].items if isinstance(item, Curve) and item.label != "workspace"]
    points = np.concatenate([np.stack([item.x, item.y], axis=-1) for item in yaw])
    return [float(np.nanmax(np.maximum(low - points, points - high)))]


def crossing(drawing: Drawing) -> list[float]:
    """Frequency (Hz) from which the integral raises the error."""
    panel = of(drawing, "over that of TSID")
    item = next(item for item in panel.items if isinstance(item, Curve) and item.label == "TSIID over TSID")
    return [float(10.0 ** item.x[np.argmax(item.y >= 1.0)]), float(item.y[0]), float(10.0 ** item.x[0])]


def margin_in_box(_: Drawing) -> list[float]:
    """Smallest margin of spara3 in the box of the note, 0.5 x 1.0 x 0.3 m about (0.8, 0, 0.15) m; and a zero."""
    spread = np.random.default_rng(1).uniform(-0.5, 0.5, (20_000, 3))
    # Random points, and their images on edges along y, one of which has the least margin.
    edges = np.column_stack([0.5 * np.sign(spread[:, 0]), spread[:, 1], 0.5 * np.sign(spread[:, 2])])
    model = pp.load("spara3")
    poses = np.concatenate([spread, edges]) * (0.5, 1.0, 0.3) + (0.8, 0.0, 0.15)
    assert float(model.margins([0.22, 0.0, 0.3725]).over) < 0.05
    return [float(np.min(model.margins(poses).over)), 0.0]


def way_to_singularity(_: Drawing) -> list[float]:
    model = pp.load("par4")
    return [float(np.linalg.norm(np.subtract(SINGULAR, model.robot.home)[:3])), float(model.margins(SINGULAR).internal)]


RECOMPUTED: Final[Mapping[tuple[str, str], Callable[[Drawing], list[float]]]] = {
    ("nabat2005", "margin_maps"): lambda _: [pp.load("par4").robot.home[2]],
    ("nabat2005", "way_out"): way_to_singularity,
    ("nabat2005", "workspace_views"): lambda _: workspace_numbers("par4"),
    ("wu2020", "transient"): transient_numbers,
    ("wu2020", "experiment_figure"): experiment_numbers,
    ("wu2020", "workspace_views"): lambda _: workspace_numbers("asymmetric-screw"),
    ("wu2020", "gains"): lambda drawing: [
        100.0 * max(float(np.ptp(own.y) / own.y.max()) for own in drawing.panels[0].items if isinstance(own, Curve)),
        # The evidence on the best lambda, which has a test of its own.
        *(
            number.low
            for number in DOCUMENTS["wu2020"].erratum("E14").stated_numbers.values()
            if math.isfinite(number.low)
        ),
    ],
    ("righettini2024", "path_figure"): outside_box,
    ("righettini2024", "disturbance"): crossing,
    ("spara", "singular_map"): margin_in_box,
}
"""What a caption states beside the extremes of its panels, computed another way."""


def unfounded(key: str, name: str, drawing: Drawing) -> list[str]:
    """Numbers of a caption that its panels do not show, the document does not print, and nothing else gives."""
    known = [number for panel in drawing.panels for number in drawn_numbers(panel)]
    texts = [own for group in DOCUMENTS[key].numbers for own in group.printed.values()]
    known += [float(number) for text in texts for number in NUMBER.findall(text)]
    known += [*constants(key), *RECOMPUTED.get((key, name), lambda _: [])(drawing)]
    scaled = [factor * number for number in known for factor in (1.0, 1e3, 1e-3)]
    numbers = [text for text in stated_numbers(drawing.caption) if NUMBER.fullmatch(text)]
    return [text for text in numbers if not any(stated_number(text).is_met(own) for own in scaled)]


def assert_founded(key: str, *, slow: bool) -> None:
    for make in makers(key, slow=slow):
        drawing = make(setup(key))
        assert unfounded(key, make.__name__, drawing) == [], drawing.caption


@pytest.mark.parametrize("key", DOCUMENTS)
def test_captions_state_what_their_figures_show(key: str) -> None:
    assert_founded(key, slow=False)


@pytest.mark.soak
@pytest.mark.parametrize("key", DOCUMENTS)
def test_captions_of_slow_figures_state_what_they_show(key: str) -> None:
    assert_founded(key, slow=True)


def test_a_caption_that_is_wrong_is_seen() -> None:
    drawing = loaded_figure(setup("corbel2010"))
    wrong = replace(drawing, caption=drawing.caption.replace("127.3", "126.9"))
    assert unfounded("corbel2010", "loaded_figure", wrong) == ["126.9"]


@pytest.mark.parametrize("make", [line_figure, loaded_figure])
@pytest.mark.parametrize("load", [1.0, 0.6])
def test_lines_beyond_the_limit_are_counted(make: Callable[[Setup], Drawing], load: float) -> None:
    """All four lines of the loaded robot exceed 127 N m, the fourth by 0.3; with less load fewer do."""
    drawing = make(Setup({"load": load}))
    peaks = [
        max(np.abs(item.y).max() for item in panel.items if item.label.startswith("motor")) for panel in drawing.panels
    ]
    over = sum(peak > 127.0 for peak in peaks)
    assert over == (0 if make is line_figure else 4 if load == 1.0 else 2)
    assert part_of(over, 4, "lines") in drawing.caption


@pytest.mark.parametrize("group", ["accelerations"])
def test_planes_that_are_compared_have_one_scale(group: str) -> None:
    """One colour is one number: the bands of every plane begin and end alike, and each covers those above it."""
    for make in CORBEL_FIGURES[group]:
        drawing = make(setup("corbel2010"))
        legends = [[item.label for item in panel.legend] for panel in drawing.panels]
        assert len(legends) == 3
        assert legends[0] == legends[1] == legends[2]
        for panel in drawing.panels:
            tiles = [item.filled for item in panel.items if isinstance(item, Tiles)]
            assert all((high <= low).all() for low, high in pairwise(tiles))


def test_tiles_that_touch_share_their_edge_on_a_page() -> None:
    """No background shows between two blocks: where one ends, the next begins, in whole units."""
    page = panel_html(any_direction(setup("corbel2010")).panels[0])
    paths = re.findall(r'class="area cells" d="(.*?)"', page)
    assert len(paths) == 10
    edges = [re.findall(r"M(-?\d+) (-?\d+)H(-?\d+)V(-?\d+)H", path) for path in paths]
    lefts, rights = ({block[side] for path in edges for block in path} for side in (0, 2))
    # 49 columns have 50 edges, each the right one of a column and the left one of the next.
    assert len(lefts | rights) == 50


def test_fig_6_has_belts_workspace_and_letters() -> None:
    panel = path_figure(setup("righettini2024")).panels[0]
    assert {"belts", "workspace"} <= {item.label for item in panel.items}
    marks = next(item for item in panel.items if isinstance(item, Marks))
    assert marks.texts == tuple(f"({letter})" for letter in "abcdefghi")
    # The tool is on the first belt from b to e and on the second from f to i.
    belts = [item.x for item in panel.items if isinstance(item, Area)]
    for belt, letters in zip(belts, ("bcde", "fghi"), strict=True):
        places = [marks.x["abcdefghi".index(letter)] for letter in letters]
        assert all(belt[0] < place < belt[1] for place in places)


def test_fig_10_has_a_logarithmic_axis_in_hertz() -> None:
    for panel in disturbance(setup("righettini2024")).panels:
        assert panel.xlabel == "frequency (Hz)"
        assert panel.places == {0.0: "1", 1.0: "10", 2.0: "100"}


def test_fig_11_fills_the_page_to_one_scale() -> None:
    drawing = normal_error(setup("righettini2024"))
    assert drawing.kind == "rows"
    assert len({(panel.xlim, panel.ylim) for panel in drawing.panels}) == 1


def test_the_experiment_says_that_its_torques_are_not_those_measured() -> None:
    shown = outcome(PLAY, 4.9e-3)
    assert shown is not None
    words = experiment_words(shown)
    assert f"limit of {LIMIT:g} N m" in words
    assert f"good agreement with the simulated {printed_text('wu2020', 'errors', 'torque (N m)')} N m" in words
    assert "not the torques" in words
    assert "not the torques" not in experiment_words(replace(shown, torque=60.0, saturated=0.0))
    assert experiment_figure in FIGURES["experiment"]


def test_figs_14_and_15_say_under_which_limit_motors_saturate() -> None:
    """The rated torque saturates all four controllers, the peak torque none (righettini2024, erratum E5)."""
    drawing = torque_figure(setup("righettini2024"))
    saturated = [any(item.label == "saturated" for item in panel.items) for panel in drawing.panels]
    assert saturated == [True] * 4
    assert (
        "all four controllers with the rated limit, none of the four controllers with the peak limit" in drawing.caption
    )
