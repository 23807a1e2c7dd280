"""Every mistake a robot file can have: the message names the field, says what is wrong and what would be valid."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import given, strategies as st

from parapick.errors import FileProblem, RobotFileError
from parapick.parameters import Follow
from parapick.robots import ROBOTS, load, load_robot
from parapick.robots.reading import read_robot
from parapick.toml import NESTING_MAX, SIZE_MAX


class Writer(Protocol):
    def __call__(self, *changes: tuple[str, str], text: str = ..., name: str = ...) -> Path: ...


def test_the_small_robot_is_valid(write: Writer) -> None:
    assert ROBOTS.check(write()) == ()


MISTAKES = [
    # missing and misspelt
    ("format = 1\n", "", "format", "is missing; write format = 1"),
    ("format = 1", "format = 2", "format", "is 2; this version of parapick reads format = 1"),
    ("format = 1", "format = true", "format", "is true; this version"),
    ('rod_length = "500 mm"', 'rodlength = "500 mm"', "limb.rodlength", "did you mean rod_length"),
    ('rod_length = "500 mm"', 'rodlength = "500 mm"', "limb.rod_length", "is missing: length of a rod.*\\(m\\)"),
    ("[limb]", "[limbs]", "limbs", "did you mean limb"),
    ("[limb]", "[limbs]", "limb", "is missing: arm and rods"),
    ("rod_mass = 0.05", "pitch = 0.05", "limb.pitch", "it belongs to plate"),
    ("rod_mass = 0.05", "home = [0, 0, 0]", "limb.home", "it belongs at the top of the file, before the first table"),
    ("rod_mass = 0.05", "xyzzy = 0.05", "limb.xyzzy", "valid are arm, rod_length"),
    ('kind = "radial"\n', "", "base.kind", 'is missing; it must be "radial", "placed" or "rails"'),
    ('kind = "rigid"', 'kind = "rgid"', "plate.kind", 'is \'rgid\'; it must be "rigid", .* did you mean "rigid"'),
    ('name = "small"', 'name = "two words"', "name", "it must be a word of letters"),
    ('name = "small"', "name = 3", "name", "is 3; it must be text in quotes"),
    # wrong kind of value
    ('arm = "200 mm"', 'arm = "200 kg"', "limb.arm", "'200 kg' is not a length; a length is written in m, mm"),
    ('arm = "200 mm"', 'arm = "0.2"', "limb.arm", "has no unit"),
    ('arm = "200 mm"', "arm = true", "limb.arm", "is true; it must be a number"),
    ('arm = "200 mm"', "arm = 2026-01-01", "limb.arm", "is a date; it must be a number"),
    ('arm = "200 mm"', "arm = nan", "limb.arm", "is nan; it must be a finite number"),
    ('arm = "200 mm"', "arm = -inf", "limb.arm", "is -inf; it must be a finite number"),
    ('arm = "200 mm"', f"arm = 1{'0' * 400}", "", "a number of 401 characters; it may have 80"),
    ('arm = "200 mm"', "arm = 1e400", "limb.arm", "is inf; it must be a finite number"),
    ('arm = "200 mm"', "arm = 1e155", "limb.arm", r"is 1e\+155 m; it must be at most 1e\+06 m"),
    ('arm = "200 mm"', "arm = {}", "limb.arm", "is a table; a number that follows"),
    ('"120 deg"', '"120 mm"', "base.angles.2", "not an angle"),
    ('angles = ["0 deg", "120 deg", "240 deg"]', "angles = 3", "base.angles", "is 3; it must be a list"),
    (
        'home = [0.0, 0.0, "-500 mm"]',
        'home = "here"',
        "home",
        r"is 'here'; it must be a list of 3 or 4 numbers \[x, y, z\] or",
    ),
    ('home = [0.0, 0.0, "-500 mm"]', "home = [0, 0]", "home", "is a list of 2; it must be a list of 3 or 4 numbers"),
    ('home = [0.0, 0.0, "-500 mm"]', 'home = [0, 0, "-500 deg"]', "home.3", "not a length"),
    ('home = [0.0, 0.0, "-500 mm"]', "home = [0, 0, -0.5, 0]", "home", "needs x, y, z"),
    ("rod_mass = 0.05", "rods = 2.0", "limb.rods", "it must be a whole number"),
    ("rod_mass = 0.05", "rods = 3", "limb.rods", "is 3; it must be 1 or 2"),
    ("rod_mass = 0.05", 'rod_model = "thick"', "limb.rod_model", 'is \'thick\'; it must be "slender", "cylinder"'),
    ("rod_mass = 0.05", 'rod_center = "0.2 m"', "limb.rod_center", "is 200 mm, but .* 250 mm; .* general, halves"),
    ('peak_torque = "10 N m"', "friction = 3", "drive.friction", "is 3; it must be a table"),
    ('"limb.arm" = "chosen: short"', '"limb.arm" = 3', "sources.limb.arm", "must be text"),
    ('"limb.arm" = "chosen: short"', '"limb.amr" = "x"', "sources.limb.amr", "did you mean limb.arm"),
    # wrong sign, zero, range
    ('arm = "200 mm"', "arm = 0", "limb.arm", "is 0 m; it must be greater than 0 m"),
    ('arm = "200 mm"', 'arm = "-200 mm"', "limb.arm", "is -0.2 m; it must be greater than 0 m"),
    ("rod_mass = 0.05", "rod_mass = -1", "limb.rod_mass", "it must be at least 0 kg"),
    ('peak_torque = "10 N m"', "efficiency = 1.5", "drive.efficiency", "must be at most 1"),
    ('radius = "200 mm"  # of the motors', "radius = 0.2\nsign = 2", "base.sign", "is 2; it must be -1 or 1"),
    ('rated_torque = "5 N m"', 'rated_torque = "50 N m"', "drive.rated_torque", "must not exceed"),
    # lists and limits
    ('arm = "200 mm"', "arm = [0.2, 0.2]", "limb.arm", "has 2 entries, but base.angles has 3"),
    ('out = "+++"', 'out = "++"', "working_modes.out", "is '\\+\\+'; it must be 3 signs"),
    ('out = "+++"', 'out = "+x+"', "working_modes.out", "it must be one \\+ or - for each arm"),
    ('in = "---"', 'in = "+++"', "working_modes.in", "the same as out"),
    ('default = "out"', 'default = "outt"', "working_modes.default", "must be a working mode \\(out, in\\) or signs"),
    ('default = "out"\n', "", "working_modes.default", "is missing"),
    ('default = "out"', 'default = "++"', "working_modes.default", "has 2 entries"),
    ('joint_min = "-90 deg"', 'joint_min = "-190 deg"', "limits.joint_min", "between -180 and 180 deg"),
    ('joint_min = "-90 deg"', 'joint_min = "95 deg"', "limits.joint_min", "is 95 deg, above limits.joint_max = 90 deg"),
    ('joint_max = "90 deg"', 'joint_max = "-80 deg"', "home", "leg 1: at home the joint is at -[0-9.]+ deg"),
    ("z_min = -0.55", "z_min = -0.4", "workspace.z_min", "is -400 mm, above workspace.z_max = -450 mm"),
    # following
    ("rod_mass = 0.05", 'rod_mass = { of = "limb.rod", coefficients = [1] }', "limb.rod_mass", "not a field"),
    ("rod_mass = 0.05", 'rod_mass = { of = "base.angles", coefficients = [1] }', "limb.rod_mass", "not a single"),
    ("rod_mass = 0.05", 'rod_mass = { of = "limb.arm", coefficients = [] }', "limb.rod_mass", "at least one"),
    ("rod_mass = 0.05", 'rod_mass = { of = "limb.arm", coefficients = [nan] }', "limb.rod_mass", "finite"),
    ("rod_mass = 0.05", 'rod_mass = { of = "limb.arm", coefficients = [-1] }', "limb.rod_mass", "where it is -1 kg"),
    ("rod_mass = 0.05", 'rod_mass = { of = "limb.arm" }', "limb.rod_mass", "coefficients = \\[c0, c1\\]"),
    # geometry
    ('"120 deg"', '"0 deg"', "base", "legs 1 and 2 coincide"),
    ('home = [0.0, 0.0, "-500 mm"]', "home = [0, 0, -2]", "home", "leg 1: at home the rod is [0-9.]+ mm too short"),
    ('rod_length = "500 mm"', 'rod_length = "5 m"', "home", "leg 1: at home the rod is [0-9.]+ mm too long"),
    ('rod_length = "500 mm"', "rod_length = [0.5, 0.5, 0.001]", "home", "leg 3: at home .* too short"),
]


@pytest.mark.parametrize(("old", "new", "path", "message"), MISTAKES)
def test_a_mistake_is_named_with_what_would_be_valid(
    write: Writer, old: str, new: str, path: str, message: str
) -> None:
    file = write((old, new))
    messages = [problem.message for problem in ROBOTS.check(file) if problem.path == path]
    assert any(re.search(message, found) for found in messages), ROBOTS.check(file)
    with pytest.raises(RobotFileError, match=r"robot\.toml"):
        load(file)


def test_one_mistake_is_reported_once(write: Writer) -> None:
    problems = ROBOTS.check(write(('arm = "200 mm"', "arm = -1")))
    assert problems == (FileProblem("limb.arm", "is -1 m; it must be greater than 0 m"),)


def test_a_centre_is_not_judged_by_a_rod_model_that_cannot_be_read(write: Writer) -> None:
    problems = ROBOTS.check(write(("rod_mass = 0.05", 'rod_center = 0.2\nrod_model = "generl"')))
    assert [problem.path for problem in problems] == ["limb.rod_model"]


def test_all_problems_come_at_once(write: Writer) -> None:
    """One mistake of each kind: of form, of range, between fields, and in another section than an unreadable one."""
    file = write(
        ("rod_mass = 0.05", "rodmass = 0.05"),
        ('arm = "200 mm"', 'arm = "200 kg"'),
        ('rod_length = "500 mm"', "rod_length = -0.5"),
        ('kind = "rigid"', 'kind = "rgid"'),
        ('rated_torque = "5 N m"', 'rated_torque = "50 N m"'),
        ("z_min = -0.55", "z_min = -0.4"),
        ('out = "+++"', 'out = "++"'),
        ('"limb.arm" = "chosen: short"', '"limb.amr" = "chosen: short"'),
    )
    assert {problem.path for problem in ROBOTS.check(file)} == {
        "limb.rodmass",
        "limb.arm",
        "limb.rod_length",
        "plate.kind",
        "drive.rated_torque",
        "workspace.z_min",
        "working_modes.out",
        "working_modes.default",
        "sources.limb.amr",
    }


def test_an_unreadable_section_does_not_blame_the_others(write: Writer) -> None:
    """Two arms and a yaw are right for the spindle that was meant; a stand-in for the plate must not object."""
    file = write(
        ('angles = ["0 deg", "120 deg", "240 deg"]', 'angles = ["0 deg", "180 deg"]'),
        ('kind = "rigid"\nradius = "50 mm"', 'kind = "spindel"\npitch = "20 mm"'),
        ('home = [0.0, 0.0, "-500 mm"]', "home = [0, 0.3, 0, 0]"),
        ('out = "+++"\nin = "---"', 'out = "++"'),
        ('"limb.arm" = "chosen: short"', '"plate.pitch" = "chosen: short"'),
    )
    assert [problem.path for problem in ROBOTS.check(file)] == ["plate.kind"]


PLACED = """
kind = "placed"
points = [[0.2, 0, 0], [-0.1, 0.1732, 0], [-0.1, -0.1732, 0]]
zeros = [[1, 0, 0], [-0.5, 0.866, 0], [-0.5, -0.866, 0]]
axes = [[0, -1, 0], [0.866, 0.5, 0], [-0.866, 0.5, 0]]
"""
RADIAL = 'kind = "radial"\nradius = "200 mm"  # of the motors\nangles = ["0 deg", "120 deg", "240 deg"]'
AZIMUTHS = ('radius = "50 mm"', 'radius = "50 mm"\nangles = ["0 deg", "120 deg", "240 deg"]')


def test_a_placed_base_is_valid_and_the_same_robot(write: Writer) -> None:
    radial = load(write())
    placed = load(write((RADIAL, PLACED), AZIMUTHS))
    pose = [0.05, -0.03, -0.5]
    assert placed.inverse_kinematics(pose) == pytest.approx(radial.inverse_kinematics(pose), abs=1e-3)


@pytest.mark.parametrize(
    ("old", "new", "path", "message"),
    [
        ("[0, -1, 0]", "[0.1, -1, 0]", "base.axes.1", "is at 84.2894 deg to base.zeros.1.*90 deg"),
        ("[0, -1, 0]", "[0, 0, 0]", "base.axes.1", "zero vector"),
        ("[0, -1, 0]", "[0, -1]", "base.axes.1", "is a list of 2; it must be a list of 3"),
        ("axes = [[0, -1, 0], ", "axes = [", "base.axes", "has 2 entries, but base.points has 3"),
        ("[0.2, 0, 0]", '[0.2, 0, "3 kg"]', "base.points.1.3", "not a length"),
    ],
)
def test_mistakes_of_a_placed_base(write: Writer, old: str, new: str, path: str, message: str) -> None:
    assert PLACED.count(old) == 1
    file = write((RADIAL, PLACED.replace(old, new)), AZIMUTHS)
    found = {problem.path: problem.message for problem in ROBOTS.check(file)}
    assert re.search(message, found[path]), found


def test_a_placed_base_needs_azimuths_of_the_plate(write: Writer) -> None:
    problems = ROBOTS.check(write((RADIAL, PLACED)))
    assert [problem.path for problem in problems] == ["plate.angles"]


def test_directions_with_six_digits_are_perpendicular_enough(write: Writer) -> None:
    axes = PLACED.replace("[-0.5, 0.866, 0]", "[-0.500000, 0.866025, 0]").replace(
        "[0.866, 0.5, 0]", "[0.866026, 0.5, 0]"
    )
    assert ROBOTS.check(write((RADIAL, axes), AZIMUTHS)) == ()


def test_whole_numbers_and_nested_sources_are_read(write: Writer) -> None:
    file = write(
        ("rod_mass = 0.05", "rod_mass = 1"), ('"limb.arm" = "chosen: short"', 'limb.arm = "a"\nlimb.rod_mass = "b"')
    )
    contents = load_robot(file)
    assert isinstance(contents.robot.limb.rod_mass, float)
    assert dict(contents.sources) == {"limb.arm": "a", "limb.rod_mass": "b"}


def test_a_number_may_follow_another(write: Writer) -> None:
    follow = '{ of = "limb.rod_length", coefficients = [0.05, 0.125] }'
    robot = load_robot(write(("rod_mass = 0.05", f"rod_mass = {follow}"))).robot
    assert robot.limb.rod_mass == Follow("limb.rod_length", (0.05, 0.125))


def test_without_working_modes_all_elbows_are_positive(write: Writer) -> None:
    robot = load_robot(write(('[working_modes]\ndefault = "out"\nout = "+++"\nin = "---"\n', ""))).robot
    assert robot.branches == (1.0, 1.0, 1.0)
    assert robot.modes == ()


def test_the_default_mode_may_be_signs(write: Writer) -> None:
    robot = load_robot(write(('default = "out"', 'default = "+-+"'), ('joint_min = "-90 deg"', ""))).robot
    assert robot.branches == (1.0, -1.0, 1.0)


def test_no_pose_closes_says_what_length_it_takes(write: Writer) -> None:
    file = write(('rod_length = "500 mm"', 'rod_length = "50 mm"'), ('radius = "200 mm"', 'radius = "1 m"'))
    (problem,) = ROBOTS.check(file)
    assert problem.path == "limb.rod_length"
    assert "no pose closes all legs" in problem.message
    # Arms of 200 mm on motors 1 m from the centre leave 750 mm to the plate joints at 50 mm.
    assert "at least 750.0 mm" in problem.message


def test_a_home_out_of_reach_comes_with_one_in_reach(write: Writer) -> None:
    (problem,) = ROBOTS.check(write(('home = [0.0, 0.0, "-500 mm"]', "home = [0, 0, 3]")))
    place = problem.message.rpartition("(")[2].partition(")")[0]
    again = write(
        ('home = [0.0, 0.0, "-500 mm"]', f"home = [{place}]"), ('joint_max = "90 deg"', ""), name="again.toml"
    )
    assert not [problem for problem in ROBOTS.check(again) if "too" in problem.message]


# files that are no robot files


def test_a_file_that_is_not_toml_is_located(write: Writer) -> None:
    (problem,) = ROBOTS.check(write(('arm = "200 mm"', "arm = = 3")))
    assert problem == FileProblem("", "is not TOML: Invalid value (at line 13, column 7)")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe\x00", "is not UTF-8 text (line 1); save it as UTF-8"),
        (b"a = 1\nb = '\xe4'", "is not UTF-8 text (line 2); save it as UTF-8"),
        (b"a = " + b"[" * 50_000, f"is not a robot file: line 1: more than {NESTING_MAX} brackets inside each other"),
        (b"a = " + b"9" * 5_000, "is not a robot file: line 1: a number of 5000 characters; it may have 80"),
        (b" " * (SIZE_MAX + 1), f"is too large ({SIZE_MAX + 1} bytes); a robot file has at most {SIZE_MAX}"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "robot.toml"
    path.write_bytes(content)
    assert ROBOTS.check(path) == (FileProblem("", message),)
    with pytest.raises(RobotFileError, match=r"robot\.toml"):
        load(path)


def test_an_empty_file_asks_for_its_format(tmp_path: Path) -> None:
    path = tmp_path / "robot.toml"
    path.touch()
    assert [problem.path for problem in ROBOTS.check(path)] == ["format"]


def test_a_byte_order_mark_is_no_mistake(write: Writer, delta: str) -> None:
    path = write()
    path.write_text(delta, encoding="utf-8-sig")
    assert ROBOTS.check(path) == ()


# anything at all

JUNK = st.recursive(
    st.one_of(
        st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.dates(), st.sampled_from(["3 kg", "1 m"])
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("format", "name", "title", "home", "base", "limb", "plate", "drive", "limits", "workspace", "sources", "new")
PLACES = [
    *((name,) for name in FIELDS),
    *(
        (section, name)
        for section in ("base", "limb", "plate", "drive", "limits", "sources")
        for name in ("kind", "new")
    ),
    *(("limb", name) for name in ("arm", "rods", "rod_model")),
    *(("plate", name) for name in ("radius", "angles", "telescope")),
    *(("working_modes", name) for name in ("default", "out")),
    *(
        ("home", 1),
        ("base", "angles"),
        ("base", "angles", 0),
        ("drive", "friction"),
        ("limits", "joint_min"),
        ("gravity",),
    ),
]


@given(changes=st.lists(st.tuples(st.sampled_from(PLACES), JUNK), min_size=1, max_size=3))
def test_no_document_is_too_strange(delta: str, changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    document = tomllib.loads(delta)
    for (*place, name), value in changes:
        node: Any = document
        for key in place:
            node = node.get(key) if isinstance(node, dict) else None
        if isinstance(node, dict) or (isinstance(node, list) and isinstance(name, int) and name < len(node)):
            node[name] = value
    contents, problems = read_robot(document)
    assert (contents is None) == bool(problems)
    assert all(problem.message for problem in problems)
