"""The sampled loop made linear: against the simulated loop, against the poles a law was given, and its margins."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from parapick.analysis import POINTS, SampledLoop, ideal, sampled_loop, sampled_loops
from parapick.analysis.linear_loop import transfer
from parapick.control import PD, PID, Controller, JointFriction, PlantChanges, TaskSpaceID, TaskSpaceIID
from parapick.errors import ParameterError, ShapeError, UnreachableError
from parapick.motion import hold
from parapick.simulation import Disturbance, simulate
from simulation.cases import cycle, delta

MACHINE = Controller(
    TaskSpaceIID.from_poles(20.0, 0.7, 0.2),
    delay=1,
    lag=3e-4,
    plant=PlantChanges(friction=JointFriction(viscous=0.4), payload=0.3),
)
"""Every kind of state: filter, estimate, integral, delay, lag; and a plant that is not what the law believes."""


def _propagated(loop: SampledLoop, torque: np.ndarray) -> np.ndarray:
    """Errors at the samples by the linear loop, from rest, under torques (T, n)."""
    entry = loop.opened.inputs["torque"] + loop.opened.command @ loop.opened.applied_by["torque"]
    state, errors = np.zeros(len(loop.transition)), []
    for row in torque:
        errors.append(-loop.opened.outputs["x"] @ state)
        state = loop.transition @ state + entry @ row
    return np.array(errors)


def test_equals_the_simulated_loop_under_a_small_disturbance() -> None:
    place, count = cycle().start, 200
    torque = 1e-4 * np.sin(np.arange(count + 1) / 7.0)[:, None] * np.array([1.0, -0.4, 0.2])
    motion = hold(place, count / MACHINE.rate)
    quiet = simulate(delta(), motion, MACHINE, disturbance=Disturbance(torque=np.zeros(3)))
    stirred = simulate(delta(), motion, MACHINE, disturbance=Disturbance(torque=torque))
    expected = (stirred.x_ref - stirred.x) - (quiet.x_ref - quiet.x)
    found = _propagated(sampled_loop(delta(), place, MACHINE), torque)
    # The loop sags by its unknown payload meanwhile: the operating point of the run is not that of the pose.
    np.testing.assert_allclose(found, expected, atol=2e-3 * np.abs(expected).max())


def test_equals_the_simulated_loop_along_a_motion() -> None:
    rate, first, count = MACHINE.rate, 400, 6
    torque = np.zeros((round(cycle().duration * rate) + 1, 3))
    torque[first] = (1e-3, -4e-4, 2e-4)
    quiet, stirred = (
        simulate(delta(), cycle(), MACHINE, disturbance=Disturbance(torque=acting)) for acting in (0 * torque, torque)
    )
    expected = (quiet.x - stirred.x)[first + 1 : first + count]
    state, errors = None, []
    for k in range(first, first + count):
        loop = sampled_loop(delta(), cycle(), MACHINE, time=k / rate)
        if state is None:
            state = loop.opened.inputs["torque"] @ torque[first]
            continue
        errors.append(-loop.opened.outputs["x"] @ state)
        state = loop.transition @ state
    np.testing.assert_allclose(errors, expected, atol=5e-3 * np.abs(expected).max())


def test_ideal_poles_are_those_the_law_was_given() -> None:
    law = TaskSpaceID.from_poles(20.0, 0.7)
    loop = sampled_loop(delta(), cycle().start, ideal(law))
    rates = np.log(loop.poles[:6]) * loop.rate
    expected = 2 * math.pi * 20.0 * complex(-0.7, math.sqrt(1 - 0.49))
    np.testing.assert_allclose(np.sort(rates.imag), np.sort([expected.imag] * 3 + [-expected.imag] * 3), rtol=1e-3)
    np.testing.assert_allclose(rates.real, expected.real, rtol=1e-3)


def test_static_error_is_that_of_the_stiffness() -> None:
    loop = sampled_loop(delta(), cycle().start, PD(4000.0, 50.0))
    jacobian = delta().inverse_jacobian(cycle().start)
    # A torque d turns the joints by d / kp while gravity changes little: x = J^-1 d / kp.
    expected = -np.linalg.inv(jacobian) / 4000.0
    np.testing.assert_allclose(loop.response([0.01])[0].real, expected, rtol=0.02, atol=1e-9)


@pytest.mark.parametrize("law", [TaskSpaceIID.from_poles(40.0, 0.7, 0.2), PID(8000.0, 100.0, 40000.0)])
def test_delay_margin_is_that_of_loops_with_more_delay(law: TaskSpaceIID | PID) -> None:
    controller = Controller(law, delay=1)
    loop = sampled_loop(delta(), cycle().start, controller)
    more = math.floor(loop.margins().common.delay * loop.rate)
    assert more > 0
    stable = [
        sampled_loop(delta(), cycle().start, replace(controller, delay=1 + extra)).stable for extra in (more, more + 1)
    ]
    assert stable == [True, False]


def test_gain_margins_are_those_of_loops_with_other_gains() -> None:
    def loop(factor: float) -> SampledLoop:
        return sampled_loop(delta(), cycle().start, PID(factor * 4000.0, factor * 50.0, factor * 400_000.0))

    common = loop(1.0).margins().common
    assert 0.0 < common.gain_loss < 1.0 < common.gain < math.inf
    for factor, stable in ((0.99, True), (1.01, False)):
        assert loop(factor * common.gain).stable is stable
        assert loop(common.gain_loss / factor).stable is stable


def test_one_joint_opened_has_the_margin_of_its_own_loop() -> None:
    loop = sampled_loop(delta(), cycle().start, PD((4000.0, 4000.0, 4000.0), 50.0))
    for joint, margin in enumerate(loop.margins().joints):
        for factor, stable in ((0.99, True), (1.01, False)):
            closing = np.eye(3)
            closing[joint, joint] = factor * margin.gain
            changed = loop.opened.transition + loop.opened.command @ closing @ loop.opened.applied
            assert bool(np.abs(np.linalg.eigvals(changed)).max() < 1.0) is stable


def test_unstable_loop_has_no_margin() -> None:
    loop = sampled_loop(delta(), cycle().start, Controller(PD(4000.0, 5000.0), delay=2))
    assert not loop.stable
    assert loop.radius > 1.0
    assert loop.margins().worst.delay == 0.0
    assert loop.margins().common.gain == 1.0


@pytest.mark.parametrize("points", [POINTS, 40])
@pytest.mark.parametrize("law", [PD(4000.0, 50.0), TaskSpaceIID.from_poles(20.0, 0.7, 0.2), PID(4000.0, 50.0, 1000.0)])
def test_margins_that_are_one_number_are_those_of_all_margins(law: PD | TaskSpaceIID | PID, points: int) -> None:
    loops = sampled_loops(delta(), cycle(), Controller(law, delay=1), [0.02, 0.05], resting=True)
    for loop in loops:
        whole = loop.margins(points)
        assert loop.stable
        assert [*loop.least_margins(("delay", "singular"), points)] == [whole.worst.delay, whole.singular]
        assert [*loop.least_margins(["singular"], points)] == [whole.singular]
    assert [*loops[0].least_margins([])] == []


def test_a_transfer_function_is_that_of_the_matrices() -> None:
    generator = np.random.default_rng(3)
    transition, entry, out = (generator.normal(size=shape) for shape in ((5, 5), (5, 2), (3, 5)))
    z = np.exp(1j * np.array([0.1, 1.0, 3.0]))
    for point, response in zip(z, transfer(transition, entry, out, z), strict=True):
        assert response == pytest.approx(out @ np.linalg.inv(point * np.eye(5) - transition) @ entry, rel=1e-12)


def test_along_a_motion_it_is_that_of_the_poses() -> None:
    law = PD(4000.0, 50.0)
    loops = sampled_loops(delta(), cycle(), law, [0.0, 0.3 * cycle().duration])
    resting = [sampled_loop(delta(), loop.x, law).transition for loop in loops]
    # At its start the motion rests; on its way it has a speed, which changes the forces on the plate.
    np.testing.assert_allclose(loops[0].transition, resting[0], atol=1e-4 * np.abs(resting[0]).max())
    assert np.abs(loops[1].transition - resting[1]).max() > 1e-3
    assert np.abs(loops[1].transition - loops[0].transition).max() > 1e-3


def test_refusals() -> None:
    law, place = PD(4000.0, 50.0), cycle().start
    with pytest.raises(ParameterError, match="time: is 9 s; the motion lasts"):
        sampled_loop(delta(), cycle(), law, time=9.0)
    with pytest.raises(ShapeError, match="one pose"):
        sampled_loop(delta(), [place, place], law)
    with pytest.raises(UnreachableError):
        sampled_loop(delta(), place + 5.0, law)
    with pytest.raises(ParameterError, match="callable"):
        sampled_loop(delta(), place, lambda t, measured, reference: np.zeros(3))
    loop = sampled_loop(delta(), place, law)
    with pytest.raises(ParameterError, match="half the control rate"):
        loop.response([3000.0])
    with pytest.raises(ParameterError, match="source: is 'wind'"):
        loop.response([1.0], "wind")  # pyright: ignore[reportArgumentType]
