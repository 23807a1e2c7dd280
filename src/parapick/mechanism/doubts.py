"""What a description says that no body can be: allowed, for documents do print it, but worth a word."""

from __future__ import annotations

from collections.abc import Iterator

from parapick.errors import FileProblem
from parapick.mechanism.limb import Limb, per_leg
from parapick.mechanism.parameters import resolved
from parapick.mechanism.robot import Robot

__all__ = ["doubts"]


def doubts(robot: Robot) -> tuple[FileProblem, ...]:
    """Implausible masses and inertias, with the bound each of them breaks.

    Mass between the pins of a link is nowhere farther from its centre than the farther pin, so its radius of gyration
    about the centre cannot exceed that distance, nor about the motor axis the length of the arm.

    Args:
        robot: the description.
    """
    limb = resolved(robot).limb
    found = {problem.path: problem for i in range(robot.arms) for problem in _of_leg(limb, i)}
    return tuple(found.values())


def _of_leg(limb: Limb, i: int) -> Iterator[FileProblem]:
    mass, inertia, length = (per_leg(value, i) for value in (limb.rod_mass, limb.rod_inertia, limb.rod_length))
    if mass is not None and inertia is not None:
        center = per_leg(limb.rod_center, i)
        center = length / 2 if center is None else center
        yield from _gyration("limb.rod_inertia", "the rod's centre", inertia, mass, max(center, length - center))
    mass, inertia, length = (per_leg(value, i) for value in (limb.arm_mass, limb.arm_inertia, limb.arm))
    if mass is not None and inertia is not None:
        yield from _gyration("limb.arm_inertia", "the motor axis", inertia, mass, length)


def _gyration(path: str, about: str, inertia: float, mass: float, farthest: float) -> Iterator[FileProblem]:
    bound = mass * farthest * farthest
    if inertia > bound:
        yield FileProblem(
            path,
            f"is {inertia:g} kg m2, but {mass:g} kg within {1e3 * farthest:g} mm of {about} have at most {bound:.4g};"
            " perhaps it is about another axis",
        )
