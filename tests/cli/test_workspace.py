"""`parapick workspace`."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.capability.reachable import REASONS, WORDS, workspace

COARSE = ["--spacing", "40mm"]


def test_sizes_add_up(run: Any) -> None:
    result = run("workspace", "par4", *COARSE, "--json")
    answer = result.data
    cell = math.prod(answer["grid"]["spacing"])
    assert answer["volume"] == pytest.approx(cell * answer["counts"]["reachable"])
    assert sum(answer["counts"].values()) == math.prod(answer["grid"]["points"])
    assert sum(result.column("points", "share")) == pytest.approx(1.0)
    assert sum(result.column("points", "points")) == math.prod(answer["grid"]["points"])
    assert 0.9 < answer["volume"] < 1.1
    assert answer["volume_around_home"] <= answer["volume"]
    assert answer["connected"]["volume"] == pytest.approx(cell * answer["connected"]["points"])


@pytest.mark.parametrize("name", ["par4", "spara3", "r4-100g"])
def test_the_largest_bodies_lie_in_the_workspace(run: Any, name: str) -> None:
    """Corners first: at the heights of the file, which are no layers of the grid."""
    model, slab = pp.load(name), run("workspace", name, "--spacing", "33mm", "--json").data["slab"]
    assert (slab["z_min"], slab["z_max"]) == (model.robot.workspace.z_min, model.robot.workspace.z_max)
    random = np.random.default_rng(1)
    body = slab["largest_box"]
    share = random.uniform(-0.5, 1.5, (3000, 3)).clip(0.0, 1.0)
    share[:8] = list(itertools.product((0.0, 1.0), repeat=3))
    low, high = (np.array([body[f"{axis}_{end}"] for axis in "xyz"]) for end in ("min", "max"))
    assert (high - low > 0.09).all()
    _check_reach(model, low + share * (high - low))
    body = slab["largest_cylinder"]
    radius, angle = body["radius"] * share[:, 0], random.uniform(0, 2 * math.pi, 3000)
    places = (
        body["x"] + radius * np.cos(angle),
        body["y"] + radius * np.sin(angle),
        low[2] + share[:, 2] * np.ptp([low[2], high[2]]),
    )
    _check_reach(model, np.stack(places, axis=-1))


def _check_reach(model: pp.Model, places: np.ndarray) -> None:
    """Every slack at least 0, and the margins that the command asks for."""
    x = np.column_stack([places, np.zeros((len(places), model.robot.dof - 3))])
    reach, margins = model.reach(x), model.margins(x)
    assert reach.legs.min() >= 0
    assert reach.ok.all()
    assert min(margins.under.min(), margins.over.min(), margins.internal.min()) >= 0.05


@pytest.fixture
def unlimited(own_robot: Any) -> str:
    """spara3 whose joints turn as far as its legs close, so that it reaches beyond its singularities."""
    lower = 'joint_min = ["-95 deg", "-205 deg", "-95 deg"]\n'
    upper = 'joint_max = ["25 deg", "-85 deg", "-25 deg"]\n'
    return own_robot("spara3", (lower, ""), (upper, ""))


def test_what_lies_beyond_a_singularity_is_not_connected(run: Any, unlimited: str) -> None:
    """Bands of small margin, thinner than the grid, lie between the parts: 4.44 of 5.02 m3."""
    answer = run("workspace", unlimited, "--spacing", "45mm", "--json").data
    assert answer["volume"] == pytest.approx(5.02, rel=0.02)
    assert answer["volume_around_home"] == pytest.approx(4.44, rel=0.02)
    assert answer["connected"]["around_home"] is True


def test_the_connected_volume_is_printed(run: Any, unlimited: str) -> None:
    text = " ".join(run("workspace", unlimited, "--spacing", "60mm").out.split())
    assert "reachable 5.0333 m3" in text
    assert "m3 of it (88.5 %) is connected to home" in text
    assert "reachable, cut off from home" in text


def test_the_way_from_home_ends_where_the_workspace_does(run: Any) -> None:
    model, answer = pp.load("par4"), run("workspace", "par4", *COARSE, "--json").data
    slab, heights = answer["slab"], np.linspace(-0.75, -0.65, 201)
    for end, sense in zip(slab["through_home"]["x"], (-1, 1), strict=True):
        for beyond, belongs in ((0.0, True), (0.03 * answer["grid"]["spacing"][0], False)):
            poses = np.array([[end + sense * beyond, 0.0, z, 0.0] for z in heights])
            margins = model.margins(poses)
            enough = np.minimum(np.minimum(margins.under, margins.over), margins.internal) >= answer["margin"]
            assert bool(np.all(model.reach(poses).ok & enough)) is belongs


def test_the_share_of_the_stated_workspace_is_counted(run: Any, own_robot: Any) -> None:
    path = own_robot("delta-nr", ('radius = "300 mm"', 'radius = "800 mm"'))
    stated = run("workspace", path, "--spacing", "20mm", "--json").data["stated"]
    random = np.random.default_rng(2)
    radius, angle = 0.8 * np.sqrt(random.uniform(0, 1, 20_000)), random.uniform(0, 2 * math.pi, 20_000)
    z = random.uniform(-0.75, -0.65, 20_000)
    reach = pp.load(path).reach(np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=-1))
    assert 0.5 < stated["share"] < 0.9
    assert stated["share"] == pytest.approx(float(np.mean(reach.ok)), abs=0.03)
    assert stated["whole"] is False
    whole = run("workspace", "delta-nr", *COARSE, "--json").data["stated"]
    assert (whole["share"], whole["whole"]) == (1, True)


def test_a_stated_workspace_that_only_the_grid_holds_is_not_called_whole(run: Any, own_robot: Any) -> None:
    """Its rim lies outside by about a millimetre, between the points of the grid."""
    radius = workspace(pp.load("delta-nr"), spacing=0.04).largest_cylinder(-0.75, -0.65, center=(0, 0)).radius
    path = own_robot("delta-nr", ('radius = "300 mm"', f'radius = "{1e3 * radius + 1:.3f} mm"'))
    answer = run("workspace", path, *COARSE, "--json").data["stated"]
    assert (answer["share"], answer["whole"]) == (1, False)
    text = " ".join(run("workspace", path, *COARSE).out.split())
    assert "every point of the grid in it is connected to home, but between them it touches or leaves" in text


def test_the_five_bar_ends_on_its_axis_where_the_page_says(run: Any) -> None:
    """righettini2024: 0.192 and 0.492 m, where the two rods and where both legs are stretched."""
    answer = run("workspace", "fivebar-spindle", "--spacing", "2mm", "--margin", "0", "--json").data
    assert answer["flat"] is True
    assert answer["margin"] == 0
    assert answer["slab"]["through_home"]["y"] == pytest.approx([0.192, 0.492], abs=1e-3)


def test_the_plate_of_par4_turns_by_45_degrees_and_its_tool_by_180(run: Any) -> None:
    interval = run("workspace", "par4", *COARSE, "--json").data["yaw_interval"]
    assert interval["high"] == pytest.approx(math.pi / 4)
    assert interval["tool_low"] == pytest.approx(-math.pi)
    assert interval["low_reason"] == "yaw"
    assert "yaw at home: plate -45.0 to 45.0 deg, tool -180.0 to 180.0 deg" in run("workspace", "par4", *COARSE).out


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("fivebar-spindle", ["yaw at home: plate and tool without end", "%) is connected to home"]),
        (
            "h4-90",
            [
                "yaw at home: none, for home itself is out (margin)",
                "is the largest connected part; home is outside (near an internal singularity)",
                "reachable, other parts",
                "home cannot be reached at every such height",
            ],
        ),
        ("r4-100g", ["joint limit"]),
    ],
)
def test_what_is_special_is_said(run: Any, name: str, texts: list[str]) -> None:
    out = " ".join(run("workspace", name, *COARSE).out.split())
    for text in texts:
        assert text in out


def test_the_spacing_is_checked_for_robots_of_any_size(run: Any, own_robot: Any) -> None:
    """Without a grid: a file without units describes a robot of a kilometre, and no memory would hold it."""
    lengths = (("350 mm", "350 m"), ("800 mm", "800 m"), ("-700 mm", "-700 m"))
    large = own_robot("delta-nr", *((f'"{old}"', f'"{new}"') for old, new in lengths))
    assert "more than 5e+07 points, so give at least" in run("workspace", large, "--spacing", "10mm").message


def test_robots_without_yaw_have_no_interval(run: Any) -> None:
    answer = run("workspace", "delta-nr", *COARSE, "--json").data
    assert answer["yaw"] is None
    assert answer["yaw_interval"] is None


def test_parts_beyond_a_singularity_do_not_count(run: Any) -> None:
    answer = run("workspace", "asymmetric-screw", "--spacing", "25mm", "--json").data
    assert answer["volume_around_home"] < 0.9 * answer["volume"]


def test_options_reach_the_grid(run: Any) -> None:
    plain = run("workspace", "par4", *COARSE, "--json").data
    other = run("workspace", "par4", *COARSE, "--yaw", "30deg", "--margin", "0.3", "--z", "-0.7", "--json").data
    assert other["yaw"] == pytest.approx(math.radians(30))
    assert other["volume"] < plain["volume"]
    assert other["slab"]["z_min"] == other["slab"]["z_max"] == -0.7
    assert other["slab"]["largest_box"]["yaw_min"] == other["slab"]["largest_cylinder"]["yaw_max"] == other["yaw"]
    assert (plain["slab"]["z_min"], plain["slab"]["z_max"]) == (-0.75, -0.65)
    pair = run("workspace", "par4", *COARSE, "--z", "-600mm,-800mm", "--json").data["slab"]
    assert (pair["z_min"], pair["z_max"]) == (-0.8, -0.6)
    inward = run("workspace", "par4", *COARSE, "--mode", "inward", "--json").data
    assert inward["counts"] != plain["counts"]


def test_every_reason_has_words() -> None:
    assert set(WORDS) == set(REASONS)


@pytest.mark.parametrize(
    ("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")]
)
def test_the_figure_is_drawn(run: Any, tmp_path: Path, suffix: str, start: bytes) -> None:
    target = tmp_path / f"workspace{suffix}"
    result = run("workspace", "par4", *COARSE, "--out", str(target))
    assert result.code == 0
    assert f"figure: {target}" in " ".join(result.out.split())
    assert target.read_bytes().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_the_figure_shows_the_middle_of_the_heights(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr("parapick.report.save_figure", lambda figure, _: drawn.append(figure))
    run("workspace", "par4", *COARSE, "--z", "-0.9,-0.8", "--out", str(tmp_path / "x.png"))
    title = drawn[0].axes[0].get_title(loc="left")
    assert float(title.split("z = ")[1].split(" m")[0]) == pytest.approx(-0.85, abs=0.045)


def test_the_figure_tells_what_is_cut_off_from_home(
    run: Any, unlimited: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.colors import to_rgb

    from parapick.report.canvas import COLOURS

    drawn: list[Any] = []
    monkeypatch.setattr("parapick.report.save_figure", lambda figure, _: drawn.append(figure))
    run("workspace", unlimited, "--spacing", "60mm", "--out", str(tmp_path / "x.png"))
    side = drawn[0].axes[1]
    labels = [text.get_text() for text in side.get_legend().get_texts()]
    assert "connected to home" in labels
    assert "reachable, but cut off from home" in labels
    assert "connected to home" in drawn[0].get_suptitle()
    for place, name in (((0.8, 0.15), "sky"), ((-0.6, -0.6), "pale")):
        (cells,) = [one for one in side.collections if any(path.contains_point(place) for path in one.get_paths())]
        assert tuple(cells.get_facecolor()[0][:3]) == pytest.approx(to_rgb(COLOURS[name]))


def test_a_figure_that_cannot_be_written_is_one_message(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("parapick.report.save_figure", full)
    message = run("workspace", "par4", *COARSE, "--out", str(tmp_path / "x.png")).message
    assert "x.png: cannot be written: no space left on device" in message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["par4", "--out", "x.gif"],
            "this command writes figure (.png, .svg, .pdf)",
        ),
        (["par4", "--out", "nowhere/x.png"], "nowhere/x.png: the folder nowhere does not exist"),
        (["par4", "--spacing", "0"], "--spacing: is 0 m; it must be greater than 0"),
        (["par4", "--spacing", "-1mm"], "--spacing: is -0.001 m; it must be greater than 0"),
        (["par4", "--spacing", "10"], "--spacing: is 10 m, too coarse for this robot; give 0.1 m or less"),
        (["par4", "--spacing", "0.1mm"], "--spacing: is 0.1 mm; more than 5e+07 points"),
        (["par4", "--spacing", "10deg"], "--spacing: '10deg' is not a length"),
        (["par4", "--margin", "-0.1"], "--margin: is -0.1; it must be at least 0"),
        (["par4", "--margin", "nan"], "--margin: 'nan' is not a finite number"),
        (["delta-nr", "--yaw", "0"], "--yaw: delta-nr has no yaw"),
        (["par4", *COARSE, "--z", "1"], "--z: is 1 m; give one or two heights within the grid"),
        (["par4", *COARSE, "--z", "-0.7,-0.8,-0.9"], "--z: is -0.7, -0.8, -0.9 m; give one or two heights"),
        (["par4", *COARSE, "--z", "low"], "--z: 'low' is not a finite number"),
        (["par4", "--mode", "up"], "no working mode 'up'"),
    ],
)
def test_wrong_input_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run("workspace", *words).message
