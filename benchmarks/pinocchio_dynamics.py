"""A robot in Pinocchio for `peers_dynamics`, body by body and joint by joint the one compiled for MuJoCo.

Linear systems go to Eigen, which Pinocchio itself uses, through the binding that comes with it. PyPI has both as `pin`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple, final

import numpy as np

from peers_dynamics import SMALLEST_LOOP, Log

__all__ = ["ALGEBRA", "Libraries", "PinocchioPeer", "libraries"]

ALGEBRA = frozenset({"ColPivHouseholderQR", "solve"})

FREE, SLIDE, HINGE = 0, 2, 3
"""Kinds of joint in a compiled MuJoCo model."""


class Libraries(NamedTuple):
    """Pinocchio, and Eigen's binding."""

    pin: Any
    eigen: Any


def libraries() -> Libraries | None:
    """Pinocchio, or None where it is not installed."""
    try:
        return Libraries(import_module("pinocchio"), import_module("eigenpy"))
    except ImportError:
        return None


def _placement(pin: Any, position: np.ndarray, quaternion: np.ndarray) -> Any:
    """Placement from MuJoCo's position and quaternion (w first)."""
    return pin.SE3(pin.Quaternion(*(float(number) for number in quaternion)).matrix(), np.array(position))


def _translated(pin: Any, source: Any) -> tuple[Any, list[int]]:
    """A Pinocchio model of a compiled MuJoCo model, and the frame of each site."""
    model = pin.Model()
    model.gravity.linear = np.array(source.opt.gravity)
    joints, offsets, armature = {0: 0}, {0: pin.SE3.Identity()}, {}
    for body in range(1, source.nbody):
        parent = int(source.body_parentid[body])
        joint, place = joints[parent], offsets[parent] * _placement(pin, source.body_pos[body], source.body_quat[body])
        first = int(source.body_jntadr[body])
        for number in range(first, first + int(source.body_jntnum[body])):
            joint = model.addJoint(joint, _joint(pin, source, number), place, source.joint(number).name)
            place = pin.SE3.Identity()
            armature[joint] = float(source.dof_armature[source.jnt_dofadr[number]])
        joints[body], offsets[body] = joint, place
        inertia = pin.Inertia(float(source.body_mass[body]), np.zeros(3), np.diag(source.body_inertia[body]))
        centre = _placement(pin, source.body_ipos[body], source.body_iquat[body])
        if joint:
            model.appendBodyToJoint(joint, inertia, place * centre)
    for joint, value in armature.items():
        model.armature[model.joints[joint].idx_v] = value
    frames = []
    for site in range(source.nsite):
        body = int(source.site_bodyid[site])
        place = offsets[body] * _placement(pin, source.site_pos[site], source.site_quat[site])
        frame = pin.Frame(source.site(site).name, joints[body], 0, place, pin.FrameType.OP_FRAME)
        frames.append(model.addFrame(frame))
    return model, frames


def _joint(pin: Any, source: Any, number: int) -> Any:
    axis = np.array(source.jnt_axis[number])
    kind = int(source.jnt_type[number])
    if kind == FREE:
        return pin.JointModelFreeFlyer()
    return {SLIDE: pin.JointModelPrismaticUnaligned, HINGE: pin.JointModelRevoluteUnaligned}[kind](axis)


def _coordinates(pin: Any, model: Any, source: Any, qpos: np.ndarray) -> np.ndarray:
    """Pinocchio's coordinates of MuJoCo's: joints count from the pose the model was compiled at."""
    q = pin.neutral(model)
    for number in range(source.njnt):
        place, at = int(source.jnt_qposadr[number]), model.joints[model.getJointId(source.joint(number).name)].idx_q
        if int(source.jnt_type[number]) == FREE:
            w, x, y, z = qpos[place + 3 : place + 7]
            q[at : at + 3] = qpos[place : place + 3] - source.body_pos[source.jnt_bodyid[number]]
            q[at + 3 : at + 7] = x, y, z, w
        else:
            q[at] = qpos[place] - source.qpos0[place]
    return q


