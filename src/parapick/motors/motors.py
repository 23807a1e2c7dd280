"""What the drives of a robot allow: one number per motor, arms first, from the file or from the caller.

This is the one account of a drive. Ratings are those of the motor shaft, as data sheets print them; friction acts at
the joint. A gearbox loses power either way: of the torque `y` at its far side, the motor gives `y / efficiency` where
it drives the joint and `y efficiency` where the joint drives it. Rotor and gearbox inertia turn with the motor and
pass no gearbox.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, final

import numpy as np

from parapick.arrays import reals
from parapick.errors import ParameterError
from parapick.mechanism import SLIDING, Bus, MotorAxis, Robot, Winding, motor_ratings
from parapick.motors.continuous_curve import continuous_at

TorqueLimit = Literal["peak", "rated"] | float | Sequence[float] | None
"""Which torque a motor may give: its peak, its rated torque, numbers (N m, at the shaft), or any."""

SpeedLimit = Literal["peak"] | float | Sequence[float] | None
"""Which speed a motor may have: its peak, numbers (rad/s, at the shaft), or any."""

SERVO: Final = 1e4
"""Stiffness of the position loop of a motor at its joint (N m/rad, N/m on rails) where nothing is stated: no file has
it, and this is a round one. Every answer about stiffness states it."""

_RATINGS: Final = {"torque": {"peak": "peak_torque", "rated": "rated_torque"}, "speed": {"peak": "peak_speed"}}


@final
@dataclass(frozen=True, eq=False)
class Motors:
    """Ratings and losses of every motor (n,); infinite where the file states no rating.

    Attributes:
        name: of the robot, for messages.
        axes: units of every motor. Of a linear motor all torques are forces (N), speeds in m/s and inertias in kg.
        arms: how many of the motors drive arms; the others are the plate's.
        plate_drive: path of the drive of the plate's own motors in the robot's file.
        curves: of every motor speeds (rad/s) and peak torques (N m) of its curve, (points, 2); None without one.
        continuous_curves: the same of its continuous torques.
        peak_torque: peak torque (N m), at the shaft; with a curve, at low speed.
        rated_torque: continuous torque (N m), at the shaft; with a rated speed, at that speed.
        continuous_torque: continuous torque at standstill (N m), at the shaft; the rated one without a curve.
        peak_speed: peak speed (rad/s), at the shaft: the least that motor, curve, gearbox and joint allow.
        gearbox_torque: largest torque at the output of the gearbox (N m).
        gearbox_mean_torque: largest mean torque at the output of the gearbox (N m).
        joint_acceleration: largest acceleration of the joint (rad/s2).
        joint_jerk: largest jerk of the joint (rad/s3), without a payload.
        ratio: motor turns per joint turn.
        rotor: moment of inertia of the rotor, seen at the joint (kg m2); 0 where the file states none.
        inertia: of rotor, gearbox, brake and encoder, seen at the joint (kg m2).
        efficiency: efficiency of the gearbox.
        coulomb: Coulomb friction at the joint (N m).
        viscous: viscous friction at the joint (N m s/rad).
        stribeck: breakaway torque above Coulomb's (N m).
        stribeck_speed: joint speed at which that excess has decayed (rad/s).
        gearbox_dry: static friction of the gearbox, at the joint (N m), which `coulomb` counts too.
        gearbox_viscous: viscous friction of the gearbox, at the joint (N m s/rad), which `viscous` counts too.
        windings: the winding of every motor; None where the file states none.
        temperature_max: largest temperature of the winding (degC).
        ambient: temperature around the motor (degC); NaN where the file states no winding.
        copper: loss in the copper per square of the torque (W/(N m)2); 0 where the file does not state the winding.
        bus: the bus that feeds them; None where the file states none.
    """

    name: str
    axes: tuple[MotorAxis, ...]
    arms: int
    plate_drive: str
    curves: tuple[np.ndarray | None, ...]
    continuous_curves: tuple[np.ndarray | None, ...]
    peak_torque: np.ndarray
    rated_torque: np.ndarray
    continuous_torque: np.ndarray
    peak_speed: np.ndarray
    gearbox_torque: np.ndarray
    gearbox_mean_torque: np.ndarray
    joint_acceleration: np.ndarray
    joint_jerk: np.ndarray
    ratio: np.ndarray
    rotor: np.ndarray
    inertia: np.ndarray
    efficiency: np.ndarray
    coulomb: np.ndarray
    viscous: np.ndarray
    stribeck: np.ndarray
    stribeck_speed: np.ndarray
    gearbox_dry: np.ndarray
    gearbox_viscous: np.ndarray
    windings: tuple[Winding | None, ...]
    temperature_max: np.ndarray
    ambient: np.ndarray
    copper: np.ndarray
    bus: Bus | None

    @classmethod
    def of(cls, robot: Robot) -> Motors:
        """The motors of a robot; a drive that its file does not state is a direct one without limits.

        Args:
            robot: the description, its numbers resolved.
        """
        drives = robot.motor_drives()
        frictions = robot.motor_frictions()

        def column(values: Sequence[Any], missing: float = math.inf) -> np.ndarray:
            numbers = np.array([missing if value is None else value for value in values], dtype=float)
            numbers.flags.writeable = False
            return numbers

        ratio = column([drive.ratio for drive in drives])
        rotor = ratio**2 * column([drive.inertia for drive in drives], 0.0)
        gearboxes, windings = ([getattr(drive, part) for drive in drives] for part in ("gearbox", "winding"))
        return cls(
            name=robot.name,
            axes=robot.axes,
            arms=robot.arms,
            plate_drive=f"plate.{robot.plate.traits.drive_path}",
            curves=tuple(_points(drive.peak_curve) for drive in drives),
            continuous_curves=tuple(_points(drive.continuous_curve) for drive in drives),
            peak_torque=column(motor_ratings(robot, "peak_torque")),
            rated_torque=column(motor_ratings(robot, "rated_torque")),
            continuous_torque=column(motor_ratings(robot, "continuous_torque")),
            peak_speed=column(motor_ratings(robot, "peak_speed")),
            gearbox_torque=column(motor_ratings(robot, "gearbox_torque")),
            gearbox_mean_torque=column(motor_ratings(robot, "gearbox_mean_torque")),
            joint_acceleration=column(motor_ratings(robot, "joint_acceleration")),
            joint_jerk=column(motor_ratings(robot, "joint_jerk")),
            ratio=ratio,
            rotor=rotor,
            inertia=rotor + ratio**2 * column([drive.coupled_inertia for drive in drives]),
            efficiency=column([drive.efficiency for drive in drives]),
            coulomb=column([friction.coulomb for friction in frictions]),
            viscous=column([friction.viscous for friction in frictions]),
            stribeck=column([friction.stribeck for friction in frictions]),
            stribeck_speed=column([friction.stribeck_speed for friction in frictions]),
            gearbox_dry=ratio * column([getattr(box, "static_friction", None) for box in gearboxes], 0.0),
            gearbox_viscous=ratio**2 * column([getattr(box, "viscous_friction", None) for box in gearboxes], 0.0),
            windings=tuple(windings),
            temperature_max=column([getattr(winding, "temperature_max", None) for winding in windings]),
            ambient=column([getattr(winding, "ambient", None) for winding in windings], math.nan),
            copper=column([_copper(winding) for winding in windings]),
            bus=robot.bus,
        )

    @property
    def count(self) -> int:
        """How many motors there are."""
        return len(self.ratio)

    @property
    def rated(self) -> bool:
        """Whether any motor has a rating, so that a pace or a load can be too much for it."""
        instant = (self.peak_torque, self.peak_speed, self.gearbox_torque, self.joint_acceleration, self.joint_jerk)
        cycle = (self.continuous_torque, self.gearbox_mean_torque)
        bus = self.bus is not None and self.bus.voltage_max is not None
        return bus or any(np.isfinite(rating).any() for rating in (*instant, *cycle))

    @property
    def groups(self) -> dict[str, slice]:
        """Motors that are of one kind: those of the arms, and those of the plate where it has its own."""
        plate = {"plate": slice(self.arms, self.count)} if self.count > self.arms else {}
        return {"arms": slice(0, self.arms)} | plate

    @property
    def torque_unit(self) -> str:
        """Unit of what the motors give: "N m", "N" of linear motors, both where a robot has both."""
        return " or ".join(dict.fromkeys(axis.effort for axis in self.axes))

    @property
    def speed_unit(self) -> str:
        """Unit of the speed of the motors: "rad/s", "m/s" of linear motors, both where a robot has both."""
        return " or ".join(dict.fromkeys(axis.speed for axis in self.axes))

    @property
    def unit(self) -> str:
        """Unit of the coordinates of the motors: "rad", "m" of linear motors, both where a robot has both."""
        return " or ".join(dict.fromkeys(axis.unit for axis in self.axes))

    @property
    def word(self) -> str:
        """What the motors give: "torque", or "force" where all are linear."""
        return "force" if all(axis is SLIDING for axis in self.axes) else "torque"

    @cached_property
    def lossy(self) -> bool:
        """Whether any gearbox has losses."""
        return bool((self.efficiency < 1.0).any())

    @cached_property
    def rubbing(self) -> bool:
        """Whether any joint has dry friction."""
        return bool((self.coulomb > 0.0).any() or (self.stribeck > 0.0).any())

    @property
    def jumping(self) -> bool:
        """Whether a motor's torque jumps where its joint turns back: dry friction and losses change side there."""
        return self.rubbing or self.lossy

    def curve_torque(self, speed: np.ndarray) -> np.ndarray:
        """What the curve of every motor allows at a speed (..., n), N m, at the shaft; infinite without a curve.

        Args:
            speed: speeds of the shafts (..., n), rad/s.
        """
        most = np.full(np.shape(speed), math.inf)
        for motor, curve in enumerate(self.curves):
            if curve is not None:
                most[..., motor] = np.interp(np.abs(speed[..., motor]), curve[:, 0], curve[:, 1])
        return most

    def heat(self, torque: np.ndarray, speed: np.ndarray) -> np.ndarray:
        """What heats every motor (..., n), as the square of the torque that would heat it as much at rest, (N m)2.

        A motor that gives its continuous torque C(w) at a speed w gets as hot as one that gives C(0) at rest: what it
        loses by turning, in iron and bearings, is worth `C(0)^2 - C(w)^2`. Without a curve it is the square of the
        torque alone. Over a cycle its mean must not exceed the square of `continuous_torque`.

        Args:
            torque: torques at the shafts (..., n), N m.
            speed: speeds of the shafts (..., n), rad/s.
        """
        heat = np.array(np.square(torque), dtype=float)
        for motor, curve in enumerate(self.continuous_curves):
            if curve is not None:
                continuous = continuous_at(curve, np.abs(speed[..., motor]))
                heat[..., motor] += self.continuous_torque[motor] ** 2 - continuous**2
        return heat

    def continuous(self, limit: TorqueLimit, *, name: str = "rated") -> np.ndarray:
        """Torque at rest (n,), at the shafts, N m, whose heat every motor bears for long; infinite without a limit.

        What `heat` gives, on average over a cycle, must not exceed its square.

        Args:
            limit: "rated" for what the file states, one number or one per motor (N m, at the shaft), or None for none.
            name: of the argument, for messages.

        Raises:
            ParameterError: a rating that the file does not state, or numbers that no motor can keep.
        """
        stated = limit == "rated" and bool(np.isfinite(self.continuous_torque).any())
        return self.continuous_torque if stated else self.torque(limit, name=name)

    def dry(self, rate: np.ndarray) -> np.ndarray:
        """Magnitude of dry friction at the joints (..., n), N m.

        Args:
            rate: joint rates (..., n), rad/s.
        """
        return self.coulomb + self.stribeck * np.exp(-((rate / self.stribeck_speed) ** 2))

    def torque(self, limit: TorqueLimit, *, name: str = "torque") -> np.ndarray:
        """Largest torque (n,) at the shafts, N m; infinite without a limit.

        It is enough that the file states the rating of one motor; the others have no limit.

        Args:
            limit: "peak", "rated", one number or one per motor (N m, at the shaft), or None for no limit.
            name: of the argument, for messages.

        Raises:
            ParameterError: a rating that the file does not state, or numbers that no motor can keep.
        """
        return self._limit("torque", limit, name)

    def speed(self, limit: SpeedLimit, *, name: str = "speed") -> np.ndarray:
        """Largest speed (n,) of the shafts, rad/s; infinite without a limit.

        Args:
            limit: "peak", one number or one per motor (rad/s, at the shaft), or None for no limit.
            name: of the argument, for messages.

        Raises:
            ParameterError: a rating that the file does not state, or numbers that no motor can keep.
        """
        return self._limit("speed", limit, name)

    def joint_torque(self, limit: TorqueLimit) -> np.ndarray:
        """Largest torque (n,) at the joints, N m, of motors that drive them and whose rotors are not accelerated.

        Args:
            limit: as for `torque`; every motor must have one.

        Raises:
            ParameterError: as for `torque`.
        """
        return self._limit("torque", limit, "torque", every=True) * self.ratio * self.efficiency

    def joint_speed(self, limit: SpeedLimit) -> np.ndarray:
        """Largest speed (n,) of the joints, rad/s.

        Args:
            limit: as for `speed`; every motor must have one.

        Raises:
            ParameterError: as for `speed`.
        """
        return self._limit("speed", limit, "speed", every=True) / self.ratio

    def _limit(self, kind: str, limit: TorqueLimit | SpeedLimit, name: str, *, every: bool = False) -> np.ndarray:
        if limit is None and not every:
            return np.full(self.count, math.inf)
        unit, ratings = {"torque": self.torque_unit, "speed": self.speed_unit}[kind], _RATINGS[kind]
        if limit is not None and not isinstance(limit, str):
            return per_motor(self, name, limit, unit)
        if limit is None or limit not in ratings:
            words = ", ".join(repr(word) for word in ratings)
            valid = f"{words} and numbers" if every else f"{words}, None and numbers"
            raise ParameterError(name, f"is {limit!r}; valid are {valid} ({unit}, at the motor)")
        values = getattr(self, ratings[limit])
        missing = np.isinf(values)
        if missing.any() if every else missing.all():
            raise ParameterError(
                self.rating_path(int(np.argmax(missing)), ratings[limit]),
                f"the file of {self.name} does not state it; add it, or give {name}= ({unit}, at the motor)",
            )
        return values

    def rating_path(self, motor: int, rating: str) -> str:
        """Path of a rating in the robot's file.

        Args:
            motor: which motor, from 0.
            rating: "peak_torque", "rated_torque" or "peak_speed".
        """
        place = "drive" if motor < self.arms else self.plate_drive
        return f"{place}.{rating.replace('torque', self.axes[motor].word)}"

    def scale(self, rating: np.ndarray) -> np.ndarray:
        """What shares are counted against (n,): the rating, or 1 where no motor has one.

        Args:
            rating: one of the ratings above.
        """
        return rating if np.isfinite(rating).any() else np.ones(len(rating))

    def named(self, **ratings: np.ndarray) -> dict[str, float]:
        """Limits by name, for figures; told apart where the motors of arms and plate differ.

        Args:
            ratings: arrays (n,) by name.
        """
        limits = {}
        for name, rating in ratings.items():
            for group, motors in self.groups.items():
                if math.isfinite(rating[motors][0]):
                    same = np.all(rating == rating[0])
                    limits[name if same else f"{name}, {group}"] = float(rating[motors][0])
        return limits


