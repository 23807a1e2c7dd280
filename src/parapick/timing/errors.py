"""What can stand against the fastest timing of a path."""

from __future__ import annotations

from typing import final

from parapick.errors import MotionError


@final
class UnreachablePathError(MotionError):
    """A path leads where the robot cannot go, or is not meant to: out of its reach or its stated workspace.

    Attributes:
        start: length of the path (m) at which it first does.
        length: length of the path (m) at which most is missing.
        pose: task vector there (m, rad).
        reason: what is missing there.
    """

    def __init__(
        self, start: float, length: float, pose: tuple[float, ...], reason: str, left: str = "reach of the robot"
    ) -> None:
        super().__init__(
            f"the path leaves the {left} at {start:.6g} m of its length; "
            f"worst at {length:.6g} m, pose ({_text(pose)}): {reason}"
        )
        self.start = start
        self.length = length
        self.pose = pose
        self.reason = reason


@final
class SingularPathError(MotionError):
    """A path leads through a singularity, where no motor torque follows from the forces.

    Attributes:
        length: where, from the start of the path (m).
        pose: task vector there (m, rad).
    """

    def __init__(self, length: float, pose: tuple[float, ...]) -> None:
        super().__init__(
            f"the robot is singular at {length:.6g} m of the path, pose ({_text(pose)}); lead the path around it"
        )
        self.length = length
        self.pose = pose


@final
class HoldingTorqueError(MotionError):
    """A motor cannot even hold the plate, or move it slowly, somewhere on the path.

    Attributes:
        motor: which motor, from 1.
        length: where, from the start of the path (m).
        pose: task vector there (m, rad).
        torque: what it would need (N m, motor side; N of a linear motor).
        limit: what it may give (N m, motor side; N of a linear motor).
    """

    def __init__(
        self, motor: int, length: float, pose: tuple[float, ...], torque: float, limit: float, unit: str = "N m"
    ) -> None:
        missing = f"{torque - limit:.3g} {unit} less" if torque > limit else "which leaves nothing to move it with"
        super().__init__(
            f"motor {motor} needs {torque:.6g} {unit} against gravity and dry friction at {length:.6g} m of the path, "
            f"pose ({_text(pose)}); its limit is {limit:.6g} {unit}, {missing}"
        )
        self.motor = motor
        self.length = length
        self.pose = pose
        self.torque = torque
        self.limit = limit


@final
class OverheatingError(MotionError):
    """A motor gets too hot at any pace: what holds the plate is more than its rated torque.

    Attributes:
        motor: which motor, from 1.
        torque: its effective torque at next to no speed (N m, at the motor; N of a linear motor).
        limit: its rated torque (N m, at the motor; N of a linear motor).
    """

    def __init__(self, motor: int, torque: float, limit: float, unit: str = "N m") -> None:
        super().__init__(
            f"motor {motor} gives {torque:.6g} {unit} on average at any pace, to hold the plate; its rated torque is "
            f"{limit:.6g} {unit}, so no motion is slow enough"
        )
        self.motor = motor
        self.torque = torque
        self.limit = limit


@final
class CycleLimitError(MotionError):
    """A sum over the cycle exceeds its limit at any pace.

    Attributes:
        title: what it is, as requirements are called: "gearbox torque, mean", "winding temperature", "bus voltage".
        value: what it is at next to no speed, in its unit; of temperature and voltage how much it rises.
        limit: what it may be.
    """

    def __init__(self, title: str, value: float, limit: float, unit: str) -> None:
        super().__init__(
            f"{title}: {value:.6g} {unit} at any pace, its limit is {limit:.6g} {unit}, so no motion is slow enough"
        )
        self.title = title
        self.value = value
        self.limit = limit


def _text(pose: tuple[float, ...]) -> str:
    return ", ".join(f"{value:.6g}" for value in pose)
