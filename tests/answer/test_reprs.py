"""How models, motions and workspaces show themselves in a terminal and in a notebook."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import parapick as pp


def cells(page: str) -> list[str]:
    """The texts of the cells of all tables of a page."""
    return re.findall(r"<td[^>]*>(.*?)</td>", page)


@pytest.mark.parametrize("name", ["par4", "delta-r4", "delta-linear"])
def test_a_model_in_one_line(name: str) -> None:
    model = pp.load(name)
    text = repr(model)
    assert len(text.splitlines()) == 1
    assert len(text) < 120
    for word in (name, str(model.robot.motors), ", ".join(model.robot.task_names), model.working_mode.signs):
        assert word in text
    assert "kg" not in text
    assert "0.5 kg" in repr(model.with_payload(0.5))


def test_a_model_in_a_notebook() -> None:
    model = pp.load("par4").with_payload(0.5).with_working_mode("inward")
    shown = dict(zip(*[iter(cells(model._repr_html_()))] * 2, strict=True))
    assert shown["working mode"] == "inward (----)"
    assert shown["payload"] == "0.5 kg"
    assert shown["home"] == "(0, 0, -700) mm, yaw 0 deg"


def test_what_comes_from_a_file_is_text() -> None:
    robot = replace(pp.load("par4").robot, title="<script>alert(1)</script>")
    assert "<script>" not in pp.Model(robot)._repr_html_()


def test_a_motion_in_one_line() -> None:
    cycle = pp.adept_cycle(pp.load("par4"), cycles_per_minute=120)
    text = repr(cycle.repeated(1000))
    assert len(text.splitlines()) == 1
    assert len(text) < 150
    assert "500 s" in text
    assert "(-152.5, 0, -700) mm" in text
    assert "0.3 kg" in repr(cycle.carrying(0.3, 0.0, 0.2))


def test_a_motion_in_a_notebook() -> None:
    cycle = pp.adept_cycle(pp.load("par4"), cycles_per_minute=120)
    assert cells(cycle._repr_html_())[::3] == [phase.name for phase in cycle.phases]
    long = cycle.repeated(1000)
    page = long._repr_html_()
    assert len(page) < 5000
    assert f"And {len(long.phases) - len(cells(page)) // 3} more" in page


def test_a_workspace_in_one_line_and_in_a_notebook() -> None:
    model = pp.load("delta-nr")
    found = pp.workspace(model, spacing=0.1)
    assert len(repr(found)) < 120
    assert f"{found.volume:.4g} m3" in repr(found)
    points = found.table("points")
    assert set(points.column("what a point is")) <= set(cells(found._repr_html_()))
    counts = dict(zip(points.column("what a point is"), points.column("points"), strict=True))
    reachable = sum(count for words, count in counts.items() if words.startswith("reachable"))
    assert reachable == found.counts()["reachable"]
    assert sum(counts.values()) == found.reason.size
