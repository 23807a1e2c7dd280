"""The commands: what they print, as text and as JSON, and how they refuse wrong input."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.cli import WIDTH_MAX, main
from parapick.mechanism import leaves
from parapick.robots import list_robots

NAMES = [entry.name for entry in list_robots()]
GOLDEN = ["0.1", "-0.05", "-0.7", "0.3"]

# CPU time of a whole process (s).
HELP_CPU_MAX = 0.5


class Result:
    """Exit code and output of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        def refuse(token: str) -> None:
            raise AssertionError(f"{token} is not JSON")

        return json.loads(self.out, parse_constant=refuse)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    def command(*words: str) -> Result:
        code = main(words)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return command


def process(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from parapick.cli import main; sys.exit(main())"
    env = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, env=env, check=False)


def refused(result: Result) -> str:
    """The one message of a refused command."""
    assert result.code == 2
    assert result.out == ""
    assert "Traceback" not in result.err
    assert result.err.startswith("parapick: ")
    return result.err


# robots


def test_robots_lists_every_robot(run: Any) -> None:
    result = run("robots")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0].split() == ["name", "motors", "freedoms", "plate", "title"]
    assert [line.split()[0] for line in lines[1:] if line[0] != " "] == NAMES


def test_robots_as_json(run: Any) -> None:
    entries = run("robots", "--json").json
    par4 = next(entry for entry in entries if entry["name"] == "par4")
    assert (par4["dof"], par4["motors"], par4["plate"]) == (4, 4, "parallelogram")
    assert Path(par4["path"]).is_file()


# show


@pytest.mark.parametrize("name", NAMES)
def test_show_says_every_number_with_its_source(run: Any, name: str) -> None:
    result = run("show", name)
    assert result.code == 0
    assert result.err == ""
    for text in ("home", "working mode", "limb.arm", "leg", "gravity"):
        assert text in result.out
    shown = run("show", name, "--json").json
    assert all(row["source"] and row["path"] for row in shown["parameters"])
    numbers = {row["path"]: row["value"] for row in shown["parameters"] if isinstance(row["value"], float)}
    known = dict(leaves(pp.load(name).robot))
    assert {path: known[path] for path in numbers} == numbers


def test_show_gives_units_and_degrees(run: Any) -> None:
    out = run("show", "par4").out
    assert re.search(r"limb.arm +0.35 m +corbel2010, Table I", out)
    assert re.search(r"plate.bar_angle +1.5708 rad \(90 deg\)", out)
    assert "outward (++++); also inward (----)" in out
    assert "4 arms, base radial, plate parallelogram" in out


def test_show_as_json_has_the_structure(run: Any) -> None:
    shown = run("show", "fivebar-spindle", "--json").json
    assert shown["task_names"] == ["x", "y", "z", "yaw"]
    assert (shown["arms"], shown["motors"], shown["rods"], shown["rod_model"]) == (2, 4, 1, "general")
    assert shown["working_mode"] == "+-"
    assert shown["working_modes"]["elbows-in"] == "-+"
    assert shown["home"] == [0.0, 0.33, 0.0, 0.0]


@pytest.mark.parametrize(
    "words", [["robots"], ["show", "par4"], ["show", "fivebar-spindle"], ["pose", "par4", *GOLDEN]]
)
def test_tables_in_a_pipe_are_plain_and_narrow(words: list[str]) -> None:
    result = process(*words, COLUMNS="", TERM="xterm-256color")
    assert result.returncode == 0
    assert result.stdout.isascii()
    assert "\x1b" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= WIDTH_MAX
    assert not [line for line in result.stdout.splitlines() if line != line.rstrip()]


