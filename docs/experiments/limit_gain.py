"""The gain at which a sampled loop goes unstable: from its poles, and from running it.

The gain is stated as the frequency of the poles from which a law finds its gains, so that laws with different gains can
be compared; the damping and all else stay as they are. `python docs/experiments/limit_gain.py` prints the table of
docs/robust.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from parapick.analysis.operating_point import one_pose, sampled_loop
from parapick.control import LAWS, Controller, DriveTrain, PlantChanges, Poles, by_poles
from parapick.errors import ParameterError
from parapick.model import Model
from parapick.motion import hold
from parapick.robots import load
from parapick.simulation import STAGES, Assembled, assembled, initial_state, wound_up
from parapick.simulation.native_loop import scan_of

LOWEST: Final = 2.0
HIGHEST: Final = 400.0
"""Frequencies (Hz) between which a limit is looked for: slower loops follow nothing, faster ones no drive samples."""

LANES: Final = 16
"""Frequencies that are tried side by side, evenly in logarithm."""

PRECISE: Final = 1e-3
"""Share of the frequency to which a limit is found."""

DURATION: Final = 1.0
"""Time (s) over which a simulated loop is looked at: a loop 1 % beyond its limit grows visibly within it."""

OFFSET: Final = 1e-6
"""How far beside its place a loop starts (m, rad), so that all that can grow has something to grow from."""

SILENT: Final = 1e-11
"""Change of the speed between samples (m/s, rad/s) below which nothing moves but rounding."""

TRAIN: Final = DriveTrain(stiffness=20_000.0, damping=5.0, rotor=0.02)
PLACE: Final = (0.05, -0.03, -0.7, 0.1)
"""The drive train of the table, and the pose of par4 (m, rad) at which its loops are looked at."""


def elastic_loop(law: str) -> Controller:
    """A controller of the table: its law by the usual poles, one sample late, on the elastic drive train.

    Args:
        law: a name of `LAWS`.
    """
    # Linear up to what the springs are wound up by.
    thresholds = {"threshold": 5e-3, "rate_threshold": 1.0} if law == "nonlinear-pd" else {}
    kind: Any = LAWS[law]
    return Controller(kind(poles=Poles(), **thresholds), delay=1, plant=PlantChanges(drive_train=TRAIN))


def limit_by_poles(model: Model, at: ArrayLike, controller: Controller, *, damping: float | None = None) -> float:
    """The frequency (Hz) of its poles from which the sampled loop, made linear at a pose, is unstable.

    Args:
        at: the pose (dof), m and rad.
        controller: the controller; its law is one of `LAWS` with a slope on its reference.
        damping: damping ratio of the poles; None for the usual one.

    Raises:
        ParameterError: stable at every frequency, or unstable at every one.
    """

    def unstable(frequencies: np.ndarray) -> np.ndarray:
        loops = (sampled_loop(model, at, at_frequency(controller, float(each), damping)) for each in frequencies)
        return np.array([not loop.stable for loop in loops])

    return _limit(unstable)


def limit_by_running(model: Model, at: ArrayLike, controller: Controller, *, damping: float | None = None) -> float:
    """The same from the simulated loop: the frequency (Hz) from which it swings more and more about a pose.

    Without torque limits and encoder steps, which turn what grows into a limit cycle, and what fades into noise.

    Args:
        at: the pose (dof), m and rad.
        controller: the controller; its law is one of `LAWS`.
        damping: damping ratio of the poles; None for the usual one.

    Raises:
        ParameterError: stable at every frequency, or unstable at every one.
    """
    bare = replace(controller, torque_max=None, encoder=None)
    motion = hold(one_pose(model, at), DURATION)

    def unstable(frequencies: np.ndarray) -> np.ndarray:
        loops = [assembled(model, motion, at_frequency(bare, float(each), damping)) for each in frequencies]
        return _growing(loops)

    return _limit(unstable)


def at_frequency(controller: Controller, frequency: float, damping: float | None = None) -> Controller:
    """The same controller with the gains of its law from other poles.

    Args:
        frequency: natural frequency of the error (Hz).
        damping: its damping ratio; None for that which its law states, or else the usual one.
    """
    law: Any = controller.law
    poles = getattr(law, "poles", None) or Poles()
    changed = replace(poles, frequency=frequency, damping=poles.damping if damping is None else damping)
    return replace(controller, law=by_poles(law, changed))


def _growing(loops: list[Assembled]) -> np.ndarray:
    """Which of several loops that differ in numbers only swing more in the last quarter than in the third."""
    first = loops[0]
    scan = scan_of(first.loop)
    start = first.series.x[0] + OFFSET
    state = initial_state(first.loop, start, first.series.xd[0], scan.states, wound_up(first, start))
    numbers = np.array([loop.parameters for loop in loops])
    run = scan(state, *first.series.inputs, numbers, substeps=STAGES * first.substeps)
    # Second differences weigh what swings fast over what creeps.
    swinging = np.abs(np.diff(run.outputs["xd"], n=2, axis=1)).max(axis=2)
    quarter = swinging.shape[1] // 4
    third, last = swinging[:, 2 * quarter : 3 * quarter].max(axis=1), swinging[:, 3 * quarter :].max(axis=1)
    return ~np.isfinite(last) | ((last > third) & (last > SILENT))


def _limit(unstable: Callable[[np.ndarray], np.ndarray]) -> float:
    """Smallest frequency (Hz) that is unstable."""
    low, high = LOWEST, HIGHEST
    while high / low - 1.0 > PRECISE:
        tried = np.geomspace(low, high, LANES)
        beyond = np.flatnonzero(unstable(tried))
        if not len(beyond) or (beyond[0] == 0 and low == LOWEST):
            word = "stable" if not len(beyond) else "unstable"
            raise ParameterError("controller", f"the loop is {word} at every frequency of {LOWEST:g} to {HIGHEST:g} Hz")
        low, high = float(tried[max(beyond[0] - 1, 0)]), float(tried[max(beyond[0], 1)])
    return float(np.sqrt(low * high))


def main() -> None:
    """Print the table: every law by its poles, where it has a slope, and by running it."""
    model = load("par4")
    for law in LAWS:
        controller = elastic_loop(law)
        try:
            by_poles_text = f"{limit_by_poles(model, PLACE, controller):.1f}"
        except ParameterError as error:
            by_poles_text = str(error)
        print(f"| `{law}` | {by_poles_text} | {limit_by_running(model, PLACE, controller):.1f} |")


if __name__ == "__main__":
    main()
