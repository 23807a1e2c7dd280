"""`parapick torque`."""

from __future__ import annotations

import csv
import dataclasses
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.columns import ROWS_MAX

STATE = ["--pose", "0.1,-0.05,-0.7,0.3", "--velocity", "1,0,0.5,1.5", "--acceleration", "50,0,20,100"]
X, XD, XDD = ([0.1, -0.05, -0.7, 0.3], [1.0, 0.0, 0.5, 1.5], [50.0, 0.0, 20.0, 100.0])
NAMES = ["t", "x", "y", "z", "yaw", "xd", "yd", "zd", "yawd", "xdd", "ydd", "zdd", "yawdd"]


def quintic(count: int = 101, duration: float = 0.2) -> np.ndarray:
    """Samples (count, 13) of a move from rest to rest that ends 50 mm higher, columns as in `NAMES`."""
    s = np.linspace(0.0, 1.0, count)
    way = s**3 * (10 - 15 * s + 6 * s**2)
    rate = 30 * s**2 * (1 - s) ** 2 / duration
    bend = 60 * s * (1 - 3 * s + 2 * s**2) / duration**2
    first, change = np.array([-0.15, 0.02, -0.75, 0.0]), np.array([0.3, 0.05, 0.05, 0.5])
    blocks = (first + np.outer(way, change), np.outer(rate, change), np.outer(bend, change))
    return np.column_stack([duration * s, *blocks])


@pytest.fixture
def motion(tmp_path: Path) -> Callable[..., str]:
    """Write a motion; the path of the file."""

    def write(samples: np.ndarray, names: list[str] = NAMES) -> str:
        path = tmp_path / "motion.csv"
        rows = "\n".join(",".join(map(repr, row)) for row in samples[:, : len(names)].tolist())
        path.write_text(f"{','.join(names)}\n{rows}\n")
        return str(path)

    return write


# One state


def test_a_state_has_the_torques_of_the_model(run: Any) -> None:
    model = pp.load("par4").with_payload(1.0)
    result = run("torque", "par4", *STATE, "--payload", "1kg", "--json")
    torques = model.inverse_dynamics(X, XD, XDD)
    assert result.column("joints", "torque") == pytest.approx(list(torques), rel=1e-14)
    for joint in result.rows("joints"):
        parts = [value for name, value in joint.items() if name not in ("motor", "torque")]
        assert sum(parts) == pytest.approx(joint["torque"])
    for motor in result.rows("motors"):
        assert motor["of peak"] == pytest.approx(abs(motor["torque"]) / 90)
        assert motor["of rated"] is None
    assert result.data["payload"] == 1.0
    assert result.data["acceleration"] == {"x": 50.0, "y": 0.0, "z": 20.0, "yaw": 100.0}


def test_units_may_be_written(run: Any) -> None:
    words = ["--pose", "100mm,-50mm,-0.7 m,0.3rad", "--velocity", "1 m/s,0mm/s,500mm/s,1.5rad/s"]
    other = run("torque", "par4", *words, "--acceleration", "50m/s^2,0,20000 mm/s2,100 rad/s²", "--json")
    plain = run("torque", "par4", *STATE, "--json")
    assert other.column("joints", "torque") == pytest.approx(plain.column("joints", "torque"), rel=1e-12)
    turned = run("torque", "par4", "--pose", "0,0,-0.7", "--velocity", "0,0,0,90deg/s", "--json").data
    assert turned["rate"]["yaw"] == pytest.approx(math.pi / 2)


def test_at_rest_only_gravity_is_left(run: Any) -> None:
    result = run("torque", "delta-nr", "--pose", "0,0,-0.7")
    assert "at rest" in result.out
    answer = run("torque", "delta-nr", "--pose", "0,0,-0.7", "--json")
    for joint in answer.rows("joints"):
        assert joint["gravity"] == pytest.approx(joint["torque"], rel=1e-12)
        assert joint["torque"] > 0
    assert answer.column("motors", "speed") == [0, 0, 0]


