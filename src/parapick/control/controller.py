"""A controller: a control law with its sampling, encoders and drives, and the plant that it meets.

It is what a controller file holds, what `simulate` runs and what `evaluate(control=...)` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, final

from numpy.typing import ArrayLike

from parapick.control.changes import ModelChanges, PlantChanges
from parapick.control.devices import Encoder
from parapick.control.fields import Numbers, per_joint
from parapick.control.laws import LAWS, gain_problems
from parapick.control.stage import ControlLaw, Measured, Reference
from parapick.control.value_forms import TableOr, TorqueLimits, law_form
from parapick.errors import FileProblem
from parapick.fields import Quantity, label, quantity
from parapick.forms import Name, Number, Sources, Text, Whole, table_of

CallableLaw = Callable[[float, Measured, Reference], ArrayLike]
"""A law as a Python function: time (s), what is measured, what is wanted -> torques at the arm axes (n), N m."""

COUNTS_MIN: Final = 16
"""Fewest counts a motor turn; less is no encoder but a resolution in rad given by mistake."""

DELAY_MAX: Final = 256
"""Most samples between measurement and torque: 64 ms at 4 kHz. A loop that waits longer is none, and every sample is a
state of the compiled loop. Delay margins are stated up to here, so that each of them can be run."""

EXCHANGE_MAX: Final = 2
"""Most control periods on the bus: one to bring angles and one to take torques away."""

FITS: Final = 1e-9
"""Share of a period by which a computation may be longer than its place: rounding of times in a file."""


@final
@dataclass(frozen=True)
class Controller:
    """A control law, sampled and held as on a machine, and the plant that it meets."""

    law: ControlLaw | CallableLaw = label("control law", form=law_form(LAWS))
    rate: float = quantity("Hz", "control rate", default=4000.0, above=0.0)
    delay: int = label("whole samples between measurement and torque", default=0, form=Whole(0))
    exchange: int | None = label(
        "of the delay, control periods that angles and torques spend on the bus: 1 where a torque leaves with the next "
        "exchange, 2 where it is sent before new angles are received; without it the delay is not divided",
        default=None,
        form=Whole(1, EXCHANGE_MAX),
    )
    computation: float | None = quantity(
        "s",
        "longest time that the law takes from angles to torques; it must fit into the delay, and adds nothing to it",
        default=None,
        at_least=0.0,
    )
    encoder: float | Encoder | None = label(
        "counts per motor turn (of a carriage, over its rail), such as 65536, or a table with the resolution; without "
        "it angles are exact",
        default=None,
        form=TableOr(table_of(Encoder), Number(Quantity("", "counts", at_least=COUNTS_MIN))),
    )
    torque_max: Any = label(
        'torque limit at the joints: "drive" for the peak torque of drives that state one, "peak", "rated", "none", or '
        "a number for all motors or one per motor (N m); unless it is none, motors also keep to their peak speed",
        default="drive",
        form=TorqueLimits(),
    )
    lag: Numbers | None = per_joint(
        "s", "time constant of the torque loops; without it they have none", default=None, above=0.0
    )
    command_filter: float | None = quantity(
        "s",
        "jerk time of the drives' command filter: each motor follows the mean of its commands over it; without it "
        "commands are followed as they are",
        default=None,
        at_least=0.0,
    )
    payload_known: bool = label("whether the controller knows what the tool holds beyond the gripper", default=True)
    model: ModelChanges = label("what the controller takes the robot for", default=ModelChanges())
    plant: PlantChanges = label("what the robot is instead", default=PlantChanges())
    name: str = label("short name, as in file names and commands", default="", form=Name())
    title: str = label("one line that says what it is", default="", form=Text())
    sources: Mapping[str, str] = label("where numbers come from, by field", factory=dict, form=Sources())

    @property
    def run_name(self) -> str:
        """What a run with it is called: its name, or that of its law."""
        return self.name or law_name(self.law)

    def problems(self) -> tuple[FileProblem, ...]:
        """What is wrong with it whatever the robot, beside what each field states of itself."""
        gains = gain_problems(self.law) if isinstance(self.law, ControlLaw) else []
        wrong = [FileProblem(f"law.{one.path}", one.message) for one in gains]
        if self.delay > DELAY_MAX:
            wrong.append(FileProblem("delay", f"is {self.delay}; it must be at most {DELAY_MAX} samples"))
        if self.model.payload is not None and not self.payload_known:
            text = "is given beside payload_known = false; the controller takes the payload for either"
            wrong.append(FileProblem("model.payload", text))
        wrong += division_problems(self)
        return (*wrong, *self.model.problems("model"), *self.plant.problems("plant"))


def division_problems(controller: Controller) -> list[FileProblem]:
    """What is wrong with the parts of a delay: the bus takes more than all of it, or the law more than its share.

    A torque must be there when the exchange that takes it begins: a law has the samples that the bus does not take, and
    the period of the exchange itself.

    Args:
        controller: the controller.
    """
    delay, bus, needed = controller.delay, controller.exchange, controller.computation
    if bus is not None and bus > delay:
        return [FileProblem("exchange", f"is {bus} periods of a delay of {delay}; it must be at most the delay")]
    room = (delay if bus is None else delay - bus + 1) / controller.rate
    if needed is not None and needed > room + FITS / controller.rate:
        text = f"is {1e3 * needed:.6g} ms; the delay leaves {1e3 * room:.6g} ms for it"
        return [FileProblem("computation", f"{text}: give a longer delay or a lower rate")]
    return []


def law_name(law: ControlLaw | CallableLaw) -> str:
    """Name of a law, or of the function that stands for one.

    Args:
        law: the law.
    """
    return getattr(law, "name", None) or getattr(law, "__name__", type(law).__name__)
