"""`parapick tolerance`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, Pairs, RobotName, Shared, Whole, as_options, load, parsed_amount
from parapick.cli.doubts import TOLERANCE_MAX, doubt
from parapick.cli.groups import ASKED, SEARCH
from parapick.cli.index_options import RegionTexts
from parapick.cli.progress import watched
from parapick.cli.settings import pairs_of, si_numbers
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.accuracy import ToleranceTarget


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


@final
@Parameter(name="*", group=ASKED)
@dataclass(frozen=True)
class TargetTexts:
    """What the plate's error must keep, and what tolerances cost; then those that are not given are chosen.

    Attributes:
        target: Largest distance of the plate from where it should be, such as 0.1mm.
        yaw_target: Largest error of yaw, such as 0.1deg.
        norm: What targets are about: 95%, sigma or worst-case.
        price: PATH=NUMBER, what a tolerance costs at 0.1 mm or 0.02 deg; 1 if not given. Repeatable.
        exponent: PATH=NUMBER, the power with which its cost grows as it becomes finer; 1 if not given. Repeatable.
        bounds: PATH=FROM..TO, between which a tolerance is chosen, such as limb.arm=0.01mm..0.5mm. Repeatable.
    """

    target: Amount = None
    yaw_target: Amount = None
    norm: Annotated[str, Parameter(metavar="NAME")] = "95%"
    price: Pairs = ()
    exponent: Pairs = ()
    bounds: Pairs = ()

    def read(self) -> ToleranceTarget:
        """The target, with what tolerances cost."""
        from parapick.accuracy import Cost, ToleranceTarget

        costs: dict[str, dict[str, Any]] = {}
        for option, texts in (("price", self.price), ("exponent", self.exponent)):
            for path, text in pairs_of(f"--{option}", "limb.arm=2", texts).items():
                costs.setdefault(path, {})[option] = parsed_amount(f"--{option} {path}", text, "")
        for path, text in pairs_of("--bounds", "limb.arm=0.01mm..0.5mm", self.bounds).items():
            finest, dots, coarsest = (part.strip() for part in text.partition(".."))
            if not (finest and dots and coarsest):
                raise ParameterError(f"--bounds {path}", f"{text!r} is not a range; write it as 0.01mm..0.5mm")
            costs.setdefault(path, {}).update(finest=finest, coarsest=coarsest)
        made = {path: Cost(**numbers) for path, numbers in costs.items()}
        return ToleranceTarget(self.target, self.yaw_target, self.norm, made or None)


_OPTIONS: Final = ("distribution", "samples", "seed", "spacing", "target", "yaw_target", "norm")
_NO_TARGET: Final = TargetTexts()
_DRAWING: Final = DrawingTexts()
_ALL: Final = RegionTexts()


def tolerance(
    robot: RobotName,
    /,
    *,
    tolerance: Annotated[Pairs, Parameter(group=ASKED)] = (),
    aim: TargetTexts = _NO_TARGET,
    where: RegionTexts = _ALL,
    drawing: DrawingTexts = _DRAWING,
    shared: Shared = PLAIN,
) -> int:
    """How far tolerances of parts and joints put the plate off, and which to buy first.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        tolerance: PATH=AMOUNT, such as limb.rod_length=0.05mm; as often as there are tolerances. Ordinary ones if none.
        aim: A target for the error, for which the cheapest tolerances are chosen.
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
    for path, text in given.items():
        _doubt_large(f"--tolerance {path}", text)
    if aim.target is not None:
        _doubt_large("--target", aim.target)
    asked = {"region": region, "spacing": step, "margin": least, **asdict(drawing), "target": aim.read()}
    try:
        with watched("drawing robots") as progress, as_options(*_OPTIONS):
            answer = tolerance_of(model, si_numbers(given) or None, progress=progress, **asked)
    except ParameterError as error:
        if error.path not in given:
            raise
        raise ParameterError(f"--tolerance {error.path}", error.message) from error
    return print_answer(answer, as_json=shared.as_json, settings=shared.stated)


def _doubt_large(option: str, text: str) -> None:
    """Doubt a tolerance of a length that no part has, or a target that none would need.

    Args:
        option: what it was given by.
        text: the amount as it was written.
    """
    from parapick.errors import ParapickError
    from parapick.units import parse

    try:
        value = parse(text, "m", bare=True)
    except ParapickError:
        # An angle or a mass, or wrong; that is said where it is read.
        return
    if abs(value) > TOLERANCE_MAX and "deg" not in text:
        doubt(option, f"{text} is {value:g} m; parts are made to a fraction of a millimetre", "mm")
