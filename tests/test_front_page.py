"""The front page: one table of names, verbs that take names, paths or values, one kind of result."""

from __future__ import annotations

import builtins
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import parapick as pp
from parapick.belts import Anywhere, Belt, ConveyorLimits, Handling, Item, PickPlace
from parapick.papers import document
from parapick.progress import Progress, tell
from parapick.tuning import SearchEffort
from roomy import roomy
from studies import changed, study_of

ROOT = Path(__file__).parents[1]
VERBS = [
    "adept_cycle",
    "analyse",
    "capability_at",
    "compare",
    "evaluate",
    "export_br",
    "export_c",
    "fastest",
    "hold",
    "identify",
    "import_br",
    "index_map",
    "list_controllers",
    "list_robots",
    "list_studies",
    "list_tasks",
    "load",
    "load_controller",
    "load_study",
    "load_task",
    "plan",
    "plot",
    "read_log",
    "reproduce",
    "run_study",
    "save",
    "simulate",
    "size",
    "supervise",
    "tolerance",
    "tune",
    "verify",
    "workspace",
    "write_report",
]
RESULTS = [
    "Analysis",
    "Answer",
    "Comparison",
    "Evaluation",
    "ExportedC",
    "ExportedProject",
    "Identification",
    "ImportedRobot",
    "IndexMap",
    "PickPlan",
    "Record",
    "Reproduction",
    "Sizing",
    "StudyResult",
    "SupervisedRun",
    "Tunings",
    "Verification",
    "WorkspaceMap",
]
ROOMS = ["capability", "control", "errors"]


def test_type_checkers_read_the_same_names() -> None:
    text = (ROOT / "src/parapick/__init__.py").read_text()
    block = text.partition("if TYPE_CHECKING:\n")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"(\w+) as \1\b", block)) == pp.__all__


def test_only_public_names_are_shown() -> None:
    assert dir(pp) == pp.__all__
    assert not [name for name in dir(pp) if name.startswith("_")]
    pp.load("par4")
    assert dir(pp) == pp.__all__


def test_every_name_is_there_and_described() -> None:
    for name in pp.__all__:
        assert inspect.getdoc(getattr(pp, name)), name
    assert set(VERBS) | set(RESULTS) | set(ROOMS) <= set(pp.__all__)


def test_verbs_share_no_name_with_a_room_or_a_builtin() -> None:
    rooms = {path.stem for path in (ROOT / "src/parapick").iterdir() if path.suffix in ("", ".py")}
    for name in VERBS:
        assert name not in rooms, name
        assert not hasattr(builtins, name), name


def test_rooms_are_rooms() -> None:
    for name in ROOMS:
        assert isinstance(getattr(pp, name), ModuleType)
    with pytest.raises(AttributeError, match="ParameterError"):
        _ = pp.ParameterError


def test_the_page_of_the_api_lists_every_name() -> None:
    page = (ROOT / "docs/api.md").read_text().partition("## parapick.answer")[0]
    assert set(re.findall(r"`(\w+)`", page)) >= set(pp.__all__)


def test_nothing_heavy_is_imported_with_the_page() -> None:
    heavy = ("numpy", "casadi.casadi", "typing")
    code = f"import sys, parapick; parapick.__all__; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "src")},
    )
    assert done.stdout.strip() == "[]"


def work(name: str) -> Any:
    """Arguments behind the robot, of every verb that takes one."""

    return {
        "adept_cycle": ((), {"cycles_per_minute": 100}),
        "analyse": (("adept-120", "pd"), {"points": 1, "measured": ()}),
        "capability_at": (((0.0, 0.0, -0.7, 0.0),), {}),
        "evaluate": (("adept-120",), {"sections": ("reach",)}),
        "fastest": (("adept-120",), {"v_max": "4 m/s"}),
        "index_map": (("conditioning",), {"spacing": "200 mm"}),
        "simulate": (("adept-120", "tsid"), {"settle": "10 ms"}),
        "size": (("adept-120",), {"by": "mass"}),
        "supervise": (("adept-120", "tsid"), {"settle": "10 ms"}),
        "tolerance": (({"limb.arm": "0.05 mm"},), {"samples": 5}),
        "verify": ((), {"states": 1}),
        "workspace": ((), {"spacing": "100 mm", "yaw": "10 deg"}),
    }[name]


