"""The whole MJCF document of a robot: settings, base, limbs, plate, payload and motors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import reals
from parapick.errors import ParameterError, ShapeError
from parapick.mechanism import NOTHING, Payload, Robot
from parapick.multibody.elements import TINY, child, inertial
from parapick.multibody.legs import Mount, mounts
from parapick.multibody.legs.mount import RADIUS_SHARE
from parapick.multibody.limbs import add_limb
from parapick.multibody.masses import check_masses
from parapick.multibody.plates import Built, Elbow, Sheet, add_plate
from parapick.parameters import resolved

LOOP_TIME: Final = 0.0005
"""Time constant of the loop constraints (s). With the engine's default of 0.02 s they drift by more than a millimetre
at ten g; it must be at least two time steps, which bounds the time step."""

LOOP_IMPEDANCE: Final = 0.9999
"""How nearly rigid the loop constraints are; the engine allows no more."""

COLOURS: Final = {
    "base": "0.45 0.47 0.5 1",
    "arm": "0.2 0.35 0.6 1",
    "rod": "0.2 0.2 0.22 1",
    "plate": "0.85 0.5 0.15 1",
    "tool": "0.8 0.8 0.82 1",
    "payload": "0.3 0.6 0.3 1",
}


@final
@dataclass(frozen=True)
class Options:
    """Choices of a multibody model.

    Attributes:
        rod_radius: radius (m) of solid cylinders to use as rods, spin included; None takes the rod model of the file.
        elbow: joint between arm and rod, `universal` or `ball`.
        payload: what the tool holds beyond the gripper of the file; None for nothing.
        timestep: time step (s) of simulations.
    """

    rod_radius: float | None = None
    elbow: Elbow = "universal"
    payload: Payload | None = None
    timestep: float = 1e-4

    def __post_init__(self) -> None:
        if self.rod_radius is not None and not self.rod_radius > 0:
            raise ParameterError("rod_radius", f"is {self.rod_radius} m; it must be greater than 0")
        if self.elbow not in ("universal", "ball"):
            raise ParameterError("elbow", f"is {self.elbow!r}; valid are 'universal' and 'ball'")
        if not 0 < self.timestep <= LOOP_TIME / 2:
            limit = f"greater than 0 and at most {LOOP_TIME / 2:g} s, or the loops turn soft"
            raise ParameterError("timestep", f"is {self.timestep} s; it must be {limit}")


def mjcf(
    robot: Robot,
    *,
    rod_radius: float | None = None,
    elbow: Elbow = "universal",
    payload: Payload | None = None,
    timestep: float = 1e-4,
    angles: ArrayLike | None = None,
) -> str:
    """The robot as MJCF, made from its bodies, joints and attachment points alone.

    The plate starts at the robot's home with yaw 0. Without `angles` the arms start at rough angles and the loops are
    open; `assemble` closes them, and its `mjcf()` gives the document that starts closed.

    Args:
        robot: the description, with masses.
        rod_radius: radius (m) of solid cylinders to use as rods, spin included; by default the rod model of the file.
        elbow: joint between arm and rod, `universal` or `ball`.
        payload: what the tool holds beyond the gripper of the file; nothing by default.
        timestep: time step (s) of simulations, at most 0.25 ms.
        angles: joint angles (arms,) of the start pose, rad; places of carriages, m.

    Raises:
        MissingMassError: the description lacks masses.
        ParameterError: a number no rigid body can have, or an option that is not valid.
    """
    return written(robot, Options(rod_radius, elbow, payload, timestep), angles)


def written(robot: Robot, options: Options, angles: ArrayLike | None) -> str:
    """The document of a robot under given options; see `mjcf`."""
    robot = resolved(robot)
    check_masses(robot)
    stands = mounts(robot)
    root = _settings(robot, options, stands)
    world = child(root, "worldbody")
    equality, tendon = child(root, "equality"), child(root, "tendon")
    _base(world, stands)
    size = min(mount.size for mount in stands)
    sheet = Sheet(robot, world, equality, tendon, size, options.elbow, options.rod_radius)
    built = add_plate(sheet)
    for leg, (mount, holder, q) in enumerate(zip(stands, built.holders, _start(stands, built, angles), strict=True)):
        add_limb(sheet, leg, mount, holder, q)
    _payload(built.tool, Payload.held(robot.gripper) + (options.payload or NOTHING))
    _motors(root, robot, built)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _start(stands: Sequence[Mount], built: Built, angles: ArrayLike | None) -> list[float]:
    if angles is None:
        return [mount.rough(holder.joint) for mount, holder in zip(stands, built.holders, strict=True)]
    given = reals("angles", angles)
    if given.shape != (len(stands),):
        raise ShapeError("angles", given.shape, f"({len(stands)},), one joint angle an arm")
    return [float(angle) for angle in given]


def _settings(robot: Robot, options: Options, stands: Sequence[Mount]) -> ET.Element:
    root = ET.Element("mujoco", model=robot.name)
    child(root, "compiler", angle="radian", autolimits="true", inertiafromgeom="false")
    child(
        root,
        "option",
        timestep=options.timestep,
        gravity=(0.0, 0.0, -robot.gravity),
        integrator="RK4",
        solver="Newton",
        tolerance=1e-15,
        jacobian="dense",
    )
    reach = max(mount.extent for mount in stands)
    motors = np.mean([mount.point for mount in stands], axis=0)
    child(root, "statistic", center=(motors + robot.home[:3]) / 2, extent=0.7 * reach)
    visual = child(root, "visual")
    child(visual, "headlight", ambient="0.4 0.4 0.4", diffuse="0.6 0.6 0.6")
    sky = {"type": "skybox", "builtin": "gradient", "rgb1": "0.9 0.92 0.95", "rgb2": "0.6 0.65 0.72"}
    child(child(root, "asset"), "texture", name="sky", width="256", height="1536", **sky)
    default = child(root, "default")
    # Geoms are for the eye only: nothing touches, and masses are stated.
    child(default, "geom", contype="0", conaffinity="0")
    child(default, "site", group="4", size=0.005 * reach)
    impedance = (LOOP_IMPEDANCE, LOOP_IMPEDANCE, 0.001, 0.5, 2.0)
    child(default, "equality", solref=(LOOP_TIME, 1.0), solimp=impedance)
    for name, colour in COLOURS.items():
        child(child(default, "default", class_=name), "geom", rgba=colour)
    return root


def _base(world: ET.Element, stands: Sequence[Mount]) -> None:
    """Light, motors or rails, and the frame they stand on; none of it moves."""
    child(world, "light", pos=(0.0, 0.0, 3.0), dir=(0.0, 0.0, -1.0), directional="true")
    base = child(world, "body", name="base")
    centre = np.mean([mount.point for mount in stands], axis=0)
    for leg, mount in enumerate(stands, start=1):
        mount.draw(base)
        if np.linalg.norm(mount.point - centre) > 0:
            size = RADIUS_SHARE / 2 * mount.size
            child(base, "geom", class_="base", type="capsule", size=size, fromto=(*centre, *mount.point))
        child(base, "site", name=f"base{leg}", pos=mount.point)


def _payload(tool: ET.Element, payload: Payload) -> None:
    """A body fixed to what the tool turns with."""
    if payload.mass == 0 and payload.inertia == 0:
        return
    body = child(tool, "body", name="payload", pos=payload.offset)
    inertial(body, payload.mass, (0.0, 0.0, 0.0), (payload.inertia,) * 3)
    # A weight of 1 kg is drawn as a ball of 5 cm.
    child(body, "geom", class_="payload", type="sphere", size=0.05 * max(payload.mass, TINY) ** (1 / 3))


def _motors(root: ET.Element, robot: Robot, built: Built) -> None:
    """One motor a leg, at the joint; limited where the drive says how much torque it has."""
    actuator = child(root, "actuator")
    arms = tuple((f"motor{leg}", robot.drive) for leg in range(1, robot.arms + 1))
    for joint, drive in (*arms, *built.motors):
        limit = None if drive is None or drive.peak_torque is None else drive.ratio * drive.peak_torque
        child(
            actuator,
            "motor",
            name=joint,
            joint=joint,
            ctrllimited="false" if limit is None else "true",
            ctrlrange=None if limit is None else (-limit, limit),
        )
