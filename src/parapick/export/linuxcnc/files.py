"""Names of the files of an export, and the one name from which those of components and pins are made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, final

PREFIX_MAX: Final = 16
"""Longest prefix (characters): HAL allows 47 of a name, and the longest of ours takes the rest."""


def hal_prefix(name: str) -> str:
    """A robot's name as an identifier of C and of `halcompile`.

    Letters become small, every other character than a letter or a digit becomes `_`, a name that begins with a digit
    gets an `r` in front, and what is longer than `PREFIX_MAX` is cut.

    Args:
        name: the robot's name.
    """
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "robot"
    return (plain if plain[0].isalpha() else f"r{plain}")[:PREFIX_MAX].rstrip("_")


@final
@dataclass(frozen=True)
class FileNames:
    """Names of the files of an export.

    Attributes:
        prefix: what they begin with.
    """

    prefix: str

    @property
    def kinematics(self) -> str:
        """The component of the kinematics, which is also the name of its module."""
        return f"{self.prefix}_kins"

    @property
    def plant(self) -> str:
        """The component of the simulated machine."""
        return f"{self.prefix}_plant"

    @property
    def ini(self) -> str:
        """The file that LinuxCNC is started with."""
        return f"{self.prefix}.ini"

    @property
    def hal(self) -> str:
        """Which pins are joined."""
        return f"{self.prefix}.hal"

    @property
    def program(self) -> str:
        """The task as G-code."""
        return f"{self.prefix}.ngc"

    @property
    def tools(self) -> str:
        """The tool table, which is empty."""
        return f"{self.prefix}.tbl"

    @property
    def runner(self) -> str:
        """What runs the task unattended, in the place of a screen."""
        return "unattended.py"

    @staticmethod
    def pins(component: str) -> str:
        """What the pins of a component begin with.

        Args:
            component: its name.
        """
        return component.replace("_", "-")
