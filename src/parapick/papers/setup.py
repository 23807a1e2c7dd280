"""What a document is computed with: shipped robots and stated numbers, any of which may be changed by a factor."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar, final

from parapick.errors import PlausibilityWarning
from parapick.mechanism import leaves
from parapick.model import Model
from parapick.robots import load

Made = TypeVar("Made")


@final
class Setup:
    """One way to compute a document; what is computed for one number is kept for the next.

    Attributes:
        factors: what numbers are multiplied by: of every robot by their paths, such as "limb.arm", and others by the
            names under which `number` asks for them.
    """

    def __init__(self, factors: Mapping[str, float] | None = None) -> None:
        self.factors = dict(factors or {})
        self._made: dict[Hashable, Any] = {}

    def model(self, name: str) -> Model:
        """A shipped robot.

        Args:
            name: its name.
        """
        return self.once(("model", name), lambda: self._loaded(name))

    def _loaded(self, name: str) -> Model:
        with warnings.catch_warnings():
            # The documents print numbers that are implausible; their errata say which.
            warnings.simplefilter("ignore", PlausibilityWarning)
            model = load(name)
            known = dict(leaves(model.robot))
            changes = {path: known[path] * factor for path, factor in self.factors.items() if path in known}
            return model.with_parameters(changes) if changes else model

    def number(self, name: str, value: float) -> float:
        """A number that no robot file has.

        Args:
            name: its name.
            value: its value.
        """
        return value * self.factors.get(name, 1.0)

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What was made under a key before, or is made now.

        Args:
            key: the key.
            make: makes it.
        """
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]
