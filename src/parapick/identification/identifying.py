"""`identify`: friction, payload and inertial numbers of a robot from a log of its motion.

Least squares on torques that are linear in what is asked for, with the delay between the two channels of the log, and
Stribeck's speeds by a scan around it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.deferred import fetched
from parapick.errors import ParameterError, ParapickError
from parapick.identification.base_parameters import base_parameters
from parapick.identification.filtering import cutoff_of
from parapick.identification.least_squares import CONFIDENCE, Fit
from parapick.identification.log import Log, read_log
from parapick.identification.measured_motion import MeasuredMotion, motions_or_hint
from parapick.identification.regression import LEAD_MAX, Regression, stribeck_speeds
from parapick.identification.unknowns import STILL, Stribeck, Unknown, unknowns_of
from parapick.progress import Listener, tell
from parapick.robots import RobotChoice, model_of
from parapick.units import quantity

if TYPE_CHECKING:
    from parapick.answer import Answer, Table
    from parapick.model import Model

ESTIMATED: Final = ("friction", "payload")
"""What is identified where nothing is asked for."""

UNSURE: Final = 0.5
"""Half of a 95 % interval, as a share of the number, beyond which an inertial number counts as not excited."""


@final
@dataclass(frozen=True)
class Estimate:
    """A number that was identified.

    Attributes:
        unknown: what it is.
        value: the number (SI); the file's where it could not be told.
        deviation: standard deviation (SI); NaN where it could not be told.
        critical: standard deviations to either side that hold 95 %.
        why: why it could not be told; empty where it was.
    """

    unknown: Unknown
    value: float
    deviation: float
    critical: float = CONFIDENCE
    why: str = ""

    @property
    def half(self) -> float:
        """Half of the 95 % interval."""
        return self.critical * self.deviation

    @property
    def identified(self) -> bool:
        """Whether it was identified."""
        return not self.why

    @property
    def sure(self) -> bool:
        """Whether it was identified, and its interval does not hold 0."""
        return self.identified and abs(self.value) >= self.half


@final
@dataclass(frozen=True, eq=False, repr=False)
class Identification:
    """What was identified from a log.

    Attributes:
        model: the robot, with its file's numbers.
        log: the log.
        cutoff: cutoff of torques (Hz).
        estimates: every number that was asked for.
        lead: by how much torques are recorded before they act (s), and its standard deviation; NaN where it was given.
        lead_deviation: of it.
        speeds: speed of Stribeck's decay (rad/s) by motor from 0, where it was identified.
        fit: the least squares.
        density: rows per second that were kept (Hz).
    """

    model: Model
    log: Log
    cutoff: float
    estimates: tuple[Estimate, ...]
    lead: float
    lead_deviation: float
    speeds: Mapping[int, float]
    fit: Fit
    density: float

    @property
    def ok(self) -> bool:
        """Whether something was identified, and nothing speaks against the log."""
        return self.answer().ok

    def answer(self) -> Answer:
        """Every number with its interval, what is left of the log, and what speaks against it."""
        residual = fetched("parapick.identification.residual", "residual_of")(self, self.log)
        doubts = fetched("parapick.identification.doubts", "doubts_of")(self, residual)
        return fetched("parapick.identification.identification_answer", "identification_answer")(
            self, (residual,), doubts
        )

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "estimates".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        sure = sum(one.identified for one in self.estimates)
        return (
            f"<Identification of {self.model.robot.name} from {self.log.file}: {sure} of {len(self.estimates)} numbers>"
        )

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()

    def value(self, name: str) -> float:
        """A number that was identified.

        Args:
            name: its name.

        Raises:
            ParameterError: it was not asked for.
        """
        for estimate in self.estimates:
            if estimate.unknown.name == name:
                return estimate.value
        raise ParameterError(name, f"was not identified; there are {', '.join(e.unknown.name for e in self.estimates)}")

    def stribeck(self) -> dict[int, Stribeck]:
        """Stribeck's friction by motor from 0, where it was identified."""
        excess = self.friction("stribeck")
        return {i: Stribeck(float(excess[i]), speed) for i, speed in self.speeds.items()}

    def friction(self, kind: str) -> np.ndarray:
        """Friction of every motor (n,); the file's where it was not identified, 0 where it cannot be told from 0.

        Args:
            kind: "coulomb", "viscous" or "stribeck".
        """
        values = np.array(getattr(self.model.motors, kind))
        for estimate in self.estimates:
            if estimate.unknown.name.startswith(f"friction.{kind}."):
                believed = max(estimate.value, 0.0) if estimate.sure else 0.0
                values[int(estimate.unknown.name.rpartition(".")[2]) - 1] = (
                    believed if estimate.identified else estimate.value
                )
        return values


