"""The log of a supervised run: what was recorded piece by piece, and what the supervisor saw and decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.mechanism.region import Workspace
from parapick.model import Model
from parapick.model.reach import SLACKS, Reach
from parapick.motion.series import Phase
from parapick.simulation.divergence import last_good, named
from parapick.simulation.faults import InjectedFault
from parapick.simulation.machines import Outputs
from parapick.simulation.record import Divergence, Record
from parapick.simulation.series import LoopSeries
from parapick.simulation.stages import Onset
from parapick.simulation.supervised_run import Change, Nearest, Stop, SupervisedRun, Trip
from parapick.simulation.supervised_setup import Supervision
from parapick.supervision import (
    GUARDS,
    NAMES,
    CellMemory,
    Event,
    State,
    Watch,
    columns_of,
    guard_of,
    units_of,
)
from parapick.supervision.limits import STANDSTILL

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

    def run(self, fixed: Supervision, law: str, onsets: Sequence[Onset]) -> SupervisedRun:
        """What the run gives.

        Args:
            fixed: what stays the same during it.
            law: name of the law.
            onsets: faults that began.
        """
        zero = self.task or 0
        record = self._record(fixed, law, zero)
        states = np.concatenate([np.full(len(piece.series.t), _STATES.index(piece.state)) for piece in self._pieces])
        changes = tuple(Change((one[0] - zero) / self._rate, *one) for one in self._changes)
        region = None if "workspace" in self._watch.limits.off else self._plant.numbers.workspace
        return SupervisedRun(
            record=record,
            states=states,
            changes=changes,
            trip=self._tripped(zero, onsets),
            stop=stop_of(self._plant, record, states, changes, region),
            workspace=None if region is None else _farthest(region, record),
            nearest=tuple(self._near(zero)),
            limits=self._watch.limits,
            faults=self._faults,
        )

    def _tripped(self, zero: int, onsets: Sequence[Onset]) -> Trip | None:
        if self._trip is None:
            return None
        sample, name, values = self._trip
        guard, limit, value = guard_of(name), self._watch.limits.values[name], values[name]
        excess = limit - value if guard.floor else value / limit
        # What is not a number is beyond every limit.
        column = int(np.argmax(np.where(np.isfinite(limit), np.nan_to_num(excess, nan=np.inf), -np.inf)))
        begun = [onset.first for onset in onsets if onset.first <= sample]
        model = self._watch.model
        return Trip(
            guard=name,
            where=columns_of(model)[name][column],
            value=float(value[column]),
            limit=float(limit[column]),
            unit=units_of(model)[name][column],
            time=(sample - zero) / self._rate,
            sample=sample,
            samples=sample - min(begun) if begun else None,
        )

    def _near(self, zero: int) -> Iterator[Nearest]:
        model, limits = self._watch.model, self._watch.limits.values
        for name, (_, value, sample, column) in self._nearest.items():
            where, unit = columns_of(model)[name][column], units_of(model)[name][column]
            yield Nearest(name, where, value, float(limits[name][column]), unit, (sample - zero) / self._rate)

    def _record(self, fixed: Supervision, law: str, zero: int) -> Record:
        model, plant, pieces = fixed.model, fixed.plant, self._pieces
        x, xd, xdd = (np.concatenate([getattr(piece.series, name) for piece in pieces]) for name in ("x", "xd", "xdd"))
        t = (np.arange(len(x)) + pieces[0].first - zero) / self._rate
        outputs, noise = _joined(pieces), fixed.made.controller.plant.noise
        return Record(
            robot=model.robot.name,
            law=law,
            engine=fixed.engine,
            rate=self._rate,
            substeps=fixed.substeps,
            task_names=model.robot.task_names,
            torque_max=np.array(fixed.loop.drives.torque_max),
            speed_max=plant.motors.peak_speed / plant.motors.ratio,
            effort=plant.motors.torque_unit,
            phases=tuple(self._phases(zero)),
            t=t,
            x_ref=x,
            xd_ref=xd,
            xdd_ref=xdd,
            q_ref=model.inverse_kinematics(x),
            qd_ref=model.joint_rates(x, xd),
            **{name: outputs[name] for name in ("x", "xd", "q", "qd", "q_meas", "command", "torque", "friction")},
            estimate={name.removesuffix("_est"): outputs[name] for name in outputs if name.endswith("_est")},
            terms={name.removeprefix("term_"): outputs[name] for name in outputs if name.startswith("term_")},
            motor={name: outputs[name] for name in ("q_motor", "qd_motor") if name in outputs},
            cycle=fixed.made.cycle,
            seed=None if noise is None else noise.seed,
            divergence=self._divergence(zero),
        )

    def _divergence(self, zero: int) -> Divergence | None:
        last = self._pieces[-1]
        if last_good(last.outputs) == len(last.outputs["x"]):
            return None
        t = (np.arange(len(last.outputs["x"])) + last.first - zero) / self._rate
        return named(self._plant, last.outputs, t, self._rate)

    def _phases(self, zero: int) -> Iterator[Phase]:
        """Named stretches that were reached, up to where they were left."""
        for entered in dict.fromkeys(piece.entered for piece in self._pieces):
            pieces = [piece for piece in self._pieces if piece.entered == entered]
            start = (entered - zero) / self._rate
            end = (pieces[-1].first + len(pieces[-1].series.t) - zero) / self._rate
            own = pieces[0].phases or (Phase(pieces[0].state.value, 0.0, end - start),)
            for phase in own:
                if start + phase.start < end:
                    yield Phase(phase.name, start + phase.start, min(start + phase.end, end))


def _joined(pieces: Sequence[Piece]) -> Outputs:
    """What was recorded, one row per good sample; terms are 0 and estimates not numbers where the law was off."""
    names = dict.fromkeys(name for piece in pieces for name in piece.outputs)
    joined = {}
    for name in names:
        shape = next(piece.outputs[name].shape[1:] for piece in pieces if name in piece.outputs)
        blank = 0.0 if name.startswith("term_") else np.nan
        parts = [
            piece.outputs[name][: len(piece.series.t)]
            if name in piece.outputs
            else np.full((len(piece.series.t), *shape), blank)
            for piece in pieces
        ]
        joined[name] = np.concatenate(parts)
    return joined


def stop_of(
    plant: Model, record: Record, states: np.ndarray, changes: Sequence[Change], region: Workspace | None
) -> Stop | None:
    """How a robot came to rest; None where it was not stopped.

    A joint rests from where on it moves no faster than `STANDSTILL`.

    Args:
        plant: the robot as it is.
        record: the record of the whole run.
        states: the operating states (T,).
        changes: changes of the state.
        region: the workspace that counts, if any.
    """
    stops = [change for change in changes if change.after in (State.STOPPING, State.FAULT)]
    first = stops[0].sample if stops else len(states)
    if first >= len(states):
        return None
    braking = any(change.event is Event.BRAKE for change in changes)
    moving = np.flatnonzero(np.any(~(np.abs(record.qd[first:]) <= STANDSTILL), axis=-1))
    rest = first + (int(moving[-1]) + 1 if len(moving) else 0)
    during = slice(first, min(rest, len(states) - 1) + 1)
    x = record.x[during]
    reach, border = plant.reach(x), None if region is None else region.slack(x).min(axis=0)
    powered = record.torque[during][states[during] == _STATES.index(State.STOPPING)]
    torque = float(np.max(np.abs(powered) / record.torque_max, initial=0.0))
    speed = float(np.max(np.abs(record.qd[during]) / record.speed_max))
    off_path = np.linalg.norm((x - x[0])[:, :3], axis=-1) if braking else record.path_normal[during]
    return Stop(
        kind="brakes" if braking else "path",
        start=float(record.t[first]),
        duration=(rest - first) / record.rate,
        length=float(np.sum(np.linalg.norm(np.diff(x[:, :3], axis=0), axis=-1))),
        off_path=float(np.max(off_path)),
        torque=torque if np.isfinite(record.torque_max).any() else None,
        speed=speed if np.isfinite(record.speed_max).any() else None,
        slack=_least(reach, "m"),
        angle=angle if np.isfinite(angle := _least(reach, "rad")) else None,
        workspace=None if border is None else float(border[0]),
        turn=None if border is None or len(border) < 2 else float(border[1]),
        rested=rest < len(states),
    )


def _farthest(region: Workspace, record: Record) -> float | None:
    """Smallest distance to the border of a workspace from the beginning of the task on (m); None if it never began."""
    begun = record.x[record.t >= -0.5 / record.rate]
    return float(np.min(region.slack(begun)[:, 0])) if len(begun) else None


def _least(reach: Reach, unit: str) -> float:
    """Smallest slack of a unit over poses."""
    return min((float(np.min(reach.slack(kind))) for kind in SLACKS if reach.unit(kind) == unit), default=np.inf)
