"""Maps: labelled values, reasons, the worst and the best pose, and how even an index is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import parapick as pp
from parapick.capability.index import Index
from parapick.capability.map import MAP_REASONS, IndexMap, index_map
from parapick.errors import CancelledError
from parapick.measures import Measure
from parapick.mechanism import Box, Cylinder
from parapick.progress import Progress

PAGE = (Path(__file__).parents[2] / "docs" / "maps.md").read_text(encoding="utf-8")
PAR4 = pp.load("par4")
WIDE = Cylinder(0.9, -1.0, -0.5)


def mapped(
    function: Callable[[np.ndarray], np.ndarray], better: Literal["high", "low"] = "high", **others: Any
) -> IndexMap:
    """A map of a function of the poses alone."""
    own = Index(Measure("own", "own", "m", better, "pose"), lambda _, poses, __: function(poses))
    box = Box(-0.2, 0.2, -0.1, 0.1, -0.75, -0.65)
    return index_map(pp.load("delta-nr"), own, box, points=(21, 11, 5), **others)


def test_values_stand_at_their_axes() -> None:
    found = index_map(PAR4, "conditioning", points=(4, 24, 3, 5))
    radius, azimuth, z, yaw = (axis.values for axis in found.axes)
    place = (2, 7, 1, 3)
    pose = [
        radius[2] * np.cos(azimuth[7]),
        radius[2] * np.sin(azimuth[7]),
        z[1],
        yaw[3],
    ]
    assert found.lattice.poses()[place] == pytest.approx(pose)
    assert found.values[place] == pytest.approx(float(PAR4.indices(pose).conditioning), rel=1e-13)
    assert found.values.shape == found.reason.shape == (4, 24, 3, 5)
    assert found.share == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("index", "low", "high"),
    [("under-mobility", 0.795, 0.969), ("over-mobility", 0.234, 0.453), ("internal", 0.808, 1.020)],
)
def test_margins_of_par4_are_those_of_the_page(index: str, low: float, high: float) -> None:
    """nabat2005, recomputed: Par4 with motors at 90 degrees over its cylinder."""
    even = index_map(PAR4, index, spacing=0.025).homogeneity()
    assert (even.minimum, even.maximum) == pytest.approx((low, high), abs=6e-4)


def test_unreachable_points_have_their_reason() -> None:
    found = index_map(PAR4, "conditioning", WIDE, points=(10, 24, 6, 1))
    poses = found.lattice.poses()
    causes = PAR4.reach(poses).cause
    assert np.isnan(found.values).tolist() == (found.reason != 0).tolist()
    assert set(found.counts()) == {"reachable", "leg"}
    for place in np.argwhere(found.reason != 0)[::17]:
        assert causes[tuple(place)].startswith(MAP_REASONS[found.reason[tuple(place)]])
    assert 0.3 < found.share < 0.9
    turned = index_map(PAR4, "conditioning", Cylinder(0.1, -0.7, -0.7, yaw_min=-1.0, yaw_max=1.0), points=(2, 4, 1, 9))
    assert set(turned.counts()) == {"reachable", "yaw"}


def test_points_without_a_value_are_told_from_unreachable_ones() -> None:
    found = mapped(lambda poses: np.where(poses[:, 0] > 0.1, np.nan, 1.0))
    assert found.counts()["no value"] == 5 * 11 * 5
    # Half a cell of the step at 0.1 m belongs to the points that have one.
    assert found.share == pytest.approx(0.775)


def test_worst_and_best_change_places_with_what_is_better() -> None:
    high = mapped(lambda poses: poses[:, 0] + 10 * poses[:, 2], "high")
    low = mapped(lambda poses: poses[:, 0] + 10 * poses[:, 2], "low")
    assert high.best is not None
    assert high.worst is not None
    assert high.best.pose["x"] == pytest.approx(0.2)
    assert high.best.value == pytest.approx(0.2 - 6.5)
    assert high.worst.pose["z"] == pytest.approx(-0.75)
    assert (high.best, high.worst) == (low.worst, low.best)


def test_of_mirrored_poses_the_first_is_named() -> None:
    noise = 1e-13
    found = mapped(lambda poses: 1.0 + np.abs(poses[:, 0]) * (1 + noise * np.sign(poses[:, 0])))
    assert found.best is not None
    assert found.best.pose["x"] == pytest.approx(-0.2)


def test_homogeneity_is_that_of_the_function() -> None:
    same = mapped(lambda poses: np.full(len(poses), 3.0)).homogeneity()
    assert same == pytest.approx((3.0, 3.0, 1.0, 3.0, 0.0))
    # A ramp from 1 to 3: mean 2, standard deviation 2 / sqrt(12).
    ramp = mapped(lambda poses: 2.0 + 5.0 * poses[:, 0]).homogeneity()
    assert ramp == pytest.approx((1.0, 3.0, 1 / 3, 2.0, 1 / np.sqrt(12)), rel=3e-3)


def test_progress_counts_up_and_what_it_raises_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parapick.capability.map.CHUNK", 100)
    seen: list[Progress] = []
    mapped(lambda poses: poses[:, 0], progress=seen.append)
    assert [(seen[i].done, seen[i].total) for i in (0, -1)] == [(100, 1155), (1155, 1155)]

    def cancel(progress: Progress) -> None:
        if progress.done == 300:
            raise CancelledError

    with pytest.raises(CancelledError):
        mapped(lambda poses: poses[:, 0], progress=cancel)


def test_a_slow_index_is_asked_once_a_pose_and_by_few() -> None:
    asked: list[tuple[float, ...]] = []

    def slow(_: object, poses: np.ndarray, __: object) -> np.ndarray:
        asked.extend(map(tuple, poses.tolist()))
        return poses[:, 0]

    index = Index(Measure("slow", "slow", "m", "high", "pose"), slow, slow=True)
    found = index_map(PAR4, index)
    assert found.index == index
    assert len(asked) == len(set(asked)) < found.values.size < 500
    assert found.axes[3].values == pytest.approx(np.radians([-45, 0, 45]))
    assert found.values == pytest.approx(found.lattice.poses()[..., 0])


def test_nothing_reachable_has_no_worst() -> None:
    found = index_map(PAR4, "margin", Cylinder(0.2, -3.0, -2.0), points=(3, 4, 2, 1))
    assert (found.worst, found.best, found.share) == (None, None, 0.0)
    assert np.isnan(found.homogeneity()).all()


def test_a_payload_counts() -> None:
    light, heavy = (
        index_map(model, "acceleration", points=(3, 8, 2, 1)).values for model in (PAR4, PAR4.with_payload(1.0))
    )
    assert (heavy < light).all()


def test_the_program_of_the_page_runs() -> None:
    names: dict[str, Any] = {}
    exec(PAGE.partition("```python\n")[2].partition("```")[0], names)
    assert names["found"].worst.value < names["found"].best.value
