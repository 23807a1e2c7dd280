"""C of robots and laws: compiled with warnings as errors, and equal to the library."""

from __future__ import annotations

import ctypes
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from export.c.libraries import COMPILERS, answers, pointer, program_output, shared_library, states
from parapick.control import LAWS, Measured, Reference
from parapick.errors import MissingMassError, ParameterError
from parapick.export import ExportedC
from parapick.export.c.law import c_law
from parapick.export.c.vectors import regular_poses
from parapick.kernel import CStyle
from parapick.simulation import assembled
from parapick.simulation.native_loop import initial_state
from parapick.simulation.stepped_controller import CompiledController, ControlOutput
from parapick.simulation.stepped_loop import stepped
from parapick.simulation.stepped_plant import CompiledPlant
from poses import MASSIVE, ROBOTS

FEW = ("par4", "delta-r4", "delta-linear", "fivebar-spindle")

LAST_DIGIT = 1e-9
"""Largest difference (m, rad) of a loop run by exported steps from one run by the library's, over 200 samples."""

ON_CIRCLE = 1e-3
"""Share of the rod within which a plate point counts as lying on its elbow's circle. The distance from it is the root
of a sum of squares there, and rounding under a root near 0 is no rounding of the root."""

pytestmark = [
    pytest.mark.skipif(not COMPILERS, reason="no C compiler"),
    pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning"),
]


@pytest.mark.parametrize("name", FEW)
def test_the_test_program_agrees(name: str, tmp_path: Path) -> None:
    printed = program_output(pp.export_c(name), tmp_path)
    assert "all agree" in printed
    assert "inverse_dynamics tau" in printed


@pytest.mark.parametrize("compiler", COMPILERS)
def test_numbers_in_the_code_and_numbers_of_type_float(compiler: str, tmp_path: Path) -> None:
    fixed = pp.export_c("par4", fixed=True, real="float", prefix="robot")
    assert "all agree" in program_output(fixed, tmp_path, compiler=compiler)
    header = fixed.texts["robot.h"]
    assert "robot_parameters" not in header
    assert "typedef float robot_real;" in header
    assert "to 1e-06 m" in header


