"""What is identified: its names, its columns along a motion, and which rows count."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from identification.misread import good
from parapick.identification import base_parameters, unknowns_of
from parapick.identification.base_parameters import BaseParameter, BaseParameters, typical_sizes
from parapick.identification.log import GAP, Log
from parapick.identification.measured_motion import MeasuredMotion, measured_motions
from parapick.identification.regression import Regression, stribeck_speeds
from parapick.identification.regressor import inertial_paths
from parapick.identification.trials import WINDOW, Trials, windowed
from parapick.identification.unknowns import SLOW, Stribeck, rows_of
from parapick.model import Model
from parapick.parameters import leaves

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")
CUTOFF = 20.0


@pytest.fixture(scope="module")
def motion() -> MeasuredMotion:
    model, log = good("par4")
    return measured_motions(model, log, CUTOFF)[0]


@pytest.fixture(scope="module")
def par4() -> Model:
    return pp.load("par4")


def test_unknowns_stand_in_one_order_with_the_units_of_their_axes(par4: Model) -> None:
    names = [one.name for one in unknowns_of(par4, ("limb.rod_mass", "payload", "friction"))]
    assert names[:2] == ["friction.coulomb.1", "friction.coulomb.2"]
    assert names[-2:] == ["gripper.mass", "limb.rod_mass"]
    linear = {one.name: one.unit for one in unknowns_of(pp.load("delta-linear"), ("stribeck", "payload-center"))}
    assert linear["friction.coulomb.1"] == "N"
    assert linear["friction.viscous.1"] == "N s/m"
    assert linear["friction.stribeck_speed.2"] == "m/s"
    assert linear["gripper.mass offset.3"] == "kg m"
    assert [one.name for one in unknowns_of(par4, ("inertia",))] == list(inertial_paths(par4.robot))


def test_friction_columns_are_signs_and_speeds(par4: Model, motion: MeasuredMotion) -> None:
    unknowns = unknowns_of(par4, ("friction",))
    rows = rows_of(par4, unknowns, motion, CUTOFF)
    inner = slice(rows.edge, -rows.edge)
    # Viscous friction of motor 2 is its speed in its own row, and nothing in others; the speed passes the filter.
    viscous = rows.columns[inner, :, 5]
    assert viscous[:, [0, 2, 3]] == pytest.approx(np.zeros((len(viscous), 3)))
    assert viscous[:, 1] == pytest.approx(motion.qd[inner, 1], abs=0.02 * np.abs(motion.qd[:, 1]).max())
    coulomb = rows.columns[:, 1, 1][rows.counted[:, 1]]
    assert np.abs(coulomb) == pytest.approx(np.ones(len(coulomb)), abs=0.15)


def test_rows_count_where_joints_move_and_the_filter_has_seen_enough(par4: Model, motion: MeasuredMotion) -> None:
    rows = rows_of(par4, (), motion, CUTOFF)
    assert not rows.counted[: rows.edge].any()
    assert not rows.counted[-rows.edge :].any()
    speed = np.abs(motion.qd)
    assert (speed[rows.counted] > (SLOW * speed.max(axis=0) * np.ones_like(speed))[rows.counted]).all()
    assert rows.columns.shape == (len(motion.t), 4, 0)
    redundant, log = good("delta-r4")
    other = measured_motions(redundant, log, CUTOFF)[0]
    counted = rows_of(redundant, (), other, CUTOFF).counted
    # Task forces hear of every joint: they count together.
    assert counted.shape[1] == 3
    assert (counted.all(axis=1) == counted.any(axis=1)).all()


def test_friction_of_the_file_is_taken_off_unless_it_is_identified(motion: MeasuredMotion, par4: Model) -> None:
    rubbing = par4.with_parameters({"drive.friction.coulomb": 2.0, "drive.friction.viscous": 0.5})
    plain, known = (rows_of(model, (), motion, CUTOFF).left for model in (par4, rubbing))
    counted = rows_of(par4, (), motion, CUTOFF).counted
    expected = (2.0 * np.sign(motion.qd) + 0.5 * motion.qd)[counted]
    assert (plain - known)[counted] == pytest.approx(expected, abs=0.3)
    asked = unknowns_of(rubbing, ("friction",))
    assert rows_of(rubbing, asked, motion, CUTOFF).left == pytest.approx(plain)


def test_columns_that_are_known_need_not_be_filtered_again(motion: MeasuredMotion, par4: Model) -> None:
    unknowns = unknowns_of(par4, ("friction", "payload"))
    rows = rows_of(par4, unknowns, motion, CUTOFF)
    again = rows_of(par4, unknowns, motion, CUTOFF, filtered=rows.columns)
    assert again.columns is rows.columns
    assert again.left == pytest.approx(rows.left)


def test_the_column_of_stribecks_speed_is_a_derivative(motion: MeasuredMotion, par4: Model) -> None:
    unknowns = unknowns_of(par4, ("stribeck",))
    names = [one.name for one in unknowns]
    excess, speed, step = 0.8, 0.5, 1e-4
    k, s = names.index("friction.stribeck.1"), names.index("friction.stribeck_speed.1")
    known = [rows_of(par4, unknowns, motion, CUTOFF, stribeck={0: Stribeck(excess, speed + d)}) for d in (-step, step)]
    slope = excess * (known[1].columns[..., k] - known[0].columns[..., k]) / (2.0 * step)
    here = rows_of(par4, unknowns, motion, CUTOFF, stribeck={0: Stribeck(excess, speed)})
    assert here.columns[..., s] == pytest.approx(slope, abs=1e-5)


def test_a_lead_is_told_from_what_is_asked_for() -> None:
    """Torques recorded 2 ms before they act, beside a log in which they are not: rounds find it below a sample."""
    model, log = good("par4")
    assert log.torque is not None
    late = Log(log.file, log.t[2:], log.q[:-2], log.torque[2:], None, {})
    unknowns = unknowns_of(model, ("friction", "payload"))
    leads = []
    for one in (log, late):
        task = Regression(model, unknowns, measured_motions(model, one, CUTOFF), CUTOFF, None)
        leads.append(task.solved({}, {})[1])
    assert leads[1] - leads[0] == pytest.approx(2e-3, abs=2e-5)


def test_speeds_of_stribeck_are_scanned_for_joints_that_move() -> None:
    model, log = good("par4")
    unknowns = unknowns_of(model, ("stribeck",))
    task = Regression(model, unknowns, measured_motions(model, log, CUTOFF), CUTOFF, 0.0)
    speeds = stribeck_speeds(task)
    assert set(speeds) == {0, 1, 2, 3}
    largest = np.abs(task.motions[0].qd).max(axis=0)
    assert all(SLOW * largest[i] * 0.999 <= one <= 0.7 * largest[i] * 1.001 for i, one in speeds.items())


# Base sums


def test_a_sum_in_words() -> None:
    one = BaseParameter("limb.arm_inertia", {"drive.inertia": 1.0, "limb.rod_mass": -0.125})
    assert one.text == "limb.arm_inertia + drive.inertia - 0.125 limb.rod_mass"
    both = BaseParameters((one, BaseParameter("plate.mass", {"drive.inertia": 2.0})), ("limb.arm_mass",))
    assert both.dependent["drive.inertia"] == ("limb.arm_inertia", "plate.mass")


@pytest.mark.parametrize("name", ["par4", "delta-r4", "delta-linear", "heli4"])
def test_every_inertial_number_is_in_a_sum_or_idle_and_sums_do_not_depend_on_the_draw(name: str) -> None:
    model = pp.load(name)
    first, again = (base_parameters(model, seed) for seed in (0, 5))
    heads = [one.name for one in first.sums]
    assert heads == [one.name for one in again.sums]
    for one, other in zip(first.sums, again.sums, strict=True):
        assert dict(one.others) == pytest.approx(dict(other.others), rel=1e-5)
    assert {*heads, *first.dependent, *first.idle} >= set(inertial_paths(model.robot))
    assert not set(heads) & set(first.dependent)


def test_sizes_of_columns_are_torques_per_unit(par4: Model) -> None:
    """A gripper that is heavier by 1 kg takes what its column says, RMS over fast pick and place."""
    sizes = typical_sizes(par4)
    numbers = dict(leaves(par4.robot))
    assert set(sizes) >= {path for path in inertial_paths(par4.robot) if path in numbers}
    assert sizes["gripper.mass"] > 1.0
    assert sizes["plate.mass"] == pytest.approx(sizes["gripper.mass"], rel=1e-9)


# Windows of trials


def test_a_window_is_the_middle_of_the_longest_stretch() -> None:
    steps = np.full(WINDOW + 2000, 1e-3)
    steps[300] = GAP * 10.0
    t = np.cumsum(steps)
    q = np.column_stack([t, -t])
    part = windowed(Log("log.csv", t, q, q, None, {}))
    assert len(part.t) == WINDOW
    assert part.stretches == (slice(0, WINDOW),)
    assert part.t[0] - t[300] == pytest.approx(t[-1] - part.t[-1], abs=2e-3)
    assert part.torque is not None
    assert part.torque == pytest.approx(part.q)


def test_a_trial_of_nothing_else_is_the_log_as_it_was_read() -> None:
    model, log = good("par4")
    trials = Trials(model, log, CUTOFF)
    here = trials.as_read()
    same = trials.with_torque(lambda torque: torque)
    assert same.rms == pytest.approx(here.rms)
    moved = trials.with_angles(lambda q: q, lambda torque: torque)
    assert moved is not None
    assert moved.rms == pytest.approx(here.rms)
    assert trials.factor() == pytest.approx(1.0, abs=0.02)
    assert trials.zero_step(0, 0.0, 1e-4) == pytest.approx(0.0, abs=0.005)
    assert trials.zero_step(0, 0.02, 1e-4) == pytest.approx(-0.02, abs=0.005)
    assert trials.disagreement() == pytest.approx(0.0, abs=1e-9)
    assert trials.without(np.zeros_like(trials.motion.torque, dtype=bool)) == here
    assert trials.without(np.ones_like(trials.motion.torque, dtype=bool)) is None
    assert trials.with_angles(lambda q: 10.0 * q, lambda torque: torque) is None
    scaled = trials.with_torque(lambda torque: 2.0 * torque)
    assert scaled.beyond > 10.0 * max(here.beyond, 1e-3)
    assert scaled.worst >= scaled.beyond
