"""Forces in the plate's own joints against the engine, which knows nothing of how a plate passes them on."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

import parapick as pp
from oracle.descriptions import CASES
from oracle.test_rod_pairs import RANK, case
from parapick.mechanism import Robot
from parapick.mechanism.payload import Payload
from parapick.model import Model
from parapick.multibody import Assembly, assemble
from parapick.multibody.assembly import moved
from parapick.multibody.engine import Engine
from parapick.multibody.limbs import rod_names
from parapick.multibody.loads import Solved, solved
from parapick.multibody.wrenches import joint_wrench, pin_force

DIFFERENCE_MAX = 1e-8
"""Largest difference of a force or moment, as a share of the peak of all forces, or of that times the plate's radius.
What is left is the engine's least inertia of 1e-12 kg m2 and rounding, as for the rods."""

COUNT = 3

PAYLOAD = Payload(0.7, (0.03, -0.02, -0.05), 2e-4)
"""Beside the tool's axis, so that bearings bend and belts work."""

BODIES = {
    "guide of side 1": "side1",
    "guide of side -1": "side2",
    "pinion": "pinion",
    "crossbar on the bar": "crossbar",
    "carried bar on the crossbar": "carried",
    "screw bearing": "screw",
    "screw pair": "carried",
    "bar 1 on the half plate": "bar1",
    "bar 1 on the carried half plate": "carried",
    "bar 2 on the half plate": "bar2",
    "tool": "tool",
}
"""The body of the engine's tree beyond each joint."""


@cache
def assembled(name: str) -> tuple[Robot, Assembly]:
    robot = case(name) if name in CASES else pp.load(name.removeprefix("shipped ")).robot
    return robot, assemble(robot, payload=PAYLOAD)


