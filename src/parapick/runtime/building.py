"""The C of a run: its sources by file names, and the programs and libraries that are compiled of them."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from parapick.runtime.cell_program import CELL_SOURCES, c_sources, compiled
from parapick.runtime.session import Session

LOOP_SOURCES: Final = ("bus.c", "cia402.c", "master.c", "loop.c")
"""What the loop is made of, beside the robot's functions."""

_ENTRY: Final = """/* SPDX-License-Identifier: Apache-2.0
 * Lockstep of {robot}: loop and plant of one robot. */
#include "lockstep.h"

#include "{plant}"

extern const pp_machine {P}_machine;
static pp_lockstep both;
int lockstep_start(void *segment, size_t bytes);
uint64_t lockstep_run(uint64_t periods);
int lockstep_ended(void);

int lockstep_start(void *segment, size_t bytes)
{{
    return pp_lockstep_start(&both, &{P}_machine, &{C}_plant, segment, bytes);
}}

uint64_t lockstep_run(uint64_t periods)
{{
    return pp_lockstep_run(&both, periods);
}}

int lockstep_ended(void)
{{
    return pp_lockstep_ended(&both);
}}
"""

_REPLAY: Final = """/* SPDX-License-Identifier: Apache-2.0
 * Paced runs of {robot} again: loop and plant of one robot. */
#include "replay.h"

#include "{plant}"

extern const pp_machine {P}_machine;
static pp_replay both;
int replay_start(void *segment, size_t bytes);
uint64_t replay_run(const uint8_t *steps, uint64_t count, pp_loop_turn *periods, pp_cell_turn *cycles);

int replay_start(void *segment, size_t bytes)
{{
    return pp_replay_start(&both, &{P}_machine, &{C}_plant, segment, bytes);
}}

uint64_t replay_run(const uint8_t *steps, uint64_t count, pp_loop_turn *periods, pp_cell_turn *cycles)
{{
    return pp_replay_run(&both, steps, count, periods, cycles);
}}
"""

_MAIN: Final = """/* SPDX-License-Identifier: Apache-2.0
 * The runtime of {robot} as a program: its argument is the name of the segment. */
#include <stdio.h>

#include "pace.h"

extern const pp_machine {P}_machine;
static const uint8_t fingerprint[32] = {{{fingerprint}}};

int main(int count, char **arguments)
{{
    if (count != 2) {{
        fprintf(stderr, "give the name of a segment\\n");
        return PP_EXIT_REFUSED;
    }}
    return pp_pace_run(&{P}_machine, arguments[1], fingerprint);
}}
"""


def loop_texts(*names: str) -> dict[str, str]:
    """The loop's C that is written by hand, headers always, by file names.

    Args:
        names: which sources.
    """
    folder = files("parapick.runtime") / "c" / "loop"
    texts = {one.name: one.read_text(encoding="utf-8") for one in folder.iterdir() if one.name.endswith((".c", ".h"))}
    return {name: text for name, text in sorted(texts.items()) if name in names or name.endswith(".h")}


def lockstep_texts(run: Session) -> dict[str, str]:
    """Sources of loop and cell in one library, by file names.

    Args:
        run: the run.
    """
    return _texts_of_both(run, "lockstep", _ENTRY)


def _texts_of_both(run: Session, name: str, entry: str) -> dict[str, str]:
    plant, robot = f"{run.cell.prefix}_plant.c", run.cell.assembly.model.robot.name
    return {
        **c_sources(),
        **loop_texts("loop.c", f"{name}.c"),
        **run.machine.texts,
        plant: run.cell.plant_code().text,
        f"{name}_entry.c": entry.format(robot=robot, plant=plant, P=run.machine.prefix, C=run.cell.prefix),
    }


def lockstep_sources(run: Session) -> tuple[str, ...]:
    """Which of them are compiled.

    Args:
        run: the run.
    """
    return _sources_of_both(run, "lockstep")


def _sources_of_both(run: Session, name: str) -> tuple[str, ...]:
    cell = [one for one in CELL_SOURCES if one != "cell_run.c"]
    return tuple(dict.fromkeys([*LOOP_SOURCES, *cell, f"{name}.c", *run.machine.sources, f"{name}_entry.c"]))


def lockstep_library(run: Session, folder: Path, *flags: str) -> Path:
    """Loop and cell of a run as a shared library, compiled in a folder.

    Args:
        run: the run.
        folder: the folder.
        flags: further options of the compiler.

    Raises:
        CompilerError: there is no compiler, or it refuses.
    """
    return compiled(lockstep_texts(run), folder, "lockstep.so", lockstep_sources(run), "-shared", "-fPIC", *flags)


def replay_library(run: Session, folder: Path, *flags: str) -> Path:
    """Loop and cell of a paced run as a shared library that computes it again, compiled in a folder.

    Args:
        run: the run.
        folder: the folder.
        flags: further options of the compiler.

    Raises:
        CompilerError: there is no compiler, or it refuses.
    """
    texts, sources = _texts_of_both(run, "replay", _REPLAY), _sources_of_both(run, "replay")
    return compiled(texts, folder, "replay.so", sources, "-shared", "-fPIC", *flags)


def runtime_texts(run: Session) -> dict[str, str]:
    """Sources of the paced runtime's program, by file names.

    Args:
        run: the run.
    """
    main = _MAIN.format(
        robot=run.cell.assembly.model.robot.name,
        P=run.machine.prefix,
        fingerprint=", ".join(str(byte) for byte in run.cell.fingerprint),
    )
    return {
        **c_sources(LOOP_SOURCES),
        **loop_texts("loop.c", "pace.c"),
        **run.machine.texts,
        "runtime_main.c": main,
    }


def runtime_sources(run: Session) -> tuple[str, ...]:
    """Which of them are compiled.

    Args:
        run: the run.
    """
    return (*LOOP_SOURCES, "pace.c", *run.machine.sources, "runtime_main.c")


def runtime_program(run: Session, folder: Path, *flags: str) -> Path:
    """The program of the paced runtime, compiled in a folder.

    Args:
        run: the run.
        folder: the folder.
        flags: further options of the compiler.

    Raises:
        CompilerError: there is no compiler, or it refuses.
    """
    return compiled(runtime_texts(run), folder, "runtime", runtime_sources(run), *flags)
