"""The loop stepped from Python, for what has no expression: a law that is a function, a plant of another engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parapick.control import Measured, Reference
from parapick.errors import ParameterError
from parapick.simulation.divergence import Outputs
from parapick.simulation.series import LoopSeries, faulty
from parapick.simulation.stepped_controller import SampledController
from parapick.simulation.stepped_plant import Plant

Ending = Callable[[int, Outputs, Outputs | None], bool]
"""Whether a run ends before a sample: its number, what is seen at it, and what was recorded at the one before."""


def stepped(
    controller: SampledController,
    plant: Plant,
    series: LoopSeries,
    ending: Ending | None = None,
    *,
    begun: bool = False,
) -> Outputs:
    """Run a loop sample by sample; it ends early once something seen is not finite or a leg does not close.

    Args:
        series: references, payloads and disturbances.
        ending: says before which sample the run ends; None: it runs to its end.
        begun: whether controller and plant have been run before, so that this run goes on where their last one ended.

    Returns:
        What was recorded, by name; arrays with one row a sample.
    """
    rows: list[Outputs] = []
    for k, t in enumerate(series.t):
        seen = _seen(plant, series, k)
        if not (np.isfinite(np.concatenate([*seen.values()])).all() and (seen["closes"] >= 0).all()):
            rows.append(seen)
            break
        if ending is not None and ending(k, seen, rows[-1] if rows else None):
            break
        measured = Measured(seen["q_meas"], seen.get("qd_motor", seen["qd"]), seen["x"], seen["xd"])
        learned = None if series.learned is None else series.learned[k]
        reference = Reference(series.x[k], series.xd[k], series.xdd[k], series.payload_ref[k], learned)
        output = controller.step(float(t), measured, reference)
        if not np.isfinite(output.applied).all():
            if k == 0:
                raise ParameterError("law", "its torque is not finite at the first sample")
            rows.append({**seen, **output.recorded})
            break
        rows.append({**seen, **output.recorded, "torque": _moved(plant, series, k, output.applied, begun)})
    return {name: _filled(rows, name) for name in rows[0]} if rows else {}


def _seen(plant: Plant, series: LoopSeries, k: int) -> Outputs:
    """What is seen of a plant at a sample, through encoders that may be broken."""
    seen = plant.observe()
    if series.faults is not None:
        seen["q_meas"] = faulty(seen["q_meas"], series.faults[k], "encoder")
    return seen


def _moved(plant: Plant, series: LoopSeries, k: int, applied: np.ndarray, begun: bool) -> np.ndarray:
    """Torque at the arm axes while the plant is moved for a control period."""
    nothing = np.zeros(0)
    if series.faults is not None:
        applied = faulty(applied, series.faults[k], "drive")
    if k == 0 and not begun:
        plant.settle(applied)
    force = nothing if series.force is None else series.force[k]
    torque = nothing if series.torque is None else series.torque[k]
    held = nothing if series.swinging is None else series.swinging[k]
    return np.array(plant.advance(applied, np.concatenate([series.payload[k], held]), force, torque))


def _filled(rows: list[dict[str, Any]], name: str) -> np.ndarray:
    """A column of the record; rows that lack it are NaN."""
    blank = np.full_like(np.asarray(rows[0][name], dtype=float), np.nan)
    return np.array([row.get(name, blank) for row in rows])
