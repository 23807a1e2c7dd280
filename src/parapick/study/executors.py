"""Who evaluates chunks: processes of this computer, or a Dask cluster; any `concurrent.futures.Executor` does."""

from __future__ import annotations

import logging
import multiprocessing
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Event, Thread, local
from typing import Any, Final, final

from parapick.errors import ParameterError
from parapick.study.errors import StudyError

_ADDRESS: Final = re.compile(r"((tcp|tls|ws|wss|ucx)://)?([^\s/:]+|\[[^\s/]+\]):\d{1,5}")
"""Addresses of a scheduler: host and port, perhaps with the protocol."""

LOOK: Final = 0.05
"""Seconds between two looks at how long this process has worked."""

PATIENCE: Final = 10.0
"""Seconds after which a cluster that does not answer is given up."""


def processors() -> int:
    """Processors that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def processes(count: int, delay: float = 0.0) -> Iterator[Executor]:
    """Processes of this computer, each with one thread; they are gone at the end.

    Args:
        count: how many.
        delay: CPU time (s) of this process for which jobs stay where they can be cancelled, before another begins one.
    """
    pool = WorkerProcesses(count, delay)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@final
class WorkerProcesses(Executor):
    """An executor of processes in which a lost process is always seen, whatever it was doing.

    Every process has a connection of its own, and a thread here that hands it one job at a time. When a process ends,
    killed perhaps while it sends a result, its connection ends with it and the job fails by `BrokenProcessPool`. (In
    `ProcessPoolExecutor` all processes share one pipe: one that is killed in the middle of a result blocks the others
    and the reader for ever.)
    """

    def __init__(self, count: int, delay: float = 0.0) -> None:
        """Begin with no process; each is started by its thread when it has a job.

        Args:
            count: how many processes.
            delay: CPU time (s) of this process from now before the first job is begun.
        """
        self._own = local()
        self._started: list[BaseProcess] = []
        self._begin, self._ended = time.process_time() + delay, Event()
        self._threads = ThreadPoolExecutor(count, "parapick-study", self._wait)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Let a process call a function of a module.

        Args:
            fn: the function.
            args: its arguments, plain data.
            kwargs: those with names.
        """
        return self._threads.submit(self._ask, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes.

        Args:
            wait: until all jobs are finished; otherwise processes end at once, in the middle of a job perhaps.
            cancel_futures: drop jobs that have not begun.
        """
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        self._ended.set()
        for process in tuple(self._started):
            process.kill()

    def _wait(self) -> None:
        """Let a thread begin with its jobs when this process has worked so long, or go when there will be none."""
        while time.process_time() < self._begin and not self._ended.wait(LOOK):
            pass

    def _start(self) -> None:
        # Spawned: a fork would copy threads and locks of this process in whatever state they are.
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there,), daemon=True)
        process.start()
        # The only other end is the process's own: when it ends, so does the connection.
        there.close()
        self._started.append(process)
        self._own.connection = here

    def _ask(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            if not hasattr(self._own, "connection"):
                self._start()
            self._own.connection.send((fn, args, kwargs))
            value, error = self._own.connection.recv()
        except (EOFError, OSError) as lost:
            raise BrokenProcessPool("a process ended before its job did") from lost
        if error is not None:
            raise error
        return value


def _serve(requests: Connection) -> None:
    """Do one job after the other, in a process of its own, until nobody asks any more."""
    _prepare()
    while True:
        try:
            fn, args, kwargs = requests.recv()
        except EOFError:
            return
        try:
            answer = fn(*args, **kwargs), None
        except Exception as error:  # noqa: BLE001 (whoever asked decides what to do about it)
            answer = None, error
        requests.send(answer)


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
        raise ParameterError("cluster", f"{address!r} is not an address of a scheduler, such as tcp://10.0.0.1:8786")
    # What it has to say of a lost scheduler, the run says in a line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise StudyError(f"the cluster {address} does not answer; is its scheduler running there?") from error
    except ValueError as error:
        raise ParameterError(
            "cluster", f"{address!r} is not an address of a scheduler, such as tcp://10.0.0.1:8786"
        ) from error
    try:
        yield client.get_executor(pure=False)
    finally:
        client.close()
