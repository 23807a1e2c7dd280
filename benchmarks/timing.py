"""The fastest timing of a path: parapick beside toppra, on the same paths, robots and limits.

`python benchmarks/timing.py [--json FILE]`, with toppra installed, prints for three robots on two paths how long the
motion takes, by how much its torques exceed their limits between grid points, and how long finding it takes: for
parapick, and for toppra with the fewest points that keep it close to the limits. Then the two passes alone on the same
rows, many designs on one path, and a cycle under heat beside the same by peaks alone. It is not a test: what it prints
depends on the machine, and the exit code is 1 only where the two disagree on the passes.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as File
from typing import Any, final

import numpy as np

try:
    import toppra
    from toppra.algorithm import TOPPRA
    from toppra.constraint import DiscretizationType, LinearConstraint
except ImportError:
    # Nothing to compare with: the other benchmarks of `make bench` go on.
    raise SystemExit(print("toppra is not installed, so there is no race: pip install 'parapick[bench]'")) from None

import parapick as pp
from parapick.motion import Motion, Path, along, gate_path, via_path, with_yaw
from parapick.parameters import leaves
from parapick.timing import enduring, fastest_along, fastest_cycle, fastest_each
from parapick.timing.grid import first_grid
from parapick.timing.limits_along import PathLimits
from parapick.timing.speed_profile import NOT_GIVEN, Cells, profile
from parapick.timing.timing_steps import Steps
from racing import Verdict, at_least, at_most, keep, race, table

ROBOTS = ("delta-nr", "par4", "r4-100g")
# Even grids of toppra, of which the coarsest is taken whose motion exceeds a torque by no more than this.
GRIDS = (50, 100, 200, 400, 800, 1600)
OVERSTEP = 2e-3
# Least time of toppra at that accuracy, in times of ours.
AHEAD = 2.0
ROUNDS = 15
# Times at which a motion's torques are looked at.
LOOKS = 20_000
DESIGNS = 1000
# Most time for one of the paths (ms), and for all designs (s).
FOUND_MS, DESIGNED_S = {"par4, rounded gate": 5.0}, 1.5
# Torque (N m) that motors of a cycle bear for long; most time for it, in times of the timing by peaks, and its most
# duration, as a share of that timing run slower as a whole.
HEATED, IN_TIMINGS, OF_SLOWED = {"delta-nr": 20.0, "par4": 20.0}, 25.0, 0.95
# Both solve the same linear programmes; toppra's solver stops at about 1e-6 of a squared speed.
AGREEMENT = 1e-4


def curve(model: pp.Model) -> Path:
    """Up, over and down in one curve, with yaw where the robot has one."""
    z, yaw = model.robot.home[2], model.robot.dof == 4
    points = [(-0.15, 0.0, z - 0.02), (-0.1, 0.03, z + 0.03), (0.1, 0.05, z + 0.03), (0.15, 0.0, z - 0.02)]
    return via_path(
        [(*point, turn) for point, turn in zip(points, (0.0, 0.2, 0.5, 0.3), strict=True)] if yaw else points
    )


def gate(model: pp.Model) -> Path:
    """A gate with rounded corners, whose curvature jumps four times."""
    z = model.robot.home[2]
    path = gate_path((-0.15, 0.03, z - 0.02), (0.15, -0.02, z - 0.02), height=0.05, corner_radius=0.03)
    return with_yaw(path, -0.4, 0.4) if model.robot.dof == 4 else path


PATHS: Mapping[str, Callable[[pp.Model], Path]] = {"curve": curve, "rounded gate": gate}


@final
@dataclass(frozen=True, eq=False)
class Race:
    """One robot on a path."""

    name: str
    model: pp.Model
    path: Path
    limits: PathLimits

    @staticmethod
    def of(robot: str, path: str) -> Race:
        """A shipped robot at its peak torque on one of `PATHS`; without its stated workspace, which toppra has not."""
        model = pp.Model(replace(pp.load(robot).robot, workspace=None))
        limits = PathLimits(
            model, model.motors.peak_torque * model.motors.ratio, model.motors.peak_speed / model.motors.ratio
        )
        return Race(f"{robot}, {path}", model, PATHS[path](model), limits)

    def nodes(self, count: int) -> np.ndarray:
        """Even grid over the path, toppra's usual choice (N + 1,)."""
        return np.linspace(0.0, self.path.length, count + 1)


