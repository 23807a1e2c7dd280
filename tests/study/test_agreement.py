"""What a study says of its best robot, asked of the other rooms: its file evaluated, mapped, timed and looked at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from parapick.capability.index import index_of
from parapick.capability.index_types import IndexOptions
from parapick.capability.map import index_map
from parapick.evaluation import evaluate
from parapick.model import Model
from parapick.robots import load_robot
from parapick.study import StudyRows, evaluated, run_study, study_answer, write_best_robots
from parapick.study.worst_points import worst_points
from studies import changed, study_of

PAYLOAD = 0.25
FOUND = changed(
    ('["peak_torque"]', '["peak_torque"]\nalso = ["energy", "rms_torque", "peak_speed", "acceleration", "stiffness"]'),
    ("gravity = 0", 'gravity = 9.81\ngripper = { mass = 0.15, offset = [0, 0, "-40 mm"] }'),
    ("rate = 1000", "rate = 2000"),
    ('"least-norm"', '"least-peak"'),
    ("points = 512\nstarts = 1", "points = 256\nstarts = 1"),
)


@pytest.fixture(scope="module")
def best(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, Model, dict[str, float]]:
    """The study, the robot of its file, and what the study says of it."""
    study, folder = study_of(FOUND), tmp_path_factory.mktemp("found") / "out"
    store = run_study(study, folder, method="gradient", workers=1).store
    write_best_robots(study, store)
    answer = study_answer(study, store)
    model = Model(load_robot(folder / "small-1.toml").robot)
    assert model.gripper.mass == 0.15
    found = answer.data["best"]
    assert isinstance(found, dict)
    return study, model, found


def test_evaluate_says_the_same(best: tuple[object, Model, dict[str, float]]) -> None:
    study, model, said = best
    made = evaluate(model, study.file.tasks[0], payload=PAYLOAD, sections=("torque", "power"))
    motors = made["torque"].table("motors")
    assert max(motors.column("peak")) == pytest.approx(said["peak_torque"], rel=1e-3)
    assert max(motors.column("RMS")) == pytest.approx(said["rms_torque"], rel=1e-3)


def test_the_map_says_the_same(best: tuple[object, Model, dict[str, float]]) -> None:
    _, model, said = best
    for name in ("acceleration", "stiffness"):
        found = index_map(model.with_payload(PAYLOAD), index_of(name), options=IndexOptions())
        # The study looks at few points, the map at many: the worst is at the rim, which both have.
        assert np.nanmin(found.values) == pytest.approx(said[name], rel=2e-3)


def test_the_whole_solid_is_reached(best: tuple[object, Model, dict[str, float]]) -> None:
    study, model, said = best
    region = model.numbers.workspace
    generator = np.random.default_rng(18)
    radius = region.radius * np.sqrt(generator.uniform(size=20_000))
    azimuth = generator.uniform(0.0, 2.0 * np.pi, 20_000)
    z = generator.uniform(region.z_min, region.z_max, 20_000)
    assert model.reach(np.stack([radius * np.cos(azimuth), radius * np.sin(azimuth), z], axis=1)).ok.all()
    design = np.array([said[free.path] for free in study.space.free])
    assert min(point.left for point in worst_points(study.work, design)) >= 0.0


def test_a_rim_alone_accepts_what_the_solid_refuses() -> None:
    """The largest joint angle is inside the cylinder: a design that keeps it on the rim does not keep it all over."""
    rim = study_of(changed(("points = [3, 8, 2]", "points = [1, 48, 2]")))
    solid = study_of(changed(("points = [3, 8, 2]", "points = [7, 48, 2]")))
    designs = np.array([[0.12, 0.2, 0.46, z] for z in np.linspace(-0.5, -0.4, 101)])
    on_rim, all_over = evaluated(rim.work, designs)["feasible"], evaluated(solid.work, designs)["feasible"]
    only_rim = np.flatnonzero(on_rim & ~all_over)
    assert len(only_rim)
    assert not (all_over & ~on_rim).any()
    worst = min(worst_points(rim.work, designs[only_rim[0]]), key=lambda point: point.left)
    assert worst.left < 0.0
    assert np.hypot(*worst.point[:2]) < 0.95


def test_a_limit_that_is_missed_between_the_points_is_said(tmp_path: Path) -> None:
    study = study_of(changed(("points = [3, 8, 2]", "points = [1, 4, 2]"), ("best = 1", "best = 0")))
    answer = study_answer(study, run_study(study, tmp_path / "out", method="sobol", workers=1).store)
    assert "broken" in answer.table("limits").column("state")
    assert "largest 25 deg" in answer.notes[0]


FASTEST = changed(
    ('["peak_torque"]', '["cycle_time"]'),
    ('law = { name = "pulse", lam = 0.73 }\nv_max = 11\na_max = 981', 'timing = "fastest"\nthere_and_back = true'),
    ('kind = "gradient"\npoints = 512\nstarts = 1', 'kind = "tpe"\npoints = 6\nspread = 6'),
    ("gravity = 0", "gravity = 9.81\ngripper = { mass = 0.15 }"),
    ("reach = {", 'cycle_time = { at_most = "0.3 s" }\nreach = {'),
    ('"limb.arm" = { from = "180 mm", to = "270 mm", count = 4 }', '"limb.arm" = ["200 mm", "225 mm"]'),
    ('{ from = "450 mm", to = "650 mm", count = 4 }', '["500 mm", "550 mm"]'),
    ('{ from = "80 mm", to = "240 mm", count = 4 }', '["120 mm", "160 mm"]'),
    ('{ from = "-850 mm", to = "-250 mm", step = "100 mm" }', '["-530 mm", "-560 mm"]'),
)


def test_a_cycle_time_is_that_of_the_robot_file(tmp_path: Path) -> None:
    study = study_of(FASTEST)
    store = run_study(study, tmp_path / "out", workers=1).store
    said = study_answer(study, store).data["best"]["cycle_time"]
    (file,) = write_best_robots(study, store).files
    model = Model(load_robot(file).robot)
    loaded = model.with_payload(PAYLOAD).with_sharing(study.file.sharing)
    motion = study.file.tasks[0].motion(loaded)
    assert said == pytest.approx(motion.duration, rel=1e-9)
    rows = StudyRows.of(study, store)
    assert rows.rows["cycle_time"][rows.feasible].max() <= 0.3
