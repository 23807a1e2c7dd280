"""What follows from numbers that were identified: means, what is written and what is not, payloads, controllers."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from identification.misread import good
from parapick.control import machine_controller
from parapick.errors import ParameterError, ParapickError
from parapick.identification import (
    Estimate,
    Identification,
    Question,
    Unknown,
    changed_model,
    feedforward,
    identified,
    identify,
    payload_of,
    robot_change,
    unknowns_of,
    written,
)
from parapick.identification.results import check_identified
from parapick.robots import load

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")


@pytest.fixture(scope="module")
def par4() -> Identification:
    return identify(*good("par4"))


def stated(found: Identification, **numbers: tuple[float, float]) -> Identification:
    """An identification with other numbers: value and half of its interval, by name with __ in the place of dots."""
    named = {name.replace("__", ".").replace("_of_", " "): pair for name, pair in numbers.items()}

    def changed(one: Estimate) -> Estimate:
        if one.unknown.name not in named:
            return one
        value, half = named[one.unknown.name]
        return replace(one, value=value, deviation=half / one.critical)

    return replace(found, estimates=tuple(changed(one) for one in found.estimates))


def of(unknown: Unknown, value: float, half: float) -> Estimate:
    return Estimate(unknown, value, half / 1.959964)


def test_one_friction_for_all_arms_is_their_plain_mean(par4: Identification) -> None:
    sure = {f"friction__coulomb__{i}": (value, half) for i, (value, half) in enumerate(VALUES, start=1)}
    change = robot_change(stated(par4, **sure))
    assert change.numbers["drive.friction.coulomb"] == pytest.approx(np.mean([value for value, _ in VALUES]))
    # The interval of a mean of independent numbers.
    half = math.sqrt(sum(half**2 for _, half in VALUES)) / 4
    assert f"+-{half:.3g}" in change.sources["drive.friction.coulomb"]
    assert any("1 to 4 N m" in note and "their plain mean" in note for note in change.notes)


VALUES = [(1.0, 0.1), (2.0, 0.01), (3.0, 0.2), (4.0, 0.05)]


def test_what_cannot_be_told_from_0_is_not_written(par4: Identification) -> None:
    doubtful = {f"friction__viscous__{i}": (0.01, 0.2) for i in range(1, 5)}
    found = stated(par4, **doubtful, friction__coulomb__2=(0.02, 0.05), gripper__mass=(0.01, 0.02))
    change = robot_change(found)
    assert set(change.numbers) == {"drive.friction.coulomb"}
    assert any(note.startswith("drive.friction.viscous: 0.01") and "told from 0" in note for note in change.notes)
    assert any(note.startswith("gripper.mass") and "so the file's 0 kg is kept" in note for note in change.notes)
    assert payload_of(found) is None
    assert found.friction("coulomb")[1] == 0.0
    assert found.friction("viscous") == pytest.approx([0.0] * 4)
    law = feedforward(found, machine_controller("tsid"))
    assert law.plant.friction is not None
    assert tuple(law.plant.friction.coulomb)[1] == 0.0  # pyright: ignore[reportArgumentType, reportIndexIssue]
    assert changed_model(found).gripper.mass == par4.model.gripper.mass


def test_what_comes_out_below_0_is_not_written(par4: Identification) -> None:
    below = {f"friction__coulomb__{i}": (-0.5, 0.1) for i in range(1, 5)}
    change = robot_change(stated(par4, **below, gripper__mass=(-0.3, 0.02)))
    assert set(change.numbers) == {"drive.friction.viscous"}
    assert any("drive.friction.coulomb: -0.5 N m cannot be, so the file's is kept" in note for note in change.notes)
    assert any("gripper.mass: -0.3 kg cannot be" in note for note in change.notes)
    assert stated(par4, **below).friction("coulomb") == pytest.approx([0.0] * 4)


def test_inertial_numbers_are_written_with_their_intervals(par4: Identification) -> None:
    (mass,) = unknowns_of(par4.model, ("limb.rod_mass",))
    found = replace(par4, estimates=(of(mass, 0.3, 0.02),))
    change = robot_change(found)
    assert change.numbers == {"limb.rod_mass": 0.3}
    assert change.sources["limb.rod_mass"] == "identified from machine.csv, 95 % interval +-0.02"
    unsure = robot_change(replace(par4, estimates=(of(mass, 0.01, 0.02),)))
    assert unsure.numbers == {}
    assert "cannot be told from 0" in unsure.notes[0]
    assert robot_change(replace(par4, estimates=(of(mass, -0.3, 0.02),))).notes == (
        "limb.rod_mass: -0.3 kg cannot be, so the file's is kept",
    )


def test_a_payload_with_its_centre(par4: Identification) -> None:
    """`m`, `m r` and `I + m (x^2 + y^2)` become mass, offset and inertia; an unsure offset stays the file's."""
    unknowns = unknowns_of(par4.model, ("payload-center",))
    values = [(0.5, 0.01), (0.02, 0.001), (-0.01, 0.001), (0.001, 0.01), (0.004, 0.0005)]
    estimates = tuple(of(one, *pair) for one, pair in zip(unknowns, values, strict=True))
    held = payload_of(replace(par4, estimates=estimates))
    assert held is not None
    assert held.mass == 0.5
    assert held.offset == pytest.approx((0.04, -0.02, par4.model.gripper.offset[2]))
    assert held.inertia == pytest.approx(0.004 - 0.5 * (0.04**2 + 0.02**2))
    numbers = robot_change(replace(par4, estimates=estimates)).numbers
    assert numbers["gripper.offset.1"] == pytest.approx(0.04)
    assert numbers["gripper.inertia"] == held.inertia