class PathOfToppra(toppra.interpolator.AbstractGeometricPath):
    """A path of parapick as toppra sees one."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def dof(self) -> int:
        """Length of the task vector."""
        return self.path.dof

    @property
    def path_interval(self) -> np.ndarray:
        """From nothing to its length (m)."""
        return np.array([0.0, self.path.length])

    @property
    def waypoints(self) -> None:
        """It has none."""
        return

    def __call__(self, s: Any, order: int = 0) -> np.ndarray:
        """Points and derivatives at lengths (m)."""
        return self.path.at(s)[order]


class Torques(LinearConstraint):
    """Torque rows at grid points, by our dynamics; every value can be given beforehand."""

    def __init__(self, race: Race, scheme: DiscretizationType, given: tuple[np.ndarray, ...] | None = None) -> None:
        super().__init__()
        self.race, self.given = race, given
        self.set_discretization_type(scheme)

    def compute_constraint_params(self, path: Any, gridpoints: np.ndarray, *_: Any) -> Any:
        """a, b, c with a sdd + b sd^2 + c <= 1."""
        # In N m, as toppra's own torque constraint has them: its solver works with absolute tolerances.
        limit = float(self.race.limits.torque.max())
        a, b, c = (limit * value for value in self.given or rows_at(self.race, gridpoints))
        count, k = a.shape
        F, g = np.eye(k), np.full(k, limit)
        if self.discretization_type == DiscretizationType.Interpolation:
            both = toppra.constraint.linear_constraint.canlinear_colloc_to_interpolate
            return both(a, b, c, np.broadcast_to(F, (count, k, k)), np.full((count, k), limit), None, None, gridpoints)
        return a, b, c, np.broadcast_to(F, (count, k, k)), np.broadcast_to(g, (count, k)), None, None


def rows_at(race: Race, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shares of the torque limits at lengths of a path, all at once."""
    alpha, beta, gamma, _ = race.limits.form.coefficients(race.limits.rows(race.path.at(s)).T)
    return alpha.T, beta.T, gamma.T


def by_toppra(race: Race, count: int, scheme: DiscretizationType, given: tuple | None = None) -> np.ndarray:
    """Squared speeds at the nodes; NaN where toppra fails."""
    instance = TOPPRA(
        [Torques(race, scheme, given)], PathOfToppra(race.path), gridpoints=race.nodes(count), solver_wrapper="seidel"
    )
    _, speed, *_ = instance.compute_parameterization(0.0, 0.0)
    return np.full(count + 1, np.nan) if speed is None else speed**2


def motion_of(race: Race, s: np.ndarray, u: np.ndarray) -> Motion:
    """Constant acceleration between nodes, as toppra's own parametrizer has it."""
    speed, nothing = np.sqrt(u), np.zeros(len(u) - 1)
    times, b = 2 * np.diff(s) / (speed[:-1] + speed[1:]), np.diff(u) / 2 / np.diff(s)
    return along(race.path, Steps(times, s[:-1], speed[:-1], b, nothing, nothing))


def worst(race: Race, motion: Motion) -> float:
    """Largest share of a torque limit; motors of redundant robots share by least peak."""
    state = motion.at((np.arange(LOOKS) + 0.5) / LOOKS * motion.duration)
    torque = race.model.inverse_dynamics(state.x, state.xd, state.xdd, sharing="least-peak")
    return float(np.abs(torque / race.limits.torque).max())


def close_count(race: Race) -> int:
    """The fewest points with which toppra's interpolation keeps close to the limits; the most if none does."""
    for count in GRIDS:
        u = by_toppra(race, count, DiscretizationType.Interpolation)
        if not np.isnan(u).any() and worst(race, motion_of(race, race.nodes(count), u)) <= 1.0 + OVERSTEP:
            return count
    return GRIDS[-1]


def found(race_: Race) -> Motion:
    """The fastest timing, path included: what is kept of a path that was timed before is forgotten."""
    first_grid.cache_clear()
    return fastest_along(race_.model, race_.path)


def timed(race_: Race, answer: Motion | np.ndarray) -> Motion | None:
    """The motion of an answer, which may be squared speeds at even nodes; None where toppra fails."""
    if isinstance(answer, Motion):
        return answer
    return None if np.isnan(answer).any() else motion_of(race_, race_.nodes(len(answer) - 1), answer)


def compare(race_: Race) -> list[Verdict]:
    """Print times and torques of both; what is wanted of them."""
    count = close_count(race_)
    ours, closest = "parapick, refined", f"toppra, {count} points, interpolation"
    contenders: dict[str, Callable[[], Any]] = {
        ours: partial(found, race_),
        "toppra, 400 points, collocation": partial(by_toppra, race_, 400, DiscretizationType.Collocation),
        closest: partial(by_toppra, race_, count, DiscretizationType.Interpolation),
    }
    times, lines, over = race(contenders, ROUNDS), [], {}
    for name, contender in contenders.items():
        motion = timed(race_, contender())
        over[name] = np.nan if motion is None else worst(race_, motion)
        length = "fails" if motion is None else f"{motion.duration * 1e3:.3f}"
        figures = f"{times.best(name) * 1e3:.1f}", f"{times.ratio(name, ours):.2f}"
        lines.append((name, length, "" if motion is None else f"{over[name] - 1:+.2%}", *figures))
    print(table((race_.name, "motion ms", "torque over limit", "found in ms", "ratio"), lines), end="\n\n")
    wanted = [at_least(f"{race_.name}: {closest}, time relative to ours", times.ratio(closest, ours), AHEAD)]
    wanted.append(at_most(f"{race_.name}: largest share of a torque at {LOOKS:,} samples", over[ours], 1.0))
    limit = FOUND_MS.get(race_.name)
    return wanted + ([at_most(f"{race_.name}: found in", times.best(ours) * 1e3, limit, " ms")] if limit else [])


