"""The virtual cell is the plant of a simulation, behind drives, brakes and a bus."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism import combined
from parapick.operation import FAULT_KINDS, fault_from
from parapick.runtime.layout import EMERGENCY, IN, LATE, SEGMENT
from parapick.simulation import Record
from parapick.supervision import State, Supervisor
from runtime.compiled import BRING_UP, Library, frames, pointer
from runtime.standard import STATES

TOLERANCE = 1e-9
"""Metres and radians: the last digit that exported C states."""


def applied(record: Record, delay: int) -> np.ndarray:
    """Torques that the drives of a simulation were asked for (T, n)."""
    limited = np.clip(record.command, -record.torque_max, record.torque_max)
    return np.concatenate([np.repeat(limited[:1], delay, axis=0), limited[: len(limited) - delay]])


def replayed(library: Library, record: Record, delay: int, *, exact: bool = True, **changes: Any) -> np.ndarray:
    """The cell under the torques of a simulation, from its first sample on."""
    cell = replace(library.cell, exact=exact, **changes)
    whole = library.segment(cell)
    outs = frames(BRING_UP + len(record.t))
    torques = applied(record, delay)
    rows = outs["drives"][BRING_UP:]
    rows["exact_torque"][:, : torques.shape[1]] = torques
    per_mille = np.floor(torques / cell.units()["torque"] + 0.5)
    rows["target_torque"][:, : torques.shape[1]] = per_mille
    outs["state"][BRING_UP:] = list(State).index(State.RUNNING)
    return library.run(library.started(whole), outs)[BRING_UP:]


@pytest.fixture(scope="module")
def delay(library: Library) -> int:
    return library.cell.assembly.controller.delay


def test_the_plant_is_that_of_a_simulation(library: Library, record: Record, delay: int) -> None:
    """Friction, lag, encoders, and a plant that differs from its model: sample by sample, to the last stated digit."""
    seen = replayed(library, record, delay)
    dof, motors = record.x.shape[1], record.q.shape[1]
    assert np.abs(record.x - record.x[0]).max() > 0.1
    assert seen["x"][:, :dof] == pytest.approx(record.x, abs=TOLERANCE)
    assert seen["xd"][:, :dof] == pytest.approx(record.xd, abs=1e3 * TOLERANCE)
    assert seen["drives"]["exact_position"][:, :motors] == pytest.approx(record.q_meas, abs=TOLERANCE)
    # At the first sample the drives are not enabled yet; from then on they give what a simulation starts with.
    assert seen["drives"]["exact_torque"][1:, :motors] == pytest.approx(record.torque[1:], abs=1e-6)
    assert seen["drives"]["exact_speed"][:, :motors] == pytest.approx(record.qd, abs=1e3 * TOLERANCE)


def test_increments_are_what_encoders_say(library: Library, record: Record, delay: int) -> None:
    """No angle is lost by the integers: an increment times its length is the encoder's angle, bit for bit."""
    seen = replayed(library, record, delay)["drives"]
    motors = record.q.shape[1]
    angle = library.cell.units()["angle"]
    assert np.array_equal(angle * seen["position"][:, :motors], seen["exact_position"][:, :motors])


def test_per_mille_are_off_by_half_of_one(library: Library, record: Record, delay: int) -> None:
    """Through the integers the torques of the drives differ by their rounding, and nothing else does."""
    exact, rounded = (replayed(library, record, delay, exact=exact)["drives"] for exact in (True, False))
    motors = record.q.shape[1]
    apart = np.abs(exact["exact_torque"] - rounded["exact_torque"])[:, :motors].max(axis=0)
    half = 0.5 * library.cell.units()["torque"]
    assert np.all(apart <= half * (1 + 1e-9))
    assert np.all(apart > 0.5 * half)


def test_the_robot_stands_where_it_starts_until_a_drive_is_enabled(library: Library) -> None:
    whole = library.segment()
    seen = library.run(library.started(whole), frames(50, word=0x07))
    assert np.ptp(seen["x"], axis=0).max() == 0.0
    assert seen["drives"]["brake"][:, : library.cell.plant.robot.motors].min() == 1
    assert seen["cycle"].tolist() == list(range(50))
    assert seen["answers"].tolist() == [0, *range(1, 50)]


def test_brakes_hold_what_motors_let_go(library: Library, record: Record, delay: int) -> None:
    """In the middle of the motion all drives are switched off: the robot comes to rest and stays."""
    cell = replace(library.cell, exact=True)
    outs, begin = frames(BRING_UP + 1200), BRING_UP + 400
    outs["drives"]["exact_torque"][BRING_UP:, :4] = applied(record, delay)[:1200]
    outs["drives"]["control_word"][begin:] = 0
    seen = library.run(library.started(library.segment(cell)), outs)
    moving = np.abs(seen["xd"][begin]).max()
    assert moving > 0.1
    assert np.abs(seen["xd"][-1]).max() < 1e-3 * moving
    assert seen["drives"]["status_word"][-1, 0] & 0x4F == 0x40
    assert seen["drives"]["brake"][-1, :4].tolist() == [1, 1, 1, 1]


