"""A study and `evaluate` asked the same: with the same requirements they never disagree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parapick.evaluation import evaluate
from parapick.evaluation.load_requirements import PEAK, PUSH, RMS, SPEED, axial_forces, push_requirements
from parapick.evaluation.run import Run, sampling_rate
from parapick.model import Model
from parapick.parameters import leaves
from parapick.ride.ride import Ride
from parapick.ride.samples import Samples
from parapick.robots import load_robot
from parapick.study import Study, evaluated, read_study, run_study, study_answer
from parapick.study.account import LEAVABLE
from parapick.study.path_fold import path_fold, push_fold
from parapick.study.work import Work
from studies import changed, problems_of, study_of

SECTIONS = ("reach", "joints", "torque", "forces")
"""Sections of `evaluate` whose findings are requirements of the motion."""

ROBOTS = ("par4", "delta-linear", "r4-100g", "delta-nr", "delta-r6", "i4", "h4", "delta-4", "heli4", "irb360", "h4-90")


def read(document: dict[str, Any]) -> Study:
    study, problems = read_study({"format": 1, "name": "asked", "methods": [{"kind": "sobol"}], **document}, Path())
    assert study is not None, problems
    return study


def broken(study: Study, design: np.ndarray) -> list[str]:
    """Names of the requirements that `evaluate` says a design does not keep, those aside that the study leaves out."""
    names = []
    for task in study.file.tasks:
        answer = evaluate(study.work.model(design), task, sections=SECTIONS)
        findings = [finding for section in answer.sections for finding in section.findings]
        names += [one.name for one in findings if not one.ok and one.name not in study.work.left_out]
    return names


def random_study(seed: int) -> Study:
    """A robot with ratings next to what a random task asks of it, and lengths around those of its file."""
    generator = np.random.default_rng(seed)
    name, uniform = ROBOTS[seed % len(ROBOTS)], generator.uniform
    numbers = dict(leaves(load_robot(name).robot))
    free = [path for path in ("limb.arm", "limb.rod_length", "base.radius", "plate.radius") if path in numbers]
    task = {"kind": "adept", "cycles_per_minute": uniform(60, 240), "payload": uniform(0, 2)}
    document: dict[str, Any] = {
        "robot": name,
        "parameters": {path: {"from": 0.8 * numbers[path], "to": 1.25 * numbers[path]} for path in free},
        "tasks": [{**task, "width": uniform(0.2, 0.5)}],
        "rate": 400.0,
        "objectives": ["footprint"],
        "requirements": {"leave_out": [one for one in LEAVABLE if uniform() < 0.15]},
    }
    first = read(document)
    design = np.array([numbers[free.path] for free in first.space.free])
    return read({**document, "set": _ratings(first, design, generator)})


def _ratings(study: Study, design: np.ndarray, generator: np.random.Generator) -> dict[str, Any]:
    """Ratings of drives and rods near what a design needs, and friction."""
    model = study.work.model(design)
    run = Run.of(model, study.file.tasks[0].motion(model))
    speed = float(np.nanmax(np.abs(run.ride.joint_speed[:, 0]))) * model.motors.ratio[0]
    if run.no_torque:
        return {"drive": {"peak_speed": speed * generator.uniform(0.9, 1.3)}}
    peak, rms = float(np.abs(run.ride.loads.torque[:, 0]).max()), float(run.ride.rms_torque[0])
    word = "force" if study.file.robot == "delta-linear" else "torque"
    needed = {f"peak_{word}": peak, f"rated_{word}": rms, "peak_speed": speed}
    drive = {own: value * generator.uniform(0.9, 1.4) for own, value in needed.items() if generator.uniform() < 0.6}
    if f"rated_{word}" in drive:
        # No motor gives less for a moment than all along.
        drive[f"peak_{word}"] = max(drive.get(f"peak_{word}", 2.0 * peak), drive[f"rated_{word}"])
    if generator.uniform() < 0.5:
        sticking = generator.choice([0.0, 0.05]) * peak
        drive["friction"] = {"coulomb": 0.05 * peak, "stribeck": sticking, "stribeck_speed": 0.1}
    if generator.uniform() < 0.5 or study.file.robot == "delta-linear":
        return {"drive": drive}
    push = float(-axial_forces(run.ride).min())
    # Euler's load of a solid rod, pi^3 E r^4 / (4 L^2), next to the largest push.
    length = float(np.max(model.numbers.limb.rod_length))
    radius = (4 * push * generator.uniform(0.8, 1.6) * length**2 / (np.pi**3 * 70e9)) ** 0.25
    return {"drive": drive, "limb": {"rod_modulus": 70e9, "rod_radius": radius, "rod_bore": 0.0}}


def disagreements(seed: int, count: int) -> tuple[list[str], list[str]]:
    """What study and `evaluate` say of random designs of a random study: all faults, and where they disagree."""
    study = random_study(seed)
    designs = study.space.ranges.spread(count, seed)
    rows = evaluated(study.work, designs)
    differing = []
    for i, design in enumerate(designs):
        said, asked = str(rows["fault"][i]), [] if rows["fault"][i] == "numbers" else broken(study, design)
        if rows["fault"][i] != "numbers" and bool(said) != bool(asked):
            differing.append(f"{study.file.robot} {design}: study {said!r}, evaluate {asked}")
    return rows["fault"].tolist(), differing


@pytest.mark.parametrize("seed", [0, 1, 2, 10])
def test_a_study_and_evaluate_never_disagree(seed: int) -> None:
    _, differing = disagreements(seed, 6)
    assert not differing


@pytest.mark.soak
def test_50_random_studies_and_evaluate_never_disagree() -> None:
    faults: list[str] = []
    for seed in range(50):
        own, differing = disagreements(seed, 16)
        assert not differing
        faults += own
    # Every kind of requirement was broken by some, and kept by others.
    assert {"", "leg slack", "workspace slack", SPEED, PEAK, RMS, PUSH} <= set(faults)


# What is never left out, and what is


@pytest.mark.parametrize("left_out", [(), LEAVABLE])
def test_a_singular_motion_is_never_left_out(left_out: tuple[str, ...]) -> None:
    """The 90-degree H4 is singular all along the Adept cycle, whatever its motors are rated for."""
    lengths = {"limb.rod_length": {"from": "700 mm", "to": "900 mm"}}
    asked = {"tasks": ["adept-120"], "objectives": ["footprint"], "requirements": {"leave_out": list(left_out)}}
    study = read({"robot": "h4-90", "parameters": lengths, **asked})
    rows = evaluated(study.work, np.array([[0.7], [0.8]]))
    assert rows["fault"].tolist() == ["internal margin"] * 2
    assert "singular" in rows["reason"][0]


def test_a_torque_that_is_not_finite_is_never_left_out() -> None:
    """With a plate of 660 mm the Adept cycle of Par4 passes a singularity."""
    asked = {"tasks": ["adept-120"], "objectives": ["footprint"], "requirements": {"leave_out": list(LEAVABLE)}}
    study = read({"robot": "par4", "parameters": {"plate.radius": ["90 mm", "660 mm"]}, **asked})
    rows = evaluated(study.work, np.array([[0.09], [0.66]]))
    assert rows["feasible"].tolist() == [True, False]
    assert "margin" in rows["fault"][1] or "torque" in rows["fault"][1]


HEAVY = {
    "robot": "par4",
    "tasks": [{"kind": "adept", "cycles_per_minute": 250, "payload": "1 kg"}],
    "objectives": ["peak_torque"],
    "parameters": {"limb.rod_length": ["800 mm", "825 mm"]},
    "methods": [{"kind": "grid"}],
}


def test_a_torque_beyond_its_rating_is_refused_unless_the_file_leaves_it_out(tmp_path: Path) -> None:
    study = read(HEAVY)
    answer = study_answer(study, run_study(study, tmp_path / "kept", workers=1).store)
    assert not answer.ok
    assert f"{PEAK} 2" in answer.refusal
    assert answer.table("designs").column("fault") == (PEAK, PEAK)
    free = read({**HEAVY, "requirements": {"leave_out": [PEAK]}})
    answer = study_answer(free, run_study(free, tmp_path / "free", workers=1).store)
    assert answer.ok
    assert answer.data["left_out"] == [PEAK]
    assert PEAK in answer.summary["left out"]
    model = study.work.model(np.array([0.825]))
    verdict = evaluate(model, study.file.tasks[0], sections=SECTIONS)["torque"].findings[0]
    rows = evaluated(study.work, np.array([[0.825]]))
    assert rows["use"][0] == pytest.approx(verdict.use, rel=1e-6)


@pytest.mark.parametrize("name", ["leg slack", "over-mobility margin", "torque"])
def test_what_cannot_be_left_out_is_refused_with_what_can(name: str) -> None:
    problems = problems_of(changed((f'["{PEAK}"]', f'["{name}"]')))
    assert PEAK in problems["requirements.leave_out.1"]
    assert PUSH in problems["requirements.leave_out.1"]


def test_a_task_beyond_the_stated_workspace_is_refused() -> None:
    """A line 1 mm longer than the cylinder is wide enough for."""
    study = study_of(changed(('end = ["300 mm"', 'end = ["301 mm"')))
    rows = evaluated(study.work, np.array([[0.12, 0.2, 0.5, -0.53]]))
    assert rows["fault"].tolist() == ["workspace slack"]
    assert rows["workspace_slack"][0] == pytest.approx(-1e-3)
    free = changed(('end = ["300 mm"', 'end = ["301 mm"'), (f'["{PEAK}"]', f'["{PEAK}", "workspace slack"]'))
    assert evaluated(study_of(free).work, np.array([[0.12, 0.2, 0.5, -0.53]]))["feasible"].tolist() == [True]


# Folds against the robot along its samples


@pytest.mark.parametrize("robot", ["par4", "delta-linear", "delta-r4"])
def test_folds_are_what_a_robot_leaves_along_its_samples(robot: str) -> None:
    numbers = dict(leaves(load_robot(robot).robot))
    rod = numbers["limb.rod_length"]
    lengths = {"limb.rod_length": {"from": 0.9 * rod, "to": 1.1 * rod}}
    rods = {} if robot == "delta-linear" else {"limb": {"rod_modulus": 70e9}}
    study = read(
        {"robot": robot, "set": rods, "parameters": lengths, "tasks": ["adept-120"], "objectives": ["footprint"]}
    )
    work, designs = study.work, np.array([[0.95 * rod], [1.05 * rod]])
    (series,), all_numbers = work.looked, work.space.numbers(designs)
    path, push = path_fold(work.space.robot, series, all_numbers), push_fold(work.space.robot, series, all_numbers)
    for row, design in enumerate(designs):
        model = work.model(design)
        ride = Ride(model, model_samples(study, model))
        slacks = {one.name.removesuffix(" slack"): one.value for one in ride.path_requirements if one.limit == 0.0}
        assert slacks
        for name, value in slacks.items():
            assert path[name][row] == pytest.approx(value, abs=1e-12)
        region = model.numbers.workspace.slack(ride.samples.x)
        assert path["workspace"][row] == pytest.approx(region[:, 0].min(), abs=1e-12)
        least = min(float(np.min(margin)) for margin in ride.margins.values())
        # A bound from below, and not a useless one.
        assert 0.1 * least <= path["margin"][row] <= least * (1.0 + 1e-9)
        (finding,) = push_requirements(ride)
        assert push[row] == pytest.approx(finding.use, rel=1e-9)


def model_samples(study: Study, model: Model) -> Samples:
    """The samples of the only task at which verdicts are given."""
    motion = study.file.tasks[0].motion(model)
    return motion.sample(sampling_rate(motion.duration), corners=True)


def test_a_margin_is_bounded_by_nothing_where_a_singularity_is_crossed() -> None:
    """Between two samples on both sides of a singularity the determinant changes its sign."""
    study = read(
        {
            "robot": "par4",
            "parameters": {"plate.radius": [0.09, 0.66]},
            "tasks": ["adept-120"],
            "objectives": ["footprint"],
        }
    )
    numbers = study.space.numbers(np.array([[0.09], [0.66]]))
    bounds = path_fold(study.space.robot, study.work.looked[0], numbers)["margin"]
    assert bounds[0] > 0.01
    assert bounds[1] == pytest.approx(0.0, abs=1e-3)


def test_a_row_next_to_a_limit_is_asked_of_evaluate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Far from every limit the folds decide alone; next to one they do not."""
    asked = []
    monkeypatch.setattr(Work, "shortfall", lambda self, design: asked.append(design.tolist()))
    use = float(evaluated(read(HEAVY).work, np.array([[0.8]]))["use"][0])
    for factor, count in ((2.0, 0), (1.0 + 1e-9, 1), (0.5, 0)):
        peak = dict(leaves(load_robot("par4").robot))["drive.peak_torque"]
        rated = {"set": {"drive": {"peak_torque": peak * use * factor}}}
        asked.clear()
        evaluated(read({**HEAVY, **rated}).work, np.array([[0.8]]))
        assert len(asked) == count