def states(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Random states in the region of a case."""
    robot, rng = CASES[name].robot, np.random.default_rng(5)
    size = np.array([1.0, 1.0, 0.5, 3.0])[: robot.dof]
    rates, bends = (rng.normal(size=(COUNT, robot.dof)) * size * scale for scale in (1.0, 20.0))
    return CASES[name].poses(COUNT, seed=5), rates, bends


def without_preload(here: Assembly, engine: Engine, own: Solved) -> Solved:
    """The engine's forces with the preload of the rods taken out, in the engine's own null space.

    parapick takes the smallest forces of the rods; the engine counts the pin of Par4's second bar in that norm.
    """
    loops = engine.loops()[0]
    _, sizes, right = np.linalg.svd(loops.T)
    free = right[np.sum(sizes > RANK * sizes[0]) :].T
    rows = dict(engine.connects())
    names = [f"rod{name}" for leg in range(here.robot.arms) for name in rod_names(here.robot, leg)]
    rods = np.concatenate([np.arange(3) + rows[here.model.equality(name).id] for name in names])
    # What loads no rod, such as two pins on one line, stays.
    if np.abs(free[rods]).max(initial=0.0) < RANK:
        return own
    change = -np.linalg.lstsq(free[rods], own.pull[rods], rcond=RANK)[0]
    return dataclasses.replace(own, pull=own.pull + free @ change)


def solutions(name: str, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> Iterator[tuple[int, Engine, Solved]]:
    """The engine at every state, without preload."""
    _, here = assembled(name)
    engine, qpos = here.engine(), here.qpos
    for i in range(len(x)):
        qpos = moved(here, engine, qpos, x[i])
        own = solved(engine, xd[i], xdd[i])
        yield i, engine, without_preload(here, engine, own)


@pytest.mark.parametrize("name", ["i4", "h4", "heli4", "asymmetric"])
def test_joints_of_a_chain(name: str) -> None:
    """Every component of every joint; what passes along a joint's own freedom included."""
    robot, _ = assembled(name)
    x, xd, xdd = states(name)
    loads = Model(robot).with_payload(PAYLOAD).plate_joint_loads(x, xd, xdd)
    peak, size = np.abs(loads.force).max(), float(robot.plate.radius)
    for i, engine, own in solutions(name, x, xd, xdd):
        for k, joint in enumerate(loads.names):
            body = engine.data.body(BODIES[joint])
            force, moment = joint_wrench(engine, own, BODIES[joint], body.xpos)
            if robot.plate.kind == "slider":
                force, moment = _guided(robot, engine, own, joint, (force, moment))
            close(loads.force[i, k], force, DIFFERENCE_MAX * peak, joint)
            close(loads.moment[i, k], moment, DIFFERENCE_MAX * peak * size, joint)
    assert peak > 10.0


def _guided(
    robot: Robot, engine: Engine, own: Solved, joint: str, whole: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """The engine's racks act on joint coordinates; those of I4's plate act where they touch the pinion."""
    angle, radius = robot.plate.slide_angle, robot.plate.pinion_radius  # pyright: ignore[reportAttributeAccessIssue]
    along, side = np.array([np.cos(angle), np.sin(angle), 0.0]), np.array([np.sin(angle), -np.cos(angle), 0.0])
    centre = engine.data.body("pinion").xpos
    racks = {}
    for number, sign in ((1, 1.0), (2, -1.0)):
        body = engine.data.body(f"side{number}")
        force, _ = joint_wrench(engine, own, f"side{number}", body.xpos)
        racks[number] = (force @ along) * along, centre + sign * radius * side, body.xpos
    force, moment = whole
    if joint != "pinion":
        rack, contact, origin = racks[1 if joint.endswith(" 1") else 2]
        return force, moment - np.cross(contact - origin, rack)
    for rack, contact, _ in racks.values():
        force, moment = force + rack, moment + np.cross(contact - centre, rack)
    return force, moment


@pytest.mark.parametrize("name", ["par4", "rails-par4"])
def test_hinges_of_par4_on_random_states(name: str) -> None:
    check_hinges(name, *states(name))


def test_hinges_along_the_adept_cycle_of_par4() -> None:
    samples = pp.adept_cycle(pp.load("par4"), cycles_per_minute=120).sample(4000.0)
    some = slice(7, None, len(samples.t) // 8)
    check_hinges("shipped par4", samples.x[some], samples.xd[some], samples.xdd[some])


def check_hinges(name: str, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> None:
    """Level forces and torques of each hinge; thrusts and tilting moments of both bars together.

    How bars share thrusts and tilting moments rigid bodies leave open, and the far end of the engine's second bar is a
    pin, which bears no moment.
    """
    robot, _ = assembled(name)
    loads = Model(robot).with_payload(PAYLOAD).plate_joint_loads(x, xd, xdd)
    peak = np.abs(loads.force).max()
    size = peak * float(robot.plate.radius)
    for i, engine, own in solutions(name, x, xd, xdd):
        forces, moments = (np.array(values) for values in zip(*hinge_wrenches(engine, own, loads.names), strict=True))
        for joint, ours, theirs in zip(loads.names, loads.force[i], forces, strict=True):
            close(ours[:2], theirs[:2], DIFFERENCE_MAX * peak, joint)
        close(loads.torque[i], moments[:, 2], DIFFERENCE_MAX * size, "belt")
        gap = engine.data.body("bar2").xpos - engine.data.body("bar1").xpos
        for part, pair in (("half plate", [0, 2]), ("carried half plate", [1, 3])):
            close(loads.force[i, pair].sum(axis=0), forces[pair].sum(axis=0), DIFFERENCE_MAX * peak, part)
            ours, theirs = (
                moment[pair].sum(axis=0) + np.cross(gap, force[pair[1]])
                for force, moment in ((loads.force[i], loads.moment[i]), (forces, moments))
            )
            close(ours, theirs, DIFFERENCE_MAX * size, part)
        close(loads.force[i, 4], forces[4], DIFFERENCE_MAX * peak, "tool")
        close(loads.moment[i, 4], moments[4], DIFFERENCE_MAX * size, "tool")
    assert peak > 10.0


def hinge_wrenches(engine: Engine, own: Solved, names: tuple[str, ...]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Force and moment at every joint of Par4's plate; the second bar ends in a pin on the carried half plate."""
    for joint in names:
        if joint in BODIES:
            yield joint_wrench(engine, own, BODIES[joint], engine.data.body(BODIES[joint]).xpos)
        else:
            yield -pin_force(engine, own, "parallelogram"), np.zeros(3)


def close(got: np.ndarray, wanted: np.ndarray, atol: float, joint: str) -> None:
    np.testing.assert_allclose(got, wanted, rtol=0, atol=atol, err_msg=joint)


def test_nuts_of_the_five_bar() -> None:
    """The shaft between its nuts: both together are what the engine passes to it, each gives what its motor is left."""
    name = "five-bar"
    robot, _ = assembled(name)
    x, xd, xdd = states(name)
    model = Model(robot).with_payload(PAYLOAD)
    loads, torques = model.plate_joint_loads(x, xd, xdd), model.inverse_dynamics(x, xd, xdd)
    accelerations = model.joint_accelerations(x, xd, xdd)
    plate = robot.plate
    inertia = 40.0**2 * (2.4e-6 + 20.5e-6) + plate.screw_nut_inertia  # pyright: ignore[reportAttributeAccessIssue]
    peak = np.abs(loads.force).max()
    for i, engine, own in solutions(name, x, xd, xdd):
        carriage = engine.data.body("carriage").xpos
        force, moment = joint_wrench(engine, own, "shaft", carriage)
        close(loads.force[i].sum(axis=0), force, DIFFERENCE_MAX * peak, "nuts")
        close(loads.moment[i].sum(axis=0), moment, DIFFERENCE_MAX * peak, "nuts")
        close(loads.torque[i], torques[i, 2:] - inertia * accelerations[i, 2:], 1e-9, "nuts")


def test_telescope_gives_the_tool_its_torque() -> None:
    """What the motor on the base is left, through its gear, about the vertical."""
    robot, _ = assembled("telescope")
    x, xd, xdd = states("telescope")
    model = Model(robot).with_payload(PAYLOAD)
    loads = model.plate_joint_loads(x, xd, xdd)
    drive, ratio = robot.plate.drive, 3.0
    assert drive is not None
    rotor = drive.ratio**2 * ((drive.inertia or 0.0) + drive.gearbox_inertia)
    own = model.inverse_dynamics(x, xd, xdd)[:, 3] - rotor * model.joint_accelerations(x, xd, xdd)[:, 3]
    np.testing.assert_allclose(loads.moment[:, 1, 2], ratio * own, rtol=1e-9)
    # A universal joint at an angle passes between cos and 1 / cos of the torque to its shaft.
    slant = -x[:, 2] / np.linalg.norm(x[:, :3], axis=1)
    share = loads.torque[:, 1] / loads.moment[:, 1, 2]
    assert np.all((share >= slant - 1e-12) & (share <= 1 / slant + 1e-12))


def test_a_telescope_with_mass_leans_on_the_tool() -> None:
    """Bearing and telescope, force and moment: the engine's tool hangs on the plate, two pins tie it to the shaft."""
    name = "swinging"
    robot, _ = assembled(name)
    x, xd, xdd = states(name)
    loads = Model(robot).with_payload(PAYLOAD).plate_joint_loads(x, xd, xdd)
    assert loads.names == ("tool", "telescope")
    peak = np.abs(loads.force).max()
    for i, engine, own in solutions(name, x, xd, xdd):
        point = engine.data.body("tool").xpos
        force, moment = joint_wrench(engine, own, "tool", point)
        close(loads.force[i, 0], force, DIFFERENCE_MAX * peak, "tool")
        close(loads.moment[i, 0], moment, DIFFERENCE_MAX * peak, "tool")
        pins = [(pin_force(engine, own, pin), engine.data.site(pin).xpos - point) for pin in ("cross1", "cross2")]
        close(loads.force[i, 1], sum(force for force, _ in pins), DIFFERENCE_MAX * peak, "telescope")
        moment = sum(np.cross(lever, force) for force, lever in pins)
        close(loads.moment[i, 1], moment, DIFFERENCE_MAX * peak, "telescope")
        np.testing.assert_allclose(loads.axis[i, 1], engine.data.body("lower").xmat.reshape(3, 3)[:, 2], atol=1e-9)
    assert np.abs(loads.force[:, 1]).max() > 1.0
    assert np.abs(loads.moment[:, 1]).max() > 0.3
