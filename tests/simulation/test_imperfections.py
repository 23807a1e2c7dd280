"""Imperfect plants: each block against SciPy, its formula or another engine, and what it refuses."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from loops import looped
from parapick.control import (
    PD,
    Controller,
    ControllerFileError,
    DriveTrain,
    Eccentricity,
    FrictionRipple,
    JointFriction,
    LoosePayload,
    Measured,
    NoiseTorque,
    PlantChanges,
    Reference,
    load_controller,
)
from parapick.errors import ParameterError
from parapick.export import read_record, write_csv
from parapick.mechanism import Payload
from parapick.motion import hold
from parapick.simulation import Loop
from parapick.simulation.assembled import assembled, wound_up
from parapick.simulation.loop import Drives
from parapick.simulation.native_loop import scan_of
from parapick.simulation.plant_state import state_sizes
from simulation.cases import SERVO, cycle, delta

PLACE = np.array([0.05, 0.02, -0.7])
DURATION = 0.06
TRAIN = DriveTrain(stiffness=3000.0, damping=2.0, rotor=0.02)
GAP = dataclasses.replace(TRAIN, backlash=2e-3)
PLAY = 2e-3
SOFT = PD(300.0, 8.0)


def pushed(t: float, measured: Measured, reference: Reference) -> np.ndarray:
    """Gravity, and a push that changes its sign halfway."""
    gravity = delta().inverse_dynamics(PLACE, np.zeros(3), np.zeros(3))
    return gravity + (np.array([3.0, -4.0, 2.0]) if t < DURATION / 2 else -np.array([3.0, -4.0, 2.0]))


def twist_torque(twist: np.ndarray, rate: np.ndarray, play: float) -> np.ndarray:
    """The torque of the drive train, written down again."""
    beyond = np.where(np.abs(twist) > play / 2, twist - np.sign(twist) * play / 2, 0.0)
    torque = 3000.0 * beyond + 2.0 * rate
    return torque if play == 0.0 else np.where(torque * beyond > 0.0, torque, 0.0)


def by_scipy(first: np.ndarray, play: float) -> np.ndarray:
    """State (x, rotors) at the end, from the robot without its motors' inertia and rotors of their own."""
    bare = delta().with_parameters({"drive.inertia": 0.0})

    def slope(t: float, y: np.ndarray, command: np.ndarray) -> np.ndarray:
        x, angle, xd, rate = y[:3], y[3:6], y[6:9], y[9:]
        torque = twist_torque(angle - bare.inverse_kinematics(x), rate - bare.inverse_jacobian(x) @ xd, play)
        return np.concatenate([xd, rate, bare.forward_dynamics(x, xd, torque), (command - torque) / 0.02])

    y = np.concatenate([PLACE, first, np.zeros(6)])
    for start in (0.0, DURATION / 2):
        command = pushed(start, None, None)
        span = (start, start + DURATION / 2)
        step = 2e-5 if play else np.inf
        y = solve_ivp(slope, span, y, args=(command,), method="DOP853", rtol=1e-11, atol=1e-13, max_step=step).y[:, -1]
    return y[:6]


@pytest.mark.parametrize(("train", "play", "close"), [(TRAIN, 0.0, 1e-9), (GAP, PLAY, 1e-7)], ids=["spring", "play"])
def test_an_elastic_drive_train_agrees_with_scipy(train: DriveTrain, play: float, close: float) -> None:
    record = looped(
        delta(), hold(PLACE, DURATION), pushed, drive_train=train, torque_max=None, rate=1000.0, substeps=100
    )
    angles = record.motor["q_motor"]
    np.testing.assert_allclose(
        np.concatenate([record.x[-1], angles[-1]]), by_scipy(angles[0], play), rtol=0, atol=close
    )
    twist = np.abs(angles - record.q)
    assert twist.max() > 1.5e-3
    # The loop starts at rest: springs carry what the joints need.
    np.testing.assert_allclose(record.x[1], PLACE, rtol=0, atol=5e-6)
    np.testing.assert_array_equal(record.q_meas, angles)


