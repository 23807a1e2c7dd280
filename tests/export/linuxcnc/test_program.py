"""The task as G-code, run by an interpreter of the tests: its path, its rests, its feeds, and what the tool holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import parapick as pp
from export.linuxcnc.programs import Move, Run, run_program
from parapick.export.linuxcnc.gcode import CHORD, TURN, gcode
from parapick.export.linuxcnc.machine import DEGREES, LETTERS, CncAxis
from parapick.motion import Motion
from parapick.supervision import slow_motion
from parapick.tasks import motion_for

ROUNDING = 1e-9
"""Half of the last digit of a place is 5e-10 m."""


@dataclass(frozen=True)
class Case:
    """A motion with its program, run."""

    motion: Motion
    run: Run
    text: str

    @property
    def scale(self) -> np.ndarray:
        """mm for a metre, deg for a radian."""
        return np.array([DEGREES if letter == "C" else 1e3 for letter in self.run.letters])

    @property
    def moves(self) -> list[Move]:
        """All but the first, which goes to the start."""
        return self.run.moves[1:]


def axes(model: pp.Model) -> list[CncAxis]:
    """The axes of a robot, without limits."""
    names = model.robot.task_names
    return [CncAxis(LETTERS[name], DEGREES if name == "yaw" else 1e3, 0.0, 0.0, 0.0, 0.0) for name in names]


def made(model: pp.Model, motion: Motion, title: str = "a test") -> Case:
    text = gcode(motion, axes(model), title)
    return Case(motion, run_program(text, "".join(axis.letter for axis in axes(model))), text)


def motions() -> dict[str, tuple[str, Motion]]:
    par4, linear = pp.load("par4"), pp.load("delta-linear")
    adept = motion_for("adept-120", par4)
    return {
        "pick and place": ("par4", motion_for("pick-and-place", par4)),
        "arch": ("par4", motion_for("arch", par4)),
        "picked up on the way": ("par4", adept.carrying(0.4, 0.31 * adept.duration, 0.64 * adept.duration)),
        "there and back": ("par4", adept.then(adept.reversed())),
        "three freedoms": ("delta-linear", motion_for("adept-120", linear).held("0.25 s")),
    }


@pytest.fixture(scope="module", params=motions())
def case(request: pytest.FixtureRequest) -> Case:
    robot, motion = motions()[request.param]
    return made(pp.load(robot), motion)


def metric(case: Case) -> np.ndarray:
    """Weights after which a yaw of TURN counts as much as a distance of CHORD."""
    return np.array([1.0, 1.0, 1.0, CHORD / TURN])[: case.motion.dof]


def test_the_program_says_units_and_ends(case: Case) -> None:
    assert case.run.ended
    assert case.run.blending == pytest.approx(1e3 * CHORD)
    assert case.run.moves[0].feed == np.inf
    assert case.run.moves[0].end == pytest.approx(case.motion.start * case.scale, abs=1e-6)
    assert all(np.isfinite(move.feed) for move in case.moves)
    assert case.moves[-1].end == pytest.approx(case.motion.end * case.scale, abs=1e-6)


def test_the_path_is_that_of_the_motion(case: Case) -> None:
    """Every place of the motion lies on the chords, one after the other; and chords have no length beside it."""
    weights, scale = metric(case), case.scale
    start, end = (np.array([getattr(move, name) for move in case.moves]) / scale for name in ("start", "end"))
    x = case.motion.at(np.linspace(0.0, case.motion.duration, 4001)).x
    first, line = start * weights, (end - start) * weights
    current, worst = 0, 0.0
    for place in x * weights:
        rest = slice(current, None)
        share = np.clip(((place - first[rest]) * line[rest]).sum(axis=1) / (line[rest] ** 2).sum(axis=1), 0.0, 1.0)
        off = np.linalg.norm(place - first[rest] - share[:, None] * line[rest], axis=1)
        near = np.flatnonzero(off <= 1.01 * CHORD + ROUNDING)
        assert near.size, f"{1e6 * off.min():.1f} um off the chords"
        current += int(near[0])
        worst = max(worst, float(off[near[0]]))
    assert current >= len(start) - 2
    assert worst > 0.0
    lengths = [np.linalg.norm(np.diff(each[:, :3], axis=0), axis=1).sum() for each in (x, np.vstack([start[:1], end]))]
    assert lengths[1] == pytest.approx(lengths[0], rel=1e-3)


def test_rests_have_their_time(case: Case) -> None:
    t = np.linspace(0.0, case.motion.duration, 20001)
    still = np.abs(case.motion.at(t).xd).max(axis=1) < 1e-9
    assert sum(case.run.rests) == pytest.approx(still.mean() * case.motion.duration, abs=20 * t[1])
    assert all(rest > 0.0 for rest in case.run.rests)


def test_feeds_are_the_speeds_of_the_motion(case: Case) -> None:
    """The fastest move is as fast as the plate ever is, and no move is slower than the motion on it."""
    t = np.linspace(0.0, case.motion.duration, 20001)
    speed = np.linalg.norm(case.motion.at(t).xd[:, :3], axis=1)
    lengths = np.array([np.linalg.norm((move.end - move.start)[:3]) for move in case.moves])
    feeds = np.array([move.feed for move in case.moves])
    along = lengths > 0.0
    assert feeds[along].max() == pytest.approx(60e3 * speed.max(), rel=1e-4)
    assert 60.0 * (lengths[along] / feeds[along]).sum() <= case.motion.duration - sum(case.run.rests)


def test_outputs_are_what_the_tool_holds(case: Case) -> None:
    """Each change at the place where the motion has it, and all outputs as there; in the end nothing is held."""
    motion, scale = case.motion, case.scale
    times = sorted({0.0, *(step.time for step in motion.payload)})
    wanted = [(motion.at(t).x, motion.load_at(t)) for t in times if t < motion.duration]
    wanted.append((motion.end, np.zeros(5)))
    expected, held = [], np.zeros(5)
    for x, load in wanted:
        if not np.array_equal(load, held):
            expected.append((x, load))
        held = load
    # Outputs that change together at one place are one change.
    found = [(x, out) for k, (x, out) in enumerate(case.run.changes) if not same_place(case.run.changes[k + 1 :], x)]
    assert len(found) == len(expected)
    for (x, load), (place, outputs) in zip(expected, found, strict=True):
        assert place / scale == pytest.approx(x, abs=ROUNDING)
        assert outputs == pytest.approx(load, rel=1e-8)
    assert len(found) > 0 or not any(step.mass for step in motion.payload)


def same_place(later: list[tuple[np.ndarray, tuple[float, ...]]], x: np.ndarray) -> bool:
    """Whether the next change is at the same place."""
    return bool(later) and np.array_equal(later[0][0], x)


def test_on_the_way_outputs_change_with_the_next_move_and_at_rest_at_once() -> None:
    model, motion = pp.load("par4"), motion_for("pick-and-place", pp.load("par4"))
    resting = made(model, motion)
    moving = made(model, motion.carrying(0.4, 0.31 * motion.duration, 0.64 * motion.duration))
    assert "M67 E0 Q0.4" in moving.text.splitlines()
    assert "M67 E0 Q0" in moving.text.splitlines()
    assert "M68" not in moving.text
    assert "M68 E0" in resting.text
    assert "M67" not in resting.text


def test_a_yaw_alone_has_its_feed_in_degrees() -> None:
    model = pp.load("par4")
    home = np.array(model.robot.home)
    turned = home + np.array([0.0, 0.0, 0.0, 0.5])
    motion = slow_motion(model, home, turned, 0.5, "turning")
    case = made(model, motion)
    rates = np.abs(motion.at(np.linspace(0.0, motion.duration, 5001)).xd[:, 3])
    assert [move.end[:3].tolist() for move in case.moves] == [(1e3 * home[:3]).tolist()] * len(case.moves)
    assert max(move.feed for move in case.moves) == pytest.approx(60.0 * DEGREES * rates.max(), rel=1e-4)


@pytest.mark.parametrize("title", ["a (b) c", "((", "Käfer → 5 µm", "M2"])
def test_a_title_is_a_comment_whatever_it_says(title: str) -> None:
    model = pp.load("par4")
    case = made(model, motion_for("pick-and-place", model), title)
    first = case.text.splitlines()[0]
    assert (first[0], first[-1], first.count("("), first.count(")")) == ("(", ")", 1, 1)
    assert case.text.isascii()
    assert case.run.ended
