"""Free numbers of a controller's law by their paths, within bounds; and candidates as rows of the law's numbers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Final, final

import numpy as np

from parapick.control import (
    ControlLaw,
    Controller,
    LawError,
    acts_on_accelerations,
    inertia_along,
    ready,
    with_gains,
    with_sharing_rule,
)
from parapick.errors import ParameterError, ParapickError
from parapick.fields import quantity_of
from parapick.model import Model
from parapick.motion import Motion
from parapick.parameters import leaves, mapped, values as numbers_of
from parapick.search import Free, Space

DECADES: Final = 10.0
"""Ratio of bounds from which on a number is looked for in logarithm."""

CLOSE: Final = 4
"""Paths that are suggested at most."""

ON_BOUND: Final = 1e-6
"""Share of its range within which a number sits on a bound."""


def free_gain(path: str, low: float, high: float, *, factor: bool = False) -> Free:
    """A number of a law that a tuning may choose; over a decade or more it is looked for in logarithm.

    Args:
        path: its path in the controller's file, such as `law.kp`; of numbers per axis all at once, or `law.kp.2`.
        low: smallest value (SI).
        high: largest value (SI).
        factor: whether the bounds are factors on what the controller states, axis by axis.
    """
    return Free(path, "", low, high, logarithmic=low > 0.0 and high >= DECADES * low, factor=factor)


@final
@dataclass(frozen=True, eq=False)
class GainSpace:
    """The candidates of a tuning.

    Attributes:
        controller: the controller that is tuned, its numbers floats.
        free: the free numbers.
        model: the robot as the controller knows it.
        placing: the law whose poles have the inertia along the motion, where it needs one.
    """

    controller: Controller
    free: tuple[Free, ...]
    model: Model
    placing: ControlLaw

    @cached_property
    def ranges(self) -> Space:
        """The free numbers within their bounds: what is searched."""
        return Space(self.free)

    @property
    def given(self) -> np.ndarray:
        """Where the controller's own numbers lie (d,), as shares; the mean of axes that differ."""
        numbers = dict(leaves(self.controller))
        stated = []
        for free in self.free:
            entries = [value for path, value in numbers.items() if _names(free.path, path)]
            stated.append(1.0 if free.factor else float(np.mean(entries)))
        return self.ranges.shares(np.array(stated))

    def values(self, shares: np.ndarray) -> dict[str, float]:
        """The free numbers by path.

        Args:
            shares: where they lie in their ranges (d,).
        """
        return self.ranges.by_path(shares)

    def controller_at(self, shares: np.ndarray) -> Controller:
        """The controller with other numbers.

        Args:
            shares: where the free numbers lie in their ranges (d,).
        """
        return self.with_values(self.values(shares))

    def with_values(self, values: Mapping[str, float]) -> Controller:
        """The controller with numbers by path.

        Args:
            values: the free numbers, or some of them.
        """
        return replace(self.controller, law=self._changed(self.controller.law, values))

    def numbers(self, rows: np.ndarray) -> np.ndarray:
        """Numbers of the law, one row per candidate (m, k); NaN where the law cannot have them.

        Args:
            rows: candidates as shares (m, d).
        """
        return self.law_numbers([self.values(row) for row in rows])

    def law_numbers(self, candidates: Sequence[Mapping[str, float]]) -> np.ndarray:
        """The same from numbers by path.

        Args:
            candidates: the free numbers of each.
        """
        nothing = self._nothing
        return np.array([self._numbers_or(values, nothing) for values in candidates]).reshape(-1, len(nothing))

    @cached_property
    def _nothing(self) -> np.ndarray:
        """Numbers of a law that cannot be (k,)."""
        return np.full(len(self.ready_numbers({})), np.nan)

    def _numbers_or(self, values: Mapping[str, float], nothing: np.ndarray) -> np.ndarray:
        try:
            return self.ready_numbers(values)
        except ParapickError:
            return nothing

    def ready_numbers(self, values: Mapping[str, float]) -> np.ndarray:
        """Numbers of the law with free numbers by path (k,).

        Args:
            values: the free numbers, or some of them.

        Raises:
            LawError: numbers that the law cannot have.
        """
        changed = self._changed(self.placing, values)
        # The motion is only asked for an inertia, which is stated.
        placed = with_gains(changed, self.model, None)  # pyright: ignore[reportArgumentType]
        law = ready(placed, self.model.robot, self.controller.rate)
        return numbers_of(law)

    def _changed(self, law: Any, values: Mapping[str, float]) -> Any:
        factors = {gain.path: gain.factor for gain in self.free}

        def change(path: str, old: float) -> float:
            for name, value in values.items():
                if _names(name, path):
                    return old * value if factors.get(name, False) else value
            return old

        return mapped(law, change, "law")


def _names(path: str, leaf: str) -> bool:
    return leaf == path or leaf.startswith(f"{path}.")