def _points(curve: Any) -> np.ndarray | None:
    return None if curve is None else np.array(curve)


def _copper(winding: Winding | None) -> float:
    """Loss in the copper per square of the torque: `3/2 R I^2` with the torque constant times I for the torque."""
    if winding is None or winding.resistance is None or winding.torque_constant is None:
        return 0.0
    return 1.5 * winding.resistance / winding.torque_constant**2


def per_motor(motors: Motors, name: str, given: float | Sequence[float] | np.ndarray, unit: str) -> np.ndarray:
    """One number per motor (n,), all greater than 0 and finite, of one number or one per motor.

    Args:
        name: of the argument, for messages.
        given: the numbers.
        unit: their unit, for messages.

    Raises:
        ParameterError: not one number, or one per motor; or a number that is none.
    """
    numbers = reals(name, given)
    if numbers.shape not in ((), (motors.count,)):
        text = f"has {numbers.size} numbers; {motors.name} has {motors.count} motors: give one, or one each"
        raise ParameterError(name, text)
    numbers = np.array(np.broadcast_to(numbers, motors.count))
    for motor, value in enumerate(numbers, start=1):
        if not (np.isfinite(value) and value > 0.0):
            raise ParameterError(name, f"of motor {motor} is {value:g} {unit}; it must be finite and greater than 0")
    return numbers
