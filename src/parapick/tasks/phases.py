"""Motions phase by phase, each from where and with the speed that the one before it ended: machines beside belts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Final, Literal, final

from parapick.errors import FileProblem, MotionError
from parapick.fields import POSE, label, quantity
from parapick.forms import Listed, Text, table_of
from parapick.mechanism import Payload
from parapick.motion import (
    Law,
    LawForm,
    Motion,
    PayloadStep,
    change_speed,
    intercept,
    law_of,
    track,
)
from parapick.ride import check_poses
from parapick.tasks.base_task import AnyTask, fitting, moved, payload_of
from parapick.tasks.load_form import LoadForm

if TYPE_CHECKING:
    from parapick.model import Model

_RATE: Final = ("m/s", "m/s", "m/s", "rad/s")
_PHASES_MAX: Final = 1000


@final
@dataclass(frozen=True, kw_only=True)
class PhaseTable:
    """A phase: a move to a pose, a change of speed, or, with neither, on at the speed that there is."""

    name: str = label("what it is called", form=Text())
    duration: float = quantity("s", "how long it takes", above=0.0)
    to: tuple[float, ...] | None = quantity("", "pose at its end", units=POSE, default=None)
    velocity: tuple[float, ...] | None = quantity(
        "", "velocity at its end; without it that of its start", units=_RATE, default=None
    )
    ramp_time: float | None = quantity(
        "s", "of a move to a pose: time to speed up, and to slow down", default=None, above=0.0
    )
    bend: tuple[float, ...] = quantity(
        "", "of a move to a pose: speed by which the path is bent aside", units=_RATE, default=()
    )
    yaw_law: Law | None = label(
        "of a move to a pose: time law of yaw over the whole phase, instead of along with the rest",
        default=None,
        form=LawForm(),
    )
    stroke: tuple[float, ...] = quantity(
        "", "what is added to going on at the same speed, such as a descent", units=POSE, default=()
    )
    law: Law = label(
        "time law of the stroke, or whose acceleration makes the ramps",
        default=law_of("modified-trapezoid"),
        form=LawForm(),
    )
    carries: bool = label("whether the payload is carried meanwhile", default=True)

    def problems(self) -> Iterator[tuple[str, str]]:
        """Fields that do not go together, by name, and why."""
        if self.to is None:
            given = {"ramp_time": self.ramp_time, "bend": self.bend, "yaw_law": self.yaw_law}
            yield from ((name, "is for a move to a pose; give `to`") for name, value in given.items() if value)
        elif self.ramp_time is None:
            yield "ramp_time", "is missing: a move to a pose needs the time to speed up"
        elif self.ramp_time > self.duration / 2:
            yield "ramp_time", f"is {self.ramp_time:g} s; it must be at most half of the duration"
        if self.stroke and (self.to is not None or self.velocity is not None):
            yield "stroke", "is for going on at the same speed; leave out `to` and `velocity`"


@final
@dataclass(frozen=True, kw_only=True)
class PhasesTask(AnyTask):
    """A motion phase by phase, from rest to rest."""

    kind: Literal["phases"] = label("a motion phase by phase, from rest to rest", default="phases")
    start: tuple[float, ...] = quantity("", "pose at the start", units=POSE)
    phases: tuple[PhaseTable, ...] = label(
        "the phases in their order", form=Listed((table_of(PhaseTable),), 1, _PHASES_MAX)
    )
    payload: float | Payload = label(
        "what is carried: a mass (kg), or a table with mass, offset and inertia", default=0.0, form=LoadForm()
    )
    synchronized: bool = label(
        "whether it meets something that moves, such as a belt, so that no other timing would do", default=False
    )

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot or for none.

        Args:
            model: the robot.
        """
        start = self._pose(model, self.start)
        poses = {phase.name: self._pose(model, phase.to) for phase in self.phases if phase.to is not None}
        if model is not None:
            check_poses(model, {"start": start, **poses})
        pieces, pose, velocity = list[Motion](), start, (0.0,) * len(start)
        for phase in self.phases:
            after = velocity if phase.velocity is None else _sized(phase.velocity, len(start))
            piece = _piece(phase, pose, (velocity, after), poses.get(phase.name))
            pieces.append(piece.named(phase.name))
            pose, velocity = tuple(piece.end.tolist()), after
        motion = self._loaded(reduce(Motion.then, pieces)).with_payload(payload_of(model))
        return motion.synchronized() if self.synchronized else motion

    def problems(self) -> tuple[FileProblem, ...]:
        """What stands against it whatever the robot: fields that do not go together, names, a speed at the end."""
        wrong = [
            FileProblem(f"phases.{i}.{name}", text)
            for i, phase in enumerate(self.phases, start=1)
            for name, text in phase.problems()
        ]
        names = [phase.name for phase in self.phases]
        for i, name in enumerate(names, start=1):
            if name in names[: i - 1]:
                wrong.append(FileProblem(f"phases.{i}.name", f"is {name!r}, as that of another phase"))
        last = next((phase.velocity for phase in reversed(self.phases) if phase.velocity is not None), ())
        if any(last):
            wrong.append(FileProblem("phases", "do not end at rest; give the last one velocity = [0, 0, 0]"))
        return tuple(wrong)

    def _loaded(self, motion: Motion) -> Motion:
        """The motion with its payload, picked up and released where phases that carry it begin and end."""
        load, steps, held = Payload.of(self.payload), list[PayloadStep](), False
        for phase, span in zip(self.phases, motion.phases, strict=True):
            if phase.carries != held:
                held = phase.carries
                steps.append(PayloadStep(span.start, load if held else None))
        end = (PayloadStep(motion.duration, None),) if held else ()
        return replace(motion, bearing=(*steps, *end))

    def _pose(self, model: Model | None, pose: tuple[float, ...]) -> tuple[float, ...]:
        return fitting(model, moved(model, self.frame, pose))


def _piece(
    phase: PhaseTable,
    pose: tuple[float, ...],
    velocities: tuple[tuple[float, ...], tuple[float, ...]],
    end: tuple[float, ...] | None,
) -> Motion:
    """The motion of a phase, given where and how fast it begins, how fast it ends, and where if that is stated."""
    before, after = velocities
    if end is not None and phase.ramp_time is not None:
        return intercept(
            pose,
            end,
            duration=phase.duration,
            ramp_time=phase.ramp_time,
            velocities=velocities,
            bend=_sized(phase.bend, len(pose)),
            law=phase.law,
            yaw_law=phase.yaw_law,
        )
    if after != before:
        return change_speed(pose, before, after, phase.duration, law=phase.law)
    return track(pose, before, phase.duration, stroke=_sized(phase.stroke, len(pose)), law=phase.law)


def _sized(values: tuple[float, ...], dof: int) -> tuple[float, ...]:
    """A velocity, bend or stroke with as many coordinates as poses have; nothing where none is given."""
    if any(values[dof:]):
        raise MotionError(f"a phase turns by {values[3]:g}; without a yaw the poses have {dof} coordinates")
    return (*values, 0.0)[:dof] if values else ()
