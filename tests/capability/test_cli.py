"""`parapick capability`."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick import capability as cap
from parapick.cli import main

POSE = ["0.1", "0.05", "-0.7", "0.2"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(("capability", *words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def rows(out: str, table: str) -> dict[str, dict[str, Any]]:
    """The rows of a table by the quantity."""
    return {row["quantity"]: row for row in json.loads(out)["tables"][table]["rows"]}


def test_a_pose_has_the_numbers_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "par4", *POSE, "--payload", "500g", "--motor-speed", "10", "--json")
    answer, values = json.loads(out)["data"], rows(out, "values")
    model, x = pp.load("par4").with_payload(0.5), [float(text) for text in POSE]
    found, push = cap.acceleration(model, x), cap.force(model, x)
    expected = {
        "acceleration": found.min_max,
        "acceleration-best": found.max,
        "acceleration-up": cap.acceleration_along(model, x, [0, 0, 1]),
        "yaw-acceleration": cap.yaw_acceleration(model, x).reserve,
        "force": push.min_max,
        "payload-held": push.payload,
        "speed": cap.speed(model, x, speed=10.0).any,
        "stiffness": cap.stiffness(model, x).smallest,
        "stiffness-ratio": cap.stiffness(model, x).ratio,
    }
    assert code == 0
    assert {name: values[name]["value"] for name in expected} == pytest.approx(
        {name: float(value) for name, value in expected.items()}, rel=1e-12
    )
    assert answer["joint_torque"] == [90.0] * 4
    assert answer["payload"] == 0.5
    # corbel2010 (39).
    assert min(answer["half_spaces"]["d"]) == pytest.approx(float(found.min_max), rel=1e-9)


def test_a_pose_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "r4-100g", "0", "0", "-500mm", "--velocity", "5,0,0", "--motor-torque", "100")
    assert code == 0
    for text in (
        "torque at the joints 100 N m",
        "accelerations at the rate x 5 m/s",
        "acceleration in any direction",
        "give --motor-speed in rad/s",
        "r4-100g can accelerate by ",
    ):
        assert text in out
    assert "yaw" not in out
    model = pp.load("r4-100g")
    index = cap.acceleration(model, [0, 0, -0.5], [5, 0, 0], torque=100.0).min_max
    assert f"{float(index):.0f}  m/s2" in out


def test_the_workspace_has_a_worst_and_a_best_pose(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "delta-r4", "--json")
    answer, found = json.loads(out)["data"], rows(out, "extremes")
    assert code == 0
    assert answer["reachable_poses"] == answer["poses"]
    model = pp.load("delta-r4")
    for name, low in (("acceleration", False), ("acceleration-ratio", True)):
        row = found[name]
        assert (row["worst"] > row["best"]) == low
        there = cap.acceleration(model, [row[axis] for axis in "xyz"])
        assert (there.ratio if low else there.min_max) == pytest.approx(row["worst"], rel=1e-9)
    # No pose of a coarse grid is worse than the worst.
    angle, radius = np.meshgrid(np.linspace(0, 2 * math.pi, 33), np.linspace(0, 0.3, 7))
    grid = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full_like(angle, -0.75)], axis=-1)
    values = cap.acceleration_any(model, grid)
    assert values.min() >= found["acceleration"]["worst"] - 1e-9
    assert values.max() <= found["acceleration"]["best"] + 1e-9
    assert "speed" not in found


def test_a_pose_out_of_reach_is_a_no(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "par4", "0.9", "0", "-0.7")
    assert code == 1
    assert "out of reach: leg 2" in out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("spara3",), "drive.peak_torque: the file does not state it; add it there, or give --motor-torque in N m"),
        (("par4", "--motor-torque", "rated"), "drive.rated_torque: the file does not state it"),
        (("par4", "--motor-torque", "much"), "--motor-torque: 'much' is neither peak nor rated nor numbers in N m"),
        (("par4", "--motor-torque", "1,2"), "--motor-torque: has 2 numbers; par4 has 4 motors"),
        (("par4", "--motor-speed", "0"), "--motor-speed: of motor 1 is 0 rad/s"),
        (("par4", "--motor-speed", "1,2"), "--motor-speed: has 2 numbers"),
        (("irb360",), "irb360 has no masses to compute forces from; give limb.arm_mass"),
        (("par4", "0", "0"), "a pose is X Y Z"),
        (("par4", "--velocity", "1,2"), "--velocity: '1,2' has 2 numbers"),
    ],
)
def test_wrong_input_is_one_message(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], text: str) -> None:
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.startswith("parapick: ")
    assert text in err
