"""One question about loads and sharing, asked of every command: they give the same number, and say what they hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.capability import acceleration_along, force, half_spaces
from parapick.cli import main
from parapick.control import Controller, ModelChanges, PlantChanges, TaskSpaceID
from parapick.model import Model
from parapick.motion import line_path
from parapick.operation import supervise
from parapick.simulation import simulate
from parapick.simulation.tool_loads import loop_loads
from parapick.study import evaluated
from parapick.timing import fastest_along, fastest_cycle
from parapick.timing.limits_along import KEPT
from studies import study_of

LAW = TaskSpaceID.from_poles(20.0, 0.7)
GRIPPER = "gripper.mass=300g"
LINE = """
kind = "line"
frame = "workspace"
start = [0, 0, 0]
end = ["50 mm", 0, 0]
duration = 0.1
there_and_back = true
payload = "200 g"
"""
STUDY = """
format = 1
name = "one"
robot = "{robot}"
objectives = ["peak_torque"]
also = ["acceleration"]
{options}

[set.gripper]
mass = "300 g"

[parameters]
"plate.mass" = [{mass}]

[[methods]]
kind = "grid"

[[tasks]]
"""

Ask = Callable[..., Any]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Run a command and read its JSON document."""

    def run(*words: str) -> Any:
        code = main([*words, "--json"])
        printed = capsys.readouterr()
        assert code in (0, 1), printed.err
        return json.loads(printed.out)

    return run


@pytest.fixture
def task(tmp_path: Path) -> str:
    """The file of a short line there with 0.2 kg, and back."""
    path = tmp_path / "line.toml"
    path.write_text(f'format = 1\nname = "line"\n{LINE}', encoding="utf-8")
    return str(path)


def study_row(robot: str, options: str) -> dict[str, float]:
    """What a study says of its one design, which is the robot of the file with a gripper."""
    mass = pp.load(robot).robot.plate.mass
    study = study_of(STUDY.format(robot=robot, options=options, mass=mass) + LINE)
    rows = evaluated(study.work, np.array([[mass]]))
    return {name: float(rows[name][0]) for name in ("peak_torque", "acceleration")}


def largest(answer: Any, table: str, column: str) -> float:
    """Largest size in a column of a table of an answer in JSON."""
    return max(abs(row[column]) for row in answer["tables"][table]["rows"])


def peak_of(evaluation: Any) -> float:
    """The largest torque that an evaluation finds."""
    return next(abs(finding.value) for finding in evaluation.findings if finding.name == "motor torque, peak")


@pytest.mark.parametrize(("robot", "sharing"), [("par4", None), ("r4-100g", None), ("r4-100g", "least-norm")])
@pytest.mark.parametrize("payload", [None, "0kg", "700g"])
def test_commands_agree_along_a_task(
    ask: Ask, task: str, tmp_path: Path, robot: str, sharing: str | None, payload: str | None
) -> None:
    """Peak torque by evaluate, motion, torque, simulate and a study of one design; each states gripper and payload."""
    mass = {None: 0.2, "0kg": 0.0, "700g": 0.7}[payload]
    given = [] if payload is None else ["--payload", payload]
    shared = [] if sharing is None else ["--sharing", sharing]
    both, samples = (*given, *shared, "--set", GRIPPER), str(tmp_path / "samples.csv")

    evaluation = ask("evaluate", robot, task, "--sections", "torque", *both)
    peak = evaluation["verdict"]["limiting"]["value"]
    assert evaluation["gripper"]["mass"] == 0.3
    assert max((step["mass"] for step in evaluation["payload"]), default=0.0) == mass
    assert f"gripper 0.3 kg, {f'payload {mass:g} kg' if mass else 'no payload'}" in evaluation["title"]

    motion = ask("motion", robot, task, "--out", samples, "--sample-rate", "4000", *both)
    assert largest(motion, "motors", "peak") == pytest.approx(peak, rel=1e-9)
    assert motion["data"]["gripper"] == 0.3
    along = ask("torque", robot, "--motion", samples, *both)
    # The samples of the file have no corners beside them.
    assert along["data"]["worst"]["torque"] == pytest.approx(peak, rel=2e-3)
    assert (along["data"]["gripper"], along["data"]["payload"]) == (0.3, mass)
    assert largest(along, "joints", "peak") == pytest.approx(largest(along, "motors", "peak"), rel=1e-9)
    assert (
        along["data"]["sharing"]
        == motion["data"]["sharing"]
        == (sharing or ("least-peak" if robot == "r4-100g" else None))
    )

    loop = ask("simulate", robot, task, "--controller", "tsid", "--rate", "4000", "--joint-torque", "none", *both)
    held = loop["data"]["loads"]["tsid"]
    assert (held["gripper"], held["payload"]) == (0.3, mass)
    assert held["known"] == {"gripper": 0.3, "payload": mass}

    options = [] if payload is None else [f'payload = "{payload}"']
    options += [] if sharing is None else [f'sharing = "{sharing}"']
    assert study_row(robot, "\n".join(options))["peak_torque"] == pytest.approx(peak, rel=1e-9)


