"""Inverse dynamics of delta-r4 and par4: parapick beside hand-written C, MuJoCo and Pinocchio, on one thread.

Run `python benchmarks/dynamics.py [--json FILE]`. Contenders must first agree on random states, unreachable ones
included; then it prints times, ratios and one verdict a target. It is not a test: what it prints depends on the
machine, and the exit code is 1 only where contenders disagree. MuJoCo and Pinocchio are left out where they are not
installed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from checks_dynamics import derivative_error, instruction_counts
from engines_dynamics import MISSING, engine_table, engines, strangers
from native import C_WIDE, LANES, VECTOR_FLAGS, aligned, machine
from native_dynamics import NativeDynamics, build
from peers_dynamics import Cost
from racing import Race, Verdict, at_least, at_most, figure, holds, keep, race, table

ROBOTS = ("delta-r4", "par4")
BATCHES = (1, 100_000)
ROUNDS = 40
SEED = 20250
ENGINE_STATES = 16

# Contenders evaluate different formulas in double precision, so the difference is taken relative to the largest torque
# of the state. Where a margin tends to zero torques grow without bound and lose their digits in any formula: there only
# NaN is compared.
AGREEMENT, MARGIN = 1e-9, 0.05
DERIVATIVE_AGREEMENT = 1e-6

PUBLIC, CONTIGUOUS = "parapick, public method, plain rows", "parapick, kernel, contiguous, out="
C_NEW, C_ROWS = f"{C_WIDE}, new arrays", f"{C_WIDE} on plain rows, new arrays"
C_OUT = f"{C_WIDE}, arrays given"
C_BOUND, C_SCALAR = f"{C_WIDE}, addresses at hand", "C scalar, addresses at hand"
C_CENTRED = f"{C_WIDE}, addresses at hand, load without offset"


class States(NamedTuple):
    """Task vectors, rates and accelerations, each (count, dof)."""

    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray

    def arrays(self) -> np.ndarray:
        """The same as a structure of arrays (3 dof, count)."""
        count, dof = self.x.shape
        result = aligned(3 * dof, count)
        result[:] = np.hstack(self).T
        return result


Contender = Callable[[States], np.ndarray]


def workspace_states(generator: np.random.Generator, count: int, dof: int) -> States:
    """States in the working cylinder: radius 0.3 m, z from -0.75 to -0.65 m, yaw within 45 degrees, some m/s and g."""
    radius, angle = 0.3 * np.sqrt(generator.uniform(size=count)), generator.uniform(0.0, 2.0 * np.pi, count)
    z, yaw = generator.uniform(-0.75, -0.65, count), generator.uniform(-np.pi / 4, np.pi / 4, count)
    x = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), z, yaw])[:, :dof].copy()
    return States(x, generator.normal(scale=2.0, size=(count, dof)), generator.normal(scale=50.0, size=(count, dof)))


def wide_states(generator: np.random.Generator, count: int, dof: int) -> States:
    """States of which about a sixth is out of reach, and some with a NaN in one place each."""
    low, high = np.array([-0.5, -0.5, -1.0, -1.2])[:dof], np.array([0.5, 0.5, -0.4, 1.2])[:dof]
    x = generator.uniform(low, high, (count, dof))
    states = States(x, generator.normal(scale=2.0, size=x.shape), generator.normal(scale=50.0, size=x.shape))
    for order, values in enumerate(states):
        values[np.arange(dof) * 7 + order, np.arange(dof)] = np.nan
    return states


def contiguous(model: Any, state: np.ndarray, torque: np.ndarray) -> Callable[[], object]:
    """Our kernel on structures of arrays `state` (3 dof, n) and `torque` (4, n), through transposed views."""
    ufunc, parameters, load = model.kernel("inverse_dynamics").ufunc, model.parameters, model.held.vector()
    x, xd, xdd, out = (*(part.T for part in np.split(state, 3)), torque.T)
    return lambda: ufunc(x, xd, xdd, load, parameters, out=out)


def answers(model: Any, vector: NativeDynamics, scalar: NativeDynamics) -> dict[str, Contender]:
    """By name, every contender as a function of states that gives torques (n, 4)."""

    def arrays(call: Callable[[np.ndarray, np.ndarray], object]) -> Contender:
        def contender(states: States) -> np.ndarray:
            torque = np.empty((4, len(states.x)))
            call(states.arrays(), torque)
            return torque.T

        return contender

    return {
        CONTIGUOUS: arrays(lambda state, torque: contiguous(model, state, torque)()),
        C_OUT: arrays(vector.arrays.into),
        C_ROWS: lambda states: vector.rows(*states),
        C_SCALAR: arrays(scalar.arrays.into),
    }


def variants(model: Any) -> list[Any]:
    """The robot as it is, and with other numbers everywhere, a load beside the tool, and elbows inward."""
    from parapick.mechanism import Payload

    changes = {"base.sign": -1.0, "limb.arm": 0.33, "plate.radius": 0.08, "limb.rod_mass": 0.2, "gravity": 3.7}
    if model.robot.dof == 4:
        changes |= {"plate.bar_angle": 1.2, "plate.yaw_ratio": 3.0, "plate.tool_inertia": 2e-4}
    other = model.with_parameters(changes).with_payload(Payload(0.8, (0.03, -0.02, 0.05), 0.001))
    return [model, other, other.with_working_mode("inward")]


def disagreements(folder: Path, model: Any) -> list[str]:
    """What is wrong with whom, compared with the public method; empty when all agree."""
    found = []
    for number, variant in enumerate(variants(model)):
        states = wide_states(np.random.default_rng(SEED + number), 20_001, model.robot.dof)
        vector, scalar = (build(folder, variant, vectors=vectors) for vectors in (True, False))
        wanted, margins = variant.inverse_dynamics(*states), variant.margins(states.x)
        clear = (margins.under > MARGIN) & (margins.over > MARGIN)
        for name, contender in answers(variant, vector, scalar).items():
            given = contender(states)
            if not np.array_equal(np.isnan(given), np.isnan(wanted)):
                found.append(f"{model.robot.name}, variant {number}, {name}: NaN in other places")
                continue
            worst = float(np.nanmax(np.abs(given - wanted).max(axis=1)[clear] / np.abs(wanted).max(axis=1)[clear]))
            if worst > AGREEMENT:
                found.append(f"{model.robot.name}, variant {number}, {name}: differs by {worst:.1e}")
    return found


def run_batch(model: Any, vector: NativeDynamics, scalar: NativeDynamics, count: int) -> Race:
    """Time every contender on `count` states of the workspace."""
    states = workspace_states(np.random.default_rng(SEED), count, model.robot.dof)
    state, torque = states.arrays(), aligned(4, count)
    contenders: dict[str, Callable[[], object]] = {
        PUBLIC: lambda: model.inverse_dynamics(*states),
        C_NEW: lambda: vector.arrays.allocating(state),
        C_ROWS: lambda: vector.rows(*states),
        CONTIGUOUS: contiguous(model, state, torque),
        C_OUT: lambda: vector.arrays.into(state, torque),
        C_BOUND: vector.arrays.bound(state, torque),
        C_SCALAR: scalar.arrays.bound(state, torque),
    }
    if vector.centred is not None:
        contenders[C_CENTRED] = vector.centred.bound(state, torque)
    return race(contenders, ROUNDS)


def batch_table(outcome: Race, name: str, count: int) -> str:
    """Times a state and ratios; contenders that make their arrays are compared with the C that makes its own."""
    references = {PUBLIC: C_NEW, C_NEW: C_NEW, C_ROWS: C_NEW}
    lines = []
    for contender in outcome.seconds:
        reference = references.get(contender, C_OUT)
        nanoseconds, ratio = outcome.best(contender) / count * 1e9, outcome.ratio(contender, reference)
        lines.append((contender, f"{nanoseconds:.1f}", f"{ratio:.2f}", reference))
    return table((f"{name}, {_states(count)}", "ns a state", "ratio", "to"), lines)


def _states(count: int) -> str:
    return "1 state" if count == 1 else f"{count} states"


def verdicts(
    name: str, outcomes: Mapping[int, Race], vector: NativeDynamics, costs: Mapping[Any, Cost]
) -> list[Verdict]:
    """One verdict a target, for one robot."""
    one, large = outcomes[BATCHES[0]], outcomes[BATCHES[-1]]
    ours = large.best(PUBLIC) / BATCHES[-1]
    wide = vector.arrays.machine_code.is_wide("vsqrtpd", "vdivpd", "vmulpd")
    return [
        at_most(f"{name}: public method against C on structures of arrays", large.ratio(PUBLIC, C_NEW), 1.3),
        at_most(f"{name}: public method against C on the same plain rows", large.ratio(PUBLIC, C_ROWS), 1.5),
        at_most(f"{name}: contiguous kernel against C, arrays given", large.ratio(CONTIGUOUS, C_OUT), 1.15),
        at_least(
            f"{name}: C: time of the scalar build by that of the vectorised build", large.ratio(C_SCALAR, C_BOUND), 3.5
        ),
        holds(f"{name}: C: sqrt, division and products are in vectors of {LANES} in the machine code", wide),
        at_most(f"{name}: one state, public method against C by the same route", one.ratio(PUBLIC, C_ROWS), 1.0),
        figure(f"{name}: one state, public method", one.median(PUBLIC, 1e6), " us"),
        figure(f"{name}: one state, C by the same route", one.median(C_ROWS, 1e6), " us"),
        *(
            at_least(f"{name}: {engine}, inside its library, by the public method", cost.library / ours, 1000.0)
            for (engine, pairs), cost in costs.items()
            if pairs
        ),
    ]


def general_verdicts(par4: Any, spara: Any) -> tuple[list[Verdict], dict[str, int]]:
    """Verdicts on derivatives and on rod models, and the instruction counts."""
    from parapick import Payload

    states = workspace_states(np.random.default_rng(SEED), 50, par4.robot.dof)
    error, where, compared, moving = derivative_error(par4.with_payload(Payload(0.5, inertia=1e-3)), states)
    counts = instruction_counts(spara)
    label = f"par4: d(torque)/d(parameter), {compared} parameters of which {moving} matter, worst {where}"
    variable = min(counts["variable-frozen"], counts["variable-rate"])
    return [
        at_most(label, error, DERIVATIVE_AGREEMENT),
        at_most("spara3: instructions, slender rods by halves", counts["slender"] / counts["halves"], 1.3),
        holds("spara3: slender rods take fewer instructions than variable masses", counts["slender"] < variable),
    ], counts


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison and print it; 1 where contenders disagree, otherwise 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    options = parser.parse_args(arguments)
    # Read when the package is imported; one thread is the comparison that C's one thread allows.
    os.environ["PARAPICK_THREADS"] = "1"
    import parapick

    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    print(f"gcc {' '.join(VECTOR_FLAGS)}")
    figures: dict[str, Any] = {"machine": machine(), "ns_a_state": {}, "engines_us": {}}
    judged: list[Verdict] = []
    for name in ROBOTS:
        model = parapick.load(name)
        with tempfile.TemporaryDirectory() as folder:
            wrong = disagreements(Path(folder), model)
            vector, scalar = (build(Path(folder), model, vectors=vectors) for vectors in (True, False))
        some = workspace_states(np.random.default_rng(SEED), ENGINE_STATES, model.robot.dof)
        costs = {} if wrong else engines(model, some)
        wrong += strangers(model, some, costs)
        if wrong:
            print("The contenders disagree:", *wrong, sep="\n  ")
            return 1
        print(f"\n{name}: all contenders agree to {AGREEMENT:g} and have NaN in the same rows.")
        outcomes = {count: run_batch(model, vector, scalar, count) for count in BATCHES}
        _report(name, outcomes, costs, figures)
        judged += verdicts(name, outcomes, vector, costs)
    more, counts = general_verdicts(parapick.load("par4"), parapick.load("spara3"))
    print("\n" + table(("spara3, rods", "instructions a state"), [(key, str(value)) for key, value in counts.items()]))
    judged += more
    print("", *judged, sep="\n")
    keep(options.json, judged, **figures, instructions=counts)
    return 0


def _report(
    name: str, outcomes: Mapping[int, Race], costs: Mapping[tuple[str, bool], Cost], figures: dict[str, Any]
) -> None:
    """Print the tables of a robot and note its figures."""
    for count, outcome in outcomes.items():
        print("\n" + batch_table(outcome, name, count))
    large = outcomes[BATCHES[-1]]
    if costs:
        print("\n" + engine_table(name, costs, large.best(PUBLIC) / BATCHES[-1]))
        print("These engines take any tree of bodies with any loops; ours is the minimal form of one family of robots.")
    for engine, message in MISSING.items():
        if (engine, True) not in costs:
            print(f"\n{engine}: {message}")
    figures["ns_a_state"][name] = {
        str(count): {contender: outcome.best(contender) / count * 1e9 for contender in outcome.seconds}
        for count, outcome in outcomes.items()
    }
    figures["engines_us"][name] = {
        f"{engine}, {'pairs' if pairs else 'single rods'}": {
            "pose": 1e6 * cost.pose,
            "library": 1e6 * cost.library,
            "whole": 1e6 * cost.whole,
        }
        for (engine, pairs), cost in costs.items()
    }


if __name__ == "__main__":
    sys.exit(main())
