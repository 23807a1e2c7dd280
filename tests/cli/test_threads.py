"""Threads of linear algebra in the process of a command."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from parapick.cli import LIBRARIES

SEEN = """
import os
from parapick import cli
cli.main = lambda: print(*(os.environ.get(name, "-") for name in cli.LIBRARIES)) or 0
cli.command()
"""


def seen(**stated: str) -> list[str]:
    """What the libraries read in the process of a command, with variables that its user has stated."""
    others = {name: value for name, value in os.environ.items() if name not in (*LIBRARIES, "OMP_NUM_THREADS")}
    run = subprocess.run([sys.executable, "-c", SEEN], env=others | stated, capture_output=True, text=True, check=True)
    return run.stdout.split()


def test_command_uses_one_thread_for_linear_algebra() -> None:
    assert seen() == ["1"] * len(LIBRARIES)


@pytest.mark.parametrize("name", [LIBRARIES[0], "OMP_NUM_THREADS"])
def test_command_leaves_what_its_user_states(name: str) -> None:
    assert seen(**{name: "3"}) == ["3" if library == name else "-" for library in LIBRARIES]


def test_command_imports_no_numpy_before_it_sets_them() -> None:
    checked = SEEN.replace("cli.main =", "import sys; assert 'numpy' not in sys.modules; cli.main =")
    subprocess.run([sys.executable, "-c", checked], capture_output=True, check=True)
