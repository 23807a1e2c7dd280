"""Pictures that the pages show, made while they are built by the code that makes them for a user.

Directives: `{picture} name` is a figure of `PICTURES`; `{robot} name` is a shipped robot with its drawing, its
workspace and its numbers; `{drawing} module.Class` is a kind of base, limb or plate with its letters.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import parapick as pp
from parapick.answer.words import unit_text
from parapick.capability.map import index_map
from parapick.capability.reachable import WorkspaceMap
from parapick.capability.reachable.workspace_answer import slab_heights
from parapick.control import Controller, TaskSpaceID
from parapick.evaluation import Evaluation
from parapick.motion import adept_cycle
from parapick.operation import faults_from, supervise
from parapick.report.figures import Drawing, draw, figure_element
from parapick.report.figures.loop import loop_panels
from parapick.report.figures.profiles import profile_panels
from parapick.report.figures.stop import stop_panels
from parapick.report.map_figure import map_figure
from parapick.report.still import robot_panels
from parapick.report.workspace_figure import workspace_panels, workspace_title
from parapick_drawings import kind_drawing
from parapick_joints import joints_drawing

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SPACING: Final = 0.03
"""Distance of the grid points of a workspace that is drawn (m): coarser than the command's own, and quick."""


@cache
def _evaluated(robot: str, task: str | None = None, payload: float | None = None) -> Evaluation:
    return pp.evaluate(robot, task, payload=payload)


def _section(key: str, number: int, robot: str, task: str | None = None, payload: float | None = None) -> Drawing:
    """A figure of a section of an evaluation, by its place in the report."""
    evaluation = _evaluated(robot, task, payload)
    return draw(evaluation, evaluation[key])[number]


@cache
def _reachable(name: str, spacing: float = _SPACING) -> WorkspaceMap:
    return pp.workspace(pp.load(name), margin=0.05, spacing=spacing)


def _path(robot: str, task: str) -> Drawing:
    """The path of a task in the workspace of a robot."""
    evaluation = pp.evaluate(robot, task, sections=("reach",))
    return draw(evaluation, evaluation["reach"])[0]


def _workspace(name: str, spacing: float = _SPACING) -> Drawing:
    model, found = pp.load(name), _reachable(name, spacing)
    height = sum(slab_heights(model.robot, found)) / 2
    return Drawing(workspace_title(found), workspace_panels(model.robot, found, height))


def _map(name: str, index: str) -> Drawing:
    model = pp.load(name)
    return Drawing(f"{index} of {name} over its workspace", (), "picture", map_figure(model, index_map(model, index)))


def _robot(name: str, task: str | None = None) -> Drawing:
    model = pp.load(name)
    motion = None if task is None else pp.load_task(task).motion(model)
    return Drawing(f"{name} {'at its home' if task is None else f'on {task}'}", robot_panels(model, motion), "still")


def _profiles() -> Drawing:
    par4 = pp.load("par4")
    motion = adept_cycle(par4, v_max=3.8, a_max=130.0, corner_radius=0.025, law="fastest")
    caption = "The Adept cycle with corners of 25 mm, as fast as 3.8 m/s and 130 m/s² allow"
    return Drawing(caption, profile_panels(motion.sample(2000.0), motion.phases))


def _loop() -> Drawing:
    par4 = pp.load("par4")
    machine = Controller(TaskSpaceID.from_poles(25.0, 0.7), delay=1, torque_max=25.0)
    record = pp.simulate(par4, pp.adept_cycle(par4, cycles_per_minute=120), machine)
    return Drawing("Task-space inverse dynamics on motors that give 25 N m at most", loop_panels(record))


def _stop() -> Drawing:
    par4 = pp.load("par4")
    cycle = pp.adept_cycle(par4, cycles_per_minute=120)
    run = supervise(par4, cycle, TaskSpaceID.from_poles(20.0, 0.8), faults=faults_from(["emergency@0.1"], par4))
    return Drawing("An emergency stop along the path", stop_panels(run))


