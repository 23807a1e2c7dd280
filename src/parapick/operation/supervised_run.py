"""A supervised run: its record, the states over time, what tripped, and how the robot stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from parapick.answer import Answer, Requirement, Table
from parapick.deferred import fetched
from parapick.operation.faults import InjectedFault
from parapick.operation.guarded import whose
from parapick.operation.run_stop import Stop
from parapick.operation.state_change import Change
from parapick.simulation import Record
from parapick.supervision import Event, State, WatchedLimits


@final
@dataclass(frozen=True)
class Trip:
    """A guard that tripped; its reason stays until a reset.

    Attributes:
        requirement: what was not kept: the guard by its name, value and limit, where and when.
        sample: at which sample.
        samples: samples since the first fault that was made on purpose began; None without one before. What the
            operator asks for is none.
    """

    requirement: Requirement
    sample: int
    samples: int | None

    @property
    def guard(self) -> str:
        """Name of the guard."""
        return self.requirement.name

    @property
    def where(self) -> str:
        """What it is about, such as "motor 2"; empty where it is about the whole robot."""
        return whose(self.requirement)

    @property
    def text(self) -> str:
        """The reason in words, without the place."""
        return self.requirement.brief


@final
@dataclass(frozen=True, eq=False)
class SupervisedRun:
    """A supervised run; T samples.

    Attributes:
        record: the record of the whole run; its time counts from the beginning of the task.
        states: the operating state at every sample (T,), an index into `State`'s members.
        changes: changes of the state.
        trip: what tripped first; None where nothing did.
        stop: how the robot came to rest; None where it was not stopped.
        nearest: how near every guard came to its limit before anything tripped; see `guarded`.
        limits: the limits of the guards.
        faults: what was to be made to go wrong.
        begun: those of them that began before the run ended.
        workspace: what was left to the border of the stated workspace where the plate came nearest to it, or left it;
            None without one, where its guard is switched off, and where the task never began.
    """

    record: Record
    states: np.ndarray
    changes: tuple[Change, ...]
    trip: Trip | None
    stop: Stop | None
    nearest: tuple[Requirement, ...]
    limits: WatchedLimits
    faults: tuple[InjectedFault, ...]
    begun: tuple[InjectedFault, ...]
    workspace: Requirement | None = None

    @property
    def ok(self) -> bool:
        """Whether it did what it should: nothing tripped unasked, and the robot stayed within its limits."""
        return not fetched("parapick.operation.run_answer", "objection")(self)

    def answer(self) -> Answer:
        """The states over time, how near the guards came to their limits, and how the robot stopped."""
        return fetched("parapick.operation.run_answer", "run_answer")(self)

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "states".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        end = "finished" if self.finished else f"ended in {self.state.value}"
        tripped = "" if self.trip is None else f", tripped by {self.trip.guard}"
        return f"<SupervisedRun of {self.record.robot} under {self.record.law}: {end}{tripped}>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()

    @property
    def state(self) -> State:
        """The state at the end."""
        return self.changes[-1].after

    @property
    def finished(self) -> bool:
        """Whether the task was run through to its end."""
        return any(change.event is Event.FINISHED for change in self.changes)

    @property
    def task(self) -> Record:
        """The record of the task alone, without what led to it, up to where it was stopped; empty if it never began."""
        running = (self.states == [*State].index(State.RUNNING)) & (self.record.t >= -0.5 / self.record.rate)
        return self.record.rows(running)
