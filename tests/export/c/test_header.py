"""The header and the sources agree with each other and with the robot's file, read without a compiler."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from export.c.sources import constants, costs, declared, defined, fields, initialised, plain
from parapick.control import ModelChanges, machine_controller
from parapick.export import ExportedC
from parapick.export.c.supervised import BELIEVED
from parapick.kernel import identifier, identifiers, is_identifier
from parapick.parameters import leaves, units_of
from poses import ROBOTS

ONE = ("inverse_kinematics",)

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")


@pytest.fixture(scope="module")
def linear() -> ExportedC:
    """Rails, three freedoms, limits of every kind, other numbers that the controller takes the robot to have."""
    return pp.export_c("delta-linear", functions=("inverse_kinematics", "reach", "drive_torque"))


@pytest.fixture(scope="module")
def fixed() -> ExportedC:
    return pp.export_c("delta-4", fixed=True, functions=("inverse_kinematics", "margins"))


def sources(exported: ExportedC) -> dict[str, str]:
    """The C of an export without its test program."""
    return {name: text for name, text in exported.texts.items() if name.endswith(".c") and not name.endswith("_test.c")}


def test_every_number_of_the_struct_is_one_of_the_file(supervised: ExportedC, linear: ExportedC) -> None:
    """Its path, its unit, and its value to the last digit."""
    for exported in (supervised, linear):
        robot, prefix = pp.load(exported.robot).robot, exported.prefix
        of_file, units = dict(leaves(robot)), dict(units_of(robot))
        told = fields(exported.texts[f"{prefix}.h"], f"{prefix}_parameters")
        values = initialised(exported.texts[f"{prefix}_model.c"], f"{prefix}_default")
        assert list(values) == list(told)
        assert len(told) > 20
        for field, (path, unit) in told.items():
            assert values[field] == of_file[path], path
            assert unit == units.get(path, ""), path
            assert identifier(path) == field


def test_numbers_of_the_law_have_their_units(supervised: ExportedC) -> None:
    told = fields(supervised.texts["par4.h"], "par4_law_parameters")
    values = initialised(supervised.texts["par4_law.c"], "par4_law_default")
    assert list(told) == list(values)
    of_file = dict(leaves(pp.load("par4").robot))
    of_robot = {path.removeprefix("controller."): values[field] for field, (path, _) in told.items()
                if path.startswith("controller.") and path.removeprefix("controller.") in of_file}  # fmt: skip
    assert len(of_robot) > 15
    assert all(of_file[path] == value for path, value in of_robot.items())
    units, robot = dict(told.values()), dict(units_of(pp.load("par4").robot))
    for path, unit in units.items():
        if path.startswith("controller."):
            assert unit == robot[path.removeprefix("controller.")], path
    own = {path: unit for path, unit in units.items() if not path.startswith("controller.")}
    assert all(own.values())
    assert own["law.kp.1"] == "1/s2"
    assert own["law.kd.4"] == "1/s"
    assert own["drives.torque_max.2"] == "N m"
    assert own["period"] == "s"
    assert values["period"] == 1.0 / machine_controller("tsid").rate


def test_code_reads_no_number_that_the_struct_lacks(supervised: ExportedC) -> None:
    for file, struct, pointer in (("model", "parameters", "p"), ("law", "law_parameters", "g")):
        read = set(re.findall(rf"\b{pointer}->(\w+)", plain(supervised.texts[f"par4_{file}.c"])))
        told = set(fields(supervised.texts["par4.h"], f"par4_{struct}"))
        assert read <= told
        assert len(read) > 15
        # What the supervisor alone reads is in the struct of the model.
        more = set(re.findall(r"\bp->(\w+)", plain(supervised.texts["par4_supervisor.c"])))
        assert told - read <= (more if file == "model" else set())


def test_fixed_numbers_leave_no_struct(fixed: ExportedC) -> None:
    everything = "".join(fixed.texts.values())
    for word in ("_parameters", "_default", "p->", "numbers of the file"):
        assert word not in everything, word
    assert "int delta_4_inverse_kinematics(const delta_4_real x[4], delta_4_real q[4]);" in fixed.texts["delta_4.h"]
    assert repr(pp.load("delta-4").robot.limb.arm) in fixed.texts["delta_4_model.c"]


def test_what_is_declared_is_defined_and_what_is_not_static_is_declared(
    supervised: ExportedC, linear: ExportedC, fixed: ExportedC
) -> None:
    for exported in (supervised, linear, fixed):
        header, code = exported.texts[f"{exported.prefix}.h"], sources(exported)
        told, made = declared(header), defined(*code.values())
        outer = {name: text for name, text in made.items() if not text.startswith("static")}
        assert outer == told
        assert {one.name for one in exported.functions} <= set(told)
        assert constants(header) == set().union(*map(constants, code.values()))
        # Nothing is defined by two files that are linked together.
        names = [
            name for text in code.values() for name, head in defined(text).items() if not head.startswith("static")
        ]
        assert len(names) == len(set(names))


def test_every_name_has_the_prefix(supervised: ExportedC) -> None:
    """Functions, types, constants, macros, and tables, static ones included."""
    for text in (supervised.texts["par4.h"], *sources(supervised).values()):
        names = {*declared(text), *defined(text), *constants(text)}
        names |= set(re.findall(r"^\} (\w+);", text, re.MULTILINE)) | set(
            re.findall(r"^typedef \w+ (\w+);", text, re.MULTILINE)
        )
        names |= set(re.findall(r"^static const [\w ]+ (\w+)\[", text, re.MULTILINE))
        assert names
        assert all(name.startswith("par4_") for name in names)
        macros = re.findall(r"^#define (\w+)", text, re.MULTILINE)
        macros += re.findall(r"(\w+) = -?\d+", "".join(re.findall(r"^enum \{.*?\};", text, re.DOTALL | re.MULTILINE)))
        assert all(name.startswith("PAR4_") for name in macros)


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("nm")), reason="no gcc, or no nm")
def test_symbols_of_the_objects_have_the_prefix(linear: ExportedC, tmp_path: Path) -> None:
    linear.write(tmp_path)
    subprocess.run(["gcc", "-std=c99", "-O0", "-c", "delta_linear_model.c"], cwd=tmp_path, check=True)
    listed = subprocess.run(
        ["nm", "-g", "delta_linear_model.o"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout.split("\n")
    symbols = {kind: {line.split()[-1] for line in listed if f" {kind} " in line} for kind in "TRU"}
    assert symbols["T"] == set(declared(linear.texts["delta_linear.h"]))
    assert symbols["R"] == {"delta_linear_default", "delta_linear_gripper"}
    # Besides, only libm.
    known = {"sqrt", "sin", "cos", "tan", "atan2", "acos", "asin", "exp", "hypot", "_GLOBAL_OFFSET_TABLE_"}
    assert symbols["U"] <= known


def test_costs_are_the_same_wherever_they_are_stated(supervised: ExportedC) -> None:
    header, readme = costs(supervised.texts["par4.h"]), costs(supervised.texts["README.md"])
    assert header == readme
    answer = {row[0]: (row[1], row[2]) for row in supervised.table("functions").rows}
    assert set(answer) == set(header) == {one.name for one in supervised.functions}
    for name, (operations, kinds, stack) in header.items():
        assert sum(kinds.values()) == operations, name
        assert answer[name] == (operations, kinds.get("calls", 0)), name
        assert stack > 0


def test_costs_of_an_object_are_the_same_wherever_they_are_stated() -> None:
    exported = pp.export_c("delta-4", functions=("kinematics", "inverse_kinematics"), objects=("cortex-m7", "aarch64"))
    rows = exported.table("objects").rows
    assert len(rows) == 4
    for one in exported.objects:
        header = exported.texts[f"{one.name}.h"]
        told = {name: (int(count), int(calls)) for name, count, calls in re.findall(
            r"^ \*   (\w+): (\d+) instructions, (\d+) calls of libm", header, re.MULTILINE)}  # fmt: skip
        assert set(told) == set(re.findall(r"^void (\w+)\(", header, re.MULTILINE)) == set(one.instructions)
        assert {row[0]: row[1:] for row in rows if row[0] in told} == told
        assert symbols_of_elf(one.code) >= set(told)
        assert not {name for name in symbols_of_elf(one.code) if name.startswith("delta_4")} - set(told)
        assert exported.files[f"{one.name}.o"] == one.code


def symbols_of_elf(code: bytes) -> set[str]:
    """Words in the tables of names of an object file."""
    return {word.decode() for word in re.findall(rb"(?<=\0)[A-Za-z_][A-Za-z0-9_]{2,}(?=\0)", code)}


def test_the_same_processor_twice_is_one_object() -> None:
    exported = pp.export_c("delta-4", functions=ONE, objects=("cortex-m7", "cortex-m7"))
    assert [one.name for one in exported.objects] == ["delta_4_cortex_m7"]


@pytest.mark.parametrize("name", ROBOTS)
def test_names_of_every_robot_are_one_to_one(name: str) -> None:
    paths = [path for path, _ in leaves(pp.load(name).robot)]
    mapped = identifiers(paths)
    assert list(mapped) == paths
    assert len(set(mapped.values())) == len(paths)
    assert all(is_identifier(field) for field in mapped.values())
    assert is_identifier(identifier(name))


@pytest.mark.parametrize(
    "names",
    [
        ("a.b", "a_b", "a-b", "a__b", "a b"),
        ("double", "double_", "double.", "_double"),
        ("1", "n1", "n.1", "1st"),
        ("sin", "sin_", "sinf", "y0"),
        ("é1", "è1", "x", "X"),
    ],
)
def test_names_that_look_alike_in_c_stay_apart(names: tuple[str, ...]) -> None:
    mapped = identifiers(names)
    assert set(mapped) == set(names)
    assert len(set(mapped.values())) == len(names)
    assert all(is_identifier(each) for each in mapped.values())


def test_the_mapping_that_is_listed_is_the_one_in_the_header(linear: ExportedC) -> None:
    rows: Mapping[Any, Any] = dict(linear.table("names").rows)
    assert rows == linear.names
    readme = dict(re.findall(r"^- `(\S+)` is `(\w+)`$", linear.texts["README.md"], re.MULTILINE))
    assert readme == linear.names
    told = fields(linear.texts["delta_linear.h"], "delta_linear_parameters")
    mapped = {path: field for field, (path, _) in told.items() if path != field}
    assert {path: name for path, name in linear.names.items() if path != "delta-linear"} == mapped
    assert linear.names["delta-linear"] == "delta_linear"


def test_numbers_of_type_float_are_the_nearest() -> None:
    exported = pp.export_c("delta-4", real="float", functions=("inverse_kinematics",))
    robot = dict(leaves(pp.load("delta-4").robot))
    told = fields(exported.texts["delta_4.h"], "delta_4_parameters")
    values = initialised(exported.texts["delta_4_model.c"], "delta_4_default")
    assert {field: np.float32(value) for field, value in values.items()} == {
        field: np.float32(robot[path]) for field, (path, _) in told.items()
    }
    code = plain(exported.texts["delta_4_model.c"])
    assert "double" not in code
    assert not re.findall(r"\b(?:sqrt|sin|cos|atan2)\(", code)
    assert not re.findall(r"(?<![\w.])\d+\.\d*(?:e[-+]?\d+)?(?![\w.])", code), "a literal of type double"


def test_a_controller_that_takes_the_robot_for_another_changes_its_numbers_alone() -> None:
    asked = replace(machine_controller("tsid"), model=ModelChanges(parameters={"limb.arm_mass": 2.5}))
    exported = pp.export_c("delta-linear", functions=ONE)
    assert f"delta_linear_{BELIEVED}" not in "".join(exported.texts.values())
    changed = pp.export_c("par4", asked)
    model, law, guards = (changed.texts[f"par4_{name}.c"] for name in ("model", "law", "supervisor"))
    own, believed = initialised(model, "par4_default"), initialised(guards, f"par4_{BELIEVED}")
    assert {field for field in own if own[field] != believed[field]} == {"limb_arm_mass"}
    assert believed["limb_arm_mass"] == 2.5
    step = initialised(law, "par4_law_default")
    assert [value for field, value in step.items() if field.endswith("limb_arm_mass")] == [2.5]