# Best designs


BEST = changed(
    (f'leave_out = ["{PEAK}"]', f'leave_out = ["{SPEED}"]'),
    ('["peak_torque"]', '["peak_speed"]\nalso = ["torque_use"]'),
    ("a_max = 981", "a_max = 500"),
    ("points = 512\nstarts = 1", "points = 256\nstarts = 2"),
    ("gravity = 0", 'gravity = 9.81\n"drive.friction.coulomb" = 4.0\n"drive.peak_torque" = 90.0'),
    ('"least-norm"', '"least-peak"'),
)


@pytest.mark.parametrize("method", ["gradient", "grid"])
def test_the_best_design_is_accepted_by_evaluate(method: str, tmp_path: Path) -> None:
    """Also where friction jumps between two samples of the study, and its torque is what holds the design."""
    study = study_of(BEST)
    answer = study_answer(study, run_study(study, tmp_path / "out", method=method, workers=1).store)
    best = answer.data["best"]
    design = np.array([best[free.path] for free in study.space.free])
    assert broken(study, design) == []
    if method == "gradient":
        assert answer.data["searches"] == {"converged": 2}
        limits = {row["limit"]: row["state"] for row in answer.table("limits").records}
        assert limits[PEAK] == "active"


def searched_best(seed: int, folder: Path) -> tuple[Study, Any]:
    """A random study with a search for the least footprint, and its answer."""
    study = random_study(seed)
    document = {**study.document["study"], "methods": [{"kind": "gradient", "points": 64, "starts": 2}]}
    searching = read({name: value for name, value in document.items() if name not in ("format", "name")})
    return searching, study_answer(searching, run_study(searching, folder, workers=1).store)


@pytest.mark.soak
def test_best_designs_of_random_studies_are_accepted_by_evaluate(tmp_path: Path) -> None:
    accepted = 0
    for seed in range(22):
        study, answer = searched_best(seed, tmp_path / str(seed))
        if answer.ok:
            best = answer.data["best"]
            assert broken(study, np.array([best[free.path] for free in study.space.free])) == []
            accepted += 1
    assert accepted >= 8
