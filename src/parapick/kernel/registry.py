"""A registry of compiled kernels: each is made at its first use and kept by what it was made of."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import RLock
from typing import Generic, TypeVar, final

from parapick.kernel.garbage import seldom_collected

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@final
class Registry(Generic[K, V]):
    """Kernels or scans by a key that says everything that makes them differ, such as a structure and a name.

    Several threads may ask at once: a kernel is made by the first of them, and the others wait for it. Making one may
    ask the registry for another.
    """

    def __init__(self) -> None:
        self._made: dict[K, V] = {}
        self._lock = RLock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The kernel of a key.

        Args:
            key: what it is made of.
            make: makes it; called where there is none of this key yet.
        """
        kernel = self._made.get(key)
        if kernel is not None:
            return kernel
        with self._lock:
            if key not in self._made:
                with seldom_collected():
                    self._made[key] = make()
            return self._made[key]
