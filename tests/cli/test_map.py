"""`parapick map`."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest

import parapick as pp

COARSE = ["--spacing", "100mm"]


def extreme_of(result: Any, name: str) -> dict[str, Any]:
    """The worst or the best pose of a map."""
    return next(row for row in result.rows("extremes") if row["extreme"] == name)


def test_the_worst_pose_has_the_worst_value(run: Any) -> None:
    result = run("map", "par4", "conditioning", *COARSE, "--json")
    answer, model = result.data, pp.load("par4")
    for which, extreme in (("worst", "minimum"), ("best", "maximum")):
        place = extreme_of(result, which)
        pose = [place[name] for name in model.robot.task_names]
        assert float(model.indices(pose).conditioning) == pytest.approx(place["value"])
        assert place["value"] == pytest.approx(answer["homogeneity"][extreme])
    assert answer["index"] == {
        "name": "conditioning",
        "title": "conditioning of the Jacobian",
        "unit": "",
        "better": "high",
    }
    assert answer["points"] == answer["counts"]["reachable"]
    assert [axis["name"] for axis in answer["axes"]] == ["radius", "azimuth", "z", "yaw"]


def test_spara_over_its_box(run: Any) -> None:
    """spara: 8.08 rad/s for 3.5 m/s."""
    result = run("map", "spara3", "joint-speed", "--plate-speed", "3.5m/s", "--spacing", "25mm")
    assert result.code == 0
    assert "joint speed for 3.5 m/s in the worst direction; low is better" in result.out
    assert re.search(r"value \(rad/s\).*\nworst +8\.0", result.out)


def test_slices_and_regions(run: Any) -> None:
    level = run("map", "par4", "margin", *COARSE, "--z", "-700mm", "--yaw", "30deg", "--json").data
    assert level["region"]["z_min"] == level["region"]["z_max"] == -0.7
    assert [axis["points"] for axis in level["axes"]][2:] == [1, 1]
    taller = run("map", "delta-nr", "margin", *COARSE, "--z", "-0.6,-0.8", "--json").data["region"]
    assert (taller["z_min"], taller["z_max"], taller["radius"]) == (-0.8, -0.6, 0.3)
    upright = run("map", "delta-nr", "margin", *COARSE, "--y", "0", "--json").data["region"]
    assert (upright["kind"], upright["y_max"]) == ("box", 0)
    own = run("map", "par4", "margin", *COARSE, "--region", "cylinder,200mm,-800mm,-700mm", "--json").data["region"]
    assert (own["radius"], own["z_min"], own["yaw_max"]) == (0.2, -0.8, pytest.approx(0.785398, abs=1e-6))
    box = run("map", "delta-nr", "margin", *COARSE, "--region", "box,-.1,.1,-.2,.2,-.8,-.7", "--json").data["region"]
    assert (box["x_max"], box["y_min"], box["z_max"]) == (0.1, -0.2, -0.7)


def test_options_reach_the_index(run: Any) -> None:
    def worst(*words: str) -> float:
        result = run("map", "r4-100g", "acceleration", *COARSE, "--z", "-0.53", *words, "--json")
        return extreme_of(result, "worst")["value"]

    plain = worst()
    assert worst("--payload", "250g") < 0.8 * plain
    assert worst("--motor-torque", "63.5Nm") == pytest.approx(plain / 2, rel=0.01)
    assert worst("--motor-torque", "127,127,127,127") == pytest.approx(plain)
    assert worst("--velocity", "11,0,0") < 0.9 * plain
    soft, stiff = (
        extreme_of(run("map", "par4", "stiffness", *COARSE, "--servo", servo, "--json"), "worst")["value"]
        for servo in ("1000", "2000")
    )
    assert stiff == pytest.approx(2 * soft)


def test_files(run: Any, tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    names = {
        "figure": str(tmp_path / "map.png"),
        "map": str(tmp_path / "map.csv"),
        "map 2": str(tmp_path / "map.parquet"),
    }
    words = [word for name in names.values() for word in ("--out", name)]
    result = run("map", "delta-nr", "torque", *COARSE, *words, "--json")
    assert result.json["files"] == names
    with Path(names["map"]).open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == result.data["points"]
    assert max(float(row["torque"]) for row in rows) == pytest.approx(extreme_of(result, "worst")["value"])
    assert Path(names["figure"]).read_bytes().startswith(b"\x89PNG")
    assert Path(names["map 2"]).read_bytes().startswith(b"PAR1")


def test_a_region_out_of_reach_is_a_no(run: Any) -> None:
    result = run("map", "par4", "margin", *COARSE, "--region", "cylinder,0.2,-3,-2")
    assert result.code == 1
    assert "no point of it has a value: a leg does not reach" in result.out


def test_every_index_is_named_for_an_unknown_one(run: Any) -> None:
    from parapick.capability.index import INDICES

    message = run("map", "par4", "stiff").message
    assert "no index 'stiff'" in message
    assert all(name in message for name in INDICES)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing", "margin"], "no robot named 'nothing'"),
        (["delta-nr", "margin", "--yaw", "0"], "--yaw: delta-nr has no yaw"),
        (["delta-nr", "margin", "--x", "1"], "x: is 1 m; the region spans -0.3 to 0.3 m"),
        (["delta-nr", "margin", "--x", "0,1"], "--x: '0,1' is not one number"),
        (["delta-nr", "margin", "--z", "0,1,2"], "--z: '0,1,2' is not one number or two ends"),
        (
            ["delta-nr", "margin", "--region", "ball,1"],
            "--region: 'ball,1' is not a region; write cylinder,radius,z_min",
        ),
        (["delta-nr", "margin", "--region", "cylinder,1kg,0,1"], "--region, radius: '1kg' is not a length"),
        (["delta-nr", "margin", "--spacing", "0"], "spacing: is 0 m"),
        (["delta-nr", "torque", "--acceleration", "0"], "acceleration: is 0; it must be"),
        (
            ["delta-nr", "acceleration", "--motor-torque", "much"],
            "--motor-torque: 'much' is neither peak nor rated nor numbers",
        ),
        (["spara3", "acceleration"], "drive.peak_torque: the file of spara3 does not state it"),
        (["irb360", "torque"], "irb360 has no masses"),
        (
            ["delta-nr", "margin", "--out", "map.txt"],
            "this command writes figure (.png, .svg, .pdf), map",
        ),
        (["delta-nr", "margin", "--out", "no/map.csv"], "no/map.csv: the folder no does not exist"),
    ],
)
def test_wrong_input_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run("map", *words).message
