"""The loop's C by itself: its layout, two compilers, sanitizers, and threads."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from parapick.runtime import loop_layout
from parapick.runtime.building import lockstep_sources, lockstep_texts, loop_texts
from parapick.runtime.lockstep import OwnMemory
from parapick.runtime.machine import STATES, names_text
from parapick.runtime.planner import Feeder
from parapick.runtime.session import Session
from parapick.supervision import NAMES, State
from runtime.compiled import STRICT, written
from runtime.loop_cases import PAR4, base, with_faults

HERE = Path(__file__).parent

PLANT = """extern const pp_machine {P}_machine;
#include "{plant}"
#define LOOP_MACHINE {P}_machine
#define LOOP_PLANT {C}_plant
"""

COMPILERS = {
    # Debian's clang comes without the libraries of the sanitizers.
    "gcc": ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O0", "-g"),
    "clang": ("-Wshadow", "-Wstrict-prototypes", "-O0"),
}


@pytest.fixture(scope="module")
def run() -> Session:
    made = base(PAR4)
    # All rows are there from the beginning: nobody feeds.
    return replace(made, horizon=len(made.rows.all))


@pytest.fixture(scope="module")
def folder(run: Session, tmp_path_factory: pytest.TempPathFactory) -> Path:
    prefix = run.cell.prefix
    texts = lockstep_texts(run) | loop_texts("pace.c", "loop.c", "lockstep.c", "replay.c")
    plant = PLANT.format(P=run.machine.prefix, C=prefix, plant=f"{prefix}_plant.c")
    program = (HERE / "loop_program.c").read_text()
    return written(tmp_path_factory.mktemp("loop"), texts | {"loop_plant.h": plant, "loop_program.c": program})


def program(run: Session, folder: Path, compiler: str, name: str, *flags: str) -> Path:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is missing")
    sources = [one for one in lockstep_sources(run) if one != "lockstep_entry.c"]
    command = [
        compiler,
        *STRICT,
        *flags,
        "-o",
        name,
        *sources,
        "pace.c",
        "replay.c",
        "loop_program.c",
        "-lm",
        "-lrt",
        "-lpthread",
    ]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / name


def image(run: Session, path: Path) -> Path:
    """The bytes of a segment with all rows in it."""
    memory = OwnMemory(run.rings, run.log_rows)
    run.cell.fill(memory)  # pyright: ignore[reportArgumentType]
    run.fill(memory.settings)
    Feeder(memory.rings["reference"], run.rows.blocks()).feed()
    path.write_bytes(memory.bytes.tobytes())
    return path


def answer(path: Path, image: Path, how: str) -> tuple[int, State, str]:
    options = {"TSAN_OPTIONS": "halt_on_error=1", "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(
        [str(path), str(image), how], capture_output=True, text=True, check=False, env={**os.environ, **options}
    )
    assert done.returncode == 0, done.stderr[-2000:]
    samples, state, fault, rehearsed = map(int, done.stdout.split())
    assert rehearsed == 1
    return samples, STATES[state], "" if fault < 0 else NAMES[fault]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_nothing_is_undefined_under_two_compilers(run: Session, folder: Path, tmp_path: Path, compiler: str) -> None:
    path = program(run, folder, compiler, f"checked-{compiler}", *COMPILERS[compiler])
    samples, state, fault = answer(path, image(run, tmp_path / "image"), "lockstep")
    assert (state, fault) == (State.READY, "")
    assert samples == 6983
    # Cycles that are missed are made up for: the task takes no longer by the clock.
    samples, state, fault = answer(path, image(run, tmp_path / "image"), "gaps")
    assert (samples, state, fault) == (6983, State.READY, "")
    # From turns that are in time the bus adds a sample to that of the law: the robot comes to rest no sooner.
    samples, state, fault = answer(path, image(run, tmp_path / "image"), "turns")
    assert (state, fault) == (State.READY, "")
    assert 6983 <= samples < 7100
    for text, guard in (("emergency@0.1", "emergency"), ("encoder:1@0.1", "frozen"), ("deadline=5@0.1", "deadline")):
        broken = answer(path, image(with_faults(run, text), tmp_path / "image"), "lockstep")
        assert broken[1] is State.FAULT
        assert guard == broken[2] or text.startswith("encoder")


def test_loop_drives_and_recorder_as_threads_do_not_race(run: Session, folder: Path, tmp_path: Path) -> None:
    path = program(run, folder, "gcc", "raced", "-fsanitize=thread", "-O1", "-g")
    stopped = with_faults(run, "stop@homing+0.001")
    samples, state, _ = answer(path, image(stopped, tmp_path / "image"), "threads")
    assert samples > 0
    assert state in (State.READY, State.OFF, State.FAULT)


def test_the_layout_is_that_of_the_header(folder: Path) -> None:
    lines = []
    for name, kind in loop_layout.LOOP_STRUCTS.items():
        lines.append(f'    printf("{name} %zu\\n", sizeof({name}));')
        lines += [f'    printf("{name}.{one} %zu\\n", offsetof({name}, {one}));' for one in kind.names or ()]
    text = '#include <stddef.h>\n#include <stdio.h>\n#include "loop.h"\nint main(void)\n{\n' + "\n".join(lines)
    (folder / "loop_places.c").write_text(text + "\n    return 0;\n}\n")
    command = [shutil.which("cc") or "gcc", "-std=c11", "-o", "loop_places", "loop_places.c"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    shown = subprocess.run([str(folder / "loop_places")], capture_output=True, text=True, check=True).stdout
    places = {name: int(value) for name, value in (line.split() for line in shown.splitlines())}
    for name, kind in loop_layout.LOOP_STRUCTS.items():
        assert places[name] == kind.itemsize
        fields = kind.fields or {}
        assert {one: places[f"{name}.{one}"] for one in fields} == {one: fields[one][1] for one in fields}


def test_names_are_those_of_the_supervisor() -> None:
    text = names_text()
    for number, state in enumerate(STATES):
        assert f"#define PP_STATE_{state.name} {number}\n" in text
    assert f"#define PP_GUARD_{NAMES[-1].upper()} {len(NAMES) - 1}\n" in text
