"""How two parallel bars share what they pass from one half plate to the other, hinge by hinge.

Letters: n the bar from its hinge on the half plate to that on the carried one (h long), u from the carried hinge of bar
1 to that of bar 2, z up, f_k force of bar k on the carried half plate, m_k its moment there.

In their plane hinges share in one way only. A bar turns freely, so across itself it passes what its belt puts on it,
less what itself needs; along themselves the bars pass the rest of the force and, by their difference, the moment about
the vertical. Out of the plane two bars with four hinges are three times over-constrained: rigid bodies leave open how
thrust and tilting moments are shared. Taken is the way with the smallest tilting moments (sum of squares over the four
hinges), that of equal hinges that are far softer against tilt than along their axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from parapick.mechanism.plates.joints import Wrench


@final
@dataclass(frozen=True)
class BarPair:
    """Two parallel bars and what acts on them.

    Attributes:
        span: n (m), horizontal.
        spread: u (m), horizontal.
        needs: what bar 1 and bar 2 need for their motion and weight, about their hinges on the half plate.
        belts: moment about the vertical (N m) that a belt puts on bar 1 and bar 2.
    """

    span: Any
    spread: Any
    needs: tuple[Wrench, Wrench]
    belts: tuple[Any, Any]

    def shared(self, whole: Wrench) -> tuple[tuple[Wrench, Wrench], tuple[Wrench, Wrench]]:
        """Loads of the hinges of bar 1 and of bar 2: first on the half plate, then on the carried one.

        Each is what acts on the farther body: on the bar at the half plate, on the carried half plate at the bar.

        Args:
            whole: what both bars together put on the carried half plate, about the middle of their hinges there.
        """
        level = self._level(whole)
        thrusts, tilts = self._upright(whole)
        first, second = (self._bar(k, level[k] + thrusts[k], tilts[k]) for k in (0, 1))
        return first, second

    def _bar(self, k: int, force: Any, moment: Any) -> tuple[Wrench, Wrench]:
        needs = self.needs[k]
        start = Wrench(force + needs.force, moment + ca.cross(self.span, force) + needs.moment)
        return start, Wrench(force, moment)

    def _level(self, whole: Wrench) -> tuple[Any, Any]:
        """Horizontal forces f_1, f_2 on the carried half plate."""
        square = ca.sumsqr(self.span)
        across = _turned(self.span)
        pushes = [(belt - needs.moment[2]) / square for belt, needs in zip(self.belts, self.needs, strict=True)]
        along = ca.dot(whole.force, self.span) / square
        turn = 2 * whole.moment[2] - _cross(self.spread, across) * (pushes[1] - pushes[0])
        apart = turn / _cross(self.spread, self.span)
        first, second = (along - apart) / 2, (along + apart) / 2
        return first * self.span + pushes[0] * across, second * self.span + pushes[1] * across

    def _upright(self, whole: Wrench) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """Vertical forces and tilting moments of bar 1 and bar 2 on the carried half plate."""
        up = ca.DM([0.0, 0.0, 1.0])
        lever, gap = ca.cross(self.span, up), ca.cross(self.spread, up)
        tilt = ca.vertcat(whole.moment[:2], 0.0)
        half = whole.force[2] / 2
        carried = lever * half + ca.vertcat((self.needs[0].moment[:2] + self.needs[1].moment[:2]) / 2, 0.0)
        apart = ca.dot(gap, tilt + carried) / (ca.sumsqr(lever) + ca.sumsqr(gap))
        mean, bend = (tilt - apart * gap) / 2, lever * apart / 2
        return ((half - apart) * up, (half + apart) * up), (mean + bend, mean - bend)


def _turned(vector: Any) -> Any:
    """A horizontal vector a quarter turn on."""
    return ca.vertcat(-vector[1], vector[0], 0.0)


def _cross(one: Any, other: Any) -> Any:
    """Vertical component of the cross product."""
    return one[0] * other[1] - one[1] * other[0]
