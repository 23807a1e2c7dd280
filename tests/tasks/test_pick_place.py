"""Pick and place: the same motions as gates put together by hand, patterns against each place alone, wrong input."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from parapick.errors import MotionError
from parapick.motion import LimitError, Motion
from parapick.motion.fitting import PlateLimits
from parapick.motion.gate import Gate
from parapick.motion.law import law_of
from parapick.motion.route import Route, by_law
from parapick.ride.poses import UnreachableCornerError, tool_ratio
from parapick.tasks import PickPlaceTask, TaskFileError
from parapick.tasks.stations import PlaceGrid, StationTable


def task(**fields: Any) -> PickPlaceTask:
    """A move of 300 mm, unless said otherwise."""
    pick = fields.pop("pick", StationTable(at=(-0.15, 0.0, -0.73), time=0.05, retreat=0.04))
    place = fields.pop("place", StationTable(at=(0.15, 0.05, -0.67), time=0.03, retreat=0.025))
    limits = {} if {"cycles_per_minute", "picks_per_minute", "timing"} & set(fields) else {"v_max": 4.0, "a_max": 60.0}
    return PickPlaceTask(name="own", pick=pick, place=place, **{**limits, **fields})


def tray(**fields: Any) -> PickPlaceTask:
    grid = PlaceGrid(columns=3, rows=2, pitch=(0.05, 0.07))
    place = StationTable(at=(0.02, -0.06, -0.7), time=0.03, retreat=0.03, grid=grid)
    pick = StationTable(at=(-0.17, 0.0, -0.72), time=0.04, retreat=0.03)
    return task(**{"pick": pick, "place": place, "payload": 0.2, **fields})


def torques(model: pp.Model, motion: Motion) -> np.ndarray:
    t = np.linspace(0.0, motion.duration, 2001)
    state = motion.at(t)
    rows = [
        model.with_payload(pp.Payload(load[0], tuple(load[1:4]), load[4])).inverse_dynamics(*pose)
        for load, *pose in zip(
            (motion.load_at(float(time)) for time in t[::50]), *(v[::50] for v in state[:3]), strict=True
        )
    ]
    return np.array(rows)


@pytest.mark.parametrize(("robot", "turns"), [("par4", 4.0), ("delta-4", 1.0)])
def test_two_heights_and_tool_yaw_are_the_gates_by_hand(robot: str, turns: float) -> None:
    model = pp.load(robot)
    own = task(place=StationTable(at=(0.15, 0.05, -0.67), tool_yaw=math.pi / 2, time=0.03, retreat=0.025), payload=0.3)
    pick, place = (-0.15, 0.0, -0.73, 0.0), (0.15, 0.05, -0.67, math.pi / 2 / turns)
    # 25 mm above the place, which is 85 mm above the pick and more than its own retreat.
    there = Gate(0.025, limits=PlateLimits(4.0, 60.0)).route(pick, place)
    back = Gate(0.025, limits=PlateLimits(4.0, 60.0)).route(place, pick)
    grip, release = Route.resting(pick, 0.05), Route.resting(place, 0.03)
    by_hand = by_law(grip.then(there.carrying(0.3)).then(release).then(back))
    motion = own.motion(model)
    assert motion.duration == pytest.approx(by_hand.duration, rel=1e-12)
    tau, other = torques(model, motion), torques(model, by_hand)
    assert np.abs(tau - other).max() <= 1e-9 * np.abs(other).max()
    assert [phase.name for phase in motion.phases] == [
        *("grip", "lift", "over", "lower", "release", "lift back", "over back", "lower back")
    ]


@pytest.mark.parametrize("robot", [entry.name for entry in pp.list_robots()])
def test_tool_ratio_is_what_the_plate_does(robot: str) -> None:
    model = pp.load(robot)
    if model.robot.dof < 4:
        pytest.skip("no yaw")
    x = ca.SX.sym("x", 4)
    turns = ca.Function("turns", [x], [ca.jacobian(model.numbers.plate_pose(x).tool.yaw, x[3])])
    assert float(turns(model.robot.home)) == pytest.approx(tool_ratio(model))


def test_retreat_of_the_pick_may_be_the_higher_one() -> None:
    own = task(pick=StationTable(at=(-0.15, 0.0, -0.73), retreat=0.2))
    motion = own.motion()
    assert motion.at(np.linspace(0.0, motion.duration, 3001)).x[:, 2].max() == pytest.approx(-0.53)


def test_tray_visits_every_cell_with_the_load_and_returns_without() -> None:
    motion = tray().motion()
    assert len(motion.phases) == 6
    cells = []
    for phase in motion.phases:
        t = np.linspace(phase.start, phase.end, 4001)
        x = motion.at(t).x
        cells.append(x[np.argmax(x[:, 0])][:2].tolist())
        loads = np.array([motion.load_at(float(time))[0] for time in t])
        assert loads.max() == 0.2
        assert loads[-1] == 0.0
    rows = [[0.02 + 0.05 * column, -0.06 + 0.07 * row] for row in range(2) for column in range(3)]
    assert np.array(cells) == pytest.approx(np.array(rows), abs=1e-9)
    assert np.abs(motion.end - motion.start).max() == 0.0


def test_without_the_way_back_it_ends_at_the_last_place() -> None:
    motion = tray(back=False).motion()
    assert motion.end[:3] == pytest.approx((0.12, 0.01, -0.7))


@pytest.mark.parametrize("style", [{}, {"overlap": 0.4}, {"corner_radius": 0.02}])
def test_a_pace_gives_every_way_the_same_acceleration(style: dict[str, float]) -> None:
    own = tray(picks_per_minute=90.0, law=law_of("3-4-5"), **style)
    motion = own.motion()
    assert motion.duration == pytest.approx(6 * 60.0 / 90.0, rel=1e-9)
    peaks = []
    for phase in motion.phases:
        t = np.linspace(phase.start, phase.end, 40001)
        speed = np.linalg.norm(motion.at(t).xd[:, :3], axis=1)
        peaks.append(np.abs(np.diff(speed)).max() / (t[1] - t[0]))
    # Where strokes overlap it is they that have the same acceleration, not the plate along its curve.
    assert "overlap" in style or np.ptp(peaks) <= 1e-3 * np.max(peaks)
    same = replace(own, picks_per_minute=None, cycles_per_minute=15.0)
    assert same.motion().duration == pytest.approx(motion.duration, rel=1e-9)


def test_a_pace_keeps_a_speed_limit() -> None:
    motion = tray(picks_per_minute=60.0, v_max=0.9).motion()
    assert motion.duration == pytest.approx(6.0, rel=1e-9)
    assert motion.peaks().speed.value <= 0.9 * (1 + 1e-9)
    with pytest.raises(LimitError, match="v_max"):
        tray(picks_per_minute=150.0, v_max=0.9).motion()


def test_worst_place_is_that_of_brute_force() -> None:
    model = pp.load("par4")
    own = tray(corner_radius=0.015)
    section = pp.evaluate(model, own, sections=("pattern",))["pattern"]
    alone = {}
    for transfer in own.transfers(model):
        single = replace(own, place=StationTable(at=transfer.place.pose[:3], time=0.03, retreat=0.03))
        finding = next(f for f in pp.evaluate(model, single, sections=("torque",)).findings if f.name.endswith("peak"))
        alone[transfer.name] = finding.use
    assert section.data["worst_place"] == max(alone, key=lambda name: alone[name])
    uses = dict(zip(section.table("items").column("place"), section.table("items").column("use"), strict=True))
    assert uses == pytest.approx(alone, rel=1e-3)
    motion = own.motion(model)
    assert section.data["picks_per_minute"] == pytest.approx(6 * 60.0 / motion.duration)
    assert section.data["patterns_per_minute"] == pytest.approx(60.0 / motion.duration)


def test_fastest_tray_takes_the_sum_of_its_moves() -> None:
    model = pp.load("par4")
    own = tray(timing="fastest", corner_radius=0.015)
    whole = own.motion(model).duration
    alone = sum(
        replace(own, place=StationTable(at=item.place.pose[:3], time=0.03, retreat=0.03)).motion(model).duration
        for item in own.transfers(model)
    )
    assert whole == pytest.approx(alone, rel=1e-4)


def write(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(
        'format = 1\nname = "own"\nkind = "pick-and-place"\nv_max = 2\na_max = 20\n' + text, encoding="utf-8"
    )
    return path


PICK = "[pick]\nat = [-0.15, 0, -0.7]\n"


def test_points_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "cells.csv").write_text(
        "x [mm];y [mm];z [mm];yaw [deg]\n100;50,5;-700;10\n120;0;-710;20\n", encoding="utf-8"
    )
    read = pp.load_task(write(tmp_path, PICK + '[place]\npoints = "cells.csv"\n'))
    assert isinstance(read, PickPlaceTask)
    poses = [item.place.pose for item in read.transfers()]
    assert np.array(poses) == pytest.approx(
        np.array([[0.1, 0.0505, -0.7, math.radians(10)], [0.12, 0, -0.71, math.radians(20)]])
    )


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        (PICK + "[place]\nat = [0.1, 0, -0.7]\ngrid = { columns = 0, pitch = [0.1, 0.1] }", "place.grid.columns", "1"),
        (
            PICK + "[place]\nat = [0.1, 0, -0.7]\ngrid = { columns = 2, pitch = [0, 0.1] }",
            "place.grid.pitch",
            "fall together",
        ),
        (PICK + "[place]\nat = [0.1, 0, -0.7]\nyaw = 0.1\ntool_yaw = 0.2", "place.tool_yaw", "yaw"),
        (PICK + "[place]\ntime = 0.1", "place", "none of them"),
        (PICK + "[place]\nat = [0.1, 0, -0.7]\npoints = [[0.1, 0, -0.7]]", "place", "at and points are given"),
        (PICK + "[place]\nat = [0.1, 0, -0.7]\ntime = -1", "place.time", "at least 0"),
        (PICK + '[place]\npoints = "nowhere.csv"', "place.points", "no such file"),
        (PICK + "[place]\nat = [0.1, 0, -0.7]\ncells = 3", "place.cells", ""),
        (
            "picks_per_minute = 3\ncycles_per_minute = 3\n" + PICK + "[place]\nat = [0.1, 0, -0.7]",
            "picks_per_minute",
            "one of",
        ),
        ("corner_radius = 0.01\noverlap = 0.5\n" + PICK + "[place]\nat = [0.1, 0, -0.7]", "overlap", "corner_radius"),
        (
            "[pick]\npoints = [[0, 0, -0.7], [0, 0.1, -0.7]]\n"
            "[place]\npoints = [[0.1, 0, -0.7], [0.2, 0, -0.7], [0.3, 0, -0.7]]",
            "pick",
            "both as many",
        ),
    ],
)
def test_wrong_files_name_the_field(tmp_path: Path, text: str, field: str, words: str) -> None:
    with pytest.raises(TaskFileError) as caught:
        pp.load_task(write(tmp_path, text))
    assert any(problem.path == field and words in problem.message for problem in caught.value.problems), caught.value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x,y,z\n1,2\n", "line 2 has 2 values"),
        ("x,y,z\n1,2,nan\n", "line 2: z"),
        ("x,y,z\n1,,3\n", "line 2: y is missing"),
        ("x,y,q\n1,2,3\n", "column 'q'"),
        ("x,y\n1,2\n", "no column z"),
        ("x [kg],y,z\n1,2,3\n", "column x"),
        ("x,y,z\n", "is empty"),
        ("x,x,z\n1,2,3\n", "two columns x"),
    ],
)
def test_wrong_tables_name_the_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "cells.csv").write_text(text, encoding="utf-8")
    with pytest.raises(TaskFileError) as caught:
        pp.load_task(write(tmp_path, PICK + '[place]\npoints = "cells.csv"\n'))
    assert words in str(caught.value)


def test_a_cell_out_of_reach_is_named() -> None:
    place = StationTable(at=(0.1, 0.0, -0.7), grid=PlaceGrid(columns=5, pitch=(0.2, 0.1)))
    with pytest.raises(UnreachableCornerError, match="row 1, column 4"):
        task(place=place).motion(pp.load("par4"))


def test_a_tool_yaw_out_of_reach_states_both_angles() -> None:
    place = StationTable(at=(0.1, 0.0, -0.7), tool_yaw=math.radians(240))
    with pytest.raises(UnreachableCornerError, match=r"of the plate 60 deg, of the tool 240 deg"):
        task(place=place).motion(pp.load("par4"))


def test_pick_equal_to_place_is_refused() -> None:
    with pytest.raises(MotionError, match="the same point"):
        task(place=StationTable(at=(-0.15, 0.0, -0.73))).motion()
    with pytest.raises(MotionError, match="above each other"):
        task(place=StationTable(at=(-0.15, 0.0, -0.6))).motion()


def test_rests_that_leave_no_time_are_refused() -> None:
    with pytest.raises(LimitError, match="leave no time"):
        task(picks_per_minute=1000.0).motion()
