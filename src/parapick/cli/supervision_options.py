"""The options of a supervised run: what is watched, what is made to go wrong, where the robot is switched on."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import Amount, Vector, given_texts, parsed_amount, series
from parapick.cli.groups import SUPERVISOR
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.operation import InjectedFault
    from parapick.supervision import Supervisor


@Parameter(name="*", group=SUPERVISOR)
@final
@dataclass(frozen=True)
class SupervisionOptions:
    """What a supervised run has.

    Attributes:
        fault: What goes wrong and when, such as encoder:2@0.3, collision:x=200N@0.25~50ms, emergency@0.2; repeatable.
        guard: Limit of a guard, such as following=2deg, workspace=5mm, deadline=2 or singularity=off; repeatable.
        brake: Torque of the brakes at the joints, such as 60Nm; what the drives can give if not given.
        start: Pose at which the robot is switched on, such as 0.1,0,-0.7; home if not given.
    """

    fault: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False, metavar="FAULT")] = ()
    guard: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False, metavar="GUARD=LIMIT")] = ()
    brake: Amount = None
    start: Vector = None

    @property
    def stated(self) -> dict[str, str]:
        """What is given here, as it was written, by its name."""
        faults = {f"fault {number}" if number > 1 else "fault": text for number, text in enumerate(self.fault, 1)}
        limits = ((part.strip() for part in text.partition("=")) for text in self.guard)
        guards = {f"guard.{name}": limit for name, _, limit in limits}
        return {**faults, **guards, **given_texts(brake=self.brake, start=self.start)}

    def faults(self, model: Model) -> tuple[InjectedFault, ...]:
        """What is made to go wrong.

        Args:
            model: the robot.
        """
        from parapick.operation import faults_from

        return faults_from(self.fault, model, bare=True)

    def supervisor(self, model: Model) -> Supervisor:
        """The supervisor with the limits that are given.

        Args:
            model: the robot.
        """
        from parapick.supervision import GuardLimits, Supervisor

        limits = dict(_guard(text, model) for text in self.guard)
        start = None if self.start is None else tuple(series(model.robot, "--start", self.start))
        effort = model.robot.axes[0].effort
        brake = None if self.brake is None else parsed_amount("--brake", self.brake, effort)
        return Supervisor(GuardLimits(**limits), brake=brake, start=start)


UNDISTURBED: Final = SupervisionOptions()
"""The usual supervisor, and nothing that goes wrong."""


@Parameter(name="*", group=SUPERVISOR)
@final
@dataclass(frozen=True)
class SupervisionChoice:
    """Whether a run has a supervisor, and what such a run has.

    Attributes:
        supervised: Run the task under the supervisor: from switching on and homing to the end, guarded all along.
        options: What a supervised run has.
    """

    supervised: Annotated[bool, Parameter(negative=(), show_default=False)] = False
    options: SupervisionOptions = UNDISTURBED

    def check(self) -> None:
        """Raise if options of a supervised run are given without one."""
        options = self.options
        given = {"--fault": options.fault, "--guard": options.guard, "--brake": options.brake, "--start": options.start}
        for option, value in given.items():
            if value and not self.supervised:
                raise ParameterError(option, "is for supervised runs; give --supervised, too")

    @property
    def stated(self) -> dict[str, str]:
        """What is given here, as it was written, by its name; nothing of a run by itself."""
        return {**({"supervised": "true"} if self.supervised else {}), **self.options.stated}


def _guard(text: str, model: Model) -> tuple[str, Any]:
    """A limit of a guard, `name=value`."""
    from parapick.supervision import GUARD_FIELDS

    name, sign, value = (part.strip() for part in text.partition("="))
    if name not in GUARD_FIELDS:
        close = get_close_matches(name, GUARD_FIELDS, n=2)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(GUARD_FIELDS)}"
        raise ParameterError("--guard", f"no guard has a limit called {name!r}; {hint}")
    if not sign or not value:
        raise ParameterError("--guard", f"{text!r} has no value; write it as following=0.02, or following=off")
    if value == "off":
        return name, None
    if name == "deadline":
        if not value.isdigit():
            raise ParameterError("--guard", f"{text!r}: the value must be a whole number of samples, at least 1")
        return name, int(value)
    axis = model.robot.axes[0]
    units = {"speed": axis.speed, "torque": axis.effort, "following": axis.unit, "torque_time": "s", "singularity": ""}
    units |= {"workspace": "m", "position": axis.unit}
    return name, parsed_amount(f"--guard {name}", value, units[name])
