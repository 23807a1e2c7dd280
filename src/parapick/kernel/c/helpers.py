"""What C's own functions do otherwise: extremes that keep NaN, and the sign of a number."""

from __future__ import annotations

from typing import Final

from parapick.kernel.c.style import CStyle

HELPERS: Final = {
    "min": (
        "The smaller of two numbers; NaN if either is (fmin drops it).",
        "({R} a, {R} b) {{ return a != a ? a : (a < b ? a : b); }}",
    ),
    "max": (
        "The larger of two numbers; NaN if either is (fmax drops it).",
        "({R} a, {R} b) {{ return a != a ? a : (a > b ? a : b); }}",
    ),
    "sign": (
        "1, -1, or the number itself where it is 0 or NaN.",
        "({R} a) {{ return a > 0 ? 1 : (a < 0 ? -1 : a); }}",
    ),
}
"""Functions that code of ours brings along, by name: a comment, and arguments with body."""


def helper_texts(style: CStyle, used: frozenset[str]) -> str:
    """The definitions of those that are used, in the order of the table.

    Args:
        style: spelling.
        used: names of `HELPERS`.
    """
    lines = []
    for name, (comment, body) in HELPERS.items():
        if name in used:
            lines.append(f"/* {comment} */")
            lines.append(f"static inline {style.number} {style.prefix}_{name}{body.format(R=style.number)}\n")
    return "\n".join(lines)
