"""The files around the code: header, sources, Makefile and README."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from parapick.export.c.law import CLaw, law_structs, reset_text
from parapick.export.c.source import CSource, struct_text, values_text
from parapick.export.c.supervised import CSupervisor
from parapick.kernel import CFunction, CStyle, helper_texts
from parapick.mechanism import Robot
from parapick.model import Model

_GUARD: Final = """#ifdef __FAST_MATH__
#error "compile without -ffast-math: NaN says that an answer is not valid"
#endif
"""

Units = Mapping[str, str]


def cost_lines(functions: Sequence[CFunction], style: CStyle) -> list[str]:
    """What each function costs, in a line each.

    Args:
        functions: the functions.
        style: spelling.
    """
    return [
        f"{one.name}: {one.cost.operations} operations{f': {one.cost.text()}' if one.cost.operations else ''}; "
        f"at most {one.cost.stack(style.bytes)} bytes of stack"
        for one in functions
        if not one.declaration.startswith("static")
    ]


def header(
    source: CSource,
    model: Model,
    functions: Sequence[CFunction],
    law: CLaw | None,
    supervisor: CSupervisor | None,
    units: Units,
) -> str:
    """The one header.

    Args:
        source: style and numbers of the model.
        model: the robot.
        functions: functions of the model.
        law: the law; None without one.
        supervisor: its supervisor; None without one.
        units: SI unit of each number by path.
    """
    style, robot = source.style, model.robot
    prefix, guard = style.prefix, style.macro("h")
    outer = [one for one in functions if not one.declaration.startswith("static")]
    everything = [*outer, *([] if law is None else [law.function])]
    everything += [] if supervisor is None else supervisor.functions
    costs = "\n".join(f" *   {line}" for line in cost_lines(everything, style))
    supervised = "" if supervisor is None else f"{supervisor.part.header}\n"
    own = "" if source.numbers.fixed else (
        f"{struct_text(source, units, 'Numbers of the robot, each with its path in the file.')}\n\n"
        f"/* The numbers of the file. */\nextern const {prefix}_parameters {prefix}_default;\n\n"
    )  # fmt: skip
    declared = "\n".join(f"{_comment(one)}{one.declaration};\n" for one in outer)
    return f"""/*
 * {robot.name}{f": {robot.title}" if robot.title else ""}
 *
 * SI units and radians. z is up. Joint coordinates count at the joints, behind the gearboxes, from the zero of the
 * robot's file. Nothing allocates, recurses or loops depending on data: the longest path is the only one.
 * An upper bound of what a call costs (of stack without that of libm):
{costs}
 */
#ifndef {guard}
#define {guard}

