"""Ctrl-C and its kin while a run is followed: the first one asks for a stop, the second one interrupts."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, the usual end of a process, and the end of its terminal."""


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Whether somebody has asked for a stop by a signal; a second one raises `KeyboardInterrupt`.

    Python lets only its main thread take signals; in any other thread nobody asks.
    """
    asked: list[int] = []

    def taken(number: int, _frame: FrameType | None) -> None:
        asked.append(number)
        if len(asked) > 1:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = {number: signal.signal(number, taken) for number in SIGNALS}
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