def test_the_shaft_sees_the_ratio(run: Any) -> None:
    """Table 2 of righettini2024, without losses: ratio 64 and 0.7 N m rated, for the nuts 40 and 0.36 N m."""
    words = ["--pose", "0.05,0.3,0", "--acceleration", "20,0,1", "--json"]
    answer = run("torque", "fivebar-spindle", *words)
    motor, _, nut, _ = answer.rows("motors")
    arm, _, screw, _ = answer.column("joints", "torque")
    assert nut["torque"] == pytest.approx(screw / 40)
    assert nut["of rated"] == pytest.approx(abs(nut["torque"]) / 0.36)
    assert motor["torque"] == pytest.approx(arm / 64)
    assert motor["of rated"] == pytest.approx(abs(motor["torque"]) / 0.7)
    assert motor["of peak"] == pytest.approx(motor["of rated"] / 2)


def test_linear_motors_give_forces(run: Any) -> None:
    """The force at rest against the rating of the file, with its own word and unit in text and JSON."""
    words = ["torque", "delta-linear", "--pose", "0,0,-0.6"]
    answer, text = run(*words, "--json"), run(*words).out
    assert answer.json["tables"]["motors"]["units"]["force"] == "N"
    assert answer.json["tables"]["motors"]["units"]["speed"] == "m/s"
    drive = pp.load("delta-linear").robot.drive
    for joint, motor in zip(answer.column("joints", "force"), answer.rows("motors"), strict=True):
        assert motor["of peak"] == pytest.approx(abs(motor["force"]) / drive.peak_torque)
        assert motor["force"] == pytest.approx(joint)
    assert "force (N)" in text
    assert "torque" not in text
    assert "N m" not in text


def test_rods_hold_the_plate(run: Any) -> None:
    """At rest on the axis, each of six rods carries a sixth of the payload: forces by the equilibrium of the plate."""
    model = pp.load("delta-nr")
    answer = run("torque", "delta-nr", "--pose", "0,0,-0.7", "--payload", "1", "--json")
    empty = run("torque", "delta-nr", "--pose", "0,0,-0.7", "--json")
    limb = model.robot.limb
    elbow = float(np.max(limb.arm)) * math.sin(model.inverse_kinematics([0, 0, -0.7])[0])
    drop = (0.7 + elbow) / float(np.max(limb.rod_length))
    assert answer.column("rods", "rod") == [f"rod {leg}{rod}" for leg in (1, 2, 3) for rod in "ab"]
    pairs = zip(answer.column("rods", "at the plate"), empty.column("rods", "at the plate"), strict=True)
    assert [loaded - bare for loaded, bare in pairs] == pytest.approx([9.81 / 6 / drop] * 6, rel=1e-9)


def test_an_internal_singularity_leaves_torques_but_no_rod_forces(run: Any) -> None:
    result = run("torque", "h4-90", "--pose", "0,0,-0.7")
    assert result.code == 0
    assert "no finite forces of the rods keep the plate level" in result.out
    answer = run("torque", "h4-90", "--pose", "0,0,-0.7", "--json")
    assert answer.column("rods", "at the plate") == [None] * 8
    assert answer.rows("motors")[0]["torque"] > 0


def test_masses_that_no_body_can_have_are_noted(run: Any) -> None:
    result = run("torque", "fivebar-spindle", "--pose", "0,0.3,0")
    assert result.code == 0
    assert result.err.startswith("parapick: note: fivebar-spindle: limb.rod_inertia: is 0.0522 kg m2")
    assert run("pose", "fivebar-spindle", "0", "0.3", "0").err == ""


def test_a_redundant_robot_says_how_it_shares(run: Any) -> None:
    assert "share by least peak" in run("torque", "delta-r4", "--pose", "0.1,0,-0.7").out
    assert "share by" not in run("torque", "par4", "--pose", "0.1,0,-0.7").out


def test_a_pose_out_of_reach_is_an_answer(run: Any) -> None:
    result = run("torque", "par4", "--pose", "0.9,0,-0.7")
    assert result.code == 1
    assert "out of reach: leg 2" in result.out
    answer = run("torque", "par4", "--pose", "0.9,0,-0.7", "--json")
    assert answer.code == 1
    assert answer.json["refusal"].startswith("out of reach: leg 2")
    assert answer.json["tables"] == {}
    assert answer.data["reachable"] is False


