"""Limits on jerk that cannot be: each named by its field, with what would be valid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import parapick as pp
from parapick.errors import ParapickError
from parapick.mechanism import problems
from stated import stating

FINE: dict[str, Any] = {"joint_acceleration": 600.0, "joint_jerk": 6e4, "jerk_over_payload": ((0.0, 1.0), (1.0, 0.5))}


def messages(name: str = "par4", **limits: Any) -> dict[str, str]:
    return {problem.path: problem.message for problem in problems(stating(name, limits=limits).robot)}


def test_what_is_fine() -> None:
    assert not messages(**FINE)
    assert not messages("delta-linear", carriage_acceleration=100.0, carriage_jerk=(1e3, 2e3, 3e3))


@pytest.mark.parametrize(
    ("changed", "path", "valid"),
    [
        ({"joint_acceleration": None}, "limits.joint_jerk", "limits.joint_acceleration"),
        ({"joint_jerk": None}, "limits.jerk_over_payload", "limits.joint_jerk"),
        ({"joint_jerk": 0.0}, "limits.joint_jerk", "greater than 0"),
        ({"joint_jerk": (6e4, 6e4)}, "limits.joint_jerk", "one for each leg"),
        ({"jerk_over_payload": ((1.0, 1.0), (1.0, 0.5))}, "limits.jerk_over_payload.2", "order of their masses"),
        ({"jerk_over_payload": ((1.0, 1.0), (0.5, 0.5))}, "limits.jerk_over_payload.2", "order of their masses"),
        ({"jerk_over_payload": ((0.0, 1.0), (1.0, 50.0))}, "limits.jerk_over_payload.2", "0.5 for 50 %"),
        ({"jerk_over_payload": ((0.0, 1.2),)}, "limits.jerk_over_payload.1", "at most 1"),
        ({"jerk_over_payload": ((0.0, 1.0), (1.0, 0.0))}, "limits.jerk_over_payload.2", "greater than 0"),
        ({"jerk_over_payload": tuple((float(k), 1.0) for k in range(65))}, "limits.jerk_over_payload", "at most 64"),
        ({"carriage_jerk": 1e3}, "limits.carriage_jerk", "joint_jerk"),
    ],
)
def test_what_cannot_be_is_named(changed: dict[str, Any], path: str, valid: str) -> None:
    assert valid in messages(**(FINE | changed))[path]


def test_a_file_states_them_with_units_and_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    pp.save(stating("par4", limits=FINE), file)
    text = file.read_text()
    named = text.replace("joint_jerk = 60000.0", 'joint_jerk = "4.2e6 deg/s3"').replace("[1.0, 0.5]", '["1 kg", 0.5]')
    file.write_text(named)
    assert pp.load(file).motors.joint_jerk[0] == pytest.approx(73303.8, rel=1e-5)
    file.write_text(named.replace("joint_acceleration = 600.0\n", ""))
    with pytest.raises(ParapickError, match=r"own.toml.*\n.*limits.joint_jerk: .*joint_acceleration"):
        pp.load(file)
    file.write_text(named.replace("4.2e6 deg/s3", "4.2e6 deg/s2"))
    with pytest.raises(ParapickError, match="angular jerk"):
        pp.load(file)