def test_a_robot_without_a_drive_has_no_place_for_friction() -> None:
    model, log = good("asymmetric-screw")
    bare = identify(model, log)
    assert model.robot.drive is not None
    assert "drive.friction.coulomb" in robot_change(bare).numbers
    undriven = replace(bare, model=replace(model, robot=replace(model.robot, drive=None)))
    change = robot_change(undriven)
    assert not any(".friction." in path for path in change.numbers)
    assert any("states no [drive]" in note for note in change.notes)


def test_the_file_that_is_written_gives_the_numbers_back(tmp_path: Path) -> None:
    model, log = good("par4")
    outcome = identified(model, [log], Question())
    files = {"robot": tmp_path / "mine.toml", "controller": tmp_path / "better.toml"}
    written(outcome, model, files, machine_controller("tsid"))
    mine = load(files["robot"])
    assert outcome.identification is not None
    numbers = robot_change(outcome.identification).numbers
    assert mine.motors.coulomb == pytest.approx([numbers["drive.friction.coulomb"]] * 4)
    assert mine.gripper.mass == pytest.approx(outcome.identification.value("gripper.mass"))
    controller = pp.control.load_controller(files["controller"])
    assert controller.plant.friction is not None
    assert tuple(controller.plant.friction.coulomb) == pytest.approx(outcome.identification.friction("coulomb"))  # pyright: ignore[reportArgumentType]


def test_what_cannot_follow(par4: Identification, tmp_path: Path) -> None:
    nothing = replace(par4, estimates=tuple(replace(one, why="no") for one in par4.estimates))
    with pytest.raises(ParapickError, match="nothing could be identified from it, so nothing is written"):
        check_identified(nothing)
    with pytest.raises(ParameterError, match=r"friction.beauty: was not identified; there are friction.coulomb.1"):
        par4.value("friction.beauty")
    proposed = identified(par4.model, [], Question(duration=2.4))
    assert proposed.identification is None
    with pytest.raises(ParapickError, match="a robot file follows from a log; there is none"):
        written(proposed, par4.model, {"robot": tmp_path / "mine.toml"}, machine_controller("tsid"))
    with pytest.raises(ParapickError, match="neither a log to identify from nor a motion"):
        identified(par4.model, [], Question())
    law = replace(machine_controller("pd"), law=object())
    with pytest.raises(ParameterError, match="its law has no place for friction"):
        feedforward(par4, law)  # pyright: ignore[reportArgumentType]
