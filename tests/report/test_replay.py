"""The recorded scene: cylinders where the links are, one document, nothing printed, nothing left running."""

from __future__ import annotations

import re
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.report import replay
from parapick.report.replay import record_replay, slow_motion
from parapick.report.scene import Links, robot_scene

pytest.importorskip("viser")


def turned(wxyz: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """A vector turned by unit quaternions, by their rotation matrices."""
    w, x, y, z = np.moveaxis(wxyz, -1, 0)
    matrix = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return np.einsum("ij...,...j->...i", matrix, np.broadcast_to(vector, (*w.shape, 3)))


def test_cylinders_span_their_links_whatever_their_direction() -> None:
    rng = np.random.default_rng(3)
    ends = rng.normal(size=(2, 6, 5, 3))
    # Straight down, straight up, level.
    ends[1, 0, 0], ends[1, 0, 1], ends[1, 0, 2] = ends[0, 0, :3] + np.array([[0, 0, -1.0], [0, 0, 2.0], [0.3, 0, 0]])
    links = Links("links", *ends, radius=rng.uniform(0.1, 1.0, 5), colours=("#000000",) * 5)
    poses = replay._poses(links)
    assert np.linalg.norm(poses.wxyzs, axis=-1) == pytest.approx(1.0, abs=1e-6)
    half = turned(poses.wxyzs, np.array([0.0, 0.0, 0.5])) * poses.scales[..., 2:]
    tips = np.sort(np.stack([poses.positions + half, poses.positions - half]), axis=0)
    assert tips == pytest.approx(np.sort(ends, axis=0), abs=1e-5)
    assert poses.scales[..., 0] == pytest.approx(np.broadcast_to(links.radius, (6, 5)))


@pytest.mark.parametrize("name", ["par4", "delta-linear", "fivebar-spindle", "irb360"])
def test_the_whole_robot_is_seen_all_along_even_in_a_narrow_frame(name: str) -> None:
    model = pp.load(name)
    x = np.array(model.robot.home) + np.linspace(-0.02, 0.02, 5)[:, None] * np.eye(model.robot.dof)[0]
    scene = robot_scene(model, x, x)
    middle = (scene.low + scene.high) / 2
    camera = middle + replay.camera_distance(scene) * replay._VIEW
    ends = [end.reshape(-1, 3) for group in scene.links for end in (group.start, group.end)]
    points = np.concatenate([*ends, *scene.region])
    # A camera that looks at the middle, its picture upright.
    ahead = (middle - camera) / np.linalg.norm(middle - camera)
    right = np.cross(ahead, [0.0, 0.0, 1.0]) / np.linalg.norm(np.cross(ahead, [0.0, 0.0, 1.0]))
    up = np.cross(right, ahead)
    depth = (points - camera) @ ahead
    half = np.tan(replay._FIELD / 2)
    across, height = (points - camera) @ right / depth / half, (points - camera) @ up / depth / half
    assert np.all(depth > 0.0)
    assert np.abs(across).max() < replay.NARROWEST
    assert np.abs(height).max() < 1.0
    # And no farther away than that asks for.
    assert max(np.abs(across).max() / replay.NARROWEST, np.abs(height).max()) > 0.6


def test_the_cylinder_is_closed_and_faces_outwards() -> None:
    vertices, faces = replay._cylinder()
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    sides = len(vertices) // 4
    # Volume by the divergence theorem: that of a prism on a regular polygon, positive if the faces look outwards.
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(sides / 2 * np.sin(2 * np.pi / sides))
    places = np.unique(np.round(vertices, 9), axis=0, return_inverse=True)[1].ravel()
    edges = {(int(places[f[i]]), int(places[f[(i + 1) % 3]])) for f in faces for i in range(3)}
    assert all((end, start) in edges for start, end in edges)


@pytest.mark.parametrize(("duration", "slower"), [(0.28, 20.0), (0.5, 8.0), (1.0, 4.0), (2.9, 2.0), (9.0, 1.0)])
def test_slow_motion_takes_a_few_seconds(duration: float, slower: float) -> None:
    assert slow_motion(duration) == slower


def test_a_replay_is_one_document_and_leaves_nothing_behind(capfd: pytest.CaptureFixture[str]) -> None:
    model = pp.load("par4")
    motion = pp.load_task("adept-120").motion(model)
    before = {thread.name for thread in threading.enumerate()}
    found = record_replay(model, motion)
    assert capfd.readouterr() == ("", "")
    assert found.slower == 8.0
    assert found.duration == pytest.approx(8.0 * motion.duration)
    assert found.html.lstrip().lower().startswith("<!doctype html>")
    assert "__VISER_EMBED_DATA__" in found.html
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", found.html)
    left = {thread.name for thread in threading.enumerate() if not thread.name.startswith("ThreadPoolExecutor")}
    assert left <= before


def test_two_replays_at_once_leave_the_output_alone(capfd: pytest.CaptureFixture[str]) -> None:
    model = pp.load("par4")
    motion = pp.load_task("adept-120").motion(model)
    output = sys.stdout
    with ThreadPoolExecutor(2) as pool:
        recordings = [pool.submit(record_replay, model, motion) for _ in range(2)]
        # Whatever else the program prints meanwhile is printed.
        lines = 0
        while not all(recording.done() for recording in recordings):
            print("meanwhile")  # noqa: T201
            lines += 1
            time.sleep(0.01)
    assert sys.stdout is output
    assert recordings[0].result().html == recordings[1].result().html
    out, err = capfd.readouterr()
    assert (out, err) == ("meanwhile\n" * lines, "")
    assert lines > 1


def test_a_motion_out_of_reach_is_refused() -> None:
    model = pp.load("par4")
    motion = pp.load_task("adept-120").motion(model)
    with pytest.raises(ParameterError, match="reach"):
        record_replay(model, motion.placed(shift=(2.0, 0.0, 0.0, 0.0)))
