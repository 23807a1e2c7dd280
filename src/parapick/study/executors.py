"""Who evaluates chunks: processes of this computer, or a Dask cluster; any `concurrent.futures.Executor` does."""

from __future__ import annotations

import logging
import multiprocessing
import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import connection
from threading import Thread
from typing import Any, Final

from parapick.errors import ParameterError
from parapick.study.errors import StudyError

_ADDRESS: Final = re.compile(r"((tcp|tls|ws|wss|ucx)://)?([^\s/:]+|\[[^\s/]+\]):\d{1,5}")
"""Addresses of a scheduler: host and port, perhaps with the protocol."""

PATIENCE: Final = 10.0
"""Seconds after which a cluster that does not answer is given up."""


def processors() -> int:
    """Processors that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def processes(count: int) -> Iterator[Executor]:
    """Processes of this computer, each with one thread; they are gone at the end.

    Args:
        count: how many.
    """
    # Spawned: a fork would copy threads and locks of this process in whatever state they are.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_prepare)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _prepare() -> None:
    """Settings of a worker: the run decides about Ctrl-C, one chunk is one thread, and it ends with the run."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["PARAPICK_THREADS"] = "1"
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    """End this process when its parent has ended, killed perhaps, so that nobody waits for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a Dask cluster; what travels is plain data and a function of parapick, which must be installed.

    Args:
        address: of its scheduler, such as `tcp://10.0.0.1:8786`.

    Raises:
        ParameterError: dask.distributed is not installed, or the address is none.
        StudyError: the scheduler does not answer.
    """
    try:
        from distributed import Client  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ParameterError("cluster", "needs dask.distributed: pip install 'parapick[cluster]'") from error
    if not _ADDRESS.fullmatch(address):
        raise ParameterError("cluster", f"{address!r} is no address of a scheduler, such as tcp://10.0.0.1:8786")
    # What it has to say of a lost scheduler, the run says in a line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise StudyError(f"the cluster {address} does not answer; is its scheduler running there?") from error
    except ValueError as error:
        raise ParameterError(
            "cluster", f"{address!r} is no address of a scheduler, such as tcp://10.0.0.1:8786"
        ) from error
    try:
        yield client.get_executor(pure=False)
    finally:
        client.close()
