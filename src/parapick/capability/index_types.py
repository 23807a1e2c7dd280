"""What an index is: a measure at a pose, with how it is computed and what it is asked for with."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final, Literal, final

import numpy as np

from parapick.errors import ParameterError
from parapick.measures import Measure
from parapick.model import LEAST_MARGIN, Model
from parapick.motion import ADEPT_HEIGHT, ADEPT_WIDTH
from parapick.motors import SERVO

if TYPE_CHECKING:
    from parapick.motors import SpeedLimit, TorqueLimit

_ABOVE_ZERO: Final = ("acceleration", "plate_speed", "servo", "width", "height")


@final
@dataclass(frozen=True)
class IndexOptions:
    """What indices are asked for with; each reads only what it needs.

    Attributes:
        torque: limit of the motors: "peak" or "rated" torque of the drives, or numbers (N m, at the motor, one or one
            per motor).
        rated: rated torque of the motors, which their effective torque over a cycle must not exceed: "rated" of the
            drives, where the file states it, numbers as above, or None to leave heat aside.
        velocity: velocity (dof,) of the plate at which accelerations are asked for (m/s, rad/s); at rest if not given.
        acceleration: acceleration of the plate that torques are asked for (m/s2).
        plate_speed: speed of the plate that joint speeds are asked for (m/s).
        speed: limit of the motors: "peak" speed of the drives, or numbers (rad/s, at the motor, one or one per motor).
        servo: stiffness of the position loop of each motor, at its arm (N m/rad).
        rods: axial stiffness E A of one rod (N), "file" for that of the robot's file, or None where they are rigid.
        arms: bending stiffness E I of an arm (N m2), or None where they are rigid.
        width: stroke of the cycle from pick to place (m).
        height: lift of the cycle (m).
        corner_radius: radius of its corners (m).
        azimuth: direction from pick to place (rad), about z from x.
    """

    torque: TorqueLimit = "peak"
    rated: TorqueLimit = "rated"
    velocity: tuple[float, ...] | None = None
    acceleration: float = 100.0
    plate_speed: float = 1.0
    speed: SpeedLimit = "peak"
    servo: float = SERVO
    rods: float | Literal["file"] | None = None
    arms: float | None = None
    width: float = ADEPT_WIDTH
    height: float = ADEPT_HEIGHT
    corner_radius: float = 0.02
    azimuth: float = 0.0

    def check(self) -> None:
        """Raise `ParameterError` for a number that cannot be asked for."""
        for name in _ABOVE_ZERO:
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise ParameterError(name, f"is {value:g}; it must be a finite number greater than 0")
        if not 0 <= self.corner_radius <= self.height:
            text = f"is {self.corner_radius:g} m; it must be 0 to the height of the cycle, {self.height:g} m"
            raise ParameterError("corner_radius", text)

    def known(self, model: Model) -> IndexOptions:
        """The options, heat left aside where the file of a robot states no rated torque."""
        silent = self.rated == "rated" and not np.isfinite(model.motors.continuous_torque).any()
        return replace(self, rated=None) if silent else self

    def texts(self) -> dict[str, object]:
        """Values by name, for titles; `at` is the velocity in words, nothing at rest, `heat` whether heat counts."""
        heat = "by torque alone, heat aside" if self.rated is None else "by torque and heat"
        at = "" if self.velocity is None else f" at ({', '.join(f'{value:g}' for value in self.velocity)}) m/s"
        words = {"at": at, "heat": heat, "effort": "torque at the arms", "stiffness": "N m/rad"}
        return {**{field.name: getattr(self, field.name) for field in fields(self)}, **words}


IndexFunction = Callable[[Model, np.ndarray, IndexOptions], np.ndarray]
"""From the model, poses (N, dof) that can be reached, and options to values (N,)."""


@final
@dataclass(frozen=True)
class Index:
    """A measure at a pose, with how it is computed.

    Attributes:
        measure: what it is; its title may name options in braces.
        function: its values at poses.
        suits: called with the model and the options; raises where the robot has no such index. If not given, the
            function itself does, at the robot's home.
        slow: whether a pose takes milliseconds instead of microseconds.
        margin: smallest margin to a singularity of the poses that are mapped, if none is asked for. 0 for indices that
            keep their bounds at singularities, and show where they are; others have none there.
    """

    measure: Measure
    function: IndexFunction
    suits: Callable[[Model, IndexOptions], None] | None = None
    slow: bool = False
    margin: float = LEAST_MARGIN

    @property
    def name(self) -> str:
        """Its name, as commands take it."""
        return self.measure.name

    @property
    def title(self) -> str:
        """What it is, in words; may name options in braces."""
        return self.measure.title

    @property
    def unit(self) -> str:
        """Its unit; empty for a pure number."""
        return self.measure.unit

    @property
    def better(self) -> Literal["high", "low"]:
        """Whether a high or a low value is better."""
        return self.measure.better

    def on(self, model: Model) -> Index:
        """The same index in the units of a robot's motors."""
        motors, body = model.motors, model.robot.limb.body
        units = {"N m": motors.torque_unit, "rad/s": motors.speed_unit}
        words = {"{effort}": f"{motors.word} at the {body}s", "{stiffness}": model.robot.limb.axis.stiffness}
        title = self.title
        for place, word in words.items():
            title = title.replace(place, word)
        return replace(self, measure=replace(self.measure, unit=units.get(self.unit, self.unit), title=title))

    def heading(self, options: IndexOptions) -> str:
        """What it is, in words, with the options it was asked for with."""
        return self.title.format_map(options.texts())

    def check(self, model: Model, options: IndexOptions) -> None:
        """Raise one of our errors where the options are no numbers to ask for, or the robot has no such index."""
        options.check()
        if self.suits is not None:
            self.suits(model, options)
        elif not self.slow:
            self.function(model, np.array([model.robot.home]), options)
