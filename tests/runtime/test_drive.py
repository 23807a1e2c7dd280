"""A virtual drive: its units, its loops, its ramps, its brake; an inertia stands behind it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from parapick.runtime.layout import DRIVE_IN, DRIVE_OUT, DRIVE_SETTINGS, UNITS
from runtime.compiled import Library, pointer
from runtime.standard import STATES

PERIOD = 250e-6
INERTIA = 0.02
EXACT = 1
FOLLOWS, LIMIT, FOLLOWING = 0x1000, 0x0800, 0x2000


class Rig:
    """A drive with an inertia behind it."""

    def __init__(self, library: Library, flags: int = 0, **settings: Any) -> None:
        self.functions, self.flags = library.functions, flags
        self.drive = library.buffer("drive")
        self.functions.probe_drive_start(self.drive)
        self.settings, self.units = np.zeros((), DRIVE_SETTINGS), np.zeros((), UNITS)
        usual = {
            "position_gain": 250.0, "speed_gain": 1200.0 * INERTIA, "integral_gain": 100.0, "position_min": -np.inf,
            "position_max": np.inf, "speed_max": np.inf, "following_max": np.inf, "ramp": 100.0, "brake": 5.0,
            "quick_stop": 2, "interpolation": 1.0,
        }  # fmt: skip
        for name, value in {**usual, **settings}.items():
            self.settings[name] = value
        self.units["angle"], self.units["torque"], self.units["torque_max"] = 1e-5, 0.01, 15.0
        self.out, self.motor = np.zeros((), DRIVE_OUT), np.zeros(3)
        self.out["mode"] = 10

    def run(self, word: int, count: int = 1, steps: int = 1) -> np.ndarray:
        """Bus cycles with a control word; what is reported at their end."""
        self.out["control_word"] = word
        self.functions.probe_drive_run(
            self.drive, pointer(self.settings), pointer(self.units), pointer(self.out), pointer(self.motor),
            ctypes.c_double(INERTIA), self.flags, ctypes.c_double(PERIOD), count, steps,
        )  # fmt: skip
        return self.report()

    def fail(self, error: int) -> np.ndarray:
        self.functions.probe_drive_fail(
            self.drive, pointer(self.settings), pointer(self.units), pointer(self.out), pointer(self.motor),
            ctypes.c_double(PERIOD), error,
        )  # fmt: skip
        return self.report()

    def report(self) -> np.ndarray:
        seen = np.zeros((), DRIVE_IN)
        arguments = (pointer(self.settings), pointer(self.units), pointer(self.motor), pointer(seen))
        self.functions.probe_drive_report(self.drive, *arguments)
        return seen

    def enabled(self) -> Rig:
        for word in (0x00, 0x06, 0x07):
            self.run(word)
        assert self.state != "OPERATION ENABLED"
        self.run(0x0F)
        assert self.state == "OPERATION ENABLED"
        return self

    @property
    def state(self) -> str:
        return STATES[self.functions.probe_drive_state(self.drive)]


def test_torques_are_counted_per_mille_of_the_rated_torque(library: Library) -> None:
    rig = Rig(library).enabled()
    rig.out["target_torque"] = 123
    seen = rig.run(0x0F)
    assert rig.motor[2] == pytest.approx(1.23, rel=1e-12)
    assert seen["torque"] == 123
    assert seen["exact_torque"] == rig.motor[2]


def test_exact_torques_are_not_rounded(library: Library) -> None:
    rig = Rig(library, EXACT).enabled()
    rig.out["target_torque"], rig.out["exact_torque"] = 500, 1.2345678
    assert rig.run(0x0F)["torque"] == 123
    assert rig.motor[2] == 1.2345678


def test_angles_are_counted_in_increments(library: Library) -> None:
    rig = Rig(library)
    rig.motor[:2] = 0.123456789, -2.0000049
    seen = rig.report()
    assert seen["position"] == 12346
    assert seen["speed"] == -200000
    assert seen["exact_position"] == 0.123456789


@pytest.mark.parametrize(("torque", "given"), [(32767, 15.0), (-32768, -15.0)])
def test_torques_are_limited_and_the_drive_says_so(library: Library, torque: int, given: float) -> None:
    rig = Rig(library).enabled()
    assert not rig.run(0x0F)["status_word"] & LIMIT
    rig.out["target_torque"] = torque
    assert rig.run(0x0F)["status_word"] & LIMIT
    assert rig.motor[2] == given


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_a_torque_that_is_no_number_is_none(library: Library, wrong: float) -> None:
    rig = Rig(library, EXACT).enabled()
    rig.out["exact_torque"] = wrong
    rig.run(0x0F)
    assert rig.motor[2] == 0.0


def test_there_is_no_torque_before_operation_is_enabled_nor_in_no_mode(library: Library) -> None:
    rig = Rig(library)
    rig.out["target_torque"] = 100
    for word in (0x00, 0x06, 0x07):
        rig.run(word)
        assert rig.motor[2] == 0.0
    rig.run(0x0F)
    assert rig.motor[2] == 1.0
    rig.out["mode"] = 3
    seen = rig.run(0x0F)
    assert seen["mode"] == 0
    assert rig.motor[2] == 0.0
    assert not seen["status_word"] & FOLLOWS


def test_it_tests_itself_as_long_as_it_is_told(library: Library) -> None:
    rig = Rig(library, self_test=10 * PERIOD)
    rig.run(0x06, 10)
    assert rig.state == "NOT READY TO SWITCH ON"
    rig.run(0x06)
    assert rig.state == "SWITCH ON DISABLED"


def test_a_brake_takes_its_times(library: Library) -> None:
    rig = Rig(library, opening=4 * PERIOD, closing=6 * PERIOD)
    assert rig.report()["brake"] == 1
    rig.enabled()
    held = [int(rig.run(0x0F)["brake"]) for _ in range(8)]
    # The first of the four is the cycle in which it was enabled.
    assert held == [1, 1, 1, 0, 0, 0, 0, 0]
    assert rig.report()["status_word"] & FOLLOWS
    held = [int(rig.run(0x00)["brake"]) for _ in range(9)]
    assert held == [0] * 6 + [1] * 3


def test_a_drive_without_a_brake_reports_none(library: Library) -> None:
    rig = Rig(library, brake=0.0)
    assert rig.report()["brake"] == 0
    assert rig.functions.pp_drive_brake(rig.drive, pointer(rig.settings)) == 0.0


def test_position_mode_follows_a_ramp_with_an_offset_for_what_loads_it(library: Library) -> None:
    """Behind a constant speed the loops are exact: the speed between targets is fed forward."""
    rig = Rig(library)
    rig.out["mode"] = 8
    rig.enabled()
    for k in range(400):
        rig.out["target_position"] = 50 * (k + 1)
        rig.run(0x0F, steps=4)
    # Increments of 1e-5 rad, 50 in 250 us: 2 rad/s.
    assert rig.motor[1] == pytest.approx(2.0, rel=1e-3)
    assert rig.motor[0] == pytest.approx(0.2, abs=1e-5)
    rig.out["torque_offset"] = 100
    before = rig.motor[1]
    rig.out["target_position"] += 50
    rig.run(0x0F)
    assert rig.motor[1] - before == pytest.approx(1.0 / INERTIA * PERIOD, rel=0.05)


def ramp(rig: Rig, missed: tuple[int, ...] = (), count: int = 600) -> np.ndarray:
    """Motor angle, speed and torque (count, 3) on a ramp of 2 rad/s of which some frames do not come."""
    rig.out["mode"] = 8
    rig.enabled()
    rows = np.zeros((count, 3))
    for k in range(count):
        if k not in missed:
            rig.out["target_position"] = 50 * (k + 1)
        rig.run(0x0F, steps=4)
        rows[k] = rig.motor
    return rows


@pytest.mark.parametrize("cycles", [1, 2, 3, 4])
def test_a_target_is_reached_later_by_the_time_60c2(library: Library, cycles: int) -> None:
    rows = ramp(Rig(library, interpolation=float(cycles)))
    assert rows[-1, 1] == pytest.approx(2.0, rel=1e-3)
    targets = 2.0 * PERIOD * np.arange(1, len(rows) + 1)
    assert targets[-1] - rows[-1, 0] == pytest.approx(2.0 * PERIOD * (cycles - 1), abs=1e-5)


@pytest.mark.parametrize("cycles", [1, 2, 3, 4])
@pytest.mark.parametrize("gap", [1, 2, 3])
def test_frames_that_do_not_come_are_bridged_for_as_long_as_the_interpolation_lasts(
    library: Library, cycles: int, gap: int
) -> None:
    """At constant speed it is as if they had come; a cycle more, and the target stands still and jumps."""
    missed = tuple(range(500, 500 + gap))
    whole, gappy = (ramp(Rig(library, interpolation=float(cycles)), some) for some in ((), missed))
    np.testing.assert_array_equal(gappy[:500], whole[:500])
    torque = np.abs(gappy[500:, 2]).max()
    if gap < cycles:
        np.testing.assert_allclose(gappy, whole, rtol=0, atol=1e-6)
    else:
        assert torque == 15.0


def test_an_interpolation_ends_at_its_target_and_stays_there(library: Library) -> None:
    rig = Rig(library, EXACT, interpolation=4.0, integral_gain=0.0)
    rig.out["mode"] = 8
    rig.enabled()
    rig.out["exact_position"] = 1e-4
    speeds = [float((rig.run(0x0F, steps=4), rig.motor[1])[1]) for _ in range(400)]
    # 1e-4 rad in 1 ms are fed forward as 0.1 rad/s in the four cycles, and no speed behind them.
    assert 0.05 < max(speeds[:4]) < 0.1
    assert max(speeds[4:]) < speeds[3]
    assert rig.motor[0] == pytest.approx(1e-4, rel=1e-3)
    assert abs(rig.motor[1]) < 1e-5


def test_position_mode_starts_where_the_motor_stands(library: Library) -> None:
    rig = Rig(library, EXACT)
    rig.motor[0] = 0.7
    rig.out["mode"], rig.out["exact_position"] = 8, 0.7
    rig.enabled()
    rig.run(0x0F, 20)
    assert np.abs(rig.motor).max() == pytest.approx(0.7)
    assert abs(rig.motor[1]) < 1e-9
    rig.out["exact_position"] = np.nan
    rig.run(0x0F)
    assert np.isfinite(rig.motor).all()


def test_position_mode_keeps_to_software_limits_and_speed(library: Library) -> None:
    # Without an integral part the speed does not overshoot the one that is asked for.
    rig = Rig(library, position_max=0.1, speed_max=1.0, integral_gain=0.0)
    rig.out["mode"] = 8
    rig.enabled()
    for target in range(0, 20001, 100):
        rig.out["target_position"] = target
        rig.run(0x0F)
        assert abs(rig.motor[1]) <= 1.0 + 1e-12
    rig.run(0x0F, 400)
    assert rig.motor[0] == pytest.approx(0.1, abs=1e-4)
    assert rig.report()["status_word"] & LIMIT


def test_a_following_error_is_a_fault(library: Library) -> None:
    rig = Rig(library, following_max=0.05)
    rig.out["mode"] = 8
    rig.enabled()
    rig.out["target_position"] = 4000
    assert not rig.run(0x0F, steps=4)["error_code"]
    rig.out["target_position"] = 20000
    assert rig.run(0x0F, steps=4)["status_word"] & FOLLOWING
    seen = rig.run(0x0F)
    assert seen["error_code"] == 0x8611
    assert rig.state == "FAULT REACTION ACTIVE"
    assert rig.motor[2] == 0.0


@pytest.mark.parametrize(
    ("option", "end"), [(0, "SWITCH ON DISABLED"), (2, "SWITCH ON DISABLED"), (6, "QUICK STOP ACTIVE")]
)
def test_a_quick_stop_does_what_605a_says(library: Library, option: int, end: str) -> None:
    rig = Rig(library, quick_stop=option).enabled()
    rig.motor[1] = 2.0
    speeds = [float((rig.run(0x02), rig.motor[1])[1]) for _ in range(120)]
    assert rig.state == end
    if option == 0:
        assert speeds[-1] == 2.0
    else:
        # 2 rad/s at 100 rad/s2 are 20 ms, or 80 cycles.
        assert speeds[40] == pytest.approx(1.0, abs=0.15)
        assert abs(speeds[90]) < 0.1


def test_a_quick_stop_that_stays_can_be_left(library: Library) -> None:
    rig = Rig(library, quick_stop=6).enabled()
    rig.run(0x02, 10)
    rig.run(0x0F)
    assert rig.state == "OPERATION ENABLED"


def test_disabling_operation_slows_down_where_605c_says_so(library: Library) -> None:
    rig = Rig(library, disable=1).enabled()
    rig.motor[1] = 1.0
    rig.run(0x07, 10)
    assert rig.state == "OPERATION ENABLED"
    assert not rig.report()["status_word"] & FOLLOWS
    rig.run(0x07, 60)
    assert rig.state == "SWITCHED ON"
    assert abs(rig.motor[1]) < 0.1


def test_disabling_operation_frees_the_motor_otherwise(library: Library) -> None:
    rig = Rig(library, disable=0).enabled()
    rig.motor[1] = 1.0
    rig.run(0x07, 10)
    assert rig.state == "SWITCHED ON"
    assert rig.motor[1] == 1.0


@pytest.mark.parametrize("reaction", [0, 2])
def test_a_fault_reacts_as_605e_says(library: Library, reaction: int) -> None:
    rig = Rig(library, reaction=reaction).enabled()
    rig.motor[1] = 1.0
    seen = rig.fail(0x5000)
    assert seen["error_code"] == 0x5000
    rig.run(0x0F, 100)
    assert rig.state == "FAULT"
    assert (abs(rig.motor[1]) < 0.1) == (reaction == 2)
    # The first reason stays until it is reset, whatever comes later.
    assert rig.fail(0x8130)["error_code"] == 0x5000
    rig.run(0x00)
    assert rig.run(0x80)["error_code"] == 0
    assert rig.state == "SWITCH ON DISABLED"


def test_rounding_keeps_what_is_too_large_and_drops_nan(library: Library) -> None:
    int32, int16 = library.functions.probe_int32, library.functions.probe_int16
    cases = {0.49: 0, 0.5: 1, -0.5: 0, -0.51: -1, 1e12: 2**31 - 1, -1e12: -(2**31), np.nan: 0, np.inf: 2**31 - 1}
    assert [int32(ctypes.c_double(value)) for value in cases] == list(cases.values())
    assert [int16(ctypes.c_double(value)) for value in (40000.0, -40000.0, 7.4)] == [32767, -32768, 7]
