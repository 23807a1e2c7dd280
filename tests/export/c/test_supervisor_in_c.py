"""The supervisor in C against Python's: every step of a cell, guards on runs with every fault, the controlled stop."""

from __future__ import annotations

import shutil
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from cells import RULES, beyond, explored
from export.c.libraries import program_output
from parapick.cli import main
from parapick.control import ModelChanges, machine_controller
from parapick.errors import ParameterError
from parapick.export.c.supervised import NEEDED
from parapick.export.c.supervisor_step import EVENTS, STATES
from parapick.operation import FAULT_KINDS
from parapick.ride import Pose
from parapick.supervision import (
    GUARDS,
    NAMES,
    CellMemory,
    Observation,
    Past,
    Rules,
    Signals,
    State,
    StopLimits,
    Supervisor,
    Watch,
    Watched,
    guard_limits,
    step,
    still_displacement,
    stop_plan,
)
from supervisors_in_c import MEMORY, RATE, SEEN, Library, exact_machine, supervisor_library

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")

ROUNDING = 1e-12
"""Share of the largest value of a quantity by which two compilers may differ."""


def rules_in_c(rules: Rules) -> np.ndarray:
    return np.array([*rules.persistence, rules.settled], dtype="i4")


def memory_row(memory: CellMemory) -> tuple[Any, ...]:
    numbers = (STATES.index(memory.state), memory.fault, int(memory.homed))
    return (*numbers, memory.counts, memory.rest, EVENTS.index(memory.event), memory.cause)


def seen_row(seen: Observation) -> tuple[Any, ...]:
    return (seen.over, int(seen.still), int(seen.arrived), EVENTS.index(seen.command))


def taken_in_c(library: Library, memories: list[CellMemory], seen: list[Observation]) -> np.ndarray:
    """What C makes of many memories with an observation each."""
    rows = np.array([memory_row(memory) for memory in memories], MEMORY)
    observed = np.array([seen_row(each) for each in seen], SEEN)
    library.call("steps", rules_in_c(RULES), rows, observed, len(rows))
    return rows


def every_observation() -> list[Observation]:
    """Each guard alone, none, and all; every event as a command, the machine's own among them."""
    overs = [beyond(), *(beyond(name) for name in NAMES), beyond(*NAMES)]
    truths = (True, False)
    return [Observation(*each) for each in product(overs, truths, truths, EVENTS)]


def test_every_step_of_a_cell_is_that_of_python(par4: Library) -> None:
    """Every memory that can be reached, with every kind of observation and every event."""
    reached = list({memory: None for memory, _, _ in explored()})
    assert {memory.state for memory in reached} == set(State)
    given = [(memory, seen) for memory in reached for seen in every_observation()]
    memories, seen = map(list, zip(*given, strict=True))
    expected = np.array([memory_row(step(RULES, *each)) for each in given], MEMORY)
    found = taken_in_c(par4, memories, seen)
    assert len(found) > 100_000
    assert (found == expected).all()


def test_steps_one_after_the_other_are_those_of_python(par4: Library) -> None:
    """As they were explored: what a step leaves is what the next begins with, counts and causes included."""
    steps = explored()
    found = taken_in_c(par4, [before for before, _, _ in steps], [seen for _, seen, _ in steps])
    assert (found == np.array([memory_row(then) for _, _, then in steps], MEMORY)).all()


@pytest.mark.parametrize("command", [-1, -(2**31), len(EVENTS), 2**31 - 1])
def test_a_command_that_is_none_is_nothing(par4: Library, command: int) -> None:
    """Numbers beyond the events are not looked up in any table."""
    memory = np.array([memory_row(CellMemory())], MEMORY)
    seen = np.array([seen_row(Observation(beyond(), False, False))], SEEN)
    seen["command"] = command
    par4.call("supervisor_step", rules_in_c(RULES), memory, seen)
    assert memory[0] == np.array([memory_row(CellMemory())], MEMORY)[0]


def test_a_reset_is_a_cell_that_is_off(par4: Library) -> None:
    memory = np.array([memory_row(CellMemory(State.FAULT, 3, True, (2,) * len(GUARDS), 5, None, 1))], MEMORY)
    assert par4.call("supervisor_energised", memory) == 0
    par4.call("supervisor_reset", memory)
    assert memory[0] == np.array([memory_row(CellMemory())], MEMORY)[0]
    memory["state"] = STATES.index(State.RUNNING)
    assert par4.call("supervisor_energised", memory) == 1


Looks = list[tuple[Watch, Signals, Past, Watched]]


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    """Everything that the guards of the runs of a test look at, and what they see."""
    noted: Looks = []
    look = Watch.look

    def noting(watch: Watch, signals: Signals, past: Past) -> Watched:
        watched = look(watch, signals, past)
        noted.append((watch, signals, past, watched))
        return watched

    monkeypatch.setattr(Watch, "look", noting)
    return noted


