"""Loops of robots against python-control: what is made linear from simulated stages equals what is written by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import control
import parapick as pp
from analysis.linear_plants import delayed, elastic_plant, lagged, pd, rigid_plant
from parapick.analysis import SampledLoop, encoder_noise, sampled_loop, sampling_limit
from parapick.control import PD, Controller, Differenced, DriveTrain, PlantChanges, SensedRates
from parapick.model import Model
from parapick.motion import hold
from parapick.simulation import Disturbance, simulate
from simulation.cases import cycle, delta

KP, KD = 4000.0, 50.0
TRAIN = DriveTrain(stiffness=20_000.0, damping=5.0, rotor=0.02)
RATE = 4000.0


@dataclass(frozen=True)
class Case:
    """A loop that both libraries can make."""

    robot: str = "delta-nr"
    delay: int = 0
    lag: float | None = None
    train: DriveTrain | None = None
    differenced: bool = False

    @property
    def model(self) -> Model:
        return delta() if self.robot == "delta-nr" else pp.load(self.robot)

    @property
    def pose(self) -> np.ndarray:
        return cycle().start if self.robot == "delta-nr" else np.array(self.model.robot.home)

    @property
    def controller(self) -> Controller:
        sensing = Differenced(cutoff=None) if self.differenced else SensedRates()
        plant = PlantChanges(drive_train=self.train)
        return Controller(PD(KP, KD, velocity=sensing), rate=RATE, delay=self.delay, lag=self.lag, plant=plant)

    def plant(self, period: float) -> control.StateSpace:
        """Torques that the drives give to angles, rates and pose, held over a period (s)."""
        rigid = self.train is None
        plant = rigid_plant(self.model, self.pose) if rigid else elastic_plant(self.model, self.pose, self.train)  # pyright: ignore[reportArgumentType]
        return control.sample_system(plant if self.lag is None else lagged(plant, self.lag), period)

    def law(self, period: float) -> control.StateSpace:
        robot = self.model.robot
        return pd(robot.motors, KP, KD, robot.dof, period, differenced=self.differenced)

    def loop_gain(self, period: float = 1.0 / RATE) -> control.StateSpace:
        late = delayed(self.model.robot.motors, self.delay, period)
        return self.law(period) * self.plant(period) * late


CASES = {
    "rigid": Case(),
    "redundant": Case("delta-r4"),
    "delayed": Case(delay=2),
    "lagging": Case(lag=5e-4),
    "differenced": Case(differenced=True),
    "elastic": Case(train=TRAIN),
    "redundant, elastic, delayed": Case("delta-r4", delay=1, train=TRAIN),
}


@cache
def loop_of(case: Case) -> SampledLoop:
    return sampled_loop(case.model, case.pose, case.controller)


@pytest.mark.parametrize("name", CASES)
def test_poles_and_loop_gain(name: str) -> None:
    case = CASES[name]
    loop, gain = loop_of(case), case.loop_gain()
    motors = case.model.robot.motors
    slow = 2 * case.model.robot.dof
    closed = control.feedback(gain, np.eye(motors)).poles()
    assert np.abs(loop.poles)[:slow] == pytest.approx(np.sort(np.abs(closed))[::-1][:slow], abs=1e-5)
    # Below, the plate gains a little speed within the sample before, which the other library does not know.
    for frequency in (50.0, 500.0, 1000.0):
        theirs = gain(np.exp(2j * np.pi * frequency / RATE))
        ours = loop.loop_gain([frequency])[0]
        assert ours == pytest.approx(theirs, abs=2e-4 * np.abs(theirs).max())


@pytest.mark.parametrize("name", ["delayed", "redundant, elastic, delayed"])
def test_margins_are_where_their_loop_goes_unstable(name: str) -> None:
    case = CASES[name]
    gain, motors = case.loop_gain(), case.model.robot.motors
    common = loop_of(case).margins().common

    def stable(factor: float) -> bool:
        return bool(np.abs(control.feedback(factor * gain, np.eye(motors)).poles()).max() < 1.0)

    assert stable(0.99 * common.gain)
    assert not stable(1.01 * common.gain)
    samples = int(common.delay * RATE)
    for more, expected in ((samples, True), (samples + 1, False)):
        later = gain * delayed(motors, more, 1.0 / RATE)
        assert (np.abs(control.feedback(later, np.eye(motors)).poles()).max() < 1.0) is np.bool_(expected)


def test_frequency_response_of_a_disturbance() -> None:
    case = CASES["rigid"]
    period, dof = 1.0 / RATE, case.model.robot.dof
    answer = control.feedback(case.plant(period), case.law(period))
    frequencies = [20.0, 60.0, 300.0]
    ours = loop_of(case).response(frequencies, "torque", "x")
    for frequency, values in zip(frequencies, ours, strict=True):
        theirs = answer(np.exp(2j * np.pi * frequency * period))[-dof:]
        assert values == pytest.approx(theirs, abs=2e-4 * np.abs(theirs).max())
    assert loop_of(case).response(frequencies) == pytest.approx(-ours)


def test_step_response_of_the_simulated_loop() -> None:
    """A torque that comes and stays moves the simulated plate as their closed loop moves."""
    case, samples = CASES["delayed"], 60
    period, dof, motors = 1.0 / RATE, case.model.robot.dof, case.model.robot.motors
    torque = np.zeros((samples + 1, motors))
    torque[:, 1] = 1e-3
    motion = hold(case.pose, samples * period)
    quiet, pushed = (
        simulate(case.model, motion, case.controller, disturbance=Disturbance(torque=acting)).x
        for acting in (0.0 * torque, torque)
    )
    law = delayed(motors, case.delay, period) * case.law(period)
    closed = control.feedback(case.plant(period), law)
    theirs = np.asarray(control.forced_response(closed, inputs=torque.T).outputs)[-dof:].T
    moved = pushed - quiet
    assert moved == pytest.approx(theirs[: len(moved)], abs=2e-3 * np.abs(theirs).max())


def test_encoder_steps_as_white_noise() -> None:
    """RMS of error and command from the norm of their closed loop, which solves a Lyapunov equation."""
    case = CASES["differenced"]
    period, dof, motors = 1.0 / RATE, case.model.robot.dof, case.model.robot.motors
    steps = np.array([1e-5, 3e-5, 2e-5])
    law, plant = case.law(period), case.plant(period)
    # Angles are read too large by n: torques are -K (y + n), so that y moves by -G (I + K G)^-1 K n.
    noise = control.ss([], [], [], np.vstack([np.diag(steps), np.zeros((motors + dof, motors))]), period)
    moved = -control.feedback(plant, law) * law * noise
    commands = -law * (noise + moved)
    moved = control.ss([], [], [], np.hstack([np.zeros((dof, 2 * motors)), np.eye(dof)]), period) * moved
    error, command = encoder_noise(loop_of(case), steps)
    assert error == pytest.approx(np.linalg.norm(white_rms(moved)) / np.sqrt(12.0), rel=5e-3)
    assert command == pytest.approx(white_rms(commands) / np.sqrt(12.0), rel=5e-3)


def white_rms(system: control.StateSpace) -> np.ndarray:
    """RMS of every output under white noise of variance 1 in every input, by a Lyapunov equation."""
    spread = control.dlyap(system.A, system.B @ system.B.T)
    return np.sqrt(np.diag(system.C @ spread @ system.C.T + system.D @ system.D.T))


def test_longest_control_period() -> None:
    case = CASES["rigid"]

    def stable(period: float) -> bool:
        closed = control.feedback(case.loop_gain(period), np.eye(case.model.robot.motors))
        return bool(np.abs(closed.poles()).max() < 1.0)

    limit = sampling_limit(case.model, hold(case.pose, 0.1), case.controller, [0.0])
    assert stable(0.995 * limit)
    assert not stable(1.005 * limit)
