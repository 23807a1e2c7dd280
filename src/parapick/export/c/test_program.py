"""The test program beside the sources: every function on the vectors, against the library's answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from parapick.export.c.law import CLaw, rounding_torque
from parapick.kernel import CStyle, identifier
from parapick.model import Model

TOLERANCES: Final = {"double": 1e-12, "float": 1e-4}
"""Largest difference from the library, as a share of the largest value of an answer."""

_CHECK: Final = """/* Differences as a share of the largest value, or of a larger scale; NaN where theirs is. */
static int check(const char *what, const {R} *ours, const {R} *theirs, int count, {R} scale)
{{
    {R} largest = scale, worst = 0;
    int k, wrong = 0;

    for (k = 0; k < count; k++) {{
        if (isfinite(theirs[k]) && fabs{f}(theirs[k]) > largest)
            largest = fabs{f}(theirs[k]);
        if (isnan(ours[k]) != isnan(theirs[k]) || (isinf(theirs[k]) && ours[k] != theirs[k]))
            wrong++;
        else if (isfinite(theirs[k]) && !(fabs{f}(ours[k] - theirs[k]) <= worst))
            worst = fabs{f}(ours[k] - theirs[k]);
    }}
    if (!(worst <= {T} * (largest > 0 ? largest : 1)))
        wrong++;
    printf("%s %s: largest difference %.3g of %.3g\\n", wrong ? "WRONG" : "ok   ", what, (double)worst,
        (double)largest);
    return wrong;
}}
"""


def test_program(
    style: CStyle,
    vectors: dict[str, dict[str, np.ndarray]],
    inputs: dict[str, list[str]],
    fixed: bool,
    law: CLaw | None,
    model: Model,
    more: Sequence[tuple[str, str]],
) -> str:
    """The text of the test program.

    Args:
        style: spelling.
        vectors: tables by function and argument.
        inputs: names of the inputs of each function.
        fixed: whether functions take no parameters.
        law: the law; None without one.
        model: the robot.
        more: other checks, each its text and the name of its function.
    """
    prefix = style.prefix
    blocks = [
        _function_check(style, name, table, inputs[name], fixed) for name, table in vectors.items() if name != "law"
    ]
    if law is not None:
        blocks.append(_law_check(style, vectors["law"], law, model))
    blocks += more
    check = _CHECK.format(R=style.number, f=style.suffix, T=style.literal(TOLERANCES[style.real]))
    functions = "\n".join(text for text, _ in blocks)
    calls = "\n".join(f"    wrong += {name}();" for _, name in blocks)
    return f"""/* Every function of {prefix} on the vectors of {prefix}_vectors.h; ends with 0 if all agree. */
#include <math.h>
#include <stdio.h>
#include "{prefix}.h"
#include "{prefix}_vectors.h"

{check}
{functions}
int main(void)
{{
    int wrong = 0;

{calls}
    printf(wrong ? "%d wrong\\n" : "all agree\\n", wrong);
    return wrong != 0;
}}
"""


def _function_check(
    style: CStyle, name: str, table: dict[str, np.ndarray], inputs: list[str], fixed: bool
) -> tuple[str, str]:
    prefix, rows = style.prefix, len(next(iter(table.values())))
    outputs = {key: value for key, value in table.items() if key not in inputs}
    shapes = {key: value.shape[1:] for key, value in outputs.items()}
    declared = "\n".join(
        f"    static {style.number} {identifier(key)}[{rows}]{''.join(f'[{size}]' for size in shape)};"
        for key, shape in shapes.items()
    )
    given = [*([] if fixed else [f"&{prefix}_default"]), *(f"{prefix}_{name}_{identifier(key)}[k]" for key in inputs)]
    answers = [f"{identifier(key)}[k]" if shape else f"&{identifier(key)}[k]" for key, shape in shapes.items()]
    checks = "\n".join(
        f'    wrong += check("{name} {key}", ({style.number} *){identifier(key)}, '
        f"&{prefix}_{name}_{identifier(key)}[0][0], {int(np.prod((rows, *shape)))}, 0);"
        for key, shape in shapes.items()
    )
    text = f"""static int check_{name}(void)
{{
{declared}
    int k, wrong = 0;

    for (k = 0; k < {rows}; k++)
        {prefix}_{name}({", ".join([*given, *answers])});
{checks}
    return wrong;
}}
"""
    return text, f"check_{name}"


def _law_check(style: CStyle, table: dict[str, np.ndarray], law: CLaw, model: Model) -> tuple[str, str]:
    prefix, rows, n = style.prefix, len(table["tau"]), table["tau"].shape[1]
    # Differences of encoder angles over a period magnify the rounding of a float: judged by what that alone changes.
    scale = style.literal(rounding_torque(law, table, model) / TOLERANCES["float"]) if style.real == "float" else "0"
    first = "" if law.source.numbers.fixed else f"&{prefix}_law_default, "
    exact = "".join(f"{prefix}_law_{name}_meas[k], " for name in law.exact)
    copies = "\n".join(
        f"        for (i = 0; i < {table[name].shape[1]}; i++)\n            r.{name}[i] = {prefix}_law_{name}[k][i];"
        for name in ("x", "xd", "xdd", "payload")
    )
    text = f"""static int check_law(void)
{{
    static {style.number} tau[{rows}][{n}];
    {prefix}_law_state s;
    {prefix}_law_terms terms;
    {prefix}_reference r;
    int i, k;

    {prefix}_law_reset(&s);
    for (k = 0; k < {rows}; k++) {{
{copies}
        {prefix}_law_step({first}&s, {prefix}_law_q_meas[k], {exact}&r, &terms, tau[k]);
    }}
    return check("law_step tau", &tau[0][0], &{prefix}_law_tau[0][0], {rows * n}, {scale});
}}
"""
    return text, "check_law"
