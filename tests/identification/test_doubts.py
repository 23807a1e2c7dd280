"""Logs that cannot be are not believed, and the cause is named; good ones are."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from identification.machines import exciting, ideal, logged, machine
from identification.misread import MISREAD, built_otherwise, good, rubbing
from parapick.control import JointFriction, machine_controller
from parapick.errors import MotionError, ParapickError
from parapick.formulas.dynamics import missing_masses
from parapick.identification import Log, Question, identified, log_answer, log_doubts, written
from parapick.identification.clipping import flat_channels, piles_of
from parapick.identification.trials import noise_of
from parapick.model import Model
from parapick.robots import list_robots
from parapick.tasks import load_task

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")

SYMMETRIC = {
    "delta-linear": ("two motors exchanged", "motors from the second"),
    "delta-r4": ("motors from the second",),
}
"""What a robot that looks the same from every leg cannot tell: it is the same robot, with its motors renamed."""


def doubted(model: Model, log: Log) -> tuple[bool, str, str]:
    """Whether a log is refused, the word of the cause, and what is said."""
    try:
        outcome = identified(model, [log], Question())
    except MotionError as error:
        words = {"exchanged": "order", "counted from": "order", "zero of joint 1 is off": "zero"}
        return True, next((one for text, one in words.items() if text in str(error)), "pose"), str(error)
    doubts = outcome.doubts
    assert doubts is not None
    assert outcome.answer.ok == doubts.ok
    return not doubts.ok, doubts.cause.word if doubts.cause else "", outcome.answer.first_line


# Each kind of bad log on one robot, all kinds on all robots as a soak test.
FEW = [
    ("par4", "torques in mN m"),
    ("par4", "all torques the other way"),
    ("par4", "motors from the second"),
    ("par4", "torque clipped at half its peak"),
    ("delta-linear", "one torque the other way"),
    ("delta-linear", "torques in kN m"),
    ("fivebar-spindle", "two motors exchanged"),
    ("delta-r4", "two torques exchanged"),
    ("delta-r4", "one zero off by 0.05"),
]


@pytest.mark.parametrize(("name", "kind"), FEW)
def test_a_log_that_cannot_be_is_refused_and_its_cause_is_named(name: str, kind: str) -> None:
    model, log = good(name)
    word, change = MISREAD[kind]
    refused, cause, text = doubted(model, change(log))
    assert refused
    assert cause == word, text


@pytest.mark.parametrize("name", ["par4", "delta-linear", "delta-r4"])
def test_a_good_log_is_believed(name: str) -> None:
    model, log = good(name)
    refused, cause, text = doubted(model, log)
    assert not refused, text
    assert cause == ""
    assert text.startswith("YES: ")


@pytest.mark.parametrize("name", SYMMETRIC)
def test_a_symmetric_robot_cannot_tell_its_legs_apart(name: str) -> None:
    """Every friction comes out, under another number: nothing but the label of a cable tells."""
    model, log = good(name)
    for kind in SYMMETRIC[name]:
        assert not doubted(model, MISREAD[kind][1](log))[0]


def test_files_are_not_written_for_a_log_that_is_not_believed(tmp_path: Path) -> None:
    model, log = good("par4")
    files = {"robot": tmp_path / "mine.toml", "controller": tmp_path / "better.toml"}
    bad = identified(model, [MISREAD["one torque the other way"][1](log)], Question())
    assert written(bad, model, files, machine_controller("tsid")) == {}
    assert not any(path.exists() for path in files.values())
    assert bad.answer.data["set"] == {}
    cause = bad.answer.to_dict()["data"]["cause"]
    assert (cause["cause"], cause["text"]) == ("sign", "the torque of motor 1 has the other sign")
    assert cause["left"] > 20.0 * cause["left_so"]
    assert "changes" not in [table.name for table in bad.answer.tables]
    fine = identified(model, [log], Question())
    assert set(written(fine, model, files, machine_controller("tsid"))) == {"robot", "controller"}


def test_log_doubts_what_identify_doubts() -> None:
    model, log = good("par4")
    for kind in ("torques in mN m", "one torque the other way"):
        bad = MISREAD[kind][1](log)
        doubts, outcome = log_doubts(model, bad), identified(model, [bad], Question())
        assert doubts == outcome.doubts
        answer = log_answer(model, bad, None, None, doubts)
        assert not answer.ok
        assert answer.first_line == outcome.answer.first_line
        assert answer.first_line.startswith("NO: ")
    fine = log_doubts(model, log)
    assert fine is not None
    assert log_answer(model, log, None, None, fine).first_line.startswith("YES: ")
    assert log_doubts(model, replace(log, torque=None)) is None
    # From a log in which nothing moves nothing is identified, and nothing doubted.
    assert log_doubts(model, replace(log, q=np.tile(log.q[0], (len(log.t), 1)))) is None


def test_what_cannot_be_is_named_with_its_limit() -> None:
    model, log = good("par4")
    bad = identified(model, [MISREAD["torques in mN m"][1](log)], Question()).doubts
    assert bad is not None
    said = "; ".join(bad.reasons)
    assert "mN m" in bad.reasons[0]
    assert "its drive 90 N m at most; so 3 more" in said
    assert "gripper.mass comes out as" in said
    assert "% of the peak of motor" in said
    geared, other = good("fivebar-spindle")
    assert other.torque is not None
    strong = identified(geared, [replace(other, torque=1e3 * other.torque)], Question()).doubts
    assert strong is not None
    assert any("friction.coulomb" in one and "its drive gives 44.8 N m at the joint" in one for one in strong.reasons)


def test_masses_that_are_asked_for_too_come_out_impossible() -> None:
    """With all masses free any unit fits: it is the numbers that cannot be."""
    model, log = good("delta-linear")
    bad = identified(model, [MISREAD["torques in mN m"][1](log)], Question(("friction", "payload", "inertia"))).doubts
    assert bad is not None
    assert bad.cause is not None
    assert bad.cause.word == "unit"
    assert any(one.startswith(("limb.", "plate.")) and "10 times what the file says" in one for one in bad.reasons)


def test_a_file_with_other_masses_is_no_misreading() -> None:
    """A fifth off, every second one the other way: the numbers follow, and that the masses are others is noted."""
    model = pp.load("delta-linear")
    log = rubbing(built_otherwise(model, 0.2), exciting("delta-linear", 2.5), seed=4)
    doubts = identified(model, [log], Question()).doubts
    assert doubts is not None
    assert doubts.ok
    assert doubts.cause is not None
    assert doubts.cause.word == "masses"
    assert any("identify them too" in note for note in doubts.notes)


def test_a_dead_channel_is_refused() -> None:
    model, log = good("par4")
    assert log.torque is not None
    torque = log.torque.copy()
    torque[:, 2] = 0.0
    refused, _, text = doubted(model, replace(log, torque=torque))
    assert refused
    doubts = identified(model, [replace(log, torque=0.0 * torque)], Question()).doubts
    assert doubts is not None
    assert "100 % of the torques of motor 1 sit on 0 N m" in doubts.reasons, text
    assert doubts.reasons[-1].startswith("no other sign, unit, order")


def test_a_drive_at_its_limit_is_believed() -> None:
    """Torques that sit on a value that the machine really gave are right: that is noted, and no reason to refuse."""
    model = pp.load("fivebar-spindle")
    t = np.arange(4000) / 1000.0
    # A screw that accelerates no more than it can, up and down: its torque is constant there.
    accelerated = 2.0 * np.clip(2.0 * np.cos(40.0 * t), -1.0, 1.0)
    speed = np.cumsum(accelerated) / 1000.0
    turns = np.column_stack([3.0 * t, 5.0 * t])
    x = np.column_stack([0.1 * np.sin(turns[:, 0]), 0.33 + 0.04 * np.sin(turns[:, 1]), -0.004 + 0.0 * t, 0.0 * t])
    x[:, 2] += np.cumsum(speed) / 1000.0
    xd = np.column_stack([0.3 * np.cos(turns[:, 0]), 0.2 * np.cos(turns[:, 1]), speed, 0.0 * t])
    xdd = np.column_stack([-0.9 * np.sin(turns[:, 0]), -1.0 * np.sin(turns[:, 1]), accelerated, 0.0 * t])
    torque = model.inverse_dynamics(x, xd, xdd)
    torque[:, 2] = np.round(torque[:, 2], 9)
    assert {one.motor for one in piles_of(torque)} == {2}
    doubts = identified(model, [Log("limit.csv", t, model.inverse_kinematics(x), torque, None, {})], Question()).doubts
    assert doubts is not None
    assert doubts.ok, doubts.reasons
    assert any("motor 3" in note and "its drive was at a limit" in note for note in doubts.notes)


# What the verdict is made of


def test_piles_are_those_of_clipped_torques_and_of_no_others() -> None:
    t = np.arange(5000) / 1000.0
    wave = 10.0 * np.sin(7.0 * t) + 3.0 * np.sin(17.0 * t)
    coarse = np.round(wave / 0.2) * 0.2
    columns = np.column_stack([wave, np.clip(wave, -6.0, 20.0), coarse, np.clip(coarse, -6.0, 6.0), 0.0 * t])
    found = {(one.motor, round(one.level, 6)) for one in piles_of(columns)}
    assert found == {(1, -6.0), (3, 6.0), (3, -6.0)}
    one = next(pile for pile in piles_of(columns) if pile.motor == 1)
    assert one.share == pytest.approx(np.mean(wave <= -6.0))
    assert flat_channels(columns) == {4: (0.0, 1.0)}


def test_noise_is_told_from_a_motion_and_from_jumps() -> None:
    random, t = np.random.default_rng(1), np.arange(8000) / 1000.0
    motion = 20.0 * np.sin(12.0 * t) + 2.0 * np.sign(np.sin(5.0 * t))
    torque = motion[:, None] + np.array([0.0, 0.02, 0.5]) * random.standard_normal((8000, 3))
    assert noise_of(torque) == pytest.approx([0.0, 0.02, 0.5], rel=0.05, abs=1e-4)
    assert noise_of(torque[:3]) == pytest.approx([0.0] * 3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (np.degrees, "if angles are in deg"),
        (lambda q: q * [1.0, 1.0, -1.0, 1.0], "if the angle of motor 3 has the other sign"),
    ],
)
def test_angles_of_no_pose_say_how_they_would_be_of_one(change: object, words: str) -> None:
    model, log = good("par4")
    with pytest.raises(MotionError, match=words):
        identified(model, [replace(log, q=change(log.q))], Question())  # pyright: ignore[reportCallIssue]


def test_angles_that_count_the_other_way_are_recognised() -> None:
    """All of them, on par4, are angles of other poses; only torques tell."""
    model, log = good("par4")
    refused, cause, text = doubted(model, replace(log, q=-log.q))
    assert refused
    assert cause == "sign"
    assert "--sign=-1" in text


@pytest.mark.parametrize("name", ["delta-r6", "r4-100g"])
def test_a_zero_with_which_redundant_joints_belong_to_no_pose_is_named(name: str) -> None:
    model, log = good(name)
    refused, cause, text = doubted(model, MISREAD["one zero off by 0.05"][1](log))
    assert refused
    assert cause == "zero", text


def test_motor_side_angles_are_recognised() -> None:
    model, log = good("fivebar-spindle")
    with pytest.raises(MotionError, match="--side motor"):
        identified(model, [replace(log, q=log.q * model.motors.ratio)], Question())


# Rates, once in a while


def robots() -> list[str]:
    """Shipped robots whose torques follow, and for which a motion can be proposed."""
    return [one.name for one in list_robots() if one.name != "h4-90" and not missing_masses(pp.load(one.name).robot)]


@pytest.mark.soak
def test_rate_of_detection() -> None:
    """Every kind of bad log on every robot; symmetric robots apart."""
    counts: dict[str, list[int]] = {kind: [0, 0, 0] for kind in MISREAD}
    for name in robots():
        model, log = good(name)
        for kind, (word, change) in MISREAD.items():
            refused, cause, text = doubted(model, change(log))
            counts[kind][0] += 1
            counts[kind][1] += refused
            counts[kind][2] += refused and cause == word
            if not (refused and cause == word):
                sys.stdout.write(f"{name} {kind}: {refused} {cause} {text.splitlines()[0][:160]}\n")
    for kind, (all_of, refused, named) in counts.items():
        sys.stdout.write(f"{kind}: {refused} of {all_of} refused, {named} with their cause\n")
        if "motors" not in kind:
            assert refused >= 0.95 * all_of
            assert named >= 0.9 * all_of


@pytest.mark.soak
def test_rate_of_false_alarms() -> None:
    """Good logs of all robots: noise of 1 and 3 %, coarse encoders and torques, no, light and heavy payloads."""
    alarms, total = [], 0
    for name in robots():
        model, motion = pp.load(name), exciting(name, 2.5)
        for label, log in _good_logs(model, motion):
            try:
                refused, cause, text = doubted(model, log)
            except ParapickError as error:
                # Too few samples of a short log are an error, not a doubt.
                sys.stdout.write(f"{name} {label}: {error}\n")
                continue
            total += 1
            if refused:
                alarms.append((name, label, cause, text.splitlines()[0]))
                sys.stdout.write(f"{name} {label}: {cause} {text.splitlines()[0][:200]}\n")
    sys.stdout.write(f"{len(alarms)} false alarms in {total} logs\n")
    assert len(alarms) <= 0.01 * total


def _good_logs(model: Model, motion: pp.Motion) -> list[tuple[str, Log]]:
    plain = rubbing(model, motion, 7)
    assert plain.torque is not None
    peak = np.abs(plain.torque).max(axis=0)
    random = np.random.default_rng(8)
    noisy = plain.torque + 0.03 * peak * random.standard_normal(plain.torque.shape)
    step = 2.0 * math.pi / 16384.0
    logs = [
        ("plain", plain),
        ("noise of 3 %", replace(plain, torque=noisy)),
        ("torque in steps of 1 %", replace(plain, torque=np.round(plain.torque / (0.01 * peak)) * 0.01 * peak)),
        ("encoders of 14 bit", replace(plain, q=np.round(plain.q / step) * step)),
        ("nothing in the tool", rubbing(model, motion, 9, payload=0.0)),
        ("heavy", rubbing(model, motion, 10, payload=2.0)),
        ("500 Hz", rubbing(model, motion, 11, rate=500.0)),
        ("masses 10 % off", rubbing(built_otherwise(model, 0.1), motion, 12)),
        ("late by 2 ms", replace(plain, torque=np.roll(plain.torque, 2, axis=0))),
    ]
    slow = motion.slowed(2.0)
    logs += [("slow", rubbing(model, slow, 14)), ("at rest at the end", rubbing(model, motion.held(1.0), 13))]
    arch = load_task("adept-120").motion(model).repeated(4)
    samples = arch.sample(500.0)
    needed = np.abs(model.drive_torque(samples.x, samples.xd, samples.xdd).torque).max(axis=0)
    return [*logs, ("pick and place", rubbing(model, arch, 15))] if (needed < model.motors.peak_torque).all() else logs


@pytest.mark.soak
@pytest.mark.parametrize("name", ["par4", "fivebar-spindle", "asymmetric-screw"])
def test_mujoco_machines_are_believed(name: str) -> None:
    model = pp.load(name)
    friction = JointFriction((1.0,) * 4, (0.3,) * 4)
    for motion in (exciting(name, 3.0), load_task("righettini2024" if name[0] == "f" else "adept-120").motion(model)):
        record = machine(model, motion, friction, 0.4, engine="mujoco")
        refused, cause, text = doubted(model, logged(record, 3))
        assert not refused, (cause, text)


def test_ideal_logs_of_light_use_are_believed() -> None:
    """A slow motion without friction, whose noise is a large share of little torque."""
    model = pp.load("par4")
    motion = exciting("par4", 2.5)
    log = ideal(model, motion, seed=5)
    assert log.torque is not None
    rough = log.torque + 0.05 * np.abs(log.torque).max() * np.random.default_rng(2).standard_normal(log.torque.shape)
    refused, cause, text = doubted(model, replace(log, torque=rough))
    assert not refused, (cause, text)


@pytest.mark.parametrize(("half", "impossible"), [(0.2, False), (0.05, True)])
def test_a_payload_is_too_heavy_only_beyond_its_uncertainty(half: float, impossible: bool) -> None:
    from types import SimpleNamespace

    from parapick.identification.doubts import HEAVY, _payload as objection

    assert bool(objection(SimpleNamespace(value=HEAVY + 0.1, half=half), 1.0)) is impossible
