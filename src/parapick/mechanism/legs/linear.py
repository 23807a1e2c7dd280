"""A leg whose motor coordinate is linear in the task vector: `q = row . x`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from parapick.mechanism.legs.leg import LegMotion, LegPose, Term
from parapick.mechanism.rod import Ends


@final
@dataclass(frozen=True)
class Linear:
    """A leg of the plate itself; it ends in the task vector.

    The ball screw and the spline of righettini2024 (7), or a telescopic yaw leg.

    Attributes:
        slopes: coefficients (rad/m for lengths, rad/rad for yaw), one a task coordinate.
    """

    slopes: tuple[Any, ...]

    @property
    def row(self) -> Any:
        """The coefficients as a row."""
        return ca.horzcat(*self.slopes)

    def close(self, end: Any) -> LegPose:
        """The leg at a task vector; it closes everywhere."""
        row = ca.SX(self.row).T
        return LegPose(ca.mtimes(self.row, end), None, None, row, ca.SX(1), row, ca.SX(0, 1))

    def move(self, end: Any, velocity: Any, acceleration: Any) -> LegMotion:
        """The leg at a moving task vector."""
        rate, joint = ca.mtimes(self.row, velocity), ca.mtimes(self.row, acceleration)
        return LegMotion(self.close(end), ca.SX(1), rate, joint)

    def residual(self, end: Any, q: Any) -> Any:
        """`row . x - q` (rad)."""
        return ca.mtimes(self.row, end) - q

    def newton(self, end: Any, q: Any, scale: Any, *, encoders: bool) -> tuple[Any, Any, Any]:
        """The residual in metres."""
        size = ca.norm_2(self.row / scale)
        return (ca.mtimes(self.row, end) - q) / size, ca.SX(self.row).T, size

    def unit_row(self, row: Any, scale: Any) -> Any:
        """The row in metres, of unit length."""
        scaled = row / scale
        return scaled / ca.norm_2(scaled)

    def row_square(self, row: Any) -> Any:
        """Squared length of its row."""
        return ca.sumsqr(row)

    def terms(self, motion: LegMotion, ends: Ends, gravity: Any) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """Nothing beside its motor: what it moves are bodies of the plate."""
        return (), ()
