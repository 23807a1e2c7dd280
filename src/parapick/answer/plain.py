"""Plain values for JSON: numbers in SI, None in the place of NaN and infinity."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

FORMAT: Final = 2
"""Format of the JSON documents that commands print and that lie beside reports."""


def finite(value: Any) -> Any:
    """The value with plain types and with None in the place of NaN and infinity, which JSON does not have.

    Args:
        value: dicts, lists, arrays, texts and numbers.
    """
    if isinstance(value, Mapping):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        # Nearly every series is finite, and long: one look spares a walk.
        return value.tolist() if np.isfinite(value).all() else finite(value.tolist())
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
