"""Inverse kinematics with Jacobian of Par4 in NumPy: a readable form, and one in chunks that stay in the cache.

`readable` follows the geometry (an angle by `arctan2` and `arccos`, rows of the Jacobian by scalar products) and is an
oracle for the others too, because it shares no intermediate formula with them. `Chunked` is NumPy used with care:
structure of arrays, no temporary arrays, every intermediate in one work space.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

__all__ = ["Chunked", "Geometry", "readable"]


@final
@dataclass(frozen=True)
class Geometry:
    """Numbers of the robot: lengths in m, motor directions in rad, branch +1 (elbow out) or -1 a leg."""

    base: float
    plate: float
    arm: float
    rod: float
    lever: float
    angles: tuple[float, float, float, float]
    branch: tuple[float, float, float, float]


def readable(g: Geometry, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Motor angles (N, 4) and Jacobian (N, 4, 4) of poses (N, 4); NaN rows where a pose cannot be reached."""
    angles, branch = np.array(g.angles), np.array(g.branch)
    u = np.stack([np.cos(angles), np.sin(angles), np.zeros(4)], axis=-1)
    up = np.array([0.0, 0.0, 1.0])
    yaw, zero = pose[:, 3], np.zeros(len(pose))
    with np.errstate(invalid="ignore", divide="ignore"):
        turn = g.lever * np.stack([-np.sin(yaw), np.cos(yaw) - 1.0, zero], axis=-1)
        turn_rate = g.lever * np.stack([-np.cos(yaw), -np.sin(yaw), zero], axis=-1)
        moved = np.array([1.0, 1.0, 0.0, 0.0])[:, None]
        d = pose[:, None, :3] + (g.plate - g.base) * u + moved * turn[:, None, :]
        outward, height = np.einsum("nij,ij->ni", d, u), d[..., 2]
        closing = (np.einsum("nij,nij->ni", d, d) + g.arm**2 - g.rod**2) / (2.0 * g.arm)
        q = np.arctan2(height, outward) + branch * np.arccos(closing / np.hypot(outward, height))
        q = np.arctan2(np.sin(q), np.cos(q))
        cosine, sine = np.cos(q)[..., None], np.sin(q)[..., None]
        rod = d - g.arm * (cosine * u + sine * up)
        lift = np.einsum("nij,nij->ni", rod, g.arm * (cosine * up - sine * u))
        column = np.einsum("nij,nij->ni", rod, moved * turn_rate[:, None, :])
        jacobian = np.concatenate([rod, column[..., None]], axis=-1) / lift[..., None]
    bad = ~np.isfinite(q).all(axis=-1)
    q[bad], jacobian[bad] = np.nan, np.nan
    return q, jacobian


@final
class Chunked:
    """The same for structures of arrays, in chunks.

    Args:
        g: the robot.
        chunk: poses a chunk. 4000 were fastest: their work space, 0.45 MB, stays in a second-level cache, and
            NumPy's cost of a call is spread over enough of them.
    """

    WORK_ARRAYS = 14

    def __init__(self, g: Geometry, chunk: int = 4000) -> None:
        self.g = g
        self.chunk = chunk
        self.work = np.empty((self.WORK_ARRAYS, chunk))

    def __call__(self, pose: np.ndarray, q: np.ndarray, jacobian: np.ndarray) -> None:
        """Fill `q` (4, N) and `jacobian` (16, N) for `pose` (4, N)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            for start in range(0, pose.shape[1], self.chunk):
                part = slice(start, start + self.chunk)
                self._fill(pose[:, part], q[:, part], jacobian[:, part])

    def _fill(self, pose: np.ndarray, q: np.ndarray, jacobian: np.ndarray) -> None:
        g, (x, y, z, yaw) = self.g, pose
        work = self.work[:, : pose.shape[1]]
        sine, cosine, ax, ay, zz, w, total = work[:7]
        np.multiply(np.sin(yaw, out=sine), g.lever, out=sine)
        np.multiply(np.cos(yaw, out=cosine), g.lever, out=cosine)
        np.subtract(x, sine, out=ax)
        np.subtract(np.add(y, cosine, out=ay), g.lever, out=ay)
        np.multiply(z, z, out=zz)
        for leg in range(4):
            bx, by = (ax, ay) if leg < 2 else (x, y)
            if leg in (0, 2):
                self._shared(bx, by, zz, w, total)
            row = jacobian[4 * leg : 4 * leg + 4]
            self._leg(leg, bx, by, z, q[leg], row, work[4:])
            if leg < 2:
                np.multiply(row[0], cosine, out=row[3])
                np.negative(np.add(row[3], np.multiply(row[1], sine, out=total), out=row[3]), out=row[3])
            else:
                row[3] = 0.0
        np.add(np.add(q[0], q[1], out=total), np.add(q[2], q[3], out=w), out=total)
        bad = np.isnan(total)
        if bad.any():
            q[:, bad], jacobian[:, bad] = np.nan, np.nan

    def _shared(self, bx: np.ndarray, by: np.ndarray, zz: np.ndarray, w: np.ndarray, total: np.ndarray) -> None:
        """Half of B'.B' + l^2 - L^2 - e^2, the same for the two legs of a half plate."""
        g, e = self.g, self.g.plate - self.g.base
        np.add(np.multiply(bx, bx, out=w), np.multiply(by, by, out=total), out=w)
        np.multiply(np.add(w, zz, out=w), 0.5, out=w)
        np.add(w, 0.5 * (g.arm**2 - g.rod**2 - e * e), out=w)

    def _leg(
        self, leg: int, bx: np.ndarray, by: np.ndarray, z: np.ndarray, q: np.ndarray, row: np.ndarray, work: np.ndarray
    ) -> None:
        g, e = self.g, self.g.plate - self.g.base
        u, v = float(np.cos(g.angles[leg])), float(np.sin(g.angles[leg]))
        zz, w, total, f, gg, r, h, c, s, inverse = work[:10]
        np.add(np.multiply(bx, u, out=f), np.multiply(by, v, out=total), out=f)
        np.add(f, e, out=f)
        np.add(np.multiply(f, e, out=gg), w, out=gg)
        np.add(np.multiply(f, f, out=r), zz, out=r)
        np.subtract(np.multiply(r, g.arm**2, out=h), np.multiply(gg, gg, out=total), out=h)
        np.sqrt(h, out=h)
        if g.branch[leg] < 0.0:
            np.negative(h, out=h)
        np.subtract(np.multiply(f, gg, out=c), np.multiply(z, h, out=total), out=c)
        np.add(np.multiply(z, gg, out=s), np.multiply(f, h, out=total), out=s)
        np.arctan2(s, c, out=q)
        np.divide(-1.0, np.multiply(r, h, out=inverse), out=inverse)
        np.multiply(h, inverse, out=h)
        np.multiply(r, inverse, out=inverse)
        np.add(np.multiply(c, h, out=c), e, out=c)
        np.multiply(np.add(np.multiply(c, u, out=total), bx, out=total), inverse, out=row[0])
        np.multiply(np.add(np.multiply(c, v, out=total), by, out=total), inverse, out=row[1])
        np.multiply(np.add(np.multiply(s, h, out=s), z, out=s), inverse, out=row[2])
