"""`verify`: MuJoCo beside a robot, and what it says of one that is wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.cli import main
from parapick.verification import trial_states

FEW = 3


@pytest.mark.parametrize("name", ["par4", "delta-linear", "fivebar-spindle", "delta-r4"])
def test_robots_of_every_kind_agree(name: str) -> None:
    verified = pp.verify(name, states=FEW)
    assert verified.ok
    names = [check.name for check in verified.checks]
    assert {"loops", "joints", "joint rates", "joint accelerations", "torques", "kinetic energy"} <= set(names)
    for check in verified.checks:
        assert check.share <= check.limit
        assert check.reason
    assert verified["torques"].peak > 1.0


@pytest.mark.parametrize(
    ("path", "factor", "shows", "hidden"),
    [
        ("limb.rod_mass", 1.01, {"torques", "kinetic energy", "potential energy"}, {"joints", "joint rates"}),
        ("limb.arm", 1.001, {"joints", "joint rates", "torques"}, {"loops"}),
        ("drive.inertia", 1.01, {"torques", "kinetic energy"}, {"joints", "potential energy"}),
        ("gravity", 1.01, {"torques", "potential energy"}, {"joints", "kinetic energy"}),
    ],
)
def test_another_robot_is_a_no_where_it_differs(path: str, factor: float, shows: set[str], hidden: set[str]) -> None:
    model = pp.load("par4")
    number = model.robot
    for part in path.split("."):
        number = getattr(number, part)
    verified = pp.verify(model, other=model.with_parameters({path: factor * float(number)}), states=FEW)
    assert not verified.ok
    assert not verified.answer().ok
    assert all(not verified[name].ok for name in shows)
    assert all(verified[name].ok for name in hidden)


def test_payload_is_verified_too() -> None:
    loaded = pp.load("par4").with_payload("500 g")
    assert pp.verify(loaded, states=FEW).ok
    assert not pp.verify(loaded, other=pp.load("par4"), states=FEW)["torques"].ok


def test_without_masses_loops_and_joints_are_compared() -> None:
    verified = pp.verify("irb360", states=FEW)
    assert verified.ok
    assert "torques" not in [check.name for check in verified.checks]
    assert any("limb.rod_mass" in text for text in verified.left_out)


def test_rods_as_points_are_compared_without_gravity() -> None:
    verified = pp.verify(pp.load("par4").with_rod_model("halves"), states=FEW)
    assert verified.ok
    assert any("gravity" in note for note in verified.notes)


def test_own_file_without_a_workspace(tmp_path: Path) -> None:
    text = Path(next(entry.path for entry in pp.list_robots() if entry.name == "delta-nr")).read_text()
    head, _, rest = text.partition("[workspace]")
    body = rest.partition("\n[")[2]
    kept = "\n".join(line for line in f"{head}[{body}".splitlines() if not line.startswith('"workspace'))
    (tmp_path / "mine.toml").write_text(kept)
    assert pp.load(tmp_path / "mine.toml").numbers.workspace is None
    assert pp.verify(tmp_path / "mine.toml", states=FEW).ok


def test_answer_names_the_pose_of_every_difference() -> None:
    verified = pp.verify("par4", states=FEW)
    checks, poses = verified.table("checks").records, verified.table("poses")
    assert {row["pose"] for row in checks} <= set(poses.column("pose"))
    assert "par4" in repr(verified)
    assert "checks" not in repr(verified)
    assert "<table" in verified._repr_html_()


def test_progress_and_cancellation() -> None:
    seen: list[pp.Progress] = []

    def listen(progress: pp.Progress) -> None:
        seen.append(progress)
        if progress.done == 2:
            raise pp.errors.CancelledError

    with pytest.raises(pp.errors.CancelledError):
        pp.verify("par4", states=FEW, progress=listen)
    assert [progress.done for progress in seen] == [0, 1, 2]
    assert seen[0].total == 2 * FEW


def test_the_motion_keeps_to_the_drives() -> None:
    model = pp.load("par4")
    states = trial_states(model, 6, driven=True)
    assert np.all(np.abs(model.inverse_dynamics(*states)) <= model.motors.peak_torque * model.motors.ratio)
    assert np.max(np.linalg.norm(states.xdd[:, :3], axis=1)) > 10.0


def test_without_mujoco_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(pp.errors.ParapickError, match=r"parapick\[multibody\]"):
        pp.verify("par4")


@pytest.mark.parametrize("states", [0, -1])
def test_no_states_are_refused(states: int) -> None:
    with pytest.raises(pp.errors.ParameterError, match="states"):
        pp.verify("par4", states=states)


def test_an_unknown_check_is_refused() -> None:
    with pytest.raises(pp.errors.ParameterError, match="torques"):
        pp.verify("par4", states=FEW)["temperature"]


def test_command_says_yes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "par4", "--states", str(FEW)]) == 0
    assert capsys.readouterr().out.startswith("YES")


def test_command_says_no_of_another_robot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = pp.load("par4")
    heavier = model.with_parameters({"limb.rod_mass": 1.01 * model.robot.limb.rod_mass})
    file = pp.save(heavier, tmp_path / "heavier.toml")
    assert main(["verify", "par4", "--states", str(FEW), "--other", str(file), "--json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    rows = printed["tables"]["checks"]["rows"]
    agrees = {row["quantity"]: row["agrees"] for row in rows}
    assert agrees["joints"]
    assert not agrees["torques"]
    assert printed["settings"]["other"] == str(file)


def test_command_refuses_another_robot_with_other_motors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "par4", "--other", "delta-nr"]) == 2
    error = capsys.readouterr().err
    assert "--other" in error
    assert "3 motors" in error


def test_command_refuses_what_is_no_robot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "adept-120"]) == 2
    assert main(["verify", "par4", "--states", "0"]) == 2
    assert "--states" in capsys.readouterr().err
