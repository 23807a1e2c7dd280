from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import parapick as pp
from parapick.cli.evaluate import OUTPUTS, ReportOptions, _written
from parapick.evaluation import evaluate
from parapick.tasks import AdeptTask


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Reports go into a folder of the test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_verdict_first_then_the_table_then_the_report(run: Any, folder: Path) -> None:
    result = run("evaluate", "par4", "--payload", "1kg")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0].startswith("YES: par4 can do this: peak torque of motor 4 at 49 % of 90 N m; up to 175 per minute")
    task = next(line for line in lines if line.startswith("task: Adept cycle 25 x 305 x 25 mm, 120 per minute"))
    assert task.endswith("payload 1 kg")
    table = next(i for i, line in enumerate(lines) if line.startswith("requirement"))
    row = next(line for line in lines[table:] if line.startswith("motor torque, peak"))
    assert re.search(r"44\.4 N m\s+90 N m\s+49 %\s+motor 4", row)
    assert any(line.startswith("own law") for line in lines)
    assert any(line.startswith("fastest timing") for line in lines)
    assert any(line.startswith("what a change of each number does") for line in lines)
    assert lines[-2:] == ["report: reports/par4-adept.html", "numbers: reports/par4-adept.json"]
    assert max(map(len, lines)) <= 100
    report = (folder / "reports" / "par4-adept.html").read_text(encoding="utf-8")
    assert "par4 can do this" in report
    numbers = json.loads((folder / "reports" / "par4-adept.json").read_text(encoding="utf-8"))
    assert numbers["sections"]["torque"]["series"][0]["name"] == "motor torque"


def test_a_name_never_leads_out_of_the_folder(folder: Path) -> None:
    task = AdeptTask(name="x/../../../../esc\0", cycles_per_minute=60.0)
    made = evaluate(pp.load("delta-nr"), task, sections=("motion",))
    inside = folder / "a" / "b"
    inside.mkdir(parents=True)
    _written(made, OUTPUTS.targets([str(inside)]), ReportOptions(), {"robot": "delta-nr"})
    names = {"delta-nr-x-..-..-..-..-esc.json", "delta-nr-x-..-..-..-..-esc.html"}
    assert {path.relative_to(inside).name for path in folder.rglob("*.*") if path.is_file()} == names


def test_a_report_for_somebody_else(run: Any, folder: Path) -> None:
    result = run(
        "evaluate",
        "par4",
        "--title",
        "Cell 4",
        "--project",
        "Line 3",
        "--author",
        "A. Person",
        "--out",
        "reports",
        "--out",
        "series.parquet",
    )
    assert result.code == 0
    assert "series: series.parquet" in result.out
    assert (folder / "series.parquet").read_bytes().startswith(b"PAR1")
    page = (folder / "reports" / "par4-adept.html").read_text(encoding="utf-8")
    for text in ("<h1>Cell 4</h1>", "Line 3", "A. Person", "par4.toml, shipped with parapick"):
        assert text in page


def test_a_map_that_there_is_not_is_refused_before_anything_is_computed(run: Any, folder: Path) -> None:
    result = run("evaluate", "par4", "--maps", "workspace, beauty")
    assert result.code == 2
    assert "no index 'beauty'; indices: workspace, acceleration" in result.message
    assert not (folder / "reports").exists()


def test_json_writes_no_report_unless_asked(run: Any, folder: Path) -> None:
    result = run("evaluate", "par4", "--cycles-per-minute", "300", "--json")
    assert result.code == 1
    answer = result.json
    assert answer["verdict"]["ok"] is False
    assert answer["verdict"]["limiting"]["use"] > 1.0
    assert answer["files"] == {}
    assert list(folder.iterdir()) == []


def test_no_report(run: Any, folder: Path) -> None:
    result = run("evaluate", "delta-nr", "--no-report")
    assert result.code == 0
    assert "report:" not in result.out
    assert list(folder.iterdir()) == []


def test_a_task_by_position_is_the_task_of_the_option(run: Any) -> None:
    sections = ("--sections", "torque", "--json")
    here, there = (
        run("evaluate", "par4", *words, *sections).json for words in (["adept-13g"], ["--task", "adept-13g"])
    )
    assert here == there
    assert here["task"] == "adept-13g"
    assert list(here["sections"]) == ["torque"]


