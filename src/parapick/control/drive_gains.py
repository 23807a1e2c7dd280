"""Gains in the units of drives: torque per angle and per speed at every joint, whatever a law's own gains act on.

A law in the joints has them as they are. One whose gains turn errors into accelerations has them through the inertia at
a pose: with D the pseudo-inverse of the inverse Jacobian, `K = diag(D' M D) k` of a law in the joints and
`K = diag(D' M diag(k) D)` of one in task space, what each joint would feel alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from parapick.answer import Cell, Column, Table, pose_text
from parapick.control.controller import Controller
from parapick.control.fields import gain_axis
from parapick.control.laws import acts_on_accelerations
from parapick.control.stage import ControlLaw
from parapick.control.tuned import with_gains
from parapick.formulas import missing_masses
from parapick.mechanism import MotorAxis

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion import Motion

ALIKE: Final = 1e-3
"""Share by which gains of two motors may differ and share a row."""


class DriveGains(NamedTuple):
    """Gains of every joint in the units of its drive.

    Attributes:
        kp: torque per angle (n,), N m/rad; N/m where a joint slides.
        kd: torque per speed (n,), N m s/rad; N s/m where a joint slides.
    """

    kp: np.ndarray
    kd: np.ndarray


def drive_gains(law: ControlLaw, model: Model, x: Any) -> DriveGains | None:
    """Gains of a law in the units of drives; None for a law without slopes on errors and rates.

    Args:
        law: the law with gains, not poles.
        model: the robot as the controller knows it.
        x: pose (dof), m and rad, whose inertia counts for gains on accelerations.
    """
    pair = _pair(law)
    if pair is None:
        return None
    n, dof = model.robot.motors, model.robot.dof
    if not acts_on_accelerations(law):
        return DriveGains(*(np.broadcast_to(np.asarray(one, dtype=float), (n,)) for one in pair))
    inward = np.linalg.pinv(model.inverse_jacobian(np.asarray(x, dtype=float)))
    mass = model.mass_matrix(np.asarray(x, dtype=float))
    if gain_axis(law) == "joint":
        felt = np.sum(inward * (mass @ inward), axis=0)
        return DriveGains(*(felt * np.asarray(one, dtype=float) for one in pair))
    spread = (np.broadcast_to(np.asarray(one, dtype=float), (dof,)) for one in pair)
    return DriveGains(*(np.sum(inward * (mass @ (k[:, None] * inward)), axis=0) for k in spread))


def _pair(law: Any) -> tuple[Any, Any] | None:
    """Gains on an error and on its rate, in the law's own units."""
    if hasattr(law, "error_gains"):
        return law.error_gains
    pair = getattr(law, "kp", None), getattr(law, "kd", None)
    return None if None in pair else pair


def gains_tables(model: Model, motion: Motion, controllers: Mapping[str, Controller], head: str = "law") -> list[Table]:
    """Gains of controllers in the units of the drives, motors alike in one row; none where no law has any.

    Args:
        motion: the motion along which gains follow from poles.
        controllers: controllers by name.
        head: what the names are.
    """
    home = np.array(model.robot.home, dtype=float)
    gains: dict[str, DriveGains] = {}
    notes: dict[str, None] = {}
    for name, controller in controllers.items():
        believed = controller.model.applied(model)
        if isinstance(controller.law, ControlLaw) and not missing_masses(believed.robot):
            placed = with_gains(controller.law, believed, motion)
            own_gains = drive_gains(placed, believed, home)
            gains |= {} if own_gains is None else {name: own_gains}
            # A payload of the robot itself counts; what only the motion carries does not.
            empty = believed.payload is None and any(step.mass for step in motion.payload)
            notes |= {} if own_gains is None else dict.fromkeys(_notes(controller.law, home, empty=empty))
    axes = dict.fromkeys(model.robot.axes)
    tables = [_table(axis, model.robot.axes, gains, head, "; ".join(notes), len(axes)) for axis in axes]
    return tables if gains else []


def _notes(law: Any, home: np.ndarray, *, empty: bool) -> Iterator[str]:
    """With which inertia a law's gains are those of the drives, where that is a question."""
    if acts_on_accelerations(law):
        tool = ", with an empty tool" if empty else ""
        yield f"laws on accelerations: what each joint would feel alone at home, {pose_text(home.tolist())}{tool}"
    elif getattr(law, "poles", None) is not None:
        inertia = "that is stated" if law.poles.inertia is not None else "that each motor feels in the mean on its way"
        yield f"joint laws with poles: with the inertia {inertia}"


def _table(
    axis: MotorAxis, axes: tuple[MotorAxis, ...], gains: Mapping[str, DriveGains], head: str, note: str, kinds: int
) -> Table:
    """Gains of the motors of one kind of axis."""
    motors = [k for k, one in enumerate(axes) if one == axis]
    columns = (
        Column(head),
        Column("motor"),
        Column("kp", f"{axis.effort}/{axis.unit}"),
        Column("kd", f"{axis.effort} s/{axis.unit}"),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, own in gains.items():
        rows += [(name, *row) for row in _rows(own, motors)]
    name = "gains" if axis == axes[0] else f"gains ({axis.effort})"
    title = "gains in the units of the drives" if kinds == 1 else f"gains in the units of the drives, {axis.word}s"
    return Table(name, title, columns, tuple(rows), note)


def _rows(gains: DriveGains, motors: list[int]) -> Iterator[tuple[str, float, float]]:
    """Motors with the same gains, and these."""
    left = list(motors)
    while left:
        first = left[0]
        alike = [k for k in left if all(abs(one[k] - one[first]) <= ALIKE * abs(one[first]) for one in gains)]
        yield _numbers(alike), float(gains.kp[first]), float(gains.kd[first])
        left = [k for k in left if k not in alike]


def _numbers(motors: list[int]) -> str:
    """Motors from 1: "2", "1 to 4", "1, 3"."""
    together = len(motors) > 1 and motors == list(range(motors[0], motors[-1] + 1))
    if together:
        return f"{motors[0] + 1} to {motors[-1] + 1}"
    return ", ".join(str(k + 1) for k in motors)
