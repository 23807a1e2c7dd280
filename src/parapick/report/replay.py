"""The robot moving through its cycle in 3D: viser's recorded scene as one HTML document that needs nothing else.

viser records what a server shows, so a server is opened for the moment of recording; it listens on this computer only
and nobody connects to it. Links of a kind are one batch of cylinders, so a frame costs a few messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np

from parapick.errors import ParameterError
from parapick.model import Model
from parapick.motion import Motion
from parapick.report.canvas import COLOURS
from parapick.report.items import items_of
from parapick.report.scene import Links, Scene, robot_scene

if TYPE_CHECKING:
    from viser import ViserServer

FRAMES_PER_SECOND: Final = 40.0
"""Frames a second of the replay's own time: smooth to the eye."""

SHOWN: Final = 4.0
"""Seconds that a cycle should take in the replay, about."""

FRAMES_MAX: Final = 480
"""Most frames of a replay; a long motion has fewer a second."""

_SLOWER: Final = (1.0, 2.0, 4.0, 5.0, 8.0, 10.0, 20.0, 50.0, 100.0)
"""Slow motion is one of these, so that the caption has a plain number."""

_SIDES: Final = 20
"""Faces around a cylinder."""

_SHORTEST: Final = 1e-6
"""Length (m) to which a link may shrink: none at all would have no direction."""

_VIEW: Final = np.array([0.42, -0.95, 0.36]) / np.linalg.norm([0.42, -0.95, 0.36])
"""Direction from the middle of the scene to the camera."""

NARROWEST: Final = 1.1
"""Width over height of the narrowest frame in which the whole robot is seen: that of a phone, by the page's style."""

_AROUND: Final = 1.12
"""How much farther away the camera is than it must be: links are thick, and the player has a bar below."""

_DARKER: Final = 1.6
"""Exponent that makes bodies look in viser's bright light as they do in the figures; lines are not lit."""

_BELT_FACES: Final = np.array([(0, 1, 2), (0, 2, 3)])

_FIELD: Final = np.radians(42.0)
"""Vertical field of view (rad)."""


@final
@dataclass(frozen=True)
class Replay:
    """A recorded motion.

    Attributes:
        html: an HTML document that plays it, whole in itself.
        slower: how many times slower than the robot it plays.
        duration: how long a cycle of the replay takes (s).
    """

    html: str
    slower: float
    duration: float


def can_replay() -> bool:
    """Whether viser, which records replays, is installed."""
    return find_spec("viser") is not None


def slow_motion(duration: float) -> float:
    """How many times slower than the robot a motion is replayed.

    Args:
        duration: how long the motion takes (s).
    """
    return next((factor for factor in _SLOWER if factor * duration >= 0.75 * SHOWN), _SLOWER[-1])


def record_replay(model: Model, motion: Motion) -> Replay:
    """Record a robot that follows a motion, again and again.

    Args:
        model: the robot; the whole motion is within its reach.

    Raises:
        ParameterError: viser is not installed.
    """
    slower = slow_motion(motion.duration)
    shown = slower * motion.duration
    count = int(np.clip(np.ceil(shown * FRAMES_PER_SECOND), 2, FRAMES_MAX))
    t = np.arange(count) * (motion.duration / count)
    x = motion.at(t).x
    if not np.isfinite(model.inverse_kinematics(x)).all():
        raise ParameterError("motion", "leaves the reach of the robot, so it cannot be replayed")
    scene = robot_scene(model, x, motion.at(np.linspace(0.0, motion.duration, 4 * count)).x, items_of(motion, t))
    return Replay(_recorded(scene, count, shown / count), slower, shown)


def _recorded(scene: Scene, count: int, step: float) -> str:
    server = _server()
    try:
        moving = _furnish(server, scene)
        serializer = server.get_scene_serializer()
        for frame in range(count):
            for handle, poses in moving:
                handle.batched_positions, handle.batched_wxyzs = poses.positions[frame], poses.wxyzs[frame]
                if poses.stretches:
                    handle.batched_scales = poses.scales[frame]
            serializer.insert_sleep(step)
        return serializer.as_html()
    finally:
        server.stop()


def _server() -> ViserServer:
    """A server that says nothing.

    viser announces on the output that a server runs, in the thread that starts it, and that it has stopped, in the
    thread it ran in; this one is nobody's business. Its console keeps a buffer for each thread, and what is captured in
    one of them is not printed: other threads, and `sys.stdout`, are not touched.
    """
    try:
        import viser
        from rich import get_console
    except ImportError as error:
        raise ParameterError("viser", "is needed for the replay: pip install 'parapick[report]'") from error
    console = get_console()
    with console.capture():
        server = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    # Never ended: the buffer goes with the server's thread.
    server.get_event_loop().call_soon_threadsafe(console.begin_capture)
    return server


