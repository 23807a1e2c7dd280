"""Closed loops side by side, one candidate per vector lane: a run folded into how well it went, nothing recorded.

The fold is the scan that `simulate` runs, with a few more states: the integral of the joint error, peak and square of
the plate's error, and what tells a loop that chatters. All candidates share the series; each has a column of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, final

import casadi as ca
import numpy as np

from parapick.kernel import Recipe, Scan, build_scan, known_scan
from parapick.parameters import leaves, structure
from parapick.simulation import (
    CHATTERING,
    LOOP_ROOMS,
    LOST,
    STAGES,
    Assembled,
    Loop,
    initial_state,
    loop_expressions,
    wound_up,
)

FOLD_ROOMS: Final = (*LOOP_ROOMS, "parapick.tuning")
"""Where the expressions of a fold are written."""


class LoopFold(NamedTuple):
    """How runs went, one row per candidate; NaN where a loop diverged.

    Attributes:
        integral: integral of the norm of the joint error over time (m,), rad s; wu2020 (26).
        peak: largest distance of the plate from its reference (m,), m.
        rms: root mean square of it (m,), m.
        chatter: largest share of the samples at which a motor's command changes its sign (m,).
        shaking: RMS of the change of a joint's rate error over that of its wanted rate, the worst joint (m,).
    """

    integral: np.ndarray
    peak: np.ndarray
    rms: np.ndarray
    chatter: np.ndarray
    shaking: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class FoldedLoop:
    """A loop whose runs are folded.

    Attributes:
        assembly: the loop, assembled.
        scan: the compiled fold.
        inputs: its series.
        first: its first state.
    """

    assembly: Assembled
    scan: Scan
    inputs: tuple[np.ndarray, ...]
    first: np.ndarray

    def __call__(self, numbers: np.ndarray, threads: int | None = None) -> LoopFold:
        """Run candidates.

        Args:
            numbers: numbers of the loop, one row per candidate (m, all).
            threads: number of threads; None: as many as a large batch is worth.
        """
        substeps = STAGES * self.assembly.substeps
        last = self.scan.final(self.first, *self.inputs, numbers, substeps=substeps, threads=threads)
        return self._measures(last)

    def _measures(self, last: np.ndarray) -> LoopFold:
        n, count = self.assembly.loop.motors, len(self.assembly.series.t)
        total, peak, square, rest = np.split(last[..., -(3 + 4 * n) :], [1, 2, 3], axis=-1)
        changes, shaken = rest[..., n : 2 * n], rest[..., 3 * n :]
        wanted = np.linalg.norm(np.diff(self._wanted, axis=0), axis=0)
        moving = wanted > 0.0
        shaking = np.sqrt(shaken[..., moving]) / wanted[moving]
        period = 1.0 / self.assembly.rate
        return LoopFold(
            period * total[..., 0],
            peak[..., 0],
            np.sqrt(square[..., 0] / count),
            np.max(changes, axis=-1) / max(count - 1, 1),
            np.max(shaking, axis=-1, initial=0.0),
        )

    @property
    def _wanted(self) -> np.ndarray:
        """Joint rates that the motion asks for (T, n)."""
        return self.inputs[-1][:, self.assembly.loop.motors :]

    def faulty(self, fold: LoopFold) -> np.ndarray:
        """Which candidates diverge, lose the path or chatter (m,): what `fault_of` says of their records.

        Args:
            fold: how they went.
        """
        extent = float(np.linalg.norm(np.ptp(self.assembly.series.x[:, :3], axis=0)))
        lost = fold.peak > LOST * extent if extent > 0.0 else np.zeros_like(fold.peak, dtype=bool)
        return ~np.isfinite(fold.peak) | lost | (fold.chatter > CHATTERING) | (fold.shaking > 1.0)


def folded_loop(assembly: Assembled) -> FoldedLoop:
    """A loop whose runs are folded; loops that differ in numbers only share the compiled fold.

    Args:
        assembly: the loop, assembled.
    """
    scan, series = _scan_of(assembly.loop), assembly.series
    joints = [assembly.model.inverse_kinematics(series.x), assembly.model.joint_rates(series.x, series.xd)]
    width = 3 + 4 * assembly.loop.motors
    start = series.x[0]
    first = initial_state(assembly.loop, start, series.xd[0], scan.states - width, wound_up(assembly, start))
    return FoldedLoop(assembly, scan, (*series.inputs, np.hstack(joints)), np.concatenate([first, np.zeros(width)]))


def _scan_of(loop: Loop) -> Scan:
    key, motors = structure(loop), loop.motors
    return known_scan(Recipe(FOLD_ROOMS, "loop_fold", key), lambda: _made(key, motors))


def _made(key: Loop, n: int) -> Scan:
    from parapick.kernel import Substep

    whole = loop_expressions(key)
    joints = ca.SX.sym("joints", 2 * n)
    kept = ca.SX.sym("fold", 3 + 4 * n)
    inside = ca.SX.sym("fold_inside", 3 + 4 * n)
    after = _folded(whole.outputs, whole.inputs["reference"], joints, kept, n)
    sub: Any = whole.substep
    substep = Substep(ca.vertcat(sub.state, inside), sub.held, ca.vertcat(sub.next, inside), values=sub.values)
    return build_scan(
        "loop_fold",
        state=ca.vertcat(whole.state, kept),
        inputs={**whole.inputs, "joints": joints},
        parameters=whole.parameters,
        next_state=ca.vertcat(whole.next_state, after),
        outputs={},
        substep=substep,
        validity=whole.outputs["closes"],
    )


def _folded(outputs: dict[str, Any], reference: Any, joints: Any, kept: Any, n: int) -> Any:
    """What is kept after a sample: sums and largest values, and what the next sample is compared with."""
    error = outputs["x"][:3] - reference[:3]
    square = ca.dot(error, error)
    command, slip = outputs["command"], outputs["qd"] - joints[n:]
    before, changes, earlier, shaken = (kept[3 + k * n : 3 + (k + 1) * n] for k in range(4))
    turned = ca.if_else(command * before < 0, 1.0, 0.0)
    step = slip - earlier
    return ca.vertcat(
        kept[0] + ca.norm_2(outputs["q"] - joints[:n]),
        ca.fmax(kept[1], ca.sqrt(square)),
        kept[2] + square,
        command,
        changes + turned,
        slip,
        shaken + step * step,
    )


def with_law_numbers(assembly: Assembled, law: np.ndarray) -> np.ndarray:
    """Numbers of a loop with other numbers of its law, one row per candidate (m, all).

    Args:
        law: numbers of the law (m, k), in the order of its walk.
    """
    places = [index for index, (path, _) in enumerate(leaves(assembly.loop)) if path.startswith("law.")]
    rows = np.tile(assembly.parameters, (len(law), 1))
    rows[:, places] = law
    return rows
