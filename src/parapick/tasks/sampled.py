"""Motions from files of numbers: time and pose, or time and joint angles as a drive or a scope records them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, final

import numpy as np

from parapick.columns import check_steps, read_columns
from parapick.errors import MotionError
from parapick.fields import POSE, label
from parapick.files import UnreadableError
from parapick.forms import FilePlace
from parapick.mechanism import Payload
from parapick.motion import Motion, Route, by_law
from parapick.tasks.base_task import AnyTask, payload_of
from parapick.tasks.load_form import LoadForm
from parapick.toml import in_words

if TYPE_CHECKING:
    from parapick.model import Model

_JOINTS_MAX: Final = 8
_POSE: Final = {name: (unit,) for name, unit in zip(("x", "y", "z", "yaw"), POSE, strict=True)}
_COLUMNS: Final = {"t": ("s",), **_POSE, **{f"q{i}": ("rad", "m") for i in range(1, _JOINTS_MAX + 1)}}
SAMPLES_MIN: Final = 3
"""Fewest rows of a recording: those that a spline from rest to rest needs."""

_AT_REST: Final = 0.1
"""Share of the largest speed below which an end of a recording is at rest: samples round it off."""


@final
@dataclass(frozen=True, eq=False)
class Recording:
    """A motion as numbers.

    Attributes:
        file: where they come from.
        t: times (N,), s, rising.
        values: poses (N, 3) or (N, 4), m and rad; or joint coordinates (N, n), rad or m.
        joints: whether they are joint coordinates.
    """

    file: str
    t: np.ndarray
    values: np.ndarray
    joints: bool

    def poses(self, model: Model | None) -> np.ndarray:
        """Poses (N, dof), m and rad; of joint coordinates by forward kinematics, each from the pose before it.

        Args:
            model: the robot, or none where the file has poses.

        Raises:
            MotionError: joint coordinates without a robot, of another number of motors, or that close on no pose; a yaw
                for a robot that has none.
        """
        dof = self.values.shape[1] if model is None else model.robot.dof
        if not self.joints:
            if self.values.shape[1] > dof and self.values[:, 3].any():
                raise MotionError(f"{self.file}: has a yaw; this robot has none")
            still = np.zeros((len(self.t), max(0, dof - self.values.shape[1])))
            return np.concatenate([self.values, still], axis=1)[:, :dof]
        if model is None:
            raise MotionError(f"{self.file}: holds joint angles, which are a motion only for a robot; give one")
        if self.values.shape[1] != model.robot.motors:
            raise MotionError(
                f"{self.file}: has {self.values.shape[1]} joints; {model.robot.name} has {model.robot.motors} motors"
            )
        poses = np.empty((len(self.t), dof))
        pose = np.array(model.robot.home)
        for i, q in enumerate(self.values):
            pose = model.forward_kinematics(q, pose)
            if not np.isfinite(pose).all():
                raise MotionError(
                    f"{self.file}: at t {self.t[i]:.6g} s the joint angles belong to no pose of the robot"
                )
            poses[i] = pose
        return poses


def read_recording(path: str | os.PathLike[str]) -> Recording:
    """A recording from a CSV file with the column t and either x, y, z, yaw or q1, q2, ...

    Args:
        path: the file.

    Raises:
        UnreadableError: it cannot be read, is no such table, or its time falls.
    """
    file = Path(path)
    columns = read_columns(file, _COLUMNS, "a file of a motion")
    if "t" not in columns:
        raise UnreadableError(file, "has no column t, the time (s)")
    joints = sorted((name for name in columns if name[0] == "q"), key=lambda name: int(name[1:]))
    poses = [name for name in _POSE if name in columns]
    if bool(joints) == bool(poses):
        which = "both" if joints else "neither"
        raise UnreadableError(file, f"has {which}; give either x, y, z (and yaw), or q1, q2, ...")
    wanted = [f"q{i + 1}" for i in range(len(joints))] if joints else [*("x", "y", "z"), *poses[3:]]
    missing = [name for name in wanted if name not in columns]
    if missing:
        raise UnreadableError(file, f"has no column {', '.join(missing)}")
    t = columns["t"]
    falls = np.flatnonzero(np.diff(t) <= 0.0)
    if falls.size:
        raise UnreadableError(file, f"t goes from {t[falls[0]]:.9g} to {t[falls[0] + 1]:.9g} s; times must rise")
    check_steps(file, t)
    return Recording(str(file), t, np.stack([columns[name] for name in wanted], axis=1), bool(joints))


@final
@dataclass(frozen=True)
class RecordingForm:
    """The name of a CSV file beside the task file."""

    def read(self, value: object, place: FilePlace) -> Any:
        """The recording."""
        if not isinstance(value, str):
            return place.refuse(f"is {in_words(value)}; it must be the name of a CSV file")
        try:
            return read_recording(place.folder / value)
        except UnreadableError as error:
            return place.refuse(str(error))

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """A text."""
        return {"type": "string"}


@final
@dataclass(frozen=True, kw_only=True)
class SampledTask(AnyTask):
    """A motion as numbers, from rest to rest; between them it follows cubic splines."""

    kind: Literal["samples"] = label("a motion as numbers in a CSV file", default="samples")
    file: Recording = label(
        "name of the CSV file: t and x, y, z, yaw, or t and the joint coordinates q1, q2, ...; units stand in "
        "its headings, as in `x [mm]`",
        form=RecordingForm(),
    )
    payload: float | Payload = label(
        "what is carried all along: a mass (kg), or a table with mass, offset and inertia", default=0.0, form=LoadForm()
    )

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot or for none.

        Args:
            model: the robot.
        """
        return by_law(self.route(model)).with_payload(payload_of(model))

    def route(self, model: Model | None = None) -> Route:
        """Where it leads, for a robot or for none.

        Args:
            model: the robot.

        Raises:
            MotionError: it does not begin and end at rest, or does not fit the robot.
        """
        poses = self.file.poses(model)
        _check_rest(self.file, poses)
        return Route.through(self.file.t - self.file.t[0], poses).carrying(self.payload)


def _check_rest(recording: Recording, poses: np.ndarray) -> None:
    """Raise if a recording does not begin and end at rest."""
    if len(poses) < SAMPLES_MIN:
        raise MotionError(f"{recording.file}: has {len(poses)} rows; a motion needs at least {SAMPLES_MIN}")
    speed = np.abs(np.gradient(poses[:, :3], recording.t, axis=0, edge_order=2)).max(axis=1)
    for name, share in (("begin", speed[0]), ("end", speed[-1])):
        if share > _AT_REST * speed.max():
            raise MotionError(
                f"{recording.file}: does not {name} at rest ({share:.3g} of {speed.max():.3g} m/s); cut it "
                "where the plate is at rest"
            )
