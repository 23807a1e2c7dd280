"""Python's search for garbage, put off while kernels are made.

A trace is thousands of tuples that all live until the end, and none of them refers back: the collector goes through
them again and again and finds nothing. So it looks seldom while something is made; what is garbage meanwhile is found
afterwards.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

_SELDOM: Final = 100_000
"""Objects that come to be before the collector looks, where it is 700 by default: some 10 MB of a trace."""

_lock = Lock()
_makers = 0
_usual = (0, 0, 0)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Let the collector look seldom meanwhile; several threads may ask, one inside of the other, too."""
    global _makers, _usual  # noqa: PLW0603
    with _lock:
        if not _makers:
            _usual = gc.get_threshold()
            # 0 means never, which the user's program may have chosen.
            if 0 < _usual[0] < _SELDOM:
                gc.set_threshold(_SELDOM, *_usual[1:])
        _makers += 1
    try:
        yield
    finally:
        with _lock:
            _makers -= 1
            if not _makers:
                gc.set_threshold(*_usual)
