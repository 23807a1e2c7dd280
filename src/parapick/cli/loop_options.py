"""The options that change a controller: each overrides what the controller's file states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, final

from cyclopts import Parameter

from parapick.cli.arguments import Amount, Count, Pairs, Real, given_texts, parsed_amount
from parapick.cli.groups import ASKED, CONTROLLER
from parapick.cli.settings import si_numbers
from parapick.control import LAWS
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.answer import Answer
    from parapick.control import Controller
    from parapick.model import Model
    from parapick.motion import Motion

ControllerNames = Annotated[
    str | None,
    Parameter(
        group=ASKED,
        metavar="NAMES",
        help="Controllers, separated by commas: shipped ones, paths of TOML files, or control laws "
        f"({', '.join(LAWS)}); pd,tsid if not given.",
    ),
]

COMPARED: Final = "pd,tsid"
"""Laws that are compared where none is named."""


@final
@dataclass(frozen=True)
class AskedControllers:
    """Controllers that are asked for.

    Attributes:
        by_name: the controllers, by what each is called.
        notes: in what each differs from its file, in words; nothing of laws that are named by themselves.
    """

    by_name: dict[str, Controller]
    notes: tuple[str, ...]

    def noted(self, answer: Answer) -> Answer:
        """An answer with these notes before its own.

        Args:
            answer: the answer.
        """
        return replace(answer, notes=(*self.notes, *answer.notes))

    def with_delays(self, answer: Answer, head: str = "law") -> Answer:
        """An answer with the delay ledger of the controllers.

        Args:
            answer: the answer.
            head: what the answer's other tables call the controllers.
        """
        from parapick.control import delays_data, delays_table

        tables = (*answer.tables, delays_table(self.by_name, head))
        return replace(answer, tables=tables, data={**answer.data, "ledger": delays_data(self.by_name)})

    def with_gains(self, answer: Answer, model: Model, motion: Motion, head: str = "law") -> Answer:
        """An answer with these notes, and with the controllers' gains in the units of the drives.

        Args:
            answer: the answer.
            model: the robot.
            motion: the motion along which gains follow from poles.
            head: what the answer's other tables call the controllers.
        """
        from parapick.control import gains_tables

        tables = gains_tables(model, motion, self.by_name, head)
        return self.noted(replace(answer, tables=(*answer.tables, *tables)))


@Parameter(name="*", group=CONTROLLER)
@final
@dataclass(frozen=True)
class LoopOptions:
    """What a controller has otherwise than its file states.

    Attributes:
        law: Other laws in the place of the controller's, separated by commas.
        frequency: Natural frequency of the error (Hz), from which gains follow; 20 where nothing states gains.
        damping: Damping ratio of the error; 0.7 where nothing states gains.
        rate: Control rate (Hz); 4000 for a law by itself.
        joint_torque: Torque limit at the joints: drive (peak where the drives state one), peak, rated, none, or N m.
        encoder: Counts per motor turn, 0 for exact angles; 1048576 (20 bits) for a law by itself.
        delay: Whole samples between measurement and torque; 1 for a law by itself.
        lag: Time constant of the torque loops, such as 0.2ms.
        command_filter: Jerk time of the drives' command filter, such as 60ms; 0 for none.
        friction: Friction of the drives, as the robot file states it.
        plant: What the real robot has otherwise than the controller believes, such as limb.rod_mass=200g; repeatable.
        sharing: How redundant motors share; least-norm where nothing states it.
    """

    law: Annotated[str | None, Parameter(metavar="NAMES")] = None
    frequency: Real = None
    damping: Real = None
    rate: Real = None
    joint_torque: Amount = None
    encoder: Count = None
    delay: Count = None
    lag: Amount = None
    command_filter: Amount = None
    friction: bool | None = None
    plant: Pairs = ()
    sharing: Literal["least-norm", "least-peak"] | None = None

    @property
    def stated(self) -> dict[str, str]:
        """What controllers and their plants have otherwise than files state, by its path."""
        numbers = {name: getattr(self, name) for name in ("frequency", "damping", "rate", "encoder", "delay")}
        texts = {name: None if number is None else f"{number:g}" for name, number in numbers.items()}
        texts = {"law": self.law, **texts, "joint_torque": self.joint_torque, "lag": self.lag}
        texts |= {"command_filter": self.command_filter, "sharing": self.sharing}
        friction = None if self.friction is None else str(self.friction).lower()
        return {
            **{f"controller.{name}": text for name, text in given_texts(**texts).items()},
            **given_texts(**{"plant.friction": friction}),
            **{f"plant.{path}": text.strip() for path, text in map(_parameter, self.plant)},
        }

    def controllers(self, names: str | None, model: Model) -> AskedControllers:
        """The controllers that are asked for, all of them known before anything is computed.

        Args:
            names: laws, shipped controllers and paths, separated by commas.
            model: the robot.
        """
        from parapick.control import controllers_of, departures, with_law

        wanted = _words("--controller", names if names is not None else self.law or COMPARED)
        laws = [""] if self.law is None or names is None else _words("--law", self.law)
        pairs = [(one, with_law(one, law) if law else one) for one in controllers_of(wanted).values() for law in laws]
        controllers = controllers_of(self._changed(one, model) for _, one in pairs)
        notes = [
            f"{name} differs from its file: {', '.join(said)}"
            for (stated, _), (name, one) in zip(pairs, controllers.items(), strict=True)
            if stated.name and (said := departures(stated, one))
        ]
        return AskedControllers(controllers, tuple(notes))

    def _changed(self, controller: Controller, model: Model) -> Controller:
        from parapick.control import ledger_of, with_sharing_rule, with_true_sources

        plant = controller.plant if self.friction is None else replace(controller.plant, friction=self.friction)
        for path, value in si_numbers(dict(map(_parameter, self.plant))).items():
            plant = plant.with_parameter(path, value)
        changed = replace(controller, law=self._law(controller.law), plant=plant, **dict(self._fields(model)))
        if changed.exchange is not None or changed.computation is not None:
            # A delay or a rate of the command line may leave no room for what the file says of the bus and the law.
            ledger_of(changed)
        return with_true_sources(controller, with_sharing_rule(changed, model))

    def _fields(self, model: Model) -> Iterator[tuple[str, Any]]:
        """Fields of a controller that options give."""
        if self.rate is not None:
            yield "rate", self.rate
        if self.joint_torque is not None:
            yield "torque_max", _limit(model, self.joint_torque)
        if self.encoder is not None:
            yield "encoder", self.encoder or None
        if self.delay is not None:
            yield "delay", self.delay
        if self.lag is not None:
            yield "lag", parsed_amount("--lag", self.lag, "s", least=0.0)
        if self.command_filter is not None:
            yield "command_filter", parsed_amount("--command-filter", self.command_filter, "s", least=0.0)

    def _law(self, law: Any) -> Any:
        from parapick.control import Poles, by_poles

        given = {"frequency": self.frequency, "damping": self.damping}
        changes = {name: value for name, value in given.items() if value is not None}
        if changes:
            law = by_poles(law, replace(law.poles or Poles(), **changes))
        return replace(law, sharing=self.sharing) if self.sharing and hasattr(law, "sharing") else law


def _words(option: str, text: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise ParameterError(option, f"names no control law; there are {', '.join(LAWS)}")
    return words


def _parameter(text: str) -> tuple[str, str]:
    """A parameter of the plant, `path=value`."""
    path, sign, value = text.partition("=")
    if not sign:
        raise ParameterError("--plant", f"{text!r}: has no value; write it as limb.rod_mass=0.2 or limb.rod_mass=200g")
    return path.strip(), value


def _limit(model: Model, text: str) -> str | float | None:
    if text in ("drive", "peak", "rated"):
        return text
    return None if text == "none" else parsed_amount("--joint-torque", text, model.motors.axes[0].effort, least=0.0)
