"""The programme of a cycle under heat around a profile: what heats the motors cell by cell, and the limits there.

Torques are those of the robot at looks into every cell, with friction, losses and the sharing of redundant motors, and
linear around the profile by their slopes. For rigid bodies with dry friction that is exact. Viscous and Stribeck's
friction, the side on which a gearbox loses, which motors a sharing by least peak holds equal, and what speed heats
where a file states continuous torques over it, are those of the profile: programmes follow one another until their
profile stays. So do rows of limits, as in `refinement`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.timing.grid import LOOKS
from parapick.timing.heat_programme import CellTimes, HeatProgramme, HeatTerms
from parapick.timing.limit_rows import CAP, CURVATURE, UNBOUNDED, linear_rows

if TYPE_CHECKING:
    from parapick.model import DriveLoad
    from parapick.timing.refinement import CourseBatch

# Looks into a cell at which torques count, each for half of its time: inside it, where dry friction has one sign.
_HEATED: Final = np.array([1, 3])
# Share of accelerations, squared speeds and shaft speeds over which slopes are taken: what is linear is then exact to
# rounding.
_STEP: Final = 1e-5
# What a row keeps free at rest where it is tightened or linearised; as in the passes.
_LEFT: Final = 1e-9


@final
@dataclass(frozen=True, eq=False)
class HeatedCycle:
    """A cycle that is to keep its motors cool.

    Attributes:
        often: how often each stretch is run through (stretches,).
        rest: time of all rests (s).
        limit: torque at rest whose heat every motor bears (n,), N m, at the shaft; infinite without a limit.
    """

    often: np.ndarray
    rest: float
    limit: np.ndarray

    def programme(self, batch: CourseBatch, heat: np.ndarray, *, cools: bool = True) -> HeatProgramme:
        """The programme around the profile of a batch, from rest to rest.

        Args:
            batch: the stretches, with the profile.
            heat: mean heat of the motors over the cycle with this profile (n,), (N m)2, as it was found by itself.
            cools: as for `HeatProgramme`.
        """
        rated, often = np.isfinite(self.limit), self.often[batch.grid.owner]
        torque, steady, turned = (value[..., rated] for value in _heating(batch))
        torque /= self.limit[rated]
        steady /= self.limit[rated] ** 2
        fixed = np.zeros((3, *steady.shape))
        fixed[0] = (often * batch.grid.h)[:, None] * turned / self.limit[rated] ** 2
        times = CellTimes.of(often * batch.grid.h, batch.u.T)
        fixed += _tangents(times, batch.u.T, np.minimum(steady, 0.0) - float(not cools))
        terms = HeatTerms(torque, np.maximum(steady, 0.0), fixed, np.zeros(int(rated.sum())))
        whole = HeatProgramme(
            batch.grid.h, batch.grid.first, often, _rows(batch), _bows(batch), terms, self.rest, cools
        )
        total = float(times.time.sum()) + self.rest
        return whole.meeting(whole.nodes(batch.u.T), total * (heat[rated] / self.limit[rated] ** 2 - float(not cools)))


def _heating(batch: CourseBatch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What heats the motors in cells around the profile of a batch.

    Torques at rest and their slopes by p and q (3, N, looks, n), N m; what heats as long as a cell lasts (N, n),
    (N m)2, and what does by its length (N, n), (N m)2 s/m.
    """
    count = batch.courses[0].limits.motors.count
    p, q = batch.u.T
    b, u, shares = (q - p) / (2.0 * batch.grid.h), batch.looks[:, _HEATED], LOOKS[_HEATED]
    torque = np.empty((3, *u.shape, count))
    steady, turned = np.empty((2, len(u), count))
    for number, (first, last) in enumerate(zip(batch.grid.first, batch.grid.last, strict=True)):
        here = slice(first, last + 1)
        at, slopes = _torques(batch, number, b[here], u[here])
        by_b, by_u = slopes[0] / (2.0 * batch.grid.h[here, None, None]), slopes[1]
        torque[1, here] = (1.0 - shares)[:, None] * by_u - by_b
        torque[2, here] = shares[:, None] * by_u + by_b
        ends = p[here, None, None], q[here, None, None]
        torque[0, here] = at.torque - torque[1, here] * ends[0] - torque[2, here] * ends[1]
        steady[here], turned[here] = _by_speed(batch, at, u[here])
    return torque, steady, turned


