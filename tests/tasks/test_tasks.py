"""Task files: the shipped ones, their numbers with units, and every mistake a user can make."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

import parapick as pp
from parapick.belts import Anywhere, Belt, ConveyorLimits, Handling, Item, PickPlace, plan
from parapick.errors import MotionError
from parapick.motion import Motion, pulse, s_curve
from parapick.papers.nabat2005.cycles import nabat2005_overlap
from parapick.ride import UnreachableCornerError, workspace_center
from parapick.tasks import (
    TASKS,
    AdeptTask,
    ConveyorTask,
    LineTask,
    PickPlaceTask,
    StreamTask,
    Task,
    TaskFileError,
    UnknownTaskError,
    list_tasks,
    load_task,
)
from shipped import robot_for

SHIPPED = [entry.name for entry in list_tasks() if not entry.name.startswith("belts")]
BELTS = [entry.name for entry in list_tasks() if entry.name.startswith("belts")]


@pytest.fixture
def written(tmp_path: Path):  # noqa: ANN201
    def write(text: str) -> Path:
        path = tmp_path / "task.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def problems(path: Path) -> dict[str, str]:
    return {problem.path: problem.message for problem in TASKS.check(path)}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_tasks_are_motions(name: str) -> None:
    task = load_task(name)
    assert task.name == name
    assert task.title
    motion = motion_of(task)
    assert motion.duration > 0
    assert motion.start == pytest.approx(motion.end, abs=1e-12)


def motion_of(task: Task) -> Motion:
    """The motion without a robot, or for one where the angle of a tool follows from it."""
    return task.motion(pp.load("par4") if isinstance(task, PickPlaceTask) and task.place.tool_yaw else None)


def stated_g(text: str) -> list[str]:
    """Figures in front of a g, as they are written; grams among them."""
    return re.findall(r"(?<![\w.])(\d+(?:\.\d+)?) ?g\b", text)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_plate_keeps_what_a_shipped_task_states(name: str) -> None:
    """a_max limits the plate's Euclidean norm, a title in g says what the plate sees; per_stroke says so in words."""
    task = load_task(name)
    norm = motion_of(task).peaks().acceleration.value
    per_stroke = getattr(task, "per_stroke", False)
    if not per_stroke:
        assert norm <= (getattr(task, "a_max", None) or math.inf) * (1 + 1e-6)
    grams = f"{1e3 * pp.Payload.of(getattr(task, 'payload', 0.0)).mass:g}"
    titled = [figure for figure in stated_g(task.title) if figure != grams]
    named = [] if per_stroke else stated_g(name)
    if per_stroke:
        assert name.endswith("-per-stroke")
        assert "for each stroke" in task.title
        assert titled
    for figure in (*([max(titled, key=float)] if titled else []), *named):
        assert f"{norm / 9.81:.{len(figure.partition('.')[2])}f}" == figure


def test_the_reader_of_g_figures() -> None:
    assert stated_g("adept-13g-per-stroke") == ["13"]
    assert stated_g("13 g for each stroke and 18.7 g on the plate, 3.8 m/s, with 0.25 kg, 5 gates") == ["13", "18.7"]
    assert {name for name in SHIPPED if stated_g(name)} == {
        "adept-10g",
        "adept-13g",
        "adept-13g-per-stroke",
        "line-100g",
    }


@pytest.mark.parametrize(("name", "per_stroke"), [("adept-13g", False), ("adept-13g-per-stroke", True)])
def test_the_overlap_of_a_13g_task_is_the_one_that_takes_the_printed_time(name: str, per_stroke: bool) -> None:
    task = load_task(name)
    assert isinstance(task, AdeptTask)
    assert task.per_stroke is per_stroke
    assert task.overlap == pytest.approx(nabat2005_overlap(per_stroke=per_stroke), abs=5e-4)
    assert task.motion().duration == pytest.approx(0.280, abs=5e-5)


TOO_MUCH = ("line-100g", "corbel2010-line1", "corbel2010-line2")
"""What the motors of r4-100g cannot do with the load."""


@pytest.mark.parametrize("name", [name for name in SHIPPED if name not in TOO_MUCH])
def test_a_robot_can_follow_the_shipped_tasks(name: str) -> None:
    model = pp.load(robot_for(name))
    assert load_task(name).motion(model).follow(model).problems == ()