def test_a_singular_pose_is_an_answer(run: Any) -> None:
    """Both distal links of the five-bar on one line: elbows 0.5 m apart, y = sqrt(0.25^2 - 0.16^2)."""
    result = run("torque", "fivebar-spindle", "--pose", f"0,{math.sqrt(0.25**2 - 0.16**2)!r},0")
    assert result.code == 1
    assert "the pose is singular" in result.out


@pytest.mark.parametrize("words", [["--pose", "0,0,-1.05"], ["--motion", "nowhere.csv"]])
def test_a_robot_without_masses_says_which_it_needs(run: Any, words: list[str]) -> None:
    message = run("torque", "irb360", *words).message
    for text in ("irb360 has no masses", "limb.rod_mass", "plate.mass", "drive.inertia"):
        assert text in message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "give one state by --pose x,y,z or a motion by --motion FILE"),
        (["--pose", "0,0,-0.7", "--motion", "x.csv"], "give one state by --pose"),
        (["--pose", "0,0"], "--pose: '0,0' has 2 numbers; par4 takes x,y,z,yaw"),
        (["--pose", "0,0,-0.7,0,0"], "--pose: '0,0,-0.7,0,0' has 5 numbers"),
        (["--pose", "0,nan,-0.7"], "--pose, y: 'nan' is not a finite number"),
        (["--pose", "0,0,-0.7,30mm"], "--pose, yaw: '30mm' is not an angle"),
        (
            ["--pose", "0,0,-0.7", "--velocity", "1kg,0,0"],
            "--velocity, x: '1kg' is not a speed; a speed is written in m/s, mm/s",
        ),
        (["--pose", "0,0,-0.7", "--velocity", "0,0,1m/s2"], "--velocity, z: '1m/s2' is not a speed"),
        (["--pose", "0,0,-0.7", "--velocity", "0,0,1/s"], "--velocity, z: '1/s' is not a speed"),
        (["--pose", "0,0,-0.7", "--acceleration", "0,0,1m/s"], "--acceleration, z: '1m/s' is not an acceleration"),
        (["--pose", "0,0,-0.7", "--acceleration", "0,0,inf"], "--acceleration, z: 'inf' is not a finite number"),
        (["--pose", "0,0,-0.7", "--payload", "-1"], "--payload: is -1; it must be at least 0"),
        (["--pose", "0,0,-0.7", "--payload", "1m"], "--payload: '1m' is not a mass"),
        (["--pose", "0,0,-0.7", "--out", "x.csv"], "--out goes with --motion"),
        (["--motion", "x.csv", "--velocity", "1,0,0"], "--velocity and --acceleration go with --pose"),
        (["--pose", "0,0,-1e155"], "--pose, z: is -1e+155 m; it must be at most 1e+06 m"),
        (["--pose", "0,0,-0.7", "--payload", "1e300kg"], "--payload: is 1e+300 kg; it must be at most 1e+09 kg"),
        (["--motion", "nowhere.csv"], "nowhere.csv: there is no such file"),
        (["--motion", "."], ".: is a folder; give the path of a motion"),
    ],
)
def test_wrong_input_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run("torque", "par4", *words).message


def test_a_robot_without_yaw_takes_three_numbers(run: Any) -> None:
    assert "delta-nr takes x,y,z" in run("torque", "delta-nr", "--pose", "0,0,-0.7,0").message


# Along a motion


def test_a_motion_has_peaks_and_effective_values(run: Any, motion: Any) -> None:
    samples = quintic()
    model = pp.load("par4").with_payload(0.5)
    answer = run("torque", "par4", "--motion", motion(samples), "--payload", "500g", "--json")
    torques = model.inverse_dynamics(samples[:, 1:5], samples[:, 5:9], samples[:, 9:])
    assert answer.data["rates"] == "rates and accelerations from the file"
    assert answer.column("joints", "peak") == pytest.approx(list(np.max(np.abs(torques), axis=0)), rel=1e-12)
    # Samples at equal distances, so that the mean is nearly the integral.
    assert answer.column("joints", "RMS") == pytest.approx(list(np.sqrt(np.mean(torques**2, axis=0))), rel=0.02)
    for motor in answer.rows("motors"):
        assert motor["of peak"] == pytest.approx(motor["peak"] / 90)
    worst = answer.data["worst"]
    assert abs(worst["torque"]) == pytest.approx(np.max(np.abs(torques)), rel=1e-12)
    row = int(np.argmin(np.abs(samples[:, 0] - worst["t"])))
    assert list(worst["pose"].values()) == pytest.approx(list(samples[row, 1:5]))
    assert torques[row, worst["motor"] - 1] == pytest.approx(worst["torque"])


