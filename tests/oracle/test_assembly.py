"""The engine puts every robot together by itself; where it ends up must be where our kinematics say."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import parapick.multibody as room
from oracle.descriptions import CASES, assembled, par4
from parapick.errors import MissingMassError, ParameterError, ParapickError, ShapeError, UnreachableError
from parapick.mechanism.plates import Rigid
from parapick.model import Model
from parapick.multibody import assemble, mjcf, set_pose
from parapick.multibody.engine import mujoco

NAMES = tuple(CASES)
LOOP_MAX = 1e-13
ANGLE_MAX = 1e-9


def started(document: str) -> tuple[Any, Any]:
    """Model and data of an MJCF document, at its start."""
    model = mujoco().MjModel.from_xml_string(document)
    data = mujoco().MjData(model)
    mujoco().mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("name", NAMES)
def test_loops_close_at_home_from_the_rough_pose(name: str) -> None:
    robot = CASES[name].robot
    _, data = started(mjcf(robot))
    assert np.max(np.abs(data.efc_pos[: data.ne])) > 1e-3
    home = assembled(name)
    assert home.loop_error < LOOP_MAX
    np.testing.assert_allclose(home.x, robot.home, atol=LOOP_MAX)


@pytest.mark.parametrize("name", NAMES)
def test_motor_angles_are_those_of_inverse_kinematics(name: str) -> None:
    case, here = CASES[name], assembled(name)
    poses = case.poses(8)
    wanted = Model(case.robot).inverse_kinematics(poses)
    assert np.isfinite(wanted).all()
    for x, q in zip(poses, wanted, strict=True):
        here = set_pose(here, x)
        assert here.loop_error < LOOP_MAX
        np.testing.assert_allclose(here.x, x, atol=1e-12)
        np.testing.assert_allclose(here.q, q, rtol=0, atol=ANGLE_MAX)


@pytest.mark.parametrize("signs", ["+++", "+-+", "---", "--+"])
def test_every_elbow_goes_to_its_own_side(signs: str) -> None:
    model = Model(CASES["uneven"].robot).with_working_mode(signs)
    x = np.array([0.02, -0.03, -0.68])
    np.testing.assert_allclose(
        set_pose(assemble(model.robot), x).q, model.inverse_kinematics(x), rtol=0, atol=ANGLE_MAX
    )


@pytest.mark.parametrize("signs", ["+++", "---"])
def test_rods_hang_from_their_carriages_or_stand_on_them(signs: str) -> None:
    model = Model(CASES["inclined"].robot).with_working_mode(signs)
    x = np.array([0.05, -0.03, -0.75])
    there = set_pose(assemble(model.robot), x)
    np.testing.assert_allclose(there.q, model.inverse_kinematics(x), rtol=0, atol=ANGLE_MAX)
    carriages = [there.data().site(f"elbow{leg}").xpos[2] for leg in (1, 2, 3)]
    assert all((height > x[2]) == (signs == "+++") for height in carriages)


@pytest.mark.parametrize("name", NAMES)
def test_total_mass_is_the_sum_of_the_parts(name: str) -> None:
    robot = CASES[name].robot
    limb: Any = robot.limb
    plate: Any = robot.plate
    arms = np.broadcast_to(getattr(limb, f"{limb.body}_mass"), robot.arms).sum()
    rods = limb.rods * np.broadcast_to(limb.rod_mass, robot.arms).sum()
    pieces = {"mass": 1, "carried_mass": 1, "bar_mass": 2, "crossbar_mass": 1, "side_mass": 2}
    total = arms + rods + sum(count * getattr(plate, piece, 0.0) for piece, count in pieces.items())
    shaft = getattr(plate, "telescope", None)
    total += sum(half.mass for half in (shaft and shaft.upper, shaft and shaft.lower) if half)
    assert assembled(name).model.body_mass.sum() == pytest.approx(total, rel=1e-9)


@pytest.mark.parametrize("name", ["delta-4", "geared-par4", "asymmetric", "five-bar"])
def test_closed_document_starts_closed_and_stays_so(name: str) -> None:
    model, data = started(assembled(name).mjcf())
    assert np.max(np.abs(data.efc_pos[: data.ne])) < LOOP_MAX
    for _ in range(100):
        mujoco().mj_step(model, data)
    assert np.max(np.abs(data.efc_pos[: data.ne])) < 1e-6
    np.testing.assert_allclose(data.site("tool").xpos, CASES[name].robot.home[:3], atol=2e-3)


def test_documents_hold_what_a_simulation_needs() -> None:
    root = ET.fromstring(mjcf(CASES["geared-par4"].robot))
    motors = root.findall("actuator/motor")
    assert [motor.get("joint") for motor in motors] == ["motor1", "motor2", "motor3", "motor4"]
    for motor in motors:
        assert motor.get("ctrllimited") == "true"
        np.testing.assert_allclose(np.fromstring(motor.get("ctrlrange", ""), sep=" "), [-89.6, 89.6])
    hinge = next(joint for joint in root.iter("joint") if joint.get("name") == "motor1")
    # ratio^2 (rotor + gearbox): the M_act of righettini2024 (3).
    assert float(hinge.get("armature", 0)) == pytest.approx(0.17142, abs=1e-5)
    bodies = {body.get("name") for body in root.iter("body")}
    assert {"arm1", "rod1a", "rod1b", "plate", "carried", "bar1", "bar2", "tool"} <= bodies
    # Every body that moves has a stated inertia, and nothing that is drawn can touch.
    assert all(body.find("inertial") is not None for body in root.iter("body") if body.get("name") != "base")
    geom = root.find("default/geom")
    assert geom is not None
    assert (geom.get("contype"), geom.get("conaffinity")) == ("0", "0")


def test_a_drive_without_ratings_has_no_limit() -> None:
    root = ET.fromstring(mjcf(CASES["asymmetric"].robot))
    assert {motor.get("ctrllimited") for motor in root.findall("actuator/motor")} == {"false"}


def test_room_uses_no_formula_of_the_model() -> None:
    """The oracle reads numbers and directions of a description; how legs close and plates move it may not ask."""
    motion = {"ArmRod", "Linear", "LegPose", "PlatePose", "rod_inertia", "legs", "plate_pose", "points", "frames", "at"}
    folder = Path(room.__file__).parent
    for file in sorted(folder.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("parapick.model"):
                assert node.module == "parapick.mechanism.payload", file.name
            if isinstance(node, ast.ImportFrom):
                assert not motion & {name.name for name in node.names}, file.name
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                assert node.func.attr not in motion, f"{file.name}:{node.lineno}"


def test_missing_library_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    assert mjcf(par4()).startswith("<mujoco")
    with pytest.raises(ParapickError, match=r"pip install 'parapick\[multibody\]'"):
        assemble(par4())


def test_missing_masses_are_named() -> None:
    robot = CASES["delta-3"].robot
    bare = replace(robot, limb=replace(robot.limb, rod_mass=None), plate=Rigid(radius=0.1))
    with pytest.raises(MissingMassError, match=r"limb\.rod_mass, plate\.mass"):
        mjcf(bare)


def test_impossible_arm_is_refused() -> None:
    robot = par4()
    with pytest.raises(ParameterError, match=r"limb\.arm_inertia: is 0\.01 kg m2"):
        mjcf(replace(robot, limb=replace(robot.limb, arm_inertia=0.01)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"timestep": 1e-3}, "timestep: is 0.001 s; it must be greater than 0 and at most 0.00025 s"),
        ({"timestep": 0.0}, "timestep: is 0.0 s"),
        ({"rod_radius": -1.0}, "rod_radius: is -1.0 m; it must be greater than 0"),
        ({"elbow": "rubber"}, "elbow: is 'rubber'; valid are 'universal' and 'ball'"),
    ],
)
def test_options_that_make_no_model_are_refused(options: dict, message: str) -> None:
    with pytest.raises(ParameterError) as error:
        mjcf(par4(), **options)
    assert message in str(error.value)


def test_start_needs_one_angle_an_arm() -> None:
    with pytest.raises(ShapeError, match=r"\(4,\), one joint angle an arm"):
        mjcf(par4(), angles=[0.1, 0.2])


def test_pose_out_of_reach_says_how_much_is_open() -> None:
    with pytest.raises(UnreachableError, match="mm are left open"):
        set_pose(assembled("delta-3"), [0.9, 0.0, -0.7])


def test_home_out_of_reach_is_refused() -> None:
    with pytest.raises(UnreachableError, match="mm are left open"):
        assemble(replace(par4(), home=(0.0, 0.0, -1.4, 0.0)))


def test_pose_must_have_the_length_of_the_task() -> None:
    with pytest.raises(ShapeError, match=r"\(3,\)"):
        set_pose(assembled("delta-3"), [0.0, 0.0, -0.7, 0.0])


def test_documented_program_runs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "multibody.md").read_text(encoding="utf-8")
    block = re.search(r"^```python\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    assert block is not None
    names: dict[str, Any] = {}
    exec(block[1], names)
    assert names["text"].startswith("<mujoco")
    # The page names these three numbers.
    np.testing.assert_allclose(names["loads"].tension_elbow[0], (61.0, -54.0), atol=0.5)
    assert names["loads"].tension_elbow[0].mean() == pytest.approx(4.0, abs=0.5)
