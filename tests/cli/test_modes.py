"""`parapick modes`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parapick as pp

GOLDEN = ["0.1", "-0.05", "-0.7", "0.3"]


def test_every_working_mode_has_the_clearance_of_its_own_model(run: Any) -> None:
    model = pp.load("par4")
    answer = run("modes", "par4", *GOLDEN, "--json")
    modes = answer.rows("working_modes")
    assert {mode["elbows"] for mode in modes} == {mode.signs for mode in model.working_modes}
    assert len(modes) == 16
    for mode in modes:
        own = model.with_working_mode(mode["elbows"]).clearance([float(text) for text in GOLDEN])
        assert mode["clearance"] == pytest.approx(float(own.distance), abs=1e-15)
        assert mode["nearest links"] == own.closest()
        assert (mode["collision"] == "free") == (mode["clearance"] > 0)
    clearances = [mode["clearance"] for mode in modes]
    assert clearances == pytest.approx(sorted(clearances, reverse=True), abs=1e-15)
    assert [mode["working mode"] for mode in modes if mode["elbows"] == answer.data["default"]] == ["outward"]


def test_the_outward_mode_of_the_asymmetric_robot_is_the_free_one(run: Any) -> None:
    """wu2020, after (4): 16 working modes, of which the outward one keeps 300 mm between the arms."""
    modes = run("modes", "asymmetric-screw", "--json").rows("working_modes")
    assert len(modes) == 16
    assert [mode["working mode"] for mode in modes if mode["collision"] == "free"] == ["outward"]
    assert modes[0]["arms"] == pytest.approx(0.3)


@pytest.mark.parametrize("words", [["par4", *GOLDEN], ["fivebar-spindle"], ["delta-r4", "0.1", "0", "-0.7"]])
def test_assembly_modes_close_the_legs_with_the_same_angles(run: Any, words: list[str]) -> None:
    model = pp.load(words[0])
    answer = run("modes", *words, "--json")
    q = np.array(answer.data["q"])
    assert sum(answer.column("assembly_modes", "given")) == 1
    for mode in answer.rows("assembly_modes"):
        x = np.array([mode[name] for name in model.robot.task_names])
        assert np.max(np.abs(model.closure_residual(x, q))) < 1e-9
        # In the working mode that is named, inverse kinematics gives the very joint angles back.
        own = model.with_working_mode(mode["elbows"]).inverse_kinematics(x)
        assert np.max(np.abs(np.exp(1j * own) - np.exp(1j * q))) < 1e-7


def test_par4_has_four_assembly_modes(run: Any) -> None:
    assert len(run("modes", "par4", *GOLDEN, "--json").rows("assembly_modes")) == 4


def test_modes_as_text(run: Any) -> None:
    result = run("modes", "par4", *GOLDEN)
    assert result.code == 0
    for text in ("16 working modes, 6 free of collision", "++++ is the default", "collides", "given: this pose"):
        assert text in result.out


def test_home_is_the_pose_if_none_is_given(run: Any) -> None:
    assert list(run("modes", "fivebar-spindle", "--json").data["pose"].values()) == [0.0, 0.33, 0.0, 0.0]


def test_the_mode_chooses_the_joint_angles(run: Any) -> None:
    own, other = (run("modes", "par4", *GOLDEN, *words, "--json") for words in ([], ["--mode", "inward"]))
    assert own.data["q"] != other.data["q"]
    assert own.rows("working_modes") == other.rows("working_modes")
    assert next(mode for mode in other.rows("assembly_modes") if mode["given"])["elbows"] == "----"


def test_a_mode_beyond_a_joint_limit_says_so(run: Any) -> None:
    result = run("modes", "r4-100g")
    assert "exceeds" in result.out
    modes = {mode["elbows"]: mode["exceeds"] for mode in run("modes", "r4-100g", "--json").rows("working_modes")}
    assert modes["++++"] is None
    assert modes["-+++"] == "joint 1"
    assert "exceeds" not in run("modes", "par4").out


def test_links_without_radius_are_named(run: Any, own_robot: Any) -> None:
    path = own_robot("par4", ('arm_radius = "15 mm"\n', ""), ('"limb.arm_radius" = ', '# "limb.arm_radius" = '))
    assert "the file gives no radius of the arms: they count as lines" in run("modes", path).out


def test_a_pose_out_of_reach_is_an_answer(run: Any) -> None:
    result = run("modes", "par4", "0.9", "0", "-0.7")
    assert result.code == 1
    assert "out of reach: leg 2" in result.out
    assert run("modes", "par4", "0.9", "0", "-0.7", "--json").json["tables"] == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["par4", "0"], "a pose is X Y Z"),
        (["par4", "0", "0", "-0.7", "east"], "YAW: 'east' is not a finite number"),
        (["par4", "--mode", "+"], "no working mode '+'"),
        (["par5"], "no robot named 'par5'"),
    ],
)
def test_wrong_input_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run("modes", *words).message
