"""Projects that are none, of another robot, damaged, truncated, or made to hurt: each named with file and element."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from br_projects import AXIS, GROUP, HARDWARE, OTHER, SYSTEM, Numbers, change, project_in, texts_of
from fuzzing import CELLS, NUMBERS, byte_mutants, guarded, trial
from parapick.errors import ParapickError
from parapick.exchange import ImportedRobot, import_br
from parapick.exchange.br import project
from parapick.mechanism import doubts

ROW = '<Property ID="Index" Value="2" />'


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (SYSTEM, 'Value="Delta"', 'Value="Scara"', "MechSys_D4test: is of Type 'Scara'.* is Type 'Delta'"),
        (SYSTEM, "4AxesDeltaA", "5AxesDeltaX", "Subtype '5AxesDeltaX'; .*'3AxesDeltaA' or '4AxesDeltaA'"),
        (SYSTEM, '"UpperArmLength" Value="250.0"', '"UpperArmLength" Value="long"',
         r"Config_3.*\n.*Arms/Arm1/UpperArmLength \(line \d+\): is 'long'; it must be a number"),
        (SYSTEM, '"UpperArmLength" Value="250.0"', '"UpperArmLength" Value="nan"', "is 'nan'; it must be a number"),
        (SYSTEM, '"UpperArmLength" Value="250.0"', '"UpperArmLength" Value="1e999"', "it must be a finite number"),
        (SYSTEM, '"UpperArmLength" Value="250.0"', '"UpperArmLength" Value="1e99999"', "it must be a number"),
        (SYSTEM, '"UpperArmLength" Value="250.0"', '"UpperArmLength" Value=""', "is ''; it must be a number"),
        (SYSTEM, '"UpperArmLength" Value="250.0"', '"UpperArmLength" Value="0"', "limb.arm"),
        (SYSTEM, ROW, "", "has the index 0, as .*Row.1.* an index is of one row"),
        (SYSTEM, ROW, ROW.replace("2", "3"), "an index is of one row"),
        (SYSTEM, ROW, ROW.replace("2", "200"), r"lacks rows of index 2 \(m1\*rc1x\)"),
        (SYSTEM, ROW, ROW.replace("2", "2.5"), "an index is a whole number"),
        (SYSTEM, 'Value="m1*rc1x"', 'Value="m1*rc1y"', "described as 'm1.rc1y'; the row of index 2 is m1.rc1x"),
        (SYSTEM, 'Value="4" />', 'Value="7" />', "type of the dynamic model is '7'; rows are known of type 4"),
        (SYSTEM, "<Configuration>", "<Package>", "is not XML"),
        (SYSTEM, '"PayloadInKg" Value="2.0"', '"PayloadInKg" Value="-2.0"', "limits.jerk_over_payload"),
        (SYSTEM, '"BaseToTop" Value="500.0"', '"BaseToTop" Value="-9500.0"', "home"),
        (AXIS, 'Value="Rotary"', 'Value="Linear"', "gAxisQC_D4test, BaseType.* the axis of an arm turns"),
        (AXIS, '"MeasurementResolution" Value="0.001" />', '"MeasurementUnit" Value="4405297" />',
         "is '4405297'; an axis of an arm is read in degrees"),
        (AXIS, "gAxisQ2_D4test", "gAxisQ9", "is 'gAxisQ2_D4test'; no file has an axis of this name"),
        (GROUP, "gAxisQ2_D4test", "gAxisQ7", "JointAxis.2./AxisRef .*is 'gAxisQ7'; no file has an axis of this name"),
        (GROUP, '<Group ID="JointAxis[4]">', '<Group ID="JointAxis[5]">', "names no axis for joint 4"),
        (HARDWARE, 'Value="gAxisQ2_D4test"', 'Value="gAxisQ1_D4test"', "which 2 drives move: DriveA, DriveA; keep one"),
        (HARDWARE, 'Location="M1/Gearbox/GearRatio" Value="20"', 'Location="M1/Gearbox/GearRatio" Value="0"',
         "GearRatio/Input .*is 0; turns of a gearbox are greater than 0"),
        (HARDWARE, 'MechanicalElements/Gearbox" Value="20"', 'MechanicalElements/Gearbox" Value="-20"',
         "turns of a gearbox are greater than 0"),
        (HARDWARE, 'TargetModule="DriveA" TargetConnector="MT2"', 'TargetModule="DriveX" TargetConnector="MT2"',
         "axis 2: motors are there for 2 of 3 arms"),
        (HARDWARE, "<Module Name=", "<Thing Name=", "is not XML"),
        (HARDWARE, 'Name="PC" Type="PC_any"', 'Type="PC_any"', "<Module> .*must be <Module Name=...>"),
        (HARDWARE, 'Name="PC"', 'Name="DriveA"', "DriveA: is in Hardware.hw, too"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    folder = change(project_in(tmp_path), file, old, new, 1)
    with guarded(), pytest.raises(ParapickError, match=message):
        import_br(folder, name="own")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<Group ID="Offsets"><Property ID="JointAxis[1]" Value="5.0" /></Group>', "only 0 is read"),
        ('<Group ID="Offsets"><Property ID="JointAxis[1]" Value="x" /></Group>', "it must be a number"),
        (
            '<Group ID="CountDirections"><Property ID="JointAxis[2]" Value="Inverse" /></Group>',
            "counts arm 2 'Inverse'",
        ),
        ('<Group ID="CountDirections"><Property ID="JointAxis[4]" Value="Inverse" /></Group>', "give 'Standard'"),
        ('<Group ID="CountDirections"><Property ID="JointAxis[2]" Value="up" /></Group>', "'Standard' or 'Inverse'"),
    ],
)
def test_joints_that_count_otherwise(tmp_path: Path, text: str, message: str) -> None:
    head = '<Selector ID="Description">'
    folder = change(project_in(tmp_path), SYSTEM, head, head + text)
    with pytest.raises(ParapickError, match=message):
        import_br(folder, name="own")


def test_a_turn_that_is_not_360_degrees(tmp_path: Path) -> None:
    line = '<Parameter ID="ReferenceDistance" Location="DriveConfiguration/Channel[1]/RealAxis/MechanicalElements/'
    line += 'RotaryToLinearTransformation" Value="{}" />'
    head = '<Module Name="DriveA" Type="8EI8X8HWT10.xxxx-1">'
    folder = change(project_in(tmp_path / "one"), HARDWARE, head, head + line.format(360))
    assert import_br(folder, name="own").ok
    folder = change(project_in(tmp_path / "other"), HARDWARE, head, head + line.format(1000))
    with pytest.raises(ParapickError, match="a turn of an arm is read as 360 degrees"):
        import_br(folder, name="own")


def test_what_is_no_project(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("none")
    with pytest.raises(ParapickError, match=r"has no file that ends in .mechanicalsystem"):
        import_br(tmp_path)
    with pytest.raises(ParapickError, match="is a file; give the folder"):
        import_br(tmp_path / "notes.txt")
    with pytest.raises(ParapickError, match="there is no such folder"):
        import_br(tmp_path / "nowhere")
    with pytest.raises(ParapickError, match="null character"):
        import_br("a\0b")
    (tmp_path / "x.mechanicalsystem").write_text("<Configuration/>")
    with pytest.raises(ParapickError, match="no file has an element of the type mechanicalsystem"):
        import_br(tmp_path)
    (tmp_path / "x.mechanicalsystem").write_text("<Package/>")
    with pytest.raises(ParapickError, match=r"begins with <Package>; .* begins with <Configuration>"):
        import_br(tmp_path)


def test_two_systems_are_asked_for(tmp_path: Path) -> None:
    project_in(tmp_path / "a")
    project_in(tmp_path / "b", OTHER)
    # The two machines have a drive of one name in their hardware, as two configurations have.
    with pytest.raises(ParapickError, match=r"DriveA: is in .*; give the folder of one configuration"):
        import_br(tmp_path)
    for name in ("DriveA", "DriveB", '"PC"'):
        change(tmp_path / "b", HARDWARE, name, name.replace("PC", "PC2").replace("Drive", "Other"))
    with pytest.raises(ParapickError, match=r"2 mechanical systems; say which: MechSys_D4test \(.*\), MechSys_D4other"):
        import_br(tmp_path)
    assert import_br(tmp_path, system="MechSys_D4other").contents.robot.limb.arm == 0.365
    assert import_br(tmp_path, system="MechSys_D4test").contents.robot.name == "MechSys_D4test"
    with pytest.raises(ParapickError, match="has no mechanical system 'third'; it has MechSys_D4test"):
        import_br(tmp_path, system="third")


def test_two_groups_of_one_system(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    text = (folder / GROUP).read_text(encoding="utf-8").replace("gAxesGroup_D4test", "second")
    (folder / "second.axesgroup").write_text(text, encoding="utf-8")
    with pytest.raises(ParapickError, match=r"belongs to 2 axes groups: .*; keep one"):
        import_br(folder)


def test_a_setting_that_is_stated_twice(tmp_path: Path) -> None:
    line = '<Property ID="LowerArmPairDistance" Value="90.0" />'
    folder = change(project_in(tmp_path), SYSTEM, line, line + line)
    with pytest.raises(ParapickError, match=r"LowerArmPairDistance \(line \d+\): is stated on line \d+, too: '90.0'"):
        import_br(folder)


def test_bounds_of_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project_in(tmp_path)
    monkeypatch.setattr(project, "FILES_MAX", 3)
    with pytest.raises(ParapickError, match="has 4 configurations; give a folder with at most 3"):
        import_br(tmp_path)
    monkeypatch.setattr(project, "ENTRIES_MAX", 2)
    with pytest.raises(ParapickError, match="more than 2 files and folders"):
        import_br(tmp_path)


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    folder = project_in(tmp_path / "project")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    with guarded():
        assert import_br(folder).ok


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(project_in(tmp_path) / "pipe.axis")
    with guarded(), pytest.raises(ParapickError, match="is not a regular file"):
        import_br(tmp_path)


VALUES = (*CELLS, *NUMBERS, "Inverse", "Delta", "Used", "NotUsed", "<", "&amp;", "Row[1]")


def mutants(count: int, seed: int) -> Any:
    """Projects with a changed value, a moved line or changed bytes in one of their files, each with its label."""
    texts = texts_of(Numbers())
    names = list(texts)
    noise = list(byte_mutants([text.encode() for text in texts.values()], count, seed))
    for number in range(count):
        chance = random.Random(f"{seed}-{number}")
        name = names[number % len(names)]
        data = noise[number][1]
        if chance.random() < 0.8:
            pieces = texts[name].split('Value="')
            for _ in range(chance.choice((1, 1, 2, 4))):
                place = chance.randrange(1, len(pieces))
                _, _, rest = pieces[place].partition('"')
                near = f"{chance.uniform(-2, 2) * 10 ** chance.randint(-3, 3):g}"
                new = near if chance.random() < 0.5 else chance.choice(VALUES).replace('"', "'")
                pieces[place] = f'{new}"{rest}'
            data = 'Value="'.join(pieces).encode(errors="replace")
        yield f"{name}, seed {seed}, number {number}", (name, data)


def tried(folder: Path, count: int, seed: int) -> Counter[str]:
    project_in(folder)
    texts = texts_of(Numbers())

    def load(case: tuple[str, bytes]) -> ImportedRobot:
        name, data = case
        (folder / name).write_bytes(data)
        try:
            return import_br(folder, name="own")
        finally:
            (folder / name).write_text(texts[name], encoding="utf-8")

    def use(read: ImportedRobot) -> str:
        doubts(read.contents.robot)
        read.answer().to_dict()
        return "computed"

    counts, faults = trial(mutants(count, seed), load, use)
    assert not faults, "\n".join(faults[:20])
    return counts


def test_changed_projects_are_refused_or_read(tmp_path: Path) -> None:
    counts = tried(tmp_path, 40, 1)
    assert counts["accepted"] >= 0.1 * counts["files"], counts
    assert counts["refused reading"] >= 0.1 * counts["files"], counts


@pytest.mark.soak
def test_many_changed_projects_are_refused_or_read(tmp_path: Path) -> None:
    counts = tried(tmp_path, 2_000, 2)
    assert counts["accepted"] >= 0.1 * counts["files"], counts
