"""Paths: lengths, derivatives by the length, rounded corners, splines, yaw, placing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from parapick.errors import MotionError
from parapick.motion import Path, StrokeError, gate_path, line_path, rounded_path, via_path, with_yaw

VIA = [(0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.05, 0.2), (0.1, 0.02, 0.08, 1.0), (0.2, 0.0, 0.05, 1.5), (0.2, 0.0, 0.0, 2.0)]
PATHS = {
    "line": line_path((0.0, 0.1, 0.2, 0.3), (0.3, 0.0, 0.1, 0.9)),
    "rounded": gate_path((0.0, 0.0, 0.0), (0.3, 0.1, 0.01), 0.025, 0.01),
    "yawed": with_yaw(gate_path((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), 0.025, 0.025), 0.2, 1.0),
    "via": via_path(VIA, (0, 0, 1), (0, 0, -1)),
    "placed": via_path(VIA).placed(0.7, (1.0, -2.0, 0.5, 0.1)),
}


@pytest.mark.parametrize("name", PATHS)
@given(share=st.floats(0.001, 0.999))
def test_derivatives_by_the_length(name: str, share: float) -> None:
    path, step = PATHS[name], 1e-5
    s = share * path.length
    if np.min(np.abs(path.offsets - s)) < 2 * step:
        return
    low, here, high = path.at(s - step), path.at(s), path.at(s + step)
    assert np.linalg.norm(here.d1[:3]) == pytest.approx(1.0, abs=1e-12)
    for order in (0, 1):
        difference = (high[order] - low[order]) / (2 * step)
        assert here[order + 1] == pytest.approx(difference, abs=2e-5 * max(1.0, np.abs(here[order + 1]).max()))


def test_third_derivative_of_the_spline() -> None:
    path, step = PATHS["via"], 1e-6
    s = np.linspace(0.01, 0.99, 37) * path.length
    s = s[np.min(np.abs(s[:, None] - path.offsets), axis=1) > 2 * step]
    difference = (path.at(s + step).d2 - path.at(s - step).d2) / (2 * step)
    assert path.at(s).d3 == pytest.approx(difference, abs=1e-5 * np.abs(difference).max())


def test_length_of_the_rounded_gate() -> None:
    """Each corner replaces two radii by a quarter circle."""
    sharp, radius = 0.025 + 0.305 + 0.025, 0.015
    path = gate_path((0, 0, 0), (0.305, 0, 0), 0.025, radius)
    assert path.length == pytest.approx(sharp - 2 * (2 - math.pi / 2) * radius)
    assert path.at([0.0, path.length]).x == pytest.approx(np.array([[0, 0, 0], [0.305, 0, 0]]), abs=1e-15)


def test_a_radius_as_large_as_the_lift_leaves_no_straight_lift() -> None:
    path = gate_path((0, 0, 0), (0.305, 0, 0), 0.025, 0.025)
    assert [piece.curvature for piece in path.pieces] == pytest.approx([40.0, 0.0, 40.0])


@given(turn=st.floats(0.01, 3.0), radius=st.floats(1e-3, 2e-2))
def test_rounded_corner_touches_both_sides(turn: float, radius: float) -> None:
    end = np.array([1.0, 0.0, 0.0]) + np.array([math.cos(turn), math.sin(turn), 0.0])
    path = rounded_path([(0, 0, 0), (1, 0, 0), tuple(end)], radius)
    assert path.kinks() == ()
    line, arc, _ = path.pieces
    assert arc.length == pytest.approx(radius * turn)
    assert line.length == pytest.approx(1.0 - radius * math.tan(turn / 2))
    assert path.at(path.length).x == pytest.approx(end, abs=1e-12)


def test_sharp_corners_are_kinks() -> None:
    assert gate_path((0, 0, 0), (0.3, 0, 0), 0.025).kinks() == pytest.approx((0.025, 0.325))


def test_spline_goes_through_its_points_with_continuous_curvature() -> None:
    path = PATHS["via"]
    assert path.at(path.offsets).x == pytest.approx(np.array(VIA), abs=1e-12)
    before, after = path.at(path.offsets[1:-1], "left"), path.at(path.offsets[1:-1], "right")
    for order in (1, 2):
        assert before[order] == pytest.approx(after[order], abs=1e-9 * np.abs(after[order]).max())


def test_directions_at_the_ends_of_a_spline() -> None:
    d1 = PATHS["via"].at([0.0, PATHS["via"].length]).d1[:, :3]
    assert d1 == pytest.approx(np.array([[0, 0, 1], [0, 0, -1]]), abs=1e-12)
    natural = via_path([(0, 0, 0), (0.1, 0, 0.1), (0.2, 0, 0)])
    assert natural.at([0.0, natural.length]).d2 == pytest.approx(0.0, abs=1e-9)


def test_length_of_a_spline_is_that_of_a_fine_polygon() -> None:
    points = PATHS["via"].at(np.linspace(0.0, PATHS["via"].length, 20001)).x[:, :3]
    assert np.linalg.norm(np.diff(points, axis=0), axis=1).sum() == pytest.approx(PATHS["via"].length, rel=1e-7)


def test_yaw_follows_the_length() -> None:
    path = with_yaw(line_path((0, 0, 0), (1, 0, 0)), 1.0, 3.0, law="cycloid")
    assert path.at([0.0, 0.5, 1.0]).x[:, 3] == pytest.approx([1.0, 2.0, 3.0])
    assert path.at(0.5).d1[3] == pytest.approx(2.0 * 2.0)
    with pytest.raises(MotionError, match="yaw cannot follow a path by cubic"):
        with_yaw(path, 0.0, 1.0, law="cubic")


def test_placing_turns_about_the_vertical_and_keeps_yaw() -> None:
    path = line_path((0.1, 0.0, 0.0, 0.5), (0.2, 0.0, 0.1, 0.7)).placed(math.pi / 2, (1.0, 2.0, 3.0, 0.1))
    assert path.at([0.0, path.length]).x == pytest.approx(np.array([[1.0, 2.1, 3.0, 0.6], [1.0, 2.2, 3.1, 0.8]]))


def _refused(make) -> str:  # noqa: ANN001
    with pytest.raises(MotionError) as caught:
        make()
    return str(caught.value)


def test_paths_that_cannot_be() -> None:
    with pytest.raises(StrokeError, match="the way from point 1 to point 2 is 0 m"):
        line_path((0, 0, 0), (0, 0, 0))
    with pytest.raises(StrokeError, match="height is 0 m"):
        gate_path((0, 0, 0), (1, 0, 0), 0.0)
    with pytest.raises(StrokeError, match="the way over"):
        gate_path((0, 0, 0), (0, 0, 1), 0.1)
    with pytest.raises(StrokeError, match="from via point 2 to via point 3"):
        via_path([(0, 0, 0), (1, 0, 0), (1, 0, 0)])
    assert "between points 1 and 2 at most 0.025 m fit" in _refused(
        lambda: gate_path((0, 0, 0), (1, 0, 0), 0.025, 0.026)
    )
    assert "turns back on itself" in _refused(lambda: rounded_path([(0, 0, 0), (1, 0, 0), (0.5, 0, 0)], 0.01))
    assert "corner_radius is -1 m" in _refused(lambda: rounded_path([(0, 0, 0), (1, 0, 0)], -1))
    assert "at least two" in _refused(lambda: via_path([(0, 0, 0)]))
    assert "same number of coordinates" in _refused(lambda: via_path([(0, 0, 0), (0, 0, 1, 2)]))
    assert "the direction at an end" in _refused(lambda: via_path([(0, 0, 0), (1, 0, 0)], (0, 0, 0)))


def test_a_spline_that_turns_on_the_spot() -> None:
    back_and_forth = [(0, 0, 0), (0.1, 0, 0), (0.0, 0, 1e-6), (0.1, 0, 2e-6)]
    assert "near via point" in _refused(lambda: via_path(back_and_forth))


def test_pieces_meet() -> None:
    for path in PATHS.values():
        assert isinstance(path, Path)
        inner = path.offsets[1:-1]
        assert path.at(inner, "left").x == pytest.approx(path.at(inner, "right").x, abs=1e-12)
