"""Torques of the motors along samples of a motion, as an answer: peaks, effective values, power, forces of the rods."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from parapick.answer import Answer, Cell, Column, Requirement, Table, fixed
from parapick.columns import csv_text
from parapick.inspection.naming import about, load_lines, named, place_text, rod_names, sharing_words, subject
from parapick.inspection.plate_joint_tables import largest_words, peak_table
from parapick.inspection.rod_loads import RodLoads, rod_loads
from parapick.inspection.samples_file import SampleFile
from parapick.inspection.torque_answer import SHARES, most_loaded, share_cells, singular_pose
from parapick.model import Model
from parapick.motors import LEAST_PEAK, power_of
from parapick.ride import Ride

_RODS: Final = {"peak tension": "peak_tension", "peak compression": "peak_compression", "RMS": "rms"}
"""Columns of the rods, and what of their loads they show (N)."""


def torque_along(model: Model, file: SampleFile) -> tuple[Answer, Ride]:
    """Torques along the samples of a file, and the robot along them; refused where it cannot follow.

    The motors of a redundant robot share by one rule at joints and shafts, that of the model or else least peak.

    Args:
        model: the robot; a payload of its own replaces what the samples carry.

    Raises:
        MissingMassError: a robot without masses.
    """
    ride, t = Ride(model, file.samples.with_payload(model.payload)), file.samples.t
    torques = joint_torques(ride)
    count = f"{len(t)} samples over {t[-1] - t[0]:.6g} s; {file.rates}"
    failed, refusal = _failed(ride, torques)
    worst = {} if refusal else _worst(ride, torques)
    answer = Answer(
        key="torque",
        title=subject(model, f"along {file.name}", count, *load_lines(ride.tool_loads)),
        tables=() if refusal else tuple(_tables(ride, torques)),
        summary={} if refusal else dict(_lines(ride, worst)),
        data={
            **about(model),
            "file": file.name,
            "samples": len(t),
            "duration": float(t[-1] - t[0]),
            "rates": file.rates,
            **ride.tool_loads._asdict(),
            "sharing": model.judged_sharing,
            "failed": failed,
            **worst,
        },
        refusal=refusal,
        headline="" if refusal else most_loaded(model, np.abs(ride.loads.torque).max(axis=0), "along these samples"),
    )
    return answer, ride


def joint_torques(ride: Ride) -> np.ndarray:
    """Torques at the joints (T, n), N m, by the rule by which the motors share; NaN where a pose is singular.

    Args:
        ride: the robot along the samples.
    """
    (least,) = ride.kernel("inverse_dynamics")
    if ride.model.judged_sharing != LEAST_PEAK:
        return least
    # Least peak has no torques that are not finite, even at a singularity.
    return np.where(np.isnan(least).any(axis=-1, keepdims=True), np.nan, ride.loads.joint_torque)


def torque_csv(ride: Ride) -> str:
    """Torques at the joints, torques and speeds at the motor shafts of every sample, as CSV (s, N m, rad/s).

    Args:
        ride: the robot along the samples.
    """
    groups = {
        "tau": joint_torques(ride),
        "motor_torque": ride.loads.torque,
        "motor_speed": ride.loads.speed,
    }
    header = ["t", *(f"{name}{i + 1}" for name, values in groups.items() for i in range(values.shape[1]))]
    return csv_text(header, ride.samples.t, *groups.values())


def _failed(ride: Ride, torques: np.ndarray) -> tuple[dict[str, Any] | None, str]:
    """The first sample at which the robot cannot be, and why; None and nothing where it can follow."""
    lost = ~ride.reach.ok | np.isnan(torques).any(axis=-1)
    if not lost.any():
        return None, ""
    first = int(np.argmax(lost))
    reason, count = ride.reach.reason((first,)), int(np.count_nonzero(lost))
    why = f"out of reach: {reason}" if reason else singular_pose(ride.model.motors)
    failed = {**_sample(ride, first), "samples": count, "reason": reason or why}
    where = f"t {failed['t']:.6g} s, {place_text(failed['pose'])}"
    return failed, f"{where}: {why} ({count} of {len(lost)} samples are)"


def _sample(ride: Ride, index: int) -> dict[str, Any]:
    return {"t": float(ride.samples.t[index]), "pose": named(ride.model.robot, ride.samples.x[index])}


def _tables(ride: Ride, torques: np.ndarray) -> Iterator[Table]:
    yield from (_joints(ride, torques), motor_table(ride), _rods(ride))
    yield from peak_table(ride, printed=0)


def _joints(ride: Ride, torques: np.ndarray) -> Table:
    motors, t, rms = ride.model.motors, ride.samples.t, ride.samples.effective(torques)
    rows = [
        (i + 1, float(np.max(sizes)), float(t[int(np.argmax(sizes))]), float(rms[i]))
        for i, sizes in enumerate(np.abs(torques).T)
    ]
    peak, effective = (Column(name, motors.torque_unit, decimals=3) for name in ("peak", "RMS"))
    columns = (Column("motor"), peak, Column("at t", "s", decimals=4), effective)
    return Table("joints", f"{motors.word} at the joints", columns, tuple(rows))


def motor_table(ride: Ride) -> Table:
    """What every motor does along a motion, against its ratings; torques are empty where the robot has no masses.

    Args:
        ride: the robot along the motion.
    """
    motors = ride.model.motors
    shown = f"at the motors: largest speed{'' if ride.no_masses else f', {motors.word} with friction and gearbox'}"
    columns = (
        Column("motor"),
        Column("speed", motors.speed_unit, decimals=2),
        Column("peak", motors.torque_unit, decimals=3),
        Column("at t", "s", decimals=4),
        Column("RMS", motors.torque_unit, decimals=3),
        Column("power", "W", decimals=1),
        *SHARES,
    )
    return Table("motors", shown, columns, tuple(_motor(ride, motor) for motor in range(1, motors.count + 1)))


def _motor(ride: Ride, motor: int) -> tuple[Cell, ...]:
    index, motors = motor - 1, ride.model.motors
    joint_speed, _ = _largest(ride.speed_by_motor.get(motor))
    peak, time = _largest(ride.torque_by_motor.get(motor))
    speed = joint_speed * float(motors.ratio[index])
    rms = hot = power = math.nan
    if not ride.no_masses:
        rms, hot = float(ride.rms_torque[index]), float(ride.heat_torque[index])
        power = float(np.max(ride.loads.torque[:, index] * ride.loads.speed[:, index]))
    cells = (speed, peak, time, rms, power, *share_cells(motors, index, hot, peak, speed))
    return (motor, *(None if cell is None or math.isnan(cell) else cell for cell in cells))


def _largest(requirement: Requirement | None) -> tuple[float, float]:
    """Largest magnitude and when; NaN if there is none."""
    if requirement is None or requirement.place is None:
        return math.nan, math.nan
    return abs(requirement.value), requirement.place.time


def _loads(ride: Ride) -> RodLoads:
    return rod_loads(ride.model.robot, ride.samples.t, ride.inner_forces)


def _rods(ride: Ride) -> Table:
    loads = _loads(ride)
    forces = [getattr(loads, name).ravel().tolist() for name in _RODS.values()]
    names = rod_names(ride.model)
    reserve = [None] * len(names) if loads.reserve is None else loads.reserve.ravel().tolist()
    columns = (Column("rod"), *(Column(name, "N", decimals=1) for name in _RODS), Column("reserve", decimals=1))
    title = "axial force of the rods, and how many times its largest push a rod bears"
    return Table("rods", title, columns, tuple(zip(names, *forces, reserve, strict=True)), printed=0)


def _worst(ride: Ride, torques: np.ndarray) -> dict[str, Any]:
    """The largest torque at the joints, the power of the bus, and the rods that are pulled and pushed most."""
    sample, motor = (int(i) for i in np.unravel_index(int(np.argmax(np.abs(torques))), torques.shape))
    power = power_of(ride.samples.t, ride.loads.torque, ride.loads.speed)
    return {
        "worst": {"motor": motor + 1, "torque": float(torques[sample, motor]), **_sample(ride, sample)},
        "power": {
            "peak": float(np.max(power.bus)),
            "peak_time": float(ride.samples.t[int(np.argmax(power.bus))]),
            "lowest": float(np.min(power.bus)),
            "energy_drawn": power.drawn,
            "energy_returned": power.returned,
        },
        "tension": _most(ride, 1.0),
        "compression": _most(ride, -1.0),
    }


def _most(ride: Ride, sign: float) -> dict[str, Any] | None:
    """The rod that is pulled (1) or pushed (-1) most, how much and when; None where none is."""
    ends = np.stack([ride.inner_forces.axial_elbow, ride.inner_forces.axial_plate])
    # Forces are NaN where the plate is internally singular.
    forces = np.max(np.where(np.isnan(ends), -np.inf, sign * ends), axis=0).reshape(ends.shape[1], -1)
    sample, rod = (int(i) for i in np.unravel_index(int(np.argmax(forces)), forces.shape))
    force = float(forces[sample, rod])
    return (
        {"force": force, "rod": rod_names(ride.model)[rod], "t": float(ride.samples.t[sample])} if force > 0 else None
    )


def _lines(ride: Ride, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    motors, worst, power, loads = ride.model.motors, known["worst"], known["power"], _loads(ride)
    place = f"motor {worst['motor']}, t {worst['t']:.4f} s, at {_short_place(worst['pose'])}"
    yield f"largest {motors.word}", f"{worst['torque']:.3f} {motors.axes[worst['motor'] - 1].effort}, {place}"
    yield "power", f"{power['peak']:.1f} W at most, t {power['peak_time']:.4f} s, from a bus that all motors share"
    yield "energy", f"{power['energy_drawn']:.2f} J drawn, {power['energy_returned']:.2f} J returned"
    for name in ("tension", "compression"):
        if most := known[name]:
            yield f"rod {name}", f"{most['force']:.1f} N at most, {most['rod']}, t {most['t']:.4f} s"
    yield from largest_words(ride).items()
    if np.isnan(loads.rms).any():
        yield "rods", "no finite forces keep the plate level at some sample: an internal singularity"
    if loads.reserve is not None:
        least = np.min(loads.reserve, where=np.isfinite(loads.reserve), initial=np.inf)
        yield "buckling", f"a rod bears {least:.1f} times its largest push" if least < np.inf else "no rod is pushed"
    if words := sharing_words(ride.model):
        yield "sharing", words


def _short_place(pose: Mapping[str, float]) -> str:
    flat = ", ".join(f"{name} {fixed(value, 4)}" for name, value in pose.items() if name != "yaw")
    return f"{flat} m" + (f", yaw {fixed(pose['yaw'], 2, 180.0 / math.pi)} deg" if "yaw" in pose else "")
