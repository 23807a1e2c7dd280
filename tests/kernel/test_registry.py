"""The registry of kernels: one per key, whoever asks and however many ask at once."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from parapick.kernel.registry import Registry


def test_each_key_is_made_once() -> None:
    registry: Registry[str, list[str]] = Registry()
    first = registry.get("a", lambda: ["a"])
    assert registry.get("a", lambda: pytest.fail("made twice")) is first
    assert registry.get("b", lambda: ["b"]) == ["b"]


def test_threads_that_ask_at_once_get_the_same_kernel() -> None:
    registry: Registry[int, object] = Registry()
    start = threading.Barrier(8)
    made: list[int] = []

    def make() -> object:
        made.append(1)
        time.sleep(0.02)
        return object()

    def ask(_: int) -> object:
        start.wait()
        return registry.get(0, make)

    with ThreadPoolExecutor(8) as pool:
        assert len({id(kernel) for kernel in pool.map(ask, range(8))}) == 1
    assert len(made) == 1


def test_what_could_not_be_made_can_be_asked_for_again() -> None:
    registry: Registry[str, int] = Registry()
    with pytest.raises(ZeroDivisionError):
        registry.get("x", lambda: 1 // 0)
    assert registry.get("x", lambda: 3) == 3


def test_making_one_may_ask_for_another() -> None:
    registry: Registry[str, int] = Registry()
    assert registry.get("outer", lambda: 1 + registry.get("inner", lambda: 2)) == 3
