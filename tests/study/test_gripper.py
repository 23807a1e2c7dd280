"""Numbers of the gripper as free numbers, and tasks that carry something on top of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from parapick.capability import acceleration_any
from parapick.model import Model
from parapick.parameters import Follow, leaves
from parapick.ride.ride import Ride
from parapick.study import STUDY_MEASURES, evaluated
from parapick.study.slopes import along, measure_pieces
from parapick.study.worst_points import poses_at
from parapick.timing.gripper_slopes import gripper_slopes
from studies import changed, problems_of, study_of

GRIPPED = changed(
    ('"limb.arm" =', '"gripper.mass" = { from = 0, to = 1, count = 2 }\n"gripper.offset.3" = [-0.05]\n"limb.arm" ='),
    ('["peak_torque"]', '["peak_torque"]\nalso = ["acceleration"]'),
    ("gravity = 0", "gravity = 9.81"),
)
DESIGN = np.array([0.12, 0.4, -0.05, 0.2, 0.5, -0.53])


def test_a_free_gripper_is_that_of_the_robot() -> None:
    study = study_of(GRIPPED)
    row = evaluated(study.work, DESIGN[None])
    model, task = Model(study.space.robot_of(DESIGN)), study.file.tasks[0]
    assert model.gripper.mass == 0.4
    carrying = model.with_payload(0.25)
    ride = Ride(carrying.with_sharing("least-norm"), task.motion(carrying).sample(1000, corners=True))
    assert row["peak_torque"][0] == pytest.approx(np.abs(ride.loads.torque).max(), rel=1e-9)
    poses, norm = poses_at(model, study.work.points), carrying.with_sharing("least-norm")
    assert row["acceleration"][0] == pytest.approx(acceleration_any(norm, poses).min(), rel=1e-9)


@pytest.mark.parametrize("mass", [0.0, 0.4])
def test_slopes_by_the_gripper_are_those_of_differences(mass: float) -> None:
    work, measure = study_of(GRIPPED).work, STUDY_MEASURES["peak_torque"]
    here = DESIGN + np.array([0.0, mass - DESIGN[1], 0.0, 0.0, 0.0, 0.0])

    def peak(design: np.ndarray) -> float:
        return float(evaluated(work, design[None])["peak_torque"][0])

    pieces = measure_pieces(work, measure, here, [along(work, series, here) for series in work.series])
    slope = pieces.slopes[np.argmax(pieces.values), 1]
    step = 1e-6 * np.eye(6)[1]
    assert slope == pytest.approx((peak(here + step) - peak(here)) / 1e-6, rel=1e-4)


def test_a_gripper_that_follows_the_plate() -> None:
    robot = study_of(GRIPPED).space.robot
    following = replace(robot, gripper=replace(robot.gripper, mass=Follow("plate.mass", (0.1, 2.0))))
    names = [path for path, _ in leaves(following)]
    slopes = gripper_slopes(following)
    assert slopes[0, names.index("plate.mass")] == 2.0
    assert slopes[0, names.index("gripper.mass.coefficients.1")] == 1.0
    assert slopes[3, names.index("gripper.offset.3")] == 1.0


TURNING = """
format = 1
name = "turning"
robot = "par4"
tasks = ["tray", "pick-and-place"]
rate = 400
objectives = ["peak_torque"]
also = ["energy"]
parameters = { "limb.rod_length" = [0.82, 0.86], "gripper.mass" = [0.0, 0.3] }
methods = [{ kind = "grid" }]
requirements = { leave_out = ["workspace slack"] }
"""


def test_a_tray_and_a_turning_tool_are_tasks_like_others() -> None:
    study = study_of(TURNING)
    design = np.array([0.86, 0.3])
    row = evaluated(study.work, design[None])
    model = Model(study.space.robot_of(design))
    rides = [
        Ride(model.with_sharing("least-peak"), task.motion(model).sample(400, corners=True))
        for task in study.file.tasks
    ]
    assert row["peak_torque"][0] == pytest.approx(max(np.abs(ride.loads.torque).max() for ride in rides), rel=1e-9)
    turned = study.work.series[1].x[:, 3]
    assert np.ptp(turned) == pytest.approx(np.pi / 2 / model.numbers.plate.yaw_ratio)


def test_a_turning_tool_where_its_gear_is_free() -> None:
    text = TURNING.replace('"gripper.mass" = [0.0, 0.3]', '"plate.yaw_ratio" = [2.0, 4.0]')
    assert "plate.yaw_ratio is free" in problems_of(text)["tasks.2"]


def test_losses_of_gearboxes_take_from_accelerations() -> None:
    text = GRIPPED.split("[[tasks]]")[0].replace('["peak_torque"]\nalso = ["acceleration"]', '["acceleration"]')
    study = study_of(text.replace("gravity = 9.81", 'gravity = 9.81\n"drive.efficiency" = 0.8'))
    row = evaluated(study.work, DESIGN[None])
    model = Model(study.space.robot_of(DESIGN)).with_payload(0.25).with_sharing("least-norm")
    assert model.motors.lossy
    poses = poses_at(model, study.work.points)
    assert row["acceleration"][0] == pytest.approx(acceleration_any(model, poses).min(), rel=1e-9)
