"""`plot` and `save`: every type has its figures and files, and what has none says what has."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick import result_files
from parapick.export import read_record
from parapick.identification import changed_model
from parapick.inspection import read_samples
from parapick.parquet import read_head
from parapick.result_files import _DRAWN, _WRITTEN

TASK = "adept-120"


@cache
def given(name: str) -> Any:
    """A small value of a type."""
    return {
        "Analysis": lambda: pp.analyse("par4", TASK, "pd", points=1, measured=()),
        "Evaluation": lambda: pp.evaluate("par4", TASK, sections=("reach",)),
        "IndexMap": lambda: pp.index_map("par4", "conditioning", spacing="200 mm"),
        "Model": lambda: pp.load("par4"),
        "Motion": lambda: pp.adept_cycle("par4", cycles_per_minute=120),
        "Record": lambda: pp.simulate("par4", TASK, "tsid"),
        "SupervisedRun": lambda: pp.supervise("par4", TASK, "tsid"),
        "WorkspaceMap": lambda: pp.workspace("par4", spacing="100 mm", yaw="0 deg"),
    }[name]()


@pytest.fixture(scope="module")
def identified(tmp_path_factory: pytest.TempPathFactory) -> pp.Identification:
    log = pp.save(given("Record"), tmp_path_factory.mktemp("log") / "run.csv")
    return pp.identify("par4", log)


@pytest.mark.parametrize("name", ["Analysis", "IndexMap", "Model", "Record", "SupervisedRun", "WorkspaceMap"])
def test_results_are_drawn(name: str, tmp_path: Path) -> None:
    drawn = pp.plot(given(name), tmp_path / "figure.SVG")
    assert drawn.read_text().count("<path") > 10


def test_a_motion_is_drawn_with_its_robot(tmp_path: Path) -> None:
    assert pp.plot(given("Motion"), tmp_path / "motion.png", robot="par4").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(pp.errors.ParameterError, match="which robot"):
        pp.plot(given("Motion"), tmp_path / "motion.png")
    with pytest.raises(pp.errors.ParameterError, match="goes with a Motion"):
        pp.plot(given("Record"), tmp_path / "record.png", robot="par4")


def test_an_identification_is_drawn_and_saved_as_its_robot(identified: pp.Identification, tmp_path: Path) -> None:
    assert pp.plot(identified, tmp_path / "residual.pdf").read_bytes().startswith(b"%PDF")
    saved = pp.load(pp.save(identified, tmp_path / "identified.toml"))
    assert saved.robot == changed_model(identified).robot
    unlike = replace(identified, log=replace(identified.log, torque=3.0 * identified.log.torque))
    assert not unlike.ok
    with pytest.raises(pp.errors.ParapickError, match="not believed"):
        pp.save(unlike, tmp_path / "unlike.toml")
    assert not (tmp_path / "unlike.toml").exists()


def test_several_are_drawn_side_by_side(tmp_path: Path) -> None:
    record, run = given("Record"), given("SupervisedRun")
    for several in ({"one": record, "two": record}, {"one": run, "two": run}):
        assert "two" in pp.plot(several, tmp_path / "several.svg").read_text()
    with pytest.raises(pp.errors.ParameterError, match="all are Records"):
        pp.plot({"one": record, "two": run}, tmp_path / "several.svg")
    with pytest.raises(pp.errors.ParameterError, match="all are Records"):
        pp.plot({}, tmp_path / "several.svg")


@pytest.mark.parametrize("value", [7, "par4", None], ids=repr)
def test_what_is_no_result_says_what_is(value: object, tmp_path: Path) -> None:
    for verb, file in ((pp.plot, "x.png"), (pp.save, "x.json")):
        with pytest.raises(pp.errors.ParameterError, match=r"result.*Record"):
            verb(value, tmp_path / file)
    assert not list(tmp_path.iterdir())


def test_a_type_of_another_package_with_a_name_of_ours_is_refused(tmp_path: Path) -> None:
    class Record:
        def answer(self) -> None:
            raise AssertionError

    with pytest.raises(pp.errors.ParameterError, match="not saved"):
        pp.save(Record(), tmp_path / "x.json")


def test_an_evaluation_has_no_figure_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(pp.errors.ParameterError, match="Evaluation, which has no figure"):
        pp.plot(given("Evaluation"), tmp_path / "x.png")


@pytest.mark.parametrize(
    ("name", "file", "valid"),
    [
        ("Record", "x.xlsx", ".csv"),
        ("IndexMap", "x", ".parquet"),
        ("WorkspaceMap", "x.csv", ".json"),
        ("Evaluation", "x.toml", ".html"),
        ("Motion", "x.parquet", ".csv"),
        ("Model", "x.json", ".toml"),
    ],
)
def test_another_ending_says_which_are_valid(name: str, file: str, valid: str, tmp_path: Path) -> None:
    with pytest.raises(pp.errors.ParapickError, match=rf"\{valid}"):
        pp.save(given(name), tmp_path / file)
    with pytest.raises(pp.errors.ParameterError, match=r"\.svg"):
        pp.plot(given(name), tmp_path / "x.gif")
    assert not list(tmp_path.iterdir())


def test_robots_and_controllers_are_read_back(tmp_path: Path) -> None:
    longer = given("Model").with_parameters({"limb.arm": "360 mm"})
    file = pp.save(longer, tmp_path / "longer.toml", sources={"limb.arm": "measured"})
    assert pp.load(file).robot == longer.robot
    assert "measured" in file.read_text()
    controller = pp.load_controller("nabat2005-tsid")
    assert pp.load_controller(pp.save(controller, tmp_path / "own.toml")) == controller


def test_tunings_are_saved_one_by_one(tmp_path: Path) -> None:
    from parapick.tuning import SearchEffort

    effort = SearchEffort(candidates=4, steps=1, polls=1)
    bounds = {"law.poles.frequency": (15.0, 20.0)}
    tunings = pp.tune("par4", TASK, ["pd", "tsid"], bounds, effort=effort)
    with pytest.raises(pp.errors.ParameterError, match="pd, tsid"):
        pp.save(tunings, tmp_path / "tuned.toml")
    pd = tunings["pd"]
    assert pp.load_controller(pp.save(pd, tmp_path / "pd.toml")) == pd.controller
    alone = replace(tunings, by_name={"pd": pd})
    assert pp.load_controller(pp.save(alone, tmp_path / "pd.toml")) == pd.controller


def test_a_record_is_read_back(tmp_path: Path) -> None:
    record = given("Record")
    for file in ("run.csv", "run.parquet"):
        assert np.array_equal(read_record(pp.save(record, tmp_path / file)).q, record.q)


def test_a_map_has_every_point(tmp_path: Path) -> None:
    index_map = given("IndexMap")
    lines = pp.save(index_map, tmp_path / "map.csv").read_text().splitlines()
    assert len(lines) == 1 + index_map.values.size
    head = read_head(pp.save(index_map, tmp_path / "map.parquet"))
    assert head.rows == index_map.values.size


def test_a_motion_is_saved_alone_or_as_a_cam_table(tmp_path: Path) -> None:
    motion, par4 = given("Motion"), given("Model")
    file = pp.save(motion, tmp_path / "motion.csv", sample_rate="200 Hz")
    samples = read_samples(str(file), par4.robot).samples
    assert np.allclose(samples.x, motion.at(samples.t).x, atol=1e-12)
    assert len(samples.t) == round(200 * motion.duration) + 1
    cam = pp.save(motion, tmp_path / "cam.csv", robot="par4", sample_rate=100.0).read_text().splitlines()
    assert len(cam) == 1 + round(100 * motion.duration) + 1
    assert "q1" in cam[0]
    for rate in (0.0, -1.0, float("nan"), 1e12):
        with pytest.raises(pp.errors.ParameterError, match="sample_rate"):
            pp.save(motion, tmp_path / "cam.csv", sample_rate=rate)
    with pytest.raises(pp.errors.ParameterError, match="no unit"):
        pp.save(motion, tmp_path / "cam.csv", sample_rate="100")


def test_an_evaluation_is_a_report_or_numbers(tmp_path: Path) -> None:
    evaluation = given("Evaluation")
    assert "par4" in pp.save(evaluation, tmp_path / "report.html").read_text()
    numbers = json.loads(pp.save(evaluation, tmp_path / "numbers.json").read_text())
    assert set(numbers["sections"]) == {section.key for section in evaluation.sections}


@pytest.mark.parametrize("name", ["Analysis", "SupervisedRun", "WorkspaceMap"])
def test_every_answer_is_saved_as_json(name: str, tmp_path: Path) -> None:
    result = given(name)
    saved = json.loads(pp.save(result, tmp_path / "answer.json").read_text())
    assert saved["headline"] == result.answer().first_line
    assert set(saved["tables"]) == {table.name for table in result.answer().tables}


def test_a_file_of_another_kind_is_never_replaced(tmp_path: Path) -> None:
    robot = pp.save(given("Model"), tmp_path / "mine.toml")
    before = robot.read_bytes()
    with pytest.raises(pp.errors.ParapickError, match="is a robot file"):
        pp.save(pp.load_controller("nabat2005-tsid"), robot)
    assert robot.read_bytes() == before
    record = pp.save(given("Record"), tmp_path / "run.csv")
    with pytest.raises(pp.errors.ParapickError, match="is a record"):
        pp.save(given("IndexMap"), record)


def test_sources_are_those_of_a_robot(tmp_path: Path) -> None:
    with pytest.raises(pp.errors.ParameterError, match="sources"):
        pp.save(given("Record"), tmp_path / "run.csv", sources={"limb.arm": "measured"})


def test_a_robot_that_does_not_reach_its_home_is_not_drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("parapick.report.robot_picture", lambda _model: None)
    with pytest.raises(pp.errors.ParameterError, match="home"):
        pp.plot(given("Model"), tmp_path / "x.png")


def test_the_page_and_the_tables_name_the_same_types() -> None:
    page = (Path(__file__).parents[1] / "docs" / "api.md").read_text()
    section = page.partition("### Figures and files")[2].partition("### Long work")[0]
    for name in {*_DRAWN, *_WRITTEN, "Motion", "Model"}:
        assert f"`{name}`" in section, name
        assert hasattr(pp, name)
    assert result_files.__all__ == ["plot", "save"]
