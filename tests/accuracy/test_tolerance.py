"""Tolerances to errors of the plate: both routes, who contributes what, and wrong input."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.accuracy import as_built, sources_of
from parapick.answer import Answer
from parapick.cli import main
from parapick.mechanism import Box, Cylinder
from parapick.parameters import resolved
from parapick.robots import load_robot

SMALL = Box(-0.05, 0.05, -0.05, 0.05, -0.7, -0.7)
COARSE = {"region": SMALL, "spacing": 0.05}


@pytest.fixture(scope="module")
def delta() -> pp.Model:
    return pp.load("delta-nr")


def row(answer: Answer, where: str, error: str) -> dict[str, Any]:
    return next(one for one in answer.table("errors").records if (one["where"], one["error"]) == (where, error))


def shares(answer: Answer, table: str, key: str, column: str = "share") -> dict[Any, Any]:
    return {one[key]: one[column] for one in answer.table(table).records}


@pytest.mark.parametrize("distribution", ["uniform", "normal"])
def test_both_routes_give_the_same_deviation(delta: pp.Model, distribution: str) -> None:
    samples = 4000
    answer = pp.tolerance(delta, samples=samples, distribution=distribution, **COARSE)
    # Four standard errors of a deviation that is drawn.
    bound = 4 / math.sqrt(2 * samples)
    for record in answer.table("ratios").records:
        assert [record[name] for name in ("x", "y", "z", "position")] == pytest.approx([1.0] * 4, abs=bound)
    worst, seen = row(answer, "anywhere", "worst case"), row(answer, "anywhere", "largest drawn")
    assert all(seen[name] < 1.01 * worst[name] for name in ("x", "y", "z", "position"))


def test_a_single_tolerance_gives_the_numbers_of_robots_at_its_ends(delta: pp.Model) -> None:
    """One error: the worst case is at its end, the deviation a root of three less, and all is that of leg 2."""
    answer = pp.tolerance(delta, {"limb.rod_length.2": "1 um"}, samples=50, **COARSE)
    grid = np.stack(np.meshgrid([-0.05, 0.0, 0.05], [-0.05, 0.0, 0.05], [-0.7], indexing="ij"), axis=-1).reshape(-1, 3)
    moved = np.abs(as_built(delta, grid, {"limb.rod_length.2": 1e-6}) - grid)
    worst, deviation = row(answer, "anywhere", "worst case"), row(answer, "worst pose", "Jacobian")
    for i, name in enumerate(("x", "y", "z")):
        assert worst[name] == pytest.approx(moved[:, i].max(), rel=1e-4)
        assert deviation[name] == pytest.approx(moved[:, i].max() / math.sqrt(3), rel=1e-4)
    assert worst["position"] == pytest.approx(np.linalg.norm(moved, axis=1).max(), rel=1e-4)
    assert shares(answer, "sources", "error") == {"limb.rod_length.2": 1.0}
    assert shares(answer, "tolerances", "tolerance", "saved") == {"limb.rod_length.2": pytest.approx(0.5)}
    place = next(one for one in answer.table("worst poses").records if one["worst pose of"] == "z")
    assert [place[name] for name in ("x", "y", "z")] == pytest.approx(grid[np.argmax(moved[:, 2])], abs=1e-12)


def test_legs_of_a_symmetric_robot_have_equal_shares(delta: pp.Model) -> None:
    answer = pp.tolerance(delta, samples=2, region=Cylinder(0.3, -0.75, -0.65))
    by_leg: dict[str, list[float]] = {}
    for name, share in shares(answer, "sources", "error").items():
        part, field, _, *direction = name.split(".")
        by_leg.setdefault(".".join((part, field, *direction)), []).append(share)
    assert all(len(values) == 3 and values == pytest.approx([values[0]] * 3) for values in by_leg.values())
    assert sum(map(sum, by_leg.values())) == pytest.approx(1.0)


def test_a_misplaced_joint_counts_as_much_as_a_rod(delta: pp.Model) -> None:
    """Along its rod a joint's error is one of the rod's length; across it the plate does not move."""
    given = {"base.place": 1e-4, "plate.place": 1e-4, "limb.rod_length": 1e-4}
    answer = pp.tolerance(delta, given, samples=2, **COARSE)
    assert shares(answer, "tolerances", "tolerance") == pytest.approx(dict.fromkeys(given, 1 / 3))


def test_tolerances_are_of_each_leg_and_the_longest_path_counts(delta: pp.Model) -> None:
    answer = pp.tolerance(delta, {"limb.arm": 1e-4, "limb.arm.2": "0.05 mm"}, samples=2, **COARSE)
    single = shares(answer, "sources", "error")
    assert set(single) == {"limb.arm.1", "limb.arm.2", "limb.arm.3"}
    alike = pp.tolerance(delta, {"limb.arm": 1e-4}, samples=2, **COARSE)
    before = shares(alike, "sources", "error")
    assert single["limb.arm.2"] / single["limb.arm.1"] == pytest.approx(before["limb.arm.2"] / before["limb.arm.1"] / 4)


def test_play_and_steps_are_stated_whole(delta: pp.Model) -> None:
    given = {"joint.zero": 1e-4, "joint.backlash": 2e-4, "joint.encoder": 2e-4}
    answer = pp.tolerance(delta, given, samples=2, **COARSE)
    assert shares(answer, "tolerances", "tolerance") == pytest.approx(dict.fromkeys(given, 1 / 3))


def test_halving_saves_what_a_halved_tolerance_gives(delta: pp.Model) -> None:
    given = {"limb.arm": 1e-4, "limb.rod_length": 1e-4, "joint.zero": 6e-4}
    whole = pp.tolerance(delta, given, samples=2, **COARSE)
    halved = pp.tolerance(delta, {**given, "joint.zero": 3e-4}, samples=2, **COARSE)
    now, then = (row(one, "anywhere", "worst case")["position"] for one in (whole, halved))
    assert shares(whole, "tolerances", "tolerance", "saved")["joint.zero"] == pytest.approx(1 - then / now)
    assert whole.table("tolerances").column("tolerance")[0] == "joint.zero"


def test_what_does_not_move_the_plate_is_said_to_do_nothing(delta: pp.Model) -> None:
    answer = pp.tolerance(delta, {"limb.arm": 1e-4, "limb.rod_spacing": 1e-4}, samples=2, **COARSE)
    assert shares(answer, "tolerances", "tolerance")["limb.rod_spacing"] == 0.0
    assert any("limb.rod_spacing" in note for note in answer.notes)


def test_poses_out_of_reach_or_near_a_singularity_are_left_out(delta: pp.Model) -> None:
    wide = pp.tolerance(delta, samples=2, region=Box(-0.9, 0.9, 0.0, 0.0, -0.7, -0.7), spacing=0.3, margin=0.3)
    poses = np.array([[x, 0.0, -0.7] for x in np.linspace(-0.9, 0.9, 7)])
    reachable, margins = delta.reach(poses).ok, delta.margins(poses)
    near = reachable & (np.minimum(margins.under, np.minimum(margins.over, margins.internal)) < 0.3)
    assert 0 < near.sum() < reachable.sum() < 7
    assert wide.data["poses"] == (reachable & ~near).sum()
    assert wide.data["left_out"] == (~reachable | near).sum()
    assert [text.split()[2] for text in wide.left_out] == [str((~reachable).sum()), str(near.sum())]


def test_a_refused_region_says_where_it_comes_nearest_and_what_is_missing(delta: pp.Model) -> None:
    far = pp.tolerance(delta, samples=2, region=Box(2.0, 2.1, 0.0, 0.0, -0.7, -0.7))
    assert not far.ok
    assert "out of reach" in far.refusal
    assert "nearest is (2000, 0, -700) mm: leg " in far.refusal
    assert str(delta.reach((2.0, 0.0, -0.7)).reason()) in far.refusal
    region = Box(-0.1, 0.1, 0.0, 0.0, -0.7, -0.7)
    x = np.linspace(-0.1, 0.1, 5)
    margins = np.array(delta.margins(np.column_stack([x, np.zeros(5), np.full(5, -0.7)])))
    near = pp.tolerance(delta, samples=2, region=region, margin=0.999)
    best = margins.min(axis=0).max()
    assert not near.ok
    assert f"margin is {best:.3g}, {0.999 - best:.3g} is missing" in near.refusal


def test_yaw_has_its_own_unit_and_shares() -> None:
    par4 = pp.load("par4")
    region = Box(0.0, 0.1, 0.0, 0.0, -0.7, -0.7, yaw_min=-0.5, yaw_max=0.5)
    given = {"plate.bar_length": 1e-4, "plate.bar_angle": 1e-3, "limb.rod_length": 1e-4}
    answer = pp.tolerance(par4, given, samples=400, region=region)
    assert [column.unit for column in answer.table("errors").columns if column.name == "yaw"] == ["rad"]
    assert sum(shares(answer, "tolerances", "tolerance", "yaw share").values()) == pytest.approx(1.0)
    # The bars belong to the plate as a whole; every leg has its own rod.
    assert [name for name in shares(answer, "sources", "error") if "bar" in name] == list(given)[:2]
    assert row(answer, "workspace", "Monte Carlo")["yaw"] == pytest.approx(
        row(answer, "workspace", "Jacobian")["yaw"], rel=4 / math.sqrt(800)
    )


def test_the_same_seed_gives_the_same_answer(delta: pp.Model) -> None:
    first, again, other = (pp.tolerance(delta, samples=5, seed=seed, **COARSE).to_dict() for seed in (1, 1, 2))
    assert first == again
    assert first["tables"]["errors"] != other["tables"]["errors"]


@pytest.mark.parametrize(
    ("given", "path", "words"),
    [
        ({"limb.rod_lenght": 1e-4}, "limb.rod_lenght", "did you mean limb.rod_length"),
        ({"nonsense": 1e-4}, "nonsense", "there are base.angles"),
        ({"limb.arm.7": 1e-4}, "limb.arm.7", "did you mean limb.arm"),
        ({"limb.arm": -1e-4}, "limb.arm", "0 or greater"),
        ({"limb.arm": math.nan}, "limb.arm", "0 or greater"),
        ({"limb.arm": math.inf}, "limb.arm", "at most"),
        ({"limb.arm": "0.1 deg"}, "limb.arm", "not a length"),
        ({"base.direction": "0.1 mm"}, "base.direction", "not an angle"),
        ({"limb.arm": None}, "limb.arm", "not 'NoneType'"),
        ({"limb.rod_mass": 1e-4}, "limb.rod_mass", "is in kg, no length or angle"),
        ({"workspace.radius": 1e-4}, "workspace.radius", "no length or angle that is built"),
        ({"base.sign": 1e-4}, "base.sign", "a pure number"),
        ({"base": 1e-4}, "base", "has lengths and angles"),
        ({}, "tolerances", "none is given"),
        ({"limb.arm": 0.0}, "tolerances", "all 0"),
        ({"limb.arm": 5}, "limb.arm", "smaller than what it is of"),
    ],
)
def test_wrong_tolerances_are_refused(delta: pp.Model, given: Any, path: str, words: str) -> None:
    with pytest.raises(pp.errors.ParameterError) as refused:
        pp.tolerance(delta, given, samples=2, **COARSE)
    assert refused.value.path == path
    assert words in refused.value.message


def test_wrong_drawing_is_refused(delta: pp.Model) -> None:
    wrong: dict[str, Any] = {"distribution": "triangular", "samples": 1, "seed": -1, "spacing": 0.0}
    for name, value in wrong.items():
        with pytest.raises(pp.errors.ParameterError) as refused:
            pp.tolerance(delta, region=SMALL, **{name: value})
        assert refused.value.path == name


def test_a_robot_without_a_workspace_is_told_to_give_one(delta: pp.Model) -> None:
    bare = pp.Model(dataclasses.replace(delta.robot, workspace=None))
    with pytest.raises(pp.errors.ParameterError, match="states none; add"):
        pp.tolerance(bare)


@pytest.mark.parametrize("name", ["delta-linear", "fivebar-spindle", "h4"])
def test_every_leg_and_motor_has_errors_of_its_own(name: str) -> None:
    robot = resolved(load_robot(name).robot)
    names = [source.name for source in sources_of(robot)]
    assert len(set(names)) == len(names)
    for leg in range(1, robot.arms + 1):
        assert {f"limb.rod_length.{leg}", f"base.place.{leg}.up", f"plate.place.{leg}.side"} <= set(names)
    assert [name for name in names if "zero" in name] == [f"joint.zero.{i + 1}" for i in range(robot.motors)]


def test_the_command_has_the_numbers_of_the_library(delta: pp.Model, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--region", "box,-50mm,50mm,-50mm,50mm,-700mm,-700mm", "--spacing", "50mm", "--samples", "5", "--json"]
    code = main(["tolerance", "delta-nr", "--tolerance", "limb.arm=0.1mm", "--tolerance", "joint.zero=0.01deg", *words])
    answer = json.loads(capsys.readouterr().out)
    same = pp.tolerance(delta, {"limb.arm": "0.1 mm", "joint.zero": "0.01 deg"}, samples=5, **COARSE)
    assert code == 0
    assert answer["tables"] == same.to_dict()["tables"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--tolerance", "limb.arm"], "--tolerance: 'limb.arm' is not a path and its value"),
        (["--tolerance", "limb.arm=-1mm"], "--tolerance limb.arm: is -1mm; a tolerance is 0 or greater"),
        (["--tolerance", "limb.arms=1mm"], "did you mean limb.arm"),
        (["--samples", "1"], "--samples: is 1"),
        (["--distribution", "flat"], "--distribution: is 'flat'"),
    ],
)
def test_the_command_refuses_wrong_input(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tolerance", "delta-nr", *words]) == 2
    assert message in capsys.readouterr().err
