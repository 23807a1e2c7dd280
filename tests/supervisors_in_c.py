"""The supervisor of a robot in C as a shared library, with loops over many samples around its functions."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from export.c.libraries import shared_library
from parapick.control import Controller, machine_controller
from parapick.export import ExportedC, export_c
from parapick.export.c.supervised import NEEDED
from parapick.model import Model
from parapick.supervision import GUARDS, WINDOW, columns_of

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


RATE = 4000.0
"""Control rate of the loops (Hz)."""


def exact_machine() -> Controller:
    """A loop without torque limits of its own, and encoders that are exact."""
    return replace(machine_controller("tsid"), rate=RATE, torque_max=None, encoder=None)


@dataclass(frozen=True)
class Library:
    """A compiled supervisor.

    Attributes:
        model: the robot.
        functions: what was compiled.
        exported: the files.
    """

    model: Model
    functions: ctypes.CDLL
    exported: ExportedC

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

    @property
    def numbers(self) -> object:
        """Where the numbers of the robot are."""
        return ctypes.byref(ctypes.c_char.in_dll(self.functions, "cell_default"))

    def default(self, name: str, kind: np.dtype) -> np.ndarray:
        """A constant of the library.

        Args:
            name: without the prefix.
            kind: its layout.
        """
        symbol = (ctypes.c_char * kind.itemsize).in_dll(self.functions, f"cell_{name}")
        return np.frombuffer(bytes(symbol), kind)[0]

    def call(self, name: str, *arguments: Any) -> int:
        """Call a function with pointers to arrays, and numbers as they are.

        Args:
            name: without the prefix.
            arguments: arrays, whole numbers and numbers.
        """
        function = self.functions[f"cell_{name}"]
        return function(*(_argument(argument) for argument in arguments))


def _argument(value: Any) -> object:
    if isinstance(value, np.ndarray):
        assert value.flags.c_contiguous
        return ctypes.c_void_p(value.ctypes.data)
    if isinstance(value, int | float):
        return ctypes.c_int(value) if isinstance(value, int) else ctypes.c_double(value)
    return value


def supervisor_library(model: Model, controller: Controller, folder: Path, **settings: Any) -> Library:
    """What `export_c` writes for a robot with a controller, compiled with loops around it.

    Args:
        model: the robot.
        controller: the controller.
        folder: where it is written and compiled.
        settings: others of `export_c`.
    """
    exported = export_c(model, controller, prefix="cell", functions=NEEDED, **settings)
    folder.mkdir(exist_ok=True)
    (folder / "loops.c").write_text(LOOPS, encoding="utf-8")
    return Library(model, shared_library(exported, folder), exported)
