"""The page on motions: its task loads, its table of coefficients is right."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from parapick.motion import LAWS, adept_cycle, law_of
from parapick.tasks import AdeptTask, load_task

PAGE = (Path(__file__).parents[2] / "docs" / "motion.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)


def test_the_task_is_a_motion(tmp_path: Path) -> None:
    path = tmp_path / "my-cycle.toml"
    path.write_text(blocks("toml")[0], encoding="utf-8")
    assert load_task(path).motion().duration == pytest.approx(60 / 90)


def test_the_table_of_laws() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \|.*\| *([\d.]*) \| *([\d.]*) \| *([\d.∞]*) \|$", PAGE, flags=re.MULTILINE)
    assert {name for name, *_ in rows} == set(LAWS)
    for name, *printed in rows:
        if not printed[0]:
            continue
        profile = law_of(name).profile()
        found = (profile.velocity_coefficient, profile.acceleration_coefficient, profile.jerk_coefficient)
        values = [math.inf if text == "∞" else float(text) for text in printed]
        assert found == pytest.approx(values, rel=5e-4)


def test_the_table_of_corners() -> None:
    limits = {"v_max": 3.8, "a_max": 130.0}
    times = [
        adept_cycle(**limits).duration,
        AdeptTask(name="cycle", **limits, overlap=0.5, per_stroke=True).motion().duration,
        adept_cycle(**limits, overlap=0.5).duration,
        adept_cycle(**limits, corner_radius=0.01, law="fastest").duration,
        adept_cycle(**limits, corner_radius=0.025, law="fastest").duration,
    ]
    printed = [float(text) for text in re.findall(r"^\| .* \| (0\.\d{3}) s \|$", PAGE, flags=re.MULTILINE)]
    assert times == pytest.approx(printed, abs=6e-4)
