"""From a robot, a controller and settings of drives to the numbers that a cell runs on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.control import LoosePayload, NoiseTorque, PlantChanges, controller_of
from parapick.errors import ParameterError
from parapick.export.c.plant import cell_plant
from parapick.mechanism import Brake
from parapick.runtime.layout import CELL
from parapick.runtime.virtual_cell import VirtualCell, virtual_cell
from parapick.runtime.virtual_drives import COUNTS, VirtualDrives
from parapick.simulation import stated_controller
from parapick.tasks import motion_for


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return pp.load("par4")


@pytest.fixture(scope="module")
def motion(par4: pp.Model) -> Any:
    return motion_for("adept-120", par4)


def made(par4: pp.Model, motion: Any, drives: VirtualDrives | None = None, **changes: Any) -> VirtualCell:
    law = stated_controller(controller_of("nabat2005-ppi", par4)).law
    controller = replace(stated_controller(controller_of("par4-learning", par4)), law=law, **changes)
    return virtual_cell(par4, motion, controller, drives)


def settings(cell: VirtualCell) -> Any:
    whole = np.zeros((), CELL)
    cell.fill_cell(whole)
    return whole


def test_increments_are_those_of_the_controllers_encoder(par4: pp.Model, motion: Any) -> None:
    turn = 2 * np.pi
    assert made(par4, motion).units()["angle"] == pytest.approx([turn / 1048576] * 4, rel=1e-15)
    assert made(par4, motion, encoder=65536).units()["angle"] == pytest.approx([turn / 65536] * 4, rel=1e-15)
    exact = made(par4, motion, encoder=None)
    assert exact.units()["angle"] == pytest.approx([turn / COUNTS] * 4, rel=1e-15)
    stated = made(par4, motion, VirtualDrives(counts=4096), encoder=None)
    assert stated.units()["angle"] == pytest.approx([turn / 4096] * 4, rel=1e-15)


def test_per_mille_are_of_the_rated_torque_or_of_what_is_known(par4: pp.Model, motion: Any, cell: VirtualCell) -> None:
    """Par4 states a peak torque and no rated one; its gearbox has the ratio 1."""
    assert made(par4, motion).units()["torque"] == pytest.approx([0.09] * 4)
    stated = made(par4, motion, VirtualDrives(rated_torque=30.0)).units()
    assert stated["torque"] == pytest.approx([0.03] * 4)
    assert stated["torque_max"] == pytest.approx([90.0] * 4)
    motors = cell.plant.motors
    assert np.all(motors.ratio > 1.0)
    assert cell.units()["torque"] == pytest.approx(1e-3 * motors.rated_torque * motors.ratio)


def test_without_any_torque_that_is_known_it_must_be_given(par4: pp.Model, motion: Any) -> None:
    free = replace(par4.robot, drive=replace(par4.robot.drive, peak_torque=None))
    model = pp.Model(free)
    cell = virtual_cell(model, motion, controller_of("nabat2005-ppi", model))
    with pytest.raises(ParameterError, match="rated_torque: is not known"):
        cell.units()
    given = virtual_cell(model, motion, controller_of("nabat2005-ppi", model), VirtualDrives(rated_torque=10.0))
    assert given.units()["torque"] == pytest.approx([0.01] * 4)


def test_lag_and_bus_cycle_replace_those_of_the_controller(par4: pp.Model, motion: Any) -> None:
    assert made(par4, motion).period == 250_000
    assert made(par4, motion, lag=1e-3).assembly.loop.drives.lag == pytest.approx([1e-3] * 4)
    own = made(par4, motion, VirtualDrives(lag=5e-4, cycle=1e-3), lag=1e-3)
    assert own.assembly.loop.drives.lag == pytest.approx([5e-4] * 4)
    assert own.period == 1_000_000


def test_brakes_take_the_times_of_the_file_or_those_given(par4: pp.Model, motion: Any) -> None:
    brake = Brake(torque=40.0, opening_time=0.04, closing_time=0.02)
    model = pp.Model(replace(par4.robot, drive=replace(par4.robot.drive, brake=brake)))
    drives = settings(made(model, motion))["drives"]
    assert drives["opening"][:4].tolist() == [0.04] * 4
    assert drives["closing"][:4].tolist() == [0.02] * 4
    given = settings(made(model, motion, VirtualDrives(brake_opening=0.0, brake_closing=(0.01, 0.02, 0.03, 0.04))))
    assert given["drives"]["opening"][:4].tolist() == [0.0] * 4
    assert given["drives"]["closing"][:4].tolist() == [0.01, 0.02, 0.03, 0.04]
    assert settings(made(par4, motion))["drives"]["opening"][:4].tolist() == [0.0] * 4
    # How strong they are is what a supervised run takes.
    assert settings(made(par4, motion))["drives"]["brake"][:4].tolist() == [90.0] * 4


@pytest.mark.parametrize(
    ("drives", "name", "value"),
    [
        (VirtualDrives(quick_stop="ramp-stay"), "quick_stop", 6),
        (VirtualDrives(quick_stop="free"), "quick_stop", 0),
        (VirtualDrives(disable="ramp"), "disable", 1),
        (VirtualDrives(reaction="ramp"), "reaction", 2),
        (VirtualDrives(following=0.1), "following_max", 0.1),
        (VirtualDrives(), "following_max", np.inf),
        (VirtualDrives(), "interpolation", 1.0),
        (VirtualDrives(interpolation=7.5e-4), "interpolation", 3.0),
        (VirtualDrives(position_min=-1.0), "position_min", -1.0),
        (VirtualDrives(position_max=1.5), "position_max", 1.5),
        (VirtualDrives(), "position_min", -np.inf),
        (VirtualDrives(integral_time=None), "integral_gain", 0.0),
        (VirtualDrives(integral_time=0.02), "integral_gain", 50.0),
        (VirtualDrives(self_test=0.5), "self_test", 0.5),
        (VirtualDrives(ramp=7.0), "ramp", 7.0),
    ],
)
def test_settings_arrive_in_the_cell(
    par4: pp.Model, motion: Any, drives: VirtualDrives, name: str, value: float
) -> None:
    assert settings(made(par4, motion, drives))["drives"][name][:4].tolist() == [value] * 4


@pytest.mark.parametrize(
    ("drives", "message"),
    [
        (VirtualDrives(dropped=1.5), "dropped: is 1.5; it must be at most 1"),
        (VirtualDrives(watchdog=0.0), "drives.watchdog"),
        (VirtualDrives(lag=(1e-3, 1e-3)), "drives.lag"),
        (VirtualDrives(interpolation=2e-4), "drives.interpolation: is 0.0002 s, and a bus cycle is 0.00025 s"),
    ],
)
def test_settings_that_cannot_be_are_refused(par4: pp.Model, motion: Any, drives: VirtualDrives, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        made(par4, motion, drives)


@pytest.mark.parametrize(
    "plant", [PlantChanges(noise=NoiseTorque(1.0)), PlantChanges(loose_payload=LoosePayload(frequency=3.0))]
)
def test_what_a_cell_does_not_model_is_refused(par4: pp.Model, motion: Any, plant: PlantChanges) -> None:
    with pytest.raises(ParameterError, match="simulate"):
        made(par4, motion, plant=plant)


def names_in(text: str) -> Sequence[str]:
    return [line for line in text.splitlines() if line.startswith(("static int", "const pp_plant"))]


def test_a_plant_has_finer_steps_while_brakes_hold(par4: pp.Model, motion: Any) -> None:
    cell = made(par4, motion)
    plant = cell_plant(cell.assembly, "p", cell.brake, np.array(cell.start))
    assert plant.substeps == cell.assembly.substeps
    assert plant.finer >= plant.substeps
    assert [line.split("(")[0] for line in names_in(plant.text)] == [
        "static int p_stage", "static int p_braked", "static int p_seen", "const pp_plant p_plant = {",
    ]  # fmt: skip
    assert len(plant.start) > 8
    assert plant.start[:4] == cell.start
