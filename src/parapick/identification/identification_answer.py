"""An identification as an answer: the numbers with their intervals, what is left of the torques, what to change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from parapick.answer import Answer, Cell, Column, Table, amount
from parapick.identification.base_parameters import BaseParameters, base_parameters
from parapick.identification.doubts import Doubts, doubts_data, refusal_of, verdict_of
from parapick.identification.excitation import RATE, ExcitingMotion
from parapick.identification.filtering import ANGLES, ORDER
from parapick.identification.identifying import Identification
from parapick.identification.least_squares import CONFIDENCE
from parapick.identification.residual import Residual
from parapick.identification.results import RobotChange, payload_of, robot_change
from parapick.inspection import about, subject

if TYPE_CHECKING:
    from parapick.model import Model


def identification_answer(
    result: Identification,
    residuals: Sequence[Residual],
    doubts: Doubts,
    proposed: ExcitingMotion | None = None,
) -> Answer:
    """An identification, what it leaves of its own log and of others, and a motion that would tell more.

    Args:
        residuals: what is left: of its own log first, then of those it is checked on.
        doubts: what speaks against its own log; nothing is proposed for the robot's file where something does.
        proposed: a motion that is proposed, if any.
    """
    model, log = result.model, result.log
    change, base = robot_change(result) if doubts.ok else RobotChange({}, {}, ()), base_parameters(model)
    identified = any(one.identified for one in result.estimates)
    line = f"{log.file}: {len(log.t)} samples in {log.t[-1] - log.t[0]:.4g} s, {log.rate:.6g} per second"
    return Answer(
        key="identify",
        title=subject(model, "identified from a log", line),
        tables=(
            _estimates(result, proposed),
            residual_table(model, residuals),
            *([_changes(change.numbers)] if change.numbers else []),
            *_sums(result, base),
        ),
        summary={
            "filter": _filter(result),
            "torque lead": _lead(result),
            "rows": _rows(result),
        },
        notes=(*log.notes(), *_notes(result, residuals, proposed), *change.notes, *doubts.notes),
        left_out=tuple(f"{one.unknown.name}: {one.why}" for one in result.estimates if not one.identified),
        data={**_data(result, residuals, base, change.numbers, proposed), **doubts_data(doubts)},
        refusal=refusal_of(doubts) if identified else "nothing could be identified from this log",
        headline=verdict_of(result, doubts),
    )


def _estimates(result: Identification, proposed: ExcitingMotion | None) -> Table:
    columns = [
        Column("number"),
        Column("file"),
        Column("estimate"),
        Column("95 % interval +-"),
        Column("unit"),
        Column("share", "%", decimals=1),
    ]
    rows: list[tuple[Cell, ...]] = []
    for one in result.estimates:
        half = one.half if one.identified else None
        share = 100.0 * one.half / abs(one.value) if one.identified and one.value else None
        rows.append(
            (one.unknown.name, one.unknown.file, one.value if one.identified else None, half, one.unknown.unit, share)
        )
    if proposed is not None:
        columns.append(Column("+- of the motion proposed"))
        rows = [(*row, _finite(half)) for row, half in zip(rows, predicted(result, proposed), strict=True)]
    return Table("estimates", "what was identified", tuple(columns), tuple(rows))


def predicted(result: Identification, proposed: ExcitingMotion) -> list[float]:
    """Half of the 95 % interval that a motion would give every number, with the noise of the log.

    A filter of cutoff f leaves 2 f independent rows per second.

    Args:
        proposed: the motion, its deviations per unit of noise.
    """
    rows = math.sqrt(RATE / (2.0 * result.cutoff))
    return (CONFIDENCE * rows * proposed.deviations).tolist()


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def residual_table(model: Model, residuals: Sequence[Residual]) -> Table:
    """What models leave of the torques of logs, row by row.

    Args:
        residuals: of every log.
    """
    motors = model.motors
    names = model.robot.task_names if model.robot.redundant else [f"motor {i + 1}" for i in range(motors.count)]
    unit = "" if model.robot.redundant else motors.torque_unit
    after = any(one.after is not one.before and not np.array_equal(one.after, one.before) for one in residuals)
    columns = (
        Column("log"),
        Column("of"),
        Column("peak", unit, decimals=2),
        Column("RMS left by the file", "%", decimals=2),
        *((Column("RMS left", "%", decimals=2), Column("most left", "%", decimals=2)) if after else ()),
        Column("counted", "%", decimals=0),
    )
    rows = []
    for one in residuals:
        size = np.where(one.size > 0.0, one.size, np.nan)
        before, left, most = (
            100.0 * value / size for value in (one.rms(one.before), one.rms(one.after), one.peak(one.after))
        )
        for i, name in enumerate(names):
            own = (float(left[i]), float(most[i])) if after else ()
            rows.append(
                (
                    one.log.file,
                    name,
                    float(one.size[i]),
                    float(before[i]),
                    *own,
                    100.0 * float(one.counted[:, i].mean()),
                )
            )
    word = "task force" if model.robot.redundant else motors.word
    note = (
        f"Shares of the largest logged {word}, both through the same filter. Counted are samples at which the joint "
        "moves: near a reversal dry friction is anything up to its size."
    )
    return Table("residual", f"what the model leaves of the logged {word}s", columns, tuple(rows), note=note)


def _changes(numbers: Any) -> Table:
    rows = tuple((path, f"--set {path}={value:.6g}") for path, value in numbers.items())
    return Table("changes", "what to change in the robot's file", (Column("number"), Column("option")), rows)


def _sums(result: Identification, base: BaseParameters) -> list[Table]:
    """Sums of inertial numbers that motions tell, where inertial numbers were asked for."""
    if all(one.unknown.name.startswith(("friction.", "gripper.")) for one in result.estimates):
        return []
    rows = [(one.name, one.text) for one in base.sums] + [(name, "no torque depends on it") for name in base.idle]
    title = "what motions can tell of the inertial numbers: these sums, and no more"
    return [Table("sums", title, (Column("number"), Column("sum")), tuple(rows))]


def _filter(result: Identification) -> str:
    return (
        f"Butterworth of order {ORDER} forwards and backwards (zero phase), {result.cutoff:.4g} Hz for torques and "
        f"what explains them, {ANGLES * result.cutoff:.4g} Hz for angles before their derivatives"
    )


def _lead(result: Identification) -> str:
    if math.isnan(result.lead_deviation):
        return f"{1e3 * result.lead:.4g} ms, as given"
    return (
        f"{1e3 * result.lead:.4g} ms +- {1e3 * result.fit.critical * result.lead_deviation:.2g} ms: so much before "
        "it acts a torque is recorded, as the two channels of the log say"
    )


def _rows(result: Identification) -> str:
    fit = result.fit
    memory = 1e3 * fit.memory / result.density
    kept = f"{fit.rows} of {result.density:.4g} per second"
    return f"{kept}, residuals remembered for {memory:.3g} ms, condition number {fit.condition:.3g}"


def _notes(result: Identification, residuals: Sequence[Residual], proposed: ExcitingMotion | None) -> list[str]:
    notes = []
    if len(residuals) < 2:
        notes.append("not checked on another motion: give one by --check, since a model may fit its own log by chance")
    for one in result.estimates:
        if one.identified and abs(one.value) < one.half:
            notes.append(f"{one.unknown.name} cannot be told from 0")
        elif one.identified and one.value < -one.half and "offset" not in one.unknown.name:
            notes.append(
                f"{one.unknown.name} comes out as {amount(one.value, one.unknown.unit)}, which cannot be: log and "
                "model disagree"
            )
    if proposed is not None:
        seconds = proposed.samples.t[-1]
        notes.append(
            f"the motion proposed takes {seconds:.3g} s, {proposed.frequency:.3g} Hz upwards, seed {proposed.seed}"
        )
    return notes


def _data(
    result: Identification,
    residuals: Sequence[Residual],
    base: BaseParameters,
    numbers: Any,
    proposed: ExcitingMotion | None,
) -> dict[str, Any]:
    held = payload_of(result)
    return {
        **about(result.model),
        "log": result.log.file,
        "columns": dict(result.log.headings),
        "cutoff": result.cutoff,
        "angle_cutoff": ANGLES * result.cutoff,
        "torque_lead": result.lead,
        "torque_lead_half": result.fit.critical * result.lead_deviation,
        "noise": result.fit.noise.tolist(),
        "condition": result.fit.condition,
        "memory": result.fit.memory / result.density,
        "stribeck_speeds": {str(i + 1): speed for i, speed in result.speeds.items()},
        "payload": None if held is None else asdict(held),
        "set": dict(numbers),
        "base_parameters": {one.name: dict(one.others) for one in base.sums},
        "without_effect": list(base.idle),
        "residuals": [_residual(one) for one in residuals],
        "proposed": None if proposed is None else {"frequency": proposed.frequency, "seed": proposed.seed},
    }


def _residual(one: Residual) -> dict[str, Any]:
    return {
        "log": one.log.file,
        "peak": one.size.tolist(),
        "rms_before": one.rms(one.before).tolist(),
        "rms": one.rms(one.after).tolist(),
        "most": one.peak(one.after).tolist(),
        "rms_all": np.sqrt(np.mean(one.after**2, axis=0)).tolist(),
    }
