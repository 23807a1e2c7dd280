"""Process data of a drive on a bus: which objects of CiA 402 its bytes hold, in which order.

Objects and their types are those of IEC 61800-7-201, as Beckhoff prints them in the object dictionaries of AX8000 and
AMP8000. On EtherCAT bytes are little-endian, one object behind the other, as objects 1600 and 1A00 map them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np

from parapick.errors import ParameterError

OUTPUTS: Final = {0x6040: "<u2", 0x6060: "i1", 0x6071: "<i2", 0x60B2: "<i2", 0x607A: "<i4"}
"""What a drive gets: control word, mode, target torque, torque offset, target position."""

INPUTS: Final = {
    0x6041: "<u2",
    0x603F: "<u2",
    0x6061: "i1",
    0x6064: "<i4",
    0x606C: "<i4",
    0x6077: "<i2",
    0x60FD: "<u4",
}
"""What a drive says: status word, error code, mode, position, speed, torque, digital inputs."""

NEEDED: Final = {"outputs": (0x6040, 0x6060), "inputs": (0x6041, 0x6064)}
"""Objects without which there is no bridge. Of 6071 and 607A a drive needs the one of its mode."""

PADDING: Final = 0
"""Index of an entry that fills up bytes."""


@final
@dataclass(frozen=True)
class PdoMap:
    """The process data of a drive.

    Attributes:
        outputs: objects that it gets, in their order; `PADDING` is a byte that is 0.
        inputs: objects that it says, in their order; `PADDING` is a byte that nobody reads.

    Raises:
        ParameterError: an object that the bridge does not know, twice the same, or one that is needed is missing.
    """

    outputs: tuple[int, ...] = tuple(OUTPUTS)
    inputs: tuple[int, ...] = tuple(INPUTS)

    def __post_init__(self) -> None:
        for name, known in (("outputs", OUTPUTS), ("inputs", INPUTS)):
            objects = [index for index in getattr(self, name) if index != PADDING]
            for index in objects:
                if index not in known:
                    listed = ", ".join(f"{one:04X}" for one in known)
                    raise ParameterError(name, f"hold {index:04X}, which the bridge does not know; it knows {listed}")
                if objects.count(index) > 1:
                    raise ParameterError(name, f"hold {index:04X} twice")
            missing = [index for index in NEEDED[name] if index not in objects]
            if missing:
                raise ParameterError(name, f"lack {missing[0]:04X}, without which no drive can be led")

    def check_mode(self, mode: int) -> None:
        """Raise if the target of a mode is not among the outputs.

        Args:
            mode: 8 or 10.

        Raises:
            ParameterError: it is not.
        """
        target = 0x607A if mode == 8 else 0x6071
        if target not in self.outputs:
            raise ParameterError("outputs", f"lack {target:04X}, the target of mode {mode}")

    @property
    def output(self) -> np.dtype:
        """The bytes that a drive gets."""
        return _packed(self.outputs, OUTPUTS)

    @property
    def input(self) -> np.dtype:
        """The bytes that a drive says."""
        return _packed(self.inputs, INPUTS)

    def entries(self, name: str) -> tuple[int, ...]:
        """The entries of object 1600 or 1A00: index, subindex 0 and bits of every object.

        Args:
            name: "outputs" or "inputs".
        """
        known = {**OUTPUTS, **INPUTS, PADDING: "u1"}
        return tuple(index << 16 | 8 * np.dtype(known[index]).itemsize for index in getattr(self, name))


USUAL: Final = PdoMap()
"""Every object that the bridge knows, in the order in which they are listed above."""


def named(index: int) -> str:
    """The name of an object among process data.

    Args:
        index: its index.
    """
    return f"{index:04X}"


def _packed(objects: tuple[int, ...], types: dict[int, str]) -> np.dtype:
    fields: list[Any] = [
        (f"gap{place}", "u1") if index == PADDING else (named(index), types[index])
        for place, index in enumerate(objects)
    ]
    return np.dtype(fields)


def interpolation_time(period: int) -> tuple[int, int]:
    """Object 60C2 for a bus cycle: its value, and the power of ten of a second that it counts.

    Args:
        period: bus cycle (ns).

    Raises:
        ParameterError: no value of a byte with an even power is that time.
    """
    for power in range(-3, -10, -1):
        value, rest = divmod(period, 10 ** (9 + power))
        if not rest and 0 < value < 256:
            return value, power
    raise ParameterError("cycle", f"is {period} ns; object 60C2 has 1 to 255 times a power of ten of a second")
