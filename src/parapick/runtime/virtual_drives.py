"""Settings of virtual drives: what drives and bus of a real cell have, as numbers, none of which need be stated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final

from parapick.control import COUNTS_MIN, Numbers, per_joint
from parapick.fields import label, quantity
from parapick.forms import Whole
from parapick.limits import MOST

COUNTS: Final = 2.0**20
"""Counts of an encoder per motor turn where the controller states none: 20 bits, as present servo motors resolve."""

WATCHDOG: Final = 5e-3
"""Time (s) without a frame after which drives react: 20 cycles at 4 kHz. Chosen; masters of EtherCAT take 100 ms unless
they are told otherwise, in which a plate at 11 m/s moves by a metre."""

MODES: Final = {"torque": 10, "position": 8}
"""Modes of operation of CiA 402 by their names here."""

STOPS: Final = {"free": 0, "ramp": 2, "ramp-stay": 6}
"""Option codes of objects 605A and 605E: torque off at once, or slowed down on the ramp 6085 first."""


@final
@dataclass(frozen=True)
class VirtualDrives:
    """Virtual drives and their bus."""

    mode: Literal["torque", "position"] = label(
        "what the drives follow: torques (mode 10 of CiA 402), or positions with a torque offset (mode 8)",
        default="torque",
    )
    lag: Numbers | None = per_joint(
        "s", "time constant of the current loops; the controller's lag if not given", default=None, above=0.0
    )
    cycle: float | None = quantity("s", "bus cycle; the control period if not given", default=None, above=0.0)
    jitter: float = quantity("s", "how much too late a bus cycle begins at most", default=0.0, at_least=0.0)
    dropped: float = quantity(
        "", "share of the frames to the drives that get lost", default=0.0, at_least=0.0, at_most=1.0
    )
    watchdog: float = quantity(
        "s", "time without a frame after which drives with power react", default=WATCHDOG, above=0.0
    )
    counts: float | None = quantity(
        "",
        "counts of the encoders per motor turn; those of the controller if not given, 2^20 where it has none",
        default=None,
        at_least=COUNTS_MIN,
    )
    rated_torque: Numbers | None = per_joint(
        "N m",
        "torque at the motor of which drives count per mille, object 6076; the rated torque of the robot's file if not "
        "given, its peak torque where it has none",
        default=None,
        above=0.0,
    )
    brake_opening: Numbers | None = per_joint(
        "s", "time until a brake lets go; that of the robot's file if not given", default=None, at_least=0.0
    )
    brake_closing: Numbers | None = per_joint(
        "s", "time until a brake holds; that of the robot's file if not given", default=None, at_least=0.0
    )
    position_loop: float = quantity("Hz", "corner frequency of the position loops", default=40.0, above=0.0)
    speed_loop: float = quantity("Hz", "corner frequency of the speed loops", default=200.0, above=0.0)
    integral_time: float | None = quantity(
        "s", "time constant of the integral part of the speed loops; without it they have none", default=0.01, above=0.0
    )
    following: Numbers | None = per_joint(
        "rad", "following error in mode 8 that is a fault, object 6065; none if not given", default=None, above=0.0
    )
    position_min: Numbers | None = per_joint(
        "rad", "least position that mode 8 goes to, object 607D; not limited if not given", default=None
    )
    position_max: Numbers | None = per_joint(
        "rad", "largest position that mode 8 goes to, object 607D; not limited if not given", default=None
    )
    interpolation: float | None = quantity(
        "s",
        "time in which mode 8 goes to a target, object 60C2; the bus cycle if not given, and no less",
        default=None,
        above=0.0,
    )
    ramp: float = quantity(
        "rad/s2", "deceleration of a quick stop at the joints, object 6085", default=100.0, above=0.0
    )
    quick_stop: Literal["free", "ramp", "ramp-stay"] = label("what a quick stop does, object 605A", default="ramp")
    disable: Literal["free", "ramp"] = label("what disabling operation does, object 605C", default="free")
    reaction: Literal["free", "ramp"] = label("what a fault does, object 605E", default="free")
    self_test: float = quantity("s", "time in which a drive tests itself", default=0.0, at_least=0.0)
    seed: int = label("seed of jitter and losses", default=1, form=Whole(0, MOST["seed"]))
