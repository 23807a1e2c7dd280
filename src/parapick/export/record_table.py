"""A record as a table and a few facts, and back: what every file format of records holds.

Columns are named after the field and its axis: `t`, `x_ref.x`, `q.1`, `estimate.xd.z`, `terms.tau_p.2`. Everything is
SI. The facts are what is said once: robot, law, rates, limits, phases, and how the loop ended.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from parapick.motion import Phase
from parapick.simulation import Divergence, Record

FORMAT: Final = 1
"""Version of the layout of record files."""

_TASK: Final = ("x_ref", "xd_ref", "xdd_ref", "x", "xd")
_JOINT: Final = ("q_ref", "qd_ref", "q", "qd", "q_meas", "command", "torque", "friction")
_PLAIN: Final = ("robot", "law", "engine", "rate", "substeps", "effort", "seed", "cycle", "command_filter")
_NESTED: Final = ("estimate", "terms", "motor", "unfiltered")
_LATER: Final = ("effort", "seed", "cycle", "command_filter")
"""Facts that records of earlier versions do not say."""
_LIMITS: Final = ("torque_max", "speed_max")


def table_of(record: Record) -> dict[str, np.ndarray]:
    """The signals of a record by column, each (T,)."""
    columns = {"t": record.t}
    for name in (*_TASK, *_JOINT):
        columns |= _split(name, getattr(record, name), record.task_names)
    for group in _NESTED:
        for name, values in getattr(record, group).items():
            columns |= _split(f"{group}.{name}", values, record.task_names)
    return columns


def _split(name: str, values: np.ndarray, task_names: tuple[str, ...]) -> dict[str, np.ndarray]:
    axes = task_names if _of_task(name) else [str(k) for k in range(1, values.shape[1] + 1)]
    return {f"{name}.{axis}": np.ascontiguousarray(values[:, k]) for k, axis in enumerate(axes)}


def facts_of(record: Record) -> str:
    """What is said once of a record, as JSON on one line."""
    ended = record.divergence
    facts: dict[str, Any] = {"format": FORMAT, **{name: getattr(record, name) for name in _PLAIN}}
    facts |= {
        "samples": len(record.t),
        "task_names": list(record.task_names),
        **{name: [None if math.isinf(limit) else limit for limit in getattr(record, name)] for name in _LIMITS},
        "phases": [[phase.name, phase.start, phase.end] for phase in record.phases],
        "divergence": None if ended is None else [ended.time, ended.quantity, ended.message],
    }
    return json.dumps(facts)


def record_of(facts: str, columns: Mapping[str, np.ndarray]) -> Record:
    """The record of facts and columns.

    Args:
        facts: what `facts_of` gives.
        columns: what `table_of` gives.

    Raises:
        ValueError: facts or columns are not those of a record; `KeyError` names what is missing.
    """
    stated = _checked_facts(facts, len(columns["t"]))
    names = tuple(stated["task_names"])
    motors = len(stated["torque_max"])
    joints = tuple(str(number) for number in range(1, motors + 1))
    signals: dict[str, Any] = {name: _joined(columns, name, names) for name in _TASK}
    signals |= {name: _joined(columns, name, joints) for name in _JOINT}
    plain: dict[str, Any] = {name: stated[name] for name in _PLAIN if name in stated or name not in _LATER}
    ended = stated["divergence"]
    return Record(
        **plain,
        task_names=names,
        # A record of an earlier version says nothing of speeds.
        **{name: _limits(stated.get(name, [None] * motors)) for name in _LIMITS},
        phases=tuple(Phase(*phase) for phase in stated["phases"]),
        t=columns["t"],
        **signals,
        **_nested(columns, names, joints),
        divergence=None if ended is None else Divergence(*ended),
    )


def _checked_facts(facts: str, samples: int) -> dict[str, Any]:
    """The facts of a record of so many samples; raises `ValueError` if they are not."""
    stated = json.loads(facts)
    if not isinstance(stated, dict) or stated.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT}")
    if samples != stated["samples"]:
        raise ValueError(f"it has {samples} samples of {stated['samples']}")
    return stated


def _joined(columns: Mapping[str, np.ndarray], name: str, axes: tuple[str, ...]) -> np.ndarray:
    """A signal (T, n) of its columns."""
    return np.column_stack([columns[f"{name}.{axis}"] for axis in axes])


def _nested(columns: Mapping[str, np.ndarray], names: tuple[str, ...], joints: tuple[str, ...]) -> dict[str, Any]:
    """The signals of the groups `_NESTED`, each by its name."""
    nested: dict[str, Any] = {group: {} for group in _NESTED}
    for column in columns:
        group, _, rest = column.partition(".")
        if group in nested:
            signal = f"{group}.{rest.rsplit('.', maxsplit=1)[0]}"
            nested[group][signal.partition(".")[2]] = _joined(columns, signal, names if _of_task(signal) else joints)
    return nested


def _of_task(signal: str) -> bool:
    """Whether the axes of a signal are those of the task, not the motors."""
    return signal in (*_TASK, "estimate.x", "estimate.xd", "unfiltered.x")


def _limits(stated: list[float | None]) -> np.ndarray:
    return np.array([math.inf if limit is None else limit for limit in stated])
