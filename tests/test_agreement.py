"""One question, asked of every command: a robot, a task, a payload, a pace and a controller at random.

`evaluate`, `motion`, `compare`, a study of one design, `simulate` by itself and under a supervisor, `analyse` and
`tune` must not contradict each other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.cli import main
from parapick.evaluation.load_requirements import PEAK, PUSH, RMS, SPEED
from parapick.study import evaluated, read_study

SECTIONS = ("--sections", "reach,joints,torque,forces")
"""Sections of `evaluate` whose findings are requirements of the motion."""

MOVING = (SPEED, PEAK, RMS, PUSH)
"""Requirements of drives and rods; all others are of being on the motion at all."""

ROBOTS = (
    "asymmetric-screw",
    "delta-linear",
    "delta-nr",
    "delta-r6",
    "h4",
    "h4-90",
    "heli4",
    "i4",
    "par4",
    "r4-100g",
)

LAWS = ("pd", "pid", "tsid", "tsiid", "computed-torque", "sliding-mode", "disturbance-observer")

WELL_BELOW, WELL_ABOVE = 0.7, 1.4
"""Shares of a peak torque at which a good loop does not reach its limit, and at which it must."""

RESERVE = {"m": 2e-3, "rad": 0.05, "": 0.12}
"""Slack or margin, by its unit, beyond which guards with limits of their own do not stand in the way."""


@dataclass(frozen=True)
class Case:
    """A question."""

    robot: str
    task: str
    options: tuple[str, ...]
    document: Mapping[str, Any]
    law: str

    @property
    def words(self) -> tuple[str, ...]:
        return (self.robot, self.task, *self.options)

    @property
    def loop(self) -> tuple[str, ...]:
        """A good law: it knows the masses and what is carried, its poles are slow for its rate."""
        shared = ("--sharing", "least-peak") if self.robot in ("r4-100g", "delta-r6") else ()
        return ("--controller", "tsid", "--encoder", "0", *shared)


def random_case(seed: int, folder: Path, robot: str = "") -> Case:
    """A pick-and-place cycle of random size, place, pace and load; drives rated near or far from what it asks."""
    random = np.random.default_rng(seed)
    name = robot or ROBOTS[seed % len(ROBOTS)]
    task = {
        "kind": "adept",
        "width": round(float(random.uniform(0.1, 0.45 if random.uniform() < 0.8 else 1.6)), 4),
        "height": round(float(random.uniform(0.01, 0.03)), 4),
        "cycles_per_minute": round(float(random.uniform(60, 200)), 2),
        "payload": round(float(random.uniform(0.0, 0.5)), 3),
    }
    payload = round(float(random.uniform(0.0, 3.0)), 3) if random.uniform() < 0.5 else None
    force, torque = {"delta-linear": ("force", 400.0)}.get(name, ("torque", 40.0))
    drive = {f"peak_{force}": round(float(torque * random.uniform(0.3, 4.0)), 3)}
    if random.uniform() < 0.5:
        drive[f"rated_{force}"] = round(float(drive[f"peak_{force}"] * random.uniform(0.3, 0.8)), 3)
    if random.uniform() < 0.5:
        drive["peak_speed"] = round(float(random.uniform(2.0, 30.0)), 3)
    path = folder / "asked.toml"
    lines = [f"{key} = {json.dumps(value)}" for key, value in task.items()]
    path.write_text("\n".join(["format = 1", 'name = "asked"', *lines, ""]), encoding="utf-8")
    options = [word for key, value in drive.items() for word in ("--set", f"drive.{key}={value!r}")]
    options += [] if payload is None else ["--payload", f"{payload!r}kg"]
    document = {"robot": name, "tasks": [task], "set": {"drive": drive}}
    document |= {} if payload is None else {"payload": payload}
    return Case(name, str(path), tuple(options), document, str(random.choice(LAWS)))


Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Run a command: its exit code and its JSON document. No question here is wrong input."""

    def run(*words: str) -> tuple[int, Any]:
        code = main([*words, "--json"])
        printed = capsys.readouterr()
        assert code in (0, 1), f"{words}: {printed.err}"
        return code, json.loads(printed.out)

    return run