#ifdef __cplusplus
extern "C" {{
#endif

typedef {style.real} {style.number};

#define {style.macro("dof")} {robot.dof}
#define {style.macro("motors")} {robot.motors}

{own}/* What the tool always holds: mass (kg), offset x, y, z (m), moment of inertia (kg m2). */
extern const {style.number} {prefix}_gripper[5];

{declared}
{_law_header(law, model, units)}{supervised}#ifdef __cplusplus
}}
#endif
#endif
"""


def _comment(function: CFunction) -> str:
    text = function.definition
    return text[: text.index("*/\n") + 3] if text.startswith("/*") else ""


def _law_header(law: CLaw | None, model: Model, units: Units) -> str:
    if law is None:
        return ""
    prefix = law.source.style.prefix
    title = (
        "Numbers of the law, each with its path in the closed loop and its unit. Gains and limits of a joint on a\n"
        "   rail have m for rad and N for N m."
    )
    own = "" if law.source.numbers.fixed else (
        f"{struct_text(law.source, units, title)}\n\n"
        f"extern const {prefix}_law_parameters {prefix}_law_default;\n\n"
    )  # fmt: skip
    reset, _ = reset_text(law)
    return f"{own}{law_structs(law, model)}\n{reset};\n\n{_comment(law.function)}{law.function.declaration};\n\n"


def model_source(source: CSource, model: Model, functions: Sequence[CFunction]) -> str:
    """The source of the model.

    Args:
        source: style and numbers.
        model: the robot.
        functions: its functions.
    """
    style = source.style
    used = frozenset().union(*(one.helpers for one in functions))
    values = "" if source.numbers.fixed else f"{values_text(source, 'default')}\n\n"
    gripper = ", ".join(style.literal(float(value)) for value in model.gripper.vector())
    constant = f"const {style.number} {style.prefix}_gripper[5] = {{{gripper}}};\n"
    bodies = "\n".join(one.definition for one in functions)
    return f'/* The model of {model.robot.name}. */\n#include <math.h>\n#include "{style.prefix}.h"\n\n{_GUARD}\n' + (
        f"{values}{constant}\n{helper_texts(style, used)}\n{bodies}"
    )


def law_source(law: CLaw) -> str:
    """The source of the law.

    Args:
        law: the law.
    """
    style = law.source.style
    values = "" if law.source.numbers.fixed else f"{values_text(law.source, 'law_default')}\n\n"
    _, reset = reset_text(law)
    head = f'/* The law {law.name}. */\n#include <math.h>\n#include "{style.prefix}.h"\n\n{_GUARD}\n'
    return f"{head}{values}{helper_texts(style, law.function.helpers)}\n{reset}\n{law.function.definition}"


def makefile(style: CStyle, sources: Sequence[str]) -> str:
    """The Makefile: `make test` builds the test program and runs it.

    Args:
        style: spelling.
        sources: names of the C files without the test program.
    """
    prefix, objects = style.prefix, " ".join(name.replace(".c", ".o") for name in sources)
    return f"""CC ?= cc
CFLAGS ?= -O2
STANDARD = -std=c99 -Wall -Wextra -pedantic

test: {prefix}_test
\t./{prefix}_test

{prefix}_test: {prefix}_test.o {objects}
\t$(CC) $(STANDARD) $(CFLAGS) -o $@ $^ -lm

%.o: %.c {prefix}.h {prefix}_vectors.h
\t$(CC) $(STANDARD) $(CFLAGS) -c -o $@ $<

clean:
\trm -f *.o {prefix}_test

.PHONY: test clean
"""


def readme(
    style: CStyle,
    robot: Robot,
    lines: Sequence[str],
    left_out: Sequence[str],
    mapping: Mapping[str, str],
    notes: Sequence[str] = (),
) -> str:
    """The README of the folder.

    Args:
        style: spelling.
        robot: the robot.
        lines: what each function costs.
        left_out: what is missing, in sentences.
        mapping: names that are other ones in C.
        notes: what else it rests on.
    """
    changed = "\n".join(f"- `{name}` is `{text}`" for name, text in mapping.items() if name != text) or "- none"
    rests = "".join(f"- {note[0].upper()}{note[1:]}.\n" for note in notes)
    missing = "\n".join(f"- {line}" for line in left_out) or "- nothing"
    costs = "\n".join(f"- `{line.partition(':')[0]}`:{line.partition(':')[2]}" for line in lines)
    return f"""# {robot.name} in C

C99 without allocation; link with libm. `{style.prefix}.h` declares everything and says what each argument is.
`make test` compiles the test program and compares every function with the library's answers. It needs a C compiler; the
sources need none to be delivered.

## Units, sides, zeros

- SI units and radians. The type of all numbers is `{style.real}`.
- `q` and `tau` are at the joints, behind the gearboxes. `torque` and `speed` of the drives are at the motor shafts.
- Joint coordinates count from the zero, and in the sense, that the robot's file states.
- `payload` includes the gripper: begin with `{style.prefix}_gripper`.
{rests}- Where an answer is not valid the function returns 0 and every answer is NaN. Do not compile with -ffast-math.

## What a call costs

Code is a straight list of operations, with loops of fixed length in forward kinematics; the longest path is the only
one.

{costs}

## Names

Names of the robot's file that C cannot have:

{changed}

## Left out

{missing}
"""
