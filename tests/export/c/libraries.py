"""Exported C as a shared library that Python calls."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np

from parapick.export import ExportedC
from parapick.model import Model

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1")
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]


def shared_library(exported: ExportedC, folder: Path, *more: str, compiler: str = "") -> ctypes.CDLL:
    """The sources of an export as a shared library.

    Args:
        exported: the export.
        folder: where it is written and compiled.
        more: names of other sources in the folder.
        compiler: gcc or clang; what there is if not given.
    """
    exported.write(folder)
    names = sorted(path.name for path in folder.glob("*.c") if not path.name.endswith("_test.c"))
    sources = [str(folder / name) for name in dict.fromkeys([*names, *more])]
    library = folder / "library.so"
    command = [compiler or COMPILERS[0], *STRICT, "-shared", "-fPIC", "-o", library, *sources, "-lm"]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


def program_output(exported: ExportedC, folder: Path, *flags: str, compiler: str = "") -> str:
    """What the test program of an export prints; the test fails where the program does.

    Args:
        exported: the export.
        folder: where it is written and compiled.
        flags: more options of the compiler.
        compiler: gcc or clang; what there is if not given.
    """
    exported.write(folder)
    sources = sorted(str(path) for path in folder.glob("*.c"))
    program = folder / "program"
    subprocess.run([compiler or COMPILERS[0], *STRICT, *flags, "-o", program, *sources, "-lm"], check=True)
    run = subprocess.run([program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def pointer(values: np.ndarray) -> ctypes.c_void_p:
    """Where an array begins."""
    assert values.flags.c_contiguous
    return ctypes.c_void_p(values.ctypes.data)


def states(model: Model, x: np.ndarray) -> dict[str, np.ndarray]:
    """Inputs of every function of a model at poses (N, dof), by name."""
    draw = np.random.default_rng(4)
    given = {"x": x, "xd": draw.normal(0, 1, x.shape), "xdd": draw.normal(0, 10, x.shape)}
    given |= {"payload": np.tile(model.held.vector(), (len(x), 1)), "q": model.inverse_kinematics(x)}
    return given | {"guess": x + draw.uniform(-0.01, 0.01, x.shape)}


def answers(
    exported: ExportedC, library: ctypes.CDLL, model: Model, function: str, given: dict[str, np.ndarray]
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """By output of a function: what C and what the library answer, row by row.

    Args:
        exported: the export.
        library: its code.
        model: the robot.
        function: name without the prefix.
        given: inputs by name.
    """
    real = "float" if "typedef float" in exported.texts[f"{exported.prefix}.h"] else "double"
    kind = np.float32 if real == "float" else np.float64
    defaults = ctypes.byref(ctypes.c_char.in_dll(library, f"{exported.prefix}_default"))
    kernel = model.kernel(function)
    inputs = [given[port.name].astype(kind) for port in kernel.ports.inputs]
    expected = kernel(*(one.astype(float) for one in inputs), model.parameters)
    found = [np.zeros(one.shape, kind) for one in expected]
    call = library[f"{exported.prefix}_{function}"]
    for k in range(len(inputs[0])):
        call(defaults, *(pointer(one[k : k + 1]) for one in (*inputs, *found)))
    names = [port.name for port in kernel.ports.outputs]
    return {name: (ours, theirs) for name, ours, theirs in zip(names, found, expected, strict=True)}
