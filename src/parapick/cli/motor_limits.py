"""Limits of the motors as options: a word, such as peak, or numbers, one for all or one per motor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parapick.cli.arguments import amount
from parapick.errors import ParameterError


def motor_limit(option: str, text: str, unit: str, words: Mapping[str, Any]) -> Any:
    """A limit as the library takes it: what a word stands for, one number, or a tuple of numbers.

    Args:
        option: its name, for messages.
        text: such as `peak`, `2.5` or `2.5,2.5,1`.
        unit: SI unit of the numbers.
        words: what may be said instead, and what it stands for.
    """
    if text in words:
        return words[text]
    try:
        numbers = tuple(amount(option, part, unit) for part in text.split(","))
    except ParameterError as error:
        raise ParameterError(option, f"{text!r} is neither {' nor '.join(words)} nor numbers in {unit}") from error
    return numbers[0] if len(numbers) == 1 else numbers
