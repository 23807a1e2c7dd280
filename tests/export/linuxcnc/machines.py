"""What a file of HAL and an INI file say, and the pins that LinuxCNC itself has."""

from __future__ import annotations

import configparser
import re
from collections import defaultdict
from dataclasses import dataclass, field

NAME_MAX = 47
"""HAL's own limit (HAL_NAME_LEN in its hal.h)."""

OWN = {
    r"joint\.\d+\.(pos|vel|acc)-cmd": "out",
    r"joint\.\d+\.motor-pos-cmd": "out",
    r"joint\.\d+\.motor-pos-fb": "in",
    r"joint\.\d+\.amp-enable-out": "out",
    r"motion\.analog-out-0[0-4]": "out",
    r"pid\.\d+\.(command|feedback|bias|enable)": "in",
    r"pid\.\d+\.output": "out",
    r"iocontrol\.0\.(user-enable-out|tool-prepare|tool-change)": "out",
    r"iocontrol\.0\.(emc-enable-in|tool-prepared|tool-changed)": "in",
}
"""Pins of LinuxCNC with their directions, as its manual pages motion(9), pid(9) and iocontrol(1) list them."""

PARAMETERS = r"pid\.\d+\.(Pgain|Dgain|maxoutput)"
"""Pins of pid(9) that are set and not joined."""

FUNCTIONS = {"motion-command-handler", "motion-controller"}
"""What motion(9) adds to a thread."""

PIN = re.compile(r"^pin (in|out) (float|bit) (\w+?)(?:_#\[(\d+)\])? ", re.MULTILINE)


@dataclass
class Hal:
    """A file of HAL, read."""

    loaded: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    nets: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    set: dict[str, float] = field(default_factory=dict)


def read_hal(text: str) -> Hal:
    """Read a file of HAL; a line of another kind fails.

    Args:
        text: the file.
    """
    hal = Hal()
    for line in text.splitlines():
        words = [word for word in line.partition("#")[0].split() if word not in ("=>", "<=")]
        match words:
            case []:
                continue
            case ["loadrt", *rest]:
                hal.loaded.append(" ".join(rest))
            case ["addf", function, "servo-thread"]:
                hal.threads.append(function)
            case ["net", name, *pins]:
                hal.nets[name] += pins
            case ["setp", pin, value]:
                assert pin not in hal.set
                hal.set[pin] = float(value)
            case _:
                raise AssertionError(line)
    return hal


def component_pins(texts: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Direction and type of every pin of an export's components, by its name in HAL.

    Args:
        texts: the files.
    """
    pins = {}
    for file, text in texts.items():
        if file.endswith(".comp"):
            name = re.findall(r"^component (\w+) ", text, re.MULTILINE)[0]
            assert file == f"{name}.comp"
            for direction, kind, pin, size in PIN.findall(text.partition("\n;;\n")[0]):
                for each in [f"{pin}-{k}" for k in range(int(size))] if size else [pin]:
                    pins[f"{name}.{each}".replace("_", "-")] = (direction, kind)
    return pins


def direction(pin: str, pins: dict[str, tuple[str, str]]) -> str:
    """Whether a pin is read or written; one that there is not fails.

    Args:
        pin: its name.
        pins: those of the components.
    """
    if pin in pins:
        return pins[pin][0]
    (found,) = [way for pattern, way in OWN.items() if re.fullmatch(pattern, pin)] or [""]
    assert found, f"no pin {pin}"
    return found


def read_ini(text: str) -> configparser.ConfigParser:
    """Read an INI file; a section or an entry that comes twice fails.

    Args:
        text: the file.
    """
    ini = configparser.ConfigParser(strict=True, interpolation=None, comment_prefixes=("#", ";"))
    ini.optionxform = str  # pyright: ignore[reportAttributeAccessIssue]
    ini.read_string(text)
    return ini