def test_only_the_sections_that_are_asked_for_are_computed(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from parapick.evaluation.sections import SECTIONS

    def computed(_context: Any) -> None:
        raise AssertionError("was not asked for")

    for key in SECTIONS.keys() - {"reach", "torque"}:
        monkeypatch.setitem(SECTIONS, key, computed)
    result = run("evaluate", "par4", "adept-120", "--sections", "torque, reach", "--json")
    assert list(result.json["sections"]) == ["reach", "torque"]
    assert run("evaluate", "par4", "--sections", "torque", "--no-report").out.startswith("YES: par4")


def test_laws_after_control_by_commas_or_blanks(run: Any) -> None:
    words = ("evaluate", "par4", "adept-120", "--sections", "control", "--json", "--controller")
    one, other = run(*words, "pd,tsid").json, run(*words, "pd", "tsid").json
    assert one == other
    assert list(one["sections"]["control"]["data"]["laws"]) == ["pd", "tsid"]


def test_a_motion_of_a_csv_file_with_its_report(run: Any, folder: Path) -> None:
    run("motion", "par4", "adept-120", "--out", "full.csv", "--sample-rate", "500")
    rows = (folder / "full.csv").read_text(encoding="utf-8").splitlines()
    (folder / "log.csv").write_text("\n".join(",".join(row.split(",")[:5]) for row in rows), encoding="utf-8")
    assert run("check", "log.csv").out == "YES: log.csv is a valid task\n"
    assert run("evaluate", "par4", "log.csv", "--sections", "torque").code == 0
    assert "log.csv" in (folder / "reports" / "par4-log.html").read_text(encoding="utf-8")
    (folder / "bad.csv").write_text("t,x\n0,1\n", encoding="utf-8")
    assert "bad.csv: 1 problem" in run("check", "bad.csv").message


FAR = 'format = 1\nname = "far"\nkind = "adept"\ncycles_per_minute = 60\ncenter = ["900 mm", 0, "-700 mm"]\n'


def test_out_of_reach_is_an_answer(run: Any, folder: Path) -> None:
    (folder / "far.toml").write_text(FAR)
    result = run("evaluate", "par4", "--task", "far.toml", "--no-report")
    assert result.code == 1
    first = result.out.splitlines()[0]
    assert first.startswith("NO: par4 cannot do this: corner 'pick' at (747.5, 0, -700) mm, yaw 0 deg is out of reach")


def test_doubts_about_the_robot_are_repeated(run: Any, folder: Path, own_robot: Any) -> None:
    """A task out of reach, which is judged at once; the doubts stand beside any verdict."""
    (folder / "far.toml").write_text(FAR)
    robot = own_robot("par4", ("arm_inertia = 0.071", 'arm_inertia = "71 kg mm2"'))
    result = run("evaluate", robot, "--task", "far.toml", "--no-report")
    assert "\ndoubt: limb.arm_inertia: is 7.1e-05 kg m2" in result.out
    assert result.err == ""
    (doubt,) = run("evaluate", robot, "--task", "far.toml", "--json").json["doubts"]
    assert doubt["path"] == "limb.arm_inertia"
    assert doubt["impossible"] is True
    assert "doubt:" not in run("evaluate", "par4", "--task", "far.toml", "--no-report").out


def test_a_robot_without_masses(run: Any) -> None:
    result = run("evaluate", "irb360", "--no-report")
    assert result.code == 0
    assert result.out.startswith("YES, as far as the file says")
    assert result.out.count("irb360 has no masses to compute forces from") == 1
    assert "motor torque, power and energy, forces in rods and plate joints" in result.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["part4"], "did you mean par4?"),
        (["par4", "--task", "adept-121"], "did you mean adept-120"),
        (["par4", "--task", "./none.toml"], "there is no such file"),
        (["par4", "--payload=-1kg"], "--payload: is -1kg; it must be at least 0"),
        (["par4", "--payload", "1m"], "--payload"),
        (["par4", "--cycles-per-minute", "-5"], "cycles_per_minute: is -5; it must be a finite number greater than 0"),
        (["par4", "--cycles-per-minute", "nan"], "cycles_per_minute: is nan"),
        (
            ["par4", "--task", "adept-13g", "--cycles-per-minute", "900"],
            "which the limits of the task do not allow; at most",
        ),
        (["delta-nr", "--task", "box"], "this robot has no yaw"),
        (["par4", "--mode", "sideways"], "sideways"),
        ([], "evaluate needs a ROBOT"),
        (["--controller", "pd", "par4"], "what follows --controller (pd par4) names controllers: put it last"),
        (["par4", "--controller", "pd", "adept-120"], "'adept-120' is the name of a task"),
        (["par4", "--controller", "pd,delta-4"], "'delta-4' is the name of a robot"),
        (["par4", "adept-120", "--task", "box"], "two tasks are given, adept-120 and --task box"),
        (["par4", "--sections", "reech"], "--sections: 'reech' is not a section; did you mean reach?"),
        (["par4", "--sections", "beauty"], "valid are reach, motion"),
    ],
)
def test_wrong_input_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run("evaluate", *words).message


def test_a_folder_that_cannot_be(run: Any, folder: Path) -> None:
    (folder / "taken").write_text("a file")
    assert "taken: cannot be a folder" in run("evaluate", "par4", "--out", "taken").message
    assert "taken/inside: cannot be a folder" in run("evaluate", "par4", "--out", "taken/inside").message


def test_a_folder_that_cannot_be_written(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # An administrator may write everywhere, so the system's answer is set here.
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "locked: nothing can be written into this folder" in run("evaluate", "par4", "--out", "locked").message


def test_own_robot_of_the_readme_evaluates_at_the_first_try(run: Any, folder: Path) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    page = re.search(r"^```toml\n(.*?)^```", readme, flags=re.DOTALL | re.MULTILINE)
    assert page is not None
    (folder / "my-delta.toml").write_text(page[1], encoding="utf-8")
    result = run("evaluate", "my-delta.toml", "--no-report")
    assert result.code == 0
    assert result.out.startswith("YES: my-delta can do this: ")
    assert "not computed" not in result.out


def test_the_report_needs_no_library_of_an_extra(run: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("matplotlib", "viser"):
        # A part that was imported before would be found without its library.
        for part in [name for name in sys.modules if name.startswith(f"{library}.")]:
            monkeypatch.delitem(sys.modules, part)
        monkeypatch.setitem(sys.modules, library, None)
    result = run("evaluate", "delta-nr")
    assert result.code == 0
    page = (folder / "reports" / "delta-nr-adept.html").read_text(encoding="utf-8")
    assert page.count('<div class="plot') > 10
    assert "pip install &#x27;parapick[report]&#x27;" in page
    refused = run("evaluate", "delta-nr", "--maps", "acceleration")
    assert refused.code == 2
    assert "matplotlib: is needed for figures: pip install 'parapick[plot]'" in refused.message
