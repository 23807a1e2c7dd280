"""The gripper that a robot file states counts wherever masses do, and stays whatever the payload is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.capability.capability_answer import capability_answer
from parapick.capability.index_types import IndexOptions
from parapick.control import controllers_of
from parapick.errors import PlausibilityWarning, RobotFileError
from parapick.mechanism import Gripper, Payload
from parapick.motion import Motion
from parapick.robots import RobotFile, load_robot, save
from parapick.robots.files import ROBOTS
from parapick.robots.number_rows import number_rows
from parapick.simulation import simulate

HELD = Payload(0.4, (0.01, -0.02, -0.05), 0.002)
TABLE = '\n[gripper]\nmass = "400 g"\noffset = ["10 mm", "-20 mm", "-50 mm"]\ninertia = "20 kg cm2"\n'
STATE = ([0.1, -0.05, -0.72, 0.3], [1.0, -2.0, 0.5, 3.0], [40.0, 30.0, -20.0, 100.0])


def written(folder: Path, table: str, robot: str = "par4") -> Path:
    """A shipped robot with a table more."""
    path = folder / "own.toml"
    path.write_text(ROBOTS.find(robot).read_text(encoding="utf-8") + table, encoding="utf-8")
    return path


@pytest.fixture
def pair(tmp_path: Path) -> tuple[pp.Model, pp.Model]:
    """A robot whose file states a gripper, and one that holds the same as its payload."""
    return pp.load(written(tmp_path, TABLE)), pp.load("par4").with_payload(HELD)


@pytest.fixture
def gripping() -> pp.Model:
    """The robot of the file, its gripper set by paths."""
    offset = {f"gripper.offset.{i}": value for i, value in enumerate(HELD.offset, start=1)}
    return pp.load("par4").with_parameters({"gripper.mass": HELD.mass, "gripper.inertia": HELD.inertia, **offset})


def alike(one: Any, other: Any) -> None:
    """Numbers of two documents agree to 1e-12 of their size, and everything else is equal."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            alike(one[name], other[name])
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            alike(a, b)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-12, nan_ok=True)
    else:
        assert one == other


def test_the_gripper_is_no_payload(pair: tuple[pp.Model, pp.Model], gripping: pp.Model) -> None:
    own, given = pair
    assert (own.gripper, own.payload) == (HELD, None)
    assert (given.gripper, given.payload) == (Payload(), HELD)
    assert own.robot == gripping.robot
    assert own.held == given.held
    assert own.with_payload(0.6).held == HELD + Payload(0.6)
    assert given.with_payload(0.6).held == Payload(0.6)
    assert "gripper 0.4 kg, no payload" in repr(own)


def test_dynamics(pair: tuple[pp.Model, pp.Model]) -> None:
    own, given = pair
    bare = pp.load("par4").inverse_dynamics(*STATE)
    np.testing.assert_allclose(own.inverse_dynamics(*STATE), given.inverse_dynamics(*STATE), rtol=1e-12)
    assert np.abs(own.inverse_dynamics(*STATE) - bare).max() > 1.0
    np.testing.assert_allclose(own.mass_matrix(STATE[0]), given.mass_matrix(STATE[0]), rtol=1e-12)


def test_capability(pair: tuple[pp.Model, pp.Model]) -> None:
    own, given = (capability_answer(model, STATE[0], IndexOptions()).to_dict() for model in pair)
    alike(own["tables"], given["tables"])
    assert (own["data"]["gripper"], own["data"]["payload"]) == (0.4, 0.0)
    assert (given["data"]["gripper"], given["data"]["payload"]) == (0.0, 0.4)


def test_evaluation_and_its_own_load_on_top(pair: tuple[pp.Model, pp.Model], gripping: pp.Model) -> None:
    sections = ("torque", "capability", "forces")
    own, given = (pp.evaluate(model, "box", sections=sections).to_dict() for model in (pair[0], gripping))
    alike(own, given)
    assert own["gripper"]["mass"] == 0.4
    assert own["payload"][0]["mass"] == 0.2
    assert "gripper 0.4 kg" in own["title"]
    heavier = pp.evaluate(pair[0], "box", payload=0.5, sections=("torque",))
    assert heavier.to_dict()["gripper"]["mass"] == 0.4
    assert heavier.to_dict()["payload"][0]["mass"] == 0.5
    assert "gripper 0.4 kg, payload 0.5 kg" in heavier.title