@pytest.mark.parametrize("train", [TRAIN, GAP], ids=["spring", "play"])
def test_springs_begin_wound_up_by_what_the_joints_need(train: DriveTrain) -> None:
    """The torque of springs at the first sample, without what accelerates the rotors themselves."""
    motion, rotors_on = cycle(), 0.013
    model = delta().with_parameters({"drive.inertia": rotors_on})
    made = assembled(model, motion, Controller(SOFT, plant=PlantChanges(drive_train=train)))
    for sample in (0, 200):
        x, xd, xdd = (getattr(made.series, name)[sample] for name in ("x", "xd", "xdd"))
        rotors = wound_up(made, x, sample)
        assert rotors is not None
        bare = model.with_parameters({"drive.inertia": 0.0})
        wanted = bare.inverse_dynamics(x, xd, xdd)
        gap = 0.0 if train.backlash is None else PLAY
        got = twist_torque(rotors[0] - model.inverse_kinematics(x), rotors[1] - model.joint_rates(x, xd), gap)
        np.testing.assert_allclose(got, wanted, atol=1e-9)
        assert np.abs(wanted).min() > 0.1


def test_a_stiff_drive_train_is_a_rigid_one() -> None:
    rigid = looped(delta(), cycle(), SOFT, friction=False, substeps=1)
    apart = []
    for stiffness in (1e5, 4e5):
        train = DriveTrain(stiffness, 1e-4 * stiffness, rotor=tuple(delta().motors.inertia.tolist()))
        record = looped(delta(), cycle(), SOFT, friction=False, drive_train=train, substeps=64)
        apart.append(np.abs(record.x - rigid.x).max())
    assert 3.0 < apart[0] / apart[1] < 5.0, "what is left is the compliance"


RATTLING: dict[str, Any] = {
    "drive_train": GAP,
    "friction": JointFriction(1.0, 0.2, presliding=3e-3),
    "ripple": FrictionRipple(0.6, 0.3, 0.4),
    "noise": NoiseTorque(0.3, 10.0, 200.0),
    "eccentricity": Eccentricity(1e-3, 0.2, 0.3),
    "encoder": 2**20,
}


