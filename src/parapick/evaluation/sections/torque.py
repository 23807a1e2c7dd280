"""Motor torques: peak and effective, against the motors, by what they are spent on, and where the limit is nearest.

What the torque of every motor is spent on, at its shaft, adds up to the torque: `torque = sum of the bodies' parts +
sharing + friction + gearbox`, each over the ratio of the drive. "sharing" is what a redundant robot's motors add to the
least norm so that the largest of them is least; "gearbox" is what its efficiency adds or takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.answer import Answer, Cell, Place, Series, Table, columns
from parapick.evaluation.context import Context
from parapick.evaluation.load_requirements import by_group, instant_requirements, torque_requirements
from parapick.extremes import first_largest
from parapick.formulas import PARTS
from parapick.inspection import sharing_words
from parapick.model import felt_inertia
from parapick.motors import heat_speeds, steady_limits
from parapick.ride import Ride, counted_note, not_stated

_NOTHING: Final = 1e-9
"""Share of the largest torque (N m) below which a part is nothing but rounding, and left out."""


def section(context: Context) -> Answer:
    """Torques of all motors, and the parts of that of the limiting one.

    Args:
        context: the robot along the motion of its task.
    """
    if context.run.no_torque:
        return Answer("torque", "Motor torque", left_out=(f"not computed: {context.run.no_torque}",))
    motors, loads = context.motors, context.ride.loads
    ratios, parts = inertia_ratios(context.ride), _torque_parts(context.ride)
    sample, motor = context.ride.limiting
    place = Place.of(context.samples, sample, motor + 1)
    labels = tuple(f"motor {i + 1}" for i in range(len(ratios)))
    limits = motors.named(peak=motors.peak_torque, **steady_limits(motors))
    axis = motors.axes[motor]
    spent = np.column_stack([values[:, motor] for values in parts.values()])
    return Answer(
        key="torque",
        title=f"Motor {motors.word}",
        findings=(*torque_requirements(context.ride), *instant_requirements(context.ride, "curve", "gearbox")),
        tables=(_motors(context, ratios), _parts(context, parts)),
        series=(
            Series(f"motor {motors.word}", motors.torque_unit, loads.t, loads.torque, labels, limits),
            Series(f"{axis.word} of motor {motor + 1} by part", axis.effort, loads.t, spent, tuple(parts)),
            *_gearboxes(context, labels),
        ),
        summary=_summary(context),
        notes=tuple(_notes(context)),
        data={
            "limiting_motor": motor + 1,
            "limiting_time": place.time,
            "limiting_pose": list(place.pose),
            "sharing": context.model.judged_sharing,
            "peak_by_group": by_group(context.motors, np.abs(loads.torque), motors.peak_torque),
            "heat_points": _heat_points(context),
            "rms_by_group": by_group(context.motors, context.ride.heat_torque, motors.continuous_torque),
        },
    )


def _heat_points(context: Context) -> list[dict[str, float]]:
    """Effective torque of every motor (N m), at the speed that heats as its speeds do (rad/s), both at the shaft."""
    ride = context.ride
    mean = ride.samples.mean(np.abs(ride.loads.speed))
    speeds = heat_speeds(context.motors, mean, ride.heat_torque, ride.rms_torque)
    pairs = zip(speeds, ride.rms_torque, strict=True)
    return [{"motor": i, "speed": float(speed), "torque": float(rms)} for i, (speed, rms) in enumerate(pairs, start=1)]


def _summary(context: Context) -> dict[str, str]:
    """How motors share, and which limits of an instant the file does not state where it states some."""
    sharing, missing = sharing_words(context.model), not_stated(context.model)
    stated = {"sharing": sharing} if sharing else {}
    return {**stated, "not stated": "; ".join(missing)} if missing else stated


def _gearboxes(context: Context, labels: tuple[str, ...]) -> Iterator[Series]:
    """Torque at the output of every gearbox over time; none where the file states no limit of it."""
    motors = context.motors
    for stated in context.ride.instant_loads:
        if stated.kind.key == "gearbox":
            limits = motors.named(peak=motors.gearbox_torque)
            yield Series("gearbox torque", motors.torque_unit, context.samples.t, stated.values, labels, limits)


def _motors(context: Context, ratios: np.ndarray) -> Table:
    motors, torque = context.motors, context.ride.loads.torque
    rows = []
    for i, rms in enumerate(context.ride.rms_torque):
        peak = float(np.max(np.abs(torque[:, i])))
        when = float(context.samples.t[first_largest(np.abs(torque[:, i]))])
        hot = _share(context.ride.heat_torque[i], motors.continuous_torque[i])
        shares = (_share(peak, motors.peak_torque[i]), hot)
        ratio = float(ratios[i]) if math.isfinite(ratios[i]) else None
        joint = float(np.max(np.abs(context.ride.loads.joint_torque[:, i])))
        rows.append((i + 1, peak, when, shares[0], float(rms), shares[1], joint, ratio))
    heads = ("motor", "peak", "at t", "of peak", "RMS", "of rated", "at joint", "load : rotor")
    note = (
        f"Peak and RMS at the motor, with friction and gearbox, and as shares of peak and rated {motors.word}; at "
        "joint the peak without friction. Load : rotor is the largest inertia the motor moves over that of its rotor."
    )
    if any(curve is not None for curve in motors.continuous_curves):
        note += " Where continuous torques are stated over speed, of rated is the share of what they allow: the heat of"
        note += " torque and speed, as a torque at rest, over the continuous torque at rest."
    effort = motors.torque_unit
    units = ("", effort, "s", "%", effort, "%", effort, "")
    title = f"{motors.word} at the motor shafts, with friction and gearbox"
    return Table("motors", title, columns(heads, units), tuple(rows), note)


def _share(value: float, rating: float) -> float | None:
    """Share of a rating (%)."""
    return 100.0 * float(value / rating) if math.isfinite(rating) else None


def _parts(context: Context, parts: dict[str, np.ndarray]) -> Table:
    sample, motor = context.ride.limiting
    axis = context.motors.axes[motor]
    rows: list[tuple[Cell, ...]] = [
        (name, float(values[sample, motor]), float(context.samples.effective(values[:, motor])))
        for name, values in parts.items()
    ]
    rows.append(("all", float(context.ride.loads.torque[sample, motor]), float(context.ride.rms_torque[motor])))
    title = f"what motor {motor + 1} spends its {axis.word} on, at its peak and over the cycle"
    heads = columns(("part", "at the peak", "RMS"), ("", axis.effort, axis.effort))
    return Table("parts", title, heads, tuple(rows), printed=0)


def _notes(context: Context) -> Iterator[str]:
    motors = context.motors
    yield from counted_note(context.model)
    if not np.isfinite(motors.peak_torque).any():
        yield f"the file states no peak {motors.word} of the drives, so nothing bounds the {motors.word}"
    if not np.isfinite(motors.continuous_torque).any():
        yield f"the file states no rated {motors.word} of the drives, so nothing bounds the effective {motors.word}"
    if words := sharing_words(context.model):
        yield words
    yield from context.ride.doubts
    if not motors.rotor.any():
        yield "the file states no rotor inertia, so there is no inertia ratio"


def inertia_ratios(ride: Ride) -> np.ndarray:
    """Load inertia over rotor inertia of every motor (n,), at its largest along the motion; NaN without a rotor.

    What is left of the inertia that a motor feels after its rotor is the load: gearbox, arm, rods, plate and payload.
    """
    model, x = ride.model, ride.samples.x
    task = model.kernel("mass_matrix")(x, ride.held, model.parameters)[0]
    felt = felt_inertia(model.inverse_jacobian(x), task).max(axis=0)
    rotor = model.motors.rotor
    return np.divide(felt - rotor, rotor, out=np.full(len(rotor), np.nan), where=rotor > 0.0)


def _torque_parts(ride: Ride) -> dict[str, np.ndarray]:
    """Torque at the motor shafts (T, n), N m, by what it is spent on; parts that are nothing are left out."""
    loads, motors, rates = ride.loads, ride.model.motors, ride.joint_speed
    (bodies,) = ride.kernel("inverse_dynamics_parts")
    friction = motors.dry(rates) * np.sign(rates) + motors.viscous * rates
    parts = {name: bodies[:, i, :] / motors.ratio for i, name in enumerate(PARTS)}
    parts["sharing"] = (loads.joint_torque - bodies.sum(axis=1)) / motors.ratio
    parts["friction"] = friction / motors.ratio
    parts["gearbox"] = loads.torque - np.sum(list(parts.values()), axis=0)
    least = _NOTHING * float(np.max(np.abs(loads.torque)))
    return {name: values for name, values in parts.items() if np.max(np.abs(values)) > least}
