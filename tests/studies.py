"""A small study for the tests: one line of corbel2010 at few samples, over a coarse cylinder."""

from __future__ import annotations

import tomllib
from pathlib import Path

from parapick.study import Study, read_study

SMALL = """
format = 1
name = "small"
robot = "r4-100g"
payload = "250 g"
sharing = "least-norm"
rate = 1000
chunk = 64
best = 1
objectives = ["peak_torque"]

[set]
gravity = 0

[set.limb]
rod_model = "halves"

[parameters]
"base.radius" = { from = "80 mm", to = "240 mm", count = 4 }
"limb.arm" = { from = "180 mm", to = "270 mm", count = 4 }
"limb.rod_length" = { from = "450 mm", to = "650 mm", count = 4 }
"workspace.z_min" = { from = "-850 mm", to = "-250 mm", step = "100 mm" }

[dependent]
"workspace.z_max" = { of = "workspace.z_min", plus = "100 mm" }
"home.3" = { of = "workspace.z_min", plus = "50 mm" }

[requirements]
reach = { points = [3, 8, 2] }
leave_out = ["motor torque, peak"]

[[methods]]
kind = "grid"

[[methods]]
kind = "sobol"
points = 1024
rounds = 8

[[methods]]
kind = "gradient"
points = 512
starts = 1

[[tasks]]
kind = "line"
frame = "workspace"
start = [0, 0, "-50 mm"]
end = ["300 mm", 0, "-50 mm"]
law = { name = "pulse", lam = 0.73 }
v_max = 11
a_max = 981
"""


def changed(*changes: tuple[str, str]) -> str:
    """The text of the small study with some texts in it replaced."""
    text = SMALL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def study_of(text: str = SMALL, folder: Path | None = None) -> Study:
    """The study of a text that describes one."""
    study, problems = read_study(tomllib.loads(text), folder)
    assert study is not None, problems
    return study


def problems_of(text: str, folder: Path | None = None) -> dict[str, str]:
    """What is wrong with a text, by path."""
    study, problems = read_study(tomllib.loads(text), folder)
    assert study is None
    return {problem.path: problem.message for problem in problems}
