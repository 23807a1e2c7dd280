"""What the tool holds in closed loops: gripper and payload, as the plant has them and as each controller takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from parapick.mechanism import NOTHING, ToolLoads

if TYPE_CHECKING:
    from parapick.answer import Answer
    from parapick.control import Controller
    from parapick.model import Model
    from parapick.motion import Motion


class LoopLoads(NamedTuple):
    """Masses in the tool of a loop: what the plant holds, and what the controller takes it to hold."""

    held: ToolLoads
    known: ToolLoads

    @property
    def words(self) -> str:
        """Both in words, once where they agree; empty where the tool holds nothing."""
        if self.held == self.known:
            return self.held.words
        return f"{self.held.words or 'no payload'}; the controller takes it for {self.known.words or 'no payload'}"


def robots_of(controller: Controller, model: Model) -> tuple[Model, Model]:
    """The robot as the controller knows it, and as it is.

    What the controller takes the payload for does not change what the tool holds.
    """
    plant = controller.plant.applied(replace(controller.model, payload=None).applied(model))
    return controller.model.applied(model), plant


def carried(controller: Controller, motion: Motion, believed: Model, real: Model) -> tuple[Motion, Motion]:
    """The motion with the payload that the plant carries, and with the one that the controller knows of.

    Args:
        controller: whether it knows what the motion carries.
        believed: the robot as the controller knows it.
        real: the robot as it is.
    """
    known = believed.payload if controller.payload_known else NOTHING
    return motion.with_payload(real.payload), motion.with_payload(known)


def loop_loads(model: Model, motion: Motion, controller: Controller) -> LoopLoads:
    """Gripper and heaviest payload of a loop along a motion."""
    believed, real = robots_of(controller, model)
    held, known = carried(controller, motion, believed, real)
    pairs = ((real, held), (believed, known))
    return LoopLoads(*(ToolLoads(robot.gripper.mass, _heaviest(borne)) for robot, borne in pairs))


def with_loads(answer: Answer, model: Model, motion: Motion, controllers: Mapping[str, Controller]) -> Answer:
    """An answer about closed loops that states gripper and payload, each by itself.

    Args:
        controllers: controllers by name.
    """
    loads = {name: loop_loads(model, motion, controller) for name, controller in controllers.items()}
    stated = {name: {**load.held._asdict(), "known": load.known._asdict()} for name, load in loads.items()}
    title = "\n".join([answer.title, *_lines(loads)])
    return replace(answer, title=title, data={**answer.data, "loads": stated})


def _lines(loads: Mapping[str, LoopLoads]) -> Iterator[str]:
    """One line for all where they agree, else one for each."""
    if len(set(loads.values())) == 1:
        words = next(iter(loads.values())).words
        yield from (words,) if words else ()
        return
    yield from (f"{name}: {load.words or 'no payload'}" for name, load in loads.items())


def _heaviest(motion: Motion) -> float:
    return max((step.mass for step in motion.payload), default=0.0)
