"""Tolerances to the error of the plate over a workspace, and which tolerance to buy first, as an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, final

import numpy as np

from parapick.accuracy.routes import Drawn, Spread, drawn, spread
from parapick.accuracy.tolerances import DISTRIBUTIONS, tolerances_of
from parapick.answer import Answer, Cell, Column, Table
from parapick.answer.words import amount
from parapick.capability.map_region import Lattice, lattice, region_of, region_text
from parapick.errors import ParameterError
from parapick.mechanism.region import Workspace
from parapick.model.margins import LEAST_MARGIN, too_near
from parapick.model.model import Model
from parapick.model.naming import about, coordinates, headline, named, unit_of

POSES: Final = 400
"""About as many poses are looked at if no spacing is given."""

SAMPLES: Final = 1000
"""Robots drawn if not said otherwise: their deviation is then known to two percent."""

_NOTHING: Final = 1e-9
"""Share of the variance below which a tolerance does nothing but rounding."""


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

    Two routes side by side: derivatives of the closures, and forward kinematics of robots drawn at random. The
    controller knows the robot as described. Refused where no pose counts.

    Args:
        model: the robot.
        tolerances: tolerance by path, SI or a text with its unit, such as `{"limb.rod_length": "0.05 mm"}`; ordinary
            ones if not given. Each leg has errors of its own; `limb.rod_length.2` is that of leg 2.
        region: a cylinder or a box; the workspace of the robot's file if not given.
        spacing: largest distance of neighbouring poses (m); about 400 poses if not given.
        margin: smallest margin to a singularity of the poses that count.
        distribution: "uniform" within the tolerances, or "normal" with each at three standard deviations.
        samples: number of robots drawn.
        seed: where the random numbers begin.
        progress: called with how many robots are done, and of how many.

    Raises:
        ParameterError: an unknown path, an amount that no tolerance can have, or no workspace.
    """
    allowed = tolerances_of(model.numbers, tolerances)
    if distribution not in DISTRIBUTIONS:
        raise ParameterError("distribution", f"is {distribution!r}; it must be {' or '.join(DISTRIBUTIONS)}")
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
        raise ParameterError("samples", f"is {samples}; it must be a whole number of at least 2")
    grid = lattice(model.robot, region_of(model.robot) if region is None else region, spacing=spacing, count=POSES)
    poses, weights, left_out = _usable(model, grid, margin)
    if not len(poses):
        return Answer("tolerance", _title(model, grid), refusal=f"no pose of it counts: {', '.join(left_out)}")
    linear = spread(model, poses, allowed, distribution)
    random = drawn(model, poses, linear, distribution, samples, seed, progress)
    return _Found(model, grid, poses, weights, linear, random).answer(
        left_out, distribution=distribution, samples=samples, seed=seed, ordinary=tolerances is None
    )


def _title(model: Model, grid: Lattice) -> str:
    return headline(model, "as built, over a region", region_text(grid.region, model.robot.dof))


def _usable(model: Model, grid: Lattice, margin: float) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """The poses that count (N, dof), how much each of them weighs (N,), and which do not, in words."""
    poses = grid.poses().reshape(-1, model.robot.dof)
    reachable = model.reach(poses).ok
    far = reachable & (too_near(model.margins(poses), margin) < 0)
    counts = {"out of reach": ~reachable, f"nearer to a singularity than {margin:g}": reachable & ~far}
    texts = tuple(
        f"{np.count_nonzero(which)} of {far.size} poses {why}" for why, which in counts.items() if which.any()
    )
    weights = grid.weights().ravel()[far]
    return poses[far], weights / weights.sum() if far.any() else weights, texts


