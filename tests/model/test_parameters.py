"""Numbers are inputs: other numbers need no other kernel."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MissingMassError, ParameterError, ShapeError, WorkingModeError
from parapick.kernel import compilations
from parapick.model import Model
from parapick.parameters import leaves, structure


def test_changed_length_equals_a_robot_written_with_it_and_compiles_nothing() -> None:
    par4 = pp.load("par4")
    x = [0.1, -0.05, -0.7, 0.3]
    par4.kinematics(x)
    before = compilations()
    changed = par4.with_parameters({"limb.arm": 0.30, "base.angles.2": 2.3}).kinematics(x)
    limb = dataclasses.replace(par4.robot.limb, arm=0.30)
    angles = (par4.robot.base.angles[0], 2.3, *par4.robot.base.angles[2:])
    base = dataclasses.replace(par4.robot.base, angles=angles)
    written = pp.Model(dataclasses.replace(par4.robot, limb=limb, base=base)).kinematics(x)
    assert compilations() == before
    np.testing.assert_array_equal(changed.q, written.q)
    np.testing.assert_array_equal(changed.J, written.J)
    assert np.max(np.abs(changed.q - par4.inverse_kinematics(x))) > 1e-3


def test_working_mode_is_data() -> None:
    par4 = pp.load("par4")
    par4.inverse_kinematics(par4.robot.home)
    before = compilations()
    for mode in par4.working_modes:
        par4.with_working_mode(mode.name).inverse_kinematics(par4.robot.home)
    assert compilations() == before


def test_sign_and_zero_of_the_joints_only_rename_the_angles() -> None:
    par4 = pp.load("par4")
    x = np.array([0.1, -0.05, -0.7, 0.3])
    base = dataclasses.replace(par4.robot.base, sign=-1.0, zero=np.radians(20))
    turned = pp.Model(dataclasses.replace(par4.robot, base=base))
    q, jacobian = par4.kinematics(x)
    q2, jacobian2 = turned.kinematics(x)
    np.testing.assert_allclose(q2, np.radians(20) - q, atol=1e-14)
    np.testing.assert_allclose(jacobian2, -jacobian, atol=1e-12)
    np.testing.assert_allclose(turned.forward_kinematics(q2), x, atol=1e-12)


def test_structure_ignores_numbers_only() -> None:
    par4 = pp.load("par4")
    assert structure(par4.robot) == structure(par4.with_parameters({"limb.arm": 0.3}).robot)
    other = dataclasses.replace(par4.robot, limb=dataclasses.replace(par4.robot.limb, rod_model="halves"))
    assert structure(par4.robot) != structure(other)
    assert len(dict(leaves(par4.robot))) == len(par4.parameters)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"limb.arms": 0.3}, r"limb.arms: .*did you mean limb.arm"),
        ({"base.angles": 0.3}, r"base.angles: is not a single number.*base.angles.1"),
        ({"limb.arm": float("nan")}, "not a finite number"),
        ({"limb.arm": -0.3}, "greater than 0"),
        ({"limb.arm": "long"}, "'long' is not a finite number"),
        ({"limb.arm": "3 kg"}, "limb.arm: '3 kg' is not a length; a length is written in m, mm"),
        ({"limb.arm": True}, "not a number"),
        ({"arm": 0.3}, "did you mean limb.arm"),
        ({"limb": 0.3}, "limb: is a table, not a number; it has limb.arm"),
        ({"limb.arm.2": 0.3}, r"limb.arm.2: .* limb.arm is one number for all"),
        ({"limb.arm.*": 0.3}, r"limb.arm is one number for all"),
        ({"base.angles.5": 0.3}, r"base.angles.5: is not a parameter"),
        ({"limb.rods": 1}, "limb.rods: is structure, not a number: it is 2"),
        ({"plate.kind": "rigid"}, "plate.kind: is structure, not a number: it is 'parallelogram'"),
        ({"limb.rod_modulus": "70 mm"}, "limb.rod_modulus: '70 mm' is not"),
        ({"limb.rod_modulus": float("nan")}, "limb.rod_modulus: nan is not a finite number"),
        ({"limb.rod_bore": "8 mm"}, "limb.rod_bore: is 8 mm; it must be less than limb.rod_radius"),
        ({"plate.angles": 0.1}, "plate.angles: is not stated in the robot's file"),
    ],
)
def test_wrong_parameters(changes: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        pp.load("par4").with_parameters(changes)


def test_numbers_that_a_file_leaves_out_can_be_stated() -> None:
    par4 = pp.load("par4")
    assert par4.robot.drive.rated_torque is None
    rated = par4.with_parameters({"drive.rated_torque": "20 N m", "limits.joint_max": 1.5})
    assert rated.robot == dataclasses.replace(
        par4.robot,
        drive=dataclasses.replace(par4.robot.drive, rated_torque=20.0),
        limits=dataclasses.replace(par4.robot.limits, joint_max=1.5),
    )
    x = np.array([0.1, 0.0, -0.7, 0.2])
    np.testing.assert_array_equal(rated.inverse_kinematics(x), par4.inverse_kinematics(x))
    assert rated.with_parameters({"drive.rated_torque": 30.0}).motors.rated_torque.tolist() == [30.0] * 4


def test_drives_that_a_file_leaves_out_can_be_stated() -> None:
    """A direct drive of the kind that the limb has; the numbers that are not stated are those of any such drive."""
    for name, path in (("par4", "drive.friction.coulomb"), ("delta-linear", "drive.friction.coulomb")):
        bare = Model(dataclasses.replace(pp.load(name).robot, drive=None))
        rubbing = bare.with_parameters({path: 2.0})
        assert type(rubbing.robot.drive) is type(bare.robot.limb.direct)
        assert rubbing.motors.coulomb.tolist() == [2.0] * bare.robot.motors
        assert np.isinf(rubbing.motors.peak_torque).all()


def test_robots_that_differ_in_words_only_share_their_kernels() -> None:
    """The same object, not a copy of it: two thousand names take no memory; errors still have the robot's own name."""
    par4 = pp.load("par4").robot
    other = Model(dataclasses.replace(par4, name="other", title="Another", modes=()))
    assert other.kernel("inverse_dynamics") is Model(par4).kernel("inverse_dynamics")
    assert other.robot != par4
    bare = dataclasses.replace(par4, limb=dataclasses.replace(par4.limb, rod_mass=None))
    for name in ("first", "second"):
        with pytest.raises(MissingMassError, match=f"{name} has no masses"):
            Model(dataclasses.replace(bare, name=name)).kernel("inverse_dynamics")


