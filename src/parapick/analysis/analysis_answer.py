"""Linear loops as an answer: what each controller bears, how it answers disturbances, what delay and encoders do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from parapick.analysis.analysing import LoopAnalysis
from parapick.analysis.linear_loop import SampledLoop
from parapick.analysis.stability_margins import StabilityMargins
from parapick.answer import Answer, Cell, Column, Requirement, Table, fixed
from parapick.control import DELAY_MAX, delays_data, delays_table
from parapick.inspection import subject
from parapick.model import Model
from parapick.ride import broken_words

TAKEN_OUT: Final = (
    "made linear from the stages that are simulated, at rest at each pose; without encoder steps, torque and speed "
    "limits, dry friction and gearbox losses, which have no slope"
)

_PER_TORQUE: Final = ("m/(N m)", "mm/(N m)")


def analysis_answer(
    model: Model, task: str, duration: float, analyses: Mapping[str, LoopAnalysis], path: tuple[Requirement, ...] = ()
) -> Answer:
    """Linear loops side by side; the answer is no where none of them is stable, or the robot cannot be on the motion.

    Args:
        task: the task in words.
        duration: of the motion (s).
        analyses: at least one analysis, by the name of its controller.
        path: what must hold for the robot to be on the motion at all, see `model.requirements`.
    """
    count = len(next(iter(analyses.values())).loops)
    controllers = {name: analysis.controller for name, analysis in analyses.items()}
    tables = (
        _loops(analyses),
        delays_table(controllers),
        _response(analyses),
        _along(analyses),
        _delays(analyses),
        _encoders(model, analyses),
    )
    stable = any(analysis.stable for analysis in analyses.values())
    return Answer(
        key="analyse",
        title=subject(model, f"and the task {task} as linear loops", f"{duration:.4f} s, {count} poses along it"),
        findings=path,
        tables=tables,
        notes=(TAKEN_OUT, *_notes(analyses)),
        data={
            "robot": model.robot.name,
            "task": task,
            "poles": {n: _poles(analysis) for n, analysis in analyses.items()},
            "ledger": delays_data(controllers),
        },
        refusal="; ".join(
            filter(None, [broken_words(path), "" if stable else "no controller is stable at every pose of this task"])
        ),
        headline=_headline(analyses) if stable and not broken_words(path) else "",
    )


def _headline(analyses: Mapping[str, LoopAnalysis]) -> str:
    """Whether loops are stable, and how far the best of them is from where they are not."""
    stable = {name: analysis for name, analysis in analyses.items() if analysis.stable}
    least = {name: min(margin.singular for margin in analysis.margins) for name, analysis in stable.items()}
    best = max(least, key=lambda name: least[name])
    poses = f"all {len(stable[best].loops)} poses"
    delay = stable[best].least_delay
    bears = "any delay" if math.isinf(delay) else f"a delay of {1e3 * delay:.3g} ms more"
    margins = f"it bears {bears}, sigma {fixed(least[best], 3)} (0 is unstable)"
    if len(analyses) == 1:
        return f"YES: {best} is stable at {poses}: {margins}"
    count = f"{len(stable)} of {len(analyses)} controllers are stable at {poses}"
    return f"YES: {count}; {best} has the largest margin: {margins}"


def _loops(analyses: Mapping[str, LoopAnalysis]) -> Table:
    columns = (
        Column("controller"),
        Column("stable", alarm=False),
        Column("slowest", "s", shown="ms"),
        Column("damping", decimals=2),
        Column("gain"),
        Column("gain loss"),
        Column("phase", "rad", decimals=1),
        Column("delay", "s", shown="ms"),
        Column("sigma", decimals=3),
        Column("period", "s", shown="ms"),
    )
    rows = tuple(tuple(_loop_cells(name, analysis)) for name, analysis in analyses.items())
    note = (
        "smallest along the motion: factors that gains may grow by or fall to, phase, delay; sigma, the smallest "
        "singular value of I + L; slowest time constant and smallest damping of a pole; longest control period"
    )
    return Table("loops", "stability and margins", columns, rows, note)


def _loop_cells(name: str, analysis: LoopAnalysis) -> Iterator[Cell]:
    worst = [margin.worst for margin in analysis.margins]
    slowest, damping = (np.array(values) for values in zip(*map(_pace, analysis.loops), strict=True))
    yield from (name, analysis.stable, float(slowest.max()), float(damping.min()))
    yield from (min(w.gain for w in worst), max(w.gain_loss for w in worst), min(w.phase for w in worst))
    yield from (analysis.least_delay, min(margin.singular for margin in analysis.margins), analysis.limit)


def _pace(loop: SampledLoop) -> tuple[float, float]:
    """Longest time constant (s) and smallest damping ratio of the poles."""
    poles = loop.s_poles
    decays = -np.real(poles)
    swinging = np.abs(np.imag(poles)) > 0.0
    slowest = math.inf if np.any(decays <= 0.0) else float(1.0 / decays.min())
    ratios = decays[swinging] / np.abs(poles[swinging])
    return slowest, float(min(ratios, default=1.0))


def _poles(analysis: LoopAnalysis) -> list[dict[str, float]]:
    """Poles at the pose of the smallest delay margin, in the s-plane."""
    loop = analysis.loops[int(np.argmin([margin.worst.delay for margin in analysis.margins]))]
    return [{"real": float(np.real(pole)), "imag": float(np.imag(pole))} for pole in loop.s_poles]


def _response(analyses: Mapping[str, LoopAnalysis]) -> Table:
    columns = (
        Column("controller"),
        Column("frequency", "Hz"),
        Column("ideal", *_PER_TORQUE),
        Column("sampled", *_PER_TORQUE),
        Column("measured", *_PER_TORQUE),
        Column("to first", decimals=3),
    )
    first = next(iter(analyses.values()))
    rows = tuple(row for name, analysis in analyses.items() for row in _response_rows(name, analysis, first))
    note = "position error per torque at one joint, at one pose; the last column: as a share of the first controller's"
    return Table("response", "disturbance to error", columns, rows, note)


def _response_rows(name: str, analysis: LoopAnalysis, first: LoopAnalysis) -> Iterator[tuple[Cell, ...]]:
    tested = analysis.measured
    wanted = tested.frequencies if tested is not None else np.array([1.0, 5.0, 10.0, 20.0])
    for k, frequency in enumerate(wanted):
        at = int(np.argmin(np.abs(analysis.sampled.frequencies - frequency)))
        size = float(analysis.sampled.size[at]) if tested is None else float(tested.size[k])
        other = first.sampled.size[at] if first.measured is None or tested is None else first.measured.size[k]
        shown = None if tested is None else size
        yield (
            name,
            float(frequency),
            float(analysis.ideal.size[at]),
            float(analysis.sampled.size[at]),
            shown,
            size / other,
        )


def _along(analyses: Mapping[str, LoopAnalysis]) -> Table:
    columns = (
        Column("controller"),
        Column("time", "s"),
        Column("stable", alarm=False),
        Column("gain"),
        Column("phase", "rad", decimals=1),
        Column("delay", "s", shown="ms"),
        Column("sigma", decimals=3),
    )
    rows = []
    for name, analysis in analyses.items():
        for loop, margin in zip(analysis.loops, analysis.margins, strict=True):
            worst = margin.worst
            rows.append(
                (name, loop.time, loop.stable, worst.gain, worst.phase, analysis.stated(margin), margin.singular)
            )
    return Table("along", "margins along the motion", columns, tuple(rows), printed=0 if len(analyses) > 1 else None)


def _delays(analyses: Mapping[str, LoopAnalysis]) -> Table:
    columns = (
        Column("controller"),
        Column("samples"),
        Column("stable", alarm=False),
        Column("phase", "rad", decimals=1),
        Column("delay", "s", shown="ms"),
        Column("sigma", decimals=3),
    )
    rows = []
    for name, analysis in analyses.items():
        for samples, margin in analysis.delays.items():
            left = (None,) * 3 if margin is None else _left(analysis, samples, margin)
            rows.append((name, samples, margin is not None, *left))
    return Table("delays", "what a delay leaves", columns, tuple(rows), "by whole samples, at the pose of the response")


def _left(analysis: LoopAnalysis, samples: int, margin: StabilityMargins) -> tuple[float, float, float]:
    """Phase (rad), delay (s) as stated, and singular value that a delay leaves."""
    later = replace(analysis, controller=replace(analysis.controller, delay=samples))
    return margin.worst.phase, later.stated(margin), margin.singular


def _encoders(model: Model, analyses: Mapping[str, LoopAnalysis]) -> Table:
    columns = (
        Column("controller"),
        Column("bits"),
        Column("position", "m", shown="um"),
        Column(model.motors.word, model.motors.torque_unit),
    )
    rows = [(name, bits, *noise) for name, analysis in analyses.items() for bits, noise in analysis.encoders.items()]
    note = "RMS of the position error and of the largest command, encoder steps (bits per motor turn) as white noise"
    return Table("encoders", "what encoder steps do", columns, tuple(rows), note)


def _notes(analyses: Mapping[str, LoopAnalysis]) -> Iterator[str]:
    for name, analysis in analyses.items():
        bad = [loop.time for loop in analysis.loops if not loop.stable]
        if bad:
            yield f"{name} is unstable at {len(bad)} of {len(analysis.loops)} poses, first at {bad[0]:.4g} s"
        if analysis.measured is None:
            yield f"{name} has no measured response: its loop is unstable at the pose, or none was asked for"
    longer = [name for name, analysis in analyses.items() if any(map(analysis.capped, analysis.margins))]
    if longer:
        names = ", ".join(longer)
        yield f"delay margins are stated up to {DELAY_MAX} samples of delay, the most that can be run: {names}"
    stable = {name: analysis.least_delay for name, analysis in analyses.items() if analysis.stable}
    if len(stable) > 1:
        best = max(stable, key=lambda name: stable[name])
        yield f"{best} bears the longest delay, {1e3 * stable[best]:.3g} ms"