def told(answer: Any) -> dict[str, Any]:
    """Requirements of an answer, or of all sections of an evaluation, by name."""
    parts = answer["sections"].values() if "sections" in answer else [answer]
    return {finding["name"]: finding for part in parts for finding in part["findings"]}


def check_same(asked: dict[str, Any], other: dict[str, Any], whose: str) -> None:
    """Every requirement that both have: one value, one limit, one verdict, one place."""
    assert not other or asked.keys() & other.keys(), whose
    for name in asked.keys() & other.keys():
        mine, theirs = asked[name], other[name]
        assert theirs["ok"] == mine["ok"], f"{whose}: {name}"
        assert theirs["text"] == mine["text"], whose
        for field in ("value", "limit"):
            assert (theirs[field] is None) == (mine[field] is None), f"{whose}: {name}"
            if mine[field] is not None:
                assert theirs[field] == pytest.approx(mine[field], rel=1e-9, abs=1e-12), f"{whose}: {name}"


def with_reserve(findings: Mapping[str, Any]) -> bool:
    """Whether every requirement is kept by far."""
    for one in findings.values():
        if not one["ok"]:
            return False
        if one["use"] is not None and one["use"] > WELL_BELOW:
            return False
        if one["floor"] and one["limit"] is not None and one["value"] - one["limit"] < RESERVE[one["unit"]]:
            return False
    return True


def study_row(case: Case) -> dict[str, Any]:
    """What a study says of its one design, which is the robot of the question."""
    mass = pp.load(case.robot).robot.plate.mass
    document = {
        "format": 1,
        "name": "one",
        "objectives": ["footprint"],
        "parameters": {"plate.mass": [mass]},
        "methods": [{"kind": "grid"}],
        **case.document,
    }
    study, problems = read_study(document, Path())
    assert study is not None, problems
    rows = evaluated(study.work, np.array([[mass]]))
    return {name: column[0] for name, column in rows.items()}


def check_agreement(case: Case, ask: Ask, *, tuned: bool = True) -> None:
    """Ask all commands, and compare what they say."""
    code, evaluation = ask("evaluate", *case.words, *SECTIONS)
    findings = told(evaluation)
    broken = {name for name, one in findings.items() if not one["ok"]}
    place = {name for name in broken if name not in MOVING}
    assert code == int(bool(broken))

    code, motion = ask("motion", *case.words)
    check_same(findings, told(motion), "motion")
    assert code == int(not motion["ok"])
    named = {name for name, one in told(motion).items() if not one["ok"]}
    assert named <= broken
    assert motion["ok"] == (not broken & (told(motion).keys() | {"corner"}))

    code, comparison = ask("compare", case.robot, case.robot, "--task", case.task, *case.options, *SECTIONS)
    assert code == int(bool(broken))
    for one in comparison["robots"]:
        assert one["evaluation"]["verdict"]["text"] == evaluation["verdict"]["text"]
        check_same(findings, told(one["evaluation"]), "compare")

    row = study_row(case)
    assert bool(row["feasible"]) == (not broken), f"study: {row['fault']!r}, evaluate: {broken}"
    if broken and row["fault"] != "corner":
        assert row["fault"] in broken or {row["fault"], *broken} <= {"corner", "task", "leg slack"}

    check_loops(case, ask, evaluation, place, tuned=tuned)