def test_the_energy_of_the_bus_is_the_gain_in_height(run: Any, motion: Any) -> None:
    """From rest to rest without friction, what is drawn and not returned has lifted the robot."""
    samples = quintic(2001)
    power = run("torque", "par4", "--motion", motion(samples), "--json").data["power"]
    energy = pp.load("par4").energy(samples[[0, -1], 1:5], np.zeros((2, 4))).potential
    assert power["energy_drawn"] - power["energy_returned"] == pytest.approx(energy[1] - energy[0], abs=1e-4)
    assert power["energy_returned"] > 1.0


def test_rates_come_from_splines_where_the_file_has_none(run: Any, motion: Any) -> None:
    samples = quintic()
    full = run("torque", "par4", "--motion", motion(samples), "--json")
    for count, words in ((5, "by quintic splines through the poses"), (9, "accelerations by quintic splines through")):
        derived = run("torque", "par4", "--motion", motion(samples, NAMES[:count]), "--json")
        assert words in derived.data["rates"]
        assert derived.column("joints", "peak") == pytest.approx(full.column("joints", "peak"), rel=1e-6)


def test_rod_forces_are_those_of_the_model(run: Any, motion: Any, own_robot: Any) -> None:
    samples = quintic()
    path = own_robot("par4", ('rod_modulus = "70 GPa"\n', ""), ('"limb.rod_modulus"', '#"limb.rod_modulus"'))
    answer = run("torque", path, "--motion", motion(samples), "--json")
    rods = answer.data
    inner = pp.load("par4").inner_forces(samples[:, 1:5], samples[:, 5:9], samples[:, 9:])
    ends = np.stack([inner.axial_elbow, inner.axial_plate])
    assert rods["tension"]["force"] == pytest.approx(np.max(ends))
    assert rods["compression"]["force"] == pytest.approx(-np.min(ends))
    assert set(answer.column("rods", "reserve")) == {None}
    leg, letter = rods["tension"]["rod"].removeprefix("rod ")
    row = int(np.argmin(np.abs(samples[:, 0] - rods["tension"]["t"])))
    assert np.max(ends[:, row, int(leg) - 1, "ab".index(letter)]) == pytest.approx(rods["tension"]["force"])
    assert max(answer.column("rods", "peak tension")) == pytest.approx(rods["tension"]["force"])


def test_a_motion_through_an_internal_singularity_says_so(run: Any, motion: Any) -> None:
    """The H4 with motors at 90 degrees is singular at x = 0, yaw 0: the middle sample of a line along x."""
    samples = quintic()
    samples[:, [2, 3, 4]] = [0.0, -0.7, 0.0]
    samples[50, 1] = 0.0
    path = motion(samples, NAMES[:5])
    assert "an internal singularity" in run("torque", "h4-90", "--motion", path).out
    answer = run("torque", "h4-90", "--motion", path, "--json")
    assert answer.column("rods", "RMS") == [None] * 8
    assert answer.data["tension"]["force"] > 0


def test_the_buckling_reserve_is_that_of_the_tube(run: Any, motion: Any) -> None:
    """Euler's load of a tube of 16 mm with a wall of 2 mm, pinned at both ends."""
    words = ["torque", "par4", "--motion", motion(quintic()), "--set", "limb.rod_modulus=100GPa"]
    answer = run(*words, "--json")
    load = math.pi**2 * 100e9 * math.pi / 4 * (0.008**4 - 0.006**4) / 0.8**2
    smallest = load / answer.data["compression"]["force"]
    assert min(filter(None, answer.column("rods", "reserve"))) == pytest.approx(smallest)
    assert f"a rod bears {smallest:.1f} times its largest push" in run(*words).out