PICTURES: Final[dict[str, tuple[Callable[[], Drawing], str]]] = {
    "robot": (lambda: _robot("par4", "adept-120"), "parapick evaluate par4"),
    "reach": (lambda: _section("reach", 0, "par4", None, 1.0), "parapick evaluate par4 --payload 1kg"),
    "margins": (lambda: _section("reach", 1, "par4", None, 1.0), "parapick evaluate par4 --payload 1kg"),
    "torque": (lambda: _section("torque", 1, "par4", None, 1.0), "parapick evaluate par4 --payload 1kg"),
    "plane": (lambda: _section("torque", 0, "par4", None, 1.0), "parapick evaluate par4 --payload 1kg"),
    "forces": (lambda: _section("forces", 0, "par4", None, 1.0), "parapick evaluate par4 --payload 1kg"),
    "reserve": (lambda: _section("capability", 0, "par4", "adept-13g"), "parapick evaluate par4 --task adept-13g"),
    "fastest": (lambda: _section("fastest", 0, "par4", None, 1.0), "parapick evaluate par4 --payload 1kg"),
    "improve": (lambda: _section("improve", 0, "par4", None, 1.0), "parapick evaluate par4 --payload 1kg"),
    "tray": (lambda: _path("par4", "tray"), "parapick evaluate par4 --task tray"),
    "belts": (lambda: _path("par4", "belts"), "parapick evaluate par4 --task belts"),
    "belts-robot": (lambda: _robot("par4", "belts"), "parapick evaluate par4 --task belts"),
    "joints": (lambda: joints_drawing("par4"), ""),
    "joints-rails": (lambda: joints_drawing("delta-linear"), ""),
    "profiles": (_profiles, "parapick motion par4 adept-rounded --out motion.png"),
    "workspace": (lambda: _workspace("par4", 0.015), "parapick workspace par4 --out workspace.png"),
    "map": (lambda: _map("par4", "acceleration"), "parapick map par4 acceleration --out map.png"),
    "loop": (_loop, "parapick simulate par4 adept-120 --controller tsid --joint-torque 25Nm --out loop.png"),
    "stop": (
        _stop,
        "parapick simulate par4 adept-120 --controller tsid --supervised --fault emergency@0.1 --out stop.png",
    ),
}
"""Figures of the pages, each with the command that gives a user such a one."""


def element(drawing: Drawing, prefix: str, command: str = "") -> nodes.Node:
    """A figure as a part of a page.

    Args:
        drawing: the figure.
        prefix: what identifiers in it begin with; unique in the page.
        command: what makes such a figure; nothing if empty.
    """
    below = f'<p class="made">Made by <code>{escape(command)}</code></p>' if command else ""
    return nodes.raw("", f'<div class="parapick">{figure_element(drawing, prefix)}{below}</div>', format="html")


class Picture(SphinxDirective):
    """Directive `{picture} name`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Put the figure into the page."""
        name = self.arguments[0]
        make, command = PICTURES[name]
        return [element(make(), f"picture-{name}", command)]


class KindDrawing(SphinxDirective):
    """Directive `{drawing} module.Class`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Put the drawing into the page."""
        module, _, name = self.arguments[0].rpartition(".")
        return [element(kind_drawing(getattr(import_module(module), name)), name)]


class ShippedRobot(SphinxDirective):
    """Directive `{robot} name`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Put drawing, workspace and numbers into the page."""
        name = self.arguments[0]
        rows = [f"| {what} | {value} |" for what, value in _numbers(name)]
        pictures = [element(_robot(name), f"robot-{name}"), element(_workspace(name), f"workspace-{name}")]
        table = "\n".join(["| | |", "| --- | --- |", *rows])
        return [pictures[0], *self.parse_text_to_nodes(table), pictures[1]]


