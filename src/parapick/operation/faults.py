"""Faults that are made on purpose, as people write them: what goes wrong, where, how much and when."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, final

from parapick.answer import keeps
from parapick.errors import ParameterError, ParapickError
from parapick.model import Model
from parapick.operation.fault_kinds import FAULT_KINDS, FaultKind
from parapick.supervision import State
from parapick.units import parse

STATES_OF_FAULTS: Final = tuple(
    state.value for state in (State.ENABLING, State.HOMING, State.READY, State.RUNNING, State.STOPPING)
)
"""States from whose beginning the time of a fault can count."""

LONGEST: Final = 1e6
"""Longest time (s) that a fault can last: longer than any run."""

_FORM: Final = re.compile(
    r"(?P<kind>[a-z-]+)(:(?P<target>[a-z0-9]+))?(=(?P<size>[^@]+))?@((?P<state>[a-z]+)\+)?(?P<time>[^~]+)(~(?P<duration>.+))?"
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
    def row(self) -> FaultKind:
        """The row of its kind, which says all that it does."""
        if self.kind not in FAULT_KINDS:
            raise UnknownFaultError(self.kind)
        return FAULT_KINDS[self.kind]

    @property
    def command(self) -> bool:
        """Whether it is a command of the operator and nothing goes wrong."""
        return self.row.command is not None

    def samples(self, rate: float) -> float:
        """For how many samples it lasts.

        Args:
            rate: control rate (Hz).
        """
        size = self.row.size
        return self.size if size is not None and size.in_samples else round(min(self.duration, LONGEST) * rate)

    @property
    def short(self) -> str:
        """Its kind and when it begins, such as "encoder 0.3 s after the start of the task"."""
        return f"{self.kind} {self._begin}"

    @property
    def _begin(self) -> str:
        return f"{self.time:g} s after the start of {'the task' if self.state == State.RUNNING.value else self.state}"

    def text(self, model: Model) -> str:
        """The fault in words."""
        kind, where = self.row, ""
        if kind.target == "motor":
            where = f" of motor {self.target + 1}"
        elif kind.target == "coordinate":
            where = f" along {model.robot.task_names[self.target]}"
        size = "" if kind.size is None else f", size {self.size:g}"
        return f"{kind.name}{where} ({kind.meaning}{size}) {self._begin}"


def fault_from(text: str, model: Model, *, bare: bool = False) -> InjectedFault:
    """A fault as people write it: `kind[:target][=size]@[state+]time[~duration]`.

    Times are seconds where they have no unit: this is the one short form of texts in Python. A size states its unit.

    Args:
        text: such as "encoder:2@0.3" or "collision:x=200N@0.25~50ms".
        bare: whether a size may be a bare number (SI), as on the command line.

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
    kind, state = FAULT_KINDS[name], match["state"] or "running"
    if state not in STATES_OF_FAULTS:
        raise ParameterError(
            "fault", f"{text!r}: there is no state {state!r} to count from; valid are {', '.join(STATES_OF_FAULTS)}"
        )
    target = _target(text, kind, match["target"], model)
    time = _number(text, match["time"], "s", bare=True, least=0.0)
    lasting = match["duration"]
    duration = kind.duration if lasting is None else _number(text, lasting, "s", bare=True, least=0.0)
    size = _size(text, kind, match["size"], model, target, bare=bare)
    return InjectedFault(name, time, target, size, state, duration)


def faults_from(texts: Sequence[str], model: Model, *, bare: bool = False) -> tuple[InjectedFault, ...]:
    """Several faults, see `fault_from`.

    Args:
        texts: one text per fault.
        bare: whether sizes may be bare numbers (SI), as on the command line.
    """
    return tuple(fault_from(text, model, bare=bare) for text in texts)


def _target(text: str, kind: FaultKind, written: str | None, model: Model) -> int:
    robot = model.robot
    if not kind.target:
        if written:
            raise ParameterError("fault", f"{text!r}: {kind.name} is at nothing in particular; leave {written!r} out")
        return -1
    if kind.target == "coordinate":
        if written not in robot.task_names:
            what = f"no coordinate {written!r}" if written else "no coordinate"
            raise ParameterError("fault", f"{text!r} names {what}; {robot.name} has {', '.join(robot.task_names)}")
        return robot.task_names.index(written)
    if written is None or not written.isdigit() or not 1 <= int(written) <= robot.motors:
        what = f"motor {written!r}" if written else "no motor"
        raise ParameterError("fault", f"{text!r} names {what}; {robot.name} has motors 1 to {robot.motors}")
    return int(written) - 1


def _unit(kind: FaultKind, unit: str, model: Model, target: int) -> str:
    """SI unit of the size of a fault at its target."""
    axis = model.robot.axes[max(target, 0)] if kind.target == "motor" else None
    turning = kind.target == "coordinate" and model.robot.task_names[target] == "yaw"
    units = {
        "joint": "" if axis is None else axis.unit,
        "effort": "" if axis is None else axis.effort,
        "task": "rad" if turning else "m",
        "task rate": "rad/s" if turning else "m/s",
        "force": "N m" if turning else "N",
    }
    return units.get(unit, unit)


def _size(text: str, kind: FaultKind, written: str | None, model: Model, target: int, *, bare: bool) -> float:
    if kind.size is None:
        if written is not None:
            raise ParameterError("fault", f"{text!r}: {kind.name} has no size; leave ={written} out")
        return 0.0
    unit = _unit(kind, kind.size.unit, model, target)
    size = kind.size.default if written is None else _number(text, written, unit, bare=bare)
    if kind.size.within_peak:
        peak = float((model.motors.peak_torque * model.motors.ratio)[target])
        if not keeps(size, at_most=peak):
            message = f"the size is {size:g} {unit}; motor {target + 1} gives at most {peak:g} {unit} at its joint"
            raise ParameterError("fault", f"{text!r}: {message}")
    if not kind.size.admits(size):
        raise ParameterError("fault", f"{text!r}: the size is {size:g}; it must be {kind.size.valid}")
    return size


def _number(text: str, written: str, unit: str, *, bare: bool, least: float = -math.inf) -> float:
    try:
        value = parse(written, unit, bare=bare)
    except ParapickError as error:
        raise ParameterError("fault", f"{text!r}: {error}") from error
    if value < least:
        raise ParameterError("fault", f"{text!r}: a time of {written}; it must be 0 or later")
    return value
