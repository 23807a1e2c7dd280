"""Faults that are made on purpose: what goes wrong, where, how much and when."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal, final

from parapick.errors import ParameterError, ParapickError
from parapick.model import Model
from parapick.model.extremes import LIMIT_SLACK
from parapick.supervision import State
from parapick.units import parse

Target = Literal["motor", "coordinate", ""]


@final
@dataclass(frozen=True)
class FaultKind:
    """A kind of fault.

    Attributes:
        name: what it is called.
        meaning: what goes wrong, in words.
        target: what it is at: a motor from 1, a task coordinate by its name, or nothing.
        unit: SI unit of its size: that of the target where it depends on it ("joint", "task", "task rate", "effort",
            "force"), empty for pure numbers.
        size: its size where none is given; None where it has no size.
        duration: how long it lasts where nothing is said (s); infinite: to the end.
    """

    name: str
    meaning: str
    target: Target = ""
    unit: str = ""
    size: float | None = None
    duration: float = math.inf


FAULT_KINDS: Final = {
    kind.name: kind
    for kind in (
        FaultKind("encoder", "an encoder repeats its last angle", "motor"),
        FaultKind("encoder-jump", "an encoder's angle jumps by the size", "motor", "joint", 0.05),
        FaultKind(
            "motor", "a motor gives less than it is asked for; the size is the share that it loses", "motor", "", 1.0
        ),
        FaultKind("motor-stuck", "a motor gives the size whatever it is asked for", "motor", "effort", 0.0),
        FaultKind("drive", "a drive switches itself off and reports it", "motor"),
        FaultKind("payload", "the tool holds the size more than the task says", "", "kg", 5.0),
        FaultKind("drop", "what the task carries is lost"),
        FaultKind(
            "collision", "a force of the size pushes the plate along a coordinate", "coordinate", "force", 200.0, 0.05
        ),
        FaultKind("reference", "the reference jumps by the size along a coordinate", "coordinate", "task", 0.05),
        FaultKind(
            "drift", "the reference drifts with the size per second along a coordinate", "coordinate", "task rate", 1.0
        ),
        FaultKind("pace", "the time along the path runs the size times too fast", "", "", 1.5),
        FaultKind("deadline", "so many torques in a row come too late, and the drives hold the last one", "", "", 5.0),
        FaultKind("emergency", "somebody presses the emergency stop"),
        FaultKind("stop", "the operator stops the motion; no fault, but a command"),
    )
}
"""Every kind of fault by its name."""

STAGES_OF_FAULTS: Final = tuple(
    s.value for s in (State.ENABLING, State.HOMING, State.READY, State.RUNNING, State.STOPPING)
)

_FORM: Final = re.compile(
    r"(?P<kind>[a-z-]+)(:(?P<target>[a-z0-9]+))?(=(?P<size>[^@]+))?@((?P<stage>[a-z]+)\+)?(?P<time>[^~]+)(~(?P<duration>.+))?"
)
_EXAMPLE: Final = "encoder:2@0.3, collision:x=200N@0.25~50ms or drive:1@homing+0.1"


@final
class UnknownFaultError(ParapickError):
    """There is no fault of this kind."""

    def __init__(self, name: str) -> None:
        close = tuple(get_close_matches(name, FAULT_KINDS, n=3))
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(FAULT_KINDS)}"
        super().__init__(f"no fault is called {name!r}; {hint}")
        self.name = name
        self.close = close


@final
@dataclass(frozen=True)
class InjectedFault:
    """A fault at a robot.

    Attributes:
        kind: its kind, a name of `FAULT_KINDS`.
        time: when it begins (s), counted from the beginning of the task or of the state that is named.
        target: which motor from 0, or which task coordinate; -1 where it has none.
        size: its size (SI).
        state: the state from whose beginning the time counts; "running" counts from the beginning of the task.
        duration: how long it lasts (s).
    """

    kind: str
    time: float
    target: int = -1
    size: float = 0.0
    state: str = "running"
    duration: float = math.inf

    @property
    def command(self) -> bool:
        """Whether it is a command of the operator and nothing goes wrong."""
        return self.kind == "stop"

    @property
    def inside(self) -> bool:
        """Whether it acts inside the loop: between encoder and law, or between law and motor."""
        return self.kind in ("encoder", "encoder-jump", "motor", "motor-stuck", "drive", "deadline")

    @property
    def held(self) -> bool:
        """Whether it repeats a value that is known only when it begins."""
        return self.kind in ("encoder", "deadline")


def fault_from(text: str, model: Model) -> InjectedFault:
    """A fault as people write it: `kind[:target][=size]@[state+]time[~duration]`.

    Args:
        text: such as "encoder:2@0.3" or "collision:x=200N@0.25~50ms".
        model: the robot.

    Raises:
        UnknownFaultError: a kind that is not known; says which come close.
        ParameterError: a text that is no fault, or a target, a size or a time that it cannot have.
    """
    match = _FORM.fullmatch(text.strip())
    name = re.split(r"[:=@]", text.strip())[0]
    if name not in FAULT_KINDS:
        raise UnknownFaultError(name)
    if match is None:
        raise ParameterError("fault", f"{text!r} has no time; write it as {_EXAMPLE}")
    kind, state = FAULT_KINDS[name], match["stage"] or "running"
    if state not in STAGES_OF_FAULTS:
        raise ParameterError(
            "fault", f"{text!r}: there is no state {state!r} to count from; valid are {', '.join(STAGES_OF_FAULTS)}"
        )
    target = _target(text, kind, match["target"], model)
    time = _number(text, match["time"], "s", least=0.0)
    duration = kind.duration if match["duration"] is None else _number(text, match["duration"], "s", least=0.0)
    return InjectedFault(name, time, target, _size(text, kind, match["size"], model, target), state, duration)


def faults_from(texts: Sequence[str], model: Model) -> tuple[InjectedFault, ...]:
    """Several faults, see `fault_from`.

    Args:
        texts: one text per fault.
        model: the robot.
    """
    return tuple(fault_from(text, model) for text in texts)


def _target(text: str, kind: FaultKind, given: str | None, model: Model) -> int:
    robot = model.robot
    if not kind.target:
        if given:
            raise ParameterError("fault", f"{text!r}: {kind.name} is at nothing in particular; leave {given!r} out")
        return -1
    if kind.target == "coordinate":
        if given not in robot.task_names:
            what = f"no coordinate {given!r}" if given else "no coordinate"
            raise ParameterError("fault", f"{text!r} names {what}; {robot.name} has {', '.join(robot.task_names)}")
        return robot.task_names.index(given)
    if given is None or not given.isdigit() or not 1 <= int(given) <= robot.motors:
        what = f"motor {given!r}" if given else "no motor"
        raise ParameterError("fault", f"{text!r} names {what}; {robot.name} has motors 1 to {robot.motors}")
    return int(given) - 1


def _unit(kind: FaultKind, model: Model, target: int) -> str:
    axis = model.robot.axes[max(target, 0)] if kind.target == "motor" else None
    turning = kind.target == "coordinate" and model.robot.task_names[target] == "yaw"
    units = {
        "joint": "" if axis is None else axis.unit,
        "effort": "" if axis is None else axis.effort,
        "task": "rad" if turning else "m",
        "task rate": "rad/s" if turning else "m/s",
        "force": "N m" if turning else "N",
    }
    return units.get(kind.unit, kind.unit)


def _size(text: str, kind: FaultKind, given: str | None, model: Model, target: int) -> float:
    if kind.size is None:
        if given is not None:
            raise ParameterError("fault", f"{text!r}: {kind.name} has no size; leave ={given} out")
        return 0.0
    unit = _unit(kind, model, target)
    size = kind.size if given is None else _number(text, given, unit)
    if kind.name == "motor-stuck":
        peak = float((model.motors.peak_torque * model.motors.ratio)[target])
        if abs(size) > peak * (1.0 + LIMIT_SLACK):
            message = f"the size is {size:g} {unit}; motor {target + 1} gives at most {peak:g} {unit} at its joint"
            raise ParameterError("fault", f"{text!r}: {message}")
    most = {"motor": 1.0}.get(kind.name, math.inf)
    whole = kind.name == "deadline" and size != int(size)
    if whole or size > most or (kind.name in ("motor", "pace", "deadline", "payload") and size <= 0.0):
        valid = {"motor": "a share above 0 and up to 1", "deadline": "a whole number of samples, at least 1"}
        raise ParameterError(
            "fault", f"{text!r}: the size is {size:g}; it must be {valid.get(kind.name, 'greater than 0')}"
        )
    return size


def _number(text: str, given: str, unit: str, least: float = -math.inf) -> float:
    try:
        value = parse(given, unit, bare=True)
    except ParapickError as error:
        raise ParameterError("fault", f"{text!r}: {error}") from error
    if value < least:
        raise ParameterError("fault", f"{text!r}: a time of {given}; it must be 0 or later")
    return value