def test_a_payload_is_one_question_in_python(task: str) -> None:
    """As an argument, of the model, in a controller's plant, in the motion: the same tool, the same numbers."""
    par4 = pp.load("par4").with_parameters({"gripper.mass": 0.3})
    heavy, line = par4.with_payload(0.7), pp.load_task(task)
    asked = pp.evaluate(par4, task, payload=0.7, sections=["torque"])
    assert peak_of(pp.evaluate(heavy, task, sections=["torque"])) == peak_of(asked)
    assert peak_of(pp.evaluate(heavy, line.motion(par4), sections=["torque"])) == peak_of(asked)
    assert peak_of(pp.compare([heavy, "par4"], task, payload="700 g", sections=["torque"]).evaluations[0]) == peak_of(
        asked
    )
    assert abs(line.motion(par4).follow(heavy)["motor torque"].value) == pytest.approx(peak_of(asked), rel=1e-12)
    records = [
        simulate(par4, line.motion(heavy), LAW),
        simulate(heavy, line.motion(par4), LAW),
        simulate(
            par4, line.motion(par4), Controller(LAW, plant=PlantChanges(payload=0.7), model=ModelChanges(payload=0.7))
        ),
        simulate(par4, line.motion(par4), LAW, plant=par4.with_payload(0.7)),
    ]
    for record in records[1:3]:
        np.testing.assert_array_equal(record.torque, records[0].torque)
    # A plant whose payload the controller does not know moves otherwise.
    assert np.abs(records[3].torque - records[0].torque).max() > 0.1
    assert fastest_cycle(heavy, line).duration == fastest_cycle(par4, line.motion(heavy)).duration
    path = line_path(POSE, (0.0, *POSE[1:]))
    assert fastest_along(heavy, path).duration == fastest_along(par4, path, payload=0.7).duration


POSE = (0.1, 0.05, -0.72, 0.0)


def test_the_plant_and_the_law_may_hold_different_payloads(task: str) -> None:
    par4 = pp.load("par4").with_parameters({"gripper.mass": 0.3})
    motion = pp.load_task(task).motion(par4)

    def masses(**changes: Any) -> tuple[float, float]:
        loads = loop_loads(par4, motion, Controller(LAW, **changes))
        assert loads.held.gripper == loads.known.gripper == 0.3
        return loads.held.payload, loads.known.payload

    assert masses() == (0.2, 0.2)
    assert masses(payload_known=False) == (0.2, 0.0)
    assert masses(plant=PlantChanges(payload=1.0)) == (1.0, 0.2)
    assert masses(model=ModelChanges(payload=0.5)) == (0.2, 0.5)
    assert masses(plant=PlantChanges(payload=1.0), model=ModelChanges(payload=0.0)) == (1.0, 0.0)
    # The same where a supervisor guards the run.
    unknown = Controller(LAW, plant=PlantChanges(payload=1.0), torque_max=None)
    plain, guarded = simulate(par4, motion, unknown), supervise(par4, motion, unknown)
    np.testing.assert_allclose(guarded.task.torque[:200], plain.torque[:200], rtol=1e-6, atol=1e-6)
    problems = Controller(LAW, payload_known=False, model=ModelChanges(payload=1.0)).problems()
    assert any("model.payload: is given beside payload_known" in str(problem) for problem in problems)