def seen_in_c(library: Library, watch: Watch, signals: Signals, past: Past) -> tuple[np.ndarray, np.ndarray]:
    """Quantities and observations by C, sample by sample."""
    count = len(signals.q_meas)
    rows, quantities = np.zeros(count, library.signals), np.zeros(count, library.quantities)
    for name in library.signals.names or ():
        rows[name] = getattr(signals, name)
    before, seen = np.zeros(1, library.past), np.zeros(count, SEEN)
    before["q_meas"], before["q_ref"] = past.q_meas, past.q_ref
    limits = np.zeros(1, limits_layout(library))
    for name, values in watch.limits.values.items():
        limits["limit"][name] = values
    limits["resolution"], limits["rate"] = watch.resolution, watch.rate
    limits["displacement"] = still_displacement(watch.rate, watch.resolution)
    library.call("looks", library.numbers, limits, before, rows, quantities, seen, count)
    return quantities, seen


def limits_layout(library: Library) -> np.dtype:
    n = library.model.robot.motors
    fields = [("limit", library.quantities), ("resolution", "f8", n), ("displacement", "f8", n), ("rate", "f8")]
    return np.dtype(fields)


def same_looks(library: Library, looks: Looks) -> set[str]:
    """Compare every look with C; the guards that were beyond their limits."""
    tripped: set[str] = set()
    for watch, signals, past, watched in looks:
        quantities, seen = seen_in_c(library, watch, signals, past)
        for name, values in watched.values.items():
            largest = np.max(np.abs(values), where=np.isfinite(values), initial=1.0)
            np.testing.assert_allclose(quantities[name], values, rtol=0.0, atol=ROUNDING * largest, err_msg=name)
        assert (seen["over"].astype(bool) == watched.over).all()
        assert (seen["still"].astype(bool) == watched.still).all()
        tripped |= {name for name, over in zip(NAMES, watched.over.any(axis=0), strict=True) if over}
    return tripped


def fault_text(name: str) -> str:
    target = {"motor": ":2", "coordinate": ":x"}.get(FAULT_KINDS[name].target, "")
    return f"{name}{target}@0.05"


def test_guards_of_runs_with_every_fault_are_those_of_python(par4: Library, looks: Looks) -> None:
    """Quantities to rounding; what is beyond its limit, and what rests, at the same samples."""
    cycle = pp.adept_cycle(par4.model, cycles_per_minute=150)
    for name in FAULT_KINDS:
        pp.supervise(par4.model, cycle, machine_controller("tsid"), faults=[fault_text(name)])
    tripped = same_looks(par4, looks)
    assert {"drive", "jump", "emergency", "workspace", "following", "deadline", "frozen"} <= tripped


def test_limits_of_c_are_those_of_the_file(par4: Library) -> None:
    limits = par4.default("default_guard_limits", limits_layout(par4))
    expected = guard_limits(par4.model, Supervisor(), np.full(4, np.inf), RATE).values
    for name in NAMES:
        assert limits["limit"][name].tolist() == expected[name].tolist()
    assert limits["resolution"].tolist() == [1e-9] * 4
    # 0.05 rad/s over 20 samples.
    assert limits["displacement"] == pytest.approx([0.05 * 20 / RATE] * 4)
    assert limits["rate"] == RATE


def test_a_robot_of_carriages_is_guarded_alike(looks: Looks, tmp_path: Path) -> None:
    """Three freedoms, no yaw; carriages, and stops of every kind that a file can state."""
    model = pp.load("delta-linear")
    library = supervisor_library(model, exact_machine(), tmp_path)
    cycle = pp.adept_cycle(model, cycles_per_minute=150)
    pp.supervise(model, cycle, machine_controller("tsid"), faults=["drift:x@0.05"])
    assert same_looks(library, looks) >= {"workspace"}


def test_a_robot_that_rests_has_been_there_all_the_time(par4: Library) -> None:
    past, q = np.zeros(1, par4.past), np.arange(4.0)
    past["oldest"] = 7
    par4.call("guards_reset", past, q, 2.0 * q)
    assert (past["q_meas"] == q).all()
    assert past["q_ref"][0].tolist() == (2.0 * q).tolist()
    assert past["oldest"] == 0


