"""Everything that can be wrong with a description, found at once and said in words.

The dataclasses of this room hold any numbers; whoever brings numbers in (a file, `with_parameters`) asks here whether
they make a robot. Local faults come first: a number out of range, a list of the wrong length, two limits in the wrong
order. The geometry (do the legs close?) is looked at only where nothing local is wrong with it.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any, Final

from parapick.errors import FileProblem
from parapick.fields import Quantity, quantity_of
from parapick.mechanism.base import Placed, Rails
from parapick.mechanism.bodies import half_problems, impossible_bodies, tube_problems
from parapick.mechanism.bus_checks import bus_problems
from parapick.mechanism.closure_checks import closure_problems
from parapick.mechanism.drive import AnyDrive
from parapick.mechanism.drive_checks import drive_problems
from parapick.mechanism.jerk_checks import jerk_problems
from parapick.mechanism.limb import AnyLimb
from parapick.mechanism.revolved import Revolved
from parapick.mechanism.robot import Robot
from parapick.mechanism.rod import ROD_MODELS, UNIFORM, VARIABLE
from parapick.mechanism.sizes import ANGLE_MAX, perhaps, size_doubts
from parapick.names import name_objection, text_objection
from parapick.parameters import Follow, followed

ARMS_MAX: Final = 12
"""Working modes are listed one by one; with 12 arms they are 4096."""

RIGHT_ANGLE_TOLERANCE: Final = 1e-6
"""Directions written with six digits are this far from perpendicular (rad); it shortens an arm by 5e-13 of itself."""

MIDDLE_TOLERANCE: Final = 1e-5
"""Length and middle of a rod written with six digits miss each other by less than this share of the rod."""

PRINTED: Final = ". If a document prints it, name the document in [sources]: then it is taken as it is"
"""How a number that no body can have gets into a robot all the same."""

Problems = Iterator[FileProblem]

_NUMBERS: Final = ("no", "one", "two", "three", "four")


def problems(
    robot: Robot, *, at_home: bool = True, documented: Callable[[str], bool] | None = None
) -> tuple[FileProblem, ...]:
    """Everything that is wrong with a description; empty when it is a robot.

    Args:
        at_home: whether the legs must close at home.
        documented: whether a document states the number of a path. What no body can have is a problem unless it does;
            if not given, bodies are not judged: changing one number after another leads through such descriptions.
    """
    numbers = tuple(_number_problems(robot, robot, ""))
    robot = _settled(robot, robot, frozenset(problem.path for problem, _ in numbers))
    frame = [*_list_problems(robot), *_base_problems(robot), *_plate_problems(robot)]
    rest = [*_name_problems(robot), *_mode_problems(robot), *_limb_problems(robot)]
    rest += [*_drive_problems(robot), *_friction_problems(robot), *bus_problems(robot.bus)]
    rest += [*_limit_problems(robot), *tube_problems(robot), *half_problems(robot)]
    computable = not frame and not any(_is_geometry(problem.path, unit) for problem, unit in numbers)
    late = [*closure_problems(robot)] if computable and at_home else []
    if documented is not None and not frame and not any(problem.path.startswith("limb.") for problem, _ in numbers):
        impossible = impossible_bodies(robot.limb, robot.arms)
        late += [FileProblem(doubt.path, doubt.message + PRINTED) for doubt in impossible if not documented(doubt.path)]
    return (*(problem for problem, _ in numbers), *frame, *rest, *_with_sizes(robot, late))


def _with_sizes(robot: Robot, late: list[FileProblem]) -> Problems:
    """Problems of the whole, and with them all sizes in doubt: a forgotten unit may be what is behind a problem."""
    sizes = {doubt.path: doubt.message for doubt in size_doubts(robot)} if late else {}
    for problem in late:
        size = sizes.pop(problem.path, "")
        yield FileProblem(problem.path, f"{size}; {problem.message}" if size else problem.message)
    yield from itertools.starmap(FileProblem, sizes.items())


def _settled(robot: Robot, node: Any, refused: frozenset[str], path: str = "") -> Any:
    """The description with the value of every number that follows another.

    Numbers that are refused, or have none to follow, are NaN: nothing is wrong with what is computed from these.

    Args:
        robot: the whole description.
        node: the part of it.
        refused: paths of numbers that are refused.
        path: path of the part.
    """
    if path in refused and isinstance(node, float):
        return math.nan
    if isinstance(node, Follow):
        try:
            target = followed(robot, node.of)
        except KeyError:
            return math.nan
        return float(node.value(target)) if isinstance(target, float) else math.nan
    if isinstance(node, tuple):
        return tuple(_settled(robot, item, refused, f"{path}.{i}") for i, item in enumerate(node, start=1))
    if dataclasses.is_dataclass(node) and not isinstance(node, type):
        prefix = f"{path}." if path else ""
        values = {f.name: _settled(robot, getattr(node, f.name), refused, f"{prefix}{f.name}") for f in _fields(node)}
        return dataclasses.replace(node, **values)
    return node


def _is_geometry(path: str, unit: str) -> bool:
    """Whether the closures depend on a number, by its path and unit."""
    section = path.partition(".")[0]
    return section in ("base", "limb", "plate", "home", "working_modes") and unit in ("m", "rad", "")


def _number_problems(robot: Robot, node: Any, prefix: str) -> Iterator[tuple[FileProblem, str]]:
    for field in _fields(node):
        path, value, stated = f"{prefix}{field.name}", getattr(node, field.name), quantity_of(field)
        if stated is not None:
            name = "working_modes.default" if path == "branches" else path
            yield from ((problem, stated.unit) for problem in _value_problems(robot, name, value, stated))
        elif dataclasses.is_dataclass(value):
            yield from _number_problems(robot, value, f"{path}.")


def _value_problems(robot: Robot, path: str, value: Any, stated: Quantity) -> Problems:
    if isinstance(value, tuple):
        for index, item in enumerate(value, start=1):
            yield from _value_problems(robot, f"{path}.{index}", item, stated.of_item(item, index - 1))
    elif isinstance(value, Follow):
        yield from _follow_problems(robot, path, value, stated)
    elif value is not None and (objection := _objection(value, stated)):
        yield FileProblem(path, objection)


def _objection(value: Any, stated: Quantity) -> str | None:
    if isinstance(value, bool) or not isinstance(value, float):
        # An int would silently count as structure instead of being a parameter.
        return f"is {value!r}; it must be a float"
    if not math.isfinite(value):
        return f"is {value:g}; it must be a finite number"
    return stated.objection(value)


def _follow_problems(robot: Robot, path: str, follow: Follow, stated: Quantity) -> Problems:
    if not follow.coefficients:
        yield FileProblem(path, "follows another number by a polynomial without coefficients; give at least one")
        return
    if not all(math.isfinite(coefficient) for coefficient in follow.coefficients):
        yield FileProblem(path, "has a coefficient that is not a finite number")
        return
    try:
        target = followed(robot, follow.of)
    except KeyError:
        yield FileProblem(path, f"follows {follow.of!r}, which is not a field; name one such as limb.rod_length")
        return
    if not isinstance(target, float):
        what = "follows another number itself" if isinstance(target, Follow) else "is not a single number"
        yield FileProblem(path, f"follows {follow.of!r}, which {what}; name a plain number such as limb.rod_length")
    elif math.isfinite(target) and (objection := _objection(float(follow.value(target)), stated)):
        yield FileProblem(path, f"follows {follow.of} = {target:g}, where it {objection}")


def _list_problems(robot: Robot) -> Problems:
    arms, base, plate = robot.arms, robot.base, robot.plate
    source = f"base.{base.listed}"
    if not 1 <= arms <= ARMS_MAX:
        yield FileProblem(source, f"has {arms} entries; a robot has between 1 and {ARMS_MAX} arms")
        return
    sections = {"base": base, "limb": robot.limb, "plate": plate, "limits": robot.limits}
    lists = {
        f"{name}.{f.name}": getattr(part, f.name)
        for name, part in sections.items()
        for f in _fields(part)
        if not _is_curve(quantity_of(f))
    }
    for path, value in {**lists, "working_modes.default": robot.branches}.items():
        if isinstance(value, tuple) and len(value) != arms:
            yield FileProblem(path, f"has {_entries(len(value))}, but {source} has {arms}; it needs one for each leg")
    if len(robot.home) != robot.dof:
        names = ", ".join(robot.task_names)
        yield FileProblem("home", f"has {_entries(len(robot.home))}; a {plate.kind} plate needs {names}")
    held = plate.traits.legs
    if held is not None and arms != held:
        yield FileProblem(source, f"has {_entries(arms)}; a {plate.kind} plate is held by {_NUMBERS[held]} arms")
    elif robot.motors < robot.dof:
        message = f"has {_entries(arms)}; {robot.dof} freedoms need at least as many motors"
        yield FileProblem(source, message)


def _is_curve(stated: Quantity | None) -> bool:
    """Whether a field has points of a curve, as many as it takes, and nothing for each leg."""
    return stated is not None and bool(stated.units)


def _name_problems(robot: Robot) -> Problems:
    for path, objection in (("name", name_objection(robot.name)), ("title", text_objection(robot.title))):
        if objection:
            yield FileProblem(path, objection)


def _mode_problems(robot: Robot) -> Problems:
    seen: dict[str, str] = {}
    for mode in robot.modes:
        path = f"working_modes.{mode.name}"
        if set(mode.signs) - set("+-") or len(mode.signs) != robot.arms:
            example = ("+-" * robot.arms)[: robot.arms]
            yield FileProblem(path, f"is {mode.signs!r}; it must be {robot.arms} signs, such as {example!r}")
        elif mode.signs in seen:
            yield FileProblem(path, f"is {mode.signs!r}, the same as {seen[mode.signs]}; name each choice once")
        seen.setdefault(mode.signs, mode.name)


def _base_problems(robot: Robot) -> Problems:
    base = robot.base
    if robot.limb.kind != base.limb:
        yield FileProblem("limb.kind", f'is "{robot.limb.kind}"; a base of the kind {base.kind} needs "{base.limb}"')
    if not isinstance(base, Placed):
        return
    for index, (zero, axis) in enumerate(zip(base.zeros, base.axes, strict=False), start=1):
        lengths = {f"base.zeros.{index}": _norm(zero), f"base.axes.{index}": _norm(axis)}
        for path, length in lengths.items():
            if length == 0.0:
                yield FileProblem(path, "is the zero vector; it must point somewhere")
        if any(not math.isfinite(length) or length == 0.0 for length in lengths.values()):
            continue
        cosine = sum(a * b for a, b in zip(zero, axis, strict=True)) / math.prod(lengths.values())
        if abs(cosine) > RIGHT_ANGLE_TOLERANCE:
            angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
            message = f"is at {angle:.6g} deg to base.zeros.{index}; a motor axis must be perpendicular (90 deg)"
            yield FileProblem(f"base.axes.{index}", f"{message} to the direction of its arm")


def _limb_problems(robot: Robot) -> Problems:
    limb = robot.limb
    if limb.rods not in (1, 2):
        yield FileProblem("limb.rods", f"is {limb.rods}; it must be 1 or 2")
    for model, name in (("cylinder", "rod_radius"), ("general", "rod_inertia")):
        if limb.rod_model == model and getattr(limb, name) is None:
            yield FileProblem(f"limb.{name}", f"is missing; rod_model = {model!r} needs it")
    if limb.rod_model in UNIFORM:
        yield from _center_problems(limb)


def _center_problems(limb: AnyLimb) -> Problems:
    """Centres off the middle of rods that are uniform by their model."""
    others = ", ".join(model for model in (*ROD_MODELS, *VARIABLE) if model not in UNIFORM)
    for index, (center, length) in enumerate(_pairs(limb.rod_center, limb.rod_length), start=1):
        if MIDDLE_TOLERANCE * length < abs(center - length / 2) < math.inf:
            entry = f".{index}" if isinstance(limb.rod_center, tuple) else ""
            leg = f" on leg {index}" if isinstance(limb.rod_length, tuple) else ""
            yield FileProblem(
                f"limb.rod_center{entry}",
                f"is {_metres(center)}, but rod_model = {limb.rod_model!r} is a uniform rod with its centre in the "
                f"middle, {_metres(length / 2)}{leg}; leave it out, or choose a rod_model that takes one: {others}",
            )


def _plate_problems(robot: Robot) -> Problems:
    plate = robot.plate
    names = [field.name for field in _fields(plate)]
    if "angles" in names and plate.angles is None and robot.base.angles is None:
        yield FileProblem("plate.angles", "is missing; motors placed one by one have no azimuths the plate could use")
    if plate.traits.groups is not None:
        name, choices = plate.traits.groups
        if set(getattr(plate, name)) != set(choices):
            listed = f"is {list(getattr(plate, name))}; each leg is {choices[0]} or {choices[1]}"
            yield FileProblem(f"plate.{name}", f"{listed}, and each of the two parts needs a leg")


def _drive_problems(node: Any, prefix: str = "") -> Problems:
    if isinstance(node, Robot) and node.drive is not None and node.drive.axis is not node.limb.axis:
        needed = node.limb.direct.kind
        yield FileProblem("drive.kind", f'is "{node.drive.kind}"; the motor of a {node.limb.body} must be "{needed}"')
    for field in _fields(node):
        path, value = f"{prefix}{field.name}", getattr(node, field.name)
        if isinstance(value, AnyDrive):
            yield from drive_problems(path, value)
        elif dataclasses.is_dataclass(value):
            yield from _drive_problems(value, f"{path}.")


def _friction_problems(robot: Robot) -> Problems:
    """Lists of friction that have another number of entries than their drive has axes."""
    own = f"plate.{robot.plate.traits.drive_path}"
    drives = (("drive", robot.drive, robot.arms), (own, robot.plate.drive, robot.motors - robot.arms))
    for path, drive, axes in drives:
        friction = None if drive is None else drive.friction
        for field in () if friction is None else _fields(friction):
            value = getattr(friction, field.name)
            if isinstance(value, tuple) and len(value) != axes:
                message = (
                    f"has {_entries(len(value))}; {path} has {axes} axes: give one number for all, or one per axis"
                )
                yield FileProblem(f"{path}.friction.{field.name}", message)


def _limit_problems(robot: Robot) -> Problems:
    for path, node in (("limits", robot.limits), ("workspace", robot.workspace)):
        if node is None:
            continue
        for field in _fields(node):
            upper = field.name.removesuffix("_min") + "_max"
            if field.name.endswith("_min") and hasattr(node, upper):
                pair = f"{path}.{field.name}", f"{path}.{upper}"
                yield from _order_problems(*pair, getattr(node, field.name), getattr(node, upper), quantity_of(field))
    if isinstance(robot.workspace, Revolved):
        yield from (FileProblem(f"workspace.{path}", message) for path, message in robot.workspace.objections())
    own, other = ("joint", "carriage") if robot.limb.limits[0].startswith("joint") else ("carriage", "joint")
    for name in ("min", "max", "speed", "acceleration", "jerk"):
        if getattr(robot.limits, f"{other}_{name}") is not None:
            message = f"does not hold for the legs of this robot; state {own}_{name}"
            yield FileProblem(f"limits.{other}_{name}", message)
    yield from jerk_problems(robot)
    yield from _range_problems(robot)
    yield from _home_yaw_problems(robot)


def _order_problems(path: str, other: str, lower: Any, upper: Any, stated: Quantity | None) -> Problems:
    show = _degrees if stated is not None and stated.unit == "rad" else _metres
    for index, (low, high) in enumerate(_pairs(lower, upper), start=1):
        if low > high:
            leg = f".{index}" if isinstance(lower, tuple) else ""
            yield FileProblem(f"{path}{leg}", f"is {show(low)}, above {other} = {show(high)}; it must not be")


def _pairs(lower: Any, upper: Any) -> Iterator[tuple[float, float]]:
    """Pairs of plain numbers of two entries, each a number or a list; other entries make no pair."""
    count = max(len(entry) if isinstance(entry, tuple) else 1 for entry in (lower, upper))
    columns = (entry if isinstance(entry, tuple) else (entry,) * count for entry in (lower, upper))
    for low, high in zip(*columns, strict=False):
        if isinstance(low, float) and isinstance(high, float):
            yield low, high


def _range_problems(robot: Robot) -> Problems:
    if isinstance(robot.base, Rails):
        return
    for name in ("joint_min", "joint_max"):
        value = getattr(robot.limits, name)
        centers = getattr(robot.base, "centers", None) or (0.0,) * robot.arms
        entries = value if isinstance(value, tuple) else (value,) * len(centers)
        for index, (entry, center) in enumerate(zip(entries, centers, strict=False), start=1):
            if isinstance(entry, float) and abs(entry - center) >= math.pi:
                path = f"limits.{name}.{index}" if isinstance(value, tuple) else f"limits.{name}"
                low, high = (math.degrees(center + side * math.pi) for side in (-1, 1))
                message = f"is {_degrees(entry)}; joint ranges lie between {low:g} and {high:g} deg"
                hint = ": choose the zero of the arm so that they do"
                hint = perhaps([entry], "deg") if abs(entry) > ANGLE_MAX else hint
                yield FileProblem(path, f"{message}{hint}")
                break


def _home_yaw_problems(robot: Robot) -> Problems:
    if robot.dof != 4 or len(robot.home) != 4:
        return
    yaw = robot.home[3]
    lower, upper = robot.limits.yaw_min, robot.limits.yaw_max
    if isinstance(lower, float) and yaw < lower:
        yield FileProblem("home.4", f"is {_degrees(yaw)}; limits.yaw_min allows at least {_degrees(lower)}")
    if isinstance(upper, float) and yaw > upper:
        yield FileProblem("home.4", f"is {_degrees(yaw)}; limits.yaw_max allows at most {_degrees(upper)}")


def _fields(node: Any) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(node)


def _norm(vector: Any) -> float:
    numbers = all(isinstance(component, float) for component in vector)
    return math.hypot(*vector) if numbers else math.nan


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"


def _degrees(angle: float) -> str:
    return f"{math.degrees(angle):.6g} deg"


def _metres(length: float) -> str:
    return f"{1e3 * length:.6g} mm"