@pytest.mark.parametrize("sharing", ["least-peak", "least-norm"])
def test_commands_agree_at_a_pose(ask: Ask, sharing: str) -> None:
    """The acceleration that `capability` allows is the one at which `torque` finds a motor at its limit; maps agree."""
    words, rule = ("--payload", "500g", "--set", GRIPPER), ("--sharing", sharing)
    able = ask("capability", "r4-100g", "0.1", "0", "-0.5", *words, *rule)
    values = {row["quantity"]: row["value"] for row in able["tables"]["values"]["rows"]}
    assert able["data"]["sharing"] == sharing
    assert (able["data"]["gripper"], able["data"]["payload"]) == (0.3, 0.5)
    asked = f"{values['acceleration-x']!r},0,0"
    torque = ask("torque", "r4-100g", "--pose", "0.1,0,-0.5", "--acceleration", asked, *words, *rule)
    for table, column in (("motors", "torque"), ("joints", "torque")):
        assert largest(torque, table, column) == pytest.approx(127.0, rel=1e-9)
    assert torque["data"]["sharing"] == sharing
    held = torque["data"]["gripper"], torque["data"]["payload"]
    assert held == (0.3, 0.5)
    parts = [
        sum(v for k, v in row.items() if k not in ("motor", "torque")) for row in torque["tables"]["joints"]["rows"]
    ]
    assert parts == pytest.approx([row["torque"] for row in torque["tables"]["joints"]["rows"]], rel=1e-9)
    if sharing == "least-peak":
        region = ("--region", "box,0.1,0.1,0,0,-0.5,-0.5")
        mapped = ask("map", "r4-100g", "acceleration", *region, *words)
        assert mapped["tables"]["extremes"]["rows"][0]["value"] == pytest.approx(values["acceleration"], rel=1e-9)
        assert (mapped["data"]["gripper"], mapped["data"]["payload"]) == (0.3, 0.5)


