"""Controllers by what people ask for: a law by its name on an ordinary machine, or a controller file."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from parapick.control.controller import CallableLaw, Controller, law_name
from parapick.control.files import load_controller
from parapick.control.laws import LAWS
from parapick.control.poles import Poles
from parapick.control.sensing import Differenced
from parapick.control.stage import ControlLaw
from parapick.control.tuned import law_named, sharing_by_default
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.model import Model

RATE: Final = 4000.0
"""Control rate (Hz), that of an ordinary drive bus."""

DELAY: Final = 1
"""Samples between measurement and torque: what a bus cycle takes."""

ENCODER: Final = 2**20
"""Counts a motor turn: 20 bits, as encoders of present servo motors resolve (SICK EKM36, for example). On joints
without a gearbox 16 bits make the usual laws chatter: the steps of the measured speed swing their torque."""

ControllerChoice = str | os.PathLike[str] | Controller
"""A law or a shipped controller by its name, the path of a controller file, or a controller."""


def machine_controller(law: ControlLaw | str) -> Controller:
    """A law on an ordinary machine: sampled at 4 kHz, one sample late, with encoders of 20 bits.

    Args:
        law: the law, or its name for one with gains from the usual poles.

    Raises:
        UnknownControlLawError: no law has this name.
    """
    placed = law_named(law)(poles=Poles()) if isinstance(law, str) else law
    return Controller(placed, rate=RATE, delay=DELAY, encoder=ENCODER)


def controllers_of(choices: Iterable[ControllerChoice]) -> dict[str, Controller]:
    """Controllers by what each is called.

    Args:
        choices: laws and controllers.

    Raises:
        UnknownControllerError: neither a law nor a shipped controller has this name.
        ControllerFileError: a file that does not describe a controller.
        ParameterError: two that are called alike.
    """
    controllers: dict[str, Controller] = {}
    for choice in choices:
        if isinstance(choice, Controller):
            controller = choice
        elif not isinstance(choice, (str, os.PathLike)):
            valid = "it must be a Controller, or the name or path of one"
            raise ParameterError("controller", f"is a {type(choice).__name__}; {valid}")
        else:
            name = os.fspath(choice)
            controller = machine_controller(name) if name in LAWS else load_controller(choice)
        if controller.run_name in controllers:
            raise ParameterError("controller", f"two are called {controller.run_name!r}; give them names of their own")
        controllers[controller.run_name] = controller
    return controllers


def controller_of(
    choice: ControllerChoice | ControlLaw | CallableLaw, model: Model
) -> Controller | ControlLaw | CallableLaw:
    """The controller, or the law, that a verb is asked about.

    Args:
        choice: a controller, a law, a function of time, `Measured` and `Reference`, the name of a law or of a shipped
            controller, or the path of a file. One by name or path gets a sharing rule where the robot needs one.

    Raises:
        UnknownControllerError: neither a law nor a shipped controller has this name.
        ControllerFileError: a file that does not describe a controller.
        ParameterError: it is something else, such as a task.
    """
    if isinstance(choice, (str, os.PathLike)):
        (named,) = controllers_of([choice]).values()
        return with_sharing_rule(named, model)
    if isinstance(choice, (Controller, ControlLaw)) or callable(choice):
        return choice
    valid = "it must be a Controller, a control law, a function, or a name or path of one"
    raise ParameterError("controller", f"is a {type(choice).__name__}; {valid}")


def controllers_by_name(
    choices: ControllerChoice | Iterable[ControllerChoice] | Mapping[str, Controller], model: Model
) -> dict[str, Controller]:
    """Controllers by name, of one choice or of several.

    Args:
        choices: one choice, several, or controllers by name, which stay as they are.

    Raises:
        ParapickError: see `controllers_of`.
    """
    if isinstance(choices, Mapping):
        return {str(name): controller for name, controller in choices.items()}
    alone = isinstance(choices, (str, os.PathLike, Controller))
    several = controllers_of([choices] if alone else choices)
    return {name: with_sharing_rule(controller, model) for name, controller in several.items()}


def with_sharing_rule(controller: Controller, model: Model) -> Controller:
    """The same controller; its law shares by least norm where a redundant robot needs a rule and it states none."""
    return replace(controller, law=sharing_by_default(controller.law, model))


def condition_notes(controllers: Mapping[str, Controller]) -> Iterator[str]:
    """What loops are run with, in sentences; once where it is the same for all.

    Args:
        controllers: controllers by name.
    """
    texts = {name: _condition(controller) for name, controller in controllers.items()}
    if len(set(texts.values())) == 1:
        yield next(iter(texts.values()))
    else:
        yield from (f"{name}: {text}" for name, text in texts.items())


def _condition(controller: Controller) -> str:
    late = {0: "torques without delay", 1: "torques one sample late"}
    parts = (
        _gains(controller.law),
        f"sampled at {controller.rate / 1e3:g} kHz",
        late.get(controller.delay, f"torques {controller.delay} samples late"),
        _encoders(controller.encoder),
        _rates(controller.law),
        *((f"commands averaged over {1e3 * controller.command_filter:g} ms",) if controller.command_filter else ()),
    )
    return ", ".join(parts)


def _gains(law: Any) -> str:
    poles = getattr(law, "poles", None)
    if poles is None:
        return f"{law_name(law)} with its own gains"
    return f"gains from {_listed(poles.frequency)} Hz and a damping of {_listed(poles.damping)}"


def _listed(numbers: Any) -> str:
    return "/".join(f"{number:g}" for number in numbers) if isinstance(numbers, tuple) else f"{numbers:g}"


def _encoders(encoder: Any) -> str:
    if encoder is None:
        return "exact angles"
    if not isinstance(encoder, (int, float)):
        return "encoders of the resolution stated"
    bits = math.log2(encoder)
    counts = f"{bits:.0f} bits" if bits == round(bits) else f"{encoder:g} counts"
    return f"encoders of {counts} per motor turn"


def _rates(law: Any) -> str:
    velocity = getattr(law, "velocity", None)
    if not isinstance(velocity, Differenced):
        return "exact speeds"
    return (
        "speeds from differences"
        if velocity.cutoff is None
        else f"speeds from differences through a filter of {velocity.cutoff:g} Hz"
    )
