"""Gains in the units of drives, against the slope of each law's torque by the joints' angles and speeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from parapick.control import (
    LAWS,
    Controller,
    Poles,
    SensedPose,
    SensedRates,
    drive_gains,
    gains_tables,
    ready,
    with_sharing_rule,
)
from parapick.control.tuned import with_gains
from parapick.model import Model
from parapick.motion import Motion, straight

SLOPELESS = {"super-twisting"}


def motion_of(model: Model) -> Motion:
    home = np.array(model.robot.home)
    to = home.copy()
    to[0] += 0.02
    return straight(tuple(home), tuple(to), duration=0.1)


def placed(name: str, model: Model, **fields: Any) -> Any:
    law = with_sharing_rule(Controller(LAWS[name](poles=Poles(), **fields)), model).law
    return ready(with_gains(law, model, motion_of(model)), model.robot, 4000.0)  # pyright: ignore[reportArgumentType]


def by_slopes(law: Any, model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Change of each motor's torque per change of its own angle and speed, the plate going with them (n each).

    All that the law measures is exact: with `dx = D dq` a joint that moves alone moves the plate by a column of D.
    """
    home = np.array(model.robot.home)
    stage = law.stage(model.robot)
    inward = np.linalg.pinv(model.inverse_jacobian(home))
    n, still = model.robot.motors, np.zeros(model.robot.dof)
    payload = model.held.vector()
    symbols = [stage.sample.measured.q, stage.sample.measured.qd, stage.sample.measured.x, stage.sample.measured.xd]
    fixed = [stage.sample.reference.x, stage.sample.reference.xd, stage.sample.reference.xdd]
    given = [stage.sample.reference.payload, stage.sample.reference.learned, stage.sample.step, stage.state]
    torque = ca.Function("torque", [*symbols, *fixed, *given], [stage.torque], {"allow_free": True})

    def at(q: np.ndarray, qd: np.ndarray, x: np.ndarray, xd: np.ndarray) -> np.ndarray:
        memory = np.zeros(stage.state.shape[0])
        return np.array(torque(q, qd, x, xd, home, still, still, payload, np.zeros(n), 2.5e-4, memory)).ravel()

    angles, step = model.inverse_kinematics(home), 1e-6
    kp, kd = [], []
    for k in range(n):
        push, moved = np.eye(n)[k] * step, inward[:, k] * step
        ends = [at(angles + s * push, 0 * angles, home + s * moved, still) for s in (1, -1)]
        kp.append((ends[1] - ends[0])[k] / (2 * step))
        ends = [at(angles, s * push, home, s * moved) for s in (1, -1)]
        kd.append((ends[1] - ends[0])[k] / (2 * step))
    return np.array(kp), np.array(kd)


@pytest.mark.parametrize("name", sorted(set(LAWS) - SLOPELESS))
def test_gains_are_slopes_of_the_torque(name: str) -> None:
    model = pp.load("delta-nr").with_gravity(0.0)
    sensing = {"velocity": SensedRates()}
    if hasattr(LAWS[name](), "pose"):
        sensing["pose"] = SensedPose()  # pyright: ignore[reportArgumentType]
    # What a law learns or observes comes on top of its gains.
    others: dict[str, Any] = {"adaptive": {"adapts": "mass"}, "disturbance-observer": {"cutoff": 1e-9}}
    law = placed(name, model, **sensing, **others.get(name, {}))
    gains = drive_gains(law, model, model.robot.home)
    assert gains is not None
    kp, kd = by_slopes(law, model)
    np.testing.assert_allclose(gains.kp, kp, rtol=2e-3)
    np.testing.assert_allclose(gains.kd, kd, rtol=2e-3)


def test_a_law_without_slopes_has_none() -> None:
    model = pp.load("delta-nr")
    for name in SLOPELESS:
        assert drive_gains(placed(name, model), model, model.robot.home) is None
    assert gains_tables(model, motion_of(model), {"mine": Controller(lambda *_: np.zeros(3))}) == []
    assert gains_tables(model, motion_of(model), {"st": Controller(LAWS["super-twisting"](poles=Poles()))}) == []


def test_units_are_those_of_the_drives() -> None:
    rails = pp.load("delta-linear")
    (table,) = gains_tables(rails, motion_of(rails), {"pd": Controller(LAWS["pd"](poles=Poles()))})
    assert [column.unit for column in table.columns] == ["", "", "N/m", "N s/m"]
    assert "the inertia that each motor feels" in table.note
    (table,) = gains_tables(rails, motion_of(rails), {"pd": Controller(LAWS["pd"](kp=1.0, kd=1.0))})
    assert table.note == ""
    spindle = pp.load("fivebar-spindle")
    tables = gains_tables(spindle, motion_of(spindle), {"tsid": Controller(LAWS["tsid"](poles=Poles()))})
    units = {column.unit for table in tables for column in table.columns} - {""}
    assert units == {f"{axis.effort}{per}/{axis.unit}" for axis in spindle.robot.axes for per in ("", " s")}
    motors = [motor for table in tables for motor in table.column("motor")]
    assert len({*motors}) == len(motors)
    assert all("at home" in table.note for table in tables)


def test_motors_alike_share_a_row() -> None:
    model = pp.load("par4")
    motion = motion_of(model)
    own = Controller(LAWS["pd"](kp=(10.0, 10.0, 20.0, 10.0), kd=1.0))
    (table,) = gains_tables(model, motion, {"mine": own})
    assert table.column("motor") == ("1, 2, 4", "3")
    assert table.column("kp") == (10.0, 20.0)
    all_alike = replace(own, law=LAWS["pd"](kp=10.0, kd=1.0))
    (table,) = gains_tables(model, motion, {"mine": all_alike})
    assert table.column("motor") == ("1 to 4",)