def _furnish(server: ViserServer, scene: Scene) -> list[tuple[Any, _Poses]]:
    """Put everything in its first place; what moves comes back with its poses."""
    size = float(np.linalg.norm(scene.high - scene.low))
    middle = (scene.low + scene.high) / 2
    server.initial_camera.position = tuple(middle + camera_distance(scene) * _VIEW)
    server.initial_camera.look_at = tuple(middle)
    server.initial_camera.fov = float(_FIELD)
    floor = (float(middle[0]), float(middle[1]), scene.floor)
    server.scene.add_grid(
        "/floor", width=2 * size, height=2 * size, cell_size=0.1, section_size=0.5, position=floor, shadow_opacity=0.3
    )
    for name, lines, colour in _lines(scene):
        server.scene.add_line_segments(
            name, points=lines.astype(np.float32), colors=colour, thickness=2.5, thickness_units="screen"
        )
    for number, belt in enumerate(scene.belts):
        server.scene.add_mesh_simple(
            f"/belts/{number}",
            belt.astype(np.float32),
            _BELT_FACES,
            color=_rgb(COLOURS["grey"], _DARKER),
            side="double",
        )
    vertices, faces = _cylinder()
    moving = []
    for group in scene.links:
        poses = _poses(group)
        handle = server.scene.add_batched_meshes_simple(
            f"/robot/{group.name}",
            vertices,
            faces,
            batched_wxyzs=poses.wxyzs[0],
            batched_positions=poses.positions[0],
            batched_scales=poses.scales[0],
            batched_colors=np.array([_rgb(colour, _DARKER) for colour in group.colours], dtype=np.uint8),
            lod="off",
            flat_shading=False,
        )
        if poses.moves:
            moving.append((handle, poses))
    return moving


def camera_distance(scene: Scene) -> float:
    """How far from the middle of a scene the camera is, so that the robot is seen whole all along (m).

    A point `p` from the middle is in view from the distance `D` where `|p . right| <= (D - p . view) tan(width / 2)`,
    and likewise upwards.
    """
    # Items come from far along their belts.
    robot = [group for group in scene.links if group.name != "items"]
    ends = [points.reshape(-1, 3) for group in robot for points in (group.start, group.end)]
    points = np.concatenate([*ends, scene.path[:, :3], *scene.region]) - (scene.low + scene.high) / 2
    right = np.cross([0.0, 0.0, 1.0], _VIEW)
    right /= np.linalg.norm(right)
    half = np.tan(_FIELD / 2)
    wide, tall = np.abs(points @ right) / (NARROWEST * half), np.abs(points @ np.cross(_VIEW, right)) / half
    return float(_AROUND * (np.maximum(wide, tall) + points @ _VIEW).max())


def _lines(scene: Scene) -> list[tuple[str, np.ndarray, tuple[int, int, int]]]:
    """Path and workspace as line segments (k, 2, 3) with a name and a colour."""
    red, green = _rgb(COLOURS["red"]), _rgb(COLOURS["green"])
    lines = [("/path", scene.path, red), *((f"/workspace/{i}", line, green) for i, line in enumerate(scene.region))]
    return [(name, np.stack([line[:-1], line[1:]], axis=1), colour) for name, line, colour in lines if len(line) > 1]


@final
@dataclass(frozen=True, eq=False)
class _Poses:
    """Where the cylinders of a group are: positions (T, k, 3), quaternions (T, k, 4) and scales (T, k, 3)."""

    positions: np.ndarray
    wxyzs: np.ndarray
    scales: np.ndarray

    @property
    def moves(self) -> bool:
        return any(np.ptp(values, axis=0).max() > _SHORTEST for values in (self.positions, self.wxyzs, self.scales))

    @property
    def stretches(self) -> bool:
        return bool(np.ptp(self.scales, axis=0).max() > _SHORTEST)


def _poses(group: Links) -> _Poses:
    """Poses that bring a cylinder of radius 1 and length 1 along z between the ends of each link."""
    along = group.end - group.start
    length = np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), _SHORTEST)
    # A cylinder looks the same upside down: pointing it upwards keeps the half turn, which has no axis, away.
    unit = along / length
    unit = np.where(unit[..., 2:] < 0.0, -unit, unit)
    turn = np.stack([1.0 + unit[..., 2], -unit[..., 1], unit[..., 0], np.zeros(unit.shape[:-1])], axis=-1)
    turn /= np.linalg.norm(turn, axis=-1, keepdims=True)
    radius = np.broadcast_to(group.radius[:, None], length.shape)
    scales = np.concatenate([radius, radius, length], axis=-1)
    middle = (group.start + group.end) / 2
    return _Poses(middle.astype(np.float32), turn.astype(np.float32), scales.astype(np.float32))


def _cylinder() -> tuple[np.ndarray, np.ndarray]:
    """A closed cylinder of radius 1 and length 1 along z: vertices (v, 3) and faces (f, 3).

    The caps have vertices of their own, so that the edge between cap and mantle stays sharp when it is lit.
    """
    angle = np.linspace(0.0, 2 * np.pi, _SIDES, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle), np.full(_SIDES, -0.5)], axis=-1)
    top = ring * [1.0, 1.0, -1.0]
    vertices = np.concatenate([ring, top, ring, top])
    low, high = np.arange(_SIDES), np.arange(_SIDES) + _SIDES
    nearest = np.roll(low, -1)
    mantle = [(a, b, a + _SIDES) for a, b in zip(low, nearest, strict=True)]
    mantle += [(b, b + _SIDES, a) for a, b in zip(high, nearest, strict=True)]
    below = [(2 * _SIDES, 2 * _SIDES + i + 1, 2 * _SIDES + i) for i in range(1, _SIDES - 1)]
    above = [(3 * _SIDES, 3 * _SIDES + i, 3 * _SIDES + i + 1) for i in range(1, _SIDES - 1)]
    return vertices, np.array([*mantle, *below, *above])


def _rgb(colour: str, exponent: float = 1.0) -> tuple[int, int, int]:
    """Red, green and blue of `#RRGGBB`, darker by an exponent."""
    red, green, blue = (round(255 * (int(colour[i : i + 2], 16) / 255) ** exponent) for i in (1, 3, 5))
    return red, green, blue
