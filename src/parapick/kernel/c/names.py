"""Identifiers of C for names that people chose: a clear mapping without collisions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from parapick.errors import ParameterError

_WORDS: Final = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long",
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while",
    "_Bool _Complex _Imaginary asm bool true false class new delete this template operator private public protected",
    "namespace",
)
_TAKEN: Final = (
    "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10",
    "log1p log2 logb modf scalbn cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint lrint",
    "round lround trunc fmod remainder remquo copysign nan nextafter fdim fmax fmin fma j0 j1 jn y0 y1 yn gamma",
    "signgam isnan isinf isfinite signbit step index printf main",
)

KEYWORDS: Final = frozenset(" ".join(_WORDS).split())
"""Words that no name may be: those of C99, and those of C++ that would keep a header out of it."""

FUNCTIONS: Final = frozenset(name + suffix for name in " ".join(_TAKEN).split() for suffix in ("", "f", "l"))
"""Names of `math.h`, of glibc beside it and of others that a local of that name would hide."""


def is_identifier(name: str) -> bool:
    """Whether a name can stand in C as it is.

    Args:
        name: the name.
    """
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) is not None and name not in KEYWORDS | FUNCTIONS


def identifier(name: str) -> str:
    """The identifier for a name: what is no letter or digit becomes `_`, and none begins with a digit.

    Args:
        name: the name, such as `limb.arm` or `delta-4`.

    Raises:
        ParameterError: nothing of the name is left.
    """
    text = re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9]", "_", name)).strip("_")
    if not text:
        raise ParameterError("name", f"{name!r} has no letter or digit that C could keep; give another name")
    if text[0].isdigit():
        text = f"n{text}"
    return text if is_identifier(text) else f"{text}_"


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """An identifier for each name; where two would be the same, later ones get a number.

    Args:
        names: the names.
        taken: identifiers that are in use.
    """
    used = set(taken)
    mapping: dict[str, str] = {}
    for name in names:
        if name not in mapping:
            mapping[name] = unique(identifier(name), used)
    return mapping


def unique(text: str, used: set[str]) -> str:
    """The identifier, or the next one with a number that is not used; it is used from then on.

    Args:
        text: an identifier.
        used: those that are in use.
    """
    chosen, number = text, 2
    while chosen in used:
        chosen, number = f"{text}_{number}", number + 1
    used.add(chosen)
    return chosen
