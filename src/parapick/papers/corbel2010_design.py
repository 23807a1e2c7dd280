"""corbel2010, section V, as design: Table VI by the shipped study, the best robot for 100G, and the g that motors give.

Table VI comes out with settings that the document does not state (papers/corbel2010.toml, erratum E9). With its own
masses, (26), its grid ends at 160.0 N m; a search over the same ranges goes further down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from parapick.mechanism.parameters import leaves
from parapick.study import Study, StudyFileError, read_study
from parapick.study.files import find, parsed
from parapick.study.folds import TaskSeries, motion_fold

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
    path = find("corbel2010-100g")
    study, problems = read_study({**parsed(path), **VARIANTS[name], **changes}, path.parent)
    if study is None:
        raise StudyFileError(str(path), problems)
    return study


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
        series = [_timed(one, line, study) for one, line in zip(study.work.series, lines, strict=True)]
        folds = (motion_fold(space.robot, one, study.work.sharing, numbers) for one in series)
        return max(float(fold.torque.max()) for fold in folds) - torque

    return float(root_scalar(excess, bracket=_ACCELERATIONS, xtol=1e-3).root)


def _timed(series: TaskSeries, line: Any, study: Study) -> TaskSeries:
    """The samples of a line with another timing and the same load."""
    samples = line.motion(None).sample(study.file.rate, corners=True)
    load = np.tile(series.load[0], (len(samples.t), 1))
    return replace(series, t=samples.t, x=samples.x, xd=samples.xd, xdd=samples.xdd, load=load)
