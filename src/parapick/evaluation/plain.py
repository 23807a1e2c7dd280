"""An evaluation as plain values, for JSON: numbers in SI, None in the place of NaN and infinity."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from parapick.evaluation.answer import Evaluation, Finding, Section, Series
    from parapick.evaluation.comparing import Comparison

__all__ = ["plain", "plain_comparison"]


def plain(evaluation: Evaluation, *, series: bool = False) -> dict[str, Any]:
    """An evaluation as dicts, lists, texts and numbers.

    Args:
        evaluation: the evaluation.
        series: whether the quantities along the task are told too; they are long.
    """
    verdict, motion = evaluation.verdict, evaluation.motion
    answer = {
        "robot": evaluation.model.robot.name,
        "working_mode": dataclasses.asdict(evaluation.model.working_mode),
        "task": evaluation.task,
        "title": evaluation.title,
        "duration": None if motion is None else motion.duration,
        "held": dataclasses.asdict(evaluation.model.payload),
        "carried": [{"time": step.time, **dataclasses.asdict(step.load)} for step in motion.payload] if motion else [],
        "verdict": {
            "ok": verdict.ok,
            "text": verdict.text,
            "limiting": None if verdict.limiting is None else _finding(verdict.limiting),
        },
        "doubts": [dataclasses.asdict(doubt) for doubt in evaluation.doubts],
        "sections": {section.key: _section(section, series=series) for section in evaluation.sections},
    }
    return _finite(answer)


def plain_comparison(comparison: Comparison) -> dict[str, Any]:
    """A comparison as dicts, lists, texts and numbers, with the whole evaluation of every robot.

    Args:
        comparison: the comparison.
    """
    answer = {
        "task": comparison.task,
        "title": comparison.title,
        "notes": list(comparison.notes),
        "table": dataclasses.asdict(comparison.table),
        "robots": [
            {"robot": robot, "refused": reason or None, "evaluation": None if made is None else plain(made)}
            for robot, reason, made in zip(comparison.robots, comparison.refused, comparison.evaluations, strict=True)
        ],
    }
    return _finite(answer)


def _finding(finding: Finding) -> dict[str, Any]:
    return {**dataclasses.asdict(finding), "use": finding.use}


def _section(section: Section, *, series: bool) -> dict[str, Any]:
    answer = {
        "title": section.title,
        "findings": [_finding(finding) for finding in section.findings],
        "tables": [dataclasses.asdict(table) for table in section.tables],
        "notes": list(section.notes),
        "left_out": list(section.left_out),
        "data": section.data,
    }
    return {**answer, "series": [_series(one) for one in section.series]} if series else answer


def _series(series: Series) -> dict[str, Any]:
    return {field.name: getattr(series, field.name) for field in dataclasses.fields(series)}


def _finite(value: Any) -> Any:
    """The value with plain types and with None in the place of NaN and infinity, which JSON does not have."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        # Nearly every series is finite, and long: one look spares a walk.
        return value.tolist() if np.isfinite(value).all() else _finite(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
