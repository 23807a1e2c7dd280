"""`--set`, `--rods` and `--task-set`: equal to files that state the same, and refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from parapick.catalogue import KINDS
from parapick.cli.app import COMMANDS
from parapick.tasks import TaskFileError, load_task

POSE = ("0.1", "0", "-0.7", "0.2")
STATE = ("--pose", "0.1,0,-0.7,0.2", "--acceleration", "50,0,0,0")
COMMANDS_OF_ROBOTS = {
    "show": (),
    "pose": POSE,
    "margins": POSE,
    "modes": POSE,
    "workspace": ("--spacing", "50mm"),
    "capability": POSE,
    "map": ("conditioning", "--z=-700mm", "--spacing", "100mm"),
    "tolerance": ("--samples", "20"),
    "torque": STATE,
    "verify": ("--states", "2"),
    "motion": ("adept-120",),
    "simulate": ("adept-120", "--law", "pd"),
    "run": ("adept-120", "--controller", "pd", "--lockstep"),
    "analyse": ("adept-120", "--law", "pd", "--points", "1", "--frequencies", "none"),
    "tune": ("adept-120", "--law", "pd", "--candidates", "2"),
    "log": ("log.csv",),
    "identify": ("log.csv",),
    "evaluate": ("--no-report",),
    "compare": ("delta-4",),
    "size": ("adept-120",),
}
"""Every command that takes a robot, with words that make it quick; `export` needs another engine."""


def numbers(document: Any, *more: str) -> Any:
    """A JSON document without what says where its numbers are from, and without more of its fields."""
    if isinstance(document, dict):
        apart = ("settings", "path", "file", "source", *more)
        return {name: numbers(value, *more) for name, value in document.items() if name not in apart}
    return [numbers(item, *more) for item in document] if isinstance(document, list) else document


def test_no_command_of_a_robot_is_left_out() -> None:
    named = {place.partition(":")[2] for place in COMMANDS}
    others = {
        *(kind.plural for kind in KINDS.values()),
        "check",
        "schema",
        "export",
        "import",
        "new",
        "study",
        "reproduce",
    }
    assert named - others == set(COMMANDS_OF_ROBOTS)


@pytest.mark.parametrize("command", ["pose", "motion", "show"])
def test_a_setting_equals_a_file_that_states_it(run: Any, own_robot: Any, command: str) -> None:
    words = COMMANDS_OF_ROBOTS[command]
    here = run(command, "par4", *words, "--set", "limb.rod_length=82cm", "--json").json
    path = own_robot("par4", ('rod_length = "800 mm"', 'rod_length = "820 mm"'))
    there = run(command, path, *words, "--json").json
    assert here["settings"] == {"limb.rod_length": "82cm"}
    # That the rods' mass stays is for a change alone: a file states both.
    here.pop("doubts", None)
    assert there["settings"] == {}
    one, other = numbers(here), numbers(there)
    if command == "show":
        one, other = ([row["value"] for row in data["data"]["parameters"]] for data in (one, other))
    assert one == other
    assert "set: limb.rod_length = 82cm" in run(command, "par4", *words, "--set", "limb.rod_length=82cm").out


def test_rods_are_those_of_a_file_that_states_them(run: Any, own_robot: Any) -> None:
    here = run("torque", "par4", *STATE, "--rods", "halves", "--json").json
    path = own_robot("par4", ('\nrod_model = "slender"', '\nrod_model = "halves"'))
    assert here["settings"] == {"limb.rod_model": "halves"}
    assert numbers(here) == numbers(run("torque", path, *STATE, "--json").json)
    assert numbers(here) != numbers(run("torque", "par4", *STATE, "--json").json)


@pytest.mark.parametrize("command", COMMANDS_OF_ROBOTS)
def test_every_command_of_a_robot_takes_settings(run: Any, command: str) -> None:
    """An unknown number is refused by the option that gives it."""
    result = run(command, "par4", *COMMANDS_OF_ROBOTS[command], "--set", "limb.beauty=3")
    assert result.message.startswith("parapick: --set limb.beauty: is ")
    result = run(command, "par4", *COMMANDS_OF_ROBOTS[command], "--rods", "soft")
    assert "--rods: is 'soft'; valid are slender" in result.message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "limb.arm"], "--set: 'limb.arm' is not a path and its value; write it as limb.arm=350mm"),
        (["--set", "=3"], "--set: '=3' is not a path"),
        (["--set", "limb.arm=1m", "--set", "limb.arm=2m"], "--set limb.arm: is given twice"),
        (["--set", "limb.arm=350kg"], "--set limb.arm: '350kg' is not a length"),
        (["--set", "limb.arm=-1m"], "--set limb.arm: is -1 m; it must be greater than 0 m"),
        (["--set", "limb.arm=nan"], "--set limb.arm: 'nan' is not a finite number"),
        (["--set", "limb.rod_model=halves"], "--set limb.rod_model: is structure"),
        (["--set", "base.angles=3"], "base.angles.1"),
        (["--rods", "general"], "rod_inertia"),
    ],
)
def test_wrong_settings_are_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run("pose", "par4", *POSE, *words).message


@pytest.mark.parametrize(
    ("robot", "setting", "message"),
    [
        ("delta-linear", "limb.rod_radius=6mm", "--set limb.rod_radius: then limb.rod_bore: is 6 mm; it must be less"),
        ("delta-linear", "limb.rod_radius=5mm", "--set limb.rod_radius: then limb.rod_bore: is 6 mm; it must be less"),
        ("par4", "limb.rod_length=100mm", "--set limb.rod_length: then home: leg 1: at home the rod is"),
        ("delta-linear", "drive.rated_force=900N", "--set drive.rated_force: is 900 N; it must not exceed"),
        ("spara3", "limb.arm_center=690mm", "and a uniform bar, which is assumed without limb.arm_inertia"),
    ],
)
def test_settings_pass_the_checks_of_files(run: Any, robot: str, setting: str, message: str) -> None:
    result = run("evaluate", robot, "--set", setting, "--no-report")
    assert result.code == 2
    assert message in result.message


def test_what_a_document_states_is_taken_as_it_is_unless_it_is_set(run: Any) -> None:
    """The links of the five-bar have an inertia that few bodies have; the document prints it, a setting does not."""
    assert run("show", "fivebar-spindle", "--set", "limb.arm=251mm").code == 0
    result = run("show", "fivebar-spindle", "--set", "limb.arm_inertia=0.01")
    assert "--set limb.arm_inertia: is 0.01 kg m2 about the motor axis, but" in result.message


def test_a_number_that_the_file_leaves_out(run: Any, own_robot: Any) -> None:
    here = run("evaluate", "par4", "--set", "drive.rated_torque=20Nm", "--no-report", "--json").json
    path = own_robot("par4", ('peak_torque = "90 N m"', 'peak_torque = "90 N m"\nrated_torque = "20 N m"'))
    assert here["settings"] == {"drive.rated_torque": "20Nm"}
    assert numbers(here) == numbers(run("evaluate", path, "--no-report", "--json").json)
    assert "heat decides" in here["verdict"]["text"]


def test_robots_side_by_side_take_what_they_leave_out(run: Any) -> None:
    words = ("compare", "delta-4", "delta-linear", "--set", "drive.rated_torque=30Nm", "--sections", "torque", "--json")
    notes = run(*words).json["notes"]
    assert [note for note in notes if "is not set for" in note] == [
        "drive.rated_torque = 30Nm is not set for delta-linear: no such number there"
    ]


def test_robots_side_by_side_take_what_they_have(run: Any) -> None:
    words = ("compare", "delta-4", "par4", "--set", "plate.bar_length=110mm", "--set", "limb.arm=340mm")
    answer = run(*words, "--task", "adept-120", "--sections", "torque", "--json").json
    assert answer["settings"] == {"plate.bar_length": "110mm", "limb.arm": "340mm"}
    assert any(note.startswith("plate.bar_length = 110mm is not set for delta-4") for note in answer["notes"])
    alone = run("evaluate", "par4", "adept-120", *words[3:], "--sections", "torque", "--json").json
    assert answer["robots"][1]["evaluation"]["sections"]["torque"] == alone["sections"]["torque"]


def test_fields_of_a_task(run: Any, tmp_path: Path) -> None:
    settings = ("--task-set", "cycles_per_minute=90", "--task-set", "payload=500g")
    set_here = run("motion", "par4", "adept-120", *settings, "--json")
    text = (Path(load_task.__code__.co_filename).parent / "adept-120.toml").read_text(encoding="utf-8")
    assert "cycles_per_minute = 120" in text
    text = text.replace("cycles_per_minute = 120", 'cycles_per_minute = 90\npayload = "500 g"')
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    stated = run("motion", "par4", str(tmp_path / "own.toml"), "--json")
    assert set_here.json["settings"] == {"task.cycles_per_minute": "90", "task.payload": "500g"}
    # The title says what is otherwise here than in the task's file.
    assert "here cycles_per_minute = 90, payload = 500g" in set_here.json["title"]
    assert numbers(set_here.json, "title") == numbers(stated.json, "title")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("cycles_per_minit=90", "cycles_per_minit: is not a field of a task of kind 'adept'"),
        ("cycles_per_minute=-90", "cycles_per_minute: is -90; it must be greater than 0"),
        ("cycles_per_minute=fast", "cycles_per_minute"),
        ("cycles_per_minute.x=3", "cycles_per_minute.x: is not there: above it the file has 120"),
        ("payload", "--task-set: 'payload' is not a path and its value"),
    ],
)
def test_wrong_fields_of_a_task(run: Any, field: str, message: str) -> None:
    for command in ("motion", "simulate", "evaluate"):
        assert message in run(command, "par4", "adept-120", "--task-set", field).message


def test_settings_of_a_task_in_python(tmp_path: Path) -> None:
    task = load_task("adept-120", {"cycles_per_minute": 90, "dwell": "20 ms"})
    assert (task.cycles_per_minute, task.dwell) == (90.0, (0.02, 0.02))  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(TaskFileError, match="width"):
        load_task("adept-120", {"width": "3 kg"})
    (tmp_path / "a motion.csv").write_text("t,x,y,z\n0,0,0,-0.7\n1,0.1,0,-0.7\n2,0.1,0,-0.7\n", encoding="utf-8")
    assert load_task(tmp_path / "a motion.csv", {"payload": "1 kg"}).payload == 1.0


def test_entries_of_lists_of_a_task() -> None:
    via = load_task("arch")
    raised = load_task("arch", {"points.*.3": -0.5, "points.1.1": "20 mm"})
    assert [point[2] for point in raised.points] == [-0.5] * len(via.points)  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(TaskFileError, match=r"points\.99: is not there: the list has entries 1 to"):
        load_task("arch", {"points.99": [0, 0, 0]})


def test_a_report_states_what_was_set(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("--set", "limb.arm=340mm", "--task-set", "cycles_per_minute=60", "--sections", "torque")
    result = run("evaluate", "par4", "adept-120", *words)
    assert "\nset: limb.arm = 340mm, task.cycles_per_minute = 60\n" in result.out
    page = (tmp_path / "reports" / "par4-adept-120.html").read_text(encoding="utf-8")
    assert "limb.arm = 340mm, task.cycles_per_minute = 60" in page
    stated = json.loads((tmp_path / "reports" / "par4-adept-120.json").read_text(encoding="utf-8"))["settings"]
    assert stated == {"limb.arm": "340mm", "task.cycles_per_minute": "60"}


def test_a_task_is_needed_to_set_something_of_it(run: Any) -> None:
    assert "--task-set: changes a task; name one" in run("evaluate", "par4", "--task-set", "width=200mm").message


@pytest.mark.parametrize("command", ["evaluate", "compare"])
@pytest.mark.parametrize("field", ["cycles_per_minute", "picks_per_minute"])
def test_two_paces_are_refused(run: Any, command: str, field: str) -> None:
    robots = ("par4", "adept-120") if command == "evaluate" else ("par4", "delta-4", "--task", "adept-120")
    result = run(command, *robots, "--cycles-per-minute", "10", "--task-set", f"{field}=100")
    assert result.code == 2
    assert "parapick: --cycles-per-minute: " in result.message
    assert field in result.message


@pytest.mark.parametrize("words", [("torque", "par4", "--pose", "0,0,-0.7,0"), ("motion", "par4", "adept-120")])
def test_masses_that_stay_are_doubted_in_json_as_by_evaluate(run: Any, words: tuple[str, ...]) -> None:
    longer = ("--set", "limb.arm=400mm", "--json")
    (doubt,) = run(*words, *longer).json["doubts"]
    (same,) = run("evaluate", "par4", "--sections", "reach", *longer).json["doubts"]
    assert doubt == same
    assert any(line.startswith("arm_mass = { of = ") for line in doubt["lines"])


def test_a_number_that_is_refused_may_lack_its_unit(run: Any) -> None:
    """300 without a unit are 300 m; the refusal alone would speak of rods that are too short."""
    message = run("pose", "par4", *POSE, "--set", "limb.arm=300").message
    assert "--set limb.arm: 300 without a unit is 300 m; write 300mm" in message
    assert "too short" in message
    assert "without a unit" not in run("pose", "par4", *POSE, "--set", "limb.arm=300 m").message
