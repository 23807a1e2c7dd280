"""`verify`: loops, joints, torques and energy of a robot against MuJoCo, with the peak difference of each and where.

The other engine gets the bodies and joints of the description, real rods and closed loops; it knows none of our
formulas. Its own Jacobians and inertias give what the motors must do for the same motion of the plate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.answer import Answer, Column, Table
from parapick.errors import ParameterError
from parapick.formulas import missing_masses
from parapick.inspection import about, subject
from parapick.limits import count_objection
from parapick.mechanism import LUMPED
from parapick.model import Model
from parapick.multibody import EngineSeries, assemble, engine_series, mujoco
from parapick.progress import Listener
from parapick.robots import RobotChoice, model_of
from parapick.verification.trial_motion import TrialStates, trial_states

STATES: Final = 12
"""States each way of the motion on which both are compared."""

KINEMATIC: Final = (1e-9, "both close their loops to rounding of a length of 1 m")
"""Largest difference of joint coordinates (rad, m), and of rates as a share of their peak; and why."""

DYNAMIC: Final = (1e-7, "the engine gives every body at least 1e-12 kg m2, beside rounding")
"""Largest difference of torques and energies as a share of their peak, and why."""

STAND_IN: Final = 0.1
"""Mass (kg) and inertia (kg m2) for those that a file leaves out: the engine needs some, and kinematics needs none."""


@final
@dataclass(frozen=True)
class EngineCheck:
    """A quantity by both engines.

    Attributes:
        name: the quantity.
        unit: its SI unit.
        difference: largest difference anywhere (SI).
        peak: largest magnitude by the other engine (SI), over the states, of the motor where the difference is; that of
            the difference itself for loops.
        share: what is judged: the difference as a share of that peak; of loops and joints the difference itself.
        limit: the largest share that counts as agreement.
        reason: why this limit.
        motor: number of the motor, from 1; None where it is about no motor.
        state: number of the state, from 0.
    """

    name: str
    unit: str
    difference: float
    peak: float
    share: float
    limit: float
    reason: str
    motor: int | None
    state: int

    @property
    def ok(self) -> bool:
        """Whether both agree."""
        return self.share <= self.limit


@final
@dataclass(frozen=True, eq=False, repr=False)
class Verification:
    """A robot by two engines on the same motion.

    Attributes:
        model: the robot.
        states: the motion on which they are compared.
        checks: every quantity.
        left_out: what could not be compared, and why.
        notes: what a reader must know.
        version: of MuJoCo.
    """

    model: Model
    states: TrialStates
    checks: tuple[EngineCheck, ...]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]
    version: str

    def __getitem__(self, name: str) -> EngineCheck:
        """A check by the name of its quantity."""
        for check in self.checks:
            if check.name == name:
                return check
        raise ParameterError("check", f"no {name!r}; there are {', '.join(check.name for check in self.checks)}")

    @property
    def ok(self) -> bool:
        """Whether both engines agree on all that could be compared."""
        return all(check.ok for check in self.checks)

    @property
    def verdict(self) -> str:
        """The answer in one line."""
        worst = max(self.checks, key=lambda check: check.share / check.limit)
        agree = "agrees" if self.ok else "does not agree"
        amount = f"{worst.name} differ by {worst.share:.2g}, at most {worst.limit:g} is rounding"
        return f"{'YES' if self.ok else 'NO'}: MuJoCo {agree} with {self.model.robot.name}: {amount}"

    def answer(self) -> Answer:
        """Every quantity with its difference, where it is largest, and what counts as agreement."""
        crossed = f"{len(self.states.x)} states of a motion across the workspace, MuJoCo {self.version}"
        heads = ("quantity", "difference", "unit", "peak", "unit", "share", "at most", "motor", "pose", "agrees")
        rows = tuple(
            (c.name, c.difference, c.unit, c.peak, c.unit, c.share, c.limit, c.motor, c.state + 1, c.ok)
            for c in self.checks
        )
        reasons = {check.limit: check.reason for check in self.checks}
        note = "; ".join(f"{limit:g}: {reason}" for limit, reason in reasons.items())
        return Answer(
            key="verify",
            title=subject(self.model, "against another engine", crossed),
            headline=self.verdict,
            tables=(Table("checks", "largest differences", tuple(map(Column, heads)), rows, note=note), self._poses()),
            notes=self.notes,
            left_out=self.left_out,
            data={**about(self.model), "mujoco": self.version},
            refusal="" if self.ok else self.verdict.removeprefix("NO: "),
        )

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "checks".
        """
        return self.answer().table(name)

    def _poses(self) -> Table:
        """The poses of the motion, numbered as the checks have them."""
        names = self.model.robot.task_names
        columns = (Column("pose"), *(Column(name, "rad" if name == "yaw" else "m") for name in names))
        rows = tuple((number, *map(float, pose)) for number, pose in enumerate(self.states.x, start=1))
        return Table("poses", "poses of the motion", columns, rows, printed=0)

    def __repr__(self) -> str:
        return f"<Verification {self.verdict}>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()


