"""`parapick export`: one file a format, each imported only when it is called."""

from __future__ import annotations

from typing import Final

from cyclopts import App

__all__ = ["FORMATS", "export"]

FORMATS: Final = {
    "mjcf": "The robot as a MuJoCo model: real links and joints, loops closed.",
    "c": "The model of a robot, a control law and its supervisor, as C99 for a controller.",
    "br": "A Delta as files of a B&R Automation Studio project.",
    "linuxcnc": "A robot with a task as a machine of LinuxCNC: kinematics, torques, G-code.",
    "runtime": "The runtime of a robot and a controller: sources with a Makefile, which needs a C compiler.",
}
"""Every format, and its line in the list."""

export = App(name="export", help_format="plaintext")
for _number, (_name, _line) in enumerate(FORMATS.items()):
    export.command(f"parapick.cli.export.{_name}:{_name}", help=_line, sort_key=_number)
