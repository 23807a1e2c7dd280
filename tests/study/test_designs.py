"""Designs in batches against the same designs one by one, by the model and by a robot along samples."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from parapick.kernel import compilations
from parapick.model import Model
from parapick.ride.ride import Ride
from parapick.ride.samples import Samples
from parapick.study import evaluated
from parapick.study.methods import round_of
from parapick.study.region_fold import region_points
from parapick.study.rounds import GridDesigns
from studies import SMALL, changed, study_of

ALSO = ("rms_torque", "peak_speed", "energy", "peak_power", "torque_use", "footprint", "moving_mass", "acceleration")


@pytest.fixture(scope="module")
def study() -> object:
    names = ", ".join(f'"{name}"' for name in (*ALSO, "margin", "conditioning", "homogeneity", "stiffness"))
    return study_of(changed(("[set]", f"also = [{names}]\n\n[set]")))


def test_measures_are_those_of_the_robot_alone(study: object) -> None:
    work = study.work
    designs = round_of(study.method("sobol"), work, 0, {}).designs[:256]
    rows = evaluated(work, designs)
    feasible = np.flatnonzero(rows["feasible"])
    assert len(feasible) > 3
    for row in feasible[:3]:
        model = Model(work.space.robot_of(designs[row]))
        series = work.series[0]
        region = model.numbers.workspace
        middle = np.array([0.0, 0.0, (region.z_min + region.z_max) / 2])
        ride = Ride(
            model.with_sharing("least-norm"), Samples(series.t, series.x + middle, series.xd, series.xdd, series.load)
        )
        assert rows["peak_torque"][row] == pytest.approx(np.abs(ride.loads.torque).max(), rel=1e-9)
        assert rows["rms_torque"][row] == pytest.approx(ride.rms_torque.max(), rel=1e-9)
        assert rows["peak_speed"][row] == pytest.approx(np.abs(ride.loads.speed).max(), rel=1e-9)
        assert rows["torque_use"][row] == pytest.approx(np.abs(ride.loads.torque).max() / 127.0, rel=1e-9)
        bus = np.sum(ride.loads.torque * ride.loads.speed, axis=1)
        assert rows["energy"][row] == pytest.approx(np.trapezoid(np.maximum(bus, 0.0), series.t), rel=1e-9)
        assert rows["peak_power"][row] == pytest.approx(bus.max(), rel=1e-9)
        check_region(rows, row, model, work.points)


def check_region(rows: dict[str, np.ndarray], row: int, model: Model, points: np.ndarray) -> None:
    from parapick.capability import acceleration_any
    from parapick.capability.stiffness import stiffness

    robot = model.numbers
    region = robot.workspace
    half = np.array([region.radius, region.radius, (region.z_max - region.z_min) / 2])
    poses = np.array([0.0, 0.0, (region.z_min + region.z_max) / 2]) + half * points
    reach = model.reach(poses)
    assert rows["joint_slack"][row] <= reach.joints.min() + 1e-12
    assert rows["leg_slack"][row] <= reach.legs.min() + 1e-12
    margins = model.margins(poses)
    assert rows["margin"][row] == pytest.approx(min(margins.under.min(), margins.over.min(), margins.internal.min()))
    assert rows["conditioning"][row] == pytest.approx(model.indices(poses).conditioning.min())
    # The study has 250 g in the tool all along.
    accelerations = acceleration_any(model.with_payload(0.25).with_sharing("least-norm"), poses)
    assert rows["stiffness"][row] == pytest.approx(stiffness(model, poses, servo=1e4).smallest.min())
    assert rows["acceleration"][row] == pytest.approx(accelerations.min())
    assert rows["homogeneity"][row] == pytest.approx(accelerations.min() / accelerations.max())
    assert rows["footprint"][row] == pytest.approx(2 * (robot.base.radius + robot.limb.arm))
    masses = 4 * (robot.limb.arm_mass + 2 * robot.limb.rod_mass) + robot.plate.mass
    assert rows["moving_mass"][row] == pytest.approx(masses)


def test_a_batch_equals_a_loop_bit_for_bit_on_one_compilation(study: object) -> None:
    designs = round_of(study.method("sobol"), study.work, 0, {}).designs[:40]
    rows = evaluated(study.work, designs)
    before = compilations()
    for first, last in ((0, 1), (1, 7), (7, 40)):
        part = evaluated(study.work, designs[first:last])
        for name, values in part.items():
            assert values.tolist() == rows[name][first:last].tolist() or np.array_equal(
                values, rows[name][first:last], equal_nan=True
            )
    assert compilations() == before


def test_a_design_that_is_no_robot_is_a_row_with_its_reason() -> None:
    study = study_of(changed(("450 mm", "250 mm")))
    rows = evaluated(study.work, np.array([[0.12, 0.2, 0.25, -0.5], [0.12, 0.2, 0.5, -0.53]]))
    assert rows["feasible"].tolist() == [False, True]
    assert rows["fault"].tolist() == ["numbers", ""]
    assert "limb.rod_mass" in rows["reason"][0]
    assert np.isnan(rows["peak_torque"][0])


def test_reach_is_looked_at_inside_the_cylinder_too() -> None:
    robot = study_of(SMALL).space.robot
    points = region_points(robot, (5, 12, 3))
    radius = np.hypot(points[:, 0], points[:, 1])
    assert {round(value, 6) for value in radius} == {0.0, 0.25, 0.5, 0.75, 1.0}
    assert {round(value, 6) for value in points[:, 2]} == {-1.0, 0.0, 1.0}
    assert len(points) == (4 * 12 + 1) * 3


def test_a_requirement_of_a_measure_is_kept_or_named() -> None:
    study = study_of(changed(("reach = { points", 'peak_torque = { at_most = "200 N m" }\nreach = { points')))
    rows = evaluated(study.work, round_of(study.method("grid"), study.work, 0, {}).designs[:])
    assert {"", "leg slack", "joint slack", "peak_torque"} <= set(rows["fault"].tolist())
    kept = rows["fault"] == ""
    assert rows["peak_torque"][kept].max() <= 200.0
    assert rows["peak_torque"][rows["fault"] == "peak_torque"].min() > 200.0


def test_a_cycle_time_is_that_of_the_fastest_motion() -> None:
    text = changed(
        ('["peak_torque"]', '["cycle_time"]'),
        ('law = { name = "pulse", lam = 0.73 }\nv_max = 11\na_max = 981', 'timing = "fastest"'),
        ('kind = "gradient"\npoints = 512\nstarts = 1', 'kind = "grid"'),
    )
    study = study_of(text)
    designs = np.array([[0.12, 0.2, 0.5, -0.53], [0.12, 0.21, 0.5, -0.53], [0.12, 0.2, 0.5, -0.85]])
    rows = evaluated(study.work, designs)
    assert rows["feasible"].tolist() == [True, True, False]
    model = Model(study.space.robot_of(designs[0])).with_payload(0.25).with_sharing("least-norm")
    assert rows["cycle_time"][0] == pytest.approx(study.file.tasks[0].motion(model).duration, rel=1e-6)
    assert study.file.tasks[0].motion(model.with_sharing("least-peak")).duration < 0.999 * rows["cycle_time"][0]


def test_a_grid_is_laid_out_in_slices_and_not_at_once() -> None:
    values = (np.array([1.0, 2.0]), np.array([3.0]), np.array([4.0, 5.0, 6.0]))
    grid = GridDesigns(values)
    every = np.stack([axis.ravel() for axis in np.meshgrid(*values, indexing="ij")], axis=1)
    assert np.array_equal(grid[:], every)
    assert np.array_equal(grid[2:5], every[2:5])
    assert grid[6:9].shape == (0, 3)
    tracemalloc.start()
    large = GridDesigns((np.arange(4000.0),) * 2)
    last = large[len(large) - 3 :]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(large) == 16_000_000
    assert last.tolist() == [[3999.0, 3997.0], [3999.0, 3998.0], [3999.0, 3999.0]]
    assert peak < 1e6
