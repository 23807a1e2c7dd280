"""Robots with numbers of their own, written as one word: `par4:limb.arm=400mm,plate.mass=0.3kg`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from parapick.cli.settings import RobotSettings
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.model import Model


def models_of(words: tuple[str, ...], common: RobotSettings) -> tuple[list[Model], tuple[str, ...]]:
    """The robots of words, each with what all of them have otherwise, and with its own numbers; and notes on these.

    Args:
        words: shipped robots or paths of TOML files, each perhaps with numbers behind a colon.
        common: what all robots have otherwise than their files state; what a word states itself counts before that.

    Raises:
        ParameterError: numbers that a robot cannot have.
    """
    from parapick.robots import load_robot

    pairs = [_parted(word) for word in words]
    files = [load_robot(name) for name, _ in pairs]
    notes = common.applied_to_all(files)[1]
    models = []
    for word, file, (_, own) in zip(words, files, pairs, strict=True):
        try:
            models.append(common.known_to(file).overridden(own).applied(file))
        except ParameterError as error:
            if not own.numbers:
                raise
            raise ParameterError(word, f"{error.path.removeprefix('--set ')}: {error.message}") from error
    return models, notes


def _parted(word: str) -> tuple[str, RobotSettings]:
    """The robot of a word, and its own numbers.

    Raises:
        ParameterError: a colon behind a robot without numbers.
    """
    name, colon, numbers = word.rpartition(":")
    # A path may hold a colon itself, as C:\robots\mine.toml does.
    if not colon or Path(word).exists() or ("=" not in numbers and not _is_robot(name)):
        return word, RobotSettings()
    texts = [text.strip() for text in numbers.split(",")]
    wrong = next((text for text in texts if "=" not in text), None)
    if wrong is not None:
        raise ParameterError(word, f"{wrong!r} is not a number and its value; write it as {name}:limb.arm=350mm")
    return name, RobotSettings(tuple(texts))


def _is_robot(name: str) -> bool:
    from parapick.robots import list_robots

    return any(entry.name == name for entry in list_robots()) or Path(name).is_file()
