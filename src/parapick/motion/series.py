"""Named phases of a motion, and what is carried from when on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

from parapick.mechanism import NOTHING, Payload


@final
@dataclass(frozen=True)
class Phase:
    """A named stretch of a motion; phases may overlap.

    Attributes:
        name: such as `lift`.
        start: when it begins (s).
        end: when it ends (s).
    """

    name: str
    start: float
    end: float


@final
@dataclass(frozen=True)
class PayloadStep:
    """From a time on, the tool carries a payload beyond the gripper, or none.

    Attributes:
        time: from when on (s).
        load: the payload, which may be nothing yet; None where the tool stays empty whatever is carried elsewhere.
    """

    time: float
    load: Payload | None

    @property
    def mass(self) -> float:
        """Mass of the payload (kg)."""
        return 0.0 if self.load is None else self.load.mass


def changes(bearing: Sequence[PayloadStep]) -> tuple[PayloadStep, ...]:
    """What is carried from when on: the steps at which it changes.

    Args:
        bearing: where the tool bears a payload, and which.
    """
    steps, before = list[PayloadStep](), NOTHING
    for step in bearing:
        load = step.load or NOTHING
        if load != before:
            steps.append(PayloadStep(step.time, load))
        before = load
    return tuple(steps)


def replaced(bearing: Sequence[PayloadStep], load: Payload) -> tuple[PayloadStep, ...]:
    """The same places with another payload; all along where there is none.

    Args:
        bearing: where the tool bears a payload, and which.
        load: the payload instead.
    """
    if all(step.load is None for step in bearing):
        return (PayloadStep(0.0, load),)
    return tuple(step if step.load is None else replace(step, load=load) for step in bearing)


def backwards(bearing: Sequence[PayloadStep], end: float) -> tuple[PayloadStep, ...]:
    """The same of a motion that is run backwards.

    Args:
        bearing: where the tool bears a payload, and which.
        end: duration of the motion (s).
    """
    loads = [None, *(step.load for step in bearing)]
    edges = [0.0, *(step.time for step in bearing), end]
    borne = [PayloadStep(end - edges[i + 1], loads[i]) for i in reversed(range(len(loads)))]
    return tuple(step for step in borne if step.time < end) if bearing else ()
