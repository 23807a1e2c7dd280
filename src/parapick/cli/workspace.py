"""`parapick workspace`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, Files, RobotName, Shared, as_options, load, parsed_amount
from parapick.cli.groups import WHERE
from parapick.cli.outputs import FIGURE, Force, Outputs, draw, out_parameter
from parapick.cli.progress import watched
from parapick.errors import ParameterError

OUTPUTS: Final = Outputs(replace(FIGURE, text="a figure from above and from the side"))

Place = Annotated[Amount, Parameter(group=WHERE)]


def workspace(
    robot: RobotName,
    /,
    *,
    spacing: Place = None,
    yaw: Place = None,
    margin: Place = None,
    z: Place = None,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """Where a robot can go, and what stops it elsewhere.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        spacing: Distance of the points of the grid, such as 10mm; about a million points if not given.
        yaw: Yaw of the plate, such as 30deg; that of home if not given.
        margin: Smallest margin to a singularity that still belongs to the workspace; 0.05 if not given.
        z: A height or two, such as -700mm or -750mm,-650mm; that of the file's workspace if not given.
        shared: Working mode, and how the answer is printed.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.capability.reachable import (
        check_spacing,
        slab_heights,
        workspace as workspace_on_grid,
        workspace_answer,
    )
    from parapick.cli.printing import print_answer

    model = load(robot, shared)
    targets = OUTPUTS.targets(out, force=force)
    least = 0.05 if margin is None else parsed_amount("--margin", margin, "", least=0.0)
    if yaw is not None and model.robot.dof == 3:
        raise ParameterError("--yaw", f"{model.robot.name} has no yaw")
    turn = None if yaw is None else parsed_amount("--yaw", yaw, "rad")
    step = None if spacing is None else parsed_amount("--spacing", spacing, "m")
    heights_asked = () if z is None else tuple(parsed_amount("--z", part, "m") for part in z.split(","))
    with watched("looking at every point of the grid") as progress, as_options("spacing", "z"):
        if step is not None:
            check_spacing(model, step)
        reachable = workspace_on_grid(model, spacing=step, yaw=turn, margin=least, progress=progress)
        heights = slab_heights(model.robot, reachable, heights_asked)
        answer = workspace_answer(reachable, heights)
    from parapick.report import workspace_figure

    drawn = draw(lambda: workspace_figure(model.robot, reachable, sum(heights) / 2), targets)
    return print_answer(answer, as_json=shared.as_json, files=drawn, settings=shared.stated)
