"""A robot in MuJoCo for `peers_dynamics`: loops are the engine's own equality constraints, taken as rigid."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from peers_dynamics import SMALLEST_LOOP, Log

__all__ = ["ALGEBRA", "MujocoPeer", "library"]

ALGEBRA = frozenset({"mju_mulMatTMat", "mju_mulMatTVec", "mju_cholFactor", "mju_cholSolve"})

# Pivots below this share of 1 would be raised; loops and task together determine every joint, so none is.
PIVOT = 1e-15


def library() -> Any:
    """The MuJoCo library, or None where it is not installed."""
    try:
        import mujoco
    except ImportError:
        return None
    return mujoco


@final
class MujocoPeer:
    """A compiled model whose loops are `connect` and `joint` equalities.

    Its task is the position of the site `tool`, and the angle of the joint `yaw` where there is one.
    """

    def __init__(self, mujoco: Any, model: Any, home: np.ndarray, *, yaw: bool) -> None:
        self._mujoco, self._model, self._data = mujoco, model, mujoco.MjData(model)
        self.log, self.home = Log(), home
        joints = [model.joint(model.actuator(k).trnid[0]) for k in range(model.nu)]
        self.motors = np.array([joint.dofadr[0] for joint in joints])
        self._tool = model.site("tool").id
        self._yaw = (int(model.joint("yaw").dofadr[0]), int(model.joint("yaw").qposadr[0])) if yaw else None
        self._task = np.zeros((3, model.nv))
        self._normal, self._matrix = np.zeros((model.nv, model.nv)), np.zeros((0, model.nv))
        self._connects: list[tuple[int, int, int]] = []
        self.constraints = self._loops()

    @staticmethod
    def smallest(mujoco: Any) -> MujocoPeer:
        """The smallest loop there is."""
        model = mujoco.MjModel.from_xml_string(SMALLEST_LOOP)
        return MujocoPeer(mujoco, model, np.zeros(model.nq), yaw=False)

    def _loops(self) -> int:
        """Number of loop rows; notes the first row and the two sites of every pin of two points."""
        mujoco, model, data = self._mujoco, self._model, self._data
        mujoco.mj_forward(model, data)
        numbers, rows = np.unique(data.efc_id[: data.ne], return_index=True)
        for number, row in zip(numbers, rows, strict=True):
            if model.eq_type[number] == mujoco.mjtEq.mjEQ_CONNECT:
                sites = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
                self._connects.append((int(row), *sites))
        return int(data.ne)

    def place(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, opening and task vector at coordinates q."""
        mujoco, model, data, call = self._mujoco, self._model, self._data, self.log.call
        data.qpos[:] = q
        call(mujoco.mj_kinematics, model, data)
        call(mujoco.mj_comPos, model, data)
        call(mujoco.mj_makeConstraint, model, data)
        call(mujoco.mj_jacSite, model, data, self._task, None, self._tool)
        count = self.constraints
        loops = np.array(data.efc_J).reshape(-1, model.nv)[:count]
        rows, here = np.vstack([loops, self._task]), np.array(data.site_xpos[self._tool])
        if self._yaw is not None:
            rows, here = np.vstack([rows, np.eye(model.nv)[self._yaw[0]]]), np.append(here, q[self._yaw[1]])
        return rows, np.array(data.efc_pos[:count]), here

    def factor(self, rows: np.ndarray) -> None:
        """Cholesky factor of the normal equations."""
        self._matrix = rows
        self.log.call(self._mujoco.mju_mulMatTMat, self._normal, rows, rows)
        self.log.call(self._mujoco.mju_cholFactor, self._normal, PIVOT)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Least squares by the normal equations."""
        product, result = np.zeros(self._model.nv), np.zeros(self._model.nv)
        self.log.call(self._mujoco.mju_mulMatTVec, product, self._matrix, right)
        self.log.call(self._mujoco.mju_cholSolve, result, self._normal, product)
        return result

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Coordinates after a step."""
        result = q.copy()
        self.log.call(self._mujoco.mj_integratePos, self._model, result, step, 1.0)
        return result

    def rates(self, q: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        """Rate of the rows times velocity; couplings of joints are linear and have none."""
        mujoco, model, data = self._mujoco, self._model, self._data
        data.qvel[:] = velocity
        self.log.call(mujoco.mj_comVel, model, data)
        result = np.zeros(len(self._matrix))
        for row, first, second in self._connects:
            result[row : row + 3] = (self._site_rate(first) - self._site_rate(second)) @ velocity
        start = self.constraints
        result[start : start + 3] = self._site_rate(self._tool) @ velocity
        return result

    def _site_rate(self, site: int) -> np.ndarray:
        model, data, rate = self._model, self._data, np.zeros((3, self._model.nv))
        point, body = np.array(data.site_xpos[site]), int(model.site_bodyid[site])
        self.log.call(self._mujoco.mj_jacDot, model, data, rate, None, point, body)
        return rate

    def forces(self, q: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
        """Recursive Newton-Euler with accelerations, and the rotors' inertia."""
        model, data, result = self._model, self._data, np.zeros(self._model.nv)
        data.qacc[:] = acceleration
        self.log.call(self._mujoco.mj_rne, model, data, 1, result)
        return result + model.dof_armature * acceleration
