"""The layout that Python mirrors is the one that a compiler gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from parapick.runtime import layout
from runtime.compiled import Library, linked, run


@pytest.fixture(scope="module")
def places(library: Library) -> dict[str, int]:
    """Size of every struct, and place of every field, by a program that prints them."""
    lines = []
    for name, dtype in layout.STRUCTS.items():
        lines.append(f'    printf("{name} %zu\\n", sizeof({name}));')
        lines += [f'    printf("{name}.{one} %zu\\n", offsetof({name}, {one}));' for one in dtype.names or ()]
    lines += [f'    printf("{name} %llu\\n", (unsigned long long){name});' for name in MACROS]
    text = '#include <stddef.h>\n#include <stdio.h>\n#include "bus.h"\n#include "ring.h"\nint main(void)\n{\n'
    (library.folder / "places.c").write_text(text + "\n".join(lines) + "\n    return 0;\n}\n")
    program = linked(library.folder, "places", ["places.c"], level=("-O0", "-Wno-unused-function"))
    return {name: int(value) for name, value in (line.split() for line in run([str(program)]).stdout.splitlines())}


MACROS = {
    "PP_MAGIC": layout.MAGIC,
    "PP_LAYOUT_VERSION": layout.VERSION,
    "PP_MOTORS_MAX": layout.MOTORS_MAX,
    "PP_DOF_MAX": layout.DOF_MAX,
    "PP_BELTS_MAX": layout.BELTS_MAX,
    "PP_ITEMS_MAX": layout.ITEMS_MAX,
    "PP_FAULTS_MAX": layout.FAULTS_MAX,
    "PP_PAYLOAD": layout.PAYLOAD,
    "PP_SLOTS": layout.SLOTS,
    "PP_ALWAYS": layout.ALWAYS,
    "PP_FLAG_EXACT": layout.EXACT,
    "PP_FLAG_STATED_LOAD": layout.STATED_LOAD,
    "PP_FLAG_LOCKSTEP": layout.LOCKSTEP,
    "PP_OUT_GRIP": layout.GRIP,
    "PP_IN_EMERGENCY": layout.EMERGENCY,
    "PP_IN_LATE": layout.LATE,
    "PP_IN_HELD": layout.HELD,
    "PP_IN_SENSOR": layout.SENSOR,
    "PP_RING_MAGIC": layout.RING_MAGIC,
}


@pytest.mark.parametrize("name", layout.STRUCTS)
def test_a_struct_lies_as_a_compiler_lays_it(places: dict[str, int], name: str) -> None:
    dtype = layout.STRUCTS[name]
    assert places[name] == dtype.itemsize
    fields = dtype.fields or {}
    assert {one: places[f"{name}.{one}"] for one in fields} == {one: fields[one][1] for one in fields}


@pytest.mark.parametrize("name", MACROS)
def test_a_number_is_that_of_the_header(places: dict[str, int], name: str) -> None:
    assert places[name] == MACROS[name]


def test_every_field_of_the_headers_is_mirrored(library: Library) -> None:
    """A field that Python does not know would shift nothing only where padding hides it."""
    text = (Path(library.folder) / "bus.h").read_text()
    for name in ("pp_out", "pp_in", "pp_drive_out", "pp_drive_in", "pp_head", "pp_fault", "pp_cell_settings"):
        body = text[: text.index(f"}} {name};")].rsplit("typedef struct {", 1)[1]
        code = [line.split("/*")[0] for line in body.splitlines()]
        declared = [line.split(";")[0].split("[")[0].split()[-1] for line in code if ";" in line]
        assert declared == list(layout.STRUCTS[name].names or ())
