"""The one place that imports MuJoCo, and what is read from it: loop constraints, task rows, and their rates.

The rows of the loops are the engine's own: `efc_J` and `efc_pos` of its equality constraints. A task coordinate is the
position of the site `tool`, and the angle of the joint `yaw` where the robot has one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from parapick.errors import ParapickError


def mujoco() -> Any:
    """The MuJoCo library.

    Raises:
        ParapickError: it is not installed.
    """
    try:
        import mujoco as library
    except ImportError as error:
        raise ParapickError("this needs MuJoCo; install it with: pip install 'parapick[multibody]'") from error
    return library


@final
@dataclass(frozen=True)
class Engine:
    """A compiled model and a working copy of its state; every method first says at which coordinates.

    Attributes:
        model: the compiled `mujoco.MjModel`.
        data: a `mujoco.MjData`, overwritten by every call.
        tool: id of the site whose position is the task's.
        yaw: index of the joint whose angle is the task's yaw, in the velocity vector; None without yaw.
        yaw_position: the same in the coordinate vector.
        motors: indices of the motor joints in the velocity vector.
        motor_positions: the same in the coordinate vector.
    """

    model: Any
    data: Any
    tool: int
    yaw: int | None
    yaw_position: int | None
    motors: np.ndarray
    motor_positions: np.ndarray

    @staticmethod
    def of(model: Any, dof: int) -> Engine:
        """A working state for a compiled model.

        Args:
            model: the compiled `mujoco.MjModel`.
            dof: length of the task vector.
        """
        joints = [model.joint(model.actuator(k).trnid[0]) for k in range(model.nu)]
        yaw = model.joint("yaw") if dof == 4 else None
        return Engine(
            model=model,
            data=mujoco().MjData(model),
            tool=model.site("tool").id,
            yaw=None if yaw is None else int(yaw.dofadr[0]),
            yaw_position=None if yaw is None else int(yaw.qposadr[0]),
            motors=np.array([joint.dofadr[0] for joint in joints]),
            motor_positions=np.array([joint.qposadr[0] for joint in joints]),
        )

    def place(self, qpos: np.ndarray) -> None:
        """Bring the working state to coordinates, at rest.

        Args:
            qpos: coordinates of the engine (nq,).
        """
        self.data.qpos[:] = qpos
        self.data.qvel[:] = 0.0
        mujoco().mj_fwdPosition(self.model, self.data)

    def loops(self) -> tuple[np.ndarray, np.ndarray]:
        """Jacobian (m, nv) and residual (m,), m and rad, of the loop constraints at the working state."""
        rows = self.data.ne
        jacobian = np.array(self.data.efc_J).reshape(-1, self.model.nv)[:rows]
        return jacobian, np.array(self.data.efc_pos[:rows])

    def connects(self) -> list[tuple[int, int]]:
        """Every pin of two points at the working state: its number among the equalities, and the first of its rows."""
        numbers, rows = np.unique(self.data.efc_id[: self.data.ne], return_index=True)
        kind = mujoco().mjtEq.mjEQ_CONNECT
        return [
            (int(number), int(row))
            for number, row in zip(numbers, rows, strict=True)
            if self.model.eq_type[number] == kind
        ]

    def task(self) -> tuple[np.ndarray, np.ndarray]:
        """Jacobian (dof, nv) and value (dof,), m and rad, of the task vector at the working state."""
        jacobian = np.zeros((3 if self.yaw is None else 4, self.model.nv))
        mujoco().mj_jacSite(self.model, self.data, jacobian[:3], None, self.tool)
        value = np.array(self.data.site_xpos[self.tool])
        if self.yaw is None:
            return jacobian, value
        jacobian[3, self.yaw] = 1.0
        return jacobian, np.append(value, self.data.qpos[self.yaw_position])

    def rates(self, qvel: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rate of the Jacobians times velocity, of loops (m,) and task (dof,), at the working state.

        Joint and tendon couplings are linear in the coordinates, so only points contribute.

        Args:
            qvel: velocity with which it moves (nv,).
        """
        self.data.qvel[:] = qvel
        mujoco().mj_fwdVelocity(self.model, self.data)
        model = self.model
        loops = np.zeros(self.data.ne)
        for equality, row in self.connects():
            first, second = int(model.eq_obj1id[equality]), int(model.eq_obj2id[equality])
            loops[row : row + 3] = (self._site_rate(first) - self._site_rate(second)) @ qvel
        task = self._site_rate(self.tool) @ qvel
        return loops, task if self.yaw is None else np.append(task, 0.0)

    def _site_rate(self, site: int) -> np.ndarray:
        jacobian = np.zeros((3, self.model.nv))
        point = np.array(self.data.site_xpos[site])
        mujoco().mj_jacDot(self.model, self.data, jacobian, None, point, int(self.model.site_bodyid[site]))
        return jacobian

    def forces(self, qacc: np.ndarray) -> np.ndarray:
        """Forces (nv,) that the working state needs to accelerate: inertia, velocity products and weight.

        Args:
            qacc: its acceleration (nv,).
        """
        product = np.zeros(self.model.nv)
        mujoco().mj_mulM(self.model, self.data, product, qacc)
        return product + self.data.qfrc_bias
