"""What `export_c` says of what it wrote, of what it left out, and of what it refuses."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import parapick as pp
from parapick.control import machine_controller
from parapick.errors import MissingMassError, ParameterError, ParapickError
from parapick.export import ExportedC
from parapick.export.c.model_functions import FUNCTIONS
from poses import MASSIVE, ROBOTS

ONE = ("inverse_kinematics",)


@pytest.fixture(scope="module")
def small() -> ExportedC:
    return pp.export_c("delta-4", functions=ONE)


def test_the_answer_lists_what_is_written(supervised: ExportedC, tmp_path: Path) -> None:
    written = supervised.write(tmp_path / "new" / "folder")
    sizes = dict(supervised.table("files").rows)
    assert {name: path.stat().st_size for name, path in written.items()} == sizes
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(sizes)
    answer = supervised.answer()
    assert f"{len(supervised.functions)} functions of C with the prefix par4" in answer.headline
    assert answer.data == {"robot": "par4", "export": "c", "prefix": "par4"}
    assert answer.left_out == ()
    assert "needs a C compiler" in answer.notes[-1]


def test_the_readme_and_the_makefile_name_what_there_is(supervised: ExportedC, small: ExportedC) -> None:
    for exported in (supervised, small):
        makefile = exported.texts["Makefile"]
        sources = {name for name in exported.texts if name.endswith(".c")}
        (line,) = [line for line in makefile.splitlines() if line.startswith(f"{exported.prefix}_test:")]
        assert {f"{name.removesuffix('.o')}.c" for name in line.split()[1:]} == sources
        headers = re.findall(r"^%\.o: %\.c (.*)$", makefile, re.MULTILINE)[0].split()
        assert set(headers) == {name for name in exported.texts if name.endswith(".h")}
        assert f"`{exported.prefix}.h` declares everything" in exported.texts["README.md"]
        # The README speaks of every function, and of none that there is not.
        told = re.findall(r"^- `(\w+)`: \d+ operations", exported.texts["README.md"], re.MULTILINE)
        assert told == [one.name for one in exported.functions]


def test_includes_are_of_files_that_there_are(supervised: ExportedC) -> None:
    for name, text in supervised.texts.items():
        for included in re.findall(r'^#include "(.*)"', text, re.MULTILINE):
            assert included in supervised.texts, name
        assert set(re.findall(r"^#include <(.*)>", text, re.MULTILINE)) <= {"math.h", "stdio.h"}, name


def test_without_a_controller_there_is_no_law_and_no_supervisor_and_it_is_said(small: ExportedC) -> None:
    assert not [name for name in small.texts if "law" in name or "supervisor" in name]
    (said,) = small.answer().left_out
    assert said.startswith("supervisor: ")
    assert "a controller; none is given" in said
    assert f"- {said}" in small.texts["README.md"]


def test_a_robot_without_masses_says_which_it_lacks() -> None:
    name = next(name for name in ROBOTS if name not in MASSIVE)
    exported = pp.export_c(name)
    written = {one.name.removeprefix(f"{exported.prefix}_") for one in exported.functions}
    assert written == {key for key, one in FUNCTIONS.items() if not one.masses}
    said = exported.left_out[0]
    assert all(key in said for key, one in FUNCTIONS.items() if one.masses)
    assert "the robot lacks " in said
    with pytest.raises(MissingMassError, match=re.escape(said.partition("the robot lacks ")[2].split(",")[0])):
        pp.export_c(name, functions=("drive_torque",))


def test_a_filter_of_commands_leaves_the_supervisor_out_and_nothing_else() -> None:
    filtered = replace(machine_controller("tsid"), command_filter=0.002)
    exported = pp.export_c("delta-linear", filtered)
    assert "delta_linear_law.c" in exported.texts
    (said,) = exported.left_out
    assert said == "supervisor: what a stop becomes behind the controller's command_filter is not modelled"
    assert "check_supervision" not in exported.texts["delta_linear_test.c"]


def test_the_prefix_is_that_of_every_file_and_of_the_header() -> None:
    named = pp.export_c("delta-4", functions=ONE, prefix="Arm_2")
    assert set(named.texts) == {"Arm_2.h", "Arm_2_model.c", "Arm_2_vectors.h", "Arm_2_test.c", "Makefile", "README.md"}
    assert "delta_4" not in "".join(named.texts.values()).replace("delta-4", "")
    assert named.names["delta-4"] == "Arm_2"


def test_functions_come_in_one_order_and_once() -> None:
    asked = pp.export_c("delta-4", functions=("reach", "inverse_kinematics", "reach"))
    assert [one.name for one in asked.functions] == ["delta_4_inverse_kinematics", "delta_4_reach"]


def test_two_exports_are_the_same_to_the_last_letter(small: ExportedC) -> None:
    assert pp.export_c("delta-4", functions=ONE).texts == small.texts


@pytest.mark.parametrize(
    ("settings", "field", "valid"),
    [
        ({"prefix": "my robot"}, "prefix", "'my_robot' would be one"),
        ({"prefix": "while"}, "prefix", "'while_' would be one"),
        ({"prefix": "_x"}, "prefix", "'x' would be one"),
        ({"functions": ("inverse_kinematics", "jacobian")}, "functions", "inverse_jacobian, kinematics"),
        ({"objects": ("aarch64", "arm")}, "object", "valid are aarch64, cortex-m7"),
        ({"objects": ("aarch64",), "real": "float"}, "object", "leave out float, or the object"),
        ({"real": "long double"}, "real", "'double' and 'float'"),
        ({"controller": "learning"}, "controller", "pd, pid, tsid, ppi"),
    ],
)
def test_a_refusal_names_the_setting_and_what_would_be_valid(settings: dict[str, Any], field: str, valid: str) -> None:
    with pytest.raises(ParameterError) as refused:
        pp.export_c("delta-4", **{"functions": ONE, **settings})
    assert str(refused.value).startswith(f"{field}: ")
    assert valid in str(refused.value)


def test_a_file_in_the_way_of_the_folder_is_named(small: ExportedC, tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine")
    with pytest.raises(ParapickError, match="there"):
        small.write(tmp_path / "there")
    assert (tmp_path / "there").read_text() == "mine"
    (tmp_path / "folder" / "delta_4.h").mkdir(parents=True)
    with pytest.raises(ParapickError, match=r"delta_4\.h"):
        small.write(tmp_path / "folder")
