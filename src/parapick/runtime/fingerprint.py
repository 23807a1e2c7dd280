"""Fingerprint of a robot: which robot a segment's drives belong to, down to its numbers."""

from __future__ import annotations

from hashlib import sha256

from parapick.mechanism import Robot
from parapick.parameters import leaves, structure
from parapick.runtime.layout import VERSION


def fingerprint_of(robot: Robot) -> bytes:
    """Digest of all that a robot is: its structure and every number with its path (32 bytes).

    Args:
        robot: the description.
    """
    numbers = ((path, float(value).hex()) for path, value in leaves(robot))
    text = repr((VERSION, structure(robot), tuple(numbers)))
    return sha256(text.encode()).digest()
