"""corbel2010, section V, as design: Table VI by the shipped study, the best robot for 100G, and the g that motors give.

Table VI comes out with settings that the document does not state (papers/corbel2010, erratum E9). With its own
masses, (26), its grid ends at 160.0 N m; a search over the same ranges goes further down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from parapick.model import Model
from parapick.motion import pulse
from parapick.papers.setup import Setup
from parapick.parameters import leaves
from parapick.study import STUDIES, Study, TaskSeries, evaluated, motion_fold, round_of

LOAD: Final = 0.25
"""Mass (kg) that the document adds to the plate, section V.A."""

LAM: Final = 0.73
"""Ramp share of the acceleration's pulse; chosen (Fig. 5 is missing)."""

TABLE6: Final = (
    *(124, 133, 142, 134, 143, 152, 143, 152, 162),
    *(None, None, 129, 124, 132, 140, 133, 141, 149),
    *(None, None, None, None, None, 131, None, 133, 141),
)
"""The print: torque (N m) of the 27 designs in the order of r_b, l, L, the last changing first; None for a dash."""

GRID_BEST: Final = 160.0
"""Least torque (N m) of the designs of Table VI with the document's own masses, (26), and its load."""

VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "as (26)": {},
        "least peak": {"sharing": "least-peak"},
        "real rods": {"set": {"gravity": 0, "limb": {"rod_model": "slender"}}},
        "0.2 kg/m": {
            "set": {
                "gravity": 0,
                "limb": {"rod_model": "halves", "rod_mass": {"of": "limb.rod_length", "coefficients": [0.0, 0.1]}},
            }
        },
    }
)
"""Variants of the study "corbel2010-100g" by what they state differently: torques shared by least peak, rods that are
uniform, forearms (two rods) of 0.2 kg a metre."""


_ACCELERATIONS: Final = (100.0, 3000.0)
"""Accelerations (m/s2) between which one is looked for: 10 to 300 g."""


def variant(name: str, **changes: Any) -> Study:
    """A variant of the study of the robot for 100G.

    Args:
        name: a name of `VARIANTS`.
        changes: further fields of the study file, by name.

    Raises:
        StudyFileError: a change that no study can have.
    """
    return _read("corbel2010-100g", {**VARIANTS[name], **changes})


def _read(name: str, changes: Mapping[str, Any]) -> Study:
    path = STUDIES.find(name)
    return STUDIES.made(path, {**STUDIES.document(path), **changes})


MASSES: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {"0.45 kg": {}, "(26)": {"set": {"gravity": 0, "limb": {"rod_model": "halves"}}}}
)
"""What moves with the plate in Table VI: its mass and the load alone (corbel2010, erratum E9), or the halves of the
forearms too."""

MASS_INPUTS: Final = {"0.45 kg": ("moved mass",), "(26)": ()}
"""What each of them rests on that the document does not say."""


def table6(mass: str, setup: Setup) -> Mapping[str, np.ndarray]:
    """Every design of Table VI at every altitude, as columns of the study: torque (N m), whether it is reached.

    Args:
        mass: a name of `MASSES`.
        setup: robots and numbers.
    """
    return setup.once(("table6", mass), lambda: _table6(mass, setup))


def _table6(mass: str, setup: Setup) -> Mapping[str, np.ndarray]:
    setup.uses("joint range", "places of the lines", *MASS_INPUTS[mass])
    study = _read("corbel2010-table6", {"payload": setup.number("load", LOAD), **MASSES[mass]})
    known = dict(leaves(study.space.robot))
    changes = {path: known[path] * factor for path, factor in setup.factors.items() if path in known}
    robot = Model(study.space.robot).with_parameters(changes).robot
    lines = [
        replace(
            task,
            a_max=setup.number("acceleration", task.a_max),
            v_max=setup.number("speed", task.v_max),
            law=pulse(setup.number("ramp share", LAM)),
        )
        for task in study.file.tasks
    ]
    series = tuple(_timed(samples, line, study) for samples, line in zip(study.work.series, lines, strict=True))
    space = replace(study.space, robot=robot)
    work = replace(study.work, space=space, series=series, looked=series, tasks=tuple(lines))
    return evaluated(work, round_of(study.method(), work, 0, {}).designs[:])


def chosen_altitudes(rows: Mapping[str, np.ndarray], rule: str) -> Mapping[tuple[float, ...], tuple[float, float]]:
    """Altitude (m) and torque (N m) of every design of Table VI that is reached somewhere, by r_b, l and L.

    Args:
        rows: what `table6` gives.
        rule: "deepest" or "best", the one with the least torque.
    """
    designs = np.stack([rows[name] for name in ("base.radius", "limb.arm", "limb.rod_length")], axis=1)
    best: dict[tuple[float, ...], tuple[float, float]] = {}
    for design in np.unique(designs, axis=0):
        rows_of_design = (designs == design).all(axis=1) & rows["feasible"]
        if rows_of_design.any():
            order = rows["workspace.z_min"] if rule == "deepest" else rows["peak_torque"]
            row = np.flatnonzero(rows_of_design)[np.argmin(order[rows_of_design])]
            best[tuple(design.tolist())] = float(rows["workspace.z_min"][row]), float(rows["peak_torque"][row])
    return best


def acceleration_of(study: Study, torque: float) -> float:
    """Acceleration (m/s2) of the lines of a study at which the robot of its file needs a torque; their speed stays.

    Args:
        study: a study whose tasks are lines.
        torque: largest torque of a motor (N m).
    """
    from scipy.optimize import root_scalar

    space, known = study.space, dict(leaves(study.space.robot))
    numbers = space.numbers(np.array([[known[free.path] for free in space.free]]))

    def excess(acceleration: float) -> float:
        lines = (replace(task, a_max=acceleration) for task in study.file.tasks)
        series = [_timed(samples, line, study) for samples, line in zip(study.work.series, lines, strict=True)]
        folds = (motion_fold(space.robot, samples, study.work.sharing, numbers) for samples in series)
        return max(float(fold.torque.max()) for fold in folds) - torque

    return float(root_scalar(excess, bracket=_ACCELERATIONS, xtol=1e-3).root)


def _timed(series: TaskSeries, line: Any, study: Study) -> TaskSeries:
    """The samples of a line with another timing and the same load."""
    samples = line.motion(None).sample(study.file.rate, corners=True)
    load = np.tile(series.load[0], (len(samples.t), 1))
    return replace(series, t=samples.t, x=samples.x, xd=samples.xd, xdd=samples.xdd, load=load)