def check_loops(case: Case, ask: Ask, evaluation: Any, place: set[str], *, tuned: bool) -> None:
    """A good loop, free and under a supervisor, and the random law in `simulate`, `analyse` and `tune`."""
    findings, answers = told(evaluation), {}
    for name, words in {
        "simulate": ("simulate", *case.words, *case.loop),
        "supervised": ("simulate", *case.words, *case.loop, "--supervised"),
    }.items():
        code, answer = answers[name] = ask(*words)
        check_same(findings, told(answer), name)
        if place:
            assert code == 1, f"{name} runs what evaluate refuses for {place}"
            check_named(answer, findings, place, name)
        if with_reserve(findings):
            assert code == 0, f"{name}: {answer['refusal']}"
    loop, use = answers["simulate"][1], findings.get(PEAK, {}).get("use")
    if not place and use is not None:
        law = loop["data"]["laws"]["tsid"]
        if use < WELL_BELOW and findings.get(SPEED, {}).get("ok", True):
            assert law["fault"] is None
            assert law["saturated_any"] == 0.0, f"saturated where evaluate uses {use:.0%}"
        if use > WELL_ABOVE:
            assert law["saturated_any"] > 0.0 or law["fault"] is not None
    if not tuned:
        return
    words = tuple("--payloads" if word == "--payload" else word for word in case.words)
    code, given = ask("simulate", *case.words, "--controller", case.law)
    tuning_code, tuning = ask("tune", *words, "--controller", case.law, "--candidates", "4")
    # The margins of linear loops have no payload of their own to be asked for.
    unladen = case.words[: case.words.index("--payload")] if "--payload" in case.words else case.words
    few = ("--points", "2", "--frequencies", "none")
    analysis_code, analysis = ask("analyse", *unladen, "--controller", case.law, *few)
    empty = findings if unladen is case.words else told(ask("evaluate", *unladen, *SECTIONS)[1])
    for name, other_code, answer, same in (
        ("tune", tuning_code, tuning, findings),
        ("analyse", analysis_code, analysis, empty),
    ):
        check_same(same, told(answer), name)
        if place:
            assert other_code == code == 1, name
            check_named(answer, findings, place, name)
    for one in tuning["tables"].get("simpler", {"rows": []})["rows"]:
        record = given["data"]["laws"][case.law]
        if one["choice"] == "as given" and record["completed"] and one["rms"] is not None:
            assert one["rms"] == pytest.approx(record["distance"]["rms"], rel=1e-6)


def check_named(answer: Any, findings: Mapping[str, Any], place: set[str], whose: str) -> None:
    """A refusal says what `evaluate` says, in its words; of a corner out of reach, which corner and what is missing."""
    for name in place:
        text = findings[name]["text"]
        assert (text.rsplit(": ", 1)[-1] if name == "corner" else text) in answer["refusal"], whose


CHEAP = (("par4", 3), ("par4", 7), ("h4-90", 1), ("delta-nr", 5))
"""Robots and seeds of `make test`."""


@pytest.mark.parametrize(("robot", "seed"), CHEAP)
def test_commands_agree(ask: Ask, tmp_path: Path, robot: str, seed: int) -> None:
    check_agreement(random_case(seed, tmp_path, robot), ask, tuned=seed == 3)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(30))
def test_commands_agree_on_random_questions(ask: Ask, tmp_path: Path, seed: int) -> None:
    check_agreement(random_case(seed, tmp_path), ask)


def test_random_questions_have_every_answer(ask: Ask, tmp_path: Path) -> None:
    """Some are kept with reserve; others are out of reach or workspace, singular, or beyond their drives."""
    kinds: set[str] = set()
    for seed in range(30):
        findings = told(ask("evaluate", *random_case(seed, tmp_path).words, *SECTIONS)[1])
        kinds |= {name for name, one in findings.items() if not one["ok"]}
        kinds |= {"kept"} if with_reserve(findings) else set()
    assert {"kept", "corner", "workspace slack", "internal margin", SPEED, PEAK, RMS} <= kinds


def test_the_terminal_and_the_report_say_what_json_says(
    ask: Ask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in (3, 7):
        case, page = random_case(seed, tmp_path, "par4"), tmp_path / f"report-{seed}"
        for words in (
            ("evaluate", *case.words, *SECTIONS),
            ("motion", *case.words),
            ("simulate", *case.words, *case.loop),
            ("compare", "par4", "par4", "--task", case.task, *case.options, *SECTIONS),
        ):
            code, answer = ask(*words)
            assert main(list(words)) == code
            printed = " ".join(capsys.readouterr().out.split())
            said = answer["robots"][0]["evaluation"]["verdict"] if words[0] == "compare" else answer.get("verdict")
            text = answer["refusal"] if said is None else said["text"]
            assert " ".join(text.split()) in printed, words[0]
        _, answer = ask("evaluate", *case.words, *SECTIONS, "--out", str(page))
        (report,) = page.glob("*.html")
        assert escape(answer["verdict"]["text"]) in report.read_text(encoding="utf-8")
