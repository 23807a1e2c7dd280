"""The collector looks seldom while a kernel is made, and as before afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from parapick.kernel.garbage import seldom_collected
from parapick.kernel.registry import Registry


@pytest.fixture(autouse=True)
def usual() -> Iterator[tuple[int, int, int]]:
    """The thresholds of the process, whatever the test leaves."""
    before = gc.get_threshold()
    yield before
    gc.set_threshold(*before)


def test_only_while_something_is_made(usual: tuple[int, int, int]) -> None:
    registry: Registry[str, int] = Registry()
    inside = registry.get("one", lambda: registry.get("another", lambda: gc.get_threshold()[0]))
    assert inside > 10 * usual[0]
    assert gc.get_threshold() == usual


def test_after_a_failure(usual: tuple[int, int, int]) -> None:
    with pytest.raises(KeyError), seldom_collected():
        raise KeyError
    assert gc.get_threshold() == usual


@pytest.mark.parametrize("chosen", [(0, 10, 10), (10**6, 10, 10)])
def test_a_collector_that_looks_more_seldom_or_never_is_left_alone(chosen: tuple[int, int, int]) -> None:
    gc.set_threshold(*chosen)
    with seldom_collected():
        assert gc.get_threshold() == chosen
    assert gc.get_threshold() == chosen


def test_until_the_last_of_several_threads_is_ready(usual: tuple[int, int, int]) -> None:
    both_inside, one_left = Barrier(2), Barrier(2)

    def first() -> None:
        with seldom_collected():
            both_inside.wait(10)
        one_left.wait(10)

    def second() -> int:
        with seldom_collected():
            both_inside.wait(10)
            one_left.wait(10)
            return gc.get_threshold()[0]

    with ThreadPoolExecutor(2) as pool:
        threads = pool.submit(first), pool.submit(second)
        assert threads[1].result(20) > 10 * usual[0]
    assert gc.get_threshold() == usual
