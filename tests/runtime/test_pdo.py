"""Process data of drives: bytes against the types that makers print, entries of the mapping objects, and refusals."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from parapick.errors import ParameterError
from parapick.runtime.pdo import INPUTS, OUTPUTS, PADDING, USUAL, PdoMap, interpolation_time

TYPES = {
    0x6040: "H",
    0x6060: "b",
    0x6071: "h",
    0x60B2: "h",
    0x607A: "i",
    0x6041: "H",
    0x603F: "H",
    0x6061: "b",
    0x6064: "i",
    0x606C: "i",
    0x6077: "h",
    0x60FD: "I",
}
"""Types of Beckhoff's AX8000 and AMP8000, object by object: UINT16 H, INT8 b, INT16 h, INT32 i, UINT32 I."""


@pytest.mark.parametrize("index", TYPES)
@pytest.mark.parametrize("value", [-(2**31), -32768, -2, 0, 1, 10, 127, 0x1637, 65535, 2**31 - 1, 2**32 - 1])
def test_every_object_has_the_bytes_of_its_type(index: int, value: int) -> None:
    kind = "<" + TYPES[index]
    name = "outputs" if index in OUTPUTS else "inputs"
    pdo = PdoMap(**{name: tuple(dict.fromkeys((*(getattr(USUAL, name)), index)))})
    layout = pdo.output if name == "outputs" else pdo.input
    data = np.zeros((), layout)
    try:
        bytes_of = struct.pack(kind, value)
    except struct.error:
        with pytest.raises(OverflowError):
            data[f"{index:04X}"] = value
        return
    data[f"{index:04X}"] = value
    place = layout.fields[f"{index:04X}"][1]
    assert data.tobytes()[place : place + len(bytes_of)] == bytes_of
    # Nothing else is touched.
    assert not any(data.tobytes()[:place] + data.tobytes()[place + len(bytes_of) :])


def test_objects_lie_one_behind_the_other_without_gaps() -> None:
    assert set(OUTPUTS) | set(INPUTS) == set(TYPES)
    assert USUAL.output.itemsize == struct.calcsize("<Hbhhi") == 11
    assert USUAL.input.itemsize == struct.calcsize("<HHbiihI") == 19
    padded = PdoMap((0x6040, 0x6060, PADDING, 0x607A), (0x6041, PADDING, PADDING, 0x6064))
    assert [padded.output.fields[name][1] for name in ("6040", "6060", "607A")] == [0, 2, 4]
    assert [padded.input.fields[name][1] for name in ("6041", "6064")] == [0, 4]


def test_mapping_entries_are_index_subindex_and_bits() -> None:
    """CiA 301: an entry of object 1600 has the index in its upper half, then subindex, then bits."""
    assert [f"{one:08X}" for one in USUAL.entries("outputs")] == [
        "60400010",
        "60600008",
        "60710010",
        "60B20010",
        "607A0020",
    ]
    assert [f"{one:08X}" for one in PdoMap((0x6040, PADDING, 0x6060)).entries("outputs")][1] == "00000008"
    assert f"{USUAL.entries('inputs')[-1]:08X}" == "60FD0020"


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ((0x6040, 0x6060, 0x60FF), "60FF, which the bridge does not know; it knows 6040, 6060"),
        ((0x6040, 0x6060, 0x6041), "6041, which the bridge does not know"),
        ((0x6040, 0x6060, 0x6040), "6040 twice"),
        ((0x6040, 0x6071), "lack 6060"),
    ],
)
def test_a_map_that_cannot_lead_a_drive_is_refused(outputs: tuple[int, ...], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        PdoMap(outputs)
    with pytest.raises(ParameterError, match="lack 6064"):
        PdoMap(inputs=(0x6041, 0x6077))


def test_the_target_of_a_mode_must_be_mapped() -> None:
    torque, position = PdoMap((0x6040, 0x6060, 0x6071)), PdoMap((0x6040, 0x6060, 0x60B2, 0x607A))
    torque.check_mode(10)
    position.check_mode(8)
    with pytest.raises(ParameterError, match="lack 607A, the target of mode 8"):
        torque.check_mode(8)
    with pytest.raises(ParameterError, match="lack 6071, the target of mode 10"):
        position.check_mode(10)


@pytest.mark.parametrize(
    ("period", "value", "power"),
    [
        (1_000_000, 1, -3),
        (4_000_000, 4, -3),
        (250_000_000, 250, -3),
        (500_000, 5, -4),
        (250_000, 25, -5),
        (125_000, 125, -6),
    ],
)
def test_the_bus_cycle_is_a_byte_times_a_power_of_ten(period: int, value: int, power: int) -> None:
    assert interpolation_time(period) == (value, power)
    assert value * 10 ** (9 + power) == period


@pytest.mark.parametrize("period", [333_333, 1_000_001, 300_000_000])
def test_a_bus_cycle_that_drives_cannot_be_told_is_refused(period: int) -> None:
    with pytest.raises(ParameterError, match="1 to 255 times a power of ten"):
        interpolation_time(period)