def test_least_norm_allows_what_its_own_torques_allow() -> None:
    """Half-spaces, ball and farthest point of the least norm against its torques, and inside those of least peak."""
    peak = pp.load("r4-100g").with_payload(0.25)
    norm, x, still = peak.with_sharing("least-norm"), np.array([0.15, -0.1, -0.5]), np.zeros(3)
    inside, wider = half_spaces(norm, x), half_spaces(peak, x)
    assert inside.C.shape == (8, 3)
    directions = np.random.default_rng(1).standard_normal((200, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    reach = acceleration_along(norm, np.broadcast_to(x, (200, 3)), directions)
    for direction, most in zip(directions, reach, strict=True):
        torque = np.abs(norm.inverse_dynamics(x, still, most * direction)).max()
        assert torque == pytest.approx(127.0, rel=1e-9)
        assert inside.contains(most * direction, 1e-6)
        assert wider.contains(most * direction, 1e-6)
    found = pp.capability.acceleration(norm, x)
    assert found.min_max == pytest.approx(inside.d.min(), rel=1e-9)
    assert found.min_max <= reach.min() <= reach.max() <= found.max
    assert found.min_max < pp.capability.acceleration(peak, x).min_max
    assert force(norm, x).min_max < force(peak, x).min_max


def test_least_norm_at_speed_counts_each_motors_own_friction() -> None:
    changes = {"drive.friction.coulomb": 3.0, "drive.friction.viscous": 0.4}
    model = pp.load("r4-100g").with_parameters(changes).with_sharing("least-norm")
    x, xd = np.array([0.15, -0.1, -0.5]), np.array([2.0, -1.0, 1.5])
    for direction in np.eye(3):
        most = acceleration_along(model, x, direction, xd)
        assert np.abs(model.drive_torque(x, xd, most * direction).torque).max() == pytest.approx(127.0, rel=1e-9)
    lossy = Model(model.with_parameters({"drive.efficiency": 0.9}).robot, sharing="least-norm")
    with pytest.raises(pp.errors.ParameterError, match="sharing: is least-norm, by which it is not known"):
        acceleration_along(lossy, x, (1.0, 0.0, 0.0), xd)


def test_what_is_not_known_by_least_norm_is_left_out_of_an_evaluation() -> None:
    lossy = pp.load("r4-100g").with_parameters({"drive.efficiency": 0.9})
    peak, norm = (
        pp.evaluate(lossy, "line-100g", sharing=rule, sections=["torque", "capability"])
        for rule in ("least-peak", "least-norm")
    )
    assert not peak["capability"].left_out
    assert "share by least norm" in norm["capability"].left_out[0]
    assert norm["capability"].data["largest_payload"] < peak["capability"].data["largest_payload"]
    assert norm["torque"].data["sharing"] == "least-norm"


def test_the_fastest_timing_keeps_the_limits_by_its_own_rule() -> None:
    peak = pp.load("r4-100g").with_payload(0.25)
    norm, path = peak.with_sharing("least-norm"), line_path((0.0, 0.0, -0.5), (0.2, 0.1, -0.5))
    slow, quick = (fastest_along(model, path) for model in (norm, peak))
    assert slow.duration > quick.duration
    assert abs(slow.follow(norm)["motor torque"].value) == pytest.approx(127.0 * (1.0 - KEPT), rel=1e-6)
    assert abs(quick.follow(norm)["motor torque"].value) > 127.0
    assert quick.follow(peak).ok
    assert slow.follow(norm).ok


def test_no_word_of_sharing_where_there_is_nothing_to_share(ask: Ask, task: str) -> None:
    answers = [
        ask("torque", "par4", "--pose", "0.1,0,-0.7", "--sharing", "least-norm"),
        ask("motion", "par4", task, "--sharing", "least-norm"),
        ask("capability", "par4", "0.1", "0", "-0.7", "--sharing", "least-norm"),
    ]
    for answer in answers:
        assert answer["data"]["sharing"] is None
        assert "shar" not in " ".join(answer["notes"])
    with pytest.raises(
        pp.errors.ParameterError, match="sharing: 'fair' is not a sharing rule; valid are least-norm, least-peak"
    ):
        pp.load("par4").with_sharing("fair")


def test_loads_of_corbel2010_stand_in_its_tasks(ask: Ask) -> None:
    """evaluate refuses lines 1 and 2 with the document's load, and simulate saturates on the same ones."""
    uses = []
    for number in (1, 2, 3, 4):
        made = ask("evaluate", "r4-100g", f"corbel2010-line{number}", "--sections", "torque")
        uses.append(made["verdict"]["limiting"]["use"])
        assert {step["mass"] for step in made["payload"]} == {0.25, 0.0}
    assert [round(100 * use) for use in uses] == [114, 112, 99, 94]
    for number, use in ((1, uses[0]), (4, uses[3])):
        loop = ask("simulate", "r4-100g", f"corbel2010-line{number}", "--controller", "corbel2010-least-peak")
        assert (loop["tables"]["laws"]["rows"][0]["saturated"] > 0.0) == (use > 1.0)
        assert loop["data"]["loads"]["corbel2010-least-peak"]["payload"] == 0.25
