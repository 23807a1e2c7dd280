"""`parapick pose`."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import parapick as pp

GOLDEN = ["0.1", "-0.05", "-0.7", "0.3"]


def test_pose_gives_the_golden_angles_of_par4(run: Any) -> None:
    """The pose of the Par4 literature set, in radians and degrees, with slack and margins."""
    result = run("pose", "par4", *GOLDEN)
    assert result.code == 0
    for text in ("-0.400704", "-0.610940", "-0.510572", "-0.191733", "-22.9587", "margins", "can be here"):
        assert text in result.out


def test_pose_as_json_equals_the_model(run: Any) -> None:
    model = pp.load("par4")
    x = [float(text) for text in GOLDEN]
    result = run("pose", "par4", *GOLDEN, "--json")
    answer = result.data
    assert result.json["format"] == 2
    assert answer["reachable"] is True
    assert answer["reason"] is None
    assert answer["pose"] == dict(zip(("x", "y", "z", "yaw"), x, strict=True))
    assert answer["working_mode"] == {"name": "outward", "signs": "++++"}
    assert result.column("legs", "q") == list(model.inverse_kinematics(x))
    assert result.column("legs", "leg slack") == list(model.reach(x).legs)
    assert result.column("legs", "joint slack") == [None] * 4
    assert answer["slack"]["yaw"] == pytest.approx(math.pi / 4 - 0.3)
    assert answer["margins"]["over"] == float(model.margins(x).over)


@pytest.mark.parametrize(
    "words", [["100mm", "-50 mm", "-0.7m", "17.188733853924695deg"], ["+.1", "-5e-2", "-.7", "0.3"]]
)
def test_pose_takes_units(run: Any, words: list[str]) -> None:
    answer = run("pose", "par4", *words, "--json").data
    assert list(answer["pose"].values()) == pytest.approx([0.1, -0.05, -0.7, 0.3], rel=1e-15)


def test_options_may_stand_anywhere(run: Any) -> None:
    first = run("pose", "--json", "--mode", "-+-+", "par4", *GOLDEN).data
    last = run("pose", "par4", *GOLDEN, "--mode=-+-+", "--json").data
    assert first == last
    assert first["working_mode"]["signs"] == "-+-+"


def test_yaw_is_zero_if_not_given(run: Any) -> None:
    assert run("pose", "par4", "0", "0", "-0.7", "--json").data["pose"]["yaw"] == 0.0


def test_limits_have_their_column_where_the_robot_has_them(run: Any, own_robot: Any) -> None:
    assert "joint slack" not in run("pose", "par4", *GOLDEN).out
    limits = '[limits]\njoint_min = "-60 deg"\njoint_max = "60 deg"\ncone_max = "40 deg"\n'
    result = run("pose", own_robot("par4", ("[limits]\n", limits)), *GOLDEN)
    assert "joint slack (deg)" in result.out
    assert "cone slack (deg)" in result.out
    assert "elbow slack" not in result.out
    # Leg 2 stands at -35.0043 deg.
    assert "24.996" in result.out


def test_linear_legs_have_angles_but_no_slack(run: Any) -> None:
    result = run("pose", "fivebar-spindle", "0.05", "0.3", "-5mm", "30deg", "--json")
    assert [slack is None for slack in result.column("legs", "leg slack")] == [False, False, True, True]
    assert result.column("legs", "q")[3] == pytest.approx(math.radians(30))
    assert result.data["margins"]["internal"] is None
    assert run("pose", "fivebar-spindle", "0.05", "0.3", "-5mm", "30deg").code == 0


def test_a_pose_out_of_reach_is_an_answer(run: Any) -> None:
    result = run("pose", "par4", "0.9", "0", "-0.7", "0")
    assert result.code == 1
    assert result.err == ""
    assert "out of reach: leg 2: the rod is 206.3 mm too short" in result.out
    answer = run("pose", "par4", "0.9", "0", "-0.7", "0", "--json")
    assert answer.json["ok"] is False
    assert answer.column("legs", "q") == [None] * 4
    assert answer.column("legs", "leg slack")[1] == pytest.approx(-0.2063, abs=1e-4)
    assert answer.data["margins"] == {"under": None, "over": None, "internal": None}


def test_a_pose_beyond_a_limit_is_out_of_reach_with_its_angles(run: Any) -> None:
    result = run("pose", "par4", "0", "0", "-0.7", "50deg")
    assert result.code == 1
    assert "yaw limit of the plate is exceeded by 5 deg" in result.out
    answer = run("pose", "par4", "0", "0", "-0.7", "50deg", "--json")
    assert np.isfinite(answer.column("legs", "q")).all()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["par44", *GOLDEN], "no robot named 'par44'; did you mean par4"),
        (["par4", "nan", "0", "-0.7"], "X: 'nan' is not a finite number"),
        (["par4", "0", "-inf", "-0.7"], "Y: '-inf' is not a finite number"),
        (["par4", "0", "0", "1e999"], "Z: '1e999' is not a finite number"),
        (["par4", "0", "0", "-700kg"], "Z: '-700kg' is not a length; a length is written in m, mm"),
        (["par4", "0", "0", "-0.7", "30mm"], "YAW: '30mm' is not an angle"),
        (["par4", "0", "0", "low"], "Z: 'low' is not a finite number"),
        (["delta-nr", "0", "0", "-0.7", "0.1"], "YAW: delta-nr has no yaw; give X Y Z only"),
        (["par4", "0", "0", "-0.7", "--mode", "up"], "no working mode 'up'; valid are outward, inward"),
        (["par4", "0", "0", "-0.7", "--mode", "++"], r"no working mode '\+\+'"),
        (["par4", "0", "0", "-0.7", "--jsno"], "unknown option --jsno"),
        (["par4", "0", "0"], "requires an argument"),
        (["par4", "0", "0", "0", "0", "0"], "there is no place for: 0"),
    ],
)
def test_wrong_input_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert re.search(message, run("pose", *words).message)
