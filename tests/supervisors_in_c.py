"""The supervisor of a robot in C as a shared library, with loops over many samples around its functions."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from parapick.export.c.supervisor_parts import CPart, RobotInC
from parapick.export.c.supervisor_unit import SupervisedMachine, supervisor_unit
from parapick.formulas import Expression, expression_of
from parapick.kernel import (
    CArgument,
    CFunction,
    CStyle,
    c_function,
    collecting,
    helper_texts,
    identifier,
    plain_signature,
    trace_of,
)
from parapick.model import Model
from parapick.parameters import structure, symbols_of
from parapick.supervision import GUARDS, WINDOW, columns_of

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")

MEMORY = np.dtype(
    [("state", "i4"), ("fault", "i4"), ("homed", "i4"), ("counts", "i4", len(GUARDS)), ("rest", "i4"), ("event", "i4"),
     ("cause", "i4")]
)  # fmt: skip
SEEN = np.dtype([("over", "i4", len(GUARDS)), ("still", "i4"), ("arrived", "i4"), ("command", "i4")])

LOOPS = """
#include "cell.h"
void cell_steps(const cell_rules *rules, cell_supervisor_state *memory, const cell_observation *seen, int count)
{
    int i;
    for (i = 0; i < count; ++i) cell_supervisor_step(rules, &memory[i], &seen[i]);
}
void cell_looks(const cell_parameters *p, const cell_guard_limits *limits, cell_guard_state *past,
        const cell_signals *signals, cell_quantities *quantities, cell_observation *seen, int count)
{
    int i;
    for (i = 0; i < count; ++i) {
        cell_guards(p, limits, past, &signals[i], &quantities[i], &seen[i]);
        cell_guards_remember(p, past, signals[i].q_meas, signals[i].x_ref);
    }
}
"""


@dataclass(frozen=True)
class Library:
    """A compiled supervisor.

    Attributes:
        model: the robot.
        functions: what was compiled.
        unit: from which text.
    """

    model: Model
    functions: ctypes.CDLL
    unit: CPart

    @property
    def quantities(self) -> np.dtype:
        """Layout of the quantities of all guards."""
        return np.dtype([(name, "f8", (len(words),)) for name, words in columns_of(self.model).items()])

    @property
    def signals(self) -> np.dtype:
        """Layout of what is read at a sample."""
        n, dof = self.model.robot.motors, self.model.robot.dof
        fields = [("q_meas", "f8", n), ("x_ref", "f8", dof), ("x_ahead", "f8", dof), ("command", "f8", n)]
        return np.dtype([*fields, ("late", "i4"), ("dead", "i4", n), ("emergency", "i4")], align=True)

    @property
    def past(self) -> np.dtype:
        """Layout of what was before."""
        n = self.model.robot.motors
        return np.dtype([("q_meas", "f8", (WINDOW, n)), ("oldest", "i4"), ("q_ref", "f8", n)], align=True)

    def default(self, name: str, kind: np.dtype) -> np.ndarray:
        """A constant of the library.

        Args:
            name: without the prefix.
            kind: its layout.
        """
        symbol = (ctypes.c_char * kind.itemsize).in_dll(self.functions, f"cell_{name}")
        return np.frombuffer(bytes(symbol), kind)[0]

    def call(self, name: str, *arguments: np.ndarray | float) -> int:
        """Call a function with pointers to arrays, and numbers as they are.

        Args:
            name: without the prefix.
            arguments: arrays, whole numbers and numbers.
        """
        function = self.functions[f"cell_{name}"]
        return function(*(_argument(argument) for argument in arguments))


def _argument(value: np.ndarray | float) -> object:
    if isinstance(value, np.ndarray):
        assert value.flags.c_contiguous
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_int(value) if isinstance(value, int) else ctypes.c_double(value)


def robot_in_c(model: Model, style: CStyle, *, fixed: bool = False) -> RobotInC:
    """A robot whose numbers are an array, or constants.

    Args:
        model: the robot.
        style: spelling.
        fixed: whether they are constants.
    """
    numbers, description = symbols_of(structure(model.robot))
    first = () if fixed else (CArgument("p", f"const {style.prefix}_parameters *p"),)
    spelt = [style.literal(value) if fixed else f"p->number[{i}]" for i, value in enumerate(model.parameters)]

    def printed(name: str, write: Callable[[], Expression], comment: str) -> CFunction:
        with collecting() as notes:
            one = write()
        outputs = {identifier(key): value for key, value in one.outputs.items()}
        trace = trace_of(name, one.inputs, numbers, outputs, one.validity, notes)
        signature = plain_signature(trace, style, first, spelt)
        return c_function(trace, f"{style.prefix}_{name}", style, signature, comment)

    return RobotInC(model, style, description, first, printed)


def model_functions(robot: RobotInC) -> list[CFunction]:
    """The functions of the robot's model that its guards call.

    Args:
        robot: the robot in C.
    """
    names = ("inverse_kinematics", "forward_kinematics", "reach", "margins")
    return [robot.printed(name, lambda name=name: expression_of(name, robot.description), name) for name in names]


def sources(robot: RobotInC, machine: SupervisedMachine) -> tuple[CPart, dict[str, str]]:
    """The supervisor, and the files to compile it with those functions of the model that it calls.

    Args:
        robot: the robot in C.
        machine: what its defaults are found from.
    """
    style, unit, functions = robot.style, supervisor_unit(robot, machine), model_functions(robot)
    name = style.prefix
    kinds = f"typedef {style.real} {style.number};\n"
    kinds += f"typedef struct {{ {style.number} number[{len(robot.model.parameters)}]; }} {name}_parameters;\n"
    declared = "\n".join(f"{function.declaration};" for function in functions)
    helpers = helper_texts(style, frozenset().union(*(function.helpers for function in functions)))
    model = f'#include <math.h>\n#include "{name}.h"\n{helpers}\n'
    model += "\n".join(function.definition for function in functions)
    header = f"#ifndef GUARD_H\n#define GUARD_H\n{kinds}{declared}\n{unit.header}\n#endif\n"
    return unit, {f"{name}.h": header, f"{name}_supervisor.c": unit.source, f"{name}_model.c": model}


def compiled(files: dict[str, str], folder: Path, compiler: str = "gcc") -> Path:
    """Files as a shared library, with warnings as errors.

    Args:
        files: texts by name.
        folder: where they are written.
        compiler: gcc or clang.
    """
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    library = folder / "library.so"
    units = [str(folder / name) for name in files if name.endswith(".c")]
    subprocess.run([compiler, *FLAGS, "-O1", "-shared", "-fPIC", "-o", library, *units, "-lm"], check=True)
    return library


def supervisor_library(model: Model, machine: SupervisedMachine, folder: Path) -> Library:
    """The supervisor of a robot, compiled.

    Args:
        model: the robot.
        machine: what its defaults are found from.
        folder: where it is compiled.
    """
    unit, files = sources(robot_in_c(model, CStyle("cell")), machine)
    return Library(model, ctypes.CDLL(str(compiled(files | {"loops.c": LOOPS}, folder))), unit)
