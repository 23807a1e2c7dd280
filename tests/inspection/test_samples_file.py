"""Samples of a motion in a file, and torques along them, asked for in Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.inspection.samples_file import read_samples, samples_csv
from parapick.inspection.torque_along import torque_along
from parapick.inspection.torque_answer import torque_answer


@pytest.mark.parametrize("name", ["par4", "delta-r4"])
def test_samples_are_read_back_bit_for_bit(tmp_path: Path, name: str) -> None:
    robot = pp.load(name).robot
    samples = pp.adept_cycle(pp.Model(robot), cycles_per_minute=120).carrying(0.3, 0.1, 0.2).sample(500.0)
    path = tmp_path / "motion.csv"
    path.write_text(samples_csv(robot.task_names, samples))
    file = read_samples(str(path), robot)
    for field in ("t", "x", "xd", "xdd", "load"):
        np.testing.assert_array_equal(getattr(file.samples, field), getattr(samples, field))
    assert file.samples.payload.max() == 0.3


def test_headings_may_name_units(tmp_path: Path) -> None:
    """The same motion in milliseconds, millimetres, degrees and grams, as a spreadsheet with decimal commas has it."""
    robot = pp.load("par4").robot
    samples = pp.adept_cycle(pp.Model(robot), cycles_per_minute=120).carrying(0.3, 0.1, 0.2).sample(200.0)
    table = np.column_stack(
        [1e3 * samples.t, 1e3 * samples.x[:, :3], np.degrees(samples.x[:, 3]), 1e3 * samples.payload]
    )
    rows = (";".join(f"{value:.9f}".replace(".", ",") for value in row) for row in table)
    path = tmp_path / "motion.csv"
    path.write_text("T [ms];X (mm);Y (mm);Z (mm);Yaw [deg];payload [g]\n" + "\n".join(rows))
    read = read_samples(str(path), robot).samples
    for field in ("t", "x", "load"):
        np.testing.assert_allclose(getattr(read, field), getattr(samples, field), atol=1e-9)


def test_a_motion_at_rest_needs_the_torque_of_one_state(tmp_path: Path) -> None:
    """Samples at one pose: the peak and the effective torque of the series are those of the state."""
    model, pose = pp.load("par4").with_payload(0.5), [0.1, 0.0, -0.7, 0.2]
    path = tmp_path / "rest.csv"
    path.write_text("t,x,y,z,yaw\n" + "".join(f"{k},{','.join(map(str, pose))}\n" for k in range(8)))
    along, ride = torque_along(model, read_samples(str(path), model.robot))
    state = torque_answer(model, pose, [0.0] * 4, [0.0] * 4)
    sizes = np.abs(state.table("joints").column("torque"))
    assert along.ok
    for name in ("peak", "RMS"):
        assert along.table("joints").column(name) == pytest.approx(sizes, rel=1e-6)
    assert along.table("motors").column("power") == pytest.approx([0.0] * 4, abs=1e-6)
    np.testing.assert_allclose(np.abs(ride.loads.torque[0]), np.abs(state.table("motors").column("torque")), rtol=1e-6)
    pulled = np.max([state.table("rods").column(end) for end in ("at the elbow", "at the plate")], axis=0)
    assert along.table("rods").column("peak tension") == pytest.approx(np.maximum(pulled, 0.0), rel=1e-6, abs=1e-6)
