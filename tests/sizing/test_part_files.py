"""Catalogues: units in headings, what each file may lack, and every mistake named with file, row and field."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fuzzing import trial
from parapick.errors import ParapickError
from parapick.sizing import CatalogueFileError, Pair, PartsCatalogue, read_catalogue
from parapick.sizing.part_files import with_free_ratios
from parts_catalogues import CURVES, GEARBOXES, MOTORS, PAIRS, write_catalogue

RPM = 2.0 * math.pi / 60.0
SEED = 34
TRIALS = 150


def test_units_of_headings_count(tmp_path: Path) -> None:
    parts = read_catalogue(write_catalogue(tmp_path))
    small, twenty = parts.motors["small"], parts.gearboxes["twenty"]
    assert small.numbers["inertia"] == pytest.approx(0.5e-4, rel=1e-15)
    assert small.numbers["peak_speed"] == pytest.approx(6000 * RPM, rel=1e-15)
    assert twenty.numbers["efficiency"] == pytest.approx(0.94, rel=1e-15)
    assert (small.mass, small.price, parts.currency) == (1.5, 300.0, "EUR")
    assert np.allclose(parts.motors["middle"].curves["peak"], [[0, 7.2], [4000 * RPM, 7.2], [6000 * RPM, 3]])
    assert ("small", "ten") in parts.pairs
    assert len(parts.pairs) == 4


def test_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    text = GEARBOXES.replace(",", ";").replace("0.3", "0,3")
    parts = read_catalogue(write_catalogue(tmp_path, gearboxes=text))
    assert parts.gearboxes["ten"].numbers["gearbox_inertia"] == pytest.approx(0.3e-4, rel=1e-15)


def test_without_pairs_everything_fits_and_without_curves_there_are_none(tmp_path: Path) -> None:
    parts = read_catalogue(write_catalogue(tmp_path, pairs=None, curves=None))
    assert len(parts.pairs) == 3 * 2
    assert not any(motor.curves for motor in parts.motors.values())


def test_the_shipped_catalogue_has_the_numbers_of_its_sources() -> None:
    """Identities of the machine's own files: inertias add up to JDrive, friction at the joint to dC and dV."""
    parts = read_catalogue()
    motor, box = parts.motors["8LSA44"].numbers, parts.gearboxes["codian-28"].numbers
    turning = motor["inertia"] + motor["brake.inertia"] + motor["encoder_inertia"] + box["gearbox_inertia"]
    assert turning == pytest.approx(3.952e-4, rel=1e-12)
    assert box["ratio"] * box["gearbox.static_friction"] == pytest.approx(6.16, rel=1e-12)
    assert box["ratio"] ** 2 * box["gearbox.viscous_friction"] == pytest.approx(0.249555, rel=1e-5)
    assert motor["rated_speed"] == pytest.approx(6000 * RPM)
    assert all(part.source for part in (*parts.motors.values(), *parts.gearboxes.values()))
    invented = [part for part in parts.motors.values() if part.name.startswith("example")]
    assert invented
    assert all(part.source.startswith("example") for part in invented)


def test_free_ratios_span_their_range(tmp_path: Path) -> None:
    parts = with_free_ratios(read_catalogue(write_catalogue(tmp_path)), 5.0, 50.0, 3)
    free = [part.numbers["ratio"] for name, part in parts.gearboxes.items() if name.startswith("free")]
    assert free == pytest.approx([5.0, math.sqrt(250.0), 50.0])
    assert len(parts.pairs) == 4 + 3 * 3


