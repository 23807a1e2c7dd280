"""Numbers of every shipped robot, set at random by `--set`: refused in our words or answered, whatever the command."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest

from fuzzing import guarded
from parapick.cli.settings import RobotSettings
from parapick.errors import ParapickError
from parapick.parameters import leaves
from parapick.robots import RobotFile, list_robots, load_robot

ROBOTS = [entry.name for entry in list_robots()]
WORDS = ("1e300", "-1e300", "1e150", "1e-300", "5e-324", "1e13", "nan", "inf", "-0.0", "1e400", "abc", "3 kg", "1 mm")
LONG = 20.0
"""CPU time (s) that no answer of these commands takes, kernels included."""

SOAK = int(os.environ.get("PARAPICK_SOAK_SETTINGS", "2500"))


@cache
def file_of(name: str) -> RobotFile:
    return load_robot(name)


@cache
def numbers_of(name: str) -> tuple[tuple[str, float], ...]:
    return tuple(leaves(file_of(name).robot))


def value(name: str, own: float, chance: random.Random) -> str:
    """Another value of a number: none, turned round, huge, tiny, another number's, or a little different."""
    other = chance.choice(numbers_of(name))[1]
    factors = (-1.0, 10 ** chance.uniform(1, 9), 10 ** -chance.uniform(1, 9), chance.uniform(0.3, 3), 1.02, 0.98)
    return chance.choice(("0", chance.choice(WORDS), repr(other), *(repr(own * factor) for factor in factors)))


def settings(name: str, chance: random.Random) -> Iterator[str]:
    for path, own in chance.sample(numbers_of(name), chance.choice((1, 1, 1, 2, 3))):
        yield f"{path}={value(name, own, chance)}"


def command(name: str, chance: random.Random, *, maps: bool) -> list[str]:
    """A question about a robot that is answered within a second, and with maps some seconds."""
    home = [str(number) for number in file_of(name).robot.home]
    short = [
        ["show", name],
        ["pose", name, *home],
        ["margins", name, *home],
        ["modes", name, *home],
        ["torque", name, "--pose", ",".join(home)],
        ["motion", name, "adept-120"],
        ["evaluate", name, "adept-120", "--no-report", "--sections", "reach,torque"],
    ]
    longer = [
        ["capability", name, *home],
        ["compare", name, "par4", "--task", "adept-120", "--sections", "reach,torque"],
        ["workspace", name, "--spacing", "80mm"],
        ["map", name, chance.choice(("acceleration", "stiffness", "speed")), "--spacing", "150mm"],
    ]
    return chance.choice([*short, *longer] if maps else short)


def answer_all(run: Callable[..., Any], count: int, seed: int, *, maps: bool) -> Counter[int]:
    codes: Counter[int] = Counter()
    for number in range(count):
        chance = random.Random(f"{seed}-{number}")
        name = ROBOTS[number % len(ROBOTS)]
        words = command(name, chance, maps=maps)
        for text in settings(name, chance):
            words += ["--set", text]
        began = time.process_time()
        try:
            with guarded(60.0):
                result = run(*words)
        except Exception as error:  # noqa: BLE001, any error that passes the command is what is looked for
            pytest.fail(f"parapick {' '.join(words)}: {type(error).__name__}: {error}")
        assert time.process_time() - began < LONG, words
        assert result.code in (0, 1, 2), words
        assert (result.out != "") == (result.code < 2), words
        assert (result.code == 2) <= result.err.startswith("parapick: "), words
        codes[result.code] += 1
    return codes


@pytest.mark.parametrize("name", ROBOTS)
def test_every_number_set_to_what_it_cannot_be(name: str) -> None:
    """Its settings alone, without a command: applied, or refused by an error of ours."""
    chance = random.Random(f"29-{name}")
    for path, own in numbers_of(name):
        for text in ("0", value(name, own, chance)):
            with guarded(5.0), suppress(ParapickError):
                RobotSettings((f"{path}={text}",)).applied(file_of(name))


def test_a_number_that_others_are_divided_by(run: Callable[..., Any]) -> None:
    refused = run("evaluate", "fivebar-spindle", "--no-report", "--set", "plate.pitch=0")
    assert refused.message == "parapick: --set plate.pitch: is 0 m; it must be greater than 0 m\n"


def test_random_settings_are_answered_or_refused(run: Callable[..., Any]) -> None:
    codes = answer_all(run, 20, 1, maps=False)
    assert codes[2] >= 4, codes
    assert codes[0] + codes[1] >= 4, codes


@pytest.mark.soak
def test_many_random_settings_are_answered_or_refused(run: Callable[..., Any]) -> None:
    answer_all(run, SOAK, 2, maps=True)
