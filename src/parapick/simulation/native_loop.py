"""A whole loop as one native scan: measurement, law and drives once a step, the plant in an inner native loop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, final

import casadi as ca
import numpy as np

from parapick.formulas import ROOMS, inlined
from parapick.kernel import Reads, Recipe, Scan, build_scan, known_scan_by_reads
from parapick.model import Model
from parapick.parameters import leaves, link, resolved, structure, symbolic, values
from parapick.simulation.control_step import ControlStep, control_step
from parapick.simulation.loop import Loop
from parapick.simulation.plant import PlantStage, plant_stage
from parapick.simulation.plant_state import moving_sizes, state_rows
from parapick.simulation.series import faulty

if TYPE_CHECKING:
    from parapick.kernel import Substep

TIMES: Final = 2
"""Parameters behind those of the loop: control period and length of a substep (s)."""

LOOP_ROOMS: Final = (*ROOMS, "parapick.control", "parapick.simulation")
"""Where the expressions of a loop are written."""


@final
@dataclass(frozen=True)
class Symbols:
    """A loop with symbols in the place of its numbers.

    Attributes:
        loop: the loop.
        parameters: column of its numbers, then control period and substep.
    """

    loop: Loop
    parameters: Any

    @property
    def period(self) -> Any:
        """Control period (s)."""
        return self.parameters[-2]

    @property
    def substep(self) -> Any:
        """Length of a substep (s)."""
        return self.parameters[-1]


@final
@dataclass(frozen=True)
class LoopExpressions:
    """A whole loop as the expressions of a scan; see `build_scan`.

    Attributes:
        state: state of the plant, then that of the controller; a column of symbols.
        inputs: columns of symbols by name, one value per sample.
        parameters: numbers of the loop, control period and substep.
        next_state: state after the controller's step and before the plant's substeps.
        outputs: what is recorded at a sample, by name.
        substep: one stage of the plant's integrator; the first of what is held are the torques that the drives are
            asked for (n).
    """

    state: Any
    inputs: dict[str, Any]
    parameters: Any
    next_state: Any
    outputs: dict[str, Any]
    substep: Substep


def loop_symbols(loop: Loop, reads: Reads | None = None) -> Symbols:
    """A loop with symbols in the place of its numbers.

    Args:
        loop: the loop, or its structure.
        reads: notes what is read of it; None: nobody does.
    """
    parameters = ca.SX.sym("p", sum(1 for _ in leaves(loop)) + TIMES)
    assembly = symbolic(structure(loop), ca.vertsplit(parameters)[:-TIMES])
    # A number that follows another one names it by its path in its own robot.
    assembly = replace(assembly, controller=resolved(assembly.controller), plant=resolved(assembly.plant))
    if reads is not None:
        link(reads, loop.controller, "controller")
        link(reads, loop.plant, "plant")
        assembly = reads.watched(assembly)
    return Symbols(assembly, parameters)


def parameters_of(loop: Loop, rate: float, substeps: int) -> np.ndarray:
    """The numbers of a loop as its compiled forms take them.

    Args:
        rate: control rate (Hz).
        substeps: integration steps a control period.
    """
    return np.array([*values(loop), 1.0 / rate, 1.0 / (rate * substeps)])


def scan_of(loop: Loop) -> Scan:
    """The compiled scan of a loop; loops that differ in numbers only share it.

    Args:
        loop: the loop, its law included.
    """
    key = structure(loop)
    return known_scan_by_reads(Recipe(LOOP_ROOMS, "closed_loop", key), lambda reads: _made(key, reads))


def _made(key: Loop, reads: Reads) -> Scan:
    whole = loop_expressions(key, reads=reads)
    return build_scan(
        "closed_loop", whole.state, whole.inputs, whole.parameters, whole.next_state, whole.outputs, whole.substep
    )


def loop_expressions(key: Loop, misread: Any = 0.0, reads: Reads | None = None) -> LoopExpressions:
    """A whole loop as expressions: measurement, law, drives and plant.

    Args:
        key: the loop, or its structure.
        misread: what the encoders say too much (n), rad.
        reads: notes what is read of the loop; None: nobody does.
    """
    from parapick.kernel import Substep

    symbols = loop_symbols(key, reads)
    loop = symbols.loop
    plant, control = plant_stage(loop), control_step(loop)
    # Within a step the plant's state has symbols of its own: the plant's stand for what it becomes in the substeps.
    now, kept = ca.SX.sym("now", plant.state.column.shape[0]), ca.SX.sym("kept", control.state.shape[0])
    seen = _seen(plant, now)
    faults = ca.SX.sym("faults_now", 4 * loop.motors if loop.faults else 0)
    if loop.faults:
        seen["q_meas"] = faulty(seen["q_meas"], faults, "encoder")
    sample, reference = control.sample, control.sample.reference
    sampled = [sample.measured.q, sample.measured.qd, sample.measured.x, sample.measured.xd, sample.step]
    rates = seen.get("qd_motor", seen["qd"])
    known = [seen["q_meas"] + misread, rates, seen["x"], seen["xd"], symbols.period]
    if loop.faults:
        control = replace(control, applied=faulty(control.applied, faults, "drive"))
    started = _started(plant, control, now)
    after, applied, started, *recorded = inlined(
        [control.next, control.applied, started, *outputs_of(control).values()], sampled, known
    )
    payload = ca.SX.sym("payload_now", 5)
    disturbances = {
        **({"swinging": ca.SX.sym("swinging_now")} if loop.swing is not None else {}),
        **({"force": ca.SX.sym("force_now", loop.dof)} if loop.forces else {}),
        **({"torque": ca.SX.sym("torque_now", loop.motors)} if loop.torques else {}),
    }
    broken = {"faults": faults} if loop.faults else {}
    return LoopExpressions(
        state=ca.vertcat(now, control.state),
        inputs={
            "reference": ca.vertcat(reference.x, reference.xd, reference.xdd),
            "payload_ref": reference.payload,
            **({"learned": reference.learned} if loop.learns else {}),
            "payload": payload,
            **disturbances,
            **broken,
        },
        parameters=symbols.parameters,
        next_state=ca.vertcat(started, after),
        outputs={
            **seen,
            "torque": started[plant.lag_rows] if plant.lag_rows else applied,
            **dict(zip(outputs_of(control), recorded, strict=True)),
        },
        substep=Substep(
            ca.vertcat(plant.state.column, kept),
            plant.load.column,
            ca.vertcat(plant.next.column, kept),
            values=ca.vertcat(applied, payload, *disturbances.values(), symbols.substep),
        ),
    )


def _seen(plant: PlantStage, now: Any) -> dict[str, Any]:
    """What is recorded of the plant at a sample."""
    return dict(zip(plant.seen, inlined([*plant.seen.values()], [plant.state.column], [now]), strict=True))


def _started(plant: PlantStage, control: ControlStep, now: Any) -> Any:
    """State of the plant at the sample; lagging drives have settled before the first one."""
    rows = plant.lag_rows
    if not rows:
        return now
    settled = ca.if_else(control.fresh > 0, control.applied, now[rows])
    return ca.vertcat(now[: rows[0]], settled, now[rows[-1] + 1 :])


def outputs_of(control: ControlStep) -> dict[str, Any]:
    """What is recorded of a controller, by name."""
    return {
        "command": control.command,
        **{f"term_{name}": value for name, value in control.terms.items()},
        **{f"{name}_est": value for name, value in control.estimate.items() if name != "q"},
    }


def initial_state(
    loop: Loop, x: np.ndarray, xd: np.ndarray, count: int, motor: tuple[np.ndarray, np.ndarray] | None = None
) -> np.ndarray:
    """State before the first sample: the plant placed, the controller fresh.

    Args:
        x: task vector (dof), m and rad.
        xd: its rate (dof).
        count: length of the state, the controller's included.
        motor: angles and rates of the rotors where the drive train is elastic (n each); None: springs at rest.
    """
    rows, state = state_rows(loop), np.zeros(count)
    if loop.drive_train is not None and motor is None:
        motor = relaxed(loop, x, xd)
    angles, rates = (np.zeros(0), np.zeros(0)) if motor is None else motor
    swing = np.zeros(moving_sizes(loop)["swing"])
    moving = {"place": [x, angles, swing], "rate": [xd, rates, swing]}
    for name, parts in moving.items():
        state[rows[name]] = state[rows[f"stage_{name}"]] = np.concatenate(parts)
    # Behind the plant comes the controller, whose first entry says that it is fresh.
    state[rows["phase"].stop] = 1.0
    return state


def relaxed(loop: Loop, x: np.ndarray, xd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angles and rates of the rotors that leave the springs at rest (n each).

    Args:
        x: task vector (dof), m and rad.
        xd: its rate (dof).
    """
    plant = Model(loop.plant)
    return plant.inverse_kinematics(x), plant.joint_rates(x, xd)
