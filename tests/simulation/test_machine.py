"""One machine for free and supervised runs: pieces go on where the last one ended, judged or not, on every engine."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.control import Controller
from parapick.errors import ParameterError
from parapick.simulation import LoopSeries, Record, assembled, machine_of, simulate
from parapick.simulation.assembled import Assembled
from parapick.simulation.divergence import Outputs, divergence_of, last_good
from parapick.simulation.machine import Judge, engine_for
from simulation.cases import SERVO, cycle, delta

ENGINES = ["native", "python", "mujoco"]
COUNT = 60


def loop() -> Assembled:
    return assembled(delta(), cycle(), Controller(SERVO, rate=2000.0, encoder=65536, delay=1, lag=2e-4))


def rows(made: Assembled, first: int, last: int) -> LoopSeries:
    return made.series.rows(slice(first, last))


def all_of(_first: int, q_meas: np.ndarray, _asked: np.ndarray) -> int:
    return len(q_meas)


def until(count: int, seen: list[np.ndarray]) -> Judge:
    """A judge that lets some samples pass, and notes what the law asked for before each."""

    def judge(first: int, q_meas: np.ndarray, asked: np.ndarray) -> int:
        seen.extend(asked)
        return int(np.clip(count - first, 0, len(q_meas)))

    return judge


def together(*pieces: Outputs) -> Outputs:
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}


@pytest.mark.parametrize("engine", ENGINES)
def test_pieces_are_the_whole(engine: str) -> None:
    made = loop()
    start = made.series.x[0]
    whole = machine_of(engine, made, start).run(rows(made, 0, COUNT))
    machine = machine_of(engine, made, start)
    parts = together(machine.run(rows(made, 0, 25)), machine.run(rows(made, 25, COUNT), all_of))
    assert {*parts} == {*whole}
    for name, values in whole.items():
        np.testing.assert_array_equal(parts[name], values, err_msg=name)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_judge_ends_a_piece_and_the_next_goes_on_from_there(engine: str) -> None:
    made, seen = loop(), []
    whole = machine_of(engine, made, made.series.x[0]).run(rows(made, 0, COUNT))
    machine = machine_of(engine, made, made.series.x[0])
    first = machine.run(rows(made, 0, COUNT), until(25, seen))
    assert len(first["x"]) == 25
    np.testing.assert_array_equal(machine.place[0], whole["x"][25])
    # What the law asked for is known one sample later; before the first sample it asked for nothing.
    np.testing.assert_array_equal(seen[0], np.zeros(3))
    np.testing.assert_array_equal(seen[1:26], whole["command"][:25])
    parts = together(first, machine.run(rows(made, 25, COUNT)))
    np.testing.assert_array_equal(parts["x"], whole["x"])
    assert machine.run(rows(made, 0, 5), until(0, seen)) == {}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_free_run_is_one_piece(engine: str) -> None:
    made = loop()
    record = simulate(delta(), cycle(), made.controller, engine=engine)
    outputs = machine_of(engine, made, made.series.x[0]).run(made.series)
    again = Record.of(made, engine, made.series, outputs, phases=made.motion.phases, divergence=None)
    assert repr(again) == repr(record)
    for name, values in vars(record).items():
        if isinstance(values, np.ndarray):
            np.testing.assert_array_equal(getattr(again, name), values, err_msg=name)


def test_a_free_native_run_is_one_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    from parapick.simulation import machine

    calls, scan_of = [], machine.scan_of

    def counted(description: object) -> object:
        scan = scan_of(description)

        class Counted:
            states = scan.states

            def __call__(self, *inputs: object, **settings: object) -> object:
                calls.append(len(inputs))
                return scan(*inputs, **settings)

        return Counted()

    monkeypatch.setattr(machine, "scan_of", counted)
    simulate(delta(), cycle(), SERVO)
    assert len(calls) == 1


def test_series_one_after_the_other() -> None:
    series = loop().series
    parts = [series.rows(slice(first, first + 10)) for first in (0, 10, 20)]
    joined = LoopSeries.joined(parts)
    for name, values in vars(series.rows(slice(0, 30))).items():
        np.testing.assert_array_equal(getattr(joined, name), values)
    pushed = [parts[0], LoopSeries(**{**vars(parts[1]), "force": np.ones((10, 3))})]
    assert LoopSeries.joined(pushed).force is None


def test_a_function_cannot_be_compiled() -> None:
    made = assembled(delta(), cycle(), lambda t, measured, reference: np.zeros(3))
    assert made.called is not None
    assert [engine_for(made, engine) for engine in ENGINES] == ["python", "python", "mujoco"]
    assert [engine_for(loop(), engine) for engine in ENGINES] == ENGINES
    with pytest.raises(ParameterError, match="valid are native, python, mujoco"):
        engine_for(loop(), "adams")


def test_a_loop_that_ran_through_did_not_diverge() -> None:
    made = loop()
    outputs = machine_of("native", made, made.series.x[0]).run(rows(made, 0, COUNT))
    assert last_good(outputs) == COUNT
    assert divergence_of(made.plant, outputs, COUNT, made.series.t[:COUNT], made.rate) is None
    outputs["closes"][40, 1] = -1.0
    assert last_good(outputs) == 40
    divergence = divergence_of(made.plant, outputs, 40, made.series.t[:COUNT], made.rate)
    assert divergence is not None
    assert (divergence.quantity, divergence.time) == ("leg 2", made.series.t[39])
