"""A small valid robot file for the tests of this folder to break in one place or another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

DELTA = """\
# a comment at the top
format = 1
name = "small"
title = "A small Delta"
home = [0.0, 0.0, "-500 mm"]

[base]
kind = "radial"
radius = "200 mm"  # of the motors
angles = ["0 deg", "120 deg", "240 deg"]

[limb]
arm = "200 mm"
rod_length = "500 mm"
rod_mass = 0.05

[plate]
kind = "rigid"
radius = "50 mm"

[drive]
rated_torque = "5 N m"
peak_torque = "10 N m"

[limits]
joint_min = "-90 deg"
joint_max = "90 deg"

[workspace]
kind = "cylinder"
radius = 0.1
z_min = -0.55
z_max = -0.45

[working_modes]
default = "out"
out = "+++"
in = "---"

[sources]
"limb.arm" = "chosen: short"
"""

Writer = Callable[..., Path]


@pytest.fixture(scope="session")
def delta() -> str:
    return DELTA


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    """Write the small robot with some texts replaced, and return its path."""

    def written(*changes: tuple[str, str], text: str = DELTA, name: str = "robot.toml") -> Path:
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
            text = text.replace(old, new)
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written
