"""Paced runs are explained by their turns, to the last bit; nothing here depends on how punctual the machine is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from parapick.cli import main
from parapick.runtime import RuntimeRun
from parapick.runtime.building import runtime_program
from parapick.runtime.cell_program import cell_program
from parapick.runtime.explaining import COUNTED, explained
from parapick.runtime.machine import STATES
from parapick.runtime.paced import Privileges, paced
from parapick.runtime.recorder import supervised_run
from parapick.runtime.replaying import replayer
from parapick.runtime.session import in_lockstep
from parapick.runtime.turns import TurnsError
from parapick.supervision import State
from runtime.explained_cases import CASES, check_same, turns_of
from runtime.loop_cases import FIVEBAR, LEVEL_OF_RUNS, PAR4, Compiled, base, counted

pytestmark = pytest.mark.usefixtures("unhurried")


@pytest.mark.parametrize("case", ["par4", "belts"])
def test_a_paced_run_is_explained_by_its_turns(case: str, tmp_path: Path) -> None:
    run, flags = CASES[case](), (*LEVEL_OF_RUNS, "-Werror")
    folder = counted(tmp_path)
    programs = cell_program(run.cell, folder / "cell", *flags), runtime_program(run, folder / "runtime", *flags)
    got = paced(run, folder, privileges=Privileges(0), programs=programs)
    check_same(got, replayer(run, folder / "again", *flags).run(run, turns_of(got)))
    told = explained(run, got, folder, *flags)
    assert told.ok
    assert told.difference is None
    assert told.replayed == 0.0
    # A loop that was late may settle later than lockstep.
    assert told.samples <= int(np.sum(got.log["state"] == STATES.index(State.RUNNING)))
    assert np.isfinite(told.distance) == (told.samples > 0)
    # Without a late period it is lockstep but for the rounding, behind drives that are enabled a sample later.
    assert 0.0 < told.in_time < (1e-6 if run.cell.exact else 1e-5)
    answer = RuntimeRun(run, got.log, supervised_run(run, got.log, "runtime"), got).answer(case)
    whole = told.added_to(answer)
    np.testing.assert_equal(whole.table("explained").column("distance"), (told.distance, told.in_time, 0.0))
    assert whole.table("turns").column("number") == tuple(told.counts[name] for name in COUNTED)
    assert told.text in whole.notes
    assert (whole.refusal, whole.headline) == (answer.refusal, answer.headline)


def test_the_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    """Whether the run is well the machine decides, which may be late; the explanation holds all the same."""
    main(
        ["run", FIVEBAR[0], FIVEBAR[1], "--controller", FIVEBAR[2], "--guard", "deadline=100000", "--explain", "--json"]
    )
    answer = json.loads(capsys.readouterr().out)
    told = answer["data"]["explanation"]
    assert told["explained"] is True
    assert told["replayed"] == 0.0
    assert told["difference"] is None
    assert 0.0 < told["in_time"] < 1e-6
    assert told["turns"]["periods"] == answer["data"]["runtime"]["periods"]
    assert [row["number"] for row in answer["tables"]["turns"]["rows"]] == list(told["turns"].values())


def test_the_command_explains_nothing_in_lockstep(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "par4", "adept-120", "--lockstep", "--explain"]) == 2
    assert "--explain: has nothing to explain in lockstep" in capsys.readouterr().err


def test_a_run_in_lockstep_has_nothing_to_explain(par4: Compiled) -> None:
    log = par4.log(par4.run)
    done = RuntimeRun(par4.run, log, supervised_run(par4.run, log, "lockstep"))
    with pytest.raises(TurnsError, match="run with a clock"):
        done.explained()


def test_a_paced_run_is_compared_with_the_run_that_lockstep_makes(par4: Compiled) -> None:
    """The law waits for the sample that the bus has made; without a delay there is none, and its code is the same."""
    paced_run = base(PAR4, lockstep=False)
    still = in_lockstep(paced_run)
    assert still.machine.texts == par4.run.machine.texts != paced_run.machine.texts
    np.testing.assert_array_equal(par4.log(still), par4.log(par4.run))
    prompt = replace(paced_run, bus_delay=0)
    assert in_lockstep(prompt).machine is prompt.machine
    assert in_lockstep(prompt).cell.lockstep