def identify(
    robot: RobotChoice,
    log: Log | str | os.PathLike[str],
    estimate: Sequence[str] = ESTIMATED,
    *,
    cutoff: float | str | None = None,
    lead: float | str | None = None,
    progress: Listener | None = None,
) -> Identification:
    """Identify numbers of a robot from a log.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file; as its file states it.
        log: a log with torques, or the path of one that is read by the usual headings, at the joints.
        estimate: what to identify: words of `GROUPS`, and paths of inertial numbers.
        cutoff: cutoff of torques (Hz, or a text such as "80 Hz"); by the steps of the encoders if not given.
        lead: by how much torques are recorded before they act (s, or a text such as "1 ms"); identified if not given.
        progress: called before every least-squares solution; what it raises ends the work.

    Raises:
        ParapickError: a log without torques, in which nothing moves, or without a stretch that is long enough.
        ParameterError: something that cannot be identified, or a cutoff that the log does not allow.
    """
    model = model_of(robot)
    log = log if isinstance(log, Log) else read_log(log, model)
    lead = None if lead is None else quantity("lead", lead, "s")
    unknowns = unknowns_of(model, estimate)
    _check(log, unknowns, lead)
    chosen = cutoff_of(log, None if cutoff is None else quantity("cutoff", cutoff, "Hz"))
    motions = motions_or_hint(model, log, chosen)
    _check_moving(log, motions)
    task = Regression(model, unknowns, motions, chosen, lead)
    _check_counted(log, task)
    start = stribeck_speeds(task) if any(".stribeck." in one.name for one in unknowns) else {}
    held = task.unexcited()
    while True:
        # Inertial numbers that the motion does not excite are held one by one, the least sure first.
        tell(progress, "least squares", len(held))
        fit, best_lead, known = task.solved(start, held)
        worst = _least_sure(unknowns, fit, held)
        if worst is None:
            break
        held[worst] = "the motion does not excite it: its 95 % interval is as wide as itself"
    speeds = {i: one.speed for i, one in known.items()}
    estimates = _estimates(model, unknowns, fit, held, motions, speeds)
    deviation = math.nan if lead is not None else float(fit.deviation[-1])
    return Identification(model, log, chosen, estimates, best_lead, deviation, speeds, fit, task.density)


def _check(log: Log, unknowns: Sequence[Unknown], lead: float | None) -> None:
    """Raise if there is nothing to identify, or nothing to identify it from."""
    if not unknowns:
        raise ParameterError("estimate", "names nothing; give friction, payload or inertia")
    if log.torque is None:
        there = ", ".join(log.headings.values())
        raise ParapickError(
            f"{log.file}: has neither torques nor currents, from which all is identified; read are {there}"
        )
    if lead is not None and not abs(lead) <= LEAD_MAX:
        raise ParameterError("lead", f"is {lead:g} s; it must be at most {LEAD_MAX:g} s, with either sign")


def _check_moving(log: Log, motions: Sequence[MeasuredMotion]) -> None:
    """Raise if no joint moves."""
    largest = np.max([np.abs(motion.qd).max(axis=0) for motion in motions], axis=0)
    if not (largest > STILL).any():
        raise ParapickError(
            f"{log.file}: no joint moves faster than {largest.max():.2g} rad/s: nothing can be identified from it"
        )


def _check_counted(log: Log, task: Regression) -> None:
    """Raise if fewer samples count than there are unknowns."""
    count = len(task.rows({}, 0.0)[0])
    if count <= len(task.unknowns):
        raise ParapickError(
            f"{log.file}: only {count} samples count for {len(task.unknowns)} unknowns: at {task.cutoff:.3g} Hz "
            "the joints turn back too soon, or the log is too short; log a longer motion, or give a larger cutoff"
        )


def _least_sure(unknowns: Sequence[Unknown], fit: Fit, held: Mapping[str, str]) -> str | None:
    """The inertial number of the file that is least sure, where it is too unsure to count."""
    unsure = {
        one.name: fit.critical * fit.deviation[k] / max(one.file, abs(fit.values[k]))
        for k, one in enumerate(unknowns)
        if fit.kept[k] and one.name not in held and not one.name.startswith(("friction.", "gripper."))
    }
    name = max(unsure, key=lambda one: unsure[one], default=None)
    return name if name is not None and unsure[name] > UNSURE else None


def _estimates(
    model: Model,
    unknowns: Sequence[Unknown],
    fit: Fit,
    held: Mapping[str, str],
    motions: Sequence[MeasuredMotion],
    speeds: Mapping[int, float],
) -> tuple[Estimate, ...]:
    speed = np.max([np.abs(motion.qd).max(axis=0) for motion in motions], axis=0)
    estimates = []
    for k, one in enumerate(unknowns):
        base = 0.0 if one.name.startswith("friction.") else one.file
        if ".stribeck_speed." in one.name:
            base = speeds.get(int(one.name.rpartition(".")[2]) - 1, one.file)
        if fit.kept[k]:
            estimates.append(Estimate(one, base + float(fit.values[k]), float(fit.deviation[k]), fit.critical))
            continue
        still = one.name.startswith("friction.") and speed[int(one.name.rpartition(".")[2]) - 1] <= STILL
        known = held.get(one.name) if one.name not in base_parameters(model).idle else None
        why = "its joint does not move" if still else known or _alike(model, unknowns, fit, k)
        estimates.append(Estimate(one, one.file, math.nan, why=why))
    return tuple(estimates)


def _alike(model: Model, unknowns: Sequence[Unknown], fit: Fit, k: int) -> str:
    """Why a number was not identified: what it acts like, along every motion or along this one."""
    known, name = base_parameters(model), unknowns[k].name
    if name in known.idle:
        return "no torque depends on it"
    others = ", ".join("the lead" if i >= len(unknowns) else unknowns[i].name for i in fit.alike.get(k, ()))
    if not others:
        return "the motion does not excite it at all"
    every = name in known.dependent or any(name == one.name and one.others for one in known.sums)
    return f"{'no motion' if every else 'this motion does not'} {'tells' if every else 'tell'} it from {others}"
