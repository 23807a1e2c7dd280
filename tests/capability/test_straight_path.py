"""Whether everything holds between two poses: against poses sampled densely in between."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import parapick as pp
from parapick.capability.reachable.straight_path import holds_between
from parapick.mechanism import Limits
from parapick.model.room import Room
from poses import wide_poses

SAMPLES = 200


def smallest_between(model: pp.Model, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Smallest margin (n,) of dense samples between poses (n, dof); negative where a limit or a leg fails."""
    share = np.linspace(0, 1, SAMPLES)[:, None, None]
    x = start + share * (end - start)
    margins = model.margins(x)
    least = np.minimum(np.minimum(margins.under, margins.over), margins.internal)
    return np.where(model.reach(x).ok, least, -1.0).min(axis=0)


@pytest.mark.parametrize("name", ["spara3", "par4", "h4", "delta-r4", "fivebar-spindle", "r4-100g"])
@pytest.mark.parametrize("floor", [0.05, 0.2])
def test_segments_agree_with_dense_samples(name: str, floor: float) -> None:
    model, random = pp.load(name), np.random.default_rng(3)
    start = wide_poses(model, 2000)
    start = start[Room(model, floor).radius(start) >= 0][:300]
    ray = random.normal(size=start.shape) * np.array([1.0, 1.0, 1.0, 2.0])[: start.shape[1]]
    end = start + ray * random.uniform(0.0, 0.15, (len(start), 1))
    holds, least = holds_between(Room(model, floor), start, end), smallest_between(model, start, end)
    assert 0.2 < holds.mean() < 0.99
    assert (least[holds] >= floor - 1e-3).all()
    assert (least[~holds] < floor + 1e-3).all()


def test_neighbours_with_good_margins_on_both_sides_of_a_singularity() -> None:
    """spara3: 30 mm apart, well-conditioned both, and J_x of opposite orientation: a grid steps over the surface."""
    model = pp.Model(dataclasses.replace(pp.load("spara3").robot, limits=Limits()))
    room = Room(model, 0.05)
    start = np.random.default_rng(4).uniform([-0.1, -0.06, -0.58], [0.1, 0.06, -0.3], (20_000, 3))
    end = start + np.array([0.0, 0.0, 0.03])
    ends = room.around(start), room.around(end)
    good = (ends[0].radius >= 0) & (ends[1].radius >= 0)
    crossing = good & (ends[0].plate_determinant * ends[1].plate_determinant < 0)
    assert crossing.sum() > 10
    assert not holds_between(room, start[crossing], end[crossing]).any()
    assert not holds_between(Room(model), start[crossing], end[crossing]).any()


def test_a_dip_of_the_margin_is_seen_where_the_matrix_is_not_square() -> None:
    """par4, whose J_int is 4 x 3: no determinant shows it, and both ends keep the margin, but their middle does not."""
    model, random = pp.load("par4"), np.random.default_rng(5)
    room, x = Room(model, 0.05), wide_poses(model, 100_000)
    margins = model.margins(x)
    middle = x[model.reach(x).ok & (margins.internal < 0.05) & (margins.under > 0.05) & (margins.over > 0.05)]
    ray = random.normal(size=(len(middle), 3))
    step = np.column_stack([0.06 * ray / np.linalg.norm(ray, axis=-1)[:, None], np.zeros(len(ray))])
    ends = room.around(middle - step), room.around(middle + step)
    unseen = (ends[0].radius >= 0) & (ends[1].radius >= 0) & (ends[0].orientation == ends[1].orientation)
    assert unseen.sum() > 20
    assert not holds_between(room, (middle - step)[unseen], (middle + step)[unseen]).any()


def test_shapes_broadcast() -> None:
    model = pp.load("par4")
    home = np.array(model.robot.home)
    ends = home + np.zeros((2, 3, 4))
    assert holds_between(Room(model), home, ends).shape == (2, 3)
    assert holds_between(Room(model), home, ends).all()
    assert not holds_between(Room(model), home, home + np.array([2.0, 0.0, 0.0, 0.0]))
    assert not holds_between(Room(model), home, np.full(4, np.nan))
