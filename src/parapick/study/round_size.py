"""How large a round of a study is."""

from __future__ import annotations

from typing import NamedTuple


class RoundSize(NamedTuple):
    """How large a round is.

    Attributes:
        designs: how many designs it has.
        chunk: how many of them are evaluated and written at a time.
    """

    designs: int
    chunk: int
