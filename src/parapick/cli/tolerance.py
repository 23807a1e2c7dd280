"""`parapick tolerance`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Pairs, RobotName, Shared, Whole, as_options, load, parsed_amount
from parapick.cli.groups import ASKED, SEARCH
from parapick.cli.index_options import RegionTexts
from parapick.cli.settings import pairs_of
from parapick.cli.tables import counted
from parapick.errors import ParameterError


@final
@Parameter(name="*", group=SEARCH)
@dataclass(frozen=True)
class DrawingTexts:
    """How robots are drawn at random.

    Attributes:
        distribution: uniform within the tolerances, or normal with each at three standard deviations.
        samples: Number of robots.
        seed: Where the random numbers begin.
    """

    distribution: Annotated[str, Parameter(metavar="NAME")] = "uniform"
    samples: Whole = 1000
    seed: Whole = 0


_DRAWING: Final = DrawingTexts()
_ALL: Final = RegionTexts()


def tolerance(
    robot: RobotName,
    /,
    *,
    tolerance: Annotated[Pairs, Parameter(group=ASKED)] = (),
    where: RegionTexts = _ALL,
    drawing: DrawingTexts = _DRAWING,
    shared: Shared = PLAIN,
) -> int:
    """How far the plate is off by tolerances of parts and joints, and which to buy first.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        tolerance: PATH=AMOUNT, such as limb.rod_length=0.05mm; as often as there are tolerances. Ordinary ones if none.
        where: Over which region, and how dense.
        drawing: How robots are drawn at random.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.accuracy import tolerance as tolerance_of
    from parapick.cli.printing import print_answer
    from parapick.model import LEAST_MARGIN

    model = load(robot, shared)
    region = where.read(model.robot)
    step = None if where.spacing is None else parsed_amount("--spacing", where.spacing, "m")
    least = LEAST_MARGIN if where.margin is None else parsed_amount("--margin", where.margin, "", least=0.0)
    given = pairs_of("--tolerance", "limb.rod_length=0.05mm", tolerance)
    asked = {"region": region, "spacing": step, "margin": least, **asdict(drawing)}
    try:
        with counted("drawing robots") as progress, as_options("distribution", "samples", "seed", "spacing"):
            answer = tolerance_of(model, given or None, progress=progress, **asked)
    except ParameterError as error:
        if error.path not in given:
            raise
        raise ParameterError(f"--tolerance {error.path}", error.message) from error
    return print_answer(answer, as_json=shared.as_json, settings=shared.stated)
