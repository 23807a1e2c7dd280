"""The sampled loop made linear: poles, stability, responses, margins.

`s[k+1] = A s[k] + B a[k] + ...` over a control period T, with `a` the torques that the drives are asked for; closing
`a = C s` makes the loop. Everything is exact for small deviations of the simulated loop (`period_map`), without what
has no slope: encoder steps, limits, dry friction, gearbox losses.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.analysis.period_map import PeriodSlope
from parapick.analysis.s_plane import s_plane
from parapick.analysis.stability_margins import ONE_NUMBER, POINTS, StabilityMargins, grid_of, margins_of
from parapick.arrays import reals
from parapick.errors import ParameterError, ShapeError

LoopInput = Literal["torque", "force", "command", "reference", "angle"]
LoopOutput = Literal["error", "x", "torque", "command"]

APART: Final = 1e8
"""Condition of the modes up to which responses are summed over them: eight digits are then left."""

STILL: Final = 1e-9
"""How far beyond the unit circle a pole still counts as on it: an integrator that nothing moves is no divergence."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class SampledLoop:
    """A closed loop, sampled and held, for small deviations from an operating point.

    Attributes:
        law: name of the control law.
        time: instant of the motion (s); 0 for a pose.
        x: task vector there (dof), m and rad.
        rate: control rate (Hz).
        opened: the control period, opened at the torques that the drives are asked for.
    """

    law: str
    time: float
    x: np.ndarray
    rate: float
    opened: PeriodSlope = field(repr=False)

    def __repr__(self) -> str:
        word = "stable" if self.stable else "unstable"
        return f"<SampledLoop of {self.law} at {self.time:g} s, {self.rate:g} Hz: {word}>"

    @property
    def period(self) -> float:
        """Control period (s)."""
        return 1.0 / self.rate

    @cached_property
    def transition(self) -> np.ndarray:
        """State-transition matrix of the closed loop over a control period (s, s)."""
        return self.opened.transition + self.opened.command @ self.opened.applied

    @property
    def finite(self) -> bool:
        """Whether its numbers are: next to a singular pose, or with gains beyond all reason, they overflow."""
        return bool(np.isfinite(self.transition).all())

    @cached_property
    def modes(self) -> tuple[np.ndarray, np.ndarray]:
        """Poles in the z-plane, largest magnitude first, and the deviation that each moves, as columns (s, s).

        Poles are infinite where the loop's numbers overflow.
        """
        if not self.finite:
            return np.full(len(self.transition), np.inf, dtype=complex), np.eye(len(self.transition), dtype=complex)
        values, vectors = np.linalg.eig(self.transition)
        order = np.argsort(-np.abs(values), kind="stable")
        return values[order], vectors[:, order]

    @property
    def poles(self) -> np.ndarray:
        """Poles in the z-plane, largest magnitude first; those of pure delays are at 0."""
        return self.modes[0]

    @property
    def s_poles(self) -> np.ndarray:
        """Poles in the s-plane (1/s), largest magnitude in the z-plane first; without those gone within a sample."""
        return s_plane(self.poles, self.rate)

    @property
    def stable(self) -> bool:
        """Whether no pole lies outside the unit circle."""
        return bool(np.all(np.abs(self.poles) <= 1.0 + STILL))

    @property
    def radius(self) -> float:
        """Largest magnitude of a pole."""
        return float(np.abs(self.poles[0]))

    def response(
        self, frequencies: ArrayLike, source: LoopInput = "torque", output: LoopOutput = "error"
    ) -> np.ndarray:
        """Frequency response at the samples, to an input that is held over each control period (F, m, k).

        Args:
            frequencies: frequencies (F,), Hz, above 0 and up to half the control rate.
            source: "torque" at the joints (n), "force" on the plate (dof), "command" added to what the drives are asked
                for (n), "angle" that encoders say too much (n), or "reference": x, xd and xdd (3 dof).
            output: "error" `x_ref - x` (dof), "x" (dof), "torque" at the joints (n), or "command" of the law (n).

        Raises:
            ParameterError: a frequency out of range, or an unknown name.
        """
        z = unit_circle(frequencies, self.rate)
        drive, direct = self._entry(source), self._direct(output, source)
        return self._closed(drive, self._exit(output), z) + direct

    def loop_gain(self, frequencies: ArrayLike) -> np.ndarray:
        """Loop opened at the command, all joints at once: L with `I + L` the return difference (F, n, n).

        Args:
            frequencies: frequencies (F,), Hz, above 0 and up to half the control rate.
        """
        z = unit_circle(frequencies, self.rate)
        # Of the closed loop, whose poles lie apart: S = I + C (z - A_closed)^-1 B, and L = S^-1 - I.
        identity = np.eye(self.opened.command.shape[1])
        return np.linalg.inv(identity + self._closed(self.opened.command, self.opened.applied, z)) - identity

    def _closed(self, entry: np.ndarray, out: np.ndarray, z: np.ndarray) -> np.ndarray:
        """Response of the closed loop, mode by mode where these are well apart."""
        values, vectors = self.modes
        if np.linalg.cond(vectors) > APART:
            return transfer(self.transition, entry, out, z)
        inward = np.linalg.solve(vectors, entry.astype(complex))
        return (out @ vectors) @ (inward / (z[:, None] - values)[:, :, None])

    def margins(self, points: int = POINTS) -> StabilityMargins:
        """Gain, phase and delay margins of each joint's loop and of all at once.

        Args:
            points: frequencies looked at, beside those around poles.
        """
        frequencies = grid_of(self.poles, self.rate, points)
        return margins_of(frequencies, self.loop_gain(frequencies), stable=self.stable)

    def least_margins(self, names: Iterable[str], points: int = POINTS) -> Iterator[float]:
        """Some of the margins of a stable loop, each computed when it is asked for: those that `margins` has.

        Args:
            names: "delay" for the smallest delay margin (s), "singular" for the smallest singular value of `I + L`.
            points: frequencies looked at, beside those around poles.
        """
        frequencies = grid_of(self.poles, self.rate, points)
        gains = self.loop_gain(frequencies)
        return (ONE_NUMBER[name](frequencies, gains) for name in names)

    def _entry(self, source: str) -> np.ndarray:
        if source == "command":
            return self.opened.command
        if source not in self.opened.inputs:
            valid = ", ".join(["command", *self.opened.inputs])
            raise ParameterError("source", f"is {source!r}; valid are {valid}")
        return self.opened.inputs[source] + self.opened.command @ self.opened.applied_by[source]

    def _exit(self, output: str) -> np.ndarray:
        if output == "error":
            return -self.opened.outputs["x"]
        if output not in self.opened.outputs:
            raise ParameterError("output", f"is {output!r}; valid are error, {', '.join(self.opened.outputs)}")
        return self.opened.outputs[output]

    def _direct(self, output: str, source: str) -> np.ndarray:
        if source == "command":
            return np.zeros((len(self._exit(output)), self.opened.command.shape[1]))
        direct = self.opened.outputs_by["x" if output == "error" else output, source]
        if output != "error":
            return direct
        return np.eye(*direct.shape) - direct if source == "reference" else -direct


