"""What is wrong with a drive whose single numbers are fine: curves that no motor has, ratings in the wrong order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from parapick.errors import FileProblem
from parapick.mechanism.curve_checks import curve_problems, is_curve, known, largest_excess, torque_at
from parapick.mechanism.drive import AnyDrive

Problems = Iterator[FileProblem]


def drive_problems(path: str, drive: AnyDrive) -> Problems:
    """What is wrong with a drive beyond its single numbers.

    Args:
        path: path of the drive in the file.
        drive: the drive, its numbers settled.
    """
    yield from _rating_problems(path, drive)
    if drive.curve is not None:
        yield from _curves(path, drive.curve)
    yield from _rated_speed_problems(path, drive)
    yield from _continuous_problems(path, drive)
    yield from _crossing_problems(path, drive)
    if drive.gearbox is not None:
        yield from _gearbox_problems(f"{path}.gearbox", drive.gearbox)
    if drive.winding is not None:
        yield from _winding_problems(f"{path}.winding", drive.winding)


def _above(path: str, value: Any, other: str, bound: Any, unit: str) -> Problems:
    """A number that exceeds another one, or one of them that is not stated."""
    if known((value, bound)) and value > bound:
        yield FileProblem(path, f"is {value:g} {unit}; it must not exceed {other} = {bound:g} {unit}")


def _rating_problems(path: str, drive: AnyDrive) -> Problems:
    """Continuous torques above the peak, and the rated one above that at standstill."""
    word, unit = drive.axis.word, drive.axis.effort
    rated, stall, peak = drive.rated_torque, drive.stall_torque, drive.peak_torque
    yield from _above(f"{path}.rated_{word}", rated, f"{path}.peak_{word}", peak, unit)
    yield from _above(f"{path}.stall_torque", stall, f"{path}.peak_torque", peak, unit)
    yield from _above(f"{path}.rated_torque", rated, f"{path}.stall_torque", stall, unit)


def _curves(path: str, curve: Any) -> Problems:
    """A table without a curve, and what is wrong with each curve by itself."""
    if curve.peak is None and curve.continuous is None:
        yield FileProblem(f"{path}.curve", "states no curve; give the points of peak or continuous, or leave it out")
    for name in ("peak", "continuous"):
        if getattr(curve, name) is not None:
            yield from curve_problems(f"{path}.curve.{name}", getattr(curve, name))


def _rated_speed_problems(path: str, drive: AnyDrive) -> Problems:
    """A rated speed that the motor, or one of its curves, does not have."""
    rated: Any = drive.rated_speed
    yield from _above(f"{path}.rated_speed", rated, f"{path}.peak_speed", drive.peak_speed, "rad/s")
    for name in ("peak", "continuous"):
        points: Any = None if drive.curve is None else getattr(drive.curve, name)
        if is_curve(points) and known((rated,)) and points[-1][0] < rated:
            text = f"ends at {points[-1][0]:g} rad/s, below {path}.rated_speed = {rated:g} rad/s"
            yield FileProblem(f"{path}.curve.{name}", f"{text}; give its points up to that speed")


def _continuous_problems(path: str, drive: AnyDrive) -> Problems:
    """Continuous torques that are stated twice, or in part so that they count nothing."""
    stall, speed = drive.stall_torque, drive.rated_speed
    if drive.curve is not None and drive.curve.continuous is not None:
        if stall is not None:
            text = f"and {path}.curve.continuous both state the continuous torque over speed"
            yield FileProblem(f"{path}.stall_torque", f"{text}; give one of them")
        yield from _rated_point_problems(path, drive)
        return
    parts = {"stall_torque": stall, "rated_torque": drive.rated_torque, "rated_speed": speed}
    missing = [f"{path}.{name}" for name, value in parts.items() if value is None]
    if missing and not (stall is None and speed is None):
        name = "stall_torque" if stall is not None else "rated_speed"
        text = f"counts nothing without {' and '.join(missing)}: together they are the continuous torque over speed"
        yield FileProblem(f"{path}.{name}", f"{text}; state all three, or leave {name} out")


def _rated_point_problems(path: str, drive: AnyDrive) -> Problems:
    """A rated torque above the continuous curve at its speed; without a speed, above the start of the curve."""
    points: Any = drive.continuous_curve
    if not is_curve(points):
        return
    speed: Any = drive.rated_speed if known((drive.rated_speed,)) else 0.0
    if speed <= points[-1][0]:
        where = f"{path}.curve.continuous at {speed:g} rad/s"
        yield from _above(f"{path}.rated_torque", drive.rated_torque, where, torque_at(points, speed), "N m")


def _crossing_problems(path: str, drive: AnyDrive) -> Problems:
    """Continuous torques above the peak ones, at the speed where they exceed them most."""
    continuous: Any = drive.continuous_curve
    stated = drive.curve is not None and drive.curve.continuous is not None
    if stated and is_curve(continuous):
        start = f"{path}.curve.continuous.1"
        yield from _above(start, continuous[0][1], f"{path}.peak_torque", drive.peak_torque, "N m")
    if not is_curve(drive.peak_curve):
        return
    if continuous is None:
        start = f"the start of {path}.curve.peak"
        yield from _above(f"{path}.rated_torque", drive.rated_torque, start, drive.peak_curve[0][1], "N m")
    elif is_curve(continuous) and (excess := largest_excess(continuous, drive.peak_curve)):
        speed, torque, most = excess
        line = ("stall_torque", "and its line to the rated torque have")
        name, verb = ("curve.continuous", "has") if stated else line
        text = f"{verb} {torque:g} N m at {speed:g} rad/s, where {path}.curve.peak has {most:g} N m"
        yield FileProblem(f"{path}.{name}", f"{text}; a continuous torque never exceeds the peak: give at most that")


def _gearbox_problems(path: str, gearbox: Any) -> Problems:
    """Torques for long above the one for a moment."""
    for name in ("nominal_torque", "mean_torque"):
        yield from _above(f"{path}.{name}", getattr(gearbox, name), f"{path}.peak_torque", gearbox.peak_torque, "N m")


def _winding_problems(path: str, winding: Any) -> Problems:
    """A winding that is not allowed to be warmer than what is around it."""
    most, ambient = winding.temperature_max, winding.ambient
    if known((most, ambient)) and most <= ambient:
        text = f"is {most:g} degC; it must be above {path}.ambient = {ambient:g} degC"
        yield FileProblem(f"{path}.temperature_max", f"{text}, to which the winding is warmed by its losses")
