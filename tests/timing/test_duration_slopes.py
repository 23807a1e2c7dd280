"""Slopes of the fastest time against timing again, and many timings at once against one after the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MotionError, ParameterError
from parapick.mechanism.drive import Friction
from parapick.motion import Motion, Path, line_path
from parapick.tasks import load_task
from parapick.timing import TimingLimits, UnreachablePathError, duration_slopes, fastest_along, fastest_each
from timing.test_timing import curved, rounded, with_drive

STEP, CLOSE = 1e-3, 0.01
"""Share by which a number is changed, and to which share its slope must be that of timing again."""

FRICTIONS = [(Friction(), STEP), (Friction(coulomb=1.0, viscous=1.0), 30.0 * STEP)]
"""With friction a grid is cut elsewhere for almost the same robot, and times scatter by 2e-5 of themselves."""


def again(duration: Callable[[float], float], value: float, step: float = STEP) -> float:
    """The slope at a value by timing again, a little above and a little below."""
    return (duration(value * (1.0 + step)) - duration(value * (1.0 - step))) / (2.0 * step * value)


@pytest.mark.parametrize(("friction", "step"), FRICTIONS)
@pytest.mark.parametrize("path_of", [rounded, curved])
@pytest.mark.parametrize("name", ["par4", "delta-4"])
def test_slopes_by_torque_payload_and_arm(
    name: str, path_of: Callable[[pp.Model], Path], friction: Friction, step: float
) -> None:
    model = with_drive(pp.load(name), friction=friction).with_payload(0.5)
    path, arm = path_of(model), model.robot.limb.arm
    slopes = duration_slopes(model, path, TimingLimits(torque=80.0))
    assert slopes.duration == pytest.approx(fastest_along(model, path, torque=80.0).duration, rel=1e-12)
    wanted = {
        "torque": again(lambda torque: fastest_along(model, path, torque=torque).duration, 80.0, step),
        "payload": again(lambda mass: fastest_along(model.with_payload(mass), path, torque=80.0).duration, 0.5, step),
        "arm": again(
            lambda a: fastest_along(model.with_parameters({"limb.arm": a}), path, torque=80.0).duration, arm, step
        ),
    }
    assert wanted["torque"] < 0.0 < wanted["payload"]
    assert slopes.torque.sum() == pytest.approx(wanted["torque"], rel=CLOSE)
    assert slopes.payload[0] == pytest.approx(wanted["payload"], rel=CLOSE)
    assert slopes.parameters["gripper.mass"] == slopes.payload[0]
    assert slopes.parameters["limb.arm"] == pytest.approx(wanted["arm"], rel=CLOSE)


@pytest.mark.parametrize(("name", "a_max"), [("par4", 120.0), ("delta-4", 60.0)])
def test_slopes_by_limits_of_the_plate(name: str, a_max: float) -> None:
    model = pp.load(name)
    path = rounded(model)
    slopes = duration_slopes(model, path, TimingLimits(v_max=2.5, a_max=a_max))
    by_a = again(lambda a: fastest_along(model, path, v_max=2.5, a_max=a).duration, a_max)
    by_v = again(lambda v: fastest_along(model, path, v_max=v, a_max=a_max).duration, 2.5)
    assert by_a < 0.0
    assert by_v < 0.0
    assert slopes.a_max == pytest.approx(by_a, rel=CLOSE)
    assert slopes.v_max == pytest.approx(by_v, rel=CLOSE)


def test_slopes_by_the_speed_of_a_motor() -> None:
    model = with_drive(pp.load("par4"), peak_speed=7.0, ratio=1.0)
    path = curved(model)
    faster = again(lambda speed: fastest_along(with_drive(model, peak_speed=speed), path).duration, 7.0)
    assert faster < 0.0
    assert duration_slopes(model, path).speed.sum() == pytest.approx(faster, rel=CLOSE)


def test_slopes_have_no_bound_on_jerk() -> None:
    model = pp.load("par4")
    with pytest.raises(MotionError, match="leave j_max out"):
        duration_slopes(model, curved(model), TimingLimits(j_max=1e5))


def test_many_timings_are_those_of_one_after_the_other() -> None:
    par4 = pp.load("par4")
    rubbing = with_drive(par4, friction=Friction(coulomb=2.0, viscous=1.0))
    heavy, route = par4.with_payload(1.0), load_task("box").route(par4)
    models = [par4, heavy, rubbing, par4, pp.load("delta-nr"), pp.load("delta-r6"), par4]
    paths = [rounded(par4), rounded(par4), curved(par4), route, rounded(models[4]), curved(models[5]), curved(par4)]
    limits = [TimingLimits()] * 6 + [TimingLimits(a_max=100.0)]
    for motion, model, path, held in zip(fastest_each(models, paths, limits), models, paths, limits, strict=True):
        assert isinstance(motion, Motion)
        alone = fastest_along(model, path, a_max=held.a_max)
        assert motion.duration == alone.duration
        t = np.linspace(0.0, alone.duration, 50)
        assert motion.at(t).xdd == pytest.approx(alone.at(t).xdd, rel=1e-9, abs=1e-9)


def test_what_fails_among_many_is_a_value() -> None:
    par4 = pp.load("par4")
    far = line_path((0.0, 0.0, -0.7, 0.0), (0.9, 0.0, -0.7, 0.0))
    good, bad, slow = fastest_each(par4, [rounded(par4), far, rounded(par4)], payloads=[None, None, 1.0])
    assert isinstance(good, Motion)
    assert isinstance(slow, Motion)
    assert good.duration < slow.duration
    assert isinstance(bad, UnreachablePathError)
    with pytest.raises(ParameterError, match="one for each timing"):
        fastest_each([par4, par4], [far, far, far])
