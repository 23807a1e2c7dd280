"""Counts beyond their limits are refused where they are read, at once, with the largest valid value."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.accuracy.tolerance_answer import tolerance
from parapick.analysis.analysing import analyse
from parapick.capability.map import index_map
from parapick.capability.map_region import lattice
from parapick.capability.reachable import workspace
from parapick.control import Controller, Poles, TaskSpaceID
from parapick.errors import ParameterError, ParapickError
from parapick.evaluation import compare, evaluate
from parapick.limits import MOST, count_objection
from parapick.study import run_study
from parapick.tasks import TASKS, task_kinds as tasks
from studies import SMALL, changed, problems_of, study_of

SECOND = 1.0
"""CPU time (s) within which a count is refused."""


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return pp.load("par4")


@pytest.mark.parametrize(
    ("old", "new", "path", "largest"),
    [
        ('step = "100 mm"', 'step = "1e-12 m"', "parameters.workspace.z_min.step", "1000000"),
        ("count = 4", "count = 1000000000", "parameters.limb.arm.count", "1000000"),
        ("count = 4", f"count = 1{'0' * 60}", "parameters.limb.arm.count", "1000000"),
        ("points = 1024", "points = 1000000000000", "methods.2.points", "10000000"),
        ("rounds = 8", "rounds = 1000000000", "methods.2.rounds", "10000"),
        ("points = 1024\nrounds = 8", "points = 10000000\nrounds = 10000", "methods.2", "20000000"),
        ("starts = 1", "starts = 1000000000", "methods.3.starts", "10000"),
        ("starts = 1", "steps = 1000000000", "methods.3.steps", "100000"),
        ("starts = 1", "front = 1000000000", "methods.3.front", "10000"),
        ("starts = 1", f"seed = 1{'0' * 30}", "methods.3.seed", "4294967295"),
        ("[3, 8, 2]", "[10000, 10000, 10000]", "requirements.reach.points", "1000000"),
        ("[3, 8, 2]", "[1000000000, 1, 1]", "requirements.reach.points.1", "1000000"),
        ("chunk = 64", "chunk = 1000000000", "chunk", "1000000"),
        ("best = 1", "best = 1000000000", "best", "1000"),
        ("count = 4", "count = 100000", "methods.1", "20000000"),
        ("rate = 1000", "rate = 1e9", "tasks.1", "200000"),
        ("v_max = 11", "v_max = 1e-4", "tasks.1", "200000"),
        ("rate = 1000", "rate = 1e300", "rate", "1e+09"),
    ],
)
def test_counts_of_study_files(old: str, new: str, path: str, largest: str) -> None:
    start = time.process_time()
    problems = problems_of(changed((old, new)))
    assert time.process_time() - start < SECOND
    assert largest in problems[path]


def test_a_number_that_follows_a_table_is_a_message() -> None:
    for of in ("[{ a = 1 }]", "{ a = 1 }", "[[1]]", "[1, 2]", "true"):
        text = changed(('of = "workspace.z_min", plus = "100 mm"', f"of = {of}"))
        assert "not a number of this robot" in problems_of(text)["dependent.workspace.z_max.of"]


def test_files_of_one_design_each() -> None:
    text = changed(("chunk = 64", "chunk = 1"), ("points = 1024", "points = 2000000"), ("rounds = 8", "rounds = 1"))
    assert "at most 1000000" in problems_of(text)["methods.2"]


def test_the_largest_values_are_valid() -> None:
    text = changed(
        ("rounds = 8", f"rounds = {MOST['designs'] // MOST['points']}"),
        ("points = 1024", f"points = {MOST['points']}"),
        ("chunk = 64", f"chunk = {MOST['chunk']}"),
        ("best = 1", f"best = {MOST['best']}"),
        ("[3, 8, 2]", "[100, 100, 100]"),
    )
    study = study_of(text)
    assert study.work.counts == (100, 100, 100)


def _integers(schema: Any, path: str = "") -> Iterator[str]:
    """Places in a JSON Schema of whole numbers without a largest value."""
    if isinstance(schema, dict):
        if schema.get("type") == "integer" and "maximum" not in schema:
            yield path
        for key, value in schema.items():
            yield from _integers(value, f"{path}.{key}")
    elif isinstance(schema, list):
        for value in schema:
            yield from _integers(value, path)


def test_every_count_of_every_file_has_a_limit() -> None:
    from parapick.control.files import CONTROLLERS
    from parapick.study import STUDIES

    # A delay has its limit in the check of the controller; signs and rods of robots in theirs.
    for schema in (STUDIES.schema(), TASKS.schema(), CONTROLLERS.schema()):
        assert [path for path in _integers(schema) if not path.endswith((".format", ".delay"))] == []


# Options of commands


def test_maps_and_grids(par4: pp.Model) -> None:
    for ask, finer in (
        (lambda step: index_map(par4, "acceleration", spacing=step), 1e-9),
        (lambda step: index_map(par4, "cycle-time", spacing=step), 1e-3),
        (lambda step: tolerance(par4, {"limb.rod_length": 5e-5}, spacing=step), 1e-3),
        (lambda step: workspace(par4, spacing=step), 1e-12),
    ):
        start = time.process_time()
        with pytest.raises(ParameterError, match="give at least") as caught:
            ask(finer)
        assert time.process_time() - start < SECOND
        assert caught.value.path == "spacing"


def test_the_spacing_that_is_named_is_valid_and_hardly_too_large(par4: pp.Model) -> None:
    for finer in (1e-9, 1e-4, 1e-3):
        with pytest.raises(ParameterError) as caught:
            lattice(par4.robot, spacing=finer, most=20_000)
        named = float(re.findall(r"at least ([0-9.e+-]+) mm", caught.value.message)[0]) / 1e3
        assert np.prod(lattice(par4.robot, spacing=named, most=20_000).shape) <= 20_000
        with pytest.raises(ParameterError):
            lattice(par4.robot, spacing=0.85 * named, most=20_000)
    with pytest.raises(ParameterError, match="points: makes"):
        lattice(par4.robot, points=(1000, 1000, 1000, 10))


def test_workspace_says_how_far_it_is(par4: pp.Model) -> None:
    steps: list[pp.Progress] = []
    workspace(par4, spacing=0.05, progress=steps.append)
    assert steps[-1].done == steps[-1].total
    assert steps[-1].done > 1000


def test_robots_that_are_drawn(par4: pp.Model) -> None:
    for name, count in (("samples", 100_000_000), ("samples", 10**40), ("seed", 10**40)):
        with pytest.raises(ParameterError, match=f"at most {MOST[name]}") as caught:
            tolerance(par4, {"limb.rod_length": 5e-5}, **{name: count})
        assert caught.value.path == name


def test_instants_of_an_analysis(par4: pp.Model) -> None:
    motion = pp.adept_cycle(par4, cycles_per_minute=120)
    with pytest.raises(ParameterError, match=f"at most {MOST['instants']}"):
        analyse(
            par4, motion, {"tsid": Controller(TaskSpaceID(poles=Poles(frequency=20.0)), name="tsid")}, points=10_000_000
        )


@pytest.mark.parametrize("pace", [1e300, 1e13, 1e-13, 5e-324])
def test_paces(par4: pp.Model, pace: float) -> None:
    for ask in (
        lambda: evaluate(par4, "adept-120", cycles_per_minute=pace),
        lambda: evaluate(par4, cycles_per_minute=pace),
        lambda: compare([par4, par4.with_payload(0.1)], "adept-120", cycles_per_minute=pace),
        lambda: pp.adept_cycle(par4, cycles_per_minute=pace),
    ):
        with pytest.raises(ParapickError, match=r"cycles_per_minute: is .*; it must be at (most|least) 1e"):
            ask()


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_of_exciting_motions(par4: pp.Model, seed: int) -> None:
    from parapick.identification.excitation import exciting_motion

    with pytest.raises(ParameterError, match="seed: is"):
        exciting_motion(par4, (), duration=8.0, seed=seed)


def test_workers(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="at most 1024"):
        run_study(study_of(SMALL), tmp_path, workers=10**6)


@pytest.mark.parametrize("grid", ["columns = 10000000000000000000000", "columns = 1000, rows = 1000"])
def test_places_of_a_pattern(grid: str) -> None:
    import tomllib

    path = next(entry.path for entry in pp.tasks.list_tasks() if entry.name == "tray")
    text = re.sub(r"columns = \d+, rows = \d+", grid, path.read_text())
    start = time.process_time()
    task, problems = tasks.read_task(tomllib.loads(text))
    assert task is None
    assert any("at most 10000" in problem.message for problem in problems)
    assert time.process_time() - start < SECOND


def test_the_table_of_limits() -> None:
    assert count_objection("designs", 2e7) is None
    assert count_objection("designs", 1e9) == "is 1000000000; it must be at most 20000000"
    assert all(isinstance(most, int) and most > 0 for most in MOST.values())
