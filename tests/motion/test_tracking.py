"""Meeting, following and leaving something that moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from parapick.errors import MotionError
from parapick.motion import LimitError, change_speed, intercept, track

vectors = st.tuples(*[st.floats(-0.5, 0.5)] * 3)


@given(
    x0=vectors, x1=vectors, v0=vectors, v1=vectors, bend=vectors, duration=st.floats(0.1, 2), share=st.floats(0.05, 0.5)
)
def test_an_intercept_matches_both_ends(x0, x1, v0, v1, bend, duration, share) -> None:  # noqa: ANN001
    motion = intercept(
        x0,
        x1,
        duration=duration,
        ramp_time=share * duration,
        velocities=(v0, v1),
        bend=bend,
        law="cycloid",
    )
    ends = motion.at([0.0, duration])
    assert ends.x == pytest.approx(np.array([x0, x1]), abs=1e-12)
    assert ends.xd == pytest.approx(np.array([v0, v1]), abs=1e-12)
    assert len(motion.corners) == 0


def test_a_bend_moves_the_middle_aside_by_the_area_of_its_bump() -> None:
    options: dict[str, Any] = {"duration": 1.0, "ramp_time": 0.2}
    plain = intercept((0, 0, 0), (1, 0, 0), **options)
    bent = intercept((0, 0, 0), (1, 0, 0), bend=(0, 0.3, 0), **options)
    assert (bent.at(0.5).x - plain.at(0.5).x) == pytest.approx([0, 0.3 * (0.5 - 0.2), 0])
    assert bent.end == pytest.approx(plain.end)


def test_yaw_may_have_a_law_of_its_own() -> None:
    motion = intercept((0, 0, 0, 0), (1, 0, 0, 2), duration=1.0, ramp_time=0.1, yaw_law="cubic")
    assert motion.at([0.25, 1.0]).x[:, 3] == pytest.approx([2 * (3 * 0.25**2 - 2 * 0.25**3), 2.0])
    along = intercept((0, 0, 0, 0), (1, 0, 0, 2), duration=1.0, ramp_time=0.1)
    assert along.at(0.3).x[3] == pytest.approx(2 * along.at(0.3).x[0])


def test_tracking_adds_a_stroke_to_an_even_motion() -> None:
    motion = track((0, 0, 0), (0.1, 0, 0), 0.5, stroke=(0, 0, -0.02), law="cubic")
    assert motion.at([0.25, 0.5]).x == pytest.approx(np.array([[0.025, 0, -0.01], [0.05, 0, -0.02]]))
    assert motion.at(0.5, "left").xd == pytest.approx([0.1, 0, 0])


def test_a_change_of_speed_covers_the_mean_of_both() -> None:
    motion = change_speed((0, 0, 0), (0.2, 0, 0), (0, 0.1, 0), 0.4)
    assert motion.end == pytest.approx([0.04, 0.02, 0])
    assert motion.at(0.4).xd == pytest.approx([0, 0.1, 0])


def test_what_tracking_refuses() -> None:
    with pytest.raises(LimitError, match=r"ramp_time: is 0.6 s; it must be greater than 0 and at most 0.5 s"):
        intercept((0, 0, 0), (1, 0, 0), duration=1.0, ramp_time=0.6)
    with pytest.raises(LimitError, match="duration: is 0 s"):
        track((0, 0, 0), (1, 0, 0), 0.0)
    with pytest.raises(LimitError, match="duration: is nan s"):
        change_speed((0, 0, 0), (1, 0, 0), (), float("nan"))
    with pytest.raises(MotionError, match="velocity at the end has 2 coordinates; it must have 3"):
        intercept((0, 0, 0), (1, 0, 0), duration=1.0, ramp_time=0.1, velocities=((), (0, 0)))
