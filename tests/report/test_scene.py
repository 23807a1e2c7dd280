"""What is drawn of a robot is the robot: lengths, rigid parts, the tool's yaw."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.model import Model
from parapick.report.items import items_of
from parapick.report.scene import Links, Scene, robot_scene
from parapick.report.skeleton import skeleton
from poses import by_kind, workspace_poses


def poses(model: Model) -> np.ndarray:
    """Poses on a loop about home with all coordinates changing, yaw included."""
    home, size = np.array(model.robot.home), float(np.min(model.robot.limb.rod_length)) / 2
    turn = np.linspace(0.0, 2 * np.pi, 9)
    way = [0.1 * size * np.sin(turn), 0.1 * size * np.cos(turn), 0.05 * size * np.sin(2 * turn), 0.5 * np.sin(turn + 1)]
    return home + np.stack(way, axis=-1)[:, : model.robot.dof]


def lengths(links: Links) -> np.ndarray:
    return np.linalg.norm(links.end - links.start, axis=-1)


def group(scene: Scene, name: str) -> Links:
    return next(links for links in scene.links if links.name == name)


@pytest.mark.parametrize("name", by_kind())
def test_arms_and_rods_have_their_lengths_at_every_pose(name: str) -> None:
    model = pp.load(name)
    robot = model.robot
    scene = robot_scene(model, poses(model))
    rods = group(scene, "rods")
    assert rods.start.shape == (9, robot.arms * robot.limb.rods, 3)
    stated = np.repeat(np.broadcast_to(robot.limb.rod_length, robot.arms), robot.limb.rods)
    assert lengths(rods) == pytest.approx(np.broadcast_to(stated, (9, len(stated))), abs=1e-9)
    arms = group(scene, "arms")
    each = 2 if robot.limb.rods == 2 else 1
    carriages = robot.limb.body == "carriage"
    stated = robot.limb.rod_spacing if carriages else robot.limb.arm
    assert lengths(arms)[:, ::each] == pytest.approx(np.broadcast_to(stated, (9, robot.arms)), abs=1e-12)
    # An arm stays where its motor is; a carriage goes along its rail.
    moved = np.ptp(arms.start[:, ::each], axis=0)
    assert (moved[:, 2].min() > 0.0 and moved[:, :2].max() < 1e-12) if carriages else moved.max() == 0.0


@pytest.mark.parametrize("name", by_kind())
def test_parts_of_a_plate_are_rigid(name: str) -> None:
    model = pp.load(name)
    joints = skeleton(model, poses(model))
    apart = [np.linalg.norm(body.anchors[:, :, None] - body.anchors[:, None], axis=-1) for body in joints.bodies]
    assert max(np.ptp(distance, axis=0).max() for distance in apart) < 1e-12
    assert np.ptp(np.linalg.norm(joints.bars[:, :, 1] - joints.bars[:, :, 0], axis=-1), axis=0).max(initial=0) < 1e-12


@pytest.mark.parametrize(("name", "legs"), [("par4", 4), ("h4", 4), ("i4", 4), ("heli4", 4), ("delta-r6", 6)])
def test_every_leg_holds_a_part_of_the_plate(name: str, legs: int) -> None:
    model = pp.load(name)
    joints = skeleton(model, poses(model))
    assert not joints.loose.any()
    held = np.concatenate([body.anchors for body in joints.bodies], axis=1)
    for leg in range(legs):
        assert (np.linalg.norm(held - joints.joints[:, leg, None], axis=-1).min(axis=1) < 1e-12).all()
    # The two halves of these plates move against each other when the tool turns.
    moving = len({tuple(np.round(body.hub[0] - body.hub[4], 9)) for body in joints.bodies if body.anchors.shape[1] > 1})
    assert moving == (1 if name == "delta-r6" else 2)


def test_a_spindle_slides_through_its_guide() -> None:
    model = pp.load("fivebar-spindle")
    x = poses(model)
    joints = skeleton(model, x)
    assert joints.loose.all()
    shaft = group(robot_scene(model, x), "tool")
    upright = np.ptp(lengths(shaft), axis=0) < 1e-12
    assert upright.all()
    longest = int(np.argmax(lengths(shaft)[0]))
    assert (shaft.end[:, longest, 2] > joints.joints[:, 0, 2]).all()


def test_a_telescope_reaches_from_the_base_to_the_tool() -> None:
    model = pp.load("delta-4")
    tool = group(robot_scene(model, poses(model)), "tool")
    assert np.ptp(lengths(tool), axis=0).max() > 1e-3


@pytest.mark.parametrize("name", ["par4", "i4", "fivebar-spindle"])
def test_the_pointer_shows_the_yaw_of_the_tool(name: str) -> None:
    model = pp.load(name)
    x = poses(model)
    tool = group(robot_scene(model, x), "tool")
    pointer = tool.end[:, 1] - tool.start[:, 1]
    ratio = getattr(model.robot.plate, "yaw_ratio", 1.0)
    wanted = ratio * x[:, 3]
    assert np.arctan2(pointer[:, 1], pointer[:, 0]) == pytest.approx(np.arctan2(np.sin(wanted), np.cos(wanted)))


def test_rods_of_a_pair_are_parallel_and_as_far_apart_as_stated() -> None:
    model = pp.load("delta-nr")
    x = workspace_poses(model, 20)
    rods = group(robot_scene(model, x), "rods")
    first, second = slice(0, None, 2), slice(1, None, 2)
    gap = rods.start[:, second] - rods.start[:, first]
    assert np.linalg.norm(gap, axis=-1) == pytest.approx(model.robot.limb.rod_spacing)
    assert rods.end[:, second] - rods.end[:, first] == pytest.approx(gap)


def test_an_item_lies_where_it_is_taken_is_carried_and_lies_where_it_is_left() -> None:
    model = pp.load("par4")
    motion = pp.load_task("box").motion(model)
    t = np.linspace(0.0, motion.duration, 41)
    x, items = motion.at(t).x, items_of(motion, t)
    carried = motion.payload_at(t) > 0.0
    body = group(robot_scene(model, x, items=items), "items")
    assert body.end[carried, 0] == pytest.approx(x[carried, :3])
    assert (lengths(body) > 0.0).all()
    left = motion.at(motion.payload[-1].time).x[:3]
    assert body.end[~carried, 0] == pytest.approx(np.broadcast_to(left, (int((~carried).sum()), 3)))
    assert items.belts == ()


def test_items_ride_on_the_belts_of_the_task() -> None:
    model = pp.load("par4")
    task = pp.load_task("belts")
    plan = task.plan(model)
    motion, pick = plan.motion, plan.motion.payload[0].time
    t = np.array([pick - 0.1, pick, pick + 0.02])
    items = items_of(motion, t)
    assert (items.tops[1] - items.tops[0])[0] == pytest.approx([0.04, 0.0, 0.0], abs=1e-9)
    assert items.tops[2, 0] == pytest.approx(motion.at(t[2]).x[:3])
    assert len(items.belts) == 2
    for corners, belt in zip(items.belts, (task.pick.belt, task.place.belt), strict=True):
        along = corners[1] - corners[0]
        assert along / np.linalg.norm(along) == pytest.approx(np.array(belt.direction))
        # The strip lies around the line of the belt.
        middle = corners.mean(axis=0)[1] - np.mean([items_of(motion, t).belts[i].mean(axis=0)[1] for i in (0, 1)])
        assert middle == pytest.approx(belt.point[1], abs=1e-3)


def test_an_item_that_a_belt_has_carried_off_is_not_shown() -> None:
    motion = pp.load_task("belts").motion(pp.load("par4"))
    pick = motion.payload[0].time
    items = items_of(motion, np.array([pick - 60.0, pick]))
    assert items.shown[:, 0].tolist() == [False, True]


def test_the_floor_lies_below_everything() -> None:
    for name in ("par4", "spara3", "fivebar-spindle"):
        model = pp.load(name)
        scene = robot_scene(model, poses(model))
        lowest = min(float(np.min([links.start[..., 2].min(), links.end[..., 2].min()])) for links in scene.links)
        assert scene.floor < lowest
        assert scene.floor < model.robot.workspace.z_min
