"""The fields of tasks as people read them."""

from __future__ import annotations

import pytest

import parapick as pp
from parapick.tasks import list_tasks, task_rows


def rows(task: str) -> dict[str, tuple[str, str, str]]:
    return {path: (value, meaning, source) for path, value, meaning, source in task_rows(pp.load_task(task))}


@pytest.mark.parametrize("task", [entry.name for entry in list_tasks()])
def test_every_shipped_task_has_rows_that_say_what_they_are(task: str) -> None:
    listed = rows(task)
    assert listed["kind"][0] == pp.load_task(task).kind
    assert not {"name", "title", "robots", "sources"} & set(listed)
    for path, (value, meaning, _) in listed.items():
        assert value, path
        assert meaning, path
        # Texts for people, not what Python prints.
        assert "=" not in value, path


def test_numbers_have_units_and_the_sources_of_the_file() -> None:
    listed = rows("tray")
    assert listed["payload"][0] == "0.2 kg"
    assert listed["place.grid.columns"][0] == "3"
    assert listed["place.grid.pitch"][0] == "(40 mm, 40 mm)"
    assert listed["pick.at"][0] == "(-150 mm, 0 mm, 0 mm)"
    assert listed["v_max"][::2] == ("4 m/s", "chosen: an ordinary packaging cell")
    assert listed["pick.time"][2] == ""
    assert listed["law"][0].startswith("s-curve")


def test_loads_laws_lists_and_truths_are_words() -> None:
    assert rows("pick-and-place")["payload"][0] == "0.3 kg, at (0 mm, 0 mm, -20 mm) from the tool"
    assert rows("adept-120")["one_way"][0] == "no"
    assert rows("arch")["points"][0].count("(") == 6
    # A source of a table holds for what is in it.
    assert rows("righettini2024")["phases.1.name"][2] == pp.load_task("righettini2024").sources["phases"]
