"""Whether bodies can have the masses, centres and moments of inertia that a description gives its arms and rods.

Letters: `m` mass, `l` length between the pins, `c` distance of the centre of mass from the first pin, `I` moment of
inertia: of an arm about the motor axis, of a rod about its centre.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from parapick.errors import Doubt, FileProblem
from parapick.mechanism.limb import AnyLimb, Limb, per_leg
from parapick.mechanism.plates import Rigid
from parapick.mechanism.robot import Robot
from parapick.mechanism.sizes import in_unit, length_text, likely_unit, perhaps

ROUNDING: Final = 0.005
"""Share by which a moment of inertia may miss its bound: a number printed with three digits is rounded by that."""

BAR_FACTOR: Final = 10.0
"""Factor between a moment of inertia and that of a uniform bar of the same mass and length. With all its mass on its
ends a bar has 3 times as much; with a tenth its mass lies within a third of the bar's radius of gyration, in one hub.
A wrong unit is wrong by 100 at least."""

LINE_DENSITY_MAX: Final = 50.0
"""Largest mass of an arm or rod per length (kg/m): that of a solid steel bar 90 mm thick. Robots like these have 0.2 to
12 kg/m."""

THICKEST: Final = "a solid steel bar, 90 mm thick"
LIGHTEST: Final = 1e-4
"""Share of the heaviest bar that the lightest rod has: 5 g/m, a carbon tube 2 mm thick."""


def impossible_bodies(limb: AnyLimb, arms: int) -> Iterator[Doubt]:
    """What no body can have, whatever its shape.

    An arm turns with `I = I_c + m c^2` about the motor axis, with `I_c` about its own centre, which is never negative
    (Huygens and Steiner).

    Args:
        limb: arm and rods, without numbers that follow others.
        arms: number of arms.
    """
    if isinstance(limb, Limb):
        yield from _once(doubt for i in range(arms) for doubt in _impossible_arm(limb, i))


def tube_problems(robot: Robot) -> Iterator[FileProblem]:
    """Tubes, of rods and of a telescope, that are not thicker than their bore: they have no wall.

    Args:
        robot: the description, without numbers that follow others.
    """
    shaft = robot.plate.telescope if isinstance(robot.plate, Rigid) else None
    tubes = [("limb.rod", robot.limb.rod_bore, robot.limb.rod_radius)]
    if shaft is not None:
        tubes.append(("plate.telescope.tube", shaft.tube_bore, shaft.tube_radius))
    for path, bore, radius in tubes:
        if bore is not None and radius is not None and bore >= radius:
            message = f"is {length_text(bore)}; it must be less than {path}_radius = {length_text(radius)}"
            yield FileProblem(f"{path}_bore", message)


def half_problems(robot: Robot) -> Iterator[FileProblem]:
    """Halves of a telescope that turn about their shaft with more than a disc has for its inertia across it.

    A body of revolution has the inertia `J = I / 2 + sum m z^2` across its axis, I about it, z along it.

    Args:
        robot: the description, without numbers that follow others.
    """
    shaft = robot.plate.telescope if isinstance(robot.plate, Rigid) else None
    for name in ("upper", "lower") if shaft is not None else ():
        half = getattr(shaft, name)
        if half is not None and half.spin_inertia > 2 * half.inertia * (1 + ROUNDING):
            most = f"at most twice inertia, {2 * half.inertia:g} kg m2, which is that of a disc"
            message = f"is {half.spin_inertia:g} kg m2; about its own axis a body of revolution has {most}"
            yield FileProblem(f"plate.telescope.{name}.spin_inertia", message)


def stretched_bodies(limb: AnyLimb, arms: int) -> Iterator[Doubt]:
    """Moments of inertia that take mass beyond the pins of the link.

    Mass between the pins is nowhere farther from the centre than the farther pin, so the radius of gyration about the
    centre cannot exceed that distance, nor about the motor axis the length of the arm. A body may reach beyond its
    pins, so this is not impossible.

    Args:
        limb: arm and rods, without numbers that follow others.
        arms: number of arms.
    """
    yield from _once(doubt for i in range(arms) for doubt in _stretched(limb, i))


def far_from_bars(limb: AnyLimb, arms: int) -> Iterator[Doubt]:
    """Masses that no bar of the length has, and moments of inertia far from those of a uniform bar.

    Args:
        limb: arm and rods as they were probably meant, without numbers that follow others.
        arms: number of arms.
    """
    yield from _once(doubt for i in range(arms) for doubt in _far_from_bar(limb, i))


def _once(doubts: Iterator[Doubt]) -> Iterator[Doubt]:
    """Every path once: legs that share a number would say the same."""
    yield from {doubt.path: doubt for doubt in doubts}.values()


def _impossible_arm(limb: Limb, i: int) -> Iterator[Doubt]:
    mass, length, inertia = (per_leg(value, i) for value in (limb.arm_mass, limb.arm, limb.arm_inertia))
    if mass is None:
        return
    stated = per_leg(limb.arm_center, i)
    center, aside = length / 2 if stated is None else stated, per_leg(limb.arm_offset, i) or 0.0
    least = mass * (center * center + aside * aside)
    within = f"{mass:g} kg with their centre {length_text(math.hypot(center, aside))} from the motor axis"
    within += "" if stated is not None else " (limb.arm_center is not given: half the arm)"
    if inertia is not None and inertia < least * (1 - ROUNDING):
        message = (
            f"is {inertia:g} kg m2 about the motor axis, but {within} have at least m c2 = {least:.4g} kg m2, whatever "
            "their shape; perhaps its unit is another, or it is about the arm's own centre: then add m c2"
        )
        yield Doubt(_path(limb, "arm_inertia", i), message, impossible=True)
    elif inertia is None and mass * length * length / 3 < least * (1 - ROUNDING):
        message = (
            f"is {length_text(center)}, but {within} have at least m c2 = {least:.4g} kg m2, and a uniform bar, which "
            f"is assumed without limb.arm_inertia, has {mass * length * length / 3:.4g}; give limb.arm_inertia"
        )
        yield Doubt(_path(limb, "arm_center", i), message, impossible=True)


def _stretched(limb: AnyLimb, i: int) -> Iterator[Doubt]:
    for name, about, mass, length, _ in _links(limb, i):
        inertia = per_leg(getattr(limb, f"{name}_inertia"), i)
        if not mass or inertia is None:
            continue
        farthest = length
        if name == "rod":
            center = per_leg(limb.rod_center, i)
            farthest = length / 2 if center is None else max(center, length - center)
        bound = mass * farthest * farthest
        if inertia > bound:
            meant = likely_unit(inertia, "kg m2", bound / BAR_FACTOR, bound)
            message = (
                f"is {inertia:g} kg m2, but {mass:g} kg within {length_text(farthest)} of {about} have at most "
                f"{bound:.4g}{perhaps([inertia], meant) or '; perhaps it is about another axis'}"
            )
            yield Doubt(_path(limb, f"{name}_inertia", i), message, meant)


def _far_from_bar(limb: AnyLimb, i: int) -> Iterator[Doubt]:
    for name, _, mass, length, share in _links(limb, i):
        heaviest = LINE_DENSITY_MAX * length
        # A moment of inertia cannot be judged by a mass that is itself in doubt; then by that of the heaviest bar.
        weighed = mass if mass and mass <= heaviest else None
        if mass is not None and mass > heaviest:
            meant = likely_unit(mass, "kg", heaviest * LIGHTEST, heaviest)
            message = f"is {mass:g} kg, but {THICKEST} and {length_text(length)} long, has {heaviest:.3g} kg"
            yield Doubt(_path(limb, f"{name}_mass", i), f"{message}{perhaps([mass], meant)}", meant)
            weighed = in_unit(mass, "kg", meant) if meant else None
        inertia = per_leg(getattr(limb, f"{name}_inertia"), i)
        bar = share * length * length * (weighed or heaviest)
        low, high = (bar / BAR_FACTOR, bar * BAR_FACTOR) if weighed else (0.0, bar)
        if inertia and not low <= inertia <= high:
            meant = likely_unit(inertia, "kg m2", bar / BAR_FACTOR, high)
            what = f"a uniform bar of {weighed:g} kg" if weighed else THICKEST
            message = f"is {inertia:g} kg m2, but {what} and {length_text(length)} long, has {bar:.3g} kg m2"
            yield Doubt(_path(limb, f"{name}_inertia", i), f"{message}{perhaps([inertia], meant)}", meant)


def _links(limb: AnyLimb, i: int) -> Iterator[tuple[str, str, Any, Any, float]]:
    """Arm and rod of leg i: name, what I is about, mass, length, and the share I / (m l^2) of a uniform bar."""
    if isinstance(limb, Limb):
        yield "arm", "the motor axis", per_leg(limb.arm_mass, i), per_leg(limb.arm, i), 1 / 3
    yield "rod", "the rod's centre", per_leg(limb.rod_mass, i), per_leg(limb.rod_length, i), 1 / 12


def _path(limb: AnyLimb, name: str, i: int) -> str:
    """Path of a number of leg i: the entry of a list, or the number that all legs share."""
    return f"limb.{name}.{i + 1}" if isinstance(getattr(limb, name), tuple) else f"limb.{name}"
