"""The log of a supervised run: what was recorded piece by piece, and what the supervisor saw and decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from parapick.answer import Place, Requirement, against
from parapick.mechanism import Workspace
from parapick.model import Model
from parapick.motion import Phase
from parapick.operation.faults import InjectedFault
from parapick.operation.guarded import guarded
from parapick.operation.onset import Onset
from parapick.operation.run_stop import stop_of
from parapick.operation.setup import Supervision
from parapick.operation.state_change import Change
from parapick.operation.supervised_run import SupervisedRun, Trip
from parapick.simulation import Divergence, LoopSeries, Outputs, Record, divergence_of
from parapick.supervision import (
    GUARDS,
    NAMES,
    TRACKING,
    CellMemory,
    Event,
    Guard,
    State,
    Watch,
    columns_of,
    guard_of,
    units_of,
)

_STATES: Final = [*State]


@final
@dataclass(frozen=True, eq=False)
class Piece:
    """A stretch of a run in one state.

    Attributes:
        state: the operating state.
        first: number of its first sample.
        series: what was followed, good samples only.
        outputs: what was recorded; behind the good samples the first bad one, where the loop diverged.
        phases: named stretches of its reference, from its beginning (s).
        entered: number of the sample at which the state was entered.
    """

    state: State
    first: int
    series: LoopSeries
    outputs: Outputs
    phases: tuple[Phase, ...]
    entered: int


class SupervisedLog:
    """The log of a run."""

    def __init__(self, watch: Watch, plant: Model, rate: float, faults: tuple[InjectedFault, ...]) -> None:
        self._watch, self._plant, self._rate, self._faults = watch, plant, rate, faults
        self._pieces: list[Piece] = []
        self._changes: list[tuple[int, State, Event, State, str]] = []
        self._trip: tuple[int, str, dict[str, np.ndarray]] | None = None
        self._nearest: dict[str, tuple[float, float, int, int]] = {}
        self.task: int | None = None

    @property
    def last(self) -> Outputs:
        """What was recorded last; empty before anything was."""
        return self._pieces[-1].outputs if self._pieces else {}

    def add(self, piece: Piece) -> None:
        """Note a stretch of the run.

        Args:
            piece: the stretch; one without samples is left out.
        """
        if len(piece.series.t) or (piece.outputs and len(piece.outputs["x"])):
            self._pieces.append(piece)

    def stepped(
        self, memories: tuple[CellMemory, CellMemory], sample: int, values: dict[str, np.ndarray]
    ) -> CellMemory:
        """Note a step of the supervisor; the answer is its memory after the step.

        Args:
            memories: what it remembered before and after.
            sample: number of the sample.
            values: quantities of the guards.
        """
        before, after = memories
        if after.state is not before.state and after.event is not None:
            cause = "" if after.cause < 0 else NAMES[after.cause]
            self._changes.append((sample, before.state, after.event, after.state, cause))
        if after.fault >= 0 > before.fault:
            self._trip = (sample, after.reason, values)
        return after

    def watched(self, first: int, values: dict[str, np.ndarray], count: int, state: State) -> None:
        """Note how near the guards come to their limits, until one has tripped.

        Args:
            first: number of the first sample.
            values: quantities of the guards (T, columns).
            count: how many of the samples count.
            state: the operating state.
        """
        if self._trip is not None and self._trip[0] < first:
            return
        for guard in GUARDS:
            limit, rows = self._watch.limits.values[guard.name], values[guard.name][:count]
            if not guard.measured or state not in guard.armed or not len(rows) or np.isinf(limit).all():
                continue
            # What is left: of upper limits as a share of them, of floors in the unit of the quantity.
            left = rows - limit if guard.floor else 1.0 - rows / limit
            left = np.where(np.isfinite(limit) & ~np.isnan(left), left, np.inf)
            place = int(np.argmin(left))
            if left.flat[place] < self._nearest.get(guard.name, (np.inf, 0.0, 0, 0))[0]:
                row, column = divmod(place, len(limit))
                self._nearest[guard.name] = (float(left.flat[place]), float(rows[row, column]), first + row, column)

    def run(self, fixed: Supervision, onsets: Sequence[Onset]) -> SupervisedRun:
        """What the run gives.

        Args:
            fixed: what stays the same during it.
            onsets: faults that began.
        """
        zero = self.task or 0
        record = self._record(fixed, zero)
        states = np.concatenate([np.full(len(piece.series.t), _STATES.index(piece.state)) for piece in self._pieces])
        changes = tuple(Change((change[0] - zero) / self._rate, *change) for change in self._changes)
        region = None if "workspace" in self._watch.limits.off else self._plant.numbers.workspace
        return SupervisedRun(
            record=record,
            states=states,
            changes=changes,
            trip=self._tripped(record, zero, onsets),
            stop=stop_of(self._plant, record, states, changes, region),
            workspace=None if region is None else workspace_left(region, record),
            nearest=tuple(self._nearest_to_limits(record, zero)),
            limits=self._watch.limits,
            faults=self._faults,
            begun=tuple(onset.fault for onset in onsets if onset.first < self._pieces[0].first + len(states)),
        )

    def _tripped(self, record: Record, zero: int, onsets: Sequence[Onset]) -> Trip | None:
        if self._trip is None:
            return None
        sample, name, values = self._trip
        guard, limit, value = guard_of(name), self._watch.limits.values[name], values[name]
        excess = limit - value if guard.floor else value / limit
        # What is not a number is beyond every limit.
        column = int(np.argmax(np.where(np.isfinite(limit), np.nan_to_num(excess, nan=np.inf), -np.inf)))
        begun = [onset.first for onset in onsets if onset.first <= sample and not onset.fault.command]
        requirement = self._guarded(record, zero, guard, column, float(value[column]), sample)
        # Some guards trip by how long their quantity lasts, whatever its number.
        return Trip(replace(requirement, ok=False), sample, sample - min(begun) if begun else None)

    def _nearest_to_limits(self, record: Record, zero: int) -> Iterator[Requirement]:
        for name, (_, value, sample, column) in self._nearest.items():
            yield self._guarded(record, zero, guard_of(name), column, value, sample)

    def _guarded(self, record: Record, zero: int, guard: Guard, column: int, value: float, sample: int) -> Requirement:
        """A quantity of a guard against its limit at a sample."""
        model = self._watch.model
        return guarded(
            guard,
            columns_of(model)[guard.name][column],
            value,
            float(self._watch.limits.values[guard.name][column]),
            units_of(model)[guard.name][column],
            time=(sample - zero) / self._rate,
            pose=tuple(record.x[min(sample - self._pieces[0].first, len(record.t) - 1)].tolist()),
        )

    def _record(self, fixed: Supervision, zero: int) -> Record:
        pieces = self._pieces
        series = LoopSeries.joined([piece.series for piece in pieces])
        t = (np.arange(len(series.t)) + pieces[0].first - zero) / self._rate
        return Record.of(
            fixed.assembly,
            fixed.engine,
            replace(series, t=t),
            _joined_outputs(pieces),
            phases=tuple(self._phases(zero)),
            divergence=self._divergence(zero),
        )

    def _divergence(self, zero: int) -> Divergence | None:
        last = self._pieces[-1]
        t = (np.arange(len(last.outputs["x"])) + last.first - zero) / self._rate
        return divergence_of(self._plant, last.outputs, len(last.series.t), t, self._rate)

    def _phases(self, zero: int) -> Iterator[Phase]:
        """Named stretches that were reached, up to where they were left."""
        for entered in dict.fromkeys(piece.entered for piece in self._pieces):
            pieces = [piece for piece in self._pieces if piece.entered == entered]
            start = (entered - zero) / self._rate
            end = (pieces[-1].first + len(pieces[-1].series.t) - zero) / self._rate
            phases = pieces[0].phases or (Phase(pieces[0].state.value, 0.0, end - start),)
            for phase in phases:
                if start + phase.start < end:
                    yield Phase(phase.name, start + phase.start, min(start + phase.end, end))


def _joined_outputs(pieces: Sequence[Piece]) -> Outputs:
    """What was recorded, one row per good sample; terms are 0 and estimates not numbers where the law was off."""
    names = dict.fromkeys(name for piece in pieces for name in piece.outputs)
    outputs = {}
    for name in names:
        shape = next(piece.outputs[name].shape[1:] for piece in pieces if name in piece.outputs)
        blank = 0.0 if name.startswith("term_") else np.nan
        parts = [
            piece.outputs[name][: len(piece.series.t)]
            if name in piece.outputs
            else np.full((len(piece.series.t), *shape), blank)
            for piece in pieces
        ]
        outputs[name] = np.concatenate(parts)
    return outputs


def workspace_left(region: Workspace, record: Record) -> Requirement | None:
    """What is left to the border of a workspace, at its least since the task began; None if it never did.

    Args:
        region: the workspace.
        record: the record of the whole run.
    """
    begun = np.flatnonzero(record.t >= -0.5 / record.rate)
    if not len(begun):
        return None
    left = region.slack(record.x[begun])[:, 0]
    row = int(np.argmin(left))
    return against(
        "workspace",
        "place of the plate",
        float(left[row]),
        unit="m",
        at_least=-TRACKING,
        place=Place.of(record, int(begun[row])),
        state=f"{1e3 * abs(left[row]):.4g} mm {'inside' if left[row] >= 0.0 else 'outside'} the stated workspace",
    )