def test_every_sample_goes_into_the_file(run: Any, motion: Any, tmp_path: Path) -> None:
    samples = quintic()
    out = tmp_path / "torques.csv"
    result = run("torque", "fivebar-spindle", "--motion", motion(samples + _to_five_bar()), "--out", str(out))
    assert result.code == 0
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    model = pp.load("fivebar-spindle")
    moved = samples + _to_five_bar()
    torques = model.inverse_dynamics(moved[:, 1:5], moved[:, 5:9], moved[:, 9:])
    load = model.drive_torque(moved[:, 1:5], moved[:, 5:9], moved[:, 9:])
    assert len(rows) == len(samples)
    for i in range(4):
        assert [float(row[f"tau{i + 1}"]) for row in rows] == list(torques[:, i])
        assert [float(row[f"motor_torque{i + 1}"]) for row in rows] == list(load.torque[:, i])
        assert [float(row[f"motor_speed{i + 1}"]) for row in rows] == list(load.speed[:, i])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["motion.csv", "torques.csv"]


def _to_five_bar() -> np.ndarray:
    """What moves the samples into the workspace of the five-bar."""
    shift = np.zeros(13)
    shift[1:4] = [0.0, 0.3, 0.75]
    return shift


def test_a_motion_as_text(run: Any, motion: Any) -> None:
    result = run("torque", "delta-r4", "--motion", motion(quintic()[:, [0, 1, 2, 3]], NAMES[:4]))
    assert result.code == 0
    for text in ("101 samples over 0.2 s", "RMS (N m)", "of peak", "largest torque", "J returned", "least peak"):
        assert text in result.out


def test_a_motion_that_leaves_the_workspace_is_an_answer(run: Any, motion: Any, tmp_path: Path) -> None:
    samples = quintic()[:, :5]
    samples[40:, 1] += 2.0
    path, out = motion(samples, NAMES[:5]), tmp_path / "torques.csv"
    result = run("torque", "par4", "--motion", path, "--out", str(out))
    assert result.code == 1
    text = " ".join(result.out.split())
    for words in ("t 0.08 s, x ", "out of reach: leg", "61 of 101 samples"):
        assert words in text
    assert not out.exists()
    failed = run("torque", "par4", "--motion", path, "--json").data["failed"]
    assert (failed["t"], failed["samples"]) == (pytest.approx(0.08), 61)


