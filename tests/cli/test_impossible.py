"""What a robot cannot do: the answer no of every command that follows a task, and never wrong input."""

from __future__ import annotations

from typing import Any

import pytest

FEW = {
    "analyse": ("--points", "1", "--frequencies", "none"),
    "tune": ("--candidates", "2", "--free", "law.poles.frequency=10..11"),
}


@pytest.mark.parametrize("command", ["evaluate", "motion", "simulate", "analyse", "tune"])
@pytest.mark.parametrize(
    ("task", "setting", "said"),
    [
        ("adept-120", "width=1.5", "leg 1: the rod is 76.85 mm too short"),
        ("belts", "pick.speed=9", "pick belt: it moves at 9 m/s and v_max is 4 m/s"),
    ],
)
def test_a_task_without_a_motion_is_answered_with_no(
    run: Any, command: str, task: str, setting: str, said: str
) -> None:
    result = run(command, "par4", task, "--task-set", setting, "--json")
    assert result.code == 1
    text = result.json["verdict"]["text"] if command == "evaluate" else result.json["refusal"]
    assert said in text


def test_a_plate_that_folds_is_no_loop_to_be_made_linear_or_tuned(run: Any) -> None:
    """The loop of h4-90 is regular; its plate is not."""
    singular = "internal margin: singular, at 0.1247 s, (-0.7, 0, -675) mm, yaw 0 deg"
    for command, few in FEW.items():
        result = run(command, "h4-90", "adept-120", "--controller", "pd", *few, "--json")
        assert result.code == 1
        assert singular in result.json["refusal"]
        # The rods that hold such a plate are pushed without end, as evaluate has it.
        assert [one["name"] for one in result.json["findings"] if not one["ok"]] == ["internal margin", "rod push"]
    result = run("simulate", "h4-90", "adept-120", "--controller", "pd", "--supervised", "--json")
    assert result.code == 1
    assert result.json["refusal"].startswith(singular)


def test_a_task_for_none_of_the_robots_is_wrong_input_as_for_one(run: Any) -> None:
    words = ("--task-set", "timing=fastest")
    alone = run("evaluate", "par4", "pick-and-place", *words, "--no-report").message
    assert run("compare", "par4", "i4", "--task", "pick-and-place", *words).message == alone


def test_a_start_that_cannot_be_reached_is_wrong_input_where_the_task_can(run: Any) -> None:
    words = ("simulate", "par4", "adept-120", "--controller", "pd", "--supervised", "--start", "2,0,-0.7,0")
    assert "too short" in run(*words).message