def test_a_title_beyond_the_encoding_is_no_crash(tmp_path: Path) -> None:
    text = (list_robots()[-1].path).read_text().replace('title = "', 'title = "[red]Größe 机 ', 1)
    (tmp_path / "own.toml").write_text(text, encoding="utf-8")
    result = process("show", str(tmp_path / "own.toml"), PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert "[red]Gr??e ? " in result.stdout


def test_a_reader_that_stops_is_no_error() -> None:
    code = "import sys; from parapick.cli import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", code, "show", "par4", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        err = running.stderr.read()
    assert err == b""
    assert running.returncode == 0


# check


def test_check_accepts_a_robot(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(list_robots()[0].path.read_text())
    result = run("check", str(path))
    assert result.code == 0
    assert result.out.split() == [*str(path).split(), "is", "a", "valid", "robot"]
    assert run("check", str(path), "--json").json == {"file": str(path), "valid": True, "problems": []}


def test_check_reports_all_problems(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('format = 1\nname = "own"\nhoem = [0, 0, -0.7]\n[limb]\narm = "3 kg"\nrod_length = -1\n')
    message = refused(run("check", str(path)))
    for text in (
        str(path),
        "limb.arm: '3 kg' is not a length",
        "limb.rod_length: is -1 m",
        "hoem",
        "did you mean home",
    ):
        assert text in message
    result = run("check", str(path), "--json")
    assert result.code == 2
    assert result.json["valid"] is False
    assert {"limb.arm", "limb.rod_length", "hoem", "home", "base", "plate"} == {
        problem["path"] for problem in result.json["problems"]
    }


@pytest.mark.parametrize("command", ["check", "show"])
def test_a_missing_file_is_one_message(run: Any, command: str) -> None:
    assert "nowhere.toml: 1 problem\n  there is no such file" in refused(run(command, "nowhere.toml"))


# pose


def test_pose_gives_the_golden_angles_of_par4(run: Any) -> None:
    """The pose of the Par4 literature set, in radians and degrees, with slack and margins."""
    result = run("pose", "par4", *GOLDEN)
    assert result.code == 0
    for text in ("-0.400704", "-0.610940", "-0.510572", "-0.191733", "-22.9587", "margins", "can be reached"):
        assert text in result.out


def test_pose_as_json_equals_the_model(run: Any) -> None:
    model = pp.load("par4")
    x = [float(text) for text in GOLDEN]
    answer = run("pose", "par4", *GOLDEN, "--json").json
    assert answer["reachable"] is True
    assert answer["reason"] is None
    assert answer["pose"] == dict(zip(("x", "y", "z", "yaw"), x, strict=True))
    assert answer["working_mode"] == {"name": "outward", "signs": "++++"}
    assert [leg["q"] for leg in answer["legs"]] == list(model.inverse_kinematics(x))
    assert [leg["slack"] for leg in answer["legs"]] == list(model.reach(x).legs)
    assert [leg["joint_limit_slack"] for leg in answer["legs"]] == [None] * 4
    assert answer["yaw_limit_slack"] == pytest.approx(math.pi / 4 - 0.3)
    assert answer["margins"]["over"] == float(model.margins(x).over)


@pytest.mark.parametrize(
    "words", [["100mm", "-50 mm", "-0.7m", "17.188733853924695deg"], ["+.1", "-5e-2", "-.7", "0.3"]]
)
def test_pose_takes_units(run: Any, words: list[str]) -> None:
    answer = run("pose", "par4", *words, "--json").json
    assert list(answer["pose"].values()) == pytest.approx([0.1, -0.05, -0.7, 0.3], rel=1e-15)


def test_options_may_stand_anywhere(run: Any) -> None:
    first = run("pose", "--json", "--mode", "-+-+", "par4", *GOLDEN).json
    last = run("pose", "par4", *GOLDEN, "--mode=-+-+", "--json").json
    assert first == last
    assert first["working_mode"]["signs"] == "-+-+"


def test_yaw_is_zero_if_not_given(run: Any) -> None:
    assert run("pose", "par4", "0", "0", "-0.7", "--json").json["pose"]["yaw"] == 0.0


def test_limits_have_their_column_where_the_robot_has_them(run: Any, tmp_path: Path) -> None:
    assert "joint slack" not in run("pose", "par4", *GOLDEN).out
    limits = '[limits]\njoint_min = "-60 deg"\njoint_max = "60 deg"\ncone_max = "40 deg"\n'
    text = next(entry for entry in list_robots() if entry.name == "par4").path.read_text()
    (tmp_path / "own.toml").write_text(text.replace("[limits]\n", limits))
    result = run("pose", str(tmp_path / "own.toml"), *GOLDEN)
    assert "joint slack (deg)" in result.out
    assert "cone slack (deg)" in result.out
    assert "elbow slack" not in result.out
    # Leg 2 stands at -35.0043 deg.
    assert "24.996" in result.out


def test_linear_legs_have_angles_but_no_slack(run: Any) -> None:
    answer = run("pose", "fivebar-spindle", "0.05", "0.3", "-5mm", "30deg", "--json").json
    assert [leg["slack"] is None for leg in answer["legs"]] == [False, False, True, True]
    assert answer["legs"][3]["q"] == pytest.approx(math.radians(30))
    assert answer["margins"]["internal"] is None
    assert run("pose", "fivebar-spindle", "0.05", "0.3", "-5mm", "30deg").code == 0


def test_a_pose_out_of_reach_is_an_answer(run: Any) -> None:
    result = run("pose", "par4", "0.9", "0", "-0.7", "0")
    assert result.code == 1
    assert result.err == ""
    assert "out of reach: leg 2: the rod is 206.3 mm too short" in result.out
    answer = run("pose", "par4", "0.9", "0", "-0.7", "0", "--json").json
    assert answer["reachable"] is False
    assert [leg["q"] for leg in answer["legs"]] == [None] * 4
    assert answer["legs"][1]["slack"] == pytest.approx(-0.2063, abs=1e-4)
    assert answer["margins"] == {"under": None, "over": None, "internal": None}


def test_a_pose_beyond_a_limit_is_out_of_reach_with_its_angles(run: Any) -> None:
    result = run("pose", "par4", "0", "0", "-0.7", "50deg")
    assert result.code == 1
    assert "yaw limit of the plate is exceeded by 5 deg" in result.out
    assert all(np.isfinite(leg["q"]) for leg in run("pose", "par4", "0", "0", "-0.7", "50deg", "--json").json["legs"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pose", "par44", *GOLDEN], "no robot named 'par44'; did you mean par4"),
        (["pose", "par4", "nan", "0", "-0.7"], "X: 'nan' is not a finite number"),
        (["pose", "par4", "0", "-inf", "-0.7"], "Y: '-inf' is not a finite number"),
        (["pose", "par4", "0", "0", "1e999"], "Z: '1e999' is not a finite number"),
        (["pose", "par4", "0", "0", "-700kg"], "Z: '-700kg' is not a length; a length is written in m, mm"),
        (["pose", "par4", "0", "0", "-0.7", "30mm"], "YAW: '30mm' is not an angle"),
        (["pose", "par4", "0", "0", "low"], "Z: 'low' is not a finite number"),
        (["pose", "delta-nr", "0", "0", "-0.7", "0.1"], "YAW: delta-nr has no yaw; give X Y Z only"),
        (["pose", "par4", "0", "0", "-0.7", "--mode", "up"], "no working mode 'up'; valid are outward, inward"),
        (["pose", "par4", "0", "0", "-0.7", "--mode", "++"], "no working mode '++'"),
        (["pose", "par4", "0", "0", "-0.7", "--jsno"], "unknown option --jsno"),
        (["pose", "par4", "0", "0"], "requires an argument"),
        (["pose", "par4", "0", "0", "0", "0", "0"], "[Uu]n(used|known|expected)"),
        (["robots", "--jsno"], "Unknown option"),
        (["nonsense"], "Unknown command"),
        (["show"], "requires an argument"),
    ],
)
def test_wrong_input_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert re.search(message.replace("++", r"\+\+"), refused(run(*words)))


def documented(page: str) -> list[tuple[list[str], str]]:
    """Commands of a documentation page with the output that is printed below them."""
    text = (Path(__file__).parents[1] / "docs" / page).read_text(encoding="utf-8")
    found = []
    for block in re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL):
        for part in block.split("$ parapick ")[1:]:
            command, _, output = part.partition("\n")
            found += [(command.split(), output)] if output else []
    return found


@pytest.mark.parametrize(("words", "output"), documented("cli.md"))
def test_documented_output_is_true(
    run: Any, words: list[str], output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[1] / "docs" / "own-robot.md").read_text(encoding="utf-8")
    (tmp_path / "my-delta.toml").write_text(page.partition("```toml\n")[2].partition("```")[0])
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert result.out + result.err == output


# schema, help, version


def test_schema_is_json(run: Any) -> None:
    assert run("schema").json["title"] == "RobotFile"


@pytest.mark.parametrize("words", [[], ["--help"], ["pose", "--help"], ["show", "-h"]])
def test_help_is_plain(run: Any, words: list[str]) -> None:
    result = run(*words)
    assert result.code == 0
    assert "Usage: parapick" in result.out
    assert result.out.isascii()


def test_version(run: Any) -> None:
    assert run("--version").out.strip() == pp.__version__


def test_help_is_quick() -> None:
    code = """
import sys, time
sys.argv = ["parapick", "--help"]
from parapick.cli import main
main()
print(time.process_time(), file=sys.stderr)
"""
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    assert min(float(run.stderr) for run in runs) < HELP_CPU_MAX


def test_the_process_leaves_with_the_exit_code() -> None:
    assert process("pose", "par4", *GOLDEN).returncode == 0
    assert process("pose", "par4", "0.9", "0", "-0.7").returncode == 1
    wrong = process("pose", "par4", "0.9", "0", "nan")
    assert wrong.returncode == 2
    assert wrong.stdout == ""
    assert "Traceback" not in wrong.stderr