def test_all_engines_move_an_imperfect_plant_alike(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    # Encoders decide differently at the rounding of an angle now and then, and so does a flank at its touch.
    settings = {**RATTLING, "encoder": None, "substeps": 4}
    native, python, mujoco = (
        looped(delta(), cycle(), SOFT, engine=engine, **settings) for engine in ("native", "python", "mujoco")
    )
    np.testing.assert_allclose(python.x, native.x, rtol=0, atol=1e-6)
    np.testing.assert_allclose(mujoco.x, native.x, rtol=0, atol=1e-6)
    again = read_record(write_csv(native, tmp_path / "run.csv"))
    assert (again.seed, again.cycle) == (native.seed, native.cycle) == (1, cycle().duration)
    np.testing.assert_array_equal(again.motor["q_motor"], native.motor["q_motor"])


def test_ripple_and_eccentricity_are_their_formulas() -> None:
    record = looped(delta(), cycle(), SOFT, **{**RATTLING, "drive_train": None, "encoder": None})
    factor = 1.0 + 0.6 * np.sin(2 * math.pi / 0.3 * record.q + 0.4)
    dry = record.friction - 0.2 * record.qd
    # For 60 samples: 7.5 mrad, beyond which bristles are bent whole.
    quick = np.abs(record.qd) > 0.5
    sliding = np.array([quick[max(k - 60, 0) : k + 1].all(axis=0) for k in range(len(quick))])
    sliding[:60] = False
    np.testing.assert_allclose(np.abs(dry[sliding]), factor[sliding], rtol=0, atol=1e-9)
    said = record.q + 1e-3 * np.sin(2 * math.pi / 0.2 * record.q + 0.3)
    np.testing.assert_allclose(record.q_meas, said, rtol=0, atol=1e-12)


def test_eccentric_encoders_repeat_with_the_motor() -> None:
    robot = delta().with_parameters({"drive.ratio": 4.0})
    record = looped(robot, cycle(), SOFT, eccentricity=Eccentricity(1e-3), friction=False)
    np.testing.assert_allclose(record.q_meas - record.q, 1e-3 * np.sin(4.0 * record.q), rtol=0, atol=1e-12)


def test_noise_has_its_size_its_band_and_its_seed() -> None:
    from parapick.simulation.imperfections import noise_series

    noise = NoiseTorque((0.5, 1.0, 2.0), 20.0, 150.0, seed=7)
    series = noise_series(noise, delta(), 40_000, 4000.0)
    np.testing.assert_allclose(np.sqrt(np.mean(series**2, axis=0)), (0.5, 1.0, 2.0), rtol=0.05)
    spectrum = np.abs(np.fft.rfft(series, axis=0))
    frequencies = np.fft.rfftfreq(40_000, 1 / 4000.0)
    outside = (frequencies < 20.0) | (frequencies > 150.0)
    assert spectrum[outside].max() < 1e-9 * spectrum.max()
    np.testing.assert_array_equal(series, noise_series(noise, delta(), 40_000, 4000.0))
    other = noise_series(dataclasses.replace(noise, seed=8), delta(), 40_000, 4000.0)
    assert abs(np.corrcoef(series[:, 0], other[:, 0])[0, 1]) < 0.05


def test_a_payload_swings_as_scipy_says() -> None:
    model, mass, w = delta(), 0.4, 2 * math.pi * 4.0
    motion = hold(PLACE, DURATION).carrying(mass, 0.0, DURATION)
    loose = LoosePayload(frequency=4.0, damping=0.1)
    record = looped(
        model, motion, pushed, loose_payload=loose, friction=False, torque_max=None, rate=1000.0, substeps=40
    )

    def slope(t: float, y: np.ndarray, command: np.ndarray) -> np.ndarray:
        x, u, xd, ud = y[:3], y[3:5], y[5:8], y[8:]
        drawn = w * w * u + 0.2 * w * ud
        inertia = model.mass_matrix(x) + np.diag([0.0, 0.0, mass])
        pull = model.inverse_jacobian(x).T @ command - model.bias(x, xd)
        pull += mass * np.array([*drawn, -model.robot.gravity])
        xdd = np.linalg.solve(inertia, pull)
        return np.concatenate([xd, ud, xdd, -drawn - xdd[:2]])

    y = np.concatenate([PLACE, np.zeros(7)])
    for start in (0.0, DURATION / 2):
        span = (start, start + DURATION / 2)
        command = pushed(start, None, None)
        y = solve_ivp(slope, span, y, args=(command,), method="DOP853", rtol=1e-11, atol=1e-13).y[:, -1]
    np.testing.assert_allclose(record.x[-1], y[:3], rtol=0, atol=2e-8)
    held = looped(model, motion, pushed, friction=False, torque_max=None, rate=1000.0, substeps=40)
    assert np.abs(held.x[-1] - record.x[-1]).max() > 1e-4


def test_a_payload_that_shifts_is_held_beside_its_place() -> None:
    motion = cycle().carrying(0.4, 0.0, cycle().duration)
    beside = cycle().carrying(Payload(0.4, (0.03, 0.0, -0.02)), 0.0, cycle().duration)
    settings: dict[str, Any] = {"friction": False, "payload_known": False}
    shifted = looped(delta(), motion, SOFT, loose_payload=LoosePayload(shift=(0.03, 0.0, -0.02)), **settings)
    np.testing.assert_allclose(shifted.x, looped(delta(), beside, SOFT, **settings).x, rtol=0, atol=1e-12)


def test_what_is_not_stated_is_not_there() -> None:
    robot = delta().robot
    ideal = Loop(robot, robot, SERVO, Drives((90.0,) * 3))
    assert state_sizes(ideal)["place"] == 3
    assert state_sizes(dataclasses.replace(ideal, drive_train=GAP))["place"] == 6
    law = PD((1.0,) * 3, (1.0,) * 3)
    names = [port.name for port in scan_of(dataclasses.replace(ideal, law=law)).ports.inputs]
    assert not {"swinging", "learned", "force", "torque"} & set(names)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "spring without rotor": (
        {"drive_train": DriveTrain(1e4), "plant": delta().with_parameters({"drive.inertia": 0.0})},
        r"is a spring without a rotor on motor 1, 2, 3: delta-nr states no inertia.*plant\.drive_train\.rotor",
    ),
    "negative play": ({"drive_train": DriveTrain(1e4, rotor=0.1, backlash=-1e-3)}, r"backlash: is -0\.001 rad"),
    "no stiffness": ({"drive_train": DriveTrain(0.0, rotor=0.1)}, r"stiffness: is 0 N m/rad.*greater than 0"),
    "ripple of nothing": ({"ripple": FrictionRipple(0.5, 0.1), "friction": False}, "the plant has none"),
    "ripple beyond friction": (
        {"ripple": FrictionRipple(1.5, 0.1), "friction": JointFriction(1.0)},
        r"plant\.ripple\.share: is 1\.5",
    ),
    "noise too fast": ({"noise": NoiseTorque(1.0, 5.0, 3000.0)}, "at most half the control rate, 2000 Hz"),
    "noise too narrow": ({"noise": NoiseTorque(1.0, 5.0, 5.1)}, "has no line within"),
    "neither shift nor swing": ({"loose_payload": LoosePayload()}, "states neither a shift nor a frequency"),
    "both": ({"loose_payload": LoosePayload((0.1, 0.0, 0.0), 3.0)}, "it shifts or it swings"),
    "too stiff": ({"drive_train": DriveTrain(1e9, rotor=1e-3)}, "the drive train has a mode of"),
    "swing in MuJoCo": ({"loose_payload": LoosePayload(frequency=3.0), "engine": "mujoco"}, "swings, which MuJoCo"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case: str) -> None:
    settings, message = REFUSED[case]
    with pytest.raises(ParameterError, match=message):
        looped(delta(), cycle(), SOFT, **settings)


def test_a_controller_file_states_imperfections(tmp_path: Path) -> None:
    file = tmp_path / "worn.toml"
    start = 'format = 1\nname = "worn"\n[law]\nkind = "pd"\nkp = 300\nkd = 8\n'
    blocks = (
        '[plant.drive_train]\nstiffness = 3000\nbacklash = "0.1 deg"\nrotor = "200 kg cm2"\n'
        '[plant.noise]\nrms = "0.5 N m"\nseed = 3\n[plant.loose_payload]\nshift = ["10 mm", 0, 0]\n'
    )
    file.write_text(start + blocks, encoding="utf-8")
    plant = load_controller(file).plant
    assert plant.drive_train is not None
    assert plant.drive_train.backlash == pytest.approx(math.radians(0.1))
    assert plant.noise == NoiseTorque(0.5, seed=3)
    assert plant.loose_payload == LoosePayload((0.01, 0.0, 0.0))
    file.write_text(start + "[plant.drive_train]\nstiffness = 3000\nbaklash = -1\n", encoding="utf-8")
    with pytest.raises(ControllerFileError, match="backlash"):
        load_controller(file)
    file.write_text(start + "[plant.loose_payload]\n[plant.noise]\nrms = 1\nlow = 50\nhigh = 20\n", encoding="utf-8")
    with pytest.raises(ControllerFileError, match=r"frequencies must rise[\s\S]*neither a shift nor a frequency"):
        load_controller(file)
