"""`size`: the best pairs are those of `evaluate`, rotors count as in robot files, and what rejects others is named."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MissingMassError, ParameterError
from parapick.mechanism import Drive
from parapick.ride import Ride
from parapick.sizing import CataloguePart, Pair, SizedTask, Sizing, pair_rows, read_catalogue
from parapick.sizing.pair_designs import split
from parts_catalogues import MOTORS, write_catalogue

TASK = "adept-120"
RATINGS = {"rated_torque": 3.0, "peak_torque": 9.0, "peak_speed": 600.0}
AGREEMENT = 1e-9
"""Share of the peak by which folds and `evaluate` may differ."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_catalogue(tmp_path_factory.mktemp("catalogue"))


@pytest.fixture(scope="module")
def sized(folder: Path) -> Sizing:
    return pp.size("par4", TASK, catalogue=folder)


@pytest.fixture(scope="module")
def lossless() -> tuple[SizedTask, list[Pair]]:
    """Pairs without losses, whose torques have no jumps: folds and rides look at the same instants."""
    model = pp.load("par4")
    task = SizedTask(model, TASK, pp.evaluate(model, TASK, sections=()).motion)
    chance = np.random.default_rng(7)
    motors = [
        CataloguePart(f"m{i}", "", i, {**RATINGS, "inertia": float(j)})
        for i, j in enumerate(chance.uniform(5e-5, 5e-4, 4))
    ]
    boxes = [
        CataloguePart(f"g{i}", "", i, {"ratio": float(r), "gearbox_inertia": float(r) * 1e-6})
        for i, r in enumerate(chance.uniform(8.0, 30.0, 4))
    ]
    return task, [Pair(motor, box) for motor in motors for box in boxes]


def test_the_ten_best_equal_evaluate(lossless: tuple[SizedTask, list[Pair]]) -> None:
    task, pairs = lossless
    rows = pair_rows(task, pairs)
    best = sorted(range(len(pairs)), key=lambda place: rows.columns["energy"][place])[:10]
    for place in best:
        ride = ride_of(task, pairs[place])
        loads = ride.loads
        expected = {
            "peak_torque": np.abs(loads.torque).max(),
            "rms_torque": ride.rms_torque.max(),
            "peak_speed": np.abs(loads.speed).max(),
            "energy": np.trapezoid(np.maximum((loads.torque * loads.speed).sum(axis=1), 0.0), loads.t),
            "heat_use": ride.rms_torque.max() / 3.0,
        }
        for name, value in expected.items():
            assert rows.columns[name][place] == pytest.approx(value, rel=AGREEMENT), name


def ride_of(task: SizedTask, pair: Pair) -> Ride:
    from parapick.evaluation import Run

    return Run.of(task.with_pair(pair), task.motion).ride


def test_the_best_pairs_are_in_the_order_of_evaluate(sized: Sizing) -> None:
    """Energy of the ride of each, with losses, against its place in the table."""
    energies = []
    for pair in sized.best:
        loads = pair.run.ride.loads
        bus = np.maximum((loads.torque * loads.speed).sum(axis=1), 0.0)
        energies.append(float(np.trapezoid(bus, loads.t)))
        assert pair.run.requirements
        assert all(requirement.ok for requirement in pair.run.requirements)
    assert energies == sorted(energies)
    assert sized.table("best").column("energy") == pytest.approx(energies, rel=1e-3)


def test_rotors_count_as_in_a_robot_file_written_with_them(tmp_path: Path) -> None:
    """A direct drive with the inertia ratio^2 (J + J_gearbox) gives the joints the same torques."""
    turning = {"inertia": 2e-4, "brake.inertia": 3e-5, "encoder_inertia": 1e-6}
    motor = CataloguePart("m", "", 1, {"peak_torque": 50.0, **turning})
    box = CataloguePart("g", "", 1, {"ratio": 12.0, "gearbox_inertia": 5e-5})
    model = pp.load("par4")
    reflected = 12.0**2 * (2e-4 + 3e-5 + 1e-6 + 5e-5)
    pp.save(pp.Model(replace(model.robot, drive=Drive(peak_torque=600.0, inertia=reflected))), tmp_path / "direct.toml")
    direct = pp.evaluate(tmp_path / "direct.toml", TASK, sections=("torque",))
    task = SizedTask(model, TASK, direct.motion)
    (peak,) = pair_rows(task, [Pair(motor, box)]).columns["peak_torque"]
    most = max(direct.table("torque.motors").column("peak"))
    assert 12.0 * peak == pytest.approx(most, rel=AGREEMENT)


