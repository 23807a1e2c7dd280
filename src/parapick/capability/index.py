"""The indices by name: what maps can show."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, final

from parapick.capability.index_capability import CAPABILITY
from parapick.capability.index_cycle import CYCLE
from parapick.capability.index_kinematic import KINEMATIC
from parapick.capability.index_torque import TORQUE
from parapick.capability.index_types import Index
from parapick.errors import ParapickError

INDICES: Final[Mapping[str, Index]] = MappingProxyType(
    {index.name: index for index in (*CAPABILITY, *TORQUE, *KINEMATIC, *CYCLE)}
)
"""Every index by its name."""


@final
class UnknownIndexError(ParapickError):
    """No index has this name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f" did you mean {close[0]}?" if close else ""
        super().__init__(f"no index {name!r};{hint} indices: {', '.join(known)}")
        self.name = name
        self.known = known


def index_of(name: str) -> Index:
    """Look an index up by its name.

    Args:
        name: such as `conditioning`.

    Raises:
        UnknownIndexError: there is no such index; the error lists those there are.
    """
    if name not in INDICES:
        raise UnknownIndexError(name, tuple(INDICES))
    return INDICES[name]