@pytest.mark.parametrize(
    ("robot", "name"),
    [("par4", "belts"), ("delta-4", "belts"), ("fivebar-spindle", "belts-5r"), ("par4", "belts-stream")],
)
def test_robots_can_follow_the_tasks_on_belts(robot: str, name: str) -> None:
    model, task = pp.load(robot), load_task(name)
    assert isinstance(task, (ConveyorTask, StreamTask))
    if isinstance(task, StreamTask):  # A few items are as good as many.
        task = replace(task, items=replace(task.items, duration=3.0))
    motion = task.motion(model)
    assert motion.follow(model).problems == ()
    peaks = motion.peaks()
    assert peaks.speed.value <= (task.v_max or math.inf) * (1 + 1e-6)
    assert peaks.acceleration.value <= (task.a_max or math.inf) * (1 + 1e-6)
    with pytest.raises(MotionError, match=f"a task of kind '{task.kind}' is planned for a robot; give one"):
        task.motion()


def test_every_task_on_belts_is_followed_by_some_robot() -> None:
    assert set(BELTS) == {"belts", "belts-5r", "belts-stream"}


def test_a_task_on_belts_is_the_plan_of_its_numbers(written) -> None:  # noqa: ANN001
    """Places are counted from the middle of the workspace, and everything reaches the planner."""
    text = Path(list_tasks()[[entry.name for entry in list_tasks()].index("belts")].path).read_text(encoding="utf-8")
    task = load_task(written(text.replace('payload = "300 g"', 'payload = "500 g"\nstart = [0, "10 mm", 0]')))
    assert isinstance(task, ConveyorTask)
    par4 = pp.load("par4")
    center = workspace_center(par4)
    belts = [
        Belt((0.0, y, center[2] - 0.04), (1.0, 0.0, 0.0), v, window=(-0.25, 0.25)) for y, v in ((-0.2, 0.4), (0.2, 0.3))
    ]
    work = PickPlace(Handling(0.03, 0.03), Handling(0.03, 0.03), payload=0.5, dead_time=0.02)
    own = plan(
        par4,
        Item(belts[0], -0.35),
        Anywhere(belts[1]),
        work,
        ConveyorLimits(4.0, 100.0),
        start=(0.0, 0.01, float(center[2]), 0.0),
    )
    made = task.plan(par4)
    assert made.motion.duration == pytest.approx(own.motion.duration, rel=1e-12)
    assert made.place.pose == pytest.approx(own.place.pose)
    assert made.motion.payload == own.motion.payload
    assert made.motion.start == pytest.approx((0.0, 0.01, center[2], 0.0))


def test_a_stream_is_one_motion_with_its_rests() -> None:
    task, par4 = load_task("belts-stream"), pp.load("par4")
    assert isinstance(task, StreamTask)
    short = replace(task, items=replace(task.items, duration=3.0))
    done = short.stream(par4)
    motion = done.motion()
    assert len(done.picked) > 2
    assert motion.duration == pytest.approx(done.cycles[-1].end)
    for cycle in done.cycles:
        assert motion.at(cycle.pick.touch).x == pytest.approx(
            cycle.motion.at(cycle.pick.touch - cycle.start).x, abs=1e-9
        )
    resting = sum(phase.end - phase.start for phase in motion.phases if phase.name == "rest")
    assert done.busy == pytest.approx(motion.duration - resting)
    again = replace(short, items=replace(short.items, seed=8)).stream(par4)
    assert [one.item.time for one in again.picked] != [one.item.time for one in done.picked]


@pytest.mark.parametrize("name", ["adept-13g", "line-100g", "arch"])
def test_any_task_can_be_timed_by_the_motors(name: str) -> None:
    par4, task = pp.load("par4"), load_task(name)
    quick = replace(task, timing="fastest", v_max=None, a_max=None)  # pyright: ignore[reportCallIssue]
    motion = quick.motion(par4)
    assert 0.99 < (motion.follow(par4)["motor torque"].use or 0.0) <= 1.0
    assert motion.end == pytest.approx(task.motion(par4).end, abs=1e-9)
    with pytest.raises(MotionError, match='timing = "fastest" follows from a robot; give one'):
        quick.motion()


def test_a_robot_for_100g_can_follow_the_line_empty_and_not_with_the_documents_load() -> None:
    """corbel2010, erratum E15: 127 N m reach 100 g with the 0.25 kg only if the forearms' halves are left out."""
    model, task = pp.load("r4-100g"), load_task("line-100g")
    assert isinstance(task, LineTask)
    assert task.payload == 0.25
    motion = task.motion(model)
    assert replace(task, payload=0.0).motion(model).follow(model).ok
    loaded = motion.follow(model)
    assert not loaded.ok
    assert abs(loaded["motor torque"].value) == pytest.approx(134.3, abs=0.1)
    assert motion.peaks().acceleration.value == pytest.approx(981.0)
    region = model.robot.workspace
    assert region is not None
    assert motion.start[2] == pytest.approx(0.5 * (region.z_min + region.z_max))


