"""Adaptive inverse dynamics (Slotine and Li 1987, Int. J. Robot. Res. 6(3), 49), in task space.

The model is linear in what is adapted: the mass in the tool beyond what the controller knows, and the Coulomb friction
of every joint. Its regressor is the exact derivative of the model's own torques by that mass, and the smoothed sign of
the wanted rates. The document's C(q, qd) is that of Christoffel, which is bilinear in two rates; it is had from the
model's velocity products, which are quadratic in one, by `C(v) w = Q((v + w) / 2) - Q((v - w) / 2)`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, final

import casadi as ca
import numpy as np

from parapick.control.feedforward import SMOOTH_SPEED, FrictionFeedforward, column
from parapick.control.fields import Numbers, per_joint, per_task
from parapick.control.poles import Poles, as_numbers, double_pole
from parapick.control.rigid import sharing_problems
from parapick.control.sensing import (
    Differenced,
    FromJoints,
    PoseSensing,
    VelocitySensing,
    joint_reference,
    joint_state,
    task_state,
)
from parapick.control.stage import ControlStage, Memory, sample_of
from parapick.errors import FileProblem
from parapick.fields import label, quantity
from parapick.forms import Word
from parapick.formulas import PARTS, balance, inlined, shared_torque, state_of
from parapick.mechanism import Robot
from parapick.motors import LEAST_NORM, SHARINGS


@final
@dataclass(frozen=True)
class AdaptiveID:
    """`tau = M a + C(xd) v + G + M K_d s + Y p` with `v = xd_ref + slope e`, `a = dv/dt`, `s = v - xd`.

    `e = x_ref - x`, `dp/dt = rate Y' J s`; p holds the unknown mass in the tool, between 0 and its bound, and the
    Coulomb friction of every joint, between 0 and its bound; columns of Y are the derivative of the torque by the mass,
    and `tanh((J v) / speed)` of every joint. Either set may be left out.
    """

    name: ClassVar[str] = "adaptive"

    slope: Numbers | None = per_task("1/s", "slope of the sliding surface", default=None, at_least=0.0)
    kd: Numbers | None = per_task("1/s", "gain on the sliding variable", default=None, at_least=0.0)
    adapts: Literal["both", "mass", "friction"] = label("what is adapted", default="both")
    mass_rate: float = quantity("kg2/J", "rate of the mass", default=0.5, above=0.0)
    mass_max: float = quantity("kg", "largest mass", default=5.0, above=0.0)
    coulomb_rate: Numbers = per_joint("N m/rad", "rate of Coulomb friction", default=100.0, above=0.0)
    coulomb_max: Numbers = per_joint("N m", "largest Coulomb friction", default=10.0, above=0.0)
    speed: float = quantity("rad/s", "rate at which dry friction is reached", default=SMOOTH_SPEED, above=0.0)
    sharing: str | None = label("how redundant motors share", default=None, form=Word(SHARINGS))
    velocity: VelocitySensing = label("how joint rates are found", default=Differenced())
    pose: PoseSensing = label("how the pose is found", default=FromJoints())
    friction: FrictionFeedforward | None = label("friction the law makes up for, beside what it adapts", default=None)
    poles: Poles | None = label("poles from which the gains follow, in their place", default=None)

    def placed(self, poles: Poles) -> AdaptiveID:
        """The same law with both poles at `-damping w`, the decay of the pair that is stated."""
        rate = double_pole(poles)
        return replace(self, slope=rate, kd=rate, poles=None)

    @property
    def error_gains(self) -> tuple[Numbers, Numbers]:
        """Gains on an error and on its rate: `slope K_d` and `slope + K_d`."""
        slope, kd = np.asarray(self.slope, dtype=float), np.asarray(self.kd, dtype=float)
        return as_numbers(slope * kd), as_numbers(slope + kd)

    def problems(self, robot: Robot) -> list[FileProblem]:
        """Needs masses; redundant motors share by least norm."""
        wrong = sharing_problems(robot, self.sharing)
        if self.sharing not in (None, LEAST_NORM):
            wrong.append(
                FileProblem("sharing", f"is {self.sharing!r}; this law shares by {LEAST_NORM}, in which it is linear")
            )
        return wrong

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions."""
        sample = sample_of(robot)
        joints = joint_state(robot, self.velocity, sample)
        task = task_state(robot, self.pose, joints, sample)
        reference, slope = sample.reference, column(self.slope)
        error_rate = reference.xd - task.xd
        wanted = reference.xd + slope * (reference.x - task.x)
        sliding = wanted - task.xd
        motion = _Motion(task.x, task.xd, wanted, reference.xdd + slope * error_rate, column(self.kd) * sliding)
        model = _model(robot, motion, reference.payload)
        terms = {name: model[name] for name in ("tau_d", "tau_M", "tau_n")}
        slid = ca.mtimes(model["jacobian"], sliding)
        memory = [*joints.memory, *task.memory]
        if self.adapts != "friction":
            known, held = self._adapted(
                "mass", self.mass_rate * ca.dot(model["by_mass"], slid), self.mass_max, sample.step
            )
            terms["mass"] = model["by_mass"] * known
            memory.append(held)
        if self.adapts != "mass":
            direction = ca.tanh(ca.mtimes(model["jacobian"], wanted) / self.speed)
            rate = column(self.coulomb_rate) * direction * slid
            known, held = self._adapted("coulomb", rate, column(self.coulomb_max), sample.step)
            terms["coulomb"] = direction * known
            memory.append(held)
        if self.friction is not None:
            terms["friction"] = self.friction.torque(joint_reference(robot, reference).qd)
        torque = sum(terms.values(), ca.SX.zeros(robot.motors))
        estimate = {"q": joints.q, "qd": joints.qd, "x": task.x, "xd": task.xd}
        return ControlStage(sample, tuple(memory), torque, terms, estimate)

    def _adapted(self, name: str, rate: Any, bound: Any, step: Any) -> tuple[Any, Memory]:
        """A parameter that starts at 0 and stays between 0 and its bound, and its memory."""
        known = ca.SX.sym(name, rate.shape[0])
        after = ca.fmin(ca.fmax(known + step * rate, 0.0), bound)
        return known, Memory(known, ca.SX.zeros(rate.shape[0]), after)


