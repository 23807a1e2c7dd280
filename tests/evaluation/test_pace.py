"""The paces and the payload that an evaluation names are where its verdict turns, whatever robot, task and payload.

Every case is drawn from a seed: a robot with its own drives or with others, a task of any kind, a load. Half a percent
below what is named the verdict must be yes, half a percent above it no.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.evaluation import Evaluation
from parapick.mechanism import Drive
from parapick.mechanism.drive import Friction
from parapick.model import Model
from parapick.motion import Motion
from parapick.motion.law import law_of
from parapick.tasks import AdeptTask, GateTask, LineTask, ViaTask
from parapick.timing import fastest_cycle

FILES: Final = Path(__file__).parent / "robots"
ROBOTS: Final = (
    "par4",
    "delta-nr",
    "delta-4",
    "delta-r4",
    "heli4",
    "i4",
    "h4",
    "r4-100g",
    FILES / "edu-servo.toml",
    FILES / "irb360-1130.toml",
    FILES / "quattro-s650.toml",
)

BESIDE: Final = 0.005
"""Share beside a number that is named at which the verdict must have turned."""

SEEDS: Final = 50

QUICK: Final = (14, 16, 23, 40, 52, 63, 64, 78)
SMALL: Final = (FILES / "edu-servo.toml",)
"""Seeds that every run looks at, and the robot they are drawn for: one whose kernels are made once, and quickly."""


@dataclasses.dataclass(frozen=True)
class Case:
    """A question to `evaluate`."""

    model: Model
    task: Any
    options: dict[str, Any]

    @property
    def sections(self) -> tuple[str, ...]:
        """Those on which the verdict rests: rods count where they can buckle."""
        return ("reach", "joints", "torque", *(("forces",) if self.model.numbers.limb.rod_modulus else ()))

    def verdict(self, **changes: Any) -> bool:
        """Whether it can be done; no where the limits of the task itself do not allow a pace."""
        try:
            return pp.evaluate(self.model, self.task, **{**self.options, **changes}, sections=self.sections).verdict.ok
        except ParameterError as error:
            if "limits of the task" in str(error):
                return False
            raise


def drawn(seed: int, robots: Sequence[str | Path] = ROBOTS) -> Case:
    """A case that the robot can reach, from a seed."""
    rng = np.random.default_rng(seed)
    while True:
        model = _robot(rng, robots)
        case = Case(model, _task(rng, model), {})
        options: dict[str, Any] = {}
        if rng.random() < 0.5:
            options["payload"] = round(float(rng.uniform(0.02, 0.8)) * _size(model), 3)
        try:
            made = pp.evaluate(model, case.task, **options, sections=("reach", "motion"))
        except pp.errors.ParapickError:
            continue
        if made.motion is None or not made.verdict.ok:
            continue
        if rng.random() < 0.4:
            # Limits of a task allow no more than its own pace.
            faster = 0.98 if getattr(case.task, "a_max", None) else 4.0
            options["cycles_per_minute"] = round(60.0 / made.motion.duration * float(rng.uniform(0.5, faster)), 2)
        return Case(model, case.task, options)


def _size(model: Model) -> float:
    """Arms of the robot beside those of par4: what is right for one is right for the other, made smaller."""
    arm = model.numbers.limb.arm
    return float(np.max(arm)) / 0.4


def _robot(rng: np.random.Generator, robots: Sequence[str | Path]) -> Model:
    model = pp.load(robots[rng.integers(len(robots))])
    drive = model.numbers.drive
    assert isinstance(drive, Drive)
    if rng.random() < 0.5:
        ratio = float(rng.uniform(0.8, 1.5)) * drive.ratio
        peak = drive.peak_torque * drive.ratio / ratio
        rubbing = Friction(coulomb=float(rng.uniform(0.0, 0.05)) * peak * ratio, viscous=float(rng.uniform(0.0, 0.05)))
        model = Model(
            dataclasses.replace(
                model.robot,
                drive=dataclasses.replace(
                    drive,
                    ratio=ratio,
                    peak_torque=peak,
                    rated_torque=float(rng.uniform(0.2, 0.9)) * peak if rng.random() < 0.6 else None,
                    peak_speed=float(rng.uniform(8.0, 25.0)) * ratio if rng.random() < 0.6 else None,
                    efficiency=float(rng.uniform(0.85, 1.0)) if rng.random() < 0.5 else 1.0,
                    friction=rubbing if rng.random() < 0.5 else Friction(),
                ),
            )
        )
    return model.with_payload(0.1 * _size(model)) if rng.random() < 0.2 else model


def _task(rng: np.random.Generator, model: Model) -> Any:
    """A task in the middle of the workspace, of a size that suits the robot."""
    size = _size(model) * float(rng.uniform(0.4, 1.0))
    width, height = 0.3 * size, 0.03 * size
    law = str(rng.choice(["trapezoidal", "3-4-5", "half-sine", "cycloid"]))
    kind = str(rng.choice(["adept", "adept-limits", "gate", "line", "one-way", "via", "motion", "fastest"]))
    limits = {"v_max": float(rng.uniform(1.5, 5.0)), "a_max": float(rng.uniform(30.0, 150.0))}
    start, end = (-0.5 * width, 0.0, 0.0), (0.5 * width, 0.1 * width, -0.3 * height)
    if kind in ("adept", "adept-limits", "motion"):
        pace = {"cycles_per_minute": float(rng.uniform(40.0, 160.0))} if kind != "adept-limits" else limits
        task = AdeptTask(
            name="adept",
            frame="workspace",
            width=width,
            height=height,
            law=law_of(law),
            overlap=float(rng.choice([0.0, 0.2, 0.4])),
            dwell=(float(rng.choice([0.0, 0.03])), float(rng.choice([0.0, 0.05]))),
            lift_time=0.06 if kind == "adept" and rng.random() < 0.2 else None,
            **pace,
        )
        return task if kind != "motion" else task.motion(model)
    both = bool(kind != "one-way")
    if kind in ("gate", "fastest"):
        timing = {"timing": "fastest"} if kind == "fastest" else limits
        return GateTask(
            name="gate", frame="workspace", start=start, end=end, height=height, there_and_back=both, **timing
        )
    if kind == "via":
        points = (start, (-0.4 * width, 0.0, height), (0.4 * width, 0.02, height), end)
        return ViaTask(name="via", frame="workspace", points=points, there_and_back=both, **limits)
    duration = {"duration": float(rng.uniform(0.15, 0.4))} if rng.random() < 0.5 else limits
    return LineTask(name="line", frame="workspace", start=start, end=end, there_and_back=both, **duration)


def turns_at(case: Case, made: Evaluation) -> dict[str, tuple[float, list[bool]]]:
    """What the evaluation names, and the verdicts below and above it."""
    beside = (1.0 - BESIDE, 1.0 + BESIDE)
    pace, payload = made["fastest"].data, made["capability"].data
    found: dict[str, tuple[float, list[bool]]] = {}
    if pace["own_law_duration"] is not None:
        own = 60.0 / pace["own_law_duration"]
        found["own law"] = own, [case.verdict(cycles_per_minute=own * share) for share in beside]
    if pace["fastest_duration"] is not None:
        model = case.model.with_payload(case.options.get("payload", case.model.payload))
        quickest = fastest_cycle(model, made.motion, rated="rated" if pace["limited_by_heat"] else None)
        factor = pace["fastest_duration"] / quickest.duration
        timed = [Case(model, quickest.slowed(factor / share), {}).verdict() for share in beside]
        found["fastest timing"] = 60.0 / pace["fastest_duration"], timed
    most = payload.get("largest_payload")
    if most and math.isfinite(most):
        found["payload"] = most, [_with_mass(case, made, most * share) for share in beside]
    return found


def _with_mass(case: Case, made: Evaluation, mass: float) -> bool:
    if getattr(case.task, "timing", "law") == "law":
        return case.verdict(payload=mass)
    # With another payload this task would be timed anew; what is named holds for the motion as it is.
    motion = made.motion
    assert isinstance(motion, Motion)
    place = motion.start[:3] + np.subtract(case.task.end, case.task.start)
    away = np.linalg.norm(motion.at(motion.knots).x[:, :3] - place, axis=-1)
    return Case(case.model, motion.carrying(mass, 0.0, float(motion.knots[np.argmin(away)])), {}).verdict()


def check(case: Case) -> None:
    made = pp.evaluate(case.model, case.task, **case.options, sections=(*case.sections, "capability", "fastest"))
    found = turns_at(case, made)
    assert "own law" in found, made["fastest"].notes
    assert {name: verdicts for name, (_, verdicts) in found.items()} == {name: [True, False] for name in found}
    own = made["fastest"].data["own_law_duration"]
    assert made.verdict.ok == (made.motion.duration >= own * (1.0 - 1e-9))


@pytest.mark.parametrize("seed", QUICK)
def test_the_verdict_turns_at_what_it_names(seed: int) -> None:
    check(drawn(seed, SMALL))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_verdict_turns_at_what_it_names_for_any_robot(seed: int) -> None:
    check(drawn(seed))
