"""Torques along a motion: peaks, effective values, power, rod forces, and a file with every sample."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from parapick.cli.answers import about, named
from parapick.cli.drives import share_cells, share_heads, shares
from parapick.cli.motion_csv import SampledMotion, read_motion
from parapick.cli.states import SINGULAR, payload_text, rod_letters
from parapick.cli.tables import DEGREES, headline, number, place_text, print_list, print_table, say
from parapick.files import write_text
from parapick.model import InnerForces, Model, MotorLoads, Ride, power_of
from parapick.model.ride import SHARING


def torque_motion(model: Model, file: str, out: Path | None, *, held: bool = False) -> dict[str, Any]:
    """The answer of `torque --csv` as plain values.

    Args:
        model: the robot, with what its tool holds.
        file: path of the motion.
        out: file to write every sample to.
        held: whether the model's payload replaces what the file says is carried.
    """
    robot = model.robot
    # First what a robot without masses cannot do at all, so that it is said whatever the file holds.
    model.kernel("inverse_dynamics")
    motion = read_motion(file, robot)
    if held:
        motion = replace(motion, payload=None)
    ride = Ride(model, motion.samples)
    (torques,) = ride.kernel("inverse_dynamics")
    answer = {
        **about(model),
        "file": file,
        "samples": len(motion.t),
        "duration": float(motion.t[-1] - motion.t[0]),
        "rates": motion.rates,
        "payload": model.payload.mass if motion.payload is None else float(motion.payload.max()),
        "sharing": "least-norm" if robot.redundant else None,
        "motor_sharing": SHARING if robot.redundant else None,
        **_reached(ride, motion, torques),
    }
    if not answer["reachable"]:
        return answer
    load = ride.loads
    power = power_of(motion.t, load.torque, load.speed)
    peak = int(np.argmax(np.max(np.abs(torques), axis=-1)))
    motor = int(np.argmax(np.abs(torques[peak])))
    answer |= {
        "motors": _motors(model, motion, torques, load),
        "worst": {"motor": motor + 1, "torque": float(torques[peak, motor]), **_sample(model, motion, peak)},
        "power": {
            "peak": float(np.max(power.bus)),
            "peak_time": float(motion.t[int(np.argmax(power.bus))]),
            "lowest": float(np.min(power.bus)),
            "energy_drawn": power.drawn,
            "energy_returned": power.returned,
        },
        "rods": _rods(model, motion, ride.inner_forces),
        "out": None if out is None else str(out),
    }
    if out is not None:
        write_text(out, _table(motion, torques, load))
    return answer


def _reached(ride: Ride, motion: SampledMotion, torques: np.ndarray) -> dict[str, Any]:
    """Whether the robot can follow, and if not, the first sample at which it cannot."""
    failed = ~ride.reach.ok | np.isnan(torques).any(axis=-1)
    if not failed.any():
        return {"reachable": True, "reason": None, "failed": None}
    first = int(np.argmax(failed))
    reason = ride.reach.reason((first,)) or SINGULAR
    where = {
        "line": motion.lines[first],
        **_sample(ride.model, motion, first),
        "samples": int(np.count_nonzero(failed)),
    }
    return {"reachable": False, "reason": reason, "failed": where}


def _sample(model: Model, motion: SampledMotion, index: int) -> dict[str, Any]:
    return {"t": float(motion.t[index]), "pose": named(model.robot, motion.x[index])}


def _motors(model: Model, motion: SampledMotion, torques: np.ndarray, load: MotorLoads) -> list[dict[str, Any]]:
    axis, shaft = power_of(motion.t, torques, load.speed), power_of(motion.t, load.torque, load.speed)
    return [
        {
            "motor": i + 1,
            "peak_torque": float(axis.peak_torque[i]),
            "peak_time": float(motion.t[int(np.argmax(np.abs(torques[:, i])))]),
            "rms_torque": float(axis.rms_torque[i]),
            "motor_peak_torque": float(shaft.peak_torque[i]),
            "motor_rms_torque": float(shaft.rms_torque[i]),
            "motor_peak_speed": float(shaft.peak_speed[i]),
            "motor_peak_power": float(np.max(shaft.motors[:, i])),
            **shares(
                model.motors,
                i,
                float(shaft.rms_torque[i]),
                float(shaft.peak_torque[i]),
                float(shaft.peak_speed[i]),
            ),
        }
        for i in range(model.robot.motors)
    ]


def _rods(model: Model, motion: SampledMotion, inner: InnerForces) -> dict[str, Any]:
    """What the rods bear (legs, rods), N, and which is pulled and which is pushed most; None where none is."""
    from parapick.model.forces import rod_loads

    loads = rod_loads(model.robot, motion.t, inner)
    numbers = {name: getattr(loads, name) for name in ("peak_tension", "peak_compression", "rms", "reserve")}
    found: dict[str, Any] = {name: None if value is None else value.tolist() for name, value in numbers.items()}
    ends = np.stack([inner.axial_elbow, inner.axial_plate])
    for name, sign in (("tension", 1.0), ("compression", -1.0)):
        # Forces are NaN where the plate is internally singular.
        forces = np.max(np.where(np.isnan(ends), -np.inf, sign * ends), axis=0)
        sample, leg, rod = (int(i) for i in np.unravel_index(int(np.argmax(forces)), forces.shape))
        force = float(forces[sample, leg, rod])
        place = {"rod": f"{leg + 1}{rod_letters(model.robot)[rod].strip()}", "t": float(motion.t[sample])}
        found[name] = {"force": force, **place} if force > 0 else None
    return found


def _table(motion: SampledMotion, torques: np.ndarray, load: MotorLoads) -> str:
    """Every sample as CSV (s, N m, rad/s), with all digits."""
    groups = (("tau", torques), ("motor_torque", load.torque), ("motor_speed", load.speed))
    header = ["t", *(f"{name}{i + 1}" for name, values in groups for i in range(values.shape[1]))]
    rows = np.column_stack([motion.t, *(values for _, values in groups)])
    return "\n".join([",".join(header), *(",".join(map(repr, row)) for row in rows.tolist())]) + "\n"


def print_motion(model: Model, answer: dict[str, Any]) -> None:
    """Print the answer of `torque --csv`."""
    samples = f"{answer['samples']} samples over {answer['duration']:.6g} s; {answer['rates']}"
    headline(model, f"along {answer['file']}", samples, *filter(None, [payload_text(answer)]))
    if not answer["reachable"]:
        failed = answer["failed"]
        say(f"line {failed['line']}: t {failed['t']:.6g} s, {place_text(failed['pose'])}")
        say(f"out of reach: {answer['reason']} ({failed['samples']} of {answer['samples']} samples are)")
        return
    motors, unit = answer["motors"], model.motors.torque_unit
    print_table(
        ("motor", f"peak ({unit})", "at t (s)", f"RMS ({unit})"),
        [
            (str(m["motor"]), number(m["peak_torque"], 3), number(m["peak_time"], 4), number(m["rms_torque"], 3))
            for m in motors
        ],
        numbers=range(4),
        title=f"{model.motors.word} at the joints",
    )
    say()
    _print_shafts(model, motors)
    say()
    _print_rest(model, answer)


def _print_shafts(model: Model, motors: list[dict[str, Any]]) -> None:
    unit, rate = model.motors.torque_unit, model.motors.speed_unit
    heads = ("motor", f"peak ({unit})", f"RMS ({unit})", f"speed ({rate})", "power (W)", *share_heads(motors))
    cells = [
        (
            str(m["motor"]),
            number(m["motor_peak_torque"], 3),
            number(m["motor_rms_torque"], 3),
            number(m["motor_peak_speed"], 2),
            number(m["motor_peak_power"], 1),
            *share_cells(motors, m),
        )
        for m in motors
    ]
    title = "at the motor shafts, with friction and gearbox: peaks, effective torque, shares of the ratings"
    print_table(heads, cells, numbers=range(len(heads)), title=title)


def _print_rest(model: Model, answer: dict[str, Any]) -> None:
    worst, power, rods = answer["worst"], answer["power"], answer["rods"]
    lines = {
        f"largest {model.motors.word}": f"{worst['torque']:.3f} {model.motors.torque_unit}, motor {worst['motor']}, "
        f"t {worst['t']:.4f} s, at {_short_place(worst['pose'])}",
        "power": f"{power['peak']:.1f} W at most, t {power['peak_time']:.4f} s, from a bus that all motors share",
        "energy": f"{power['energy_drawn']:.2f} J drawn, {power['energy_returned']:.2f} J returned",
    }
    for name in ("tension", "compression"):
        if rods[name]:
            force, rod, t = (rods[name][key] for key in ("force", "rod", "t"))
            lines[f"rod {name}"] = f"{force:.1f} N at most, rod {rod}, t {t:.4f} s"
    if any(None in leg for leg in rods["rms"]):
        lines["rods"] = "no finite forces keep the plate level at some sample: an internal singularity"
    if rods["reserve"] is not None:
        reserves = [value for leg in rods["reserve"] for value in leg if value is not None]
        lines["buckling"] = (
            f"a rod bears {min(reserves):.1f} times its largest push" if reserves else "no rod is pushed"
        )
    if model.robot.redundant:
        lines["sharing"] = (
            "at the joints by least norm; at the motors so that the largest torque is least, as evaluate has it"
        )
    if answer["out"]:
        lines["samples"] = f"written to {answer['out']}"
    print_list(lines)


def _short_place(pose: dict[str, float]) -> str:
    flat = ", ".join(f"{name} {number(value, 4)}" for name, value in pose.items() if name != "yaw")
    return f"{flat} m" + (f", yaw {number(pose['yaw'], 2, DEGREES)} deg" if "yaw" in pose else "")