@final
@dataclass(frozen=True)
class _Motion:
    """What the model is asked for: pose, rate, the rate v and its derivative a, and the feedback's acceleration."""

    x: Any
    xd: Any
    wanted: Any
    acceleration: Any
    feedback: Any


def _model(robot: Robot, motion: _Motion, payload: Any) -> dict[str, Any]:
    """Torques of the model, by name, its Jacobian, and the derivative of `M a + C v + G` by the mass in the tool."""
    state = state_of(robot)
    forces = balance(robot, state)
    torque = shared_torque(robot, forces, PARTS)[0]
    rest = ca.SX.zeros(robot.dof)
    symbols = [state.x, state.xd, state.xdd, state.payload]

    def at(expression: Any, rate: Any, acceleration: Any) -> Any:
        return inlined([expression], symbols, [motion.x, rate, acceleration, payload])[0]

    between, half = (motion.xd + motion.wanted) / 2, (motion.xd - motion.wanted) / 2
    mass = at(ca.jacobian(torque, state.xdd), rest, rest)
    by_mass = ca.jacobian(torque, state.payload[0])
    return {
        "tau_d": ca.mtimes(mass, motion.feedback),
        "tau_M": ca.mtimes(mass, motion.acceleration),
        "tau_n": at(torque, between, rest) - (at(torque, half, rest) - at(torque, rest, rest)),
        "by_mass": at(by_mass, between, motion.acceleration) - (at(by_mass, half, rest) - at(by_mass, rest, rest)),
        "jacobian": at(forces.jacobian, rest, rest),
    }