@cache
def result(name: str) -> Any:
    """What a verb gives for a robot by its name."""
    args, options = work(name)
    return getattr(pp, name)("par4", *args, **options)


TAKES_ROBOT = [
    "adept_cycle",
    "analyse",
    "capability_at",
    "evaluate",
    "fastest",
    "index_map",
    "simulate",
    "size",
    "supervise",
    "tolerance",
    "verify",
    "workspace",
]


@pytest.mark.parametrize("name", TAKES_ROBOT)
def test_a_verb_takes_a_name_a_path_or_a_model(name: str) -> None:
    verb, (args, options) = getattr(pp, name), work(name)
    path = next(entry.path for entry in pp.list_robots() if entry.name == "par4")
    texts = {repr(verb(robot, *args, **options)) for robot in (path, pp.load("par4"))}
    assert texts == {repr(result(name))}


@pytest.mark.parametrize("name", TAKES_ROBOT)
def test_what_is_no_robot_is_refused(name: str) -> None:
    verb, (args, options) = getattr(pp, name), work(name)
    with pytest.raises(pp.errors.UnknownRobotError, match="par4"):
        verb("par5", *args, **options)
    with pytest.raises(pp.errors.UnknownRobotError, match="adept-120"):
        verb("adept-120", *args, **options)
    with pytest.raises(pp.errors.ParameterError, match="Task"):
        verb(pp.load_task("adept-120"), *args, **options)
    path = next(entry.path for entry in pp.list_tasks() if entry.name == "adept-120")
    with pytest.raises(pp.errors.RobotFileError, match=r"is a task file.*robot file"):
        verb(path, *args, **options)


@pytest.mark.parametrize("name", ["analyse", "evaluate", "fastest", "simulate", "size", "supervise"])
def test_what_is_no_task_is_refused(name: str) -> None:
    verb, ((_, *args), options) = getattr(pp, name), work(name)
    with pytest.raises(pp.errors.UnknownFileError, match="par4"):
        verb("par4", "par4", *args, **options)
    with pytest.raises(pp.errors.ParameterError, match="Model"):
        verb("par4", pp.load("par4"), *args, **options)


@pytest.mark.parametrize("name", ["analyse", "simulate", "supervise", "tune"])
def test_what_is_no_controller_is_refused(name: str) -> None:
    verb = getattr(pp, name)
    with pytest.raises(pp.errors.UnknownFileError, match="adept-120"):
        verb("par4", "adept-120", "adept-120")
    with pytest.raises(pp.errors.ParameterError, match="controller"):
        verb("par4", "adept-120", [7] if name in ("analyse", "tune") else 7)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("fastest", "v_max"),
        ("index_map", "spacing"),
        ("simulate", "settle"),
        ("supervise", "settle"),
        ("tolerance", "spacing"),
        ("workspace", "spacing"),
        ("workspace", "yaw"),
    ],
)
def test_a_text_without_its_unit_is_refused(name: str, option: str) -> None:
    verb, (args, options) = getattr(pp, name), work(name)
    for text, why in (("0.3", "no unit"), ("3 kg", "is not")):
        with pytest.raises(pp.errors.ParameterError, match=f"{option}.*{why}"):
            verb("par4", *args, **{**options, option: text})


def test_numbers_of_a_robot_and_tolerances_need_their_unit() -> None:
    par4 = pp.load("par4")
    assert par4.with_parameters({"limb.arm": "350 mm"}).robot.limb.arm == 0.35
    assert par4.with_parameters({"limb.arm": 0.35}).robot.limb.arm == 0.35
    with pytest.raises(pp.errors.ParameterError, match=r"limb\.arm: '350' has no unit"):
        par4.with_parameters({"limb.arm": "350"})
    with pytest.raises(pp.errors.ParameterError, match="no unit"):
        pp.tolerance(par4, {"limb.arm": "0.05"})
    with pytest.raises(pp.errors.ParapickError, match="no unit"):
        par4.with_payload("0.5")
    with pytest.raises(pp.errors.ParameterError, match="no unit"):
        pp.hold((0.0, 0.0, -0.7, 0.0), "0.2")


