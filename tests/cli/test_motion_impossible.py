"""`parapick motion` with tasks that cannot be done: each answer says which limit, where, and by how much."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import parapick as pp

HEAD = 'format = 1\nname = "own"\n'

BELTS = """
kind = "conveyor"
v_max = "4 m/s"
a_max = "100 m/s2"
{extra}
[pick]
point = ["0 m", "{y}", "-740 mm"]
direction = [1, 0, 0]
speed = "{speed}"
window = ["-300 mm", "300 mm"]
lift = "30 mm"
rest = "30 ms"
position = "{position}"
[place]
point = ["0 m", "200 mm", "-740 mm"]
direction = [1, 0, 0]
speed = 0
lift = "30 mm"
rest = "30 ms"
position = 0
"""


def belts(*, y: str = "-200 mm", speed: str = "0.4 m/s", position: str = "-350 mm", extra: str = "") -> str:
    return BELTS.format(y=y, speed=speed, position=position, extra=extra)


@pytest.fixture
def answered(run: Any, tmp_path: Path) -> Callable[[str, str], Any]:
    """The result of a robot and the text of a task."""

    def answer(robot: str, text: str) -> Any:
        path = tmp_path / "own.toml"
        path.write_text(HEAD + text, encoding="utf-8")
        return run("motion", robot, str(path))

    return answer


def plain(text: str) -> str:
    """Printed text without its line breaks."""
    return re.sub(r"\s+", " ", text)


CANNOT = {
    "unreachable corner": (
        'kind = "gate"\nstart = [0, 0, -0.7]\nend = [0.9, 0, -0.7]\na_max = 10\n',
        r"corner 'above place' at \(900, 0, -675\) mm, yaw 0 deg is out of reach: leg \d: the rod is [\d.]+ mm",
    ),
    "a belt out of reach": (
        belts(y="-1.2 m"),
        r"pick belt: the robot reaches no part of it within its window; nearest is \(.*\) mm, .* [\d.]+ mm too short",
    ),
    "a belt faster than the robot": (
        belts(speed="5 m/s"),
        r"pick belt: it moves at 5 m/s and v_max is 4 m/s: .* 1 m/s too fast",
    ),
    "an item that leaves": (
        belts(position="280 mm"),
        r"pick belt: the item can be met until [-\d.]+ s, when it passes \(1\d\d(?:\.\d)?, -200, -740\) mm; .* "
        r"[\d.]+ s late, when the item is [\d.]+ m further",
    ),
    "a load that the motors cannot hold": (
        'kind = "line"\nstart = [0, 0, -0.7]\nend = [0.1, 0, -0.7]\npayload = "90 kg"\ntiming = "fastest"\n',
        r"motor \d needs [\d.]+ N m against gravity and dry friction at [\d.e-]+ m of the path, pose \(.*\); its limit "
        r"is 90 N m, [\d.]+ N m less",
    ),
    "a load that no intercept can carry": (
        belts(extra='payload = "90 kg"\nmotor_torque = 1'),
        r"pick belt: the drives cannot work at it however slowly: motor torque is [\d.]+ times its limit",
    ),
    "a way out of reach between two points": (
        'kind = "line"\nstart = [0.38, 0.66, -0.44]\nend = [-0.01, -0.26, -0.44]\ntiming = "fastest"\n',
        r"the path leaves the reach of the robot at [\d.]+ m of its length; worst at",
    ),
    "a belt that carries the item off": (
        belts(speed="3.9 m/s"),
        r"pick belt: it carries the tool 0.5119 m along in the 0.1313 s .* only the 0.44 m from \(-220, .* worked on; "
        r"that is 0.07192 m too little",
    ),
}


@pytest.mark.parametrize("name", CANNOT)
def test_what_a_robot_cannot_do_is_an_answer(answered: Callable[[str, str], Any], name: str) -> None:
    text, pattern = CANNOT[name]
    result = answered("par4", text)
    assert result.code == 1
    assert re.search(pattern, plain(result.out)), plain(result.out)


WRONG = {
    "a stroke of zero": (
        'kind = "line"\nstart = [0, 0, -0.7]\nend = [0, 0, -0.7]\na_max = 10\n',
        "the way from start to end is 0 m; it must be a finite length greater than 0",
    ),
    "a lift of zero": (
        'kind = "adept"\nheight = 0\na_max = 10\n',
        "height: is 0 m; it must be greater than 0 m",
    ),
    "an overlap out of range": (
        'kind = "adept"\noverlap = 1.2\na_max = 10\n',
        "overlap: is 1.2; it must be at most 1",
    ),
    "a limit that nothing holds": (
        'kind = "adept"\na_max = 0\n',
        "a_max: is 0 m/s2; it must be greater than 0 m/s2",
    ),
    "more cycles than the limits allow": (
        'kind = "adept"\ncycles_per_minute = 300\na_max = 10\n',
        "cycles_per_minute: is 300, which the limits of the task do not allow",
    ),
    "a belt without a direction": (
        belts().replace("direction = [1, 0, 0]", "direction = [0, 0, 1]", 1),
        "pick: its direction is (0.0, 0.0, 1.0); it must be a vector that is not vertical",
    ),
    "a window that ends before it starts": (
        belts().replace('window = ["-300 mm", "300 mm"]', 'window = ["300 mm", "-300 mm"]'),
        "pick: its window goes from 0.3 to -0.3 m; it must end behind its start",
    ),
    "a belt that runs backwards": (
        belts(speed="-0.4 m/s"),
        "pick.speed: is -0.4 m/s; it must be at least 0 m/s",
    ),
    "nothing that bounds an intercept": (
        belts().replace('a_max = "100 m/s2"\n', ""),
        "a_max: give a finite acceleration or motor_torque; otherwise no intercept is too fast",
    ),
    "a field of another table": (
        belts().replace("lift =", "lfit =", 1),
        "pick.lfit: is not a field here; did you mean lift?",
    ),
    "boxes for one item": (
        belts() + 'pitch = "100 mm"\n',
        "place.pitch: is for a task of kind 'stream'; one item is put into one box",
    ),
    "a duration beside the fastest timing": (
        'kind = "line"\nstart = [0, 0, -0.7]\nend = [0.1, 0, -0.7]\nduration = 1\ntiming = "fastest"\n',
        'duration: timing = "fastest" follows from the motors and the limits; leave this out',
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_in_a_task_is_named(answered: Callable[[str, str], Any], name: str) -> None:
    text, told = WRONG[name]
    assert told in answered("par4", text).message


def test_a_stream_is_checked_like_a_task(answered: Callable[[str, str], Any]) -> None:
    text = belts().replace('"conveyor"', '"stream"').replace("speed = 0\n", 'speed = "0.3 m/s"\n')
    message = answered("par4", text + "[items]\nper_minute = 60\nduration = 1\nseen = -0.4\n").message
    assert "pick.position: is for a task of kind 'conveyor'; see [items]" in message
    assert "place: one box on a moving belt takes one item; give Slots or Anywhere" in message


def test_the_missing_torque_is_that_of_the_model(answered: Callable[[str, str], Any]) -> None:
    out = plain(answered("par4", CANNOT["a load that the motors cannot hold"][0]).out)
    needs, pose = re.search(r"needs ([\d.]+) N m .* pose \((.*?)\)", out).groups()  # pyright: ignore[reportOptionalMemberAccess]
    still = [0.0] * 4
    held = pp.load("par4").with_payload(90.0).inverse_dynamics([float(v) for v in pose.split(",")], still, still)
    assert abs(held).max() == pytest.approx(float(needs), rel=1e-4)
