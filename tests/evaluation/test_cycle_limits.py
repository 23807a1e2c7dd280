"""Every limit of a sum over the cycle, asked of every command that knows a motion: they agree, and it alone decides."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from adept_limits import ENOUGH, ROBOT, TASK, TOO_LITTLE, Question, agree, finding
from parapick.evaluation import Run, compare, evaluate
from parapick.evaluation.equal_torque import with_total_torque
from parapick.evaluation.load_requirements import RMS
from parapick.mechanism import Bus, Drive, Friction, Gearbox, TorqueCurve, Winding
from parapick.motion import Motion, gate
from parapick.motors import CYCLE, cycle_energy
from parapick.ride import Ride
from parapick.tasks import load_task
from parapick.timing import CycleLimitError, OverheatingError, endurance, enduring, fastest_cycle

TITLES = {kind.key: kind.title for kind in CYCLE}
LOOP = 0.04
"""Share by which a simulated loop may differ from its reference: an error of 1 mm where the path turns within 25 mm
asks for accelerations that differ by as much; their mean is less, squares and cubes of it two and three times that."""


def own(bus: Bus | None = None, **drive: Any) -> pp.Model:
    """The robot with more stated of its drives, and a bus."""
    robot = pp.load(ROBOT).robot
    return pp.Model(replace(robot, drive=replace(robot.drive, **drive), bus=bus))


@cache
def own_motion() -> Motion:
    return load_task(TASK).motion(pp.load(ROBOT))


def robot(key: str, share: float, motion: Motion | None = None) -> pp.Model:
    """The robot with one limit of a sum, at a share of what a motion takes of it."""
    motion = motion or own_motion()
    plain = Ride.along(pp.load(ROBOT), motion)
    rms = float(plain.rms_torque.max())
    if key == "heat":
        # The line falls to a fifth at 10 rad/s: what turning heats is a share of the stall torque.
        turning = plain.samples.mean(1.0 - (1.0 - 0.08 * np.abs(plain.joint_speed)) ** 2)
        return _steep(float(np.max(plain.rms_torque / np.sqrt(share**-2 - turning))))
    if key == "gearbox_mean":
        wide = own(gearbox=Gearbox(mean_torque=1e9))
        return own(gearbox=Gearbox(mean_torque=share * float(Ride.along(wide, motion).cycle.gearbox_mean.max())))
    if key == "winding":
        # A winding that is as quick as the cycle: its peak is above its mean, which heat is about.
        winding = Winding(thermal_time=0.15 * motion.duration, temperature_max=130.0, ambient=40.0)
        wide = own(rated_torque=rms, winding=winding)
        peak = float(Ride.along(wide, motion).cycle.loads[1].shares.max())
        return own(rated_torque=rms * float(np.sqrt(share * peak)), winding=winding)
    wide = _bus(1e9)
    cycle = Ride.along(wide, motion).cycle.bus
    assert cycle is not None
    return _bus(300.0 + share * (cycle.highest - 300.0))


def _steep(stall: float) -> pp.Model:
    return own(stall_torque=stall, rated_torque=0.2 * stall, rated_speed=10.0)


RUBBING = Friction(coulomb=0.5, viscous=0.1)


def _bus(most: float, friction: Friction = RUBBING) -> pp.Model:
    return own(Bus(voltage=300.0, capacitance=2e-4, voltage_max=most), friction=friction)


@pytest.mark.parametrize("key", TITLES)
def test_commands_agree_on_a_sum_that_alone_decides(key: str, tmp_path: Path) -> None:
    models = robot(key, TOO_LITTLE), robot(key, ENOUGH)
    for model, share in zip(models, (TOO_LITTLE, ENOUGH), strict=True):
        use = finding(Run.of(model, own_motion()).requirements, TITLES[key]).use
        assert use == pytest.approx(1.0 / share, rel=2e-3)
    question = Question(load_task(TASK), sections=("torque", "drives"), cycles=2)
    looped = agree(models, question, TITLES[key], tmp_path)
    (share,) = looped.table("sums").column(TITLES[key])
    assert share == pytest.approx(1.0 / TOO_LITTLE, rel=LOOP)


@cache
def quickest() -> Motion:
    return fastest_cycle(pp.load(ROBOT), load_task(TASK))


FASTER = {"heat": 0.97, "gearbox_mean": 0.94, "winding": 0.975, "bus": 1.0}
"""Share of the time of the cycle by peaks, run slower as a whole, that the fastest cycle under a sum takes at most."""


@pytest.mark.parametrize("key", TITLES)
def test_the_fastest_cycle_keeps_the_sum_that_decides(key: str) -> None:
    model = robot(key, 0.8, quickest())
    lasting = endurance(model, quickest(), rated="rated" if key in ("heat", "winding") else None)
    assert lasting.decides == TITLES[key]
    assert lasting.motion.duration > 1.01 * quickest().duration
    fastest = fastest_cycle(model, load_task(TASK), rated="rated")
    assert quickest().duration < fastest.duration <= FASTER[key] * lasting.motion.duration
    for motion in (lasting.motion, fastest):
        requirements = Run.of(model, motion.slowed(1.0 + 2e-4)).requirements
        assert all(one.ok for one in requirements)
        assert finding(requirements, TITLES[key]).use == pytest.approx(1.0, abs=4e-3)
    data = evaluate(model, TASK, sections=["fastest"]).sections[-1].data
    assert data["fastest_limited_by"] == TITLES[key]
    assert data["fastest_duration"] == pytest.approx(min(fastest.duration, data["own_law_duration"]), rel=3e-4)


def test_a_motion_that_keeps_them_stays_what_it_is() -> None:
    model = robot("gearbox_mean", 1.5)
    assert endurance(model, own_motion(), rated=None).motion is own_motion()
    assert endurance(model, own_motion(), rated=None).decides == ""


def test_what_is_too_much_at_any_pace_is_refused() -> None:
    with pytest.raises(CycleLimitError, match=r"gearbox torque, mean.*no motion is slow enough"):
        enduring(own(gearbox=Gearbox(mean_torque=0.5)), own_motion(), rated=None)
    with pytest.raises(OverheatingError):
        enduring(_steep(0.1), own_motion())


def test_compared_heat_is_that_of_the_verdict() -> None:
    """Rows of a comparison are those of torque and speed together, not of the torque alone."""
    model = robot("heat", TOO_LITTLE)
    comparison = compare([model, pp.load(ROBOT)], TASK, sections=["torque"])
    row = next(row for row in comparison.quantities.rows if row[0] == f"{RMS}, share of its limit")
    assert row[1] == pytest.approx(1.0 / TOO_LITTLE, rel=2e-3)


def test_energy_from_the_mains_is_losses_and_work_and_brake_resistor() -> None:
    """On a cycle that leaves its payload higher than it took it, with friction, gearbox and copper, to 1e-9."""
    robot = pp.load(ROBOT).robot
    drive = Drive(
        ratio=5.0,
        efficiency=0.85,
        inertia=2e-4,
        friction=Friction(coulomb=0.4, viscous=0.05),
        gearbox=Gearbox(static_friction=0.02, viscous_friction=1e-3),
        winding=Winding(resistance=0.4, torque_constant=1.8),
    )
    bus = Bus(voltage=300.0, capacitance=5e-5, brake_resistance=50.0, brake_voltage=302.0, voltage_max=400.0)
    model = pp.Model(replace(robot, drive=drive, bus=bus))
    ride = Ride.along(model.with_payload(2.0), pp.adept_cycle(model, cycles_per_minute=150))
    cycle, t = ride.cycle, ride.samples.t
    energy = cycle_energy(cycle, ride.loads.joint_torque)
    assert energy.mains is not None
    assert energy.braked is not None
    assert energy.braked > 0.01 * energy.mains
    rate, torque = ride.joint_speed, ride.loads.torque
    samples = ride.samples
    acceleration = model.joint_accelerations(samples.x, samples.xd, samples.xdd)
    # Losses from their own formulas: friction of joint and gearbox, what efficiency takes of what passes, 3/2 R I^2.
    dry, viscous = 0.4 + 5.0 * 0.02, 0.05 + 25.0 * 1e-3
    passing = ride.loads.joint_torque - model.motors.inertia * acceleration + dry * np.sign(rate) + viscous * rate
    lost = {
        "friction": dry * np.abs(rate) + viscous * rate**2,
        "gearbox": np.where(passing * rate >= 0.0, 1 / 0.85 - 1, 0.85 - 1) * passing * rate,
        "copper": 1.5 * 0.4 * (torque / 1.8) ** 2,
        "load": ride.loads.joint_torque * rate,
    }
    sums = {name: float(np.trapezoid(power.sum(axis=1), t)) for name, power in lost.items()}
    assert energy.mains == pytest.approx(sum(sums.values()) + energy.braked, rel=1e-9)
    for name, value in sums.items():
        assert getattr(energy, name) == pytest.approx(value, rel=1e-7, abs=1e-9 * energy.mains)


def test_the_section_states_motors_energy_and_bus() -> None:
    winding = Winding(resistance=1.0, torque_constant=2.0, thermal_time=0.2, temperature_max=130.0)
    model = own(
        Bus(voltage=300.0, capacitance=2e-4, brake_resistance=30.0, brake_voltage=310.0, voltage_max=400.0),
        rated_torque=40.0,
        winding=winding,
        gearbox=Gearbox(nominal_torque=30.0),
    )
    evaluation = evaluate(model, TASK, sections=["drives"])
    section = evaluation["drives"]
    assert {one.name for one in section.findings} == {TITLES[key] for key in ("gearbox_mean", "winding", "bus")}
    motors = section.table("motors")
    assert motors.column("heating torque") == pytest.approx(Ride.along(model, own_motion()).rms_torque, rel=1e-3)
    windings = section.table("windings")
    assert np.all(np.array(windings.column("mean")) < np.array(windings.column("peak")))
    assert set(windings.column("limit")) == {130.0}
    energy = section.data["energy"]
    assert energy["mains"] == pytest.approx(energy["copper"] + energy["braked"], rel=1e-6)
    assert {series.name for series in section.series} == {"winding temperature", "bus voltage"}
    assert section.data["voltage_lowest"] == pytest.approx(300.0)
    assert "motor torque, RMS" in " ".join(section.notes)


@pytest.mark.parametrize(
    ("bus", "drive", "words"),
    [
        (Bus(voltage=300.0), {}, "what the motors return is lost"),
        (Bus(voltage=300.0, brake_resistance=30.0, brake_voltage=310.0), {}, "goes to the brake resistor at once"),
        (None, {"rated_torque": 30.0, "winding": Winding(temperature_max=130.0)}, "no drive.winding.thermal_time"),
        (None, {"gearbox": Gearbox(mean_torque=30.0)}, "bus voltage (bus.voltage_max)"),
    ],
)
def test_what_is_left_aside_is_stated(bus: Bus | None, drive: dict[str, Any], words: str) -> None:
    section = evaluate(own(bus, **drive), TASK, sections=["drives"])["drives"]
    assert words in " ".join(section.notes)


def test_a_bus_that_rises_for_ever_is_refused() -> None:
    """A payload that is let down again and again gives more than a robot without losses takes."""
    model = _bus(400.0, Friction())
    down = gate([-0.1, 0.0, -0.6, 0.0], [0.1, 0.0, -0.7, 0.0], height=0.02, a_max=30.0, v_max=2.0)
    broken = finding(Run.of(model.with_payload(2.0), down).requirements, TITLES["bus"])
    assert not broken.ok
    assert "rises from cycle to cycle" in broken.text
    # There and back it has the same energy at both ends: a robot without losses needs nothing, and gives nothing.
    cycle = Run.of(model, own_motion()).ride.cycle.bus
    assert cycle is not None
    assert np.isfinite(cycle.highest)
    assert cycle.mains <= 1e-2 * cycle.drawn


def test_a_robot_without_them_has_none_and_no_section() -> None:
    names = {requirement.name for requirement in Run.of(pp.load(ROBOT), own_motion()).requirements}
    assert not names & (set(TITLES.values()) - {RMS})
    assert "drives" not in {section.key for section in evaluate(ROBOT, TASK, sections=["torque", "drives"]).sections}


def test_slopes_of_heat_are_those_of_differences() -> None:
    """What the section *improve* says of RMS torque, its speed counted, against robots with a little more of it."""
    model, step = _steep(60.0), 1e-5
    slopes = evaluate(model, TASK, sections=["improve"])["improve"].data["slopes"]
    run = Run.of(model, own_motion())
    numbers = {"limb.arm": model.numbers.limb.arm, "drive.ratio": 1.0, "plate.mass": model.numbers.plate.mass}
    for path, value in numbers.items():
        more, less = (
            Run.of(model.with_parameters({path: value * (1.0 + side * step)}), own_motion()).ride.heat_torque
            for side in (1.0, -1.0)
        )
        difference = (more - less)[run.ride.hottest] / (2.0 * step * value)
        assert slopes[path]["rms"] == pytest.approx(difference, rel=1e-4)


def test_drives_of_equal_torque_scale_all_that_heats_them() -> None:
    curve = TorqueCurve(peak=((0.0, 90.0), (40.0, 60.0)), continuous=((0.0, 50.0), (10.0, 20.0)))
    model = own(curve=curve, winding=Winding(resistance=1.0, torque_constant=2.0))
    half, factor = with_total_torque(model, 0.5 * 4 * 90.0)
    assert factor == pytest.approx(0.5)
    assert half.motors.peak_torque == pytest.approx([45.0] * 4)
    assert half.motors.continuous_torque == pytest.approx([25.0] * 4)
    speed = np.full((1, 4), 6.0)
    torque = np.full((1, 4), 3.0)
    assert half.motors.heat(0.5 * torque, speed) == pytest.approx(0.25 * model.motors.heat(torque, speed))
    assert half.motors.curve_torque(speed) == pytest.approx(0.5 * model.motors.curve_torque(speed))
    # Half as many motors, each as before: half of the loss.
    assert half.motors.copper * 0.5**2 == pytest.approx(0.5 * model.motors.copper)