@pytest.mark.parametrize("name", sorted(set(TAKES_ROBOT) - {"adept_cycle", "fastest"}))
def test_a_result_has_a_verdict_tables_and_a_short_repr(name: str) -> None:
    check_result(result(name))


@pytest.mark.parametrize("name", ["analyse", "evaluate", "index_map", "tolerance", "verify", "workspace"])
def test_long_work_says_how_far_it_is_and_can_be_cancelled(name: str) -> None:
    (args, options) = work(name)
    seen: list[Progress] = []

    def cancel(progress: Progress) -> None:
        assert progress.what
        seen.append(progress)
        raise pp.errors.CancelledError(str(progress))

    with pytest.raises(pp.errors.CancelledError):
        getattr(pp, name)("par4", *args, **options, progress=cancel)
    assert len(seen) == 1


def check_result(result: Any) -> None:
    """Check what every result of a verb has."""
    assert type(result).__name__ in RESULTS
    assert isinstance(result.ok, bool)
    answer = result.answer()
    assert isinstance(answer, pp.Answer)
    assert repr(result).startswith("<")
    assert len(repr(result)) < 300
    assert "\n" not in repr(result)
    assert "<" in result._repr_html_()
    for table in answer.tables:
        assert list(result.table(table.name).to_pandas().columns) == list(table.names)
    with pytest.raises(pp.errors.ParapickError, match="no table"):
        result.table("nothing of this name")


def plan_on_belts(_folder: Path) -> pp.PickPlan:
    belts = [
        Belt((0.0, -0.2, -0.74), (1.0, 0.0, 0.0), 0.4, window=(-0.3, 0.3)),
        Belt((0.0, 0.2, -0.74), (-1.0, 0.0, 0.0), 0.3, window=(-0.3, 0.3)),
    ]
    work = PickPlace(Handling(0.03, 0.03), Handling(0.03, 0.03), payload=0.3)
    return pp.plan(roomy("par4"), Item(belts[0], -0.2), Anywhere(belts[1]), work, ConveyorLimits(motor_torque=0.8))


def logged(folder: Path) -> Path:
    return pp.save(pp.simulate("par4", "adept-120", "tsid"), folder / "run.csv")


def part_of_a_document(_folder: Path) -> pp.Reproduction:
    whole = document("corbel2010")
    return pp.reproduce(replace(whole, numbers=whole.numbers[:1], errata=(), findings=()))


def small_study(folder: Path) -> pp.StudyResult:
    study = study_of(changed(('count = 4 }\n"limb.arm"', 'count = 2 }\n"limb.arm"')))
    with ThreadPoolExecutor(1) as thread:
        return pp.run_study(study, folder / "study", method="grid", executor=thread, workers=1)


def imported(folder: Path) -> pp.ImportedRobot:
    pp.export_br("delta-4").write(folder)
    return pp.import_br(folder)


def few_gains(_folder: Path) -> pp.Tunings:
    bounds = {"law.poles.frequency": (15.0, 20.0)}
    return pp.tune("par4", "adept-120", "tsid", bounds, effort=SearchEffort(candidates=4, steps=1, polls=1))


OTHER_VERBS: dict[str, Callable[[Path], Any]] = {
    "compare": lambda _: pp.compare(["par4", "delta-r4"], "adept-120", sections=("reach",)),
    "export_br": lambda _: pp.export_br("delta-4"),
    "export_c": lambda _: pp.export_c("delta-4", functions=("inverse_kinematics",)),
    "hold": lambda _: pp.hold((0.0, 0.0, -0.7, 0.0), "200 ms"),
    "identify": lambda folder: pp.identify("par4", logged(folder), cutoff="80 Hz"),
    "import_br": imported,
    "list_controllers": lambda _: pp.list_controllers(),
    "list_robots": lambda _: pp.list_robots(),
    "list_studies": lambda _: pp.list_studies(),
    "list_tasks": lambda _: pp.list_tasks(),
    "load": lambda _: pp.load("par4"),
    "load_controller": lambda _: pp.load_controller("nabat2005-tsid"),
    "load_study": lambda _: pp.load_study("corbel2010-100g"),
    "load_task": lambda _: pp.load_task("adept-120"),
    "plan": plan_on_belts,
    "plot": lambda folder: pp.plot(pp.load("par4"), folder / "par4.svg"),
    "read_log": lambda folder: pp.read_log(logged(folder), "par4"),
    "reproduce": part_of_a_document,
    "run_study": small_study,
    "save": lambda folder: pp.save(pp.load("par4"), folder / "mine.toml"),
    "all_doubts": lambda _: pp.all_doubts(pp.load("par4")),
    "tune": few_gains,
    "write_report": lambda folder: pp.write_report(result("evaluate"), folder, replay=False),
}
"""A call of every verb whose first argument is not a robot to compute with."""

