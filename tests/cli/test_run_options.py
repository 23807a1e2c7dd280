"""Controller, task and supervisor otherwise than in their files: the same for `run` as for `simulate`."""

from __future__ import annotations

import shutil
import sys
from typing import Any

import pytest

from parapick.runtime.cell_program import FLAGS

ROBOT, TASK = "par4", "adept-120"

EXACT = 1e-6
"""Share by which numbers may differ: rounding of 1e-9 m in poses, through differences of samples."""

OTHERWISE = {"engine", "stop", "guards"}
"""What ran it; how long a stop is, at whose end brakes hold, which virtual drives close after their times; and where
something came nearest to its limit: of equals, at symmetric poses, rounding chooses one."""

CASES = (
    ("--rate", "2000", "--delay", "2", "--lag", "0.2ms", "--frequency", "25", "--damping", "0.8", "--payload", "200g"),
    ("--controller", "tsid", "--law", "pd", "--encoder", "8192", "--joint-torque", "60Nm", "--friction"),
    ("--law", "ppi", "--delay", "0", "--encoder", "0", "--no-friction", "--cycles", "2", "--settle", "10ms"),
    (
        *("--plant", "limb.rod_mass=150g", "--sharing", "least-peak", "--task-set", "cycles_per_minute=90"),
        *("--start", "0,0,-0.71", "--guard", "torque=15Nm", "--brake", "60Nm", "--set", "limb.arm=340mm"),
    ),
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs as they compile fastest; what they compute is the same."""
    flags = ("-O0" if flag == "-O2" else flag for flag in FLAGS)
    # Its room's front has a function of the module's name.
    monkeypatch.setattr(sys.modules["parapick.runtime.cell_program"], "FLAGS", tuple(flags))


def check_same(got: Any, expected: Any, where: str = "answer") -> None:
    """Compare two documents: texts and structure, numbers but for rounding."""
    if isinstance(expected, dict):
        assert got.keys() == expected.keys(), where
        for key in expected.keys() - OTHERWISE:
            check_same(got[key], expected[key], f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(got) == len(expected), where
        for place, (one, other) in enumerate(zip(got, expected, strict=True)):
            check_same(one, other, f"{where}.{place}")
    elif isinstance(expected, float):
        assert got == pytest.approx(expected, rel=EXACT, abs=EXACT), where
    else:
        assert got == expected, where


@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="a C compiler is missing")
@pytest.mark.parametrize("words", CASES, ids=" ".join)
def test_the_same_options_give_the_same_answer(run: Any, words: tuple[str, ...]) -> None:
    named = () if "--law" in words or "--controller" in words else ("--controller", "tsid")
    simulated = run("simulate", ROBOT, TASK, *named, *words, "--supervised", "--json")
    ran = run("run", ROBOT, TASK, *named, *words, "--lockstep", "--exact", "--json")
    assert ran.code == simulated.code
    for part in ("ok", "tables", "findings", "summary"):
        check_same(ran.json[part], simulated.json[part], part)
    data = ran.data
    runtime = data.pop("runtime")
    check_same(data, simulated.data, "data")
    for column in ("law", "guard", "nearest", "limit"):
        check_same(ran.column("guards", column), simulated.column("guards", column), column)
    stops = [one["runs"][law]["stop"] for one in (data, simulated.data) for law in one["runs"]]
    assert len({stop and stop["kind"] for stop in stops}) == 1
    assert runtime["samples"] > 1000
    settings = {**simulated.json["settings"], "exact": "true"}
    assert settings.pop("supervised") == "true"
    assert ran.json["settings"] == settings
    # What is changed is said.
    assert set(simulated.json["notes"]) <= set(ran.json["notes"])


@pytest.mark.parametrize(
    ("words", "option", "reason"),
    [
        (("--encoder", "0"), "--encoder", "drives count increments; give --exact"),
        (("--delay", "0"), "--delay", "1 is the least; without a clock, --lockstep"),
        (("--command-filter", "60ms"), "command_filter", "leave it out"),
        (("--law", "pd,tsid"), "--law", "names 2 controllers, pd, tsid; a run has one"),
        (("--law", "learning"), "controller", "learns between cycles"),
        (("--plant", "limb.rod=1"), "limb.rod", "did you mean limb.rod_length"),
        (("--interpolation", "1ms"), "--interpolation", "give --drive-mode position"),
        (("--drive-mode", "position", "--interpolation", "0.1ms"), "drives.interpolation", "at least as long"),
        (("--rate", "-5"), "rate", "must be greater than 0"),
        (("--rate", "900000"), "", "a period takes"),
        (("--allow-missed", "5%"), "allow_missed", "is not a field of a task of kind"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_reason(
    run: Any, words: tuple[str, ...], option: str, reason: str
) -> None:
    message = run("run", ROBOT, TASK, *words).message
    assert option in message
    assert reason in message


def test_what_needs_a_clock_or_rounding_may_be_left_out_without_them(run: Any) -> None:
    """The refusals are those of the bus, not of the law: they name what would be valid."""
    for words in (("--encoder", "0", "--exact"), ("--delay", "0", "--lockstep")):
        message = run("run", ROBOT, TASK, *words, "--law", "pd,tsid").message
        assert "a run has one" in message


def test_the_usual_law_is_run_where_none_is_named(run: Any) -> None:
    """Settings of the options are those that `simulate` states."""
    done = run("run", ROBOT, "adept-13g", "--lockstep", "--payload", "1kg", "--frequency", "25", "--json")
    assert done.code == 1
    assert done.json["settings"] == {"payload": "1kg", "controller.frequency": "25"}