def test_closed_loop(pair: tuple[pp.Model, pp.Model]) -> None:
    (controller,) = controllers_of(["tsid"]).values()
    cycle = pp.adept_cycle(pair[0], cycles_per_minute=120)
    along = Motion(cycle.pieces, cycle.phases)
    own, given = (simulate(model, along, controller) for model in pair)
    np.testing.assert_allclose(own.torque, given.torque, rtol=1e-12, atol=1e-12)


def test_mjcf_and_mujoco_agree(pair: tuple[pp.Model, pp.Model]) -> None:
    pytest.importorskip("mujoco")
    from parapick.export.mjcf_answer import mjcf_answer
    from parapick.multibody import assemble, inverse_dynamics

    own, given = (mjcf_answer(model)[1] for model in pair)
    assert own == given
    assert 'name="payload"' in own
    x, xd, xdd = (np.array([row]) for row in STATE)
    torque = inverse_dynamics(assemble(pair[0].robot), x, xd, xdd).tau[0]
    np.testing.assert_allclose(pair[0].inverse_dynamics(*STATE), torque, rtol=1e-8, atol=1e-8)


def test_show_lists_it_only_where_there_is_one(tmp_path: Path) -> None:
    own = {row.path: (row.value, row.unit) for row in number_rows(load_robot(written(tmp_path, TABLE)))}
    assert own["gripper.mass"] == (0.4, "kg")
    assert own["gripper.offset.3"] == (-0.05, "m")
    assert own["gripper.inertia"] == (0.002, "kg m2")
    assert not [row.path for row in number_rows(load_robot("par4")) if row.path.startswith("gripper")]


def test_it_can_be_set_on_every_robot() -> None:
    held = pp.load("par4").with_parameters({"gripper.mass": "400 g", "gripper.offset.3": "-50 mm"})
    assert held.gripper == Payload(0.4, (0.0, 0.0, -0.05))


def test_it_is_saved_and_read_back(tmp_path: Path, pair: tuple[pp.Model, pp.Model], gripping: pp.Model) -> None:
    target = save(gripping.with_payload(1.0), tmp_path / "saved.toml")
    assert load_robot(target).robot == pair[0].robot
    again = save(RobotFile(pair[0].robot), tmp_path / "fresh.toml")
    assert load_robot(again).robot == pair[0].robot


def test_a_mass_that_follows_another_number(tmp_path: Path) -> None:
    table = '\n[gripper]\nmass = { of = "limb.rod_mass", coefficients = [0.1, 2.0] }\n'
    model = pp.load(written(tmp_path, table))
    assert model.gripper.mass == pytest.approx(0.4)
    assert model.with_parameters({"limb.rod_mass": 0.2}).gripper.mass == pytest.approx(0.5)
    np.testing.assert_allclose(
        model.with_payload(1.0).inverse_dynamics(*STATE),
        pp.load("par4").with_payload(1.4).inverse_dynamics(*STATE),
        rtol=1e-12,
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("mass = -1", "gripper.mass: is -1 kg; it must be at least 0 kg"),
        ('mass = "3 mm"', "gripper.mass: '3 mm' is not a mass"),
        ("mass = 1\noffset = [0, 0]", "gripper.offset"),
        ("weight = 1", "gripper.weight: is not a field"),
        ("mass = nan", "gripper.mass"),
    ],
)
def test_wrong_grippers(tmp_path: Path, table: str, message: str) -> None:
    path = written(tmp_path, f"\n[gripper]\n{table}\n")
    assert any(message in str(problem) for problem in ROBOTS.check(path))
    with pytest.raises(RobotFileError):
        load_robot(path)


def test_a_forgotten_unit_is_doubted(tmp_path: Path) -> None:
    with pytest.warns(PlausibilityWarning, match='gripper.mass: is 400 kg.*perhaps "400 g" is meant'):
        pp.load(written(tmp_path, "\n[gripper]\nmass = 400\n"))


def test_the_default_is_nothing() -> None:
    assert load_robot("par4").robot.gripper == Gripper()
    assert not pp.load("par4").gripper
