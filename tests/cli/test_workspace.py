"""`parapick workspace`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.workspace import REASONS, WORDS

COARSE = ["--spacing", "40mm"]


def test_sizes_add_up(run: Any) -> None:
    answer = run("workspace", "par4", *COARSE, "--json").json
    cell = math.prod(answer["grid"]["spacing"])
    assert answer["volume"] == pytest.approx(cell * answer["counts"]["reachable"])
    assert sum(answer["counts"].values()) == math.prod(answer["grid"]["points"])
    assert sum(answer["shares"].values()) == pytest.approx(1.0)
    assert 0.9 < answer["volume"] < 1.1
    assert answer["volume_around_home"] <= answer["volume"]


def test_the_largest_bodies_lie_in_the_workspace(run: Any) -> None:
    model, slab = pp.load("par4"), run("workspace", "par4", *COARSE, "--json").json["slab"]
    random = np.random.default_rng(1)
    z = random.uniform(slab["z_min"], slab["z_max"], 2000)
    body = slab["largest_cylinder"]
    radius, angle = body["radius"] * np.sqrt(random.uniform(0, 1, 2000)), random.uniform(0, 2 * math.pi, 2000)
    x, y = body["x"] + radius * np.cos(angle), body["y"] + radius * np.sin(angle)
    assert model.reach(np.stack([x, y, z, 0 * z], axis=-1)).ok.all()
    body = slab["largest_box"]
    x, y = (random.uniform(body[f"{name}_min"], body[f"{name}_max"], 2000) for name in "xy")
    assert model.reach(np.stack([x, y, z, 0 * z], axis=-1)).ok.all()
    assert body["x_max"] - body["x_min"] > 0.7


def test_the_way_from_home_ends_at_the_last_point_of_the_workspace(run: Any) -> None:
    model, answer = pp.load("par4"), run("workspace", "par4", *COARSE, "--json").json
    grid, slab = answer["grid"], answer["slab"]
    ticks = [np.linspace(*ends) for ends in zip(grid["low"], grid["high"], grid["points"], strict=True)]
    heights = ticks[2][(ticks[2] > slab["z_min"] - 1e-9) & (ticks[2] < slab["z_max"] + 1e-9)]
    across = ticks[1][int(np.argmin(np.abs(ticks[1])))]
    for x, belongs in (
        (slab["through_home"]["x"][1], True),
        (slab["through_home"]["x"][1] + grid["spacing"][0], False),
    ):
        poses = np.array([[x, across, z, 0.0] for z in heights])
        margins = model.margins(poses)
        enough = np.minimum(np.minimum(margins.under, margins.over), margins.internal) >= answer["margin"]
        assert bool(np.all(model.reach(poses).ok & enough)) is belongs


def test_the_share_of_the_stated_workspace_is_counted(run: Any, own_robot: Any) -> None:
    path = own_robot("delta-nr", ('radius = "300 mm"', 'radius = "800 mm"'))
    stated = run("workspace", path, "--spacing", "20mm", "--json").json["stated"]
    random = np.random.default_rng(2)
    radius, angle = 0.8 * np.sqrt(random.uniform(0, 1, 20_000)), random.uniform(0, 2 * math.pi, 20_000)
    z = random.uniform(-0.75, -0.65, 20_000)
    reach = pp.load(path).reach(np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=-1))
    assert 0.5 < stated["share"] < 0.9
    assert stated["share"] == pytest.approx(float(np.mean(reach.ok)), abs=0.03)
    assert run("workspace", "delta-nr", *COARSE, "--json").json["stated"]["share"] == 1


def test_the_five_bar_ends_on_its_axis_where_the_page_says(run: Any) -> None:
    """righettini2024: 0.192 and 0.492 m, where the two rods and where both legs are stretched."""
    answer = run("workspace", "fivebar-spindle", "--spacing", "2mm", "--margin", "0", "--json").json
    assert answer["flat"] is True
    assert answer["margin"] == 0
    # Without a margin nothing separates the inner part, so the lower end is asked of the margin itself.
    assert answer["slab"]["through_home"]["y"][1] == pytest.approx(0.492, abs=2e-3)
    strict = run("workspace", "fivebar-spindle", "--spacing", "1mm", "--margin", "0.01", "--json").json
    assert strict["slab"]["through_home"]["y"][0] == pytest.approx(0.192, abs=4e-3)


def test_the_plate_of_par4_turns_by_45_degrees_and_its_tool_by_180(run: Any) -> None:
    interval = run("workspace", "par4", *COARSE, "--json").json["yaw_interval"]
    assert interval["high"] == pytest.approx(math.pi / 4)
    assert interval["tool_low"] == pytest.approx(-math.pi)
    assert interval["low_reason"] == "yaw"
    assert "yaw at home: plate -45.0 to 45.0 deg, tool -180.0 to 180.0 deg" in run("workspace", "par4", *COARSE).out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fivebar-spindle", "yaw at home: plate and tool without end"),
        ("h4-90", "yaw at home: none, for home itself is out (margin)"),
        ("asymmetric-screw", "of it is connected to home"),
        ("h4-90", "home cannot be reached at every such height"),
        ("r4-100g", "joint limit"),
    ],
)
def test_what_is_special_is_said(run: Any, name: str, text: str) -> None:
    assert text in run("workspace", name, "--spacing", "25mm").out


def test_robots_without_yaw_have_no_interval(run: Any) -> None:
    answer = run("workspace", "delta-nr", *COARSE, "--json").json
    assert answer["yaw"] is None
    assert answer["yaw_interval"] is None


def test_parts_beyond_a_singularity_do_not_count(run: Any) -> None:
    answer = run("workspace", "asymmetric-screw", "--spacing", "25mm", "--json").json
    assert answer["volume_around_home"] < 0.9 * answer["volume"]


def test_options_reach_the_grid(run: Any) -> None:
    plain = run("workspace", "par4", *COARSE, "--json").json
    other = run("workspace", "par4", *COARSE, "--yaw", "30deg", "--margin", "0.3", "--z", "-0.7", "--json").json
    assert other["yaw"] == pytest.approx(math.radians(30))
    assert other["volume"] < plain["volume"]
    assert other["slab"]["z_min"] == other["slab"]["z_max"] == pytest.approx(-0.7, abs=0.02)
    assert plain["slab"]["z_max"] - plain["slab"]["z_min"] == pytest.approx(0.08, abs=0.002)
    pair = run("workspace", "par4", *COARSE, "--z", "-600mm,-800mm", "--json").json["slab"]
    assert (pair["z_min"], pair["z_max"]) == pytest.approx((-0.8, -0.6), abs=0.04)
    inward = run("workspace", "par4", *COARSE, "--mode", "inward", "--json").json
    assert inward["counts"] != plain["counts"]


def test_every_reason_has_words() -> None:
    assert set(WORDS) == set(REASONS)


@pytest.mark.parametrize(
    ("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")]
)
def test_the_figure_is_drawn(run: Any, tmp_path: Path, suffix: str, start: bytes) -> None:
    target = tmp_path / f"workspace{suffix}"
    result = run("workspace", "par4", *COARSE, "--plot", str(target))
    assert result.code == 0
    assert f"drawn into {target}" in " ".join(result.out.split())
    assert target.read_bytes().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_the_figure_shows_the_middle_of_the_heights(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr("parapick.report.canvas.save_figure", lambda figure, _: drawn.append(figure))
    run("workspace", "par4", *COARSE, "--z", "-0.9,-0.8", "--plot", str(tmp_path / "x.png"))
    title = drawn[0].axes[0].get_title(loc="left")
    assert float(title.split("z = ")[1].removesuffix(" m")) == pytest.approx(-0.85, abs=0.045)


def test_a_figure_that_cannot_be_written_is_one_message(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("parapick.report.canvas.save_figure", full)
    message = run("workspace", "par4", *COARSE, "--plot", str(tmp_path / "x.png")).message
    assert "x.png: cannot be written: no space left on device" in message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["par4", "--plot", "x.gif"], "x.gif: the name of the file must end in .png, .svg, .pdf"),
        (["par4", "--plot", "nowhere/x.png"], "nowhere/x.png: the folder nowhere does not exist"),
        (["par4", "--spacing", "0"], "--spacing: is 0 m; it must be greater than 0"),
        (["par4", "--spacing", "-1mm"], "--spacing: is -0.001 m; it must be greater than 0"),
        (["par4", "--spacing", "10"], "--spacing: is 10 m, too coarse for this robot; give 0.1 m or less"),
        (["par4", "--spacing", "0.1mm"], "--spacing: is 0.1 mm; more than 2e+08 points"),
        (["par4", "--spacing", "10deg"], "--spacing: '10deg' is not a length"),
        (["par4", "--margin", "-0.1"], "--margin: is -0.1; it must be at least 0"),
        (["par4", "--margin", "nan"], "--margin: 'nan' is not a finite number"),
        (["delta-nr", "--yaw", "0"], "--yaw: delta-nr has no yaw"),
        (["par4", *COARSE, "--z", "1"], "--z: '1' is not one or two heights within the grid"),
        (["par4", *COARSE, "--z", "-0.7,-0.8,-0.9"], "--z: '-0.7,-0.8,-0.9' is not one or two heights"),
        (["par4", *COARSE, "--z", "low"], "--z: 'low' is not a finite number"),
        (["par4", "--mode", "up"], "no working mode 'up'"),
    ],
)
def test_wrong_input_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run("workspace", *words).message