def plan_in_c(library: Library, limits: StopLimits, course: Any, s: float, pace: float) -> dict[str, np.ndarray]:
    """A whole stop by C, the path asked for in Python."""
    n, dof = library.model.robot.motors, library.model.robot.dof
    held = np.array([*limits.torque, limits.reserve, limits.stop_time, 1.0 / limits.rate])
    assert len(held) == n + 3
    state, load, moving, rows = np.zeros(3), np.zeros(1), 1, []
    library.call("stop_begin", held, state, s, pace)
    while moving:
        at, (s, pace, _) = course(float(state[0])), state.tolist()
        xd, xdd = np.zeros(dof), np.zeros(dof)
        columns = [np.ascontiguousarray(column, dtype=float) for column in (*at, limits.payload)]
        moving = library.call("stop_step", library.numbers, held, state, *columns, xd, xdd, load)
        rows.append((s, pace, xd, xdd, load[0]))
    names = ("s", "pace", "xd", "xdd", "load")
    return {name: np.array(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


@pytest.mark.parametrize(("at", "torque"), [(0.1, 90.0), (0.1, 12.0), (0.03, 25.0)])
def test_the_stop_is_that_of_python(par4: Library, at: float, torque: float) -> None:
    """In the stated time, later where motors are weak, and where they cannot hold their share at all."""
    model = par4.model
    cycle = pp.adept_cycle(model, cycles_per_minute=150)
    limits = StopLimits(model, model.held.vector(), np.full(4, torque), 0.1, 0.05, RATE)

    def course(s: float) -> Pose:
        return Pose(*cycle.at(s))

    plan, found = stop_plan(limits, course, at, 1.0), plan_in_c(par4, limits, course, at, 1.0)
    for name, values in found.items():
        expected = getattr(plan, name)
        np.testing.assert_allclose(values, expected, rtol=0.0, atol=1e-11 * np.abs(expected).max(), err_msg=name)
    assert found["pace"][-1] == 0.0


def test_stop_limits_and_rules_of_c_are_those_of_a_supervised_run(par4: Library) -> None:
    held = par4.default("default_stop_limits", np.dtype(("f8", 7)))
    assert held.tolist() == [90.0, 90.0, 90.0, 90.0, 0.1, 0.05, 1.0 / RATE]
    rules = par4.default("default_rules", np.dtype(("i4", len(GUARDS) + 1)))
    by_name = dict(zip(NAMES, rules.tolist(), strict=False))
    assert (by_name["frozen"], by_name["unrest"], by_name["torque"], by_name["deadline"]) == (10, 2000, 80, 3)
    assert rules[-1] == 20


@pytest.mark.parametrize(
    ("real", "fixed", "compiler"),
    [(*each, name) for each, name in ((("float", False), "gcc"), (("double", True), "clang")) if shutil.which(name)],
)
def test_the_test_program_checks_the_supervisor(real: Any, fixed: bool, compiler: str, tmp_path: Path) -> None:
    """It compiles without a warning, numbers constant or of single precision, and agrees with the library."""
    exported = pp.export_c("delta-linear", "tsid", real=real, fixed=fixed)
    printed = program_output(exported, tmp_path, compiler=compiler)
    assert "ok    supervisor_step: 0 differ" in printed
    assert "ok    guards over and still: 0 differ" in printed
    assert "ok    stop_step s, pace, load, xd, xdd" in printed
    source = exported.texts["delta_linear_supervisor.c"]
    assert ("const delta_linear_parameters *p" in source) is not fixed
    assert "malloc" not in source
    # One copy of the model, not one per try.
    assert source.count("static int delta_linear_stop_try(") == 1


def test_the_test_program_sees_a_wrong_transition(tmp_path: Path) -> None:
    exported = pp.export_c("delta-linear", "tsid", functions=NEEDED)
    source = exported.texts["delta_linear_supervisor.c"]
    exported.texts["delta_linear_supervisor.c"] = source.replace("if (brake) event", "if (!brake) event")
    exported.write(tmp_path)
    with pytest.raises(AssertionError, match="WRONG supervisor_step"):
        program_output(exported, tmp_path)


@pytest.mark.parametrize(
    ("robot", "settings", "why"),
    [
        ("par4", {}, "none is given"),
        ("par4", {"controller": "pd", "functions": ("inverse_kinematics",)}, "its guards call forward_kinematics"),
        ("par4", {"controller": replace(machine_controller("pd"), command_filter=0.002)}, "command_filter"),
    ],
)
def test_why_there_is_no_supervisor_is_said(robot: str, settings: dict[str, Any], why: str) -> None:
    exported = pp.export_c(robot, **settings)
    assert f"{exported.prefix}_supervisor.c" not in exported.texts
    (said,) = [each for each in exported.left_out if each.startswith("supervisor: ")]
    assert why in said
    assert why in exported.texts["README.md"]


def test_guards_of_another_robot_than_the_file_s_get_its_numbers(tmp_path: Path) -> None:
    """Where the controller takes the robot for another one, so does its supervisor, as in a simulation."""
    heavier = replace(machine_controller("tsid"), model=ModelChanges(parameters={"limb.arm_mass": 2.5}))
    exported = pp.export_c("par4", heavier)
    assert "extern const par4_parameters par4_believed;" in exported.texts["par4.h"]
    assert ".limb_arm_mass = 2.5," in exported.texts["par4_supervisor.c"]
    assert "all agree" in program_output(exported, tmp_path)
    (said,) = pp.export_c("par4", heavier, fixed=True).left_out
    assert "other numbers than the code has" in said


def test_a_limit_outside_the_file_is_refused() -> None:
    strict = Supervisor(replace(Supervisor().guards, speed=6.0))
    with pytest.raises(ParameterError, match="at most 5 m/s"):
        pp.export_c("delta-linear", exact_machine(), supervisor=strict)


def test_a_limit_on_the_command_line_is_that_of_the_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["export", "c", "delta-linear", "--guard", "following=1mm", "--out", str(tmp_path)]
    assert main([*asked, "--controller", "tsid"]) == 0
    source = (tmp_path / "delta_linear_supervisor.c").read_text()
    assert "/* following */ {0.001, 0.001, 0.001}" in source
    assert main(asked) == 2
    assert "give --controller, too" in capsys.readouterr().err