def test_every_pair_is_ranked_or_rejected_and_every_rejection_is_that_of_evaluate(sized: Sizing) -> None:
    best, rejected = sized.table("best"), sized.table("rejected")
    assert len(best.rows) + len(rejected.rows) == len(sized.rows.pairs)
    for row in rejected.records:
        pair = next(p for p in sized.rows.pairs if (p.motor.name, p.gearbox.name) == (row["motor"], row["gearbox"]))
        evaluation = pp.evaluate(sized.task.with_pair(pair), sized.task.motion, sections=("torque", "joints", "forces"))
        broken = {finding.name for section in evaluation.sections for finding in section.findings if not finding.ok}
        assert row["requirement"] in broken


@pytest.mark.parametrize(
    ("by", "column"), [("cost", "price"), ("mass", "mass"), ("energy", "energy"), ("reserve", "use")]
)
def test_what_is_asked_for_is_what_is_least(folder: Path, by: str, column: str) -> None:
    values = pp.size("par4", TASK, catalogue=folder, by=by).table("best").column(column)
    assert len(values) > 1
    assert list(values) == sorted(values)


def test_by_pace_the_quickest_comes_first(folder: Path) -> None:
    sizing = pp.size("par4", TASK, catalogue=folder, by="pace")
    paces = sizing.table("best").column("cycles_per_minute")
    assert list(paces) == sorted(paces, reverse=True)
    said = pp.evaluate(sizing.robot(), TASK, sections=("fastest",)).paces
    assert paces[0] == pytest.approx(max(said.timed.per_minute, said.own_law.per_minute), rel=1e-9)


def test_prices_and_masses_are_those_of_all_arms(sized: Sizing) -> None:
    row = next(row for row in sized.table("best").records if (row["motor"], row["gearbox"]) == ("middle", "ten"))
    assert row["price"] == pytest.approx(4 * (400 + 290))
    assert row["mass"] == pytest.approx(4 * (2.5 + 1.5))


def test_the_makers_own_choice_does_the_makers_task() -> None:
    """The maker's motor and gearbox in the maker's robot on the maker's kind of cycle."""
    maker = replace(read_catalogue(), pairs=(("8LSA44", "codian-28"),))
    sizing = pp.size("codian-d4-1100", "abb-cycle", catalogue=maker)
    assert sizing.ok
    ours, theirs = sizing.robot().motors, pp.load("codian-d4-1100").motors
    assert ours.inertia == pytest.approx(theirs.inertia, rel=1e-12)
    assert ours.coulomb == pytest.approx(theirs.coulomb, rel=1e-12)
    (row,) = sizing.table("best").records
    assert 40.0 < row["winding"] < 110.0
    assert row["inertia_ratio"] > 0.0
    # The rests of this cycle last as long at every pace, here as in `evaluate`.
    said = pp.evaluate(sizing.robot(), "abb-cycle", sections=("fastest",)).paces
    assert sizing.best[0].context.paces.own_law.per_minute == pytest.approx(said.own_law.per_minute, rel=1e-9)


def test_no_pair_is_a_no_with_the_nearest_and_what_it_lacks(folder: Path) -> None:
    sizing = pp.size("par4", TASK, catalogue=folder, payload=8.0)
    assert not sizing.ok
    answer = sizing.answer()
    assert not answer.ok
    uses = dict(zip(answer.table("rejected").column("motor"), answer.table("rejected").column("use"), strict=True))
    nearest = answer.table("rejected").records[0]
    assert nearest["use"] == min(uses.values())
    assert nearest["motor"] in answer.refusal
    assert answer.data["nearest"] == f"{nearest['motor']} with {nearest['gearbox']}"
    with pytest.raises(ParameterError, match="no pair"):
        sizing.robot()


def test_a_task_out_of_reach_is_rejected_whatever_the_drives(folder: Path) -> None:
    model = pp.load("par4")
    motion = pp.evaluate(model, TASK, sections=()).motion
    robot = replace(model.robot, workspace=replace(model.robot.workspace, radius=0.05))
    sizing = pp.size(pp.Model(robot), motion, catalogue=folder)
    assert not sizing.ok
    assert set(sizing.table("rejected").column("requirement")) == {"workspace slack"}


def test_free_ratios_find_one_that_is_at_least_as_good(folder: Path, sized: Sizing) -> None:
    free = pp.size("par4", TASK, catalogue=folder, ratio=(5.0, 40.0))
    assert free.best[0].pair.gearbox.name.startswith("free")
    assert free.table("best").column("energy")[0] < sized.table("best").column("energy")[0]


def test_the_winner_as_a_robot_file_is_the_winner(sized: Sizing, tmp_path: Path) -> None:
    path = sized.save_robot(tmp_path / "winner.toml")
    again, best = pp.load(path), sized.best[0]
    assert again.robot.drive == best.pair.drive(pp.load("par4").robot.drive)
    assert again.robot.drive.motor == best.pair.motor.name
    evaluation = pp.evaluate(path, TASK, sections=("torque", "joints"))
    assert evaluation.verdict.ok
    peak = np.abs(best.run.ride.loads.torque).max()
    assert max(evaluation.table("torque.motors").column("peak")) == pytest.approx(peak, rel=AGREEMENT)