def test_sanitizers_find_nothing(tmp_path: Path) -> None:
    exported = pp.export_c("delta-4", "tsid")
    program_output(exported, tmp_path, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def test_fast_math_is_refused(tmp_path: Path) -> None:
    exported = pp.export_c("delta-4", functions=("inverse_kinematics",))
    exported.write(tmp_path)
    source = tmp_path / "delta_4_model.c"
    run = subprocess.run(
        [COMPILERS[0], "-ffast-math", "-c", source, "-o", tmp_path / "a.o"], capture_output=True, text=True, check=False
    )
    assert run.returncode != 0
    assert "NaN says" in run.stderr


@pytest.mark.soak
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("name", ROBOTS)
def test_many_poses_of_every_robot(name: str, real: Any, tmp_path: Path) -> None:
    """10,000 random poses with margins above 0.1: 1e-12 of the largest value, 1e-4 with numbers of type float."""
    model, exported = pp.load(name), pp.export_c(name, real=real)
    library = shared_library(exported, tmp_path)
    x = regular_poses(model, 10_000, seed=3)
    given = states(model, x)
    tolerance = 1e-12 if real == "double" else 1e-4
    rods = np.array([float(leg.rod) for leg in model.numbers.rod_legs()])
    for function in exported.functions:
        name = function.name.removeprefix(f"{exported.prefix}_")
        for output, (ours, theirs) in answers(exported, library, model, name, given).items():
            assert (np.isnan(ours) == np.isnan(theirs)).all(), (name, output)
            finite = np.isfinite(theirs)
            if output == "short":
                finite &= theirs < (1 - ON_CIRCLE) * rods
            if finite.any():
                worst = np.abs(ours[finite] - theirs[finite]).max()
                assert worst <= tolerance * max(np.abs(theirs[finite]).max(), 1e-300), (name, output)


class ExportedController:
    """A controller that steps the exported law."""

    def __init__(self, library: ctypes.CDLL, prefix: str, states: int, terms: int, exact: tuple[str, ...]) -> None:
        self._step = getattr(library, f"{prefix}_law_step")
        self._numbers = ctypes.byref(ctypes.c_char.in_dll(library, f"{prefix}_law_default"))
        self._state, self._terms, self._exact = np.zeros(states), np.zeros(terms), exact
        getattr(library, f"{prefix}_law_reset")(pointer(self._state))

    def step(self, t: float, measured: Measured, reference: Reference) -> ControlOutput:
        wanted = np.concatenate([reference.x, reference.xd, reference.xdd, reference.payload])
        sensed = [np.array(getattr(measured, name)) for name in ("q", *self._exact)]
        applied = np.zeros(len(sensed[0]))
        arrays = (self._state, *sensed, wanted, self._terms, applied)
        assert self._step(self._numbers, *(pointer(each) for each in arrays)) == 1
        return ControlOutput(applied, {"command": self._terms[: len(applied)].copy()})


@pytest.mark.parametrize(
    "law", [pytest.param(law, marks=() if law in ("tsid", "pid") else pytest.mark.soak) for law in LAWS]
)
def test_a_closed_loop_of_exported_steps_is_that_of_the_library(law: str, tmp_path: Path) -> None:
    if LAWS[law].__dict__.get("learns", False):
        pytest.skip("it learns between cycles")
    if not getattr(LAWS[law], "sloped", True):
        # A root of the error, and its sign: on the path rounding decides, and two loops part. Off it they agree.
        assert "ok    law_step" in program_output(pp.export_c("par4", law), tmp_path)
        return
    model = pp.load("par4")
    motion = pp.adept_cycle(model, cycles_per_minute=120)
    controller = pp.control.machine_controller(law)
    assembly = assembled(model, motion, controller)
    exported = pp.export_c(model, controller, functions=("inverse_kinematics",))
    library = shared_library(exported, tmp_path)
    c = c_law(model, controller, motion, CStyle("par4"), fixed=False)
    few = {name: getattr(assembly.series, name) for name in ("t", "x", "xd", "xdd", "payload", "payload_ref")}
    series = replace(assembly.series, **{name: values[:200] for name, values in few.items()})
    records = []
    for stepper in (
        CompiledController(assembly.loop, assembly.parameters),
        ExportedController(
            library, "par4", sum(size or 1 for size in c.fields.values()), sum(c.terms.values()), tuple(c.exact)
        ),
    ):
        start = initial_state(assembly.loop, series.x[0], series.xd[0], 512)
        plant = CompiledPlant(assembly.loop, assembly.parameters, assembly.substeps, start)
        records.append(stepped(stepper, plant, series))
    ours, theirs = records[1], records[0]
    assert len(ours["x"]) == len(theirs["x"]) == 200
    np.testing.assert_allclose(ours["x"], theirs["x"], rtol=0, atol=LAST_DIGIT)
    assert np.abs(theirs["torque"]).max() > 1.0


def test_names_of_the_file_that_c_does_not_know_are_listed() -> None:
    exported = pp.export_c("delta-4", functions=("inverse_kinematics",))
    assert exported.prefix == "delta_4"
    assert exported.names["limb.arm"] == "limb_arm"
    assert "`limb.arm` is `limb_arm`" in exported.texts["README.md"]
    assert all(name.startswith(("delta_4", "Makefile", "README")) for name in exported.texts)


def test_what_a_call_costs_is_stated(supervised: ExportedC) -> None:
    names = [function.name for function in supervised.functions]
    assert {"par4_forward_kinematics", "par4_law_step", "par4_guards", "par4_stop_step"} <= set(names)
    for function in supervised.functions:
        assert f"{function.name}: {function.cost.operations} operations" in supervised.texts["par4.h"]
        assert f"at most {function.cost.stack(8)} bytes of stack" in supervised.texts["par4.h"]


CALLED = {
    "forward_kinematics": [("newton_step", "loops_closed")],
    "guards_remember": [("inverse_kinematics",)],
    "guards": [("pose",), ("reach", "margins", "border", "forward_kinematics")],
    "stop_begin": [("stop_first",)],
    "stop_step": [("stop_try", "stop_advance")],
}
"""What a function calls, and what that calls, beside small helpers: the deepest counts."""


@pytest.mark.skipif("gcc" not in COMPILERS, reason="no gcc, which says how much stack it takes")
def test_no_call_takes_more_stack_than_stated(supervised: ExportedC, tmp_path: Path) -> None:
    """Without optimisation, where every value has its own place."""
    supervised.write(tmp_path)
    names = [name for name in supervised.texts if name.endswith(".c") and not name.endswith("_test.c")]
    subprocess.run(["gcc", "-std=c99", "-O0", "-fstack-usage", "-c", *names], cwd=tmp_path, check=True)
    lines = [line for path in tmp_path.glob("*.su") for line in path.read_text().splitlines()]
    frames = {line.split("\t")[0].split(":")[-1].removeprefix("par4_"): int(line.split("\t")[1]) for line in lines}
    assert all(line.endswith(("static", "dynamic,bounded")) for line in lines), "a frame whose size depends on data"
    helper = max(frames[name] for name in ("min", "max", "sign", "above", "below", "any"))
    for function in supervised.functions:
        name = function.name.removeprefix("par4_")
        deep = [max(frames[each] for each in level) for level in CALLED.get(name, ())]
        assert frames[name] + sum(deep) + helper <= function.cost.stack(8), name


def test_a_law_reads_like_its_formulas(supervised: ExportedC) -> None:
    """Every part of the law under a comment of its own, with few values that nobody named."""
    source = supervised.texts["par4_law.c"]
    for heading in (
        "ref, leg 1: plate point",
        "joint rates of the encoder angles",
        "newton 3, leg 2: what is left of its closure",
        "plate, leg 4: closure l",
        "model, leg 1: motion qd = rod . vB / lever",
        "model: torque tau = M_p xdd + n_p",
    ):
        assert f"/* {heading}" in source, heading
    step = source[source.index("int par4_law_step") :]
    blocks = re.split(r"\n    /\* ", step)
    assert max(len(re.findall(r"const \w+ \w*t\d+ = ", block)) for block in blocks) < 110
    assert re.search(r"const par4_real step_\w* ", step) is None
    assert "par4_real q_before[4];" in supervised.texts["par4.h"]
    # A declaration is not broken within an argument.
    assert re.search(r"(const|par4_real)\n", supervised.texts["par4.h"]) is None


def test_gains_along_a_task_are_those_of_that_task() -> None:
    box, cycle = (pp.export_c("par4", "pd", task=task, functions=("inverse_kinematics",)) for task in ("box", None))
    assert "along the task box" in box.answer().notes[0]
    kp = [re.findall(r"law_kp_1 = (\S+),", exported.texts["par4_law.c"])[0] for exported in (box, cycle)]
    assert kp[0] != kp[1]
    assert "along the task" not in "".join(pp.export_c("par4", "tsid", functions=("reach",)).notes)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"prefix": "2par"}, "'n2par' would be one"),
        ({"prefix": "double"}, "not an identifier"),
        ({"functions": ("inverse",)}, "valid are inverse_kinematics"),
        ({"objects": ("z80",)}, "valid are aarch64, cortex-m7"),
        ({"objects": ("cortex-m7",), "real": "float"}, "numbers of type double"),
        ({"real": "half"}, "valid are 'double' and 'float'"),
        ({"controller": "learning"}, "can be exported, such as pd"),
        ({"controller": lambda t, measured, reference: measured.q}, "a Python function"),
    ],
)
def test_what_cannot_be_exported_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        pp.export_c("par4", **settings)