def unit_circle(frequencies: ArrayLike, rate: float) -> np.ndarray:
    """Points of the unit circle at frequencies (F,).

    Args:
        frequencies: frequencies (Hz), above 0 and up to half the rate.
        rate: control rate (Hz).

    Raises:
        ParameterError: a frequency out of range.
    """
    values = np.atleast_1d(reals("frequencies", frequencies))
    if values.ndim != 1:
        raise ShapeError("frequencies", values.shape, "one number per frequency (F,)")
    if not (np.all(values > 0.0) and np.all(values <= 0.5 * rate)):
        valid = f"greater than 0 and at most half the control rate, {0.5 * rate:g} Hz"
        raise ParameterError("frequencies", f"are from {values.min():g} to {values.max():g} Hz; they must be {valid}")
    return np.exp(2j * math.pi * values / rate)


def transfer(transition: np.ndarray, entry: np.ndarray, out: np.ndarray, z: np.ndarray) -> np.ndarray:
    """`out (z - transition)^-1 entry` at points z (F, m, k).

    Args:
        transition: state by state (s, s).
        entry: state by input (s, k).
        out: output by state (m, s).
        z: points (F,).
    """
    shifted = np.empty((len(z), *transition.shape), dtype=complex)
    shifted[:] = -transition
    # A product with the identity would take longer than the solution.
    diagonal = np.arange(len(transition))
    shifted[:, diagonal, diagonal] += z[:, None]
    return out @ np.linalg.solve(shifted, np.broadcast_to(entry, (len(z), *entry.shape)))