def test_sizings_are_saved_and_drawn(sized: Sizing, tmp_path: Path) -> None:
    for name in ("winner.toml", "page.html", "answer.json"):
        assert pp.save(sized, tmp_path / name).stat().st_size > 0
    assert pp.plot(sized, tmp_path / "plane.svg").read_text(encoding="utf-8").count("motor 4")
    assert pp.load(tmp_path / "winner.toml").robot.drive.motor == sized.best[0].pair.motor.name
    assert "best" in repr(sized.answer())
    assert sized._repr_html_()


def test_a_redundant_robot_is_sized_by_whole_folds(folder: Path) -> None:
    """Motors that share what their rotors take have no loads in common; the answer is still that of `evaluate`."""
    names = [entry.name for entry in pp.list_robots() if pp.load(entry.name).robot.redundant]
    for name in names[:1]:
        sizing = pp.size(name, catalogue=folder)
        for pair in sizing.best[:2]:
            assert all(requirement.ok for requirement in pair.run.requirements)


def test_splitting_lines_of_a_curve_changes_no_torque() -> None:
    points = ((0.0, 9.0), (200.0, 8.0), (500.0, 2.0))
    speeds = np.linspace(0.0, 500.0, 101)
    wide = np.array(split(points, 7))
    assert len(wide) == 7
    assert (np.diff(wide[:, 0]) > 0.0).all()
    assert np.interp(speeds, *wide.T) == pytest.approx(np.interp(speeds, *np.array(points).T), rel=1e-14)


def test_curves_of_other_lengths_count_alike(tmp_path: Path, lossless: tuple[SizedTask, list[Pair]]) -> None:
    """A motor has the same uses alone, and beside one whose curve has more points."""
    task, _ = lossless
    numbers = {"peak_torque": 9.0, "inertia": 2e-4}
    short = CataloguePart("short", "", 1, numbers, curves={"peak": ((0.0, 9.0), (600.0, 1.0))})
    points = ((0.0, 9.0), (100.0, 9.0), (300.0, 8.0), (600.0, 1.0))
    long = CataloguePart("long", "", 2, numbers, curves={"peak": points})
    box = CataloguePart("g", "", 1, {"ratio": 20.0})
    alone, both = pair_rows(task, [Pair(short, box)]), pair_rows(task, [Pair(short, box), Pair(long, box)])
    title = "motor torque at speed"
    assert both.uses[title][0] == pytest.approx(alone.uses[title][0], rel=1e-12)
    loads = ride_of(task, Pair(short, box)).loads
    allowed = np.interp(np.abs(loads.speed), [0.0, 600.0], [9.0, 1.0])
    assert alone.uses[title][0] == pytest.approx((np.abs(loads.torque) / allowed).max(), rel=AGREEMENT)


def test_a_robot_whose_file_states_no_drive_gets_one(folder: Path, sized: Sizing) -> None:
    bare = pp.Model(replace(pp.load("par4").robot, drive=None))
    sizing = pp.size(bare, sized.task.motion, catalogue=folder)
    assert sizing.table("best").column("motor") == sized.table("best").column("motor")
    assert sizing.table("best").column("energy") == pytest.approx(sized.table("best").column("energy"), rel=1e-12)


def test_the_use_of_a_pair_is_the_largest_of_all_its_limits(sized: Sizing) -> None:
    for row, pair in zip(sized.table("best").records, sized.best, strict=True):
        model = sized.task.with_pair(pair.pair)
        findings = pp.evaluate(model, sized.task.motion, sections=("joints", "torque", "forces", "drives")).findings
        uses = [finding.use for finding in findings if finding.use is not None]
        assert row["use"] == pytest.approx(max(uses), rel=1e-12)


def test_what_cannot_be_sized_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="no pace of its own"):
        pp.size("par4", fastest_task(), catalogue=folder)
    with pytest.raises(MissingMassError, match="irb360"):
        pp.size("irb360", TASK, catalogue=folder)
    with pytest.raises(ParameterError, match="rails"):
        pp.size("delta-linear", TASK, catalogue=folder)
    with pytest.raises(ParameterError, match="cost, mass, energy"):
        pp.size("par4", TASK, catalogue=folder, by="beauty")
    with pytest.raises(ParameterError, match="the least first"):
        pp.size("par4", TASK, catalogue=folder, ratio=(5.0, math.nan))


def fastest_task() -> pp.Task:
    return replace(pp.load_task(TASK), cycles_per_minute=None, timing="fastest")


def test_a_pair_without_a_price_comes_behind(tmp_path: Path) -> None:
    cheap = write_catalogue(tmp_path, motors=MOTORS.replace("2.5,400", "2.5,"))
    sizing = pp.size("par4", TASK, catalogue=cheap, by="cost")
    assert sizing.table("best").rows[-1][0] == "middle"
    assert any("no price" in note for note in sizing.answer().notes)
