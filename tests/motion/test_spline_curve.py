"""Curves of cubic splines by their length: the native table beside SciPy's splines and beside the same by NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from scipy.interpolate import CubicSpline

from parapick.errors import MotionError
from parapick.motion import Path, Route, line_path, via_path
from parapick.motion.motion_pieces import path_of
from parapick.motion.spline_curve import SplineCurve
from parapick.motion.splines import SplinePiece, sampled_pieces
from parapick.motion.together import together

VIA = [(0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.05, 0.2), (0.1, 0.02, 0.08, 1.0), (0.2, 0.0, 0.05, 1.5)]


def _sampled(dof: int) -> SplineCurve:
    """A curve through samples from rest to rest, which begins and ends with a chord."""
    share = np.linspace(0.0, 1.0, 31)
    swept = share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
    poses = np.stack([0.3 * swept, 0.1 * np.sin(np.pi * swept), 0.05 * np.sin(np.pi * swept), 2.0 * swept], axis=1)
    (piece,) = sampled_pieces(0.5 * share, poses[:, :dof])
    (curve,) = path_of(piece).pieces
    assert isinstance(curve, SplineCurve)
    return curve


def _via() -> list[SplineCurve]:
    pieces: tuple[object, ...] = via_path(VIA, (0.0, 0.0, 1.0)).pieces
    curves = [piece for piece in pieces if isinstance(piece, SplineCurve)]
    assert len(curves) == len(pieces) == 3
    return curves


@pytest.mark.parametrize("dof", [3, 4])
def test_the_kernel_follows_the_formulas_of_any_timed_curve(dof: int) -> None:
    """`TimedCurve.at` has the same chain rule and the same table by NumPy, for pieces of any kind."""
    for curve in [_sampled(dof), *(_via() if dof == 4 else ())]:
        # Near an end at rest a curvature is a quotient of small numbers.
        s = np.linspace(0.02, 0.98, 500) * curve.length
        for native, plain in zip(curve.at(s), curve.timed.at(s), strict=True):
            np.testing.assert_allclose(native, plain, rtol=0.0, atol=1e-11 * float(np.abs(plain).max()))


def test_the_curve_is_where_scipy_has_it_at_the_same_length() -> None:
    share = np.linspace(0.0, 1.0, 9)
    poses = np.stack([0.3 * share, 0.1 * np.sin(3.0 * share), 0.2 * share**2], axis=1)
    spline = CubicSpline(0.7 * share, poses)
    curve = SplinePiece(spline).curve(64)
    # Lengths by the trapezium rule on a fine grid, which knows nothing of the table.
    t = np.linspace(0.0, 0.7, 200_001)
    speed = np.linalg.norm(spline(t, 1), axis=1)
    lengths = np.append(0.0, np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(t)))
    assert curve.length == pytest.approx(lengths[-1], rel=1e-10)
    np.testing.assert_allclose(curve.at(lengths[::1000]).x, spline(t[::1000]), rtol=0.0, atol=1e-10)
    # By the length the speed is 1 and the curvature perpendicular to the curve.
    rates = curve.at(lengths[::1000])
    np.testing.assert_allclose(np.linalg.norm(rates.d1, axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(np.sum(rates.d1 * rates.d2, axis=1), 0.0, atol=1e-12 * float(np.abs(rates.d2).max()))


def test_out_of_rest_the_curve_is_its_chord_and_then_met_to_rounding() -> None:
    curve = _sampled(3)
    first, last = curve.timed.chords
    assert 0.0 < first < 1e-6
    assert 0.0 < last < 1e-6
    s = np.geomspace(1e-3 * first, 1e3 * first, 60)
    assert np.linalg.norm(np.diff(curve.at(s).x, axis=0), axis=1) == pytest.approx(np.diff(s), rel=1e-5)
    np.testing.assert_allclose(curve.at(np.array([0.0, curve.length])).x, [[0.0] * 3, [0.3, 0.0, 0.0]], atol=1e-12)


def test_curves_together_are_the_curves_one_by_one_at_their_ends_too() -> None:
    curves = [*_via(), _sampled(4)]
    index = np.repeat(np.arange(len(curves)), 51)
    s = np.concatenate([np.linspace(0.0, curve.length, 51) for curve in curves])
    every = together(curves)(index, s)
    for i, curve in enumerate(curves):
        for one, all_of_it in zip(curve.at(s[index == i]), every, strict=True):
            scale = max(1.0, float(np.abs(one).max()))
            # Behind a chord the speed is a ten thousandth of the largest, and so is what rounding leaves.
            within = slice(2, -2) if curve.timed.chords.any() else slice(None)
            np.testing.assert_allclose(all_of_it[index == i][within], one[within], rtol=0.0, atol=1e-10 * scale)
    order = np.random.default_rng(0).permutation(len(s))
    for mixed, sorted_ in zip(together(curves)(index[order], s[order]), every, strict=True):
        np.testing.assert_array_equal(mixed, sorted_[order])


def test_any_shape_of_lengths_and_none() -> None:
    curve = _via()[0]
    s = np.linspace(0.0, curve.length, 24).reshape(2, 3, 4)
    assert curve.at(s).x.shape == (2, 3, 4, 4)
    np.testing.assert_array_equal(curve.at(s).d2.reshape(-1, 4), curve.at(s.ravel()).d2)
    assert curve.at(np.array(0.01)).d3.shape == (4,)
    assert curve.at(np.zeros(0)).x.shape == (0, 4)
    assert curve.curvature is None


@given(points=arrays(float, (4, 3), elements=st.floats(-0.05, 0.05)))
def test_any_curve_has_unit_speed_and_its_third_derivative_is_the_slope_of_the_second(points: np.ndarray) -> None:
    points[:, 0] += np.linspace(0.0, 1.0, 4)
    path = via_path(points.tolist())
    for i, offset in enumerate(path.offsets[:-1]):
        length = path.offsets[i + 1] - offset
        s, step = offset + length * np.linspace(0.05, 0.95, 7), 1e-5 * length
        low, here, high = (path.in_pieces(np.full(7, i), s + by) for by in (-step, 0.0, step))
        assert np.linalg.norm(here.d1, axis=1) == pytest.approx(1.0, abs=1e-12)
        slope = (high.d2 - low.d2) / (2.0 * step)
        assert here.d3 == pytest.approx(slope, abs=1e-5 * max(1.0, float(np.abs(slope).max())))


def test_where_pieces_meet_each_answers_for_itself() -> None:
    # Pieces of two kinds, the second kind twice.
    path = Path((*line_path((-0.1, 0.0, 0.0), (0.0, 0.0, 0.0)).pieces, *via_path([point[:3] for point in VIA]).pieces))
    at = path.offsets[1:-1]
    before, after = path.in_pieces(np.arange(len(at)), at), path.in_pieces(np.arange(len(at)) + 1, at)
    for order, (left, right) in enumerate(zip(path.at(at, "left"), path.at(at, "right"), strict=True)):
        np.testing.assert_allclose(before[order], left, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(after[order], right, rtol=1e-9, atol=1e-9)
    # The spline's third derivative jumps at a via point, so that the two do differ.
    assert np.abs(before.d3 - after.d3).max() > 1.0
    # Lengths outside of a piece count as its ends.
    np.testing.assert_array_equal(path.in_pieces(np.zeros(1, dtype=int), at[:1] + 1.0).x, before.x[:1])


def test_a_plate_that_turns_on_the_spot_has_no_curve() -> None:
    t = np.linspace(0.0, 1.0, 11)
    poses = np.stack([0.0 * t, 0.0 * t, 0.0 * t, t**2 * (3.0 - 2.0 * t)], axis=1)
    with pytest.raises(MotionError, match="turns on the spot"):
        Route.through(t, poses)