@final
class PinocchioPeer:
    """A robot translated from a compiled MuJoCo model whose loops are `connect` and `joint` equalities."""

    def __init__(self, found: Libraries, source: Any, home: np.ndarray, *, yaw: bool) -> None:
        self._pin, self._eigen = found
        pin = self._pin
        self._model, self._frames = _translated(pin, source)
        self._data = self._model.createData()
        self.log, self.home = Log(), _coordinates(pin, self._model, source, home)
        names = [source.joint(source.actuator(k).trnid[0]).name for k in range(source.nu)]
        self.motors = np.array([self._place_of(name) for name in names])
        self._tool = self._frames[source.site("tool").id]
        self._yaw = self._place_of("yaw") if yaw else None
        self._pins: list[tuple[int, int]] = []
        self._couplings: list[np.ndarray] = []
        self._read_equalities(source)
        self._factor: Any = None
        self.constraints = 3 * len(self._pins) + len(self._couplings)

    @property
    def model(self) -> Any:
        """The Pinocchio model."""
        return self._model

    @property
    def pins(self) -> list[tuple[int, int]]:
        """The two frames of every pair of points that coincide."""
        return self._pins

    @staticmethod
    def smallest(found: Libraries, mujoco: Any) -> PinocchioPeer:
        """The smallest loop there is."""
        source = mujoco.MjModel.from_xml_string(SMALLEST_LOOP)
        return PinocchioPeer(found, source, np.zeros(source.nq), yaw=False)

    def _place_of(self, name: str) -> int:
        return int(self._model.joints[self._model.getJointId(name)].idx_v)

    def _read_equalities(self, source: Any) -> None:
        connect = 0
        for number in range(source.neq):
            first, second = int(source.eq_obj1id[number]), int(source.eq_obj2id[number])
            if int(source.eq_type[number]) == connect:
                self._pins.append((self._frames[first], self._frames[second]))
            else:
                row = np.zeros(self._model.nv)
                row[self._place_of(source.joint(first).name)] = 1.0
                row[self._place_of(source.joint(second).name)] = -source.eq_data[number][1]
                self._couplings.append(row)

    def _point(self, frame: int) -> np.ndarray:
        return self._data.oMf[frame].translation

    def _slope(self, frame: int) -> np.ndarray:
        pin, world = self._pin, self._pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        return self.log.call(pin.getFrameJacobian, self._model, self._data, frame, world)[:3]

    def _bend(self, frame: int) -> np.ndarray:
        pin, world = self._pin, self._pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        return self.log.call(pin.getFrameClassicalAcceleration, self._model, self._data, frame, world).linear

    def _angles(self, q: np.ndarray) -> np.ndarray:
        """Coordinates of one-coordinate joints, by place in the velocity vector; others are 0."""
        result = np.zeros(self._model.nv)
        for joint in self._model.joints[1:]:
            if joint.nq == 1:
                result[joint.idx_v] = q[joint.idx_q]
        return result

    def place(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, opening and task vector at coordinates q."""
        pin, model, data = self._pin, self._model, self._data
        self.log.call(pin.computeJointJacobians, model, data, q)
        self.log.call(pin.updateFramePlacements, model, data)
        rows = [self._slope(first) - self._slope(second) for first, second in self._pins]
        open_by = [self._point(first) - self._point(second) for first, second in self._pins]
        angles = self._angles(q)
        rows += [coupling[None] for coupling in self._couplings]
        open_by += [np.array([coupling @ angles]) for coupling in self._couplings]
        rows.append(self._slope(self._tool))
        here = np.array(self._point(self._tool))
        if self._yaw is not None:
            rows.append(np.eye(model.nv)[self._yaw][None])
            here = np.append(here, angles[self._yaw])
        return np.vstack(rows), np.concatenate(open_by), here

    def factor(self, rows: np.ndarray) -> None:
        """QR decomposition with pivots."""
        self._factor = self.log.call(self._eigen.ColPivHouseholderQR, rows)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Least squares by the decomposition."""
        return np.array(self.log.call(self._factor.solve, right)).reshape(-1)

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Coordinates after a step."""
        return self.log.call(self._pin.integrate, self._model, q, step)

    def rates(self, q: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        """Rate of the rows times velocity: accelerations of the points where no joint accelerates."""
        nothing = np.zeros(self._model.nv)
        self.log.call(self._pin.forwardKinematics, self._model, self._data, q, velocity, nothing)
        loops = [self._bend(first) - self._bend(second) for first, second in self._pins]
        rest = np.zeros(len(self._couplings))
        last = [] if self._yaw is None else [np.zeros(1)]
        return np.concatenate([*loops, rest, self._bend(self._tool), *last])

    def forces(self, q: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
        """Recursive Newton-Euler."""
        return np.array(self.log.call(self._pin.rnea, self._model, self._data, q, velocity, acceleration))
