"""What a document is computed with: shipped robots and named numbers, changed by a factor where asked.

Every input is noted as it is read, by its name: a robot by its file's, a number by the one under which it is asked for.
What is kept for later (`Setup.once`) keeps the names that were read while it was made. So whoever asks for a value
within `Setup.noting` learns all that it rests on, however deep it was read, and nobody lists it by hand.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, TypeVar, final

from parapick.errors import PlausibilityWarning
from parapick.model import Model
from parapick.parameters import leaves
from parapick.robots import load

Kept = TypeVar("Kept")


@final
class OnDemand(Mapping[str, Kept], Generic[Kept]):
    """Values by name, each computed when it is asked for: what it rests on is then noted for it alone.

    Attributes:
        names: the names.
        make: computes the value of a name.
    """

    def __init__(self, names: Iterable[str], make: Callable[[str], Kept]) -> None:
        self.names = dict.fromkeys(names)
        self.make = make

    def __getitem__(self, name: str) -> Kept:
        if name not in self.names:
            raise KeyError(name)
        return self.make(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


@final
class Setup:
    """One way to compute a document; what is computed for one number is kept for the next.

    Attributes:
        factors: what numbers are multiplied by: of every robot by their paths, such as "limb.arm", and others by the
            names under which `number` asks for them.
    """

    def __init__(self, factors: Mapping[str, float] | None = None) -> None:
        self.factors = dict(factors or {})
        self._kept: dict[Hashable, tuple[Any, frozenset[str]]] = {}
        self._noting: list[set[str]] = []

    def model(self, name: str) -> Model:
        """A shipped robot; its name is noted.

        Args:
            name: its name.
        """
        return self.once(("model", name), lambda: self._loaded(name))

    def _loaded(self, name: str) -> Model:
        self.uses(name)
        with warnings.catch_warnings():
            # The documents print numbers that are implausible; their errata say which.
            warnings.simplefilter("ignore", PlausibilityWarning)
            model = load(name)
            known = dict(leaves(model.robot))
            changes = {path: known[path] * factor for path, factor in self.factors.items() if path in known}
            return model.with_parameters(changes) if changes else model

    def number(self, name: str, value: float) -> float:
        """A number that no robot file has; its name is noted.

        Args:
            name: its name.
            value: its value.
        """
        self.uses(name)
        return value * self.factors.get(name, 1.0)

    def uses(self, *names: str) -> None:
        """Note inputs that are read and are no number, such as a choice between two readings.

        Args:
            names: their names.
        """
        for noted in self._noting:
            noted.update(names)

    @contextmanager
    def noting(self) -> Iterator[set[str]]:
        """Note the names of all inputs that are read from here to the end of the block, directly or through `once`."""
        noted: set[str] = set()
        self._noting.append(noted)
        try:
            yield noted
        finally:
            # By identity: two blocks that have read the same are equal.
            self._noting = [block for block in self._noting if block is not noted]

    def once(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """What was made under a key before, or is made now; what was read for it counts as read either way.

        Args:
            key: the key.
            make: makes it.
        """
        if key not in self._kept:
            with self.noting() as inputs:
                value = make()
            self._kept[key] = value, frozenset(inputs)
        value, inputs = self._kept[key]
        self.uses(*inputs)
        return value