GIVEN = {
    "compare": "Comparison",
    "export_br": "ExportedProject",
    "export_c": "ExportedC",
    "import_br": "ImportedRobot",
    "hold": "Motion",
    "identify": "Identification",
    "load": "Model",
    "load_controller": "Controller",
    "load_study": "Study",
    "load_task": "AdeptTask",
    "plan": "PickPlan",
    "read_log": "Log",
    "reproduce": "Reproduction",
    "run_study": "StudyResult",
    "tune": "Tunings",
}
"""What these give, where it is a type of ours; others give paths or tuples."""


def test_every_verb_is_called() -> None:
    verbs = {name for name in pp.__all__ if isinstance(getattr(pp, name), FunctionType)}
    assert verbs == set(TAKES_ROBOT) | set(OTHER_VERBS)


@pytest.mark.parametrize("name", sorted(OTHER_VERBS))
def test_other_verbs_do_as_documented(name: str, tmp_path: Path) -> None:
    value = OTHER_VERBS[name](tmp_path)
    if isinstance(value, Path):
        assert value.stat().st_size > 0
        assert value.is_relative_to(tmp_path)
    elif isinstance(value, tuple):
        assert bool(value) == name.startswith("list_")
    else:
        assert type(value).__name__ == GIVEN[name]
        # Tasks and controllers are values of a few numbers, and read as they are made.
        assert len(repr(value)) < 300 or name in ("load_controller", "load_task")
    if type(value).__name__ in RESULTS:
        check_result(value)


def test_comparison_counts_robots_and_can_be_cancelled() -> None:
    seen: list[str] = []
    compared = pp.compare(
        ["par4", "delta-r4"], "adept-120", sections=("reach",), progress=lambda p: seen.append(str(p))
    )
    assert seen == ["0 of 2 par4", "1 of 2 delta-r4"]
    assert isinstance(compared.answer(), pp.Answer)
    assert "par4" in compared.quantities.names
    assert compared.ok == compared.answer().ok


def test_evaluation_gives_tables_by_section() -> None:
    evaluation = pp.evaluate("par4", "adept-120", sections=("torque",))
    table = evaluation.table("torque.motors")
    assert table.column("peak") == evaluation["torque"].table("motors").column("peak")
    assert evaluation.ok == evaluation.verdict.ok == evaluation.answer().ok


def test_progress_in_words() -> None:
    assert str(Progress("torque")) == "torque"
    assert str(Progress("designs", 10, 40, 5.0)) == "10 of 40 designs, 5 per second, 6 s left"
    assert Progress("designs", 10, 40, 5.0).left == 6.0
    tell(None, "nobody listens")


def test_a_tuning_that_fails_is_an_error_and_no_text() -> None:
    from parapick.tuning import NoGainsError

    bounds = {"law.kp": (1e7, 1e8), "law.kd": (1e6, 1e7)}
    law = pp.Controller(pp.control.PD(100.0, 10.0))
    tunings = pp.tune("par4", "adept-120", {"stiff": law}, bounds, effort=SearchEffort(candidates=8, steps=1, polls=1))
    assert not tunings.ok
    assert isinstance(tunings.failed["stiff"], NoGainsError)
    with pytest.raises(NoGainsError):
        _ = tunings["stiff"]
    with pytest.raises(pp.errors.ParameterError, match="stiff"):
        _ = tunings["soft"]
    assert not tunings.answer().ok
