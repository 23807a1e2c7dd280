"""How a file states a list of places: the poses themselves, or the name of a CSV file beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from parapick.columns import read_columns
from parapick.fields import POSE, Quantity
from parapick.files import UnreadableError
from parapick.forms import FilePlace, Listed, Number
from parapick.limits import MOST

POINTS_MAX: Final = MOST["places"]
"""Most places of a pattern."""

_POSES: Final = Listed((Listed(tuple(Number(Quantity(unit, "pose")) for unit in POSE), 3, 4),), 1, POINTS_MAX)
_COLUMNS: Final = {name: (unit,) for name, unit in zip(("x", "y", "z", "yaw"), POSE, strict=True)}


@final
@dataclass(frozen=True)
class PointsForm:
    """A list of poses."""

    def read(self, value: object, place: FilePlace) -> Any:
        """The poses; those of the file where a name is given."""
        if not isinstance(value, str):
            return _POSES.read(value, place)
        try:
            columns = read_columns(place.folder / value, _COLUMNS, "a file of points")
        except UnreadableError as error:
            return place.refuse(str(error))
        missing = [name for name in ("x", "y", "z") if name not in columns]
        if missing:
            return place.refuse(f"{value}: has no column {', '.join(missing)}")
        poses = np.stack([columns[name] for name in _COLUMNS if name in columns], axis=1)
        if len(poses) > POINTS_MAX:
            return place.refuse(f"{value}: has {len(poses)} rows; a pattern has at most {POINTS_MAX} places")
        return tuple(tuple(pose) for pose in poses.tolist())

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A list, or the name of a file."""
        return {"anyOf": [_POSES.schema(defs), {"type": "string"}]}