def test_brakes_bring_a_robot_to_rest_where_a_supervised_run_does(library: Library) -> None:
    """Power goes in the middle of the task: what follows is what `supervise` has on brakes, but for the current's lag.

    There the drives' torque is gone at once, here it decays with 0.2 ms, which shifts the pose of rest a little.
    """
    assembly = library.cell.assembly
    start = Supervisor(start=library.cell.start)
    fault = "drive:2@0.35"
    run = pp.supervise(assembly.model, assembly.motion, assembly.controller, supervisor=start, faults=[fault])
    record, off = run.record, run.changes[-1].sample
    torques = applied(record, assembly.controller.delay)[:off]
    outs = frames(BRING_UP + len(record.t))
    outs["drives"]["exact_torque"][BRING_UP : BRING_UP + off, :4] = torques
    outs["drives"]["control_word"][BRING_UP + off :] = 0
    seen = library.run(library.started(library.segment(replace(library.cell, exact=True))), outs)[BRING_UP:]
    assert seen["x"][:off, :4] == pytest.approx(record.x[:off], abs=TOLERANCE)
    speed, way = np.linalg.norm(record.xd[off, :3]), np.linalg.norm(record.x[-1, :3] - record.x[off, :3])
    assert speed > 0.1
    assert np.linalg.norm(seen["x"][-1, :3] - record.x[-1, :3]) < 0.05 * way


def test_a_silent_master_is_noticed(library: Library) -> None:
    """Drives with power react after the watchdog's time: no torque, brakes, an error that says why."""
    whole = library.segment()
    cycles = int(whole["head"]["watchdog"]) // int(whole["head"]["period"])
    assert cycles == 20
    outs = frames(100)
    outs["cycle"][30:] = 0
    outs["drives"]["target_torque"] = 50
    seen = library.run(library.started(whole), outs)
    errors = seen["drives"]["error_code"][:, 0]
    # Frame 29 was the last: it acts from sample 30 on, and `missed` counts the cycles after it.
    first = int(np.argmax(errors == 0x8130))
    assert first == 30 + cycles
    assert seen["missed"][first] == cycles
    states = [library.functions.pp_cia402_state(int(word)) for word in seen["drives"]["status_word"][first:, 0]]
    assert [STATES[state] for state in states[:2]] == ["FAULT REACTION ACTIVE", "FAULT"]
    assert seen["drives"]["brake"][first, :4].tolist() == [1, 1, 1, 1]
    assert np.abs(seen["drives"]["torque"][first + 20 :, :4]).max() <= 1


def test_a_master_may_go_when_drives_are_off(library: Library) -> None:
    outs = frames(100, word=0x00)
    outs["cycle"][30:] = 0
    seen = library.run(library.started(library.segment()), outs)
    assert seen["missed"][-1] == 69
    assert not seen["drives"]["error_code"].any()


def test_frames_that_get_lost_let_the_last_one_act(library: Library) -> None:
    outs = frames(60)
    outs["drives"]["target_torque"][BRING_UP:, 2] = 100
    outs["cycle"][[40, 41, 45]] = 0
    outs["drives"]["target_torque"][[40, 41, 45], 2] = -100
    whole = library.segment()
    lost = library.run(library.started(whole), outs)
    outs["drives"]["target_torque"][[40, 41, 45], 2] = 100
    outs["cycle"] = 1 + np.arange(60)
    whole_run = library.run(library.started(library.segment()), outs)
    assert np.array_equal(lost["x"], whole_run["x"])
    assert lost["missed"][[40, 41, 42, 43, 46, 47]].tolist() == [0, 1, 2, 0, 1, 0]


def test_a_plant_that_is_lost_breaks_its_encoders(library: Library) -> None:
    """Torques that throw the plate out of reach end in NaN, and a drive takes that for a broken encoder."""
    outs = frames(4000)
    outs["drives"]["target_torque"][BRING_UP:, :4] = [32767, -32768, 32767, -32768]
    seen = library.run(library.started(library.segment()), outs)
    lost = ~np.isfinite(seen["x"][:, 0])
    assert lost.any()
    first = int(np.argmax(lost))
    assert seen["drives"]["error_code"][first, 0] == 0x7300
    assert not seen["drives"]["error_code"][first - 1].any()
    assert seen["drives"]["position"][-1, 0] == 0


def test_position_mode_follows_the_simulation(library: Library, record: Record, delay: int) -> None:
    """Mode 8 with the torques of the simulation as offset: the loops of the drives correct what is left."""
    outs = frames(BRING_UP + len(record.t), mode=8)
    rows = outs["drives"][BRING_UP:]
    rows["exact_position"][:, :4], rows["exact_torque"][:, :4] = record.q, applied(record, delay)
    outs["drives"]["exact_position"][:BRING_UP, :4] = record.q[0]
    seen = library.run(library.started(library.segment(replace(library.cell, exact=True))), outs)
    off = np.abs(seen["x"][BRING_UP + 1 :, :3] - record.x[:-1, :3]).max()
    assert 0.0 < off < 1e-3
    assert not seen["drives"]["error_code"].any()