def verify(
    robot: RobotChoice,
    *,
    other: RobotChoice | None = None,
    states: int = STATES,
    progress: Listener | None = None,
) -> Verification:
    """Whether MuJoCo agrees with a robot's loops, joints, torques and energy on a motion across its workspace.

    A robot without masses is compared in its loops and joints only. Friction is not part of the comparison.

    Args:
        robot: a model with its payload, the name of a shipped robot, or the path of a file.
        other: the robot that MuJoCo gets, to see how far a change shows; the same if not given.
        states: states of the motion each way, there and back.
        progress: called with how many states are done; what it raises ends the work.

    Raises:
        UnknownRobotError, RobotFileError: no such robot, or a file that does not describe one.
        UnreachableError: the loops do not close in MuJoCo.
        ParameterError: no states, or another robot with other motors or coordinates.
        ParapickError: MuJoCo is not installed, or no motion is within reach.
    """
    if states < 1:
        raise ParameterError("states", f"is {states}; it must be at least 1")
    if objection := count_objection("instants", states):
        raise ParameterError("states", objection)
    version = str(mujoco().__version__)
    model = model_of(robot).with_sharing(None)
    missing = missing_masses(model.robot)
    beside = model if other is None else model_of(other)
    _check_alike(model, beside)
    lumped = model.robot.limb.rod_model in LUMPED
    if lumped:
        model, beside = model.with_gravity(0.0), beside.with_gravity(0.0)
    motion = trial_states(model, states, driven=not missing)
    stand_in = beside.with_parameters(dict.fromkeys(_one_each(missing_masses(beside.robot)), STAND_IN))
    assembly = assemble(stand_in.robot, payload=beside.payload)
    checks = _checks(model, motion, engine_series(assembly, *motion, progress=progress), masses=not missing)
    without = f"torques and energy: the file states no {', '.join(missing)}"
    light = "compared without gravity: rods as points at their ends are a body only then"
    return Verification(
        model, motion, tuple(checks), (without,) if missing else (), (light,) if lumped else (), version
    )


def _check_alike(model: Model, beside: Model) -> None:
    """Raise if two robots have not as many motors and coordinates, so that nothing can be compared."""
    counts = [(one.robot.motors, one.robot.dof) for one in (model, beside)]
    if counts[0] != counts[1]:
        (motors, dof), (others, coordinates) = counts
        has = f"{beside.robot.name} has {others} motors and {coordinates} coordinates"
        raise ParameterError("other", f"{has}; it must have {motors} and {dof}, as {model.robot.name}")


def _one_each(missing: tuple[str, ...]) -> tuple[str, ...]:
    """One path for every mass that is missing, where either of two would do: "limb.arm_mass or limb.arm_inertia"."""
    return tuple(path.partition(" or ")[0] for path in missing)


def _checks(model: Model, states: TrialStates, engine: EngineSeries, *, masses: bool) -> Iterator[EngineCheck]:
    """Every quantity that can be compared."""
    loads, effort = engine.loads, model.motors.torque_unit
    loops = engine.loop_error
    worst = int(np.argmax(loops))
    opening = float(loops[worst])
    yield EngineCheck("loops", "m", opening, opening, opening, *KINEMATIC, None, worst)
    yield _check("joints", "rad", model.inverse_kinematics(states.x), loads.q, KINEMATIC, share=False)
    yield _check("joint rates", "rad/s", model.joint_rates(states.x, states.xd), loads.qd, KINEMATIC)
    yield _check("joint accelerations", "rad/s2", model.joint_accelerations(*states), loads.qdd, KINEMATIC)
    if not masses:
        return
    yield _check("torques", effort, model.inverse_dynamics(*states), loads.tau, DYNAMIC)
    energy = model.energy(states.x, states.xd)
    yield _check("kinetic energy", "J", energy.kinetic[:, None], engine.kinetic[:, None], DYNAMIC, motors=False)
    # Where potential energy is zero is free; its changes along the motion are not.
    rise, other = (value - value[0] for value in (energy.potential, engine.potential))
    if np.any(other):
        yield _check("potential energy", "J", rise[:, None], other[:, None], DYNAMIC, motors=False)


def _check(
    name: str,
    unit: str,
    ours: np.ndarray,
    others: np.ndarray,
    limit: tuple[float, str],
    *,
    share: bool = True,
    motors: bool = True,
) -> EngineCheck:
    """A quantity (T, n) by both engines, judged as a share of each column's peak, or as it is."""
    apart, peaks = np.abs(ours - others), np.max(np.abs(others), axis=0)
    judged = apart / np.where(peaks > 0.0, peaks, 1.0) if share else apart
    state, column = (int(i) for i in np.unravel_index(np.argmax(judged), judged.shape))
    at, motor = (state, column), column + 1 if motors else None
    return EngineCheck(
        name,
        unit,
        float(apart[at]),
        float(peaks[column]),
        float(judged[at]),
        *limit,
        motor,
        state,
    )