def gain_space(
    model: Model, motion: Motion, controller: Controller, bounds: Mapping[str, tuple[float, float] | Free]
) -> GainSpace:
    """The candidates of a tuning.

    A gain that the controller states by poles may be freed too: its gains are then found along the motion first.

    Args:
        motion: the motion, along which joint laws look at the inertia.
        bounds: lower and upper bound of each free number, by its path.

    Raises:
        ParameterError: nothing is free, a path that the controller does not have, bounds that cross.
    """
    stated = fixed_gains(model, motion, controller).controller
    believed = stated.model.applied(model)
    free = tuple(_free(path, bound) for path, bound in bounds.items())
    if not free:
        raise ParameterError("free", f"names no number of the law; there are {', '.join(_paths(stated.law))}")
    law: Any = stated.law
    if any(not _has(law, gain.path) for gain in free):
        law = with_floats(with_gains(law, believed, motion)) if getattr(law, "poles", None) is not None else law
    for entry in free:
        if not _has(law, entry.path):
            raise ParameterError(
                entry.path, f"is not a number of this controller's law; {_near(entry.path, _paths(law))}"
            )
    _check_apart(free)
    space = GainSpace(replace(stated, law=law), free, believed, _with_inertia(law, believed, motion))
    _check_ends(space)
    return space


def fixed_gains(model: Model, motion: Motion, controller: Controller) -> GainSpace:
    """A controller as it is stated: one candidate, nothing of which is free.

    Args:
        motion: the motion, along which joint laws look at the inertia.

    Raises:
        ParameterError: a law that is a Python function.
    """
    stated = with_sharing_rule(controller, model)
    if not isinstance(stated.law, ControlLaw):
        raise ParameterError("controller", "has a Python callable for its law, whose gains cannot be found")
    law, believed = with_floats(stated.law), stated.model.applied(model)
    return GainSpace(replace(stated, law=law), (), believed, _with_inertia(law, believed, motion))


def _check_ends(space: GainSpace) -> None:
    """Raise if the law cannot have what a bound says."""
    for gain in space.free:
        for end in (gain.low, gain.high):
            try:
                space.ready_numbers({gain.path: end})
            except LawError as error:
                reason = error.problems[0].message if error.problems else str(error)
                raise ParameterError(gain.path, f"has the bound {end:g}, which the law refuses: {reason}") from error


def _free(path: str, bound: tuple[float, float] | Free) -> Free:
    gain = bound if isinstance(bound, Free) else free_gain(path, float(bound[0]), float(bound[1]))
    gain = replace(gain, path=gain.path.removesuffix(".*"))
    if not (math.isfinite(gain.low) and math.isfinite(gain.high)):
        raise ParameterError(path, f"is from {gain.low:g} to {gain.high:g}; bounds must be finite")
    if not gain.low < gain.high:
        raise ParameterError(
            path, f"is from {gain.low:g} to {gain.high:g}; the lower bound must be below the upper one"
        )
    return gain


def _check_apart(free: Sequence[Free]) -> None:
    for gain in free:
        for other in free:
            if gain is not other and _names(gain.path, other.path):
                raise ParameterError(other.path, f"is free twice, by itself and as part of {gain.path}")


def _has(law: Any, path: str) -> bool:
    return any(_names(path, leaf) for leaf, _ in leaves(law, "law"))


def _paths(law: Any) -> tuple[str, ...]:
    """Every number of a law, and of numbers per axis also all at once."""
    numbers = [leaf for leaf, _ in leaves(law, "law")]
    groups = dict.fromkeys(leaf.rpartition(".")[0] for leaf in numbers if leaf.rpartition(".")[2].isdigit())
    return tuple(dict.fromkeys([*groups, *numbers]))


def _near(path: str, known: tuple[str, ...]) -> str:
    close = (
        get_close_matches(path, known, n=CLOSE)
        or [candidate for candidate in known if candidate.endswith(f".{path}")][:CLOSE]
    )
    return f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known)}"


def with_floats(node: Any) -> Any:
    """The same description with floats in the place of whole numbers that stand for quantities.

    Args:
        node: a control law, or a part of one.
    """
    changes = {}
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if quantity_of(field) is not None and value is not None:
            whole = isinstance(value, (tuple, list, np.ndarray))
            changes[field.name] = tuple(float(entry) for entry in value) if whole else float(value)
        elif dataclasses.is_dataclass(value) and not isinstance(value, type):
            changes[field.name] = with_floats(value)
    return replace(node, **changes)


def _with_inertia(law: Any, model: Model, motion: Motion) -> Any:
    """The law with the inertia along the motion in its poles, where it needs one and states none."""
    poles = getattr(law, "poles", None)
    if poles is None or poles.inertia is not None or acts_on_accelerations(law):
        return law
    return replace(law, poles=replace(poles, inertia=inertia_along(model, motion)))