@final
@dataclass(frozen=True, eq=False)
class _Found:
    """What both routes give at the poses that count, and the tables of it.

    Attributes:
        model: the robot.
        grid: where the poses are from.
        poses: those that count (N, dof).
        weights: share of each (N,).
        linear: first order.
        random: robots drawn.
    """

    model: Model
    grid: Lattice
    poses: np.ndarray
    weights: np.ndarray
    linear: Spread
    random: Drawn

    def answer(self, left_out: tuple[str, ...], *, ordinary: bool, **drawing: Any) -> Answer:
        """The answer."""
        worst = self._worst()
        tables = (self._errors(worst), self._ratios(worst), self._places(worst), self._tolerances(), self._sources())
        return Answer(
            key="tolerance",
            title=_title(self.model, self.grid),
            tables=tables,
            notes=self._notes(drawing["samples"], ordinary=ordinary),
            left_out=tuple(f"left out: {text}" for text in left_out),
            data={
                **about(self.model),
                "region": asdict(self.grid.region),
                "poses": len(self.poses),
                "left_out": self.grid.poses()[..., 0].size - len(self.poses),
                "unclosed": self.random.unclosed,
                "difference": named(self.model.robot, self.random.difference),
                **drawing,
            },
        )

    def _worst(self) -> np.ndarray:
        """Number of the pose at which each error of `_with_position` has its largest deviation."""
        return np.argmax(_with_position(np.sqrt(self.linear.variances().sum(axis=-1))), axis=0)

    @property
    def _names(self) -> tuple[str, ...]:
        return ("x", "y", "z", "position", "yaw")[: self.model.robot.dof + 1]

    def _pairs(self, worst: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """Deviations by both routes, over the workspace and at the worst pose of each error."""
        here = np.arange(len(worst))
        routes = [_with_position(one) for one in (np.sqrt(self.linear.variances().sum(axis=-1)), self.random.rms)]
        over = [np.sqrt(np.nansum(self.weights[:, None] * route**2, axis=0)) for route in routes]
        return {"workspace": (over[0], over[1]), "worst pose": (routes[0][worst, here], routes[1][worst, here])}

    def _errors(self, worst: np.ndarray) -> Table:
        """Deviation of each coordinate by both routes, and the largest errors."""
        rows: list[tuple[Cell, ...]] = []
        for where, pair in self._pairs(worst).items():
            rows += [
                (where, name, *map(float, one)) for name, one in zip(("Jacobian", "Monte Carlo"), pair, strict=True)
            ]
        cases = _with_position(self.linear.worst_cases().sum(axis=-1)).max(axis=0)
        seen = _with_position(self.random.largest, self.random.farthest).max(axis=0)
        rows += [("anywhere", "worst case", *map(float, cases)), ("anywhere", "largest drawn", *map(float, seen))]
        columns = (Column("where"), Column("error"), *(Column(name, unit_of(name)) for name in self._names))
        note = "Jacobian and Monte Carlo: standard deviations. Worst case: all errors at their tolerance, all the same way."
        return Table("errors", "", columns, tuple(rows), note=note)

    def _ratios(self, worst: np.ndarray) -> Table:
        """Monte Carlo over Jacobian."""
        rows = []
        for where, (first, second) in self._pairs(worst).items():
            ratios = np.divide(second, first, out=np.full(len(first), np.nan), where=first > 0)
            rows.append((where, *(float(ratio) if np.isfinite(ratio) else None for ratio in ratios)))
        columns = (Column("Monte Carlo over Jacobian"), *(Column(name, decimals=3) for name in self._names))
        return Table("ratios", "", columns, tuple(rows))

    def _places(self, worst: np.ndarray) -> Table:
        """The pose at which each error has its largest deviation."""
        columns = (Column("worst pose of"), *coordinates(self.model.robot, 1))
        rows = ((name, *self.poses[at].tolist()) for name, at in zip(self._names, worst, strict=True))
        return Table("worst poses", "", columns, tuple(rows))

    def _tolerances(self) -> Table:
        """Share of each tolerance in the variance, and what halving it saves of the worst case; the largest first."""
        shares = _shares(self.linear.variances(), self.weights)
        saved = self._saved()
        rows = [
            (one.path, one.amount, one.unit, *_interleaved(shares[:, i], saved[:, i]))
            for i, one in enumerate(self.linear.tolerances)
        ]
        rows.sort(key=lambda row: -max(cell for cell in row[3::2] if isinstance(cell, float)))
        names = [name for error in ("position", "yaw")[: len(shares)] for name in (f"{error} share", f"{error} saved")]
        shown = (Column(name, shown="%", decimals=1) for name in names)
        columns = (Column("tolerance"), Column("amount", "m"), Column("unit"), *shown)
        note = "Share: of the variance over the workspace. Saved: of the worst case anywhere, when this one is halved."
        return Table("tolerances", "", columns, tuple(rows), note=note)

    def _saved(self) -> np.ndarray:
        """Share of the largest worst case that halving each tolerance saves (1 or 2, T): of the position, of yaw."""
        cases = self.linear.worst_cases()
        halved = [_largest(cases.sum(axis=-1) - cases[..., i] / 2) for i in range(cases.shape[-1])]
        now = _largest(cases.sum(axis=-1))
        return 1 - np.divide(
            np.stack(halved, axis=-1), now[:, None], out=np.ones((len(now), len(halved))), where=now[:, None] > 0
        )

    def _sources(self) -> Table:
        """Share of every single error in the variance."""
        reaches = np.concatenate(self.linear.reaches(), axis=-1)
        shares = _shares(reaches**2, self.weights)
        sources = [source for one in self.linear.tolerances for source in one.sources]
        rows = tuple((source.name, *shares[:, i].tolist()) for i, source in enumerate(sources))
        names = ("position share", "yaw share")[: len(shares)]
        columns = (Column("error"), *(Column(name, shown="%", decimals=1) for name in names))
        return Table("sources", "share of every single error", columns, rows, printed=0)

    def _notes(self, samples: int, *, ordinary: bool) -> tuple[str, ...]:
        shares = _shares(self.linear.variances(), self.weights)
        tolerances = self.linear.tolerances
        first = tolerances[int(np.argmax(shares[0]))].path
        idle = [one.path for i, one in enumerate(tolerances) if (shares[:, i] < _NOTHING).all()]
        most = ", ".join(
            f"{amount(value, unit_of(name))} in {name}"
            for name, value in named(self.model.robot, self.random.difference).items()
        )
        notes = [
            f"buy first: {first}" if not idle or first not in idle else "",
            "no tolerance was given: these are what a good workshop keeps" if ordinary else "",
            f"{samples} robots at {len(self.poses)} poses; on the same robots the routes differ by at most {most}",
            f"to first order the plate does not move with {', '.join(idle)}" if idle else "",
            f"the loops of drawn robots did not close {self.random.unclosed} times" if self.random.unclosed else "",
        ]
        return tuple(filter(None, notes))


def _with_position(errors: np.ndarray, distances: np.ndarray | None = None) -> np.ndarray:
    """Errors by coordinate (N, dof) with the distance of the plate (N,) in the place before yaw."""
    position = np.linalg.norm(errors[:, :3], axis=1) if distances is None else distances
    return np.concatenate([errors[:, :3], position[:, None], errors[:, 3:]], axis=1)


def _largest(errors: np.ndarray) -> np.ndarray:
    """The largest distance of the plate, and yaw error where there is yaw."""
    return _with_position(errors)[:, 3:].max(axis=0)


def _shares(variances: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Share of each part (k) in the variance of the position, and of yaw where there is yaw (1 or 2, k)."""
    over = np.tensordot(weights, variances, axes=1)
    parts = np.concatenate([over[:3].sum(axis=0, keepdims=True), over[3:]])
    totals = parts.sum(axis=1, keepdims=True)
    return np.divide(parts, totals, out=np.zeros(parts.shape), where=totals > 0)


def _interleaved(*columns: np.ndarray) -> tuple[float, ...]:
    return tuple(np.stack(columns, axis=-1).ravel().tolist())