def test_a_cell_of_another_size_is_refused(library: Library) -> None:
    whole = library.segment()
    whole["head"]["motors"] = 3
    state = library.buffer("cell")
    plant = ctypes.c_void_p(library.functions.probe_plant())
    assert library.functions.pp_cell_start(state, plant, pointer(whole)) == 0
    whole["head"]["motors"], whole["head"]["dof"] = 4, 3
    assert library.functions.pp_cell_start(state, plant, pointer(whole)) == 0


def test_what_the_tool_holds_adds_to_the_gripper(library: Library, record: Record, delay: int) -> None:
    """Loads are combined as the library combines them: a load in two parts moves as the whole."""
    load, gripper = np.array([0.4, 0.01, -0.02, -0.05, 1e-4]), np.array([0.3, 0.0, 0.03, -0.02, 2e-4])

    def moved(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        whole, outs = library.segment(), frames(400)
        whole["cell"]["gripper"], outs["load"] = first, second
        outs["drives"]["target_torque"][BRING_UP:, :4] = [20, -10, 5, 5]
        return library.run(library.started(whole), outs)["x"]

    parts, together = moved(gripper, load), moved(np.zeros(5), combined(gripper, load))
    assert parts == pytest.approx(together, abs=1e-13)
    assert np.abs(parts - moved(gripper, np.zeros(5))).max() > 1e-5
    assert moved(combined(gripper, load), np.zeros(5)) == pytest.approx(together, abs=1e-13)


FAULTS = {
    "encoder": "encoder:2@0.05",
    "encoder-jump": "encoder-jump:2=0.05rad@0.05",
    "motor": "motor:2=0.5@0.05",
    "motor-stuck": "motor-stuck:2@0.05",
    "drive": "drive:2@0.05",
    "payload": "payload=1kg@0.05",
    "collision": "collision:y=50N@0.05~50ms",
    "deadline": "deadline=5@0.05",
    "emergency": "emergency@0.05",
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_acts_from_its_sample_on(library: Library, record: Record, delay: int, kind: str) -> None:
    """Nothing is different before its sample; after it, what the table says."""
    fault = fault_from(FAULTS[kind], library.cell.plant)
    before, after = (replayed(library, record, delay, faults=faults)[:800] for faults in ((), (fault,)))
    first = round(0.05 * library.cell.assembly.rate)
    for name in ("x", "inputs"):
        assert np.array_equal(before[name][:first], after[name][:first])
    assert np.array_equal(before["drives"][:first], after["drives"][:first])
    seen, drives = after[first:], after["drives"][first:, 1]
    effects = {
        "encoder": lambda: (
            np.ptp(drives["exact_position"]) == 0.0
            and drives["exact_position"][0] == before["drives"]["exact_position"][first - 1, 1]
        ),
        "encoder-jump": lambda: (
            drives["exact_position"][0] - before["drives"]["exact_position"][first, 1] == pytest.approx(0.05)
        ),
        "motor": lambda: drives["exact_torque"][40] == pytest.approx(asked(record, delay)[first + 39, 1] / 2, rel=0.1),
        "motor-stuck": lambda: abs(drives["exact_torque"][40:]).max() < 1e-6,
        "drive": lambda: drives["error_code"][0] == 0x5000 and drives["status_word"][1] & 0x4F == 0x08,
        "payload": lambda: np.abs(seen["x"] - before["x"][first:]).max() > 1e-6,
        "collision": lambda: np.abs(seen["x"] - before["x"][first:]).max() > 1e-4,
        "deadline": lambda: [bool(bit & LATE) for bit in seen["inputs"][:7]] == [False, *[True] * 5, False],
        "emergency": lambda: all(bit & EMERGENCY for bit in seen["inputs"]),
    }
    assert effects[kind]()


def asked(record: Record, delay: int) -> np.ndarray:
    return applied(record, delay)


def test_a_lost_load_is_lost(library: Library, record: Record, delay: int) -> None:
    """`drop` takes what the task carries: the robot moves on as with an empty tool."""
    fault = fault_from("drop@0", library.cell.plant)
    outs = frames(400)
    outs["drives"]["target_torque"][BRING_UP:, :4] = [20, -10, 5, 5]
    outs["state"] = list(State).index(State.RUNNING)
    empty = library.run(library.started(library.segment()), outs)["x"]
    outs["load"] = [0.5, 0.0, 0.0, -0.02, 0.0]
    dropped = library.run(library.started(library.segment(replace(library.cell, faults=(fault,)))), outs)["x"]
    assert np.array_equal(dropped, empty)


def test_every_fault_of_the_table_is_injected_or_belongs_to_the_path() -> None:
    paths = {name for name, kind in FAULT_KINDS.items() if kind.path is not None}
    assert {*FAULTS, "drop", "stop", *paths} == set(FAULT_KINDS)


def test_frames_and_segment_have_no_room_to_spare() -> None:
    assert IN.itemsize % 8 == 0
    assert SEGMENT.itemsize < 2**20