def test_shipped_cycle_times() -> None:
    times = {name: load_task(name).motion().duration for name in SHIPPED if name.startswith("adept")}
    assert times == pytest.approx(
        {
            "adept-10g": 0.452,
            "adept-120": 0.5,
            "adept-13g": 0.280,
            "adept-13g-per-stroke": 0.280,
            "adept-rounded": 0.275,
        },
        abs=6e-4,
    )


def test_units_and_laws_are_read(written) -> None:  # noqa: ANN001
    task = load_task(
        written("""
format = 1
kind = "adept"
name = "mine"
width = "35 cm"
height = "350 mm"
overlap = "45 %"
azimuth = "90 deg"
yaw = ["-45 deg", 0.5]
dwell = "20 ms"
payload = "250 g"
v_max = "2500 mm/s"
a_max = "100 m/s²"
law = { name = "s-curve", jerk_time = "5 ms" }
center = [0, "10 mm", -0.7]
one_way = true
""")
    )
    assert isinstance(task, AdeptTask)
    assert (task.width, task.height, task.overlap, task.dwell) == (0.35, 0.35, 0.45, (0.02, 0.02))
    assert (task.azimuth, task.yaw) == (math.pi / 2, (-math.pi / 4, 0.5))
    assert (task.payload, task.v_max, task.a_max, task.one_way) == (0.25, 2.5, 100.0, True)
    assert task.law == s_curve(jerk_time=0.005)
    assert task.center == (0.0, 0.01, -0.7)


def test_the_file_gives_the_motion_of_the_function(written) -> None:  # noqa: ANN001
    text = 'format = 1\nkind = "line"\nname = "l"\nstart = [0, 0, 0]\nend = ["0.3 m", 0, 0]\nv_max = 11\na_max = 981\n'
    task = load_task(written(text + 'law = { name = "pulse", lam = 0.5 }\n'))
    assert task == LineTask(name="l", start=(0, 0, 0), end=(0.3, 0, 0), v_max=11.0, a_max=981.0, law=pulse(0.5))
    assert task.motion().duration == pytest.approx(0.3 / 11 + 11 / (981 * 0.75))


def test_yaw_is_added_or_dropped_for_the_robot(written) -> None:  # noqa: ANN001
    text = 'format = 1\nkind = "gate"\nname = "g"\nframe = "workspace"\nduration = 1\n'
    flat = load_task(written(text + "start = [-0.1, 0, 0]\nend = [0.1, 0, 0]\n"))
    assert flat.motion(pp.load("par4")).dof == 4
    turning = load_task(written(text + "start = [-0.1, 0, 0, 0]\nend = [0.1, 0, 0, 0.3]\n"))
    with pytest.raises(pp.errors.ParapickError, match="this robot has no yaw"):
        turning.motion(pp.load("delta-r4"))
    level = load_task(written(text + "start = [-0.1, 0, 0, 0]\nend = [0.1, 0, 0, 0]\n"))
    assert level.motion(pp.load("delta-r4")).dof == 3


@pytest.mark.parametrize(
    ("text", "corner"),
    [
        ('kind = "gate"\nstart = [0, 0, -0.7]\nend = [0.9, 0, -0.7]', "above place"),
        ('kind = "line"\nstart = [0, 0, -0.7]\nend = [0.9, 0, -0.7]', "end"),
        ('kind = "via"\npoints = [[0, 0, -0.7], [0.9, 0, -0.7], [0, 0, -0.8]]', "via point 2"),
        ('kind = "adept"\ncenter = [0.9, 0, -0.7]', "pick"),
    ],
)
def test_an_unreachable_corner_is_named(written, text: str, corner: str) -> None:  # noqa: ANN001
    task = load_task(written(f'format = 1\nname = "far"\na_max = 10\n{text}\n'))
    with pytest.raises(UnreachableCornerError, match=f"corner '{corner}' at .* too short"):
        task.motion(pp.load("par4"))