def _torques(batch: CourseBatch, number: int, b: np.ndarray, u: np.ndarray) -> tuple[DriveLoad, np.ndarray]:
    """Loads of motors at the looks into cells of a stretch, and slopes of torques by b and u (2, N, looks, n).

    Args:
        number: of the stretch.
        b: accelerations along the path (N,), m/s2.
        u: squared speeds at the looks (N, looks), m2/s2.
    """
    model, here = batch.courses[number].limits.model, slice(batch.grid.first[number], batch.grid.last[number] + 1)
    x, d1, d2 = (values[here][:, _HEATED] for values in batch.grid.points[:3])

    def loads(b: np.ndarray, u: np.ndarray) -> DriveLoad:
        xdd = d1 * b[..., None] + d2 * u[..., None]
        return model.drive_torque(x, d1 * np.sqrt(u)[..., None], xdd, sharing=model.judged_sharing)

    along = np.broadcast_to(b[:, None], u.shape)
    by_b, by_u = _STEP * np.abs(b).max() * np.ones_like(u), _STEP * u
    at = loads(along, u)
    slopes = [(loads(along + by_b, u).torque - at.torque) / by_b[..., None]]
    slopes.append((loads(along, u + by_u).torque - at.torque) / by_u[..., None])
    return at, np.stack(slopes)


def _by_speed(batch: CourseBatch, at: DriveLoad, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What speed heats the motors: as long as a cell lasts (N, n), (N m)2, and by its length (N, n), (N m)2 s/m.

    Of what it heats at a speed w the tangent counts, `e(v) + e'(v) (w - v)`: w times time is the angle of the shaft,
    whatever the timing.
    """
    motors, speed = batch.courses[0].limits.motors, np.abs(at.speed)
    still = np.zeros_like(speed)
    heat = motors.heat(still, speed)
    step = _STEP * np.maximum(speed, _STEP)
    slope = (motors.heat(still, speed + step) - heat) / step
    per_length = slope * speed / np.sqrt(u)[..., None]
    return (heat - slope * speed).mean(axis=1), per_length.mean(axis=1)


def _tangents(times: CellTimes, ends: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weights (N, n) times the tangents of the times of cells: at p = q = 0, and by p and q (3, N, n)."""
    p, q = ends
    lines = np.stack([times.time - times.p * p - times.q * q, times.p, times.q])
    return lines[..., None] * weights


def _rows(batch: CourseBatch) -> np.ndarray:
    """A, B and C of the limits in cells (3, N, k), as in `speed_profile`, caps on squared speeds among them."""
    rows, tight = batch.rows[:, [0, -1]], batch.tight[:, None]
    alpha, beta, gamma = linear_rows(batch.form, rows, batch.u)
    alpha, beta = tight[..., None] * alpha / (2.0 * batch.grid.h[:, None, None]), tight[..., None] * beta
    left = np.maximum(1.0 - tight[..., None] * gamma, _LEFT)
    a, b = (alpha[:, 0], beta[:, 1] + alpha[:, 1]), (beta[:, 0] - alpha[:, 0], -alpha[:, 1])
    cap = 1.0 / np.minimum(rows[..., CAP], UNBOUNDED)
    none, one = np.zeros_like(cap[:, :1]), np.ones_like(cap)
    return np.stack(
        [
            np.concatenate([*a, none, cap[:, 1:]], axis=1),
            np.concatenate([*b, cap[:, :1], none], axis=1),
            np.concatenate([left[:, 0], left[:, 1], one], axis=1),
        ]
    )


def _bows(batch: CourseBatch) -> np.ndarray | None:
    """The bound on the plate's acceleration (m/s2) and the curvatures at both ends of cells (1/m) (N, 3), or None."""
    if not batch.form.bounded:
        return None
    return np.column_stack([batch.a_max / batch.tight, batch.rows[:, 0, CURVATURE], batch.rows[:, -1, CURVATURE]])
