"""Free numbers within bounds: shares and values, spreads over ranges and lists, numbers that are pinned."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.search import Free, Space

ARM = Free("limb.arm", "m", 0.2, 0.4)
GAIN = Free("law.kp", "", 1.0, 1000.0, logarithmic=True)
ROD = Free("limb.rod_length", "m", 0.5, 0.9, (0.9, 0.5, 0.7), listed=True)
SPACE = Space((ARM, GAIN, ROD))


def test_equal_shares_are_equal_steps_or_equal_ratios() -> None:
    assert [ARM.value(share) for share in (0.0, 0.25, 0.5, 1.0)] == pytest.approx([0.2, 0.25, 0.3, 0.4])
    assert [GAIN.value(share) for share in (0.0, 1 / 3, 2 / 3, 1.0)] == pytest.approx([1.0, 10.0, 100.0, 1000.0])


@pytest.mark.parametrize("free", [ARM, GAIN])
def test_a_share_and_its_value_are_inverses_and_end_at_the_very_bounds(free: Free) -> None:
    shares = np.linspace(0.0, 1.0, 17)
    assert [free.share(free.value(share)) for share in shares] == pytest.approx(shares, abs=1e-12)
    assert (free.value(0.0), free.value(1.0)) == (free.low, free.high)
    # A hair beyond, as by rounding, is the bound itself.
    assert (free.value(-1e-9), free.value(1.0 + 1e-9)) == (free.low, free.high)
    assert free.share(free.low - 0.1 * free.low) < 0.0
    assert free.share(2.0 * free.high) > 1.0


def test_a_number_that_is_not_above_nothing_lies_far_below_a_range_of_ratios() -> None:
    assert GAIN.share(0.0) < -50.0
    assert GAIN.share(-3.0) == GAIN.share(0.0)


def test_a_space_is_its_numbers_one_by_one_in_a_batch_of_any_shape() -> None:
    shares = np.array([0.3, 0.6, 0.5])
    values = SPACE.values(shares)
    assert values.tolist() == [free.value(share) for free, share in zip(SPACE.free, shares.tolist(), strict=True)]
    assert SPACE.by_path(shares) == dict(zip(("limb.arm", "law.kp", "limb.rod_length"), values.tolist(), strict=True))
    batch = SPACE.shares(np.broadcast_to(values, (2, 4, 3)))
    assert batch.shape == (2, 4, 3)
    assert batch == pytest.approx(np.broadcast_to(shares, (2, 4, 3)))
    assert SPACE.extent == pytest.approx([0.2, 999.0, 0.4])


def test_listed_numbers_are_pinned_and_others_keep_their_ranges() -> None:
    pinned = SPACE.pinned(np.array([0.3, 20.0, 0.7]))
    assert pinned.free[:2] == SPACE.free[:2]
    assert (pinned.free[2].low, pinned.free[2].high) == (0.7, 0.7)
    for share in (0.0, 0.4, 1.0):
        assert pinned.values(np.full(3, share))[2] == 0.7
    assert pinned.extent[2] == 0.0
    assert pinned.shares(np.array([0.3, 20.0, 0.7]))[2] == 0.0


def test_a_spread_fills_ranges_evenly_and_takes_listed_values_only() -> None:
    values = SPACE.spread(256, 3)
    assert np.histogram(values[:, 0], np.linspace(0.2, 0.4, 17))[0].tolist() == [16] * 16
    listed, counts = np.unique(values[:, 2], return_counts=True)
    assert listed.tolist() == [0.5, 0.7, 0.9]
    assert counts.min() >= 80
    assert np.array_equal(values, SPACE.spread(256, 3))
    assert not np.array_equal(values, SPACE.spread(256, 4))


def test_the_nearest_listed_value_is_taken_and_what_is_not_listed_stays() -> None:
    values = np.array([[0.21, 5.0, 0.58], [0.39, 9.0, 0.81], [0.3, 1.0, 2.0]])
    moved = SPACE.nearest_listed(values)
    assert moved[:, 2].tolist() == [0.5, 0.9, 0.9]
    assert np.array_equal(moved[:, :2], values[:, :2])


def test_options_are_read_by_name_and_set_several_numbers() -> None:
    sets = (("drive.peak_torque", (50.0, 90.0)), ("drive.inertia", (0.001, 0.003)))
    motor = Free("motor", "", 0.0, 1.0, (0.0, 1.0), listed=True, options=("small", "large"), sets=sets)
    assert [motor.shown(value) for value in (0.0, 1.0)] == ["small", "large"]
    assert motor.paths == ("drive.peak_torque", "drive.inertia")
    assert (ARM.shown(0.25), ARM.paths) == (0.25, ("limb.arm",))
