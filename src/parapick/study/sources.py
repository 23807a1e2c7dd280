"""Which sources of parapick compute the rows of a study, as a digest.

Two states of the package may have one version number. Rows of both in one table would be of no robot, so every chunk
says by which sources it was computed, as compiled kernels do.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from parapick.kernel import casadi_version, digest

_PACKAGE: Final = Path(__file__).parents[1]

ABOVE: Final = ("cli", "export", "papers", "report", "runtime", "studio")
"""Rooms above this one: no row can depend on them."""


@cache
def sources_digest() -> str:
    """Digest of all sources that can take part in the rows of a study, with the version of CasADi."""
    rooms = sorted(path.name for path in _PACKAGE.iterdir() if path.is_dir() and path.name not in ABOVE)
    parts = [digest(f"{_PACKAGE.name}.{room}") or b"" for room in rooms]
    parts += [path.name.encode() + path.read_bytes() for path in sorted(_PACKAGE.glob("*.py"))]
    return sha256(b"\0".join([casadi_version().encode(), *parts])).hexdigest()