def _numbers(name: str) -> Iterator[tuple[str, str]]:
    """What a robot is and can do, in a few numbers."""
    evaluation = pp.evaluate(name, sections=("torque", "capability", "fastest"))
    robot = evaluation.model.robot
    yield "motors, freedoms", f"{robot.motors}, {robot.dof}"
    yield from _lengths(robot)
    drive = robot.motor_drives()[0]
    if drive.peak_torque is not None:
        peak = getattr(drive, "ratio", 1.0) * drive.peak_torque
        yield f"peak {drive.axis.word} at a joint", f"{peak:.4g} {drive.axis.effort}"
    found = _reachable(name)
    unit = unit_text("m2" if len(found.axes[2]) == 1 else "m3")
    yield "reachable, margins at least 0.05", f"{found.volume:.3f} {unit}"
    reserve, pace = (evaluation[key].data or {} for key in ("capability", "fastest"))
    yield "task", evaluation.title
    for what, number, unit in (
        ("fastest by its own law", pace.get("own_law_cycles_per_minute"), "per minute"),
        ("fastest timing", pace.get("fastest_cycles_per_minute"), "per minute"),
        ("acceleration in any direction there", reserve.get("acceleration_any_least"), "m/s²"),
        ("largest payload at the pace of the task", reserve.get("largest_payload"), "kg"),
    ):
        if number is not None and math.isfinite(number):
            yield what, f"{number:.0f} {unit}" if number >= 100.0 else f"{number:.3g} {unit}"


def _lengths(robot: Any) -> Iterator[tuple[str, str]]:
    """Lengths of the legs, in millimetres."""
    for what, part, field in (
        ("base radius", robot.base, "radius"),
        ("rails", robot.base, "length"),
        ("arm", robot.limb, "arm"),
        ("rod", robot.limb, "rod_length"),
        ("plate radius", robot.plate, "radius"),
    ):
        value = getattr(part, field, None)
        lengths = value if isinstance(value, tuple) else (value,)
        if all(isinstance(one, float) and one for one in lengths):
            yield what, ", ".join(dict.fromkeys(f"{1e3 * one:.4g}" for one in lengths)) + " mm"


_STYLE: Final = """
.parapick { --ink: #1c2329; --soft: #56616b; --line: #d5dae0; --highest: 20rem; margin: 1rem 0; padding: .8rem 1rem;
  border: 1px solid var(--line); border-radius: .3rem; color: var(--ink); background: #ffffff; }
.parapick p.made { margin: 0; color: var(--soft); font-size: .8rem; overflow-wrap: anywhere; }
.parapick p.made code { background: none; color: inherit; }
.parapick figure { margin: 0; }
.parapick .wide > .panels { grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); align-items: end; }
.parapick .still .beside { font-size: 1rem; font-style: italic; text-shadow: 0 0 3px #ffffff, 0 0 3px #ffffff; }
@media (max-width: 600px) {
  table.fields { font-size: .8rem; }
  table.fields td:last-child { min-width: 13rem; }
  .parapick .views > .panels { flex-direction: column; align-items: stretch; }
  .parapick .drawn { min-width: 46rem; }
  div.math span.eqno { display: block; float: none; text-align: right; }
}
.parapick sub { position: static; vertical-align: sub; font-size: 70%; line-height: 0; }
"""


def _write_style(app: Sphinx) -> None:
    """The style of the report's panels, for what stands in an element of the class parapick."""
    folder = Path(app.doctreedir) / "static"
    folder.mkdir(parents=True, exist_ok=True)
    plot = files("parapick.report").joinpath("plot/plot.css").read_text(encoding="utf-8")
    (folder / "panels.css").write_text(f".parapick {{\n{plot}}}\n{_STYLE}", encoding="utf-8")
    app.config.html_static_path.append(str(folder))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives and the style."""
    # What is doubtful about a shipped robot is no news for who builds the documentation.
    warnings.simplefilter("ignore", pp.errors.PlausibilityWarning)
    app.add_directive("picture", Picture)
    app.add_directive("robot", ShippedRobot)
    app.add_directive("drawing", KindDrawing)
    app.connect("builder-inited", _write_style)
    app.add_css_file("panels.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