def passes(race_: Race, count: int = 400) -> tuple[tuple[str, ...], bool]:
    """Both on the same rows: only the passes are timed."""
    rows = race_.limits.rows(race_.path.at(race_.nodes(count)))
    ones, given = np.ones(count), np.full(count, NOT_GIVEN)
    cells = Cells(rows[:-1], rows[1:], np.diff(race_.nodes(count)), ones, np.inf * ones)
    start, end = np.append(0.0, given[1:]), np.append(given[1:], 0.0)
    contenders: Mapping[str, Callable[[], np.ndarray]] = {
        "parapick": lambda: profile(race_.limits.form, cells, start, end, np.zeros((count, 2))).u,
        "toppra": partial(
            by_toppra, race_, count, DiscretizationType.Interpolation, rows_at(race_, race_.nodes(count))
        ),
    }
    ours, theirs = (contender() for contender in contenders.values())
    off = float(np.abs(ours[:, 1] - theirs[1:]).max() / ours.max())
    times = race(contenders, ROUNDS)
    best = (f"{times.best(name) * 1e3:.2f}" for name in contenders)
    return (race_.name, *best, f"{times.ratio('toppra', 'parapick'):.1f}", f"{off:.1e}"), off < AGREEMENT


def designs(race_: Race) -> Verdict:
    """Arms of many lengths on one path, in one call."""
    arm = dict(leaves(race_.model.robot))["limb.arm"]
    models = [race_.model.with_parameters({"limb.arm": float(a)}) for a in np.linspace(0.97, 1.03, DESIGNS) * arm]
    begun = time.process_time()
    motions = fastest_each(models, race_.path)
    spent = time.process_time() - begun
    kept = [motion.duration for motion in motions if isinstance(motion, Motion)]
    print(f"{race_.name}: {len(kept)} of {DESIGNS} designs in {spent:.2f} s, {min(kept):.4f} to {max(kept):.4f} s")
    return at_most(f"{race_.name}: {DESIGNS:,} designs, CPU of one thread", spent, DESIGNED_S, " s")


def heated(robot: str) -> list[Verdict]:
    """The Adept cycle under heat, in times of the timing by peaks within the same process."""
    model, rated = pp.load(robot), HEATED[robot]
    cycle = pp.adept_cycle(model, cycles_per_minute=120)
    peaks, cool = "by peaks", "under heat"
    contenders: dict[str, Callable[[], Motion]] = {
        peaks: partial(fastest_cycle, model, cycle),
        cool: partial(fastest_cycle, model, cycle, rated=rated),
    }
    times = race(contenders, ROUNDS)
    slowed = enduring(model, contenders[peaks](), rated=rated)
    share = contenders[cool]().duration / slowed.duration
    print(f"{robot}, Adept cycle under heat: {times.best(cool) * 1e3:.0f} ms, {share:.3f} of it slowed as a whole")
    return [
        at_most(f"{robot}, Adept cycle under heat, in timings by peaks", times.ratio(cool, peaks), IN_TIMINGS),
        at_most(f"{robot}, Adept cycle under heat, of it slowed as a whole", share, OF_SLOWED),
    ]


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison and print it; 1 where the passes disagree, otherwise 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=File, metavar="FILE", help="also write the figures to FILE")
    options = parser.parse_args(arguments)
    # Read at every call; toppra has one thread.
    os.environ["PARAPICK_THREADS"] = "1"
    logging.getLogger("toppra").setLevel(logging.ERROR)
    races = [Race.of(robot, path) for robot in ROBOTS for path in PATHS]
    judged = [verdict for one in races for verdict in compare(one)]
    lines, agreed = zip(*(passes(one) for one in races if "curve" in one.name), strict=True)
    print(table(("passes on 400 cells", "parapick ms", "toppra ms", "ratio", "difference of u"), lines))
    judged.append(designs(next(one for one in races if one.name == "par4, rounded gate")))
    judged += [verdict for robot in HEATED for verdict in heated(robot)]
    print("", *judged, sep="\n")
    keep(options.json, judged)
    return 0 if all(agreed) else 1


if __name__ == "__main__":
    sys.exit(main())
