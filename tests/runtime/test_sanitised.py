"""The runtime's C under two compilers with warnings as errors, and under sanitizers."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from parapick.operation import fault_from
from parapick.runtime.cell_belts import CellBelts
from parapick.runtime.cell_program import c_sources, cell_texts
from runtime.compiled import HERE, PLANT, STRICT, Library, run, written
from runtime.test_belts import items

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
GCC = pytest.mark.skipif("gcc" not in COMPILERS, reason="gcc is missing, whose sanitizers these tests use")
PLAIN = sorted(name for name in c_sources() if name.endswith(".c") and name != "cell_run.c")


@pytest.fixture(scope="module")
def folder(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sources, test programs, and a segment with belts and faults in a file."""
    texts = {**c_sources(), **cell_texts(library.cell)}
    texts |= {name: (HERE / name).read_text() for name in ("threads.c", "drilling.c", "probe.c", "holding_master.c")}
    texts["probe_plant.c"] = PLANT.format(plant=f"{library.cell.prefix}_plant.c", prefix=library.cell.prefix)
    place = written(tmp_path_factory.mktemp("sanitised"), texts)
    whole = library.segment()
    # Threads run as fast as they can: nobody is dead who is only slow.
    whole["head"]["watchdog"] = 10**18
    (place / "segment").write_bytes(whole.tobytes())
    texts_of_faults = ("encoder:2@0.001~5ms", "drive:1@0.02", "collision:x=20N@0.005~5ms", "emergency@0.03")
    faults = tuple(fault_from(text, library.cell.plant) for text in texts_of_faults)
    full = library.segment(replace(library.cell, faults=faults, belts=CellBelts(items())))
    (place / "full").write_bytes(full.tobytes())
    return place


def program(folder: Path, compiler: str, name: str, *flags: str) -> Path:
    path = folder / f"{name}-{compiler}"
    sources = [*PLAIN, f"{name}.c", "probe_plant.c"]
    run([compiler, *STRICT, "-O1", "-g", *flags, "-o", str(path), *sources, "-lm", "-lrt", "-lpthread"], cwd=folder)
    return path


@pytest.mark.parametrize("compiler", COMPILERS)
def test_two_compilers_have_no_word_of_warning(folder: Path, compiler: str) -> None:
    for name in (*PLAIN, "cell_run.c", "cell_main.c"):
        run([compiler, *STRICT, "-Wshadow", "-Wstrict-prototypes", "-O1", "-fsyntax-only", name], cwd=folder)


@GCC
def test_threads_have_no_race(folder: Path) -> None:
    """ThreadSanitizer: master, cell and a spectator on one segment, and a ring between two of them."""
    path = program(folder, "gcc", "threads", "-fsanitize=thread")
    torn, enabled, seen, rows = run([str(path), "segment", "2000"], cwd=folder).stdout.split()
    assert (torn, enabled, seen, rows) == ("0", "1", "1", "2000")


@GCC
@pytest.mark.soak
def test_threads_have_no_race_for_long(folder: Path) -> None:
    """With the sanitizer, and from both compilers without, where a torn frame would show as a number."""
    path = program(folder, "gcc", "threads", "-fsanitize=thread")
    assert run([str(path), "segment", "200000"], cwd=folder).stdout.split() == ["0", "1", "1", "200000"]
    for compiler in COMPILERS:
        path = program(folder, compiler, "threads")
        assert run([str(path), "segment", "2000000"], cwd=folder).stdout.split() == ["0", "1", "1", "2000000"]


@GCC
def test_frames_of_noise_break_nothing(folder: Path) -> None:
    """Address and undefined behaviour: random bytes from the master, through every state of the drives."""
    path = program(folder, "gcc", "drilling", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    visited = int(run([str(path), "full", "20000"], cwd=folder).stdout, 16)
    assert visited == 0b11111111


@GCC
@pytest.mark.soak
def test_frames_of_noise_break_nothing_for_long(folder: Path) -> None:
    path = program(folder, "gcc", "drilling", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    run([str(path), "full", "200000"], cwd=folder)
