"""Every limit of an instant, asked of every command that knows a motion: they agree, and the limit alone decides."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from adept_limits import ENOUGH, PACE, ROBOT, TASK, TOO_LITTLE, Question, agree, finding
from parapick.evaluation import Run, evaluate
from parapick.formulas import INSTANT
from parapick.motion import Motion, law_of
from parapick.tasks import load_task
from parapick.timing import fastest_cycle
from stated import limited, loads_of, stating, uses

TITLES = {kind.key: kind.title for kind in INSTANT}

LAWS = {key: "3-4-5" if key == "jerk" else "trapezoidal" for key in TITLES}
"""Laws of the task: one without jumps of the acceleration where its jerk is limited."""


def task(key: str) -> Any:
    return replace(load_task(TASK), law=law_of(LAWS[key]))


@cache
def own_motion(key: str) -> Motion:
    return task(key).motion(pp.load(ROBOT))


@cache
def loads(key: str) -> dict[str, float]:
    return loads_of(ROBOT, own_motion(key))


def robot(key: str, share: float) -> pp.Model:
    if key == "curve":
        # At the speed at which the torque over the motion comes nearest to a curve of constant power.
        wide = limited(ROBOT, key, 0.5, loads(key))
        return limited(ROBOT, key, 0.5 * share * uses(wide, own_motion(key))["curve"], loads(key))
    return limited(ROBOT, key, share, loads(key))


@pytest.mark.parametrize("key", TITLES)
def test_commands_agree_on_a_limit_that_alone_decides(key: str, tmp_path: Path) -> None:
    question = Question(task(key), f'{PACE}\nlaw = "{LAWS[key]}"', law="pd")
    agree((robot(key, TOO_LITTLE), robot(key, ENOUGH)), question, TITLES[key], tmp_path)


@pytest.mark.parametrize("key", TITLES)
def test_the_fastest_cycle_is_a_yes_at_its_limit(key: str) -> None:
    free = fastest_cycle(pp.load(ROBOT), load_task(TASK))
    share = 0.3 if key == "curve" else 0.8
    # The fastest cycle without it has no jerk at all.
    model = limited(ROBOT, key, share, loads(key) if key == "jerk" else loads_of(ROBOT, free))
    motion = fastest_cycle(model, load_task(TASK))
    requirements = Run.of(model, motion).requirements
    assert all(requirement.ok for requirement in requirements)
    assert finding(requirements, TITLES[key]).use == pytest.approx(1.0, abs=2e-3)
    assert motion.duration > free.duration


def test_a_robot_without_them_has_none() -> None:
    names = {requirement.name for requirement in Run.of(pp.load(ROBOT), own_motion("curve")).requirements}
    assert not names & set(TITLES.values())


def test_a_jump_of_the_acceleration_is_a_no_that_names_a_law() -> None:
    model = stating(ROBOT, limits={"joint_acceleration": 1e6, "joint_jerk": 1e9})
    evaluation = evaluate(model, TASK, sections=["joints", "fastest"])
    (jerk,) = (one for one in evaluation.sections[0].findings if one.name == "joint jerk")
    assert not jerk.ok
    assert jerk.value == np.inf
    assert "acceleration jumps at 0 s" in jerk.text
    assert all(np.isfinite(law_of(name).profile(edge=0.2).jerk_coefficient) for name in ("s-curve", "3-4-5"))
    assert "s-curve and 3-4-5" in jerk.text
    # No pace makes a jump smaller; the fastest timing has none.
    assert evaluation.paces is not None
    assert evaluation.paces.own_law is None
    assert "acceleration jumps" in evaluation.paces.no_own_law
    assert evaluation.paces.timed is not None
    assert len(evaluation.paces.timed.motion.corners) == 0


def test_a_payload_leaves_half_of_the_jerk() -> None:
    limits = {"joint_acceleration": 1e6, "joint_jerk": 9e4, "jerk_over_payload": ((0.35, 1.0), (1.0, 0.5))}
    cycle = own_motion("jerk")
    for mass, share in ((0.0, 1.0), (0.2, 1.0), (0.675, 0.75), (1.0, 0.5), (2.0, 0.5)):
        jerk = finding(Run.of(stating(ROBOT, limits=limits).with_payload(mass), cycle).requirements, TITLES["jerk"])
        assert jerk.limit == pytest.approx(share * 9e4, rel=1e-12)


def test_the_largest_payload_is_where_the_jerk_it_leaves_is_used_up() -> None:
    """Along the line from all of it at 0 kg to half of it at 2 kg."""
    taken = loads("jerk")["jerk"]
    limits = {"joint_acceleration": 1e6, "joint_jerk": taken / 0.8, "jerk_over_payload": ((0.0, 1.0), (2.0, 0.5))}
    data = evaluate(stating(ROBOT, limits=limits), task("jerk"), sections=["capability"]).sections[-1].data
    assert data["largest_payload"] == pytest.approx(0.8, rel=1e-4)
    assert data["largest_payload_limited_by"] == TITLES["jerk"]


def test_what_decides_the_fastest_cycle_is_named() -> None:
    model = stating(ROBOT, limits={"joint_acceleration": 300.0})
    section = evaluate(model, TASK, sections=["fastest"]).sections[-1]
    assert "joint acceleration" in str(section.data) + " ".join(section.notes) + str(section.summary)
