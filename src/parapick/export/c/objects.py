"""The functions of the model as machine code for another processor, with a header: no compiler is needed for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from parapick.errors import ParameterError
from parapick.export.c.model_functions import comment_of
from parapick.formulas import expression_of
from parapick.kernel import (
    PROCESSORS,
    CStyle,
    Trace,
    identifier,
    plain_signature,
    processor_object,
    prototype,
    trace_of,
)
from parapick.model import Model

_HEADER: Final = """/*
 * {robot} for {processor}, in {file}.o: machine code with the robot's numbers in it. Link with libm.
 *
 * SI units and radians, sides and zeros as in {prefix}.h. Nothing allocates or loops: a call takes at most the stated
 * instructions and those of the calls of libm in it. They are an estimate of cycles and no measurement.
{counts}
 */
#ifndef {guard}
#define {guard}

#ifdef __cplusplus
extern "C" {{
#endif

{declared}
#ifdef __cplusplus
}}
#endif
#endif
"""


@final
@dataclass(frozen=True, eq=False)
class CObject:
    """The model as machine code for a processor.

    Attributes:
        processor: which.
        name: of its files without the ending.
        code: the object file.
        header: the header that declares its functions.
        instructions: of a call at most, by function, without those of libm.
        calls: calls of libm in one call, by function.
    """

    processor: str
    name: str
    code: bytes
    header: str
    instructions: dict[str, int]
    calls: dict[str, int]


def check_processors(processors: Sequence[str], style: CStyle) -> None:
    """Raise `ParameterError` if objects are asked for that cannot be made.

    Args:
        processors: names of processors.
        style: type of numbers.
    """
    for processor in processors:
        if processor not in PROCESSORS:
            raise ParameterError(
                "object",
                f"{processor!r} is not a processor that objects are made for; valid are {', '.join(PROCESSORS)}",
            )
    if processors and style.real != "double":
        raise ParameterError("object", "is machine code on numbers of type double; leave out float, or the object")


def c_object(model: Model, style: CStyle, names: Sequence[str], processor: str) -> CObject:
    """Functions of the model as machine code for a processor.

    Args:
        model: the robot.
        style: spelling; the prefix is followed by the processor's name.
        names: names of the functions, without the prefix.
        processor: one of `PROCESSORS`.
    """
    name = f"{style.prefix}_{identifier(processor)}"
    traces = [_trace(model, key) for key in names]
    made = processor_object(traces, name, processor)
    counts = "\n".join(
        f" *   {key}: {count} instructions, {made.calls[key]} calls of libm" for key, count in made.instructions.items()
    )
    header = _HEADER.format(
        robot=model.robot.name,
        processor=processor,
        file=name,
        prefix=style.prefix,
        counts=counts,
        guard=f"{name}_h".upper(),
        declared="\n".join(_declared(name, trace) for trace in traces),
    )
    return CObject(processor, name, made.code, header, made.instructions, made.calls)


def _trace(model: Model, name: str) -> Trace:
    expression = expression_of(name, model.robot)
    return trace_of(name, expression.inputs, None, expression.outputs, expression.validity)


def _declared(prefix: str, trace: Trace) -> str:
    """The declaration with the comment over it; answers are NaN where they are not valid, and nothing is returned."""
    lines = comment_of(trace.name).splitlines()[:-1]
    over = "\n".join(f" * {line}".rstrip() for line in [*lines, "Where nothing is valid every answer is NaN."])
    signature = plain_signature(trace, CStyle(prefix))
    arguments = [each._replace(declaration=_plain(each.declaration, prefix)) for each in signature.arguments]
    return f"/*\n{over}\n */\n{prototype(f'void {prefix}_{trace.name}', arguments)};\n"


def _plain(declaration: str, prefix: str) -> str:
    return declaration.replace(f"{prefix}_real", "double")
