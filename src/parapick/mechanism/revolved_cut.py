"""An upright plane through a body of revolution: what a map over such a cut is laid on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, final

import numpy as np

from parapick.errors import ParameterError
from parapick.mechanism.curve import Points
from parapick.mechanism.region_ends import Bounds, check_ends, ends_text, upright
from parapick.mechanism.round_region import radii_text, radius_at


@final
@dataclass(frozen=True)
class RevolvedCut:
    """A plane at an x or a y; its own coordinates are x, y, z and yaw, that along it as at its widest height.

    Attributes:
        radii: points of z and radius (m) of the body, between the heights at which the plane meets it.
        along: the coordinate along the plane, "x" or "y".
        middle: where the plane is nearest to the axis, along it (m).
        place: the other coordinate of the plane (m).
        distance: of the plane from the axis (m).
        yaw_min: smallest yaw (rad).
        yaw_max: largest yaw (rad).
    """

    radii: Points
    along: Literal["x", "y"]
    middle: float
    place: float
    distance: float
    yaw_min: float
    yaw_max: float
    kind: Literal["cut"] = "cut"

    @property
    def z_min(self) -> float:
        """Lower end (m)."""
        return self.radii[0][0]

    @property
    def z_max(self) -> float:
        """Upper end (m)."""
        return self.radii[-1][0]

    @property
    def bends(self) -> tuple[float, ...]:
        """Heights between its ends at which its side has an edge (m)."""
        return tuple(z for z, _ in self.radii[1:-1])

    @property
    def bounds(self) -> tuple[Bounds, ...]:
        """Its own coordinates with their ends."""
        half = self._widest
        along = self.along, self.middle - half, self.middle + half
        across = "xy".strip(self.along), self.place, self.place
        return (*sorted((along, across)), *upright(self))

    @property
    def spread(self) -> tuple[float, int]:
        """What a lattice over its base covers (m), and along how many axes."""
        return 2 * self._widest, 1

    @property
    def text(self) -> str:
        """Its shape in words."""
        flat = ", ".join(ends_text(*bounds) for bounds in self.bounds[:2])
        return f"an upright cut, {flat} where it is widest, of a body of revolution of radius {radii_text(self.radii)}"

    @property
    def _widest(self) -> float:
        """Half of its largest width (m)."""
        return float(self._half(np.array(max(radius for _, radius in self.radii))))

    def _half(self, radius: np.ndarray) -> np.ndarray:
        """Half the width (m) where the body has a radius (m)."""
        return np.sqrt(np.maximum(radius**2 - self.distance**2, 0.0))

    def narrowing(self, z: np.ndarray) -> np.ndarray:
        """Share of its largest width at heights (...).

        Args:
            z: the heights (m).
        """
        return self._half(radius_at(self.radii, z)) / self._widest

    def places(self, coordinates: np.ndarray) -> np.ndarray:
        """Task vectors (..., k) at its own coordinates (..., k).

        Args:
            coordinates: x, y, z (m) and yaw (rad), the first k of them and at least three.
        """
        places, axis = np.array(coordinates, dtype=float), "xy".index(self.along)
        places[..., axis] = self.middle + (places[..., axis] - self.middle) * self.narrowing(places[..., 2])
        return places

    def check(self) -> None:
        """Raise `ParameterError` if its ends are in the wrong order."""
        check_ends(upright(self))


def met_heights(radii: Points, distance: float, name: str) -> tuple[float, float]:
    """Lowest and highest place of a body (m) that lie so far from its axis; it must be so wide between them.

    Args:
        radii: points of z and radius (m).
        distance: the distance (m), not more than the largest radius.
        name: the coordinate of a cut there.

    Raises:
        ParameterError: the body is too narrow somewhere between, so that the cut would fall apart.
    """
    heights = [z for z, radius in radii if radius >= distance]
    for (low, radius), (high, other) in pairwise(radii):
        if (radius - distance) * (other - distance) < 0:
            heights.append(low + (high - low) * (distance - radius) / (other - radius))
    bottom, top = min(heights), max(heights)
    if any(bottom < z < top and radius < distance for z, radius in radii):
        text = f"is {distance:g} m from the axis, where the region is too narrow at some heights and falls apart"
        raise ParameterError(name, f"{text}: cut nearer to the axis")
    return bottom, top