HEADER = "t,x,y,z,yaw"
GOOD = "\n".join(f"{k / 10},0,0,-0.7,0" for k in range(8))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; a motion has a line of headings and rows of numbers"),
        (f"{HEADER}\n0,0,0,-0.7,0\n", "has 1 samples; a motion has at least 2"),
        (f"{HEADER}\n0,0,0,-0.7,0\n1,0,0,-0.7,0\n", "has 2 samples; rates from splines need at least 6"),
        ("t,x,y,z\n0,0,0,-0.7\n1,0,0,-0.7", "has no column yaw; par4 takes t,x,y,z,yaw, then rates xd,yd,zd,yawd"),
        ("t,x,y,z,yaw,xd\n0,0,0,-0.7,0,0", "has no column yd, zd, yawd"),
        (f"t,x,y,z,yaw,vx\n{GOOD}", "has a column 'vx'; there may be t, x, y, z, yaw, xd"),
        (f"t,x,y,z,yaw,x\n{GOOD}", "has two columns x"),
        ("t;x;y;z;yaw\n0;0;0;-0,7;0", "has 1 samples"),
        ("t [h],x,y,z,yaw\n0,0,0,-0.7,0", "column t: '1 h' is not a time"),
        (f"{HEADER}\n{GOOD}\n0.8,0,zero,-0.7,0", "line 10: y is 'zero'; it must be a finite number"),
        (f"{HEADER}\n{GOOD}\n\n0.8,0,0,nan,0", "line 11: z is 'nan'; it must be a finite number"),
        (f"{HEADER}\n{GOOD}\n0.8,0,0,-0.7,", "line 10: yaw is missing; it must be a finite number"),
        (f"{HEADER}\n{GOOD}\n0.8,0,0,-0.7", "line 10 has 4 values; the headings are 5"),
        (f"{HEADER}\n{GOOD}\n0.7,0,0,-0.7,0", "t: 0.7 s is not after 0.7 s of the sample before"),
        (f"{HEADER},payload\n0,0,0,-0.7,0,0\n1,0,0,-0.7,0,-2", "payload: -2 kg is not a mass"),
    ],
)
def test_a_mistake_in_a_file_is_named_by_line_and_column(run: Any, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "motion.csv"
    path.write_text(text)
    told = run("torque", "par4", "--motion", str(path)).message
    assert told.startswith(f"parapick: {path}: ")
    assert message in told


def test_a_file_that_is_no_text_is_one_message(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    path.write_bytes(b"t,x,y,z,yaw\n\xff\xfe\x00")
    assert "is not UTF-8 text (line 2)" in run("torque", "par4", "--motion", str(path)).message


def test_a_motion_of_too_many_lines_is_refused_before_it_is_read(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    path.write_text("t,x,y,z,yaw\n" + "0\n" * (ROWS_MAX + 1))
    message = f"has {ROWS_MAX + 1} rows; a motion has at most {ROWS_MAX}"
    assert message in run("torque", "par4", "--motion", str(path)).message


def test_a_long_cell_is_not_repeated(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    path.write_text(f"t,x,y,z,{'w' * 100_000}\n0,0,0,0,0\n")
    assert len(run("torque", "par4", "--motion", str(path)).message) < 500


def test_a_spreadsheet_may_mark_the_file_and_space_the_cells(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    rows = "\r\n".join(line.replace(",", ", ") for line in GOOD.splitlines())
    path.write_bytes(b"\xef\xbb\xbf" + f"T, X, Y, Z, Yaw\r\n{rows}\r\n".encode())
    assert run("torque", "par4", "--motion", str(path)).code == 0


@pytest.mark.parametrize(("column", "factor", "name"), [(8, 57.3, "yawd"), (5, 1000.0, "xd"), (9, 1000.0, "xdd")])
def test_rates_in_other_units_are_noticed(run: Any, motion: Any, column: int, factor: float, name: str) -> None:
    samples = quintic()
    samples[:, column] *= factor
    message = run("torque", "par4", "--motion", motion(samples)).message
    assert f"column {name}, t " in message
    assert "write both in SI" in message


def test_coarse_rates_are_not_mistaken_for_other_units(run: Any, motion: Any) -> None:
    assert run("torque", "par4", "--motion", motion(quintic(7))).code == 0


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("torques.txt", "writes torques (.csv)"),
        ("nowhere/torques.csv", "the folder nowhere does not exist"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_message(run: Any, motion: Any, out: str, message: str) -> None:
    assert message in run("torque", "par4", "--motion", motion(quintic()), "--out", out).message


# Joints of the plate


def test_a_state_has_the_joints_of_the_plate(run: Any) -> None:
    result = run("torque", "par4", *STATE, "--payload", "1kg", "--json")
    loads = pp.load("par4").with_payload(1.0).plate_joint_loads(X, XD, XDD)
    assert result.column("plate_joints", "joint") == list(loads.names)
    for component, values in loads.components().items():
        assert result.column("plate_joints", component) == pytest.approx(list(values), rel=1e-12, abs=1e-12)
    assert "plate's own joints" not in run("torque", "delta-nr", "--pose", "0,0,-0.7").out


def test_a_motion_has_the_largest_loads_of_the_joints(run: Any, motion: Callable[..., str]) -> None:
    samples = quintic()
    result = run("torque", "i4", "--motion", motion(samples), "--json")
    x, xd, xdd = np.split(samples[:, 1:], 3, axis=1)
    loads = pp.load("i4").plate_joint_loads(x, xd, xdd)
    for component, values in loads.components().items():
        assert result.column("plate_joints", component) == pytest.approx(np.abs(values).max(axis=0), rel=1e-9, abs=1e-9)
    assert "guide of side" in run("torque", "i4", "--motion", motion(samples)).out


def test_what_the_joints_need_is_noted(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "bare.toml"
    bare = pp.load("par4").robot
    pp.save(dataclasses.replace(bare, plate=dataclasses.replace(bare.plate, bar_spacing=None)), path)
    result = run("torque", str(path), *STATE)
    assert "plate.bar_spacing is not in the file" in result.out
