"""Picks per minute of ABB's cycle by a maker's Delta: by each of its limits alone, and by all together.

The robot is `codian-d4-1100`, the task `abb-cycle`, at the payloads for which ABB states picks per minute of its IRB
360-3/1130, a robot of that size and another machine: its figures stand beside ours and are no target. Each pace is the
best that `parapick evaluate` finds by the task's own law and by the fastest timing, with corners rounded as the task
has them and with corners at which the plate stops: ABB does not say which. A limit stands alone where all others are
far away. `python docs/experiments/machine_picks.py` prints the table of docs/machines.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from maps_tables import markdown
from parapick.evaluation import evaluate
from parapick.model import Model
from parapick.parameters import leaves
from parapick.robots import load
from parapick.tasks import load_task

ROBOT: Final = "codian-d4-1100"
TASK: Final = "abb-cycle"

PAYLOADS: Final = {0.1: 150, 1.0: 150, 3.0: 115}
"""Payloads (kg), and ABB's picks per minute at each."""

SHAFT: Final = "plate.telescope.drive"

HEAT: Final = "motor torque, heat"
JERK: Final = "joint jerk"

LIMITS: Final[Mapping[str, Sequence[str]]] = {
    "motor speed": ("drive.peak_speed", "drive.gearbox.peak_speed", f"{SHAFT}.peak_speed", "limits.joint_speed"),
    "joint acceleration": ("limits.joint_acceleration",),
    JERK: ("limits.joint_jerk",),
    "motor torque, peak": ("drive.peak_torque", f"{SHAFT}.peak_torque"),
    HEAT: tuple(f"{drive}.{kind}_torque" for drive in ("drive", SHAFT) for kind in ("rated", "stall")),
    "gearbox torque, peak": ("drive.gearbox.peak_torque", f"{SHAFT}.gearbox.peak_torque"),
    "rod pull": ("limits.rod_pull",),
}
"""What limits the robot, and the numbers of its file that state it."""

FAR: Final = 30.0
"""Factor that moves a limit out of the way: no pace of the others comes near ten times any of them."""

ALL: Final = "all together"


def picks(payloads: Sequence[float] = (*PAYLOADS,), limits: Sequence[str] = (*LIMITS, ALL)) -> dict[str, list[float]]:
    """Picks per minute at payloads, by limit.

    Args:
        payloads: masses (kg).
        limits: names of `LIMITS`, and `ALL`.
    """
    model = load(ROBOT)
    return {name: [_pace(_left_alone(model, name), mass) for mass in payloads] for name in limits}


def _left_alone(model: Model, limit: str) -> Model:
    """The robot with one limit, all others far away."""
    if limit == ALL:
        return model
    if limit != JERK:
        # However far away, a limit on jerk asks for a path whose curvature does not jump: without it there is none.
        free = replace(model.robot.limits, joint_jerk=None, jerk_over_payload=None)
        model = Model(replace(model.robot, limits=free))
    numbers = dict(leaves(model.robot))
    others = (path for name, paths in LIMITS.items() if name not in (limit, JERK) for path in paths)
    far = {path: FAR * numbers[path] for path in others}
    for path in [path for path in far if path in LIMITS[HEAT]]:
        # Continuous torques never exceed the peak, and there heat is no limit either.
        peak = f"{path.rpartition('.')[0]}.peak_torque"
        far[path] = min(far[path], far.get(peak, numbers[peak]))
    return model.with_parameters(far)


def _pace(model: Model, mass: float) -> float:
    """Picks per minute: the largest of the paces that `evaluate` finds with rounded and with square corners."""
    task: Any = load_task(TASK)
    paces = []
    for work in (task, replace(task, overlap=0.0)):
        known: Any = evaluate(model, work, payload=mass, sections=("fastest",)).paces
        paces += [pace.per_minute for pace in (known.own_law, known.timed) if pace is not None]
    return max(paces)


def picks_table(compared: Mapping[str, Sequence[float]]) -> str:
    """The table of the page.

    Args:
        compared: what `picks` gives for all payloads.
    """
    rows = [(name, *(f"{pace:.0f}" for pace in paces)) for name, paces in compared.items()]
    rows.append(("ABB IRB 360-3/1130, another machine", *(str(pace) for pace in PAYLOADS.values())))
    return markdown(("limit", *(f"{mass:g} kg" for mass in PAYLOADS)), rows)


if __name__ == "__main__":
    print(picks_table(picks()))