def test_a_robot_without_masses_has_no_dynamics() -> None:
    name = next(name for name in ROBOTS if name not in MASSIVE)
    exported = pp.export_c(name)
    assert "inverse_dynamics" in exported.left_out[0]
    assert all("dynamics" not in function.name for function in exported.functions)
    with pytest.raises(MissingMassError):
        pp.export_c(name, functions=("inverse_dynamics",))


def test_it_shows_itself() -> None:
    exported = pp.export_c("delta-4", functions=("inverse_kinematics",))
    assert exported.ok
    assert "delta_4.h" in repr(exported)
    assert "delta_4" in exported._repr_html_()
    assert exported.table("functions").column("function") == ("delta_4_inverse_kinematics",)


def test_an_object_comes_with_a_header(tmp_path: Path) -> None:
    exported = pp.export_c("delta-4", functions=("kinematics",), objects=("cortex-m7",))
    written = exported.write(tmp_path)
    code, header = written["delta_4_cortex_m7.o"].read_bytes(), exported.texts["delta_4_cortex_m7.h"]
    assert code[:4] == b"\x7fELF"
    assert b"delta_4_cortex_m7_kinematics" in code
    assert "void delta_4_cortex_m7_kinematics(const double x[4], double q[4], double J[4][4]);" in header
    ((name, count, calls),) = exported.table("objects").rows
    assert f"{name}: {count} instructions, {calls} calls of libm" in header
    subprocess.run([COMPILERS[0], "-std=c99", "-Werror", "-fsyntax-only", tmp_path / "delta_4_cortex_m7.h"], check=True)