MISTAKES = [
    ("motors", MOTORS.replace("small,1.2,3.6,", "small,,,"), ("line 2", "peak_torque", "missing")),
    ("motors", MOTORS.replace("6000,0.5,", "6000,,"), ("line 2", "inertia", "missing")),
    ("motors", MOTORS.replace("middle,", "small,"), ("line 3", "name", "line 2")),
    ("motors", MOTORS.replace("middle,", ","), ("line 3", "name", "missing")),
    ("motors", MOTORS.replace("3.6,", "-3.6,"), ("line 2", "peak_torque", "greater than 0")),
    ("motors", MOTORS.replace("3.6,", "x,"), ("line 2", "peak_torque", "finite number")),
    ("motors", MOTORS.replace("3.6,", "nan,"), ("line 2", "peak_torque", "finite number")),
    ("motors", MOTORS.replace("3.6,", "1e400,"), ("line 2", "peak_torque", "finite number")),
    ("motors", MOTORS.replace("1.2,3.6", "5,3.6"), ("line 2", "rated_torque", "must not exceed peak_torque")),
    ("motors", MOTORS.replace("peak_torque (N m)", "peak_torque"), ("column peak_torque", "no unit", "N m")),
    ("motors", MOTORS.replace("peak_torque (N m)", "peak_torque (kg)"), ("column peak_torque", "kg")),
    ("motors", MOTORS.replace("peak_torque (N m)", "peak_torque (furlong)"), ("column peak_torque", "furlong")),
    ("motors", MOTORS.replace("mass (kg)", "colour"), ("colour", "is not a column", "rated_torque")),
    ("motors", MOTORS.replace("rated_torque (N m)", "peak_torque (N m)"), ("column peak_torque", "twice")),
    ("motors", MOTORS.replace("price (EUR)", "price"), ("column price", "currency")),
    ("motors", MOTORS.replace("name,", "label,"), ("column name", "missing")),
    ("motors", MOTORS.replace("small,", "a\x1b[31mb,"), ("line 2", "name")),
    ("motors", MOTORS.replace("small,1.2,", "small,"), ("line 2", "7 values")),
    ("gearboxes", GEARBOXES.replace("ten,10,", "ten,0,"), ("line 2", "ratio", "greater than 0")),
    ("gearboxes", GEARBOXES.replace("ten,10,", "ten,,"), ("line 2", "ratio", "missing")),
    ("gearboxes", GEARBOXES.replace("ten,10,97", "ten,10,197"), ("line 2", "efficiency", "at most 1")),
    ("gearboxes", GEARBOXES.replace("(EUR)", "(USD)"), ("price", "USD", "EUR")),
    ("pairs", PAIRS.replace("small,ten", "smal,ten"), ("line 2", "motor", "smal", "not a motor")),
    ("pairs", PAIRS.replace("small,ten", "small,eleven"), ("line 2", "gearbox", "eleven", "not a gearbox")),
    ("pairs", PAIRS.replace("small,twenty", "small,ten"), ("line 3", "line 2")),
    ("curves", CURVES.replace("middle,peak,0", "midle,peak,0"), ("line 2", "motor", "midle")),
    ("curves", CURVES.replace("middle,peak,0", "middle,top,0"), ("line 2", "kind", "top", "continuous")),
    ("curves", CURVES.replace("middle,peak,0,7.2", "middle,peak,0,"), ("line 2", "torque", "missing")),
    ("curves", CURVES.replace("6000,3\n", "3000,3\n"), ("motors.csv", "line 3", "peak of curves.csv", "order")),
    ("curves", CURVES.replace("4000,7.2", "4000,8"), ("motors.csv", "line 3", "rises")),
]


@pytest.mark.parametrize(("file", "text", "words"), MISTAKES)
def test_mistakes_are_named_with_file_row_and_field(
    tmp_path: Path, file: str, text: str, words: tuple[str, ...]
) -> None:
    folder = write_catalogue(tmp_path, **{file: text})
    with pytest.raises(ParapickError) as refused:
        read_catalogue(folder)
    message = str(refused.value)
    assert "motors.csv" in message if "motors.csv" in words else f"{file}.csv" in message
    for word in words:
        assert word in message


def test_all_mistakes_of_a_file_are_named_at_once(tmp_path: Path) -> None:
    text = MOTORS.replace("small,1.2,3.6,", "small,,,").replace("6000,1.5,", "6000,-1,")
    with pytest.raises(CatalogueFileError) as refused:
        read_catalogue(write_catalogue(tmp_path, motors=text, curves=None))
    assert {problem.path for problem in refused.value.problems} >= {"line 2, peak_torque", "line 3, inertia"}


def test_a_folder_that_is_none_and_files_that_lack(tmp_path: Path) -> None:
    with pytest.raises(ParapickError, match="is not a folder"):
        read_catalogue(tmp_path / "nothing")
    with pytest.raises(ParapickError, match=r"motors\.csv"):
        read_catalogue(tmp_path)


def test_too_many_pairs_are_refused_before_they_are_made(tmp_path: Path) -> None:
    motors = "name,peak_torque (N m),inertia (kg m2)\n" + "".join(f"m{i},1,1\n" for i in range(1500))
    boxes = "name,ratio\n" + "".join(f"g{i},1\n" for i in range(1500))
    with pytest.raises(ParapickError, match="at most 1000000"):
        read_catalogue(write_catalogue(tmp_path, motors=motors, gearboxes=boxes, pairs=None, curves=None))


def test_changed_files_are_refused_in_our_words_or_read(tmp_path: Path) -> None:
    """Cells, headings and characters changed at random: an error of ours or a catalogue, never another error."""
    chance = random.Random(SEED)
    texts = {"motors": MOTORS, "gearboxes": GEARBOXES, "pairs": PAIRS, "curves": CURVES}
    cells = ["", "0", "-1", "1e400", "nan", "x", '"', "a,b", ";", "\t", "\x00", "2", "3.5", "1e-300", "9" * 400, "é"]
    cells += ["1", "2", "3.5", "4", "5", "20", "30"] * 3

    def changed() -> Iterator[tuple[str, tuple[str, str]]]:
        for number in range(TRIALS):
            name = chance.choice(list(texts))
            text = texts[name]
            for _ in range(chance.randint(1, 2)):
                parts = re.split(r"([,\n])", text)
                parts[2 * chance.randrange(len(parts) // 2)] = chance.choice(cells)
                text = "".join(parts)
            yield f"{name} {number}", (name, text)

    def read(case: tuple[str, str]) -> PartsCatalogue:
        return read_catalogue(write_catalogue(tmp_path, **{**texts, case[0]: case[1]}))

    def use(parts: PartsCatalogue) -> str:
        for motor, gearbox in parts.pairs:
            Pair(parts.motors[motor], parts.gearboxes[gearbox]).drive(None)
        return "made"

    counts, faults = trial(changed(), read, use)
    assert not faults
    assert counts["refused reading"] > TRIALS // 4
    assert counts["made"] > TRIALS // 20
