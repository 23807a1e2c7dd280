"""The task in closed loop: the table is that of the records, and what cannot be simulated is said."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from loops import looped
from parapick.answer import Answer
from parapick.control import (
    LAWS,
    PD,
    Controller,
    JointFriction,
    PlantChanges,
    Poles,
    TaskSpaceID,
    UnknownControllerError,
    machine_controller,
    tuned,
)
from parapick.evaluation import Evaluation, closed_loops
from parapick.mechanism import Drive
from parapick.mechanism.drive import Friction
from parapick.model import Model
from parapick.simulation import fault_of, simulate
from parapick.tasks import LineTask

SHORT = LineTask(name="short", frame="workspace", start=(-0.05, 0, 0), end=(0.05, 0, 0), a_max=80.0)
ROUGH = Drive(peak_torque=90.0, inertia=0.011, friction=Friction(coulomb=2.0, viscous=0.1))


@cache
def par4() -> Evaluation:
    return pp.evaluate("par4", "adept-13g-per-stroke", sections=["control"])


def rows_of(section: Answer) -> dict[str, dict[str, Any]]:
    return {str(record["law"]): record for record in section.table("laws").records}


def test_the_table_is_that_of_the_records() -> None:
    made = par4()
    rows = rows_of(made["control"])
    assert list(rows) == list(closed_loops.LAWS_SHOWN)
    assert set(rows) <= set(LAWS)
    for name in ("ppi", "tsid"):
        law = tuned(name, made.model, made.motion)
        record = looped(
            made.model, made.motion, law, rate=4000.0, delay=1, encoder=2**20, torque_max="peak", friction=True
        )
        error = record.x - record.x_ref
        away = np.sqrt((error[:, :3] ** 2).sum(axis=1))
        row = rows[name]
        assert row["peak"] == pytest.approx(away.max(), rel=1e-12)
        assert made["control"].data["laws"][name]["distance"]["time"] == record.t[away.argmax()]
        assert row["RMS"] == pytest.approx(np.sqrt((away**2).mean()), rel=1e-12)
        assert row["yaw"] == pytest.approx(np.abs(error[:, 3]).max(), rel=1e-12)
        assert row["across"] == pytest.approx(record.path_normal.max(), rel=1e-12)
        assert row["torque"] == np.abs(record.torque).max()
        wants_too_much = (np.abs(record.command) > 90.0).any(axis=1)
        assert row["saturated"] == pytest.approx(100.0 * wants_too_much.mean())
        assert made["control"].data["laws"][name]["saturated_any"] == pytest.approx(wants_too_much.mean())
        column = made["control"].series[0].labels.index(name)
        np.testing.assert_array_equal(made["control"].series[0].values[:, column], record.distance)


def test_a_model_follows_better_and_nothing_exceeds_the_drives() -> None:
    rows = rows_of(par4()["control"])
    assert rows["tsid"]["RMS"] < rows["ppi"]["RMS"] < rows["pd"]["RMS"]
    # The tight task saturates every loop for a moment, at the 90 N m of the file and not above.
    for row in rows.values():
        assert row["torque"] == 90.0
        assert 0.0 < row["saturated"] < 20.0  # %
        assert row["across"] <= row["peak"]
    (sound,) = par4()["control"].findings
    assert sound.ok
    assert sound.value == len(rows)


def test_a_loop_that_simulate_refuses_is_refused_here() -> None:
    hot = Controller(PD(poles=Poles(frequency=400.0)), delay=1, name="hot")
    made = pp.evaluate("par4", SHORT, sections=["torque", "control"], control=[hot])
    fault = fault_of(simulate(made.model, made.motion, hot))
    assert fault is not None
    assert not made.verdict.ok
    assert "no control law is left" in made.verdict.text
    # What is wrong, when and by how much, as `simulate` has it.
    assert f"nearest is hot: {fault.text}" in made.verdict.text
    # One law that does it is enough.
    assert pp.evaluate("par4", SHORT, sections=["torque", "control"], control=[hot, "tsid"]).verdict.ok


def test_it_is_computed_on_request() -> None:
    assert "control" not in [section.key for section in pp.evaluate("irb360").sections]
    both = pp.evaluate("irb360", sections=["motion"], control=True)
    assert [section.key for section in both.sections] == ["motion", "control"]
    assert "control" in [section.key for section in pp.evaluate("irb360", control=True).sections]
    assert both["control"].left_out[0].startswith("not computed: irb360 has no masses")


def test_assumptions_are_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = " ".join(par4()["control"].notes)
    monkeypatch.setattr(closed_loops, "LAWS_SHOWN", ("tsid",))
    for words in ("20 Hz", "0.7", "4 kHz", "one sample late", "20 bits", "500 Hz", "without friction", "peak torque"):
        assert words in notes
    unlimited = pp.evaluate("spara3", SHORT, sections=["control"])["control"]
    assert any("no motor has a torque limit" in note for note in unlimited.notes)
    assert "yaw" not in unlimited.table("laws").names
    shared = pp.evaluate("delta-r4", SHORT, sections=["control"])["control"]
    assert any("least norm" in note for note in shared.notes)


def test_friction_of_the_drives_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_loops, "LAWS_SHOWN", ("tsid",))
    robot = pp.load("par4").robot
    smooth, rough = (
        pp.evaluate(Model(dataclasses.replace(robot, drive=drive)), SHORT, sections=["control"])
        for drive in (dataclasses.replace(ROUGH, friction=Friction()), ROUGH)
    )
    law = tuned("tsid", smooth.model, smooth.motion)
    resisted = looped(
        smooth.model, smooth.motion, law, delay=1, encoder=2**20, friction=JointFriction(coulomb=2.0, viscous=0.1)
    )
    peak = rows_of(rough["control"])["tsid"]["peak"]
    assert peak == pytest.approx(resisted.distance.max(), rel=1e-9)
    assert peak > 1.5 * rows_of(smooth["control"])["tsid"]["peak"]
    assert any("friction of the drives acts" in note for note in rough["control"].notes)
    assert any("without friction" in note for note in smooth["control"].notes)


def test_a_loop_that_diverges_says_so() -> None:
    # With a delay and a filter in it no sampled loop at 4 kHz is stable at 900 Hz.
    wild = machine_controller(TaskSpaceID(poles=Poles(900.0)))
    made = pp.evaluate("spara3", SHORT, sections=["motion"], control=["pd", wild])
    section = made["control"]
    row = rows_of(section)["tsid"]
    assert all(value is None for head, value in row.items() if head not in ("law", "fault"))
    assert row["fault"] == "diverged"
    assert any(note.startswith("tsid: the loop diverged: ") for note in section.notes)
    end = section.data["laws"]["tsid"]["diverged"]
    assert 0.0 <= end < made.motion.duration
    series = section.series[0]
    errors = dict(zip(series.labels, series.values.T, strict=True))
    assert np.isnan(errors["tsid"][series.t > end]).all()
    assert np.isfinite(errors["pd"]).all()


def test_a_law_that_is_refused_is_left_out_with_its_reason() -> None:
    misfit = Controller(PD((1.0,) * 5, 1.0), name="misfit")
    section = pp.evaluate("delta-nr", SHORT, sections=[], control=["pd", misfit])["control"]
    assert list(rows_of(section)) == ["pd"]
    assert any(note.startswith("misfit is left out: ") and "kp: has 5 numbers" in note for note in section.notes)
    section = pp.evaluate("delta-nr", SHORT, sections=[], control=misfit)["control"]
    assert section.tables == ()
    assert "kp: has 5 numbers" in section.left_out[0]


def test_a_controller_is_taken_as_it_is() -> None:
    own = Controller(
        TaskSpaceID(poles=Poles(15.0, 0.9)),
        rate=2000.0,
        torque_max=None,
        plant=PlantChanges(factors={"plate.mass": 1.5}, friction=False),
        name="own",
    )
    made = pp.evaluate("delta-nr", SHORT, sections=[], control=own)
    record = simulate(made.model, made.motion, own)
    assert rows_of(made["control"])["own"]["peak"] == record.distance.max()
    notes = " ".join(made["control"].notes)
    for words in (
        "15 Hz",
        "0.9",
        "2 kHz",
        "without delay",
        "exact angles",
        "plate.mass",
        "no motor has",
        "without friction",
    ):
        assert words in notes
    shared = pp.evaluate("delta-r4", SHORT, sections=[], control="tsid")["control"]
    assert list(rows_of(shared)) == ["tsid"]
    with pytest.raises(UnknownControllerError, match="named 'nonsense'; control laws: pd, pid"):
        pp.evaluate("delta-nr", SHORT, control="nonsense")


def test_a_long_motion_is_left_to_a_simulation_of_its_own() -> None:
    section = pp.evaluate("delta-nr", cycles_per_minute=2.0, sections=["control"])["control"]
    assert section.left_out == ("not computed: the motion lasts 30 s; simulate it by itself",)


def test_the_command_prints_the_loops(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from parapick.cli import main

    monkeypatch.setattr(closed_loops, "LAWS_SHOWN", ("pd", "computed-torque"))
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["evaluate", "delta-nr", "--no-report", "--controller"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = lines.index("the task in closed loop")
    assert lines[first + 1].split()[:3] == ["law", "peak", "(mm)"]
    assert [line.split()[0] for line in lines[first + 2 : first + 4]] == list(closed_loops.LAWS_SHOWN)
    # The verdict, which is first, is one line however long it is.
    assert max(map(len, lines[1:])) <= 100


def test_the_command_takes_controllers(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from parapick.cli import main

    monkeypatch.setenv("COLUMNS", "100")
    assert main(["evaluate", "par4", "--controller", "nabat2005-tsid", "pd", "--no-report"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = lines.index("the task in closed loop")
    names = [line.split()[0] for line in lines[first + 1 : first + 5] if line and not line.startswith(" ")]
    assert names[-2:] == ["nabat2005-tsid", "pd"]
    assert main(["evaluate", "par4", "--controller", "lqr", "--no-report"]) == 2
