"""`parapick margins`."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.inspection import rod_pair_matrix
from poses import of_few_kinds, workspace_poses

GOLDEN = ["0.1", "-0.05", "-0.7", "0.3"]
POSE = [float(text) for text in GOLDEN]
KINDS = {"under-mobility": "under", "over-mobility": "over", "internal": "internal"}


def by_name(result: Any) -> dict[str, dict[str, Any]]:
    """The rows of the smallest values over a workspace by the index."""
    return {row["smallest"]: row for row in result.rows("smallest")}


def test_a_pose_has_the_margins_of_the_model_the_nearest_first(run: Any) -> None:
    result = run("margins", "par4", *GOLDEN, "--json")
    expected = pp.load("par4").margins(POSE)
    found = dict(zip(result.column("kinds", "kind"), result.column("kinds", "margin"), strict=True))
    assert found == pytest.approx({kind: float(getattr(expected, name)) for kind, name in KINDS.items()}, rel=1e-12)
    assert list(found.values()) == sorted(found.values())
    assert not any(result.column("kinds", "singular"))
    assert [kind["kind"] for kind in result.data["kinds"]] == list(found)
    assert all(np.linalg.norm(kind["motion"]) == pytest.approx(1.0) for kind in result.data["kinds"])


def test_a_pose_as_text(run: Any) -> None:
    result = run("margins", "par4", *GOLDEN)
    assert result.code == 0
    for text in (
        "over-mobility   0.4256  no",
        "conditioning of J_x    0.3017",
        "rank of J_int          3 of 3",
        "leg 4 is",
    ):
        assert text in result.out


def test_minors_are_the_triple_products_of_the_rows(run: Any) -> None:
    internal = run("margins", "par4", *GOLDEN, "--json").data["internal"]
    rows = np.array(internal["J_int"])
    assert rows.shape == (4, 3)
    assert len(internal["minors"]) == 4
    for i, j, k in itertools.combinations(range(4), 3):
        triple = float(np.dot(rows[i], np.cross(rows[j], rows[k])))
        assert internal["minors"][f"D_{i + 1}{j + 1}{k + 1}"] == pytest.approx(triple, abs=1e-14)
    # The Gram determinant is the sum of the squared minors (Cauchy and Binet).
    assert sum(d**2 for d in internal["minors"].values()) == pytest.approx(np.linalg.det(rows.T @ rows))


def test_the_h4_with_motors_at_90_degrees_is_singular_at_home(run: Any) -> None:
    result = run("margins", "h4-90", "0", "0", "-0.7")
    assert result.code == 0
    assert "internal        0.0000  yes" in result.out
    internal = run("margins", "h4-90", "0", "0", "-0.7", "--json").data["internal"]
    assert internal["rank"] == 3
    assert internal["determinant"] == pytest.approx(0.0, abs=1e-12)
    assert internal["minors"] is None


@pytest.mark.parametrize("name", ["fivebar-spindle", "spara3"])
def test_robots_without_rod_pairs_have_no_internal_kind(run: Any, name: str) -> None:
    smallest = run("margins", name, "--json").column("smallest", "smallest")
    assert set(smallest) == {"under-mobility", "over-mobility", "conditioning", "plate-conditioning"}
    home = [str(value) for value in pp.load(name).robot.home]
    assert run("margins", name, *home, "--json").data["internal"] is None


@pytest.mark.parametrize("name", of_few_kinds())
def test_no_pose_of_the_workspace_is_nearer_to_a_singularity(run: Any, name: str) -> None:
    model = pp.load(name)
    result = run("margins", name, "--json")
    assert result.data["reachable_poses"] == result.data["poses"]
    drawn = model.margins(workspace_poses(model, 20_000))
    smallest = by_name(result)
    assert {"under-mobility", "over-mobility"} <= set(smallest)
    for kind in set(KINDS) & set(smallest):
        entry, field = smallest[kind], KINDS[kind]
        assert entry["value"] <= float(np.min(getattr(drawn, field))) + 1e-9
        there = model.margins([entry[name] for name in model.robot.task_names])
        assert entry["value"] == pytest.approx(float(getattr(there, field)), abs=1e-9)


def test_the_internal_margin_of_par4_stays_above_080_on_its_cylinder(run: Any) -> None:
    """The number of nabat2005, erratum E10."""
    smallest = by_name(run("margins", "par4", "--json"))["internal"]
    assert 0.80 <= smallest["value"] < 0.82
    assert smallest["singular"] is False


def test_a_singular_surface_between_the_poses_is_found(run: Any, own_robot: Any) -> None:
    """The H4 is singular on x = 0; the axis of this workspace is shifted so that no pose of the lattice lies there."""
    old = 'kind = "cylinder"\nradius = "300 mm"'
    path = own_robot("h4-90", (old, 'kind = "cylinder"\nx = "7.7 mm"\nradius = "190 mm"'))
    entry = by_name(run("margins", path, "--json"))["internal"]
    assert entry["value"] < 1e-8
    assert entry["singular"] is True


@pytest.mark.parametrize(("name", "radius"), [("par4", "700 mm"), ("r4-100g", "380 mm")])
def test_a_workspace_partly_out_of_reach_says_so(run: Any, own_robot: Any, name: str, radius: str) -> None:
    """Legs end the reach of the first robot, joint limits that of the second; only poses within it count."""
    path = own_robot(name, ('radius = "300 mm"', f'radius = "{radius}"'))
    result = run("margins", path)
    assert result.code == 0
    assert "poses can be reached; out of reach is x" in result.out
    answer, model = run("margins", path, "--json"), pp.load(path)
    assert 0 < answer.data["reachable_poses"] < answer.data["poses"]
    assert by_name(answer)
    for entry in by_name(answer).values():
        assert bool(model.reach([entry[name] for name in model.robot.task_names]).ok)


def test_a_workspace_wholly_out_of_reach_is_an_answer(run: Any, own_robot: Any) -> None:
    heights = (('z_min = "-750 mm"', 'z_min = "-2 m"'), ('z_max = "-650 mm"', 'z_max = "-1.9 m"'))
    result = run("margins", own_robot("par4", *heights))
    assert result.code == 1
    assert "0 % of" in result.out


def test_a_pose_out_of_reach_is_an_answer(run: Any) -> None:
    result = run("margins", "par4", "0.9", "0", "-0.7")
    assert result.code == 1
    assert "out of reach: leg 2" in result.out
    answer = run("margins", "par4", "0.9", "0", "-0.7", "--json")
    assert answer.data["kinds"] == []
    assert answer.json["refusal"].startswith("out of reach: leg 2")


def test_a_pose_beyond_a_limit_still_has_its_margins(run: Any) -> None:
    result = run("margins", "par4", "0", "0", "-0.7", "50deg")
    assert result.code == 1
    assert "over-mobility" in result.out
    assert "yaw limit of the plate is exceeded" in result.out


def test_another_working_mode_has_other_margins(run: Any) -> None:
    answers = [run("margins", "par4", *GOLDEN, "--mode", mode, "--json") for mode in ("++++", "-+-+")]
    assert answers[0].column("kinds", "margin") != answers[1].column("kinds", "margin")
    assert answers[1].data["working_mode"]["signs"] == "-+-+"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["par4", "0", "0"], "a pose is X Y Z"),
        (["par4", "0", "0", "nan"], "Z: 'nan' is not a finite number"),
        (["delta-nr", "0", "0", "-0.7", "1"], "YAW: delta-nr has no yaw"),
        (["par4", "--mode", "sideways"], "no working mode 'sideways'"),
        (["nowhere.toml"], "there is no such file"),
    ],
)
def test_wrong_input_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run("margins", *words).message


def test_a_file_without_workspace_asks_for_a_pose(run: Any, tmp_path: Any) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'format = 1\nname = "own"\nhome = [0, 0, -0.6]\n'
        'base = { kind = "radial", radius = "200 mm", angles = ["0 deg", "120 deg", "240 deg"] }\n'
        'limb = { arm = "300 mm", rod_length = "700 mm" }\nplate = { kind = "rigid", radius = "50 mm" }\n'
    )
    assert "workspace: the file of own states none; add [workspace]" in run("margins", str(path)).message
    assert run("margins", str(path), "0", "0", "-0.6").code == 0


def test_the_matrix_of_single_rods_is_in_the_data(run: Any) -> None:
    internal = run("margins", "par4", *GOLDEN, "--json").data["internal"]
    np.testing.assert_allclose(internal["J_tp"], rod_pair_matrix(pp.load("par4"), POSE), rtol=1e-12, atol=1e-12)


def test_a_rank_is_stated_of_how_many(run: Any) -> None:
    """Singular where the rank is below the full one: 3 of 4 on h4-90, 3 of 3 on par4."""
    for robot, rank, full, singular in (("h4-90", 3, 4, True), ("par4", 3, 3, False)):
        words = ("margins", robot, "0", "0", "-0.7", "0")
        known = run(*words, "--json").data["internal"]
        assert (known["rank"], known["full_rank"]) == (rank, full)
        assert f"rank of J_int          {rank} of {full}" in run(*words).out
        row = next(row for row in run(*words, "--json").rows("kinds") if row["kind"].startswith("internal"))
        assert row["singular"] is singular
