"""Exported C of Par4 beside hand-written C: one call a state, both scalar, the same compiler and flags.

Run `python benchmarks/exported.py [--json FILE]`. The functions must first agree on random states; then it prints
times, ratios and one verdict a target. A loop of C calls each function once a state, so that nothing of Python is
timed. The exit code is 1 only where they disagree.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dynamics import AGREEMENT, workspace_states
from native import SCALAR_FLAGS, compiler, machine
from native_dynamics import robot_struct
from par4_native import GEOMETRY, numbers_of
from racing import Race, at_most, figure, keep, race, table

COUNT, ROUNDS, SEED = 500, 40, 20250
FLAGS = tuple(flag for flag in SCALAR_FLAGS if flag != "-ffast-math")
"""Those of the other benchmarks without -ffast-math, which exported code refuses."""

FIXED, STRUCT, HAND = "exported, numbers in the code", "exported, numbers as a struct", "hand-written"

LOOPS = """
#include "{prefix}.h"
void {prefix}_torques(long n, const double *x, const double *xd, const double *xdd, const double *load, double *tau)
{{
    for (long k = 0; k < n; k++)
        {prefix}_inverse_dynamics({given}x + 4 * k, xd + 4 * k, xdd + 4 * k, load, tau + 4 * k);
}}
void {prefix}_joints(long n, const double *x, double *q, double *J)
{{
    for (long k = 0; k < n; k++) {prefix}_kinematics({given}x + 4 * k, q + 4 * k, (double (*)[4])(J + 16 * k));
}}
"""
HAND_LOOPS = {
    "par4_dynamics": """
void hand_torques(const Robot *p, long n, const double *x, const double *xd, const double *xdd, double *tau)
{
    for (long k = 0; k < n; k++) par4_dynamics_rows(p, 1, x + 4 * k, xd + 4 * k, xdd + 4 * k, tau + 4 * k);
}
""",
    "par4_kinematics": """
