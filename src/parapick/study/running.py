"""A study is run: rounds of chunks, evaluated by whatever executor there is and written as they finish."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, final

import numpy as np

from parapick.errors import ParameterError, ParapickError
from parapick.limits import count_objection
from parapick.parquet import read_columns
from parapick.progress import Listener, Progress
from parapick.study.aims import Search
from parapick.study.chunk_files import Origin, write_chunk
from parapick.study.description import Method
from parapick.study.designs import Rows
from parapick.study.errors import NoStartError, StudyError
from parapick.study.executors import processes, processors
from parapick.study.files import load_study
from parapick.study.methods import Round, chunk_rows, compile_kernels, needed, round_of, sizes
from parapick.study.reading import Study
from parapick.study.rounds import RoundSize
from parapick.study.sources import sources_digest
from parapick.study.store import Store, digest_of
from parapick.study.study_result import StudyResult
from parapick.study.work import Work

AHEAD: Final = 4
"""Chunks that are handed out at a time for each worker, so that none waits for the next."""

ALONE: Final = 3.0
"""CPU time (s) for which this process works alone where the number of workers is not stated: another takes about one to
start, which short studies would mostly consist of."""

LOSSES_MAX: Final = 3
"""Losses of a worker, such as by lack of memory, after which a run is given up; another run goes on."""


def head_of(study: Study, method: Method) -> dict[str, Any]:
    """What the folder of a study says of it.

    Args:
        method: how designs are chosen.
    """
    document = {**study.document, "method": method.kind}
    return {
        "name": study.file.name,
        "title": study.file.title,
        "method": method.kind,
        "designs": sum(size.designs for size in sizes(method, study.work, study.file.chunk)),
        "chunk": study.file.chunk,
        "digest": digest_of(document),
        "document": document,
    }


def run_study(
    study: Study | str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    method: str | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: Listener | None = None,
    note: Callable[[str], None] | None = None,
) -> StudyResult:
    """Run a study, or what is left of it, and write its table.

    Where no design of the first rounds keeps every requirement, further ones have nothing to start from, and it ends.

    Args:
        study: a study, the name of a shipped one, or the path of a file.
        folder: where its results are, made if need be; one that holds a part of this study is gone on with.
        method: one of the study's methods by its kind; the first if not given.
        executor: who evaluates; processes of this computer if not given.
        workers: how many of them, all from the start. If not given, this process works alone for `ALONE`; what is then
            left is shared by one process per processor, this one among them. With an executor it says how many
            chunks are handed out at a time.
        progress: called with the designs that are finished, after every chunk; what it raises ends the run, and what is
            finished is kept.
        note: called with what a reader should know of the folder: chunks in it that count as missing.

    Raises:
        ParameterError: less than one worker, or a method that the study does not state.
        FolderError: the folder holds another study, or is being filled by another run.
        StudyError: workers were lost too often or have other sources. What is finished is kept.
        ParapickError: a chunk cannot be written, say because the disk is full. What is finished is kept.
    """
    study = study if isinstance(study, Study) else load_study(study)
    if workers is not None and workers < 1:
        raise ParameterError("workers", f"is {workers}; it must be at least 1")
    if objection := count_objection("workers", workers or 1):
        raise ParameterError("workers", objection)
    store, chosen = Store(Path(folder)), study.method(method)
    with store.locked():
        head = head_of(study, chosen)
        store.begin(head)
        origin = Origin(head["digest"], sources_digest())
        review = store.review(origin)
        if note is not None and review.others:
            note(review.note())
        run = _Run(
            study,
            chosen,
            store,
            origin,
            set(review.sound),
            workers or processors(),
            progress or (lambda _: None),
            helps=executor is None and workers is None,
        )
        if executor is not None:
            with _as_loss():
                run.rounds(executor)
        elif run.workers == 1:
            run.rounds(None)
        else:
            _with_processes(run)
        store.join(run.files())
    return StudyResult(study, store)


@contextmanager
def _as_loss() -> Iterator[None]:
    """Say in words that whoever evaluates is gone: a scheduler that was killed, or a network that broke.

    Raises:
        StudyError: it is. What is finished is kept.
    """
    try:
        yield
    except (ParapickError, KeyboardInterrupt):
        raise
    except Exception as error:
        if not isinstance(error, (OSError, TimeoutError, BrokenExecutor, CancelledError)) and not type(
            error
        ).__module__.startswith("distributed"):
            raise
        text = f"those who evaluate were lost ({type(error).__name__}); what is finished is kept"
        raise StudyError(f"{text}, and the same command goes on") from error


def computed_rows(work: Work, designs: np.ndarray, search: Search | None = None) -> tuple[str, Rows]:
    """The rows of a chunk, with the digest of the sources that computed them: what a worker is asked for.

    Args:
        work: what designs are evaluated with.
        designs: values of the free numbers (m, free), SI.
        search: how they are searched from; None where the designs themselves are evaluated.
    """
    return sources_digest(), chunk_rows(work, designs, search)


def _with_processes(run: _Run) -> None:
    """Run in processes; where one is lost, begin again with new ones and what is left."""
    compile_kernels(run.study.work, run.method)
    for loss in range(LOSSES_MAX):
        try:
            with processes(run.workers - 1, ALONE) if run.helps else processes(run.workers) as pool:
                run.rounds(pool)
        except BrokenExecutor as error:
            if loss + 1 == LOSSES_MAX:
                text = f"a worker was lost {LOSSES_MAX} times, perhaps for lack of memory; the same command goes on"
                raise StudyError(text) from error
        else:
            return


@final
@dataclass(frozen=True, eq=False)
class _Run:
    """A run of a study.

    Attributes:
        study: the study.
        method: how designs are chosen.
        store: where results are.
        origin: what its chunks are computed from.
        sound: files of the chunks that are finished.
        workers: how many evaluate.
        progress: called after every chunk.
        helps: whether this process evaluates what no other one has begun.
    """

    study: Study
    method: Method
    store: Store
    origin: Origin
    sound: set[Path]
    workers: int
    progress: Listener
    helps: bool

    def rounds(self, executor: Executor | None) -> None:
        """Evaluate what is not there yet, round by round.

        Args:
            executor: who evaluates; None for this process.
        """
        work = self.study.work
        rounds = sizes(self.method, work, self.study.file.chunk)
        done = _Count(self, sum(size.designs for size in rounds))
        for number, size in enumerate(rounds):
            missing = self._missing(number, size)
            done.known(size.designs - sum(last - first for _, first, last in missing))
            if not missing:
                continue
            try:
                todo = round_of(self.method, work, number, self._earlier(number))
            except NoStartError:
                # What is there says so, and why; no further round would find more.
                return
            self._fill(number, todo, missing, executor, done)

    def _missing(self, number: int, size: RoundSize) -> list[tuple[int, int, int]]:
        """Index, first and last design of the chunks of a round that are not there."""
        firsts = range(0, size.designs, size.chunk)
        bounds = [(i, first, min(first + size.chunk, size.designs)) for i, first in enumerate(firsts)]
        return [bound for bound in bounds if self.store.chunk(number, bound[0]) not in self.sound]

    def files(self, before: int | None = None) -> list[Path]:
        """The files of the chunks that are finished, in order.

        Args:
            before: only of the rounds before this one; of all if not given.
        """
        rounds = sizes(self.method, self.study.work, self.study.file.chunk)[:before]
        places = ((n, i) for n, size in enumerate(rounds) for i in range(-(-size.designs // size.chunk)))
        return [path for path in (self.store.chunk(*place) for place in places) if path in self.sound]

    def _earlier(self, number: int) -> Rows:
        return read_columns(self.files(number), needed(self.study.work)) if number else {}

    def _write(self, number: int, index: int, computed: tuple[str, Rows]) -> None:
        """Write a chunk, if those who computed it have the sources of this process."""
        sources, rows = computed
        if sources != self.origin.sources:
            raise StudyError("a worker has other sources of parapick than this computer; install the same on both")
        path = self.store.chunk(number, index)
        write_chunk(path, self.origin, (number, index), rows)
        self.sound.add(path)

    def _fill(
        self,
        number: int,
        todo: Round,
        missing: list[tuple[int, int, int]],
        executor: Executor | None,
        done: _Count,
    ) -> None:
        work, jobs = self.study.work, iter(missing)
        if executor is None:
            for job in jobs:
                self._evaluate(number, todo, job, done)
            return
        waiting: dict[Future[Any], tuple[int, int, int]] = {}

        def hand_out(count: int) -> None:
            for job in islice(jobs, count):
                waiting[executor.submit(computed_rows, work, *todo.part(job[1], job[2]))] = job

        hand_out(AHEAD * self.workers)
        try:
            while waiting:
                # What can be cancelled nobody has begun.
                own = next((future for future in waiting if future.cancel()), None) if self.helps else None
                if own is not None:
                    self._evaluate(number, todo, waiting.pop(own), done)
                finished, _ = wait(waiting, None if own is None else 0.0, FIRST_COMPLETED)
                for future in finished:
                    index, first, last = waiting.pop(future)
                    self._write(number, index, future.result())
                    done.add(last - first)
                hand_out(len(finished) + (own is not None))
        finally:
            for future in waiting:
                future.cancel()

    def _evaluate(self, number: int, todo: Round, job: tuple[int, int, int], done: _Count) -> None:
        """Evaluate a chunk in this process."""
        index, first, last = job
        self._write(number, index, computed_rows(self.study.work, *todo.part(first, last)))
        done.add(last - first)


class _Count:
    """Counts finished designs and tells the run's progress."""

    def __init__(self, run: _Run, total: int) -> None:
        self._run, self._total = run, total
        self._done = self._own = 0
        self._start = time.monotonic()

    def known(self, count: int) -> None:
        """Begin a round, and count its designs that an earlier run finished; a search takes longer than a point."""
        self._done += count
        self._own, self._start = 0, time.monotonic()

    def add(self, count: int) -> None:
        """Count designs that this run finished."""
        self._done += count
        self._own += count
        elapsed = time.monotonic() - self._start
        self._run.progress(Progress("designs", self._done, self._total, self._own / elapsed if elapsed else np.nan))
