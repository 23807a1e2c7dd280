"""A study and `evaluate` asked the same: with the same requirements they never disagree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parapick.evaluation import evaluate
from parapick.evaluation.findings import PEAK, PUSH, RMS, SPEED, axial_forces
from parapick.evaluation.run import Run
from parapick.mechanism.parameters import leaves
from parapick.robots import load_robot
from parapick.study import Study, evaluated, read_study
from parapick.study.account import LEAVABLE
from parapick.study.spreading import spread_designs

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
    if generator.uniform() < 0.5:
        sticking = generator.choice([0.0, 0.05]) * peak
        drive["friction"] = {"coulomb": 0.05 * peak, "stribeck": sticking, "stribeck_speed": 0.1}
    if generator.uniform() < 0.5 or study.file.robot == "delta-linear":
        return {"drive": drive}
    push = float(-axial_forces(run.ride).min())
    # Euler's load of a solid rod, pi^3 E r^4 / (4 L^2), next to the largest push.
    length = float(np.max(model.numbers.limb.rod_length))
    radius = (4 * push * generator.uniform(0.8, 1.6) * length**2 / (np.pi**3 * 70e9)) ** 0.25
    return {"drive": drive, "limb": {"rod_modulus": 70e9, "rod_radius": radius}}


def disagreements(seed: int, count: int) -> tuple[list[str], list[str]]:
    """What study and `evaluate` say of random designs of a random study: all faults, and where they disagree."""
    study = random_study(seed)
    designs = spread_designs(study.space, count, seed)
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
