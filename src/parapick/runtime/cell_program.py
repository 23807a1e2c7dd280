"""A virtual cell as a program: its sources, a compiler, and the process that runs it."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final, final

from parapick.errors import ParapickError
from parapick.files import write_text
from parapick.runtime.segment import SharedSegment
from parapick.runtime.virtual_cell import VirtualCell

FLAGS: Final = ("-std=c11", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-pedantic")
"""Options of the compiler: sums and products are rounded as in the library's own kernels."""

COMPILERS: Final = ("cc", "gcc", "clang")

CELL_SOURCES: Final = ("bus.c", "cia402.c", "drive.c", "belts.c", "faults.c", "cell.c", "cell_run.c")
"""What a virtual cell is made of, beside its plant and `main`."""

LONGEST: Final = 5.0
"""Time (s) within which a process must start, and end when it is asked to."""

_PAUSE: Final = 2e-3

_MAIN: Final = """/* SPDX-License-Identifier: Apache-2.0
 * The virtual cell of {robot} as a program: its argument is the name of the segment. */
#include <stdio.h>

#include "cell.h"

#include "{plant}"

static const uint8_t fingerprint[32] = {{{fingerprint}}};

int main(int count, char **arguments)
{{
    if (count != 2) {{
        fprintf(stderr, "give the name of a segment\\n");
        return 2;
    }}
    return pp_cell_run(&{prefix}_plant, arguments[1], fingerprint);
}}
"""


@final
class CompilerError(ParapickError):
    """There is no C compiler, or it does not accept a program."""


@final
class CellError(ParapickError):
    """A virtual cell's process has not started, or has ended."""


def c_sources(names: tuple[str, ...] | None = None) -> dict[str, str]:
    """The C of the runtime that is written by hand, by file names; headers are always there.

    Args:
        names: which sources; None for all.
    """
    folder = files("parapick.runtime") / "c"
    texts = {one.name: one.read_text(encoding="utf-8") for one in folder.iterdir() if one.name.endswith((".c", ".h"))}
    return {name: text for name, text in sorted(texts.items()) if names is None or name in names or name.endswith(".h")}


def cell_texts(cell: VirtualCell) -> dict[str, str]:
    """Sources of a virtual cell's program, by file names.

    Args:
        cell: the cell.
    """
    plant = f"{cell.prefix}_plant.c"
    main = _MAIN.format(
        robot=cell.assembly.model.robot.name,
        plant=plant,
        prefix=cell.prefix,
        fingerprint=", ".join(str(byte) for byte in cell.fingerprint),
    )
    return {**c_sources(CELL_SOURCES), plant: cell.plant_code().text, "cell_main.c": main}


def compiler() -> str:
    """The C compiler.

    Raises:
        CompilerError: there is none.
    """
    found = next((path for path in map(shutil.which, COMPILERS) if path), None)
    if found is None:
        raise CompilerError("the runtime needs a C compiler, and there is none; install gcc or clang")
    return found


def compiled(texts: Mapping[str, str], folder: Path, program: str, sources: tuple[str, ...], *flags: str) -> Path:
    """Write sources into a folder and compile a program of them.

    Args:
        texts: the sources by file names.
        folder: where they go.
        program: name of the program.
        sources: which of them are compiled; others are included.
        flags: options beside `FLAGS`.

    Raises:
        CompilerError: there is no compiler, or it refuses.
    """
    for name, text in texts.items():
        write_text(folder / name, text, folders=True)
    path = folder / program
    command = [compiler(), *FLAGS, *flags, "-o", str(path), *(str(folder / name) for name in sources), "-lm", "-lrt"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise CompilerError(f"the compiler refuses {program}: {done.stderr.strip()[:2000]}")
    return path


def cell_program(cell: VirtualCell, folder: Path, *flags: str) -> Path:
    """The program of a virtual cell, compiled in a folder.

    Args:
        cell: the cell.
        folder: the folder.
        flags: further options of the compiler.
    """
    return compiled(cell_texts(cell), folder, f"{cell.prefix}", (*CELL_SOURCES, "cell_main.c"), *flags)


@contextmanager
def running_cell(program: Path, segment: SharedSegment) -> Iterator[subprocess.Popen[str]]:
    """A virtual cell's process, started and ready; it is ended in order at the end.

    Signals of the terminal do not reach it: what Ctrl-C asks for is a stop, for which the drives are needed.

    Args:
        program: what `cell_program` made.
        segment: the segment, filled and published.

    Raises:
        CellError: it does not start; says why.
    """
    command = [str(program), segment.name]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, process_group=0) as process:  # noqa: S603
        try:
            _await_ready(process, segment)
            yield process
        finally:
            with contextlib.suppress(ValueError, TypeError):
                segment.end()
            _end(process)


def _await_ready(process: subprocess.Popen[str], segment: SharedSegment) -> None:
    end = time.monotonic() + LONGEST
    while segment.newest_in() is None or not segment.seated("drives"):
        if process.poll() is not None:
            reason = "" if process.stderr is None else process.stderr.read().strip()
            raise CellError(f"the virtual cell has not started: {reason or f'exit code {process.returncode}'}")
        if time.monotonic() > end:
            raise CellError(f"the virtual cell has not started within {LONGEST:g} s")
        time.sleep(_PAUSE)


def _end(process: subprocess.Popen[str]) -> None:
    try:
        process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
