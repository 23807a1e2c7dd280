"""The numbers of the evidence of righettini2024's errata, computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from parapick.papers.setup import Setup
from parapick.papers.stated import Value

EVIDENCE: Final[Mapping[str, Callable[[Setup], Mapping[str, Value]]]] = {}
"""What computes the numbers of each erratum."""
