"""Tolerances to the error of the plate over a workspace, and which tolerance to buy first, as an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Final

import numpy as np

from parapick.accuracy.error_propagation import first_order, monte_carlo
from parapick.accuracy.pose_errors import PoseErrors
from parapick.accuracy.tolerances import DISTRIBUTIONS, tolerances_of
from parapick.answer import Answer, Cell, Column, Table, amount, percent, pose_text
from parapick.capability import (
    Lattice,
    lattice,
    region_of,
    region_text,
)
from parapick.errors import ParameterError
from parapick.extremes import first_largest
from parapick.inspection import (
    about,
    coordinates,
    named,
    subject,
    unit_of,
)
from parapick.limits import MOST, count_objection
from parapick.mechanism import Robot, Workspace
from parapick.model import LEAST_MARGIN, MARGIN_KINDS, Model, too_near

POINTS: Final = {"radius": 3, "azimuth": 24, "x": 5, "y": 5, "z": 3, "yaw": 5}
"""Poses along each axis of a region if no spacing is given: errors change slowly, and are largest on the boundary. The
azimuths hold the symmetry planes of three legs and of four."""

SAMPLES: Final = 1000
"""Robots drawn if not said otherwise: their deviation is then known to two percent."""

_DIGITS: Final = 9
"""Digits of a share that are not rounding."""

_NOTHING: Final = 1e-12
"""Deviation (m, rad) that is rounding: no ratio of it is shown."""

_IDLE: Final = 1e-9
"""Share of the variance that rounding alone may give a tolerance without effect."""


def tolerance(
    model: Model,
    tolerances: Mapping[str, float | str] | None = None,
    *,
    region: Workspace | None = None,
    spacing: float | None = None,
    margin: float = LEAST_MARGIN,
    distribution: str = "uniform",
    samples: int = SAMPLES,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Answer:
    """How far the plate is from where it should be, by tolerances of parts and joints, and which of them matters most.

    Two methods side by side: derivatives of the closures, and forward kinematics of robots drawn at random. The
    controller knows the robot as described. Refused where no pose counts.

    Args:
        tolerances: tolerance by path, SI or a text with its unit, such as `{"limb.rod_length": "0.05 mm"}`; ordinary
            ones if not given. Each leg has errors of its own; `limb.rod_length.2` is that of leg 2.
        region: a cylinder or a box; the workspace of the robot's file if not given.
        spacing: largest distance of neighbouring poses (m); a few along each axis if not given.
        margin: smallest margin to a singularity of the poses that count.
        distribution: "uniform" within the tolerances, or "normal" with each at three standard deviations.
        samples: number of robots drawn.
        seed: where the random numbers begin.
        progress: called with how many robots are done, and of how many.

    Raises:
        ParameterError: an unknown path, an amount that no tolerance can have, or no workspace.
    """
    allowed = tolerances_of(model.numbers, tolerances)
    _check_drawing(distribution, samples, seed)
    grid = _grid(model.robot, region_of(model.robot) if region is None else region, spacing)
    usable, left_out = _usable(model, grid, margin)
    title = subject(model, "as built, over a region", region_text(grid.region, model.robot.dof))
    data = {
        **about(model),
        "region": asdict(grid.region),
        "poses": int(usable.sum()),
        "left_out": int((~usable).sum()),
        "distribution": distribution,
        "samples": samples,
        "seed": seed,
    }
    if not usable.any():
        refusal = f"no pose of it counts: {', '.join(left_out)}; {_nearest(model, grid, margin)}"
        return Answer("tolerance", title, data=data, refusal=refusal)
    poses, weights = grid.poses().reshape(-1, model.robot.dof)[usable], grid.weights().ravel()[usable]
    linear = first_order(model, poses, allowed, distribution)
    drawn = monte_carlo(model, poses, linear, samples, seed, progress)
    errors = PoseErrors(poses, weights / weights.sum(), linear, drawn)
    more = {"unclosed": drawn.unclosed, "difference": named(model.robot, drawn.difference)}
    return Answer(
        key="tolerance",
        title=title,
        tables=(_errors(errors), _ratios(errors), _places(model.robot, errors), _tolerances(errors), _sources(errors)),
        notes=_notes(model.robot, errors, samples, ordinary=tolerances is None),
        left_out=tuple(f"left out: {text}" for text in left_out),
        data={**data, **more},
        headline=_headline(model.robot, errors),
    )


def _headline(robot: Robot, errors: PoseErrors) -> str:
    """How far the plate is off, and which tolerance matters most."""
    position = errors.names.index("position")
    worst, most = float(errors.at_worst[0][position]), float(errors.worst_case[position])
    where = pose_text(errors.poses[errors.worst[position]])
    share = errors.shares(errors.linear.variances)[0]
    first = first_largest(share)
    path = errors.linear.tolerances[first].path
    buy = f"; {path} is {percent(float(share[first]))} of the variance" if share.any() else ""
    off = f"is off by {amount(worst, 'm')} (standard deviation) at its worst pose, {where}"
    return f"The plate of {robot.name} {off}, and by {amount(most, 'm')} at most anywhere{buy}."


def _check_drawing(distribution: str, samples: int, seed: int) -> None:
    """Raise if robots cannot be drawn like this."""
    if distribution not in DISTRIBUTIONS:
        raise ParameterError("distribution", f"is {distribution!r}; it must be {' or '.join(DISTRIBUTIONS)}")
    for name, number, least in (("samples", samples, 2), ("seed", seed, 0)):
        if isinstance(number, bool) or not isinstance(number, int) or number < least:
            raise ParameterError(name, f"is {number}; it must be a whole number of at least {least}")
        if objection := count_objection(name, number):
            raise ParameterError(name, objection)


def _grid(robot: Robot, region: Workspace, spacing: float | None) -> Lattice:
    """Poses spread over a region."""
    if spacing is not None:
        return lattice(robot, region, spacing=spacing, most=MOST["tolerance"])
    return lattice(
        robot, region, points=[POINTS[name] if low < high else 1 for name, low, high in region.bounds[: robot.dof]]
    )


def _usable(model: Model, grid: Lattice, margin: float) -> tuple[np.ndarray, tuple[str, ...]]:
    """Which poses count (N,), and in words why others do not."""
    poses = grid.poses().reshape(-1, model.robot.dof)
    reachable = model.reach(poses).ok
    near = reachable & (too_near(model.margins(poses), margin) >= 0)
    reasons = {"out of reach": ~reachable, f"nearer to a singularity than {margin:g}": near}
    counts = {reason: np.count_nonzero(which) for reason, which in reasons.items()}
    texts = tuple(f"{count} of {len(poses)} poses, {reason}" for reason, count in counts.items() if count)
    return reachable & ~near, texts


def _nearest(model: Model, grid: Lattice, margin: float) -> str:
    """Where a region comes nearest to a pose that counts, and what is missing there, where no pose counts."""
    poses = grid.poses().reshape(-1, model.robot.dof)
    reach = model.reach(poses)
    if not reach.ok.any():
        nearest = first_largest(reach.legs.min(axis=-1))
        return f"nearest is {pose_text(poses[nearest])}: {reach.reason((nearest,))}"
    margins = np.where(reach.ok, np.array(model.margins(poses)), -np.inf)
    nearest = first_largest(margins.min(axis=0))
    kind = int(np.argmin(margins[:, nearest]))
    left = float(margins[kind, nearest])
    words = f"the {MARGIN_KINDS[kind]} margin is {left:.3g}, {margin - left:.3g} is missing"
    return f"nearest is {pose_text(poses[nearest])}: {words}"


def _errors(errors: PoseErrors) -> Table:
    """Deviation of each error by both methods, and the largest errors."""
    pairs = {"workspace": errors.over_region, "worst pose": errors.at_worst}
    rows: list[tuple[Cell, ...]] = []
    for where, (linear, drawn) in pairs.items():
        rows += [(where, "Jacobian", *linear.tolist()), (where, "Monte Carlo", *drawn.tolist())]
    rows += [("anywhere", "worst case", *errors.worst_case.tolist())]
    rows += [("anywhere", "largest drawn", *errors.largest_drawn.tolist())]
    columns = (Column("where"), Column("error"), *(Column(name, unit_of(name)) for name in errors.names))
    note = "Jacobian, Monte Carlo: standard deviations. Worst case: every error at its tolerance, all the same way."
    return Table("errors", "", columns, tuple(rows), note=note)


def _ratios(errors: PoseErrors) -> Table:
    """Monte Carlo over Jacobian; nothing where there is no error to first order."""
    rows = []
    for where, (linear, drawn) in {"workspace": errors.over_region, "worst pose": errors.at_worst}.items():
        pairs = zip(linear.tolist(), drawn.tolist(), strict=True)
        rows.append((where, *(second / first if first > _NOTHING else None for first, second in pairs)))
    columns = (Column("Monte Carlo over Jacobian"), *(Column(name, decimals=3) for name in errors.names))
    return Table("ratios", "", columns, tuple(rows))


def _places(robot: Robot, errors: PoseErrors) -> Table:
    """The pose at which each error has its largest deviation."""
    columns = (Column("worst pose of"), *coordinates(robot, 1))
    rows = ((name, *errors.poses[at].tolist()) for name, at in zip(errors.names, errors.worst, strict=True))
    return Table("worst poses", "", columns, tuple(rows))


def _share_columns(errors: PoseErrors, *words: str) -> tuple[Column, ...]:
    """Columns of shares: of the position, and of yaw where there is yaw."""
    of = ("", "yaw ")[: len(errors.names) - 3]
    return tuple(Column(f"{prefix}{word}", shown="%", decimals=1) for prefix in of for word in words)


def _tolerances(errors: PoseErrors) -> Table:
    """Share of each tolerance in the variance, and what halving it saves; the one to buy first is the first."""
    shares, saved = errors.shares(errors.linear.variances), errors.saved
    cells = np.stack([shares, saved], axis=-1)
    # Equal ones stay as they were given, whatever rounding makes of them.
    order = np.argsort(-np.round(shares[0], _DIGITS), kind="stable")
    stated = errors.linear.tolerances
    rows = ((stated[i].path, stated[i].amount, stated[i].unit, *cells[:, i].ravel().tolist()) for i in order)
    columns = (Column("tolerance"), Column("amount"), Column("unit"), *_share_columns(errors, "share", "saved"))
    note = "Share: of the variance over the workspace. Saved: of the worst case anywhere, by halving this tolerance."
    return Table("tolerances", "", columns, tuple(rows), note=note)


def _sources(errors: PoseErrors) -> Table:
    """Share of every single error of the parts in the variance."""
    linear = errors.linear
    shares = errors.shares((linear.bounds * linear.slopes) ** 2)
    rows = tuple((source.name, *shares[:, i].tolist()) for i, source in enumerate(linear.sources))
    columns = (Column("error"), *_share_columns(errors, "share"))
    return Table("sources", "share of every single error", columns, rows, printed=0)


def _notes(robot: Robot, errors: PoseErrors, samples: int, *, ordinary: bool) -> tuple[str, ...]:
    """What to buy first, and how far the numbers can be trusted."""
    shares = errors.shares(errors.linear.variances)
    paths = [tolerance.path for tolerance in errors.linear.tolerances]
    idle = [path for path, share in zip(paths, shares.T, strict=True) if (share < _IDLE).all()]
    first = first_largest(shares[0])
    difference = named(robot, errors.drawn.difference).items()
    beside = ", ".join(f"{name} {amount(value, unit_of(name))}" for name, value in difference)
    known = 100.0 / np.sqrt(2 * samples)
    notes = {
        f"buy first: {paths[first]}, {100 * shares[0, first]:.0f} % of the variance of the position": shares[0].any(),
        "no tolerance was given: these are ordinary ones": ordinary,
        f"to first order the plate does not move with {', '.join(idle)}": bool(idle),
        f"{samples} robots at {len(errors.poses)} poses, so Monte Carlo is known to {known:.2g} %": True,
        f"on the same robots the routes differ by at most {beside}": True,
        f"the loops of drawn robots did not close {errors.drawn.unclosed} times": errors.drawn.unclosed > 0,
    }
    return tuple(note for note, holds in notes.items() if holds)