def test_every_mistake_is_reported_at_once(written) -> None:  # noqa: ANN001
    found = problems(
        written("""
format = 1
kind = "adept"
naem = "x"
title = 3
frame = "world"
overlap = 1.5
law = "trapezodal"
width = "3 kg"
height = true
v_max = -1
a_max = nan
yaw = [0]
dwell = ["1 ms", "soon"]
one_way = 1
payload = "-1 g"
""")
    )
    expected = {
        "name": "is missing: short name, as in file names and commands",
        "naem": "is not a field of a task of kind 'adept'; did you mean name?",
        "title": "is 3; it must be text in quotes",
        "frame": 'is \'world\'; it must be "base" or "workspace"',
        "overlap": "is 1.5; it must be at most 1",
        "width": "'3 kg' is not a length; a length is written in m, mm, cm, um or inch",
        "height": 'is true; it must be a number or a text with its unit (m, mm, cm, um, inch), such as "1 m"',
        "v_max": "is -1 m/s; it must be greater than 0 m/s",
        "a_max": "is nan; it must be a finite number",
        "yaw": "is a list of 1; it must be a list of 2",
        "dwell.2": "'soon' is not a finite number with a unit; a time is written in s or ms",
        "one_way": "is 1; it must be true or false",
        "payload": "is -0.001 kg; it must be at least 0 kg",
    }
    law = found.pop("law")
    assert found == expected
    assert law.startswith("no time law named 'trapezodal'; did you mean trapezoidal?")


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("format = 2", "format", "is 2; this version of parapick reads format = 1"),
        ('kind = "adept"', "format", "is missing; write format = 1"),
        ("format = 1", "kind", '"samples", "conveyor" or "stream"'),
        ('format = 1\nkind = "adpt"', "kind", 'or "stream"; did you mean "adept"?'),
        ("format = 1\nkind = 3", "kind", 'is 3; it must be "adept", "pick-and-place", "gate"'),
        ("a = [", "", "is not TOML"),
        ('format = 1\nkind = "line"\nname = "a"\nstart = [0, 0, 0]', "end", "is missing"),
        (
            'format = 1\nkind = "via"\nname = "a"\npoints = [[0, 0, 0], ["1 mm", 2]]',
            "points.2",
            "is a list of 2; it must be a list of 3 or 4 numbers",
        ),
        ('format = 1\nkind = "via"\nname = "a"\npoints = [[0, 0, 0]]', "points", "it must be a list of at least 2"),
        (
            'format = 1\nkind = "via"\nname = "a"\npoints = [[0, 0, 0], [0, 0, 0, 1]]',
            "points",
            "has entries of different lengths",
        ),
        (
            'format = 1\nkind = "adept"\nname = "a"\nlaw = { name = "pulse", lamb = 1 }',
            "law.lamb",
            "is not a field of the law pulse; did you mean lam",
        ),
        (
            'format = 1\nkind = "adept"\nname = "a"\nlaw = { name = "cubic", ramp = 0.2 }',
            "law.ramp",
            "is not a field of the law cubic; valid are name",
        ),
        (
            'format = 1\nkind = "adept"\nname = "a"\nlaw = { name = "pulse", lam = 2 }',
            "law.lam",
            "it must be at most 1",
        ),
        ('format = 1\nkind = "adept"\nname = "a"\nlaw = 3', "law", "is 3; it must be a name or a table such as"),
        (
            'format = 1\nkind = "line"\nname = "a"\nstart = [0, 0, 0]\nend = [1, 0, 0]\nlaw = "fastest"',
            "law",
            "no time law named 'fastest'",
        ),
        ('format = 1\nkind = "adept"\nname = "a"\n[sources]\nwitdh = "x"', "sources.witdh", "did you mean width?"),
        ('format = 1\nkind = "adept"\nname = "a"\nsources = 3', "sources", "is 3; it must be a table"),
    ],
)
def test_a_mistake_is_named(written, text: str, path: str, message: str) -> None:  # noqa: ANN001
    found = problems(written(text))
    assert list(found) == [path]
    assert message in found[path]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TaskFileError, match="there is no such file"):
        load_task(tmp_path / "none.toml")
    with pytest.raises(TaskFileError, match="is a folder; give the path of a task file"):
        load_task(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"title = '\xe9'")
    with pytest.raises(TaskFileError, match="is not UTF-8 text"):
        load_task(tmp_path / "latin.toml")
    (tmp_path / "large.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(TaskFileError, match="is too large"):
        load_task(tmp_path / "large.toml")


def test_an_unknown_task_names_the_close_ones() -> None:
    with pytest.raises(UnknownTaskError, match="did you mean adept-120"):
        load_task("adept120")
    with pytest.raises(UnknownTaskError, match="shipped tasks: abb-cycle"):
        load_task("zzz")
