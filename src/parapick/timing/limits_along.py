"""Limits along a path as rows of shares: what each of them leaves to speed and acceleration at a point.

With `u = sd^2` and `b = sdd` along a path x(s), `xdd = x' b + x'' u`, so that every limit is a row

    alpha b + beta u + gamma + delta sqrt(u) + (dry friction) <= 1

with gravity in gamma and viscous friction in delta. Limits on speed alone are caps on u. The bound on the plate's
acceleration, `b^2 + (kappa u)^2 <= a^2`, enters as chords of that circle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.motion.path import PathRates
from parapick.timing.grid import Grid, with_turns
from parapick.timing.torque_facets import torque_weights

if TYPE_CHECKING:
    from parapick.model import Model, Motors


KEPT: Final = 1e-3
"""Share of torque, motor speed and plate acceleration that is not used, so that limits hold between nodes too."""

STILL: Final = 1e-9
"""A joint that moves less than this along the path (rad/m) stands still: the sign of its rate is rounding."""

# Chords a quarter circle: they give away at most 0.06 % of the acceleration, and nothing on a line or in a cruise.
_CHORDS: Final = 24
# Share of the fastest speed below which the square root is not made steeper: a division by zero at rest.
_SLOW: Final = 1e-6


@final
@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of shares at points (...) of a path; the torque rows come first.

    Attributes:
        alpha: shares per acceleration along the path (..., k), s2/m.
        beta: shares per squared speed (..., k), s2/m2.
        gamma: shares at rest, without friction (..., k).
        gains: shares per torque at a joint (..., torque rows, n), 1/(N m).
        rates: joint rates per speed along the path (..., n), rad/m.
        resting: whether the plate rests there (...).
        cap: largest squared speed (...), m2/s2.
        curvature: of the path (...), 1/m.
        a_max: largest acceleration of the plate (m/s2).
        motors: the motors.
    """

    alpha: np.ndarray
    beta: np.ndarray
    gamma: np.ndarray
    gains: np.ndarray
    rates: np.ndarray
    resting: np.ndarray
    cap: np.ndarray
    curvature: np.ndarray
    a_max: float
    motors: Motors

    @property
    def steady(self) -> bool:
        """Whether the rows are the same at every speed: no viscous and no Stribeck friction."""
        return not (self.gains.size and (self.motors.viscous.any() or self.motors.stribeck.any()))

    def linear(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Beta and gamma (..., k) with friction around squared speeds u (...): viscous by its tangent, dry as it is.

        A tangent lies above the root: `sqrt(u) <= v / 2 + u / (2 v)`. Where friction loads a motor the row is then too
        strict away from u, where it helps too loose; at u itself it is exact. At 0 viscous friction is left out.
        """
        beta, gamma = self.beta.copy(), self.gamma.copy()
        count = self.gains.shape[-2]
        gamma[..., :count] += self._dry(np.sqrt(u))
        if self.motors.viscous.any():
            delta = self._delta()
            # A tangent at more than the speed that friction alone allows would leave nothing at rest.
            highest = 1.0 / np.maximum(delta.max(axis=-1, initial=0.0), np.finfo(float).tiny)
            speed = np.minimum(np.sqrt(u), highest)
            slow = speed <= _SLOW * speed.max()
            slope = np.where(slow, 0.0, 0.5 / np.where(slow, 1.0, speed))
            beta[..., :count] += delta * slope[..., None]
            gamma[..., :count] += delta * (speed * np.where(slow, 0.0, 0.5))[..., None]
        return beta, gamma

    def use(self, b: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Share of the limit nearest to being reached (...), of all limits and with all of the friction.

        It belongs to accelerations along the path b (...), m/s2, and squared speeds u (...), m2/s2.
        """
        worst = np.maximum(np.sqrt(u / self.cap), np.hypot(b, self.curvature * u) / self.a_max)
        torque = self.torque_shares(b, u)
        return np.maximum(worst, torque.max(axis=-1, initial=0.0))

    def torque_shares(self, b: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Shares of the torque limits (..., torque rows); see `use`."""
        count = self.gains.shape[-2]
        shares = self.alpha[..., :count] * b[..., None] + self.beta[..., :count] * u[..., None]
        speed = np.sqrt(u)
        return shares + self.gamma[..., :count] + self._dry(speed) + self._delta() * speed[..., None]

    def _delta(self) -> np.ndarray:
        return np.einsum("...kn,...n->...k", self.gains, self.motors.viscous * self.rates)

    def _dry(self, speed: np.ndarray) -> np.ndarray:
        """Shares of dry friction (..., torque rows), the worst there can be.

        At rest it lies between nothing and what it is when the motion begins; where a joint turns back it has either
        sign.
        """
        if not self.motors.rubbing:
            return np.zeros(self.gains.shape[:-1])
        size = self.motors.dry(self.rates * speed[..., None])
        turning = np.abs(self.rates) <= STILL
        high = np.where((self.rates > 0.0) | turning, size, -size)
        low = np.where((self.rates < 0.0) | turning, -size, size)
        resting = self.resting[..., None]
        low, high = np.where(resting, np.minimum(low, 0.0), low), np.where(resting, np.maximum(high, 0.0), high)
        return np.maximum(self.gains * low[..., None, :], self.gains * high[..., None, :]).sum(axis=-1)


@final
@dataclass(frozen=True, eq=False)
class PathLimits:
    """What a timing must hold.

    Attributes:
        model: the robot, with what it carries.
        torque: largest torque of every motor (n,), at its joint, N m; infinite without a limit.
        speed: largest speed of every joint (n,), rad/s; infinite without a limit.
        v_max: largest speed of the plate (m/s); infinite without a limit.
        a_max: largest acceleration of the plate (m/s2); infinite without a limit.
        yaw_rate: largest yaw rate (rad/s); infinite without a limit.
        yaw_acceleration: largest yaw acceleration (rad/s2); infinite without a limit.
    """

    model: Model
    torque: np.ndarray
    speed: np.ndarray
    v_max: float = math.inf
    a_max: float = math.inf
    yaw_rate: float = math.inf
    yaw_acceleration: float = math.inf

    @property
    def motors(self) -> Motors:
        """The motors."""
        return self.model.motors

    @property
    def limited(self) -> bool:
        """Whether any motor has a torque limit."""
        return bool(np.isfinite(self.torque).any())

    def rows(self, path: PathRates, resting: np.ndarray) -> Rows:
        """The limits at points of a path, where the plate may rest (...); NaN where the robot is singular."""
        rates = self.model.joint_rates(path.x, path.d1)
        rows, gains = self._torque_rows(path, rates, resting)
        if path.x.shape[-1] == 4 and self.yaw_acceleration < math.inf:
            turning = np.stack([path.d1[..., 3:], path.d2[..., 3:], np.zeros_like(path.d1[..., 3:])])
            rows, gains = _with_rows(rows, gains, turning / self.yaw_acceleration)
        alpha, beta, gamma = np.concatenate([rows, self._plate_rows(path)], axis=-1)
        cap, curvature = self._cap(rates, path.d1[..., 3:]), _curvature(path)
        return Rows(alpha, beta, gamma, gains, rates, resting, cap, curvature, self.a_max, self.motors)

    def lowered(self) -> PathLimits:
        """The same limits less the share `KEPT`; the speed of the plate cannot be exceeded between nodes and stays."""
        rest = 1.0 - KEPT
        return replace(
            self,
            torque=self.torque * rest,
            speed=self.speed * rest,
            a_max=self.a_max * rest,
            yaw_rate=self.yaw_rate * rest,
            yaw_acceleration=self.yaw_acceleration * rest,
        )

    def with_turns(self, grid: Grid) -> Grid:
        """The grid with a node wherever a joint turns back, if friction or losses jump there."""
        if not self.motors.jumping:
            return grid
        return with_turns(grid, lambda path: self.model.joint_rates(path.x, path.d1), STILL)

    def _cap(self, rates: np.ndarray, turning: np.ndarray) -> np.ndarray:
        """Largest squared speed (...), from joint rates (..., n) and yaw rates (..., 0 or 1) per speed."""
        with np.errstate(divide="ignore"):
            joints = (self.speed / np.abs(rates)).min(axis=-1)
            yaw = (self.yaw_rate / np.abs(turning)).min(axis=-1, initial=math.inf)
            return np.minimum(self.v_max, np.minimum(joints, yaw)) ** 2

    def _torque_rows(self, path: PathRates, rates: np.ndarray, resting: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Alpha, beta and gamma (3, ..., rows) of the torque limits, and the gains (..., rows, n)."""
        *shape, count = rates.shape
        if not self.limited:
            return np.zeros((3, *shape, 0)), np.zeros((*shape, 0, count))
        still = np.zeros_like(path.x)
        held = self.model.inverse_dynamics(path.x, still, still)
        speeding = self.model.inverse_dynamics(path.x, still, path.d1) - held
        turning = self.model.inverse_dynamics(path.x, path.d1, path.d2) - held
        gains, rotors = self._gains(path, rates, resting)
        rows = np.einsum("...kn,c...n->c...k", gains, np.stack([speeding, turning, held]))
        if self.motors.lossy:
            bending = self.model.joint_accelerations(path.x, path.d1, path.d2)
            spinning = np.stack([rates, bending, np.zeros_like(rates)])
            # No rotor takes more than the whole torque of its motor.
            alone = spinning * (self.motors.inertia / self.torque)
            rows = rows + np.einsum("...kn,c...n->c...k", rotors, spinning)
            rows, gains = _with_rows(rows, gains, alone)
        return rows, gains

    def _gains(self, path: PathRates, rates: np.ndarray, resting: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Shares per joint torque, and per joint acceleration on top, (..., rows, n).

        A motor gives `R qdd + loss y` with `y = tau + friction - R qdd` at the far side of its gearbox; the loss is one
        over the efficiency where the motor drives the joint and the efficiency where it is driven. At the limit of a
        row the sign of y is that of the row, unless the rotor alone takes more than the whole torque.
        """
        motors = self.motors
        weights = torque_weights(self.model.inverse_jacobian(path.x))
        weights = np.concatenate([weights, -weights], axis=-2)
        still = (np.abs(rates) <= STILL) | resting[..., None]
        driven = (weights * rates[..., None, :] < 0.0) & ~still[..., None, :]
        loss = np.where(driven, motors.efficiency, 1.0 / motors.efficiency)
        # A motor without a limit takes whatever the others cannot, unless it has no part in the row.
        reach = np.where(weights == 0.0, 0.0, np.abs(weights) * np.where(weights == 0.0, 0.0, self.torque) / loss)
        total = reach.sum(axis=-1, keepdims=True)
        gains = np.where(total > 0.0, weights / np.where(total > 0.0, total, 1.0), 0.0)
        return gains, gains * (1.0 / loss - 1.0) * motors.inertia

    def _plate_rows(self, path: PathRates) -> np.ndarray:
        """Alpha, beta and gamma (3, ..., chords) of the bound on the plate's acceleration."""
        curvature = _curvature(path)[..., None]
        if self.a_max == math.inf:
            return np.zeros((3, *curvature.shape[:-1], 0))
        # Two chords are enough on a line.
        chords = _CHORDS if curvature.any() else 1
        half = math.pi / (4 * _CHORDS) if curvature.any() else 0.0
        angle = half * (2 * np.arange(chords) + 1)
        scale = 1.0 / (self.a_max * math.cos(half))
        beta = scale * np.tile(np.sin(angle), 2) * curvature
        alpha = np.broadcast_to(scale * np.concatenate([np.cos(angle), -np.cos(angle)]), beta.shape)
        return np.stack([alpha, beta, np.zeros_like(beta)])


def _with_rows(rows: np.ndarray, gains: np.ndarray, further: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows (3, ..., k) and gains with further rows of either sign, which have no friction."""
    none = np.zeros((*gains.shape[:-2], 2 * further.shape[-1], gains.shape[-1]))
    return np.concatenate([rows, further, -further], axis=-1), np.concatenate([gains, none], axis=-2)


def _curvature(path: PathRates) -> np.ndarray:
    return np.linalg.norm(path.d2[..., :3], axis=-1)
