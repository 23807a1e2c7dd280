"""Motions from files of numbers: those of poses and of joint angles, against the motion they were written from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MotionError
from parapick.evaluation import Evaluation
from parapick.motion.route import Route, by_law
from parapick.tasks import SampledTask, TaskFileError

CYCLE = {"cycles_per_minute": 60.0, "law": "3-4-5"}


def samples(model: pp.Model) -> tuple[np.ndarray, np.ndarray]:
    motion = pp.adept_cycle(model, **CYCLE)
    t = np.linspace(0.0, motion.duration, 401)
    return t, motion.at(t).x


def write(path: Path, names: str, *columns: np.ndarray) -> Path:
    rows = "\n".join(",".join(repr(float(value)) for value in row) for row in np.column_stack(columns))
    path.write_text(f"{names}\n{rows}\n", encoding="utf-8")
    return path


def peak(made: Evaluation) -> np.ndarray:
    return np.array(made["torque"].table("motors").column("peak"))


@pytest.mark.parametrize("robot", ["par4", "delta-nr"])
def test_poses_give_the_torques_of_the_same_motion_in_python(robot: str, tmp_path: Path) -> None:
    model = pp.load(robot)
    t, x = samples(model)
    names = ",".join(["t [ms]", *("x [mm]", "y [mm]", "z [mm]", "yaw [deg]")[: x.shape[1]]])
    scale = np.array([1e3, 1e3, 1e3, 180 / np.pi])[: x.shape[1]]
    path = write(tmp_path / "log.csv", names, 1e3 * t, x * scale)
    own = pp.evaluate(model, path, sections=("torque",))
    other = pp.evaluate(model, by_law(Route.through(t, x)), sections=("torque",))
    assert np.abs(peak(own) - peak(other)).max() <= 1e-9 * peak(other).max()


def test_joint_angles_give_the_motion_they_belong_to(tmp_path: Path) -> None:
    model = pp.load("par4")
    t, x = samples(model)
    path = write(tmp_path / "drives.csv", "t,q1,q2,q3,q4", t, model.inverse_kinematics(x))
    task = pp.load_task(path)
    assert isinstance(task, SampledTask)
    assert task.file.poses(model) == pytest.approx(x, abs=1e-9)
    with pytest.raises(MotionError, match="joint angles"):
        task.motion()
    with pytest.raises(MotionError, match="4 joints; delta-nr has 3"):
        task.motion(pp.load("delta-nr"))


def test_a_task_file_carries_a_load(tmp_path: Path) -> None:
    model = pp.load("par4")
    t, x = samples(model)
    write(tmp_path / "log.csv", "t,x,y,z,yaw", t, x)
    text = 'format = 1\nname = "logged"\nkind = "samples"\nfile = "log.csv"\npayload = "500 g"\n'
    (tmp_path / "logged.toml").write_text(text, encoding="utf-8")
    motion = pp.load_task(tmp_path / "logged.toml").motion(model)
    assert motion.load_at(0.5 * motion.duration)[0] == 0.5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x,y,z\n0,0,0\n", "no column t"),
        ("t,x,y,z\n0,0,0,0\n2,0,0,0\n1,0,0,0\n", "times must rise"),
        ("t,x,y\n0,0,0\n1,0,0\n", "no column z"),
        ("t,q1,q3\n0,0,0\n1,0,0\n", "no column q2"),
        ("t,x,y,z,q1\n0,0,0,0,0\n", "both"),
        ("t,x,y,z\n0,0,0,NaN\n", "line 2: z"),
        ("t,x,y,z,w\n0,0,0,0,0\n", "column 'w'"),
    ],
)
def test_wrong_files_say_why(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TaskFileError, match=words):
        pp.load_task(path)


def test_two_samples_are_no_motion(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("t,x,y,z\n0,0,0,-0.7\n1,0.1,0,-0.7\n", encoding="utf-8")
    with pytest.raises(MotionError, match="2 rows; a motion needs at least 3"):
        pp.load_task(path).motion()


def test_a_recording_that_does_not_rest_is_refused(tmp_path: Path) -> None:
    model = pp.load("par4")
    t, x = samples(model)
    path = write(tmp_path / "log.csv", "t,x,y,z,yaw", t[20:], x[20:])
    with pytest.raises(MotionError, match="does not begin at rest"):
        pp.load_task(path).motion(model)