def test_a_number_that_follows_another_names_it() -> None:
    robot = pp.load("r4-100g")
    with pytest.raises(ParameterError, match=r"limb.rod_mass: follows limb.rod_length by a polynomial; change"):
        robot.with_parameters({"limb.rod_mass": 0.1})
    one, other = (robot.with_parameters({"limb.rod_length": value}) for value in ("900 mm", 0.9))
    assert one.numbers == other.numbers
    assert one.numbers.limb.rod_mass != robot.numbers.limb.rod_mass


def test_texts_are_read_in_the_unit_of_their_field() -> None:
    par4 = pp.load("par4")
    texts = {"limb.arm": "350 mm", "base.angles.2": "130 deg", "home.3": "-72cm", "home.4": "5deg", "base.sign": "1"}
    numbers = {"limb.arm": 0.35, "base.angles.2": np.radians(130.0), "home.3": -0.72, "home.4": np.radians(5.0)}
    assert par4.with_parameters(texts).robot == par4.with_parameters(numbers).robot


def test_a_star_names_every_entry_of_a_list() -> None:
    par4 = pp.load("par4")
    limb = dataclasses.replace(par4.robot.limb, arm=(0.35, 0.36, 0.35, 0.35))
    uneven = pp.Model(dataclasses.replace(par4.robot, limb=limb))
    with pytest.raises(
        ParameterError, match=r"name one, as limb.arm.1, up to limb.arm.4, or all of them by limb.arm.\*"
    ):
        uneven.with_parameters({"limb.arm": 0.3})
    assert uneven.with_parameters({"limb.arm.2": "30 cm"}).robot.limb.arm == (0.35, 0.3, 0.35, 0.35)
    assert uneven.with_parameters({"limb.arm.*": "30 cm"}).robot.limb.arm == (0.3,) * 4
    # Entries of different kinds have no unit in common.
    with pytest.raises(ParameterError, match="is not an angle"):
        par4.with_parameters({"home.*": "30 mm"})


def test_wrong_shapes_and_modes() -> None:
    par4 = pp.load("par4")
    with pytest.raises(ShapeError, match=r"x has shape \(3,\)"):
        par4.inverse_kinematics([0.0, 0.0, -0.7])
    with pytest.raises(WorkingModeError, match="outward"):
        par4.with_working_mode("sideways")
    with pytest.raises(ParameterError, match="inverse_kinematics"):
        par4.kernel("torques")


def test_golden_pose_of_par4() -> None:
    """nabat2005, recomputed independently."""
    q = pp.load("par4").inverse_kinematics([0.1, -0.05, -0.7, 0.3])
    np.testing.assert_allclose(q, [-0.400704, -0.610940, -0.510572, -0.191733], atol=5e-7)


def test_a_payload_changes_nothing_of_the_robot() -> None:
    model = pp.load("par4")
    laden = model.with_payload(1.0)
    assert laden.motors is model.motors
    assert laden.parameters is model.parameters
    assert laden.held.mass == model.held.mass + 1.0
    assert model.with_gravity(0.0).parameters is not model.parameters