void hand_joints(const Par4 *p, long n, const double *x, double *q, double *J)
{
    for (long k = 0; k < n; k++) par4_kinematics(p, 1, x + 4 * k, q + 4 * k, J + 16 * k);
}
""",
}
"""Of one state, rows and structures of arrays are the same."""


def library(folder: Path, name: str, *sources: Path) -> ctypes.CDLL:
    """Sources as a shared library, linked without the flags of optimisation."""
    gcc = compiler()
    if gcc is None:
        raise FileNotFoundError("exported C needs gcc, which is not on the PATH")
    objects = [folder / f"{name}_{source.stem}.o" for source in sources]
    for source, compiled in zip(sources, objects, strict=True):
        subprocess.run([gcc, "-std=gnu11", *FLAGS, "-fPIC", "-c", source, "-o", compiled], check=True)
    path = folder / f"{name}.so"
    subprocess.run([gcc, "-shared", *objects, "-o", path, "-lm"], check=True)
    return ctypes.CDLL(str(path))


def exported(folder: Path, model: Any, *, fixed: bool) -> ctypes.CDLL:
    """The exported functions with loops around them."""
    import parapick

    prefix = "fixed" if fixed else "given"
    parapick.export_c(model, prefix=prefix, fixed=fixed, functions=("kinematics", "inverse_dynamics")).write(folder)
    loops = folder / f"{prefix}_loops.c"
    loops.write_text(LOOPS.format(prefix=prefix, given="" if fixed else f"&{prefix}_default, "), encoding="utf-8")
    return library(folder, prefix, folder / f"{prefix}_model.c", loops)


def hand_written(folder: Path, name: str) -> ctypes.CDLL:
    """A file of hand-written C with a loop in it."""
    source = folder / f"hand_{name}.c"
    included = Path(__file__).with_name(f"{name}.c")
    source.write_text(f'#include "{included}"\n{HAND_LOOPS[name]}', encoding="utf-8")
    return library(folder, f"hand_{name}", source)


def _calls(function: Any, *arguments: Any) -> Callable[[], object]:
    function.restype = None
    passed = [ctypes.c_void_p(each.ctypes.data) if isinstance(each, np.ndarray) else each for each in arguments]
    count = ctypes.c_long(COUNT)
    places = [count if each is None else each for each in passed]
    return lambda: function(*places)


def contenders(folder: Path, model: Any) -> dict[str, tuple[dict[str, Callable[[], object]], dict[str, np.ndarray]]]:
    """By quantity, a call by contender and the array that it fills."""
    states = workspace_states(np.random.default_rng(SEED), COUNT, 4)
    load = model.held.vector()
    built = {
        FIXED: ("fixed", exported(folder, model, fixed=True)),
        STRUCT: ("given", exported(folder, model, fixed=False)),
    }
    tau = {name: np.zeros((COUNT, 4)) for name in (*built, HAND)}
    q = {name: np.zeros((COUNT, 20)) for name in (*built, HAND)}
    torques, joints = {}, {}
    for name, (prefix, one) in built.items():
        torques[name] = _calls(one[f"{prefix}_torques"], None, *states, load, tau[name])
        joints[name] = _calls(one[f"{prefix}_joints"], None, states.x, *_parts(q[name]))
    robot, lengths = robot_struct(model), numbers_of(GEOMETRY)
    hand = hand_written(folder, "par4_dynamics")["hand_torques"]
    torques[HAND] = _calls(hand, ctypes.byref(robot), None, *states, tau[HAND])
    hand = hand_written(folder, "par4_kinematics")["hand_joints"]
    joints[HAND] = _calls(hand, ctypes.byref(lengths), None, states.x, *_parts(q[HAND]))
    _KEPT.extend([states, load, robot, lengths])
    return {"inverse dynamics": (torques, tau), "inverse kinematics with Jacobian": (joints, q)}


_KEPT: list[Any] = []
"""What calls have addresses of."""


def _parts(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angles and Jacobians as runs of their own in one array."""
    flat = rows.reshape(-1)
    return flat[: 4 * COUNT], flat[4 * COUNT :]


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison and print it; 1 where contenders disagree, otherwise 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    options = parser.parse_args(arguments)
    os.environ["PARAPICK_THREADS"] = "1"
    import parapick

    judged, figures = [], {}
    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    print(f"gcc {' '.join(FLAGS)}\n")
    with tempfile.TemporaryDirectory() as folder:
        for what, (calls, answers) in contenders(Path(folder), parapick.load("par4")).items():
            for call in calls.values():
                call()
            if _disagree(answers):
                print(f"The contenders disagree: {what}")
                return 1
            outcome = race(calls, ROUNDS)
            print(_table(what, outcome), end="\n\n")
            judged.append(at_most(f"par4: {what}, {FIXED} against {HAND}", outcome.ratio(FIXED, HAND), 1.3))
            judged.append(figure(f"par4: {what}, {STRUCT} against {HAND}", outcome.ratio(STRUCT, HAND)))
            figures[what] = {name: outcome.best(name) / COUNT * 1e9 for name in outcome.seconds}
    print(*judged, sep="\n")
    keep(options.json, judged, machine=machine(), ns_a_call=figures)
    return 0


def _disagree(answers: dict[str, np.ndarray]) -> bool:
    theirs = answers[HAND]
    allowed = AGREEMENT * np.maximum(np.abs(theirs), np.abs(theirs).max(axis=1, keepdims=True))
    return any(bool((np.abs(given - theirs) > allowed).any()) for given in answers.values())


def _table(what: str, outcome: Race) -> str:
    lines = [
        (name, f"{outcome.best(name) / COUNT * 1e9:.0f}", f"{outcome.ratio(name, HAND):.2f}")
        for name in outcome.seconds
    ]
    return table((f"par4, {what}, one call", "ns", "ratio"), lines)


if __name__ == "__main__":
    sys.exit(main())
