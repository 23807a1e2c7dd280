"""Tasks phase by phase: the motion is that of its pieces, and what does not go together is refused."""

from __future__ import annotations

import math
from pathlib import Path
from typing import cast

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MotionError
from parapick.motion import change_speed, intercept, modified_trapezoid, track
from parapick.ride.poses import UnreachableCornerError
from parapick.tasks import TASKS, PhasesTask, load_task

PHASES = """
format = 1
name = "beside"
kind = "phases"
frame = "workspace"
start = [0, 0, 0]
payload = "200 g"

[[phases]]
name = "over"
duration = "300 ms"
to = ["100 mm", "50 mm", 0]
velocity = ["0.2 m/s", 0, 0]
ramp_time = "100 ms"
carries = false

[[phases]]
name = "down"
duration = "100 ms"
stroke = [0, 0, "-20 mm"]

[[phases]]
name = "stop"
duration = "100 ms"
velocity = [0, 0, 0]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "beside.toml"


def problems(file: Path, text: str) -> dict[str, str]:
    file.write_text(text)
    return {problem.path: problem.message for problem in TASKS.check(file)}


def test_the_motion_is_that_of_its_pieces(file: Path) -> None:
    par4 = pp.load("par4")
    file.write_text(PHASES)
    motion = load_task(file).motion(par4)
    middle = np.array(motion.start)
    belt = (0.2, 0.0, 0.0, 0.0)
    over = intercept(
        middle, middle + np.array([0.1, 0.05, 0.0, 0.0]), duration=0.3, ramp_time=0.1, velocities=((0.0,) * 4, belt)
    )
    down = track(over.end.tolist(), belt, 0.1, stroke=(0.0, 0.0, -0.02, 0.0))
    own = over.then(down).then(change_speed(down.end.tolist(), belt, (0.0,) * 4, 0.1))
    for name in ("x", "xd", "xdd"):
        np.testing.assert_allclose(
            getattr(motion.sample(1000.0), name), getattr(own.sample(1000.0), name), rtol=0.0, atol=1e-12
        )
    assert [phase.name for phase in motion.phases] == ["over", "down", "stop"]
    assert [(step.time, step.load.mass) for step in motion.payload] == [(0.3, 0.2), (motion.duration, 0.0)]


def test_righettini2024_by_its_file() -> None:
    """The first intercept, by the function that makes such moves, from the numbers that the program has always had."""
    task = cast("PhasesTask", load_task("righettini2024"))
    first = intercept(
        (0.2029602652, 0.255, 0.0, 0.0),
        (-0.2, 0.26, 0.0, math.pi),
        duration=0.56,
        ramp_time=0.17,
        velocities=((), (0.0, 0.2, 0.0, 0.0)),
        bend=(0.0, 0.15, 0.0, 0.0),
        yaw_law=modified_trapezoid(ramp=1 / 3),
    )
    t = np.linspace(0.0, 0.56, 300)
    np.testing.assert_allclose(task.motion().state(t).x, first.state(t).x, rtol=0.0, atol=1e-12)
    assert task.motion().is_synchronized


@pytest.mark.parametrize(
    ("old", "new", "path", "message"),
    [
        ('ramp_time = "100 ms"\n', "", "phases.1.ramp_time", "is missing"),
        ('ramp_time = "100 ms"', 'ramp_time = "200 ms"', "phases.1.ramp_time", "at most half of the duration"),
        ("stroke = [0, 0", 'ramp_time = "10 ms"\nstroke = [0, 0', "phases.2.ramp_time", "is for a move to a pose"),
        ("stroke = [0, 0", "velocity = [0, 0, 0]\nstroke = [0, 0", "phases.2.stroke", "leave out `to` and `velocity`"),
        ('name = "down"', 'name = "over"', "phases.2.name", "as that of another phase"),
        ("velocity = [0, 0, 0]", "velocity = [0.1, 0, 0]", "phases", "do not end at rest"),
        ('duration = "300 ms"', 'duration = "-1 s"', "phases.1.duration", "greater than 0"),
        ("carries = false", "carried = false", "phases.1.carried", "did you mean carries"),
    ],
)
def test_what_does_not_go_together_is_refused(file: Path, old: str, new: str, path: str, message: str) -> None:
    found = problems(file, PHASES.replace(old, new, 1))
    assert message in found[path]


def test_a_turn_on_a_robot_without_yaw_is_refused(file: Path) -> None:
    file.write_text(PHASES.replace('stroke = [0, 0, "-20 mm"]', 'stroke = [0, 0, "-20 mm", 1]'))
    with pytest.raises(MotionError, match="a phase turns by 1"):
        load_task(file).motion(pp.load("delta-nr"))


def test_a_pose_out_of_reach_is_named(file: Path) -> None:
    file.write_text(PHASES.replace('to = ["100 mm"', 'to = ["2 m"'))
    with pytest.raises(UnreachableCornerError, match="over"):
        load_task(file).motion(pp.load("par4"))
