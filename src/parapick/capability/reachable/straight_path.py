"""Whether a robot can go straight from one pose to another: what holds at both must hold between them.

A segment of poses is cut in halves until the rooms around the ends of every piece cover it, which proves that nothing
fails there, or until something fails: a leg, a limit, a margin, or the sign of a determinant, which changes only at a
singularity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.model import Room

GAP: Final = 1e-4
"""Share of the shortest rod below which a piece whose ends hold is not cut any further: 0.08 mm for a rod of 0.8 m.

A limit or a margin may be missed there by a hair. A singularity is not: a margin that is above its floor at both ends
cannot fall to 0 in between, unless the floor is less than about 0.02. Then the sign of a determinant shows it, and
where the matrix is not square the singularity is a point or a line, which any path can go around."""


class Standing(NamedTuple):
    """How a batch of poses stands, as far as the way from one to another is concerned.

    Attributes:
        radius: room around each pose (...), m; negative or NaN where it fails.
        orientation: signs of the determinants there (...), as `Surroundings.orientation`.
    """

    radius: np.ndarray
    orientation: np.ndarray


def holds_between(
    room: Room, start: ArrayLike, end: ArrayLike, known: tuple[Standing, Standing] | None = None
) -> np.ndarray:
    """Whether everything holds on the straight segment between two poses, its ends included (...).

    A gap narrower than a ten-thousandth of a rod can be missed.

    Args:
        room: the robot and its smallest margin.
        start: task vectors (..., dof), m and rad.
        end: task vectors (..., dof) that broadcast with them.
        known: how the poses stand, where the caller knows it already and the yaw is the same at both ends.
    """
    first, last = np.broadcast_arrays(np.asarray(start, dtype=float), np.asarray(end, dtype=float))
    shape, dof = first.shape[:-1], first.shape[-1]
    first, last = first.reshape(-1, dof), last.reshape(-1, dof)
    travel, spin = _travel(room, first, last)
    path = _Path(room, first, last - first, travel, spin)
    if known is None:
        count = np.arange(len(first))
        known = path.standing(count, np.zeros(len(first))), path.standing(count, np.ones(len(first)))
    return path.holds(*(Standing(ends.radius.reshape(-1), ends.orientation.reshape(-1)) for ends in known)).reshape(
        shape
    )


def _travel(room: Room, first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far a plate point moves at most along each segment (m), and the yaw per metre of it (rad/m)."""
    travel = np.linalg.norm(last[:, :3] - first[:, :3], axis=-1)
    turn = np.abs(last[:, 3] - first[:, 3]) if first.shape[-1] > 3 else np.zeros(len(first))
    if not turn.any():
        return travel, turn
    travel = travel + room.around(first).sweep * turn
    return travel, np.divide(turn, travel, out=np.zeros_like(turn), where=travel > 0)


@final
@dataclass(frozen=True)
class _Path:
    """Straight segments of poses: start (n, dof), difference (n, dof), travel (n,), m, and spin (n,), rad/m."""

    room: Room
    start: np.ndarray
    difference: np.ndarray
    travel: np.ndarray
    spin: np.ndarray

    def standing(self, rows: np.ndarray, share: np.ndarray) -> Standing:
        """How poses stand on segments (k,) at shares (k,) of their length."""
        around = self.room.around(self.start[rows] + share[:, None] * self.difference[rows], self.spin[rows])
        return Standing(around.radius, around.orientation)

    def holds(self, first: Standing, last: Standing) -> np.ndarray:
        """Whether everything holds all along each segment (n,)."""
        holds = (first.radius >= 0) & (last.radius >= 0) & (first.orientation == last.orientation)
        rows = np.flatnonzero(holds & (first.radius + last.radius < self.travel))
        ends = np.zeros(len(rows)), np.ones(len(rows))
        rooms = first.radius[rows], last.radius[rows]
        shortest = GAP * self.room.shortest_rod
        while len(rows):
            middle = (ends[0] + ends[1]) / 2
            here = self.standing(rows, middle)
            holds[rows[~((here.radius >= 0) & (here.orientation == first.orientation[rows]))]] = False
            rows = np.concatenate([rows, rows])
            ends = np.concatenate([ends[0], middle]), np.concatenate([middle, ends[1]])
            rooms = np.concatenate([rooms[0], here.radius]), np.concatenate([here.radius, rooms[1]])
            length = (ends[1] - ends[0]) * self.travel[rows]
            left = holds[rows] & (rooms[0] + rooms[1] < length) & (length > shortest)
            rows = rows[left]
            ends, rooms = (ends[0][left], ends[1][left]), (rooms[0][left], rooms[1][left])
        return holds
