"""Every law against its formula, written down again with the model's own matrices and NumPy."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path

import numpy as np
import pytest

from control_cases import CLOSE, PAR4, RATE, TASK, cycle, followed, loaded, without_friction
from loops import looped
from parapick.control import LAWS, ComputedTorque, TaskSpaceID
from parapick.kernel import compilations

# Equations of the documents, read off their text.
SOURCES = {
    "pd": "righettini2024 (29)",
    "pid": "righettini2024 (30)",
    "ppi": "nabat2005, section V",
    "computed-torque": "wu2020 (24)",
    "tsid": "righettini2024 (16)",
    "tsiid": "righettini2024 (22)",
    "precomputed": "Kelly, Santibanez and Loria 2005, chapter 12",
    "nonlinear-pd": "Shang and Cong 2009, Mechatronics 19, 987",
    "sliding-mode": "Slotine and Li 1991, section 7.2",
    "super-twisting": "Levant 1993, Int. J. Control 58, 1247",
    "adaptive": "Slotine and Li 1987, Int. J. Robot. Res. 6(3), 49",
    "disturbance-observer": "Ohnishi, Shibata and Murakami 1996, Trans. Mechatronics 1, 56",
    "learning": "Li, Liu, Cui and Wu 2022, Intell. Robot. 2, 89",
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_cites_its_equation_in_its_file_and_on_the_page(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "control.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
    assert row.strip("| ").rpartition("| ")[2] == SOURCES[name]
    assert f"({SOURCES[name]})" in (inspect.getmodule(LAWS[name]).__doc__ or "")


def test_every_law_has_its_name() -> None:
    assert {name: law.name for name, law in LAWS.items()} == {name: name for name in LAWS}
    assert set(LAWS) == set(SOURCES)


def test_pd_is_its_formula() -> None:
    record = followed("pd")
    wanted = [4000.0, 5000.0, 6000.0, 7000.0] * -record.joint_error + 60.0 * (record.qd_ref - record.qd)
    np.testing.assert_allclose(without_friction(record), wanted, rtol=0, atol=CLOSE)


def test_pid_sums_its_error_within_bounds() -> None:
    record = followed("pid")
    total, wanted = np.zeros(4), []
    for error in -record.joint_error:
        wanted.append(total)
        total = np.clip(total + 2e5 * error / RATE, -4.0, 4.0)
    np.testing.assert_allclose(record.terms["tau_i"], wanted, rtol=0, atol=CLOSE)
    assert np.max(np.abs(record.terms["tau_i"])) == 4.0


def test_cascade_holds_its_integral_while_the_drive_is_saturated() -> None:
    record = looped(loaded("par4"), cycle("par4"), PAR4["ppi"], rate=2000.0, torque_max=20.0)
    position, total, held = 120.0 * -record.joint_error, np.zeros(4), 0
    for k in range(len(record.t)):
        error = position[k] + 0.5 * record.qd_ref[k] - record.qd[k]
        torque = 60.0 * error + total + record.terms["friction"][k]
        np.testing.assert_allclose(record.command[k], torque, rtol=0, atol=CLOSE)
        winding = (np.abs(torque) > 20.0) & (torque * error > 0)
        total, held = total + np.where(winding, 0.0, 3000.0 * error / 2000.0), held + winding.sum()
    assert held > 100


def test_tsid_is_its_formula() -> None:
    model = loaded("par4")
    record = followed("tsid")
    acceleration = record.xdd_ref - [9e3, 9e3, 9e3, 4e3] * record.error + 150.0 * (record.xd_ref - record.xd)
    wanted = model.inverse_dynamics(record.x, record.xd, acceleration)
    np.testing.assert_allclose(without_friction(record), wanted, rtol=0, atol=CLOSE)
    gravity_and_rates = model.inverse_dynamics(record.x, record.xd, np.zeros(4))
    np.testing.assert_allclose(record.terms["tau_n"], gravity_and_rates, rtol=0, atol=CLOSE)


def test_tsiid_sums_its_error_within_bounds() -> None:
    record = followed("tsiid")
    total, wanted = np.zeros(4), []
    for error in -record.error:
        wanted.append(total)
        total = np.clip(total + 2e5 * error / RATE, -0.5, 0.5)
    mixed = loaded("par4").mixed_space(record.x, record.xd)
    np.testing.assert_allclose(
        record.terms["tau_i"], np.einsum("tij,tj->ti", mixed.M_p, np.array(wanted)), rtol=0, atol=CLOSE
    )
    assert np.max(np.abs(wanted)) == 0.5


def test_computed_torque_is_its_formula() -> None:
    model = loaded("par4")
    record = followed("computed-torque")
    space = model.joint_space(record.x, record.xd)
    qdd_ref = model.joint_accelerations(record.x_ref, record.xd_ref, record.xdd_ref)
    acceleration = qdd_ref - 9e3 * record.joint_error + 150.0 * (record.qd_ref - record.qd)
    mirror = np.array([1.0, -1.0, 1.0, -1.0])
    term = mirror * (0.7 * np.sin(mirror * record.qd) - np.sin(mirror * record.q + 0.3))
    wanted = (
        np.einsum("tij,tj->ti", space.M, acceleration) + np.einsum("tij,tj->ti", space.C, record.qd) + space.G + term
    )
    np.testing.assert_allclose(without_friction(record), wanted, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(record.terms["sine"], term, rtol=0, atol=1e-12)


@pytest.mark.parametrize("sharing", ["least-norm", "least-peak"])
def test_redundant_motors_share_as_told(sharing: str) -> None:
    model = loaded("delta-r4")
    law = TaskSpaceID(9e3, 150.0, sharing=sharing, **TASK)
    record = looped(model, cycle("delta-r4"), law, rate=RATE, substeps=1, torque_max=None)
    torque = without_friction(record)
    acceleration = record.xdd_ref - 9e3 * record.error + 150.0 * (record.xd_ref - record.xd)
    wanted = model.inverse_dynamics(record.x, record.xd, acceleration, sharing=sharing)
    if sharing == "least-norm":
        np.testing.assert_allclose(torque, wanted, rtol=0, atol=CLOSE)
    # The peak is unique, the torques below it need not be.
    np.testing.assert_allclose(np.abs(torque).max(axis=1), np.abs(wanted).max(axis=1), rtol=0, atol=CLOSE)
    force = np.einsum("tij,ti->tj", model.inverse_jacobian(record.x), torque - wanted)
    np.testing.assert_allclose(force, 0.0, rtol=0, atol=CLOSE)


def test_computed_torque_of_a_redundant_robot_follows() -> None:
    law = ComputedTorque.from_poles(20.0, 0.9, sharing="least-peak")
    record = looped(loaded("delta-r4"), cycle("delta-r4"), law)
    assert record.completed
    assert np.max(record.distance) < 1e-3


@pytest.mark.parametrize("name", LAWS)
def test_terms_add_up_and_friction_is_fed_forward(name: str) -> None:
    record = followed(name)
    assert record.law == name
    np.testing.assert_allclose(sum(record.terms.values()), record.command, rtol=0, atol=CLOSE)
    wanted = [1.0, 2.0, 3.0, 4.0] * np.tanh(record.qd_ref / 0.05) + 0.5 * record.qd_ref
    np.testing.assert_allclose(record.terms["friction"], wanted, rtol=0, atol=1e-9)


def test_another_gain_is_another_number_and_no_other_kernel() -> None:
    stiff = followed("tsid")
    before = compilations()
    law = dataclasses.replace(PAR4["tsid"], kp=2e3, kd=(60.0, 60.0, 60.0, 50.0))
    soft = looped(loaded("par4"), cycle("par4"), law, plant=loaded("par4").with_payload(0.3), torque_max=None)
    assert compilations() == before
    assert np.max(soft.distance) > np.max(stiff.distance)
