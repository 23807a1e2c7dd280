"""Quantities of guards: expressions of a joint and of a pose, against their formulas written out in NumPy."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

import parapick as pp
from parapick.supervision import (
    GUARDS,
    JOINT_QUANTITIES,
    POSE_QUANTITIES,
    Signals,
    Supervisor,
    Watch,
    columns_of,
    guard_limits,
    units_of,
)
from parapick.supervision.joint_quantities import joint_kernel
from parapick.supervision.watching import Past

RATE = 1000.0


def seen(name: str, **inputs: np.ndarray | float) -> dict[str, np.ndarray]:
    """Outputs of an expression of a joint at numbers (T,)."""
    kernel = joint_kernel(name)
    columns = [np.asarray(inputs[port.name], dtype=float)[..., None] for port in kernel.ports.inputs]
    return dict(zip((port.name for port in kernel.ports.outputs), kernel(*columns), strict=True))


@pytest.mark.parametrize("resolution", [1e-9, 1e-5])
def test_what_an_encoder_says_of_its_joint(resolution: float) -> None:
    """Acceleration beyond the rounding of a rounded encoder, speed, and rest over the window."""
    rng = np.random.default_rng(3)
    q, before, earlier, first = rng.uniform(-1e-4, 1e-4, (4, 200))
    values = seen(
        "joint_motion", q=q, q_before=before, q_earlier=earlier, q_first=first,
        resolution=resolution, displacement=5e-5, rate=RATE,
    )  # fmt: skip
    rounding = 4 * resolution if resolution == 1e-5 else 0.0
    jump = np.maximum(np.abs(q - 2 * before + earlier) - rounding, 0.0) * RATE**2
    np.testing.assert_allclose(values["jump"], jump, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(values["speed"], np.abs(q - before) * RATE, rtol=1e-12)
    assert values["still"].astype(bool).tolist() == (np.abs(q - first) <= 5e-5).tolist()
    assert 0 < values["still"].sum() < len(q)


def test_an_encoder_that_repeats_its_angle_while_the_reference_moves() -> None:
    values = seen(
        "joint_following",
        q=np.array([0.1, 0.1, 0.1, 0.1]),
        q_before=np.array([0.1, 0.1, 0.1000001, 0.1]),
        q_ref=np.array([0.2, 0.100001, 0.2, np.nan]),
        q_ref_before=0.1,
        resolution=1e-6,
    )
    assert values["frozen"][:3].tolist() == [1.0, 0.0, 0.0]
    np.testing.assert_allclose(values["error"][:3], [0.1, 1e-6, 0.1], rtol=1e-9)
    assert np.isnan(values["error"][3])
    assert seen("joint_effort", command=np.array([-3.0, 2.0]))["effort"].tolist() == [3.0, 2.0]


def test_the_table_names_a_quantity_for_every_guard() -> None:
    outputs = {name for made in JOINT_QUANTITIES.values() for name in made().outputs}
    signals = {field.name for field in fields(Signals)}
    for guard in GUARDS:
        assert guard.name == "unrest" or guard.quantity in outputs | signals | set(POSE_QUANTITIES)
        assert guard.floor == (guard.quantity in POSE_QUANTITIES)


def test_every_column_has_a_unit() -> None:
    model = pp.load("delta-linear")
    columns, units = columns_of(model), units_of(model)
    assert {name: len(words) for name, words in columns.items()} == {name: len(each) for name, each in units.items()}
    assert set(units["following"]) == {"m"}
    assert set(units["jump"]) == {"m/s2"}
    assert (units["workspace"], units["unrest"]) == (("m",), ("s",))
    assert units["position"][-2:] == ("rad", "m")


@pytest.mark.parametrize("name", ["par4", "delta-linear"])
def test_what_is_left_to_the_border_is_what_the_region_says(name: str) -> None:
    model = pp.load(name)
    region = model.numbers.workspace
    x = np.array(model.robot.home) + np.random.default_rng(5).uniform(-0.4, 0.4, (50, model.robot.dof))
    left = region.slack(x)
    np.testing.assert_allclose(model.kernels("border", x)[0].reshape(left.shape), left, atol=1e-14)


def test_without_a_stated_workspace_nothing_is_left_out() -> None:
    """Infinitely much is left to a border that nobody states."""
    par4 = pp.load("par4")
    free = pp.Model(replace(par4.robot, workspace=None))
    assert np.isposinf(free.kernels("border", np.array(par4.robot.home))[0]).all()


def test_a_reference_out_of_reach_trips_what_follows_it_and_no_encoder() -> None:
    """What is not a number is beyond every limit; it is no yes, and it stays with the guards that it concerns."""
    model = pp.load("par4")
    watch = Watch(model, guard_limits(model, Supervisor(), np.full(4, np.inf), RATE), np.full(4, 1e-6), RATE)
    home = np.array(model.robot.home)
    q, far = model.inverse_kinematics(home), home + np.array([0.0, 0.0, -5.0, 0.0])
    none = np.zeros((1, 4))
    signals = Signals(q[None], far[None], far[None], none, np.zeros(1), none, np.zeros(1))
    over = dict(zip((guard.name for guard in GUARDS), watch.look(signals, Past.resting(q, q)).over[0], strict=True))
    tripped = {name for name, beyond in over.items() if beyond}
    assert tripped == {"runaway", "following", "position", "workspace", "singularity"}
