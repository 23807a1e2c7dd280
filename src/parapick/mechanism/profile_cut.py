"""An upright plane through a body of revolution: what a map over such a cut is laid on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, final

import numpy as np

from parapick.errors import ParameterError
from parapick.mechanism.box import Box
from parapick.mechanism.region_ends import Bounds, check_inside, ends_text, upright

if TYPE_CHECKING:
    from parapick.mechanism.profile import Profile


@final
@dataclass(frozen=True)
class ProfileCut:
    """A plane at an x or a y; its own coordinates are x, y, z and yaw, that along it as at its widest height.

    Attributes:
        profile: the body, between the heights at which the plane meets it.
        along: the coordinate along the plane, "x" or "y".
        place: the other one (m).
    """

    profile: Profile
    along: Literal["x", "y"]
    place: float
    kind: Literal["cut"] = "cut"

    @property
    def z_min(self) -> float:
        """Lower end (m)."""
        return self.profile.z_min

    @property
    def z_max(self) -> float:
        """Upper end (m)."""
        return self.profile.z_max

    @property
    def yaw_min(self) -> float:
        """Smallest yaw (rad)."""
        return self.profile.yaw_min

    @property
    def yaw_max(self) -> float:
        """Largest yaw (rad)."""
        return self.profile.yaw_max

    @property
    def bounds(self) -> tuple[Bounds, ...]:
        """Its own coordinates with their ends."""
        middle, half = self._middle, float(self._half(self.profile.widest))
        along, across = (self.along, middle - half, middle + half), ("xy".strip(self.along), self.place, self.place)
        return (*sorted((along, across)), *upright(self))

    @property
    def spread(self) -> tuple[float, int]:
        """What a lattice over its base covers (m), and along how many axes."""
        return 2 * float(self._half(self.profile.widest)), 1

    @property
    def text(self) -> str:
        """Its shape in words."""
        flat = ", ".join(ends_text(*bounds) for bounds in self.bounds[:2])
        return f"an upright cut, {flat} where it is widest, of {self.profile.text}"

    @property
    def _middle(self) -> float:
        """Where the plane is nearest to the axis, along it (m)."""
        return self.profile.x if self.along == "x" else self.profile.y

    @property
    def _distance(self) -> float:
        """Distance of the plane from the axis (m)."""
        return abs(self.place - (self.profile.y if self.along == "x" else self.profile.x))

    def _half(self, radius: np.ndarray | float) -> np.ndarray:
        """Half the width (m) where the body has a radius (m)."""
        return np.sqrt(np.maximum(np.square(radius) - self._distance**2, 0.0))

    def narrowing(self, z: np.ndarray) -> np.ndarray:
        """Share of its largest width at heights (...).

        Args:
            z: the heights (m).
        """
        return self._half(self.profile.radius_at(z)) / self._half(self.profile.widest)

    def places(self, coordinates: np.ndarray) -> np.ndarray:
        """Task vectors (..., k) at its own coordinates (..., k).

        Args:
            coordinates: x, y, z (m) and yaw (rad), the first k of them and at least three.
        """
        places, axis = np.array(coordinates, dtype=float), "xy".index(self.along)
        places[..., axis] = self._middle + (places[..., axis] - self._middle) * self.narrowing(places[..., 2])
        return places

    def check(self) -> None:
        """Raise `ParameterError` if its body is no region."""
        self.profile.check()

    @staticmethod
    def of(profile: Profile, x: float | None, y: float | None) -> ProfileCut | Box:
        """The part of a body at an x, a y or both; an upright line where both are given.

        Args:
            profile: the body.
            x: x of the cut (m).
            y: y of the cut (m).

        Raises:
            ParameterError: the cut misses the body, or falls apart where the body is narrow.
        """
        aside = [value - middle for value, middle in ((x, profile.x), (y, profile.y)) if value is not None]
        if x is not None:
            check_inside("x", x, *profile.width)
        if y is not None:
            half = math.sqrt(profile.widest**2 - (aside[0] ** 2 if x is not None else 0.0))
            check_inside("y", y, profile.y - half, profile.y + half)
        low, high = _met(profile, math.hypot(*aside), "y" if x is None else "x")
        if x is not None and y is not None:
            return Box(x, x, y, y, low, high, yaw_min=profile.yaw_min, yaw_max=profile.yaw_max)
        part = profile.between(low, high)
        return ProfileCut(part, "x", y) if y is not None else ProfileCut(part, "y", aside[0] + profile.x)


def _met(profile: Profile, distance: float, name: str) -> tuple[float, float]:
    """Lowest and highest place of a body (m) that are so far from its axis; it must be so wide between them."""
    heights = [z for z, radius in profile.radii if radius >= distance]
    for (low, radius), (high, other) in pairwise(profile.radii):
        if (radius - distance) * (other - distance) < 0:
            heights.append(low + (high - low) * (distance - radius) / (other - radius))
    bottom, top = min(heights), max(heights)
    if any(bottom < z < top and radius < distance for z, radius in profile.radii):
        text = f"is {distance:g} m from the axis, where the region is too narrow at some heights and falls apart"
        raise ParameterError(name, f"{text}: cut nearer to the axis")
    return bottom, top
