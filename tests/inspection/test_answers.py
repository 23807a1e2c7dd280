"""A robot at a pose or a state, as answers: what their tables and data say against the model itself."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MissingMassError
from parapick.inspection import margins_answer, modes_answer, pose_answer, torque_answer
from parapick.inspection.naming import (
    about,
    at_pose,
    coordinates,
    load_lines,
    named,
    out_of_reach,
    place_text,
    rod_names,
    sharing_words,
    subject,
    unit_of,
)
from parapick.mechanism import ToolLoads
from poses import MASSIVE, ROBOTS

FAR = (2.0, 0.0, -0.7, 0.0)
"""A pose that par4 does not reach."""

PAR4 = pp.load("par4")
HOME = PAR4.robot.home
REST = (0.0,) * 4


# Names and words


def test_poses_have_names_and_units() -> None:
    assert named(PAR4.robot, [1, 2, 3, 4]) == {"x": 1.0, "y": 2.0, "z": 3.0, "yaw": 4.0}
    assert [unit_of(name) for name in PAR4.robot.task_names] == ["m", "m", "m", "rad"]
    assert [(column.name, column.unit) for column in coordinates(pp.load("delta-nr").robot)] == [
        ("x", "m"),
        ("y", "m"),
        ("z", "m"),
    ]
    with pytest.raises(ValueError, match="argument"):
        named(PAR4.robot, [1, 2, 3])


def test_a_pose_in_words_keeps_six_digits() -> None:
    text = place_text({"x": 0.1234567, "yaw": math.pi})
    assert text == "x 0.123457 m, yaw 3.14159 rad (180 deg)"


def test_titles_name_robot_and_mode() -> None:
    first, second = subject(PAR4, "somewhere", "below").splitlines()
    assert first.startswith("par4 somewhere; working mode ")
    assert second == "below"
    assert about(PAR4)["robot"] == "par4"


def test_a_pose_says_whether_it_can_be_reached() -> None:
    inside, outside = at_pose(PAR4, HOME), at_pose(PAR4, FAR)
    assert inside["reachable"] is True
    assert inside["reason"] is None
    assert out_of_reach(inside) == ""
    assert outside["reachable"] is False
    assert out_of_reach(outside) == f"out of reach: {PAR4.reach(FAR).reason()}"


def test_rods_are_named_by_leg_and_letter() -> None:
    assert rod_names(PAR4)[:3] == ["rod 1a", "rod 1b", "rod 2a"]
    assert rod_names(pp.load("fivebar-spindle")) == ["rod 1", "rod 2"]


def test_sharing_is_named_where_there_is_something_to_share() -> None:
    redundant = pp.load("r4-100g")
    assert sharing_words(PAR4) == ""
    assert "least peak, so that the largest torque is least" in sharing_words(redundant)
    assert "least norm" in sharing_words(redundant.with_sharing("least-norm"))


def test_loads_are_a_line_only_where_there_are_some() -> None:
    assert load_lines(ToolLoads(0.0, 0.0)) == ()
    assert load_lines(ToolLoads(0.2, 0.5)) == ("gripper 0.2 kg, payload 0.5 kg",)


# A pose


def test_joint_angles_and_slacks_of_a_pose_are_the_models() -> None:
    answer, reach = pose_answer(PAR4, HOME), PAR4.reach(HOME)
    legs = answer.table("legs")
    np.testing.assert_array_equal(legs.column("q"), PAR4.inverse_kinematics(HOME))
    np.testing.assert_allclose(legs.column("leg slack"), reach.legs)
    assert answer.ok
    assert answer.data["margins"]["over"] == pytest.approx(float(PAR4.margins(HOME).over))
    assert answer.headline.startswith(f"YES: par4 can be here: leg {np.argmin(reach.legs) + 1} has ")


def test_limits_that_a_robot_does_not_have_are_empty() -> None:
    bare = PAR4.robot.limits
    empty = {field.name: None for field in dataclasses.fields(bare) if getattr(bare, field.name) is not None}
    model = pp.Model(dataclasses.replace(PAR4.robot, limits=dataclasses.replace(bare, **empty)))
    answer = pose_answer(model, HOME)
    for name in ("joint slack", "elbow slack", "cone slack"):
        assert list(answer.table("legs").column(name)) == [None] * 4
    assert not any("slack" in note for note in answer.notes)


def test_limits_of_yaw_and_clearance_are_noted_where_there_are_some() -> None:
    limits = dataclasses.replace(PAR4.robot.limits, yaw_min=-1.0, yaw_max=0.5, clearance_min=0.01)
    model = pp.Model(dataclasses.replace(PAR4.robot, limits=limits))
    answer = pose_answer(model, (*HOME[:3], 0.0))
    assert answer.data["slack"]["yaw"] == pytest.approx(0.5)
    assert any(note == "yaw limit slack: 28.648 deg" for note in answer.notes)
    assert any(note.startswith("clearance slack: ") for note in answer.notes)


def test_a_pose_out_of_reach_is_refused_with_what_is_missing() -> None:
    answer = pose_answer(PAR4, FAR)
    assert not answer.ok
    assert answer.refusal.startswith("out of reach: leg ")
    assert np.isnan(answer.table("legs").column("q")).any()
    assert answer.first_line == f"NO: {answer.refusal}"


def test_carriages_have_places_and_not_angles() -> None:
    model = pp.load("delta-linear")
    legs = pose_answer(model, model.robot.home).table("legs")
    assert "place" in [column.name for column in legs.columns]
    np.testing.assert_array_equal(legs.column("place"), model.inverse_kinematics(model.robot.home))


# Margins


def test_kinds_are_listed_nearest_first() -> None:
    answer = margins_answer(PAR4, HOME)
    margins = [float(value) for value in answer.table("kinds").column("margin")]
    assert margins == sorted(margins)
    assert set(answer.table("kinds").column("kind")) == {"under-mobility", "over-mobility", "internal"}
    assert min(margins) == pytest.approx(min(map(float, PAR4.margins(HOME))), rel=1e-9)


def test_the_rod_pair_matrix_is_described_where_there_is_one() -> None:
    internal = margins_answer(PAR4, HOME).data["internal"]
    assert internal["rank"] == internal["full_rank"] == 3
    assert np.shape(internal["J_int"]) == (4, 3)
    assert np.shape(internal["J_tp"]) == (8, 7)
    assert set(internal["minors"]) == {"D_123", "D_124", "D_134", "D_234"}
    assert internal["determinant"] is None
    assert margins_answer(pp.load("spara3"), pp.load("spara3").robot.home).data["internal"] is None


def test_a_square_rod_pair_matrix_has_a_determinant() -> None:
    model = pp.load("delta-nr")
    answer = margins_answer(model, model.robot.home)
    internal = answer.data["internal"]
    assert internal["determinant"] == pytest.approx(np.linalg.det(np.array(internal["J_int"])))
    assert any("determinant of J_int" in str(row) for row in answer.table("indices").rows)


def test_an_internal_singularity_loses_rank() -> None:
    """Pose of nabat2005, erratum E10."""
    answer = margins_answer(PAR4, (-0.523, 0.517756789037, -0.343446008990, 0.602))
    assert answer.data["internal"]["rank"] == 2
    assert answer.table("kinds").rows[0][0] == "internal"
    assert answer.table("kinds").rows[0][2] is True


def test_margins_out_of_reach_are_refused_without_tables() -> None:
    answer = margins_answer(PAR4, FAR)
    assert answer.refusal.startswith("out of reach")
    assert answer.tables == ()
    assert answer.data["kinds"] == []


# Modes


def test_modes_have_the_pose_itself_among_the_assembly_modes() -> None:
    answer = modes_answer(PAR4, HOME, PAR4.working_mode.signs)
    working, assembly = answer.table("working_modes"), answer.table("assembly_modes")
    assert len(working.rows) == 16
    distances = [round(float(value), 9) for value in working.column("clearance")]
    assert distances == sorted(distances, reverse=True)
    (itself,) = [row for row in assembly.rows if row[-1]]
    np.testing.assert_allclose(itself[1:5], HOME, atol=1e-7)
    elbows = dict(zip(assembly.column("number"), assembly.column("elbows"), strict=True))
    assert elbows[itself[0]] == PAR4.working_mode.signs
    assert {row[5] for row in working.rows} <= {"free", "collides"}


def test_modes_out_of_reach_are_refused_without_tables() -> None:
    answer = modes_answer(PAR4, FAR, PAR4.working_mode.signs)
    assert answer.refusal.startswith("out of reach")
    assert answer.tables == ()
    assert answer.data["q"] == []


# Torques at a state


def test_torques_of_a_state_are_the_models_and_their_parts_add_up() -> None:
    xdd = (10.0, -20.0, 5.0, 3.0)
    answer = torque_answer(PAR4, HOME, REST, xdd)
    joints = answer.table("joints")
    np.testing.assert_allclose(joints.column("torque"), PAR4.inverse_dynamics(HOME, REST, xdd))
    parts = [column.name for column in joints.columns][2:]
    np.testing.assert_allclose(
        np.sum([joints.column(name) for name in parts], axis=0), joints.column("torque"), atol=1e-9
    )
    motors, load = answer.table("motors"), PAR4.drive_torque(HOME, REST, xdd)
    np.testing.assert_allclose(motors.column("torque"), load.torque)
    np.testing.assert_allclose(motors.column("speed"), load.speed)
    rods = answer.table("rods")
    np.testing.assert_allclose(rods.column("at the plate"), PAR4.inner_forces(HOME, REST, xdd).axial_plate.ravel())
    assert "acceleration x 10 m/s2, y -20 m/s2, z 5 m/s2, yaw 3 rad/s2" in answer.title


def test_shares_are_those_of_the_ratings() -> None:
    model = PAR4.with_parameters({"drive.peak_torque": 50.0})
    answer = torque_answer(model, HOME, REST, (0.0, 0.0, 30.0, 0.0))
    motors = answer.table("motors")
    expected = np.abs(np.array(motors.column("torque"), dtype=float)) / 50.0
    np.testing.assert_allclose(np.array(motors.column("of peak"), dtype=float), expected)


def test_a_state_at_rest_says_so() -> None:
    assert "at rest" in torque_answer(PAR4, HOME, REST, REST).title


def test_redundant_motors_share_by_one_rule_in_all_of_an_answer() -> None:
    model = pp.load("r4-100g")
    home, rest, xdd = model.robot.home, (0.0,) * 3, (50.0, 20.0, 10.0)
    peak, norm = torque_answer(model, home, rest, xdd), torque_answer(model.with_sharing("least-norm"), home, rest, xdd)
    assert "sharing" in [column.name for column in peak.table("joints").columns]
    assert "sharing" not in [column.name for column in norm.table("joints").columns]
    largest = [max(abs(float(value)) for value in answer.table("joints").column("torque")) for answer in (peak, norm)]
    assert largest[0] <= largest[1]
    assert any("least norm" in note for note in peak.notes)
    assert peak.data["sharing"] == "least-peak"


def test_a_state_out_of_reach_is_refused_without_tables() -> None:
    answer = torque_answer(PAR4, FAR, REST, REST)
    assert answer.refusal.startswith("out of reach: leg ")
    assert answer.tables == ()
    assert answer.notes == ()


def test_a_singular_pose_has_no_torques() -> None:
    """The five-bar with both rods in one line: nothing holds its plate along y."""
    model = pp.load("fivebar-spindle")
    arm, half = model.robot.limb.arm, 0.09
    limits = dataclasses.replace(model.robot.limits, **dict.fromkeys(vars(model.robot.limits)))
    model = pp.Model(dataclasses.replace(model.robot, limits=limits))
    x = (0.0, math.sqrt(arm**2 - (arm - half) ** 2), 0.0, 0.0)
    answer = torque_answer(model, x, REST, REST)
    assert model.reach(x).ok
    assert answer.refusal == "the pose is singular: no finite torque holds it"
    assert answer.data["reachable"] is False
    assert answer.tables == ()


def test_a_robot_without_masses_has_no_torques() -> None:
    model = pp.load(next(name for name in ROBOTS if name not in MASSIVE))
    rest = (0.0,) * model.robot.dof
    with pytest.raises(MissingMassError):
        torque_answer(model, model.robot.home, rest, rest)
