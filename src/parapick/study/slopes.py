"""Measures and requirements of one design in pieces, with exact slopes by the free numbers.

A peak is the largest of many smooth pieces (a motor at a sample), a reach the smallest (a leg at a point); an effective
value is one piece per motor. The pieces come from the same expressions as the folds, their slopes from CasADi's exact
derivatives of them, all compiled natively: `d piece / d design = (d piece / d numbers) (d numbers / d design)`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import casadi as ca
import numpy as np

from parapick.capability import POSE_EXPRESSIONS, PoseSettings
from parapick.evaluation import PUSH
from parapick.kernel import Kernel, Recipe, build, known
from parapick.mechanism import Robot
from parapick.motors import LIFE_EXPONENT
from parapick.parameters import symbols_of
from parapick.search import Bound, Pieces
from parapick.study.body_measures import body_outputs
from parapick.study.design_space import DesignSpace
from parapick.study.instant_fold import INSTANT_TITLES, instant_expression
from parapick.study.motion_fold import FOLD_ROOMS, Sharing, Spread, TaskSeries, motion_expression
from parapick.study.path_fold import path_expression, push_expression
from parapick.study.region_fold import point_place, reach_expression
from parapick.study.study_measures import FIELDS, RATINGS, STUDY_MEASURES, StudyMeasure
from parapick.study.work import Work, slack_column, slack_title


class MotionSlopes(NamedTuple):
    """Motors along a task with their slopes by the free numbers.

    Attributes:
        torque: torques (T, n), N m.
        speed: speeds (T, n), rad/s.
        torque_slopes: (T, n, free).
        speed_slopes: (T, n, free).
        heat: what heats them (T, n) and its slopes, where the file states continuous torques over the speed.
        output: torques at the outputs of the gearboxes (T, n) and their slopes, where the file limits their mean.
    """

    torque: np.ndarray
    speed: np.ndarray
    torque_slopes: np.ndarray
    speed_slopes: np.ndarray
    heat: tuple[np.ndarray, np.ndarray] | None = None
    output: tuple[np.ndarray, np.ndarray] | None = None


def along(work: Work, series: TaskSeries, design: np.ndarray) -> MotionSlopes:
    """Motors of a design along a task, with slopes.

    Args:
        work: what designs are evaluated with.
        series: the samples of the task.
        design: values of the free numbers (free,), SI.
    """
    space = work.space
    kernel = _motion_kernel(space.structure, work.sharing, series.placed, space.varied)
    state = (series.x, series.xd, series.xdd, series.load, space.numbers(design))
    outputs = _named(kernel, *state)
    names = [name for name in ("torque", "speed", "heat", "output") if name in outputs]
    slopes = {name: _by_design(space, outputs[name], outputs[name + _SLOPES]) for name in names}
    more = {name: (outputs[name], slopes[name]) for name in names[2:]}
    return MotionSlopes(outputs["torque"], outputs["speed"], slopes["torque"], slopes["speed"], **more)


def reach_pieces(work: Work, design: np.ndarray) -> Pieces:
    """Every slack that must not be negative, over the workspace and along the tasks; those without bound left out.

    Args:
        work: what designs are evaluated with.
        design: values of the free numbers (free,), SI.
    """
    reserves = dict(work.reserves)
    places: list[tuple[Spread, np.ndarray]] = [(series.spread, series.x) for series in work.series]
    if work.reach:
        places.append(("region", work.points))
    space, values, slopes = work.space, [], [np.empty((0, len(design)))]
    for spread, points in places:
        outputs = _named(_reach_kernel(space.structure, spread, space.varied), points, space.numbers(design))
        for kind in work.kinds:
            name = slack_column(kind)
            if name in outputs:
                reserve = reserves.get(slack_title(kind), 0.0) if spread != "region" else 0.0
                bounded = np.isfinite(outputs[name])
                values.append(outputs[name][bounded] - reserve)
                slopes.append(_by_design(space, outputs[name], outputs[name + _SLOPES])[bounded])
    return Pieces(np.concatenate([np.empty(0), *values]), np.concatenate(slopes))


def limit_pieces(work: Work, design: np.ndarray, motions: list[MotionSlopes]) -> Pieces:
    """What is left of the limits of motors and rods that `evaluate` keeps, each as a share of its limit.

    Args:
        work: what designs are evaluated with.
        design: values of the free numbers (free,), SI.
        motions: the motors along every task.
    """
    reserves, parts = dict(work.reserves), [Pieces(np.empty(0), np.empty((0, len(design))))]
    for name in work.rated:
        if name == PUSH:
            used = _push_pieces(work, design)
        elif name in INSTANT_TITLES:
            used = _instant_pieces(work, design, name)
        else:
            measure = next(measure for measure in STUDY_MEASURES.values() if measure.rating == RATINGS[name])
            used = measure_pieces(work, measure, design, motions)
        parts.append(Pieces(1.0 - reserves.get(name, 0.0) - used.values, -used.slopes))
    return Pieces(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _push_pieces(work: Work, design: np.ndarray) -> Pieces:
    """Push of every rod at every sample as a share of its buckling load."""
    space, values, slopes = work.space, [], []
    for series in work.series:
        kernel = _push_kernel(space.structure, series.placed, space.varied)
        state = (series.x, series.xd, series.xdd, series.load, space.numbers(design))
        push, slope = kernel(*state, threads=1)
        values.append(push.ravel())
        slopes.append(_by_design(space, push, slope).reshape(-1, len(design)))
    return Pieces(np.concatenate(values), np.concatenate(slopes))


def _instant_pieces(work: Work, design: np.ndarray, title: str) -> Pieces:
    """Shares of a limit of an instant, of every part at every sample; parts without a limit are left out."""
    space, values, slopes = work.space, [], []
    for series in work.series:
        kernel = _instant_kernel(space.structure, work.sharing.rule, series.placed, space.varied)
        outputs = _named(kernel, *series.instant, space.numbers(design))
        name = _port(title)
        values.append(outputs[name].ravel())
        slopes.append(_by_design(space, outputs[name], outputs[name + _SLOPES]).reshape(-1, len(design)))
    used, by_design = np.concatenate(values), np.concatenate(slopes)
    limited = used != 0.0
    return Pieces(used[limited], by_design[limited])


def _port(title: str) -> str:
    """Name of the output of a kernel for a requirement."""
    return title.replace(" ", "_").replace(",", "")


def _named(kernel: Kernel, *arrays: np.ndarray) -> dict[str, np.ndarray]:
    """What a kernel gives, by name."""
    return dict(zip([port.name for port in kernel.ports.outputs], kernel(*arrays, threads=1), strict=True))


def measure_pieces(work: Work, measure: StudyMeasure, design: np.ndarray, motions: list[MotionSlopes]) -> Pieces:
    """The pieces of a measure: it is the largest of them, or the smallest where more is better.

    Args:
        work: what designs are evaluated with.
        measure: the measure, a smooth one.
        design: values of the free numbers (free,), SI.
        motions: the motors along every task.
    """
    if measure.source == "robot":
        body, slopes = _body(work, design)
        return Pieces(body[measure.name], slopes[measure.name])
    if measure.source == "region":
        kernel = _quantity_kernel(work.space.structure, measure.quantity, work.settings, work.space.varied)
        value, slope = kernel(work.points, work.space.numbers(design), threads=1)
        return Pieces(value, _by_design(work.space, value, slope))
    if measure.name == "energy":
        parts = [_energy(series, motion) for series, motion in zip(work.series, motions, strict=True)]
        return Pieces(np.array([sum(part[0] for part in parts)]), np.sum([part[1] for part in parts], axis=0)[None])
    return _motor_pieces(work, measure, design, motions)


def _energy(series: TaskSeries, motion: MotionSlopes) -> tuple[float, np.ndarray]:
    bus = np.sum(motion.torque * motion.speed, axis=1)
    slope = motion.torque_slopes * motion.speed[..., None] + motion.torque[..., None] * motion.speed_slopes
    weights = series.weights * (bus > 0.0)
    return float(weights @ bus), weights @ slope.sum(axis=1)


def _motor_pieces(work: Work, measure: StudyMeasure, design: np.ndarray, motions: list[MotionSlopes]) -> Pieces:
    """Pieces of the motors: one per motor and sample of a peak, one per motor of an effective value."""
    field = FIELDS[measure.name]
    groups = [_motors(field, series, motion) for series, motion in zip(work.series, motions, strict=True)]
    values, slopes = (np.concatenate(part) for part in zip(*groups, strict=True))
    if measure.rating:
        body, body_slopes = _body(work, design)
        rating, rating_slopes = body[measure.rating], body_slopes[measure.rating]
        slopes = slopes / rating[:, None] - (values / rating**2)[..., None] * rating_slopes
        values = values / rating
    return Pieces(values.ravel(), slopes.reshape(-1, slopes.shape[-1]))


def _motors(field: str, series: TaskSeries, motion: MotionSlopes) -> tuple[np.ndarray, np.ndarray]:
    """Values (k, n) and slopes (k, n, free) of the motors: k samples of a peak, one of an effective value."""
    if field == "speed":
        return np.abs(motion.speed), np.sign(motion.speed)[..., None] * motion.speed_slopes
    if field == "torque":
        return np.abs(motion.torque), np.sign(motion.torque)[..., None] * motion.torque_slopes
    if field == "gearbox_mean":
        return _gearbox_means(series, motion)
    weights = series.weights / series.duration
    if field == "heat" and motion.heat is not None:
        heat, by_design = motion.heat
        value = np.sqrt(weights @ heat)
        return value[None], (np.einsum("t,tnk->nk", weights, by_design) / (2 * value[:, None]))[None]
    rms = np.sqrt(weights @ motion.torque**2)
    slopes = np.einsum("t,tn,tnk->nk", weights, motion.torque, motion.torque_slopes) / rms[:, None]
    return rms[None], slopes[None]


def _gearbox_means(series: TaskSeries, motion: MotionSlopes) -> tuple[np.ndarray, np.ndarray]:
    """Mean torque of every gearbox (1, n) and its slopes (1, n, free): `m^3 = wear / turned`, both sums."""
    if motion.output is None:
        return np.zeros((1, motion.speed.shape[1])), np.zeros((1, *motion.speed_slopes.shape[1:]))
    output, by_design = motion.output
    size, power, weights = np.abs(output), LIFE_EXPONENT, series.weights
    turning, turning_slopes = np.abs(motion.speed), np.sign(motion.speed)[..., None] * motion.speed_slopes
    turned, wear = weights @ turning, weights @ (turning * size**power)
    mean = (wear / turned) ** (1.0 / power)
    wear_slopes = np.einsum("t,tn,tnk->nk", weights, size**power, turning_slopes)
    by_size = power * turning * size ** (power - 1.0) * np.sign(output)
    wear_slopes += np.einsum("t,tn,tnk->nk", weights, by_size, by_design)
    turned_slopes = np.einsum("t,tnk->nk", weights, turning_slopes)
    relative = wear_slopes / wear[:, None] - turned_slopes / turned[:, None]
    return mean[None], (mean[:, None] / power * relative)[None]


def requirement_pieces(requirement: Bound, measure: StudyMeasure, pieces: Pieces) -> Pieces:
    """What is left of the bounds of a measure as a share of them, piece by piece.

    Args:
        requirement: the bounds; those on the better side of the measure are left out, for a piece does not decide them.
        pieces: its pieces.
    """
    bound, side = (requirement.at_least, 1.0) if measure.most else (requirement.at_most, -1.0)
    if bound is None:
        return Pieces(np.empty(0), np.empty((0, pieces.slopes.shape[1])))
    share = side / (abs(bound) or 1.0)
    return Pieces(share * (pieces.values - bound), share * pieces.slopes)


def _body(work: Work, design: np.ndarray) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """What the numbers say by themselves, each as a column (k,), and its slopes by the free numbers (k, free)."""
    space = work.space
    kernel = _body_kernel(space.structure, space.varied)
    outputs = _named(kernel, space.numbers(design))
    names = [name for name in outputs if not name.endswith(_SLOPES)]
    values = {name: np.atleast_1d(outputs[name]) for name in names}
    return values, {name: _by_design(space, values[name], outputs[name + _SLOPES]) for name in names}


KERNELS: Final = 32
"""Kernels of each kind that are kept at hand: a search asks for the same few at every step."""

_SLOPES: Final = "_slopes"
"""What the name of an output has behind it in the name of its slopes."""


def _by_design(space: DesignSpace, values: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Slopes by the free numbers (..., free) of values (...) from those by the varied numbers of the robot."""
    # A kernel leaves out the axis of a single value, and that of a single number. One product of two matrices: a
    # product for every value would take longer to call than to compute.
    rows = slopes.reshape(-1, len(space.varied)) @ space.slopes
    return rows.reshape(*values.shape, -1)


def _with_slopes(outputs: dict[str, Any], numbers: Any, varied: tuple[int, ...]) -> dict[str, Any]:
    chosen = numbers[list(varied)]
    # Dense: shapes do not depend on which slopes vanish.
    slopes = {name + _SLOPES: ca.densify(ca.jacobian(ca.vec(value), chosen)) for name, value in outputs.items()}
    return {**outputs, **slopes}


@lru_cache(maxsize=KERNELS)
def _motion_kernel(key: Robot, sharing: Sharing, placed: bool, varied: tuple[int, ...]) -> Kernel:
    def make() -> Kernel:
        numbers, robot = symbols_of(key)
        sample = motion_expression(robot, sharing, placed=placed)
        outputs = _with_slopes(sample.outputs, numbers, varied)
        return build("study_motion_slopes", sample.inputs, numbers, outputs, sample.validity)

    name = f"study_motion_slopes {sharing.rule} {sharing.lossless} {placed} {varied}"
    return known(Recipe(FOLD_ROOMS, name, key), make)


@lru_cache(maxsize=KERNELS)
def _reach_kernel(key: Robot, spread: Spread, varied: tuple[int, ...]) -> Kernel:
    def make() -> Kernel:
        numbers, robot = symbols_of(key)
        point = reach_expression(robot, spread) if spread == "region" else path_expression(robot, spread)
        slacks = {slack_column(kind): slack for kind, slack in point.outputs.items()}
        return build("study_reach_slopes", point.inputs, numbers, _with_slopes(slacks, numbers, varied))

    return known(Recipe(FOLD_ROOMS, f"study_reach_slopes {spread} {varied}", key), make)


@lru_cache(maxsize=KERNELS)
def _push_kernel(key: Robot, placed: bool, varied: tuple[int, ...]) -> Kernel:
    def make() -> Kernel:
        numbers, robot = symbols_of(key)
        sample = push_expression(robot, placed=placed)
        outputs = _with_slopes(sample.outputs, numbers, varied)
        return build("study_push_slopes", sample.inputs, numbers, outputs, sample.validity)

    return known(Recipe(FOLD_ROOMS, f"study_push_slopes {placed} {varied}", key), make)


@lru_cache(maxsize=KERNELS)
def _instant_kernel(key: Robot, rule: str, placed: bool, varied: tuple[int, ...]) -> Kernel:
    def make() -> Kernel:
        numbers, robot = symbols_of(key)
        sample = instant_expression(robot, rule, placed=placed)
        shares = {_port(title): share for title, share in sample.outputs.items()}
        outputs = _with_slopes(shares, numbers, varied)
        return build("study_instant_slopes", sample.inputs, numbers, outputs, sample.validity)

    return known(Recipe(FOLD_ROOMS, f"study_instant_slopes {rule} {placed} {varied}", key), make)


@lru_cache(maxsize=KERNELS)
def _quantity_kernel(key: Robot, quantity: str, settings: PoseSettings, varied: tuple[int, ...]) -> Kernel:
    def make() -> Kernel:
        numbers, robot = symbols_of(key)
        point = ca.SX.sym("point", robot.dof)
        value = POSE_EXPRESSIONS[quantity](robot, point_place(robot, point, "region"), settings)
        return build(
            "study_quantity_slopes", {"point": point}, numbers, _with_slopes({"value": value}, numbers, varied)
        )

    name = f"study_quantity_slopes {settings.key((quantity,))} {varied}"
    return known(Recipe(FOLD_ROOMS, name, key), make)


@lru_cache(maxsize=KERNELS)
def _body_kernel(key: Robot, varied: tuple[int, ...]) -> Kernel:
    def make() -> Kernel:
        numbers, robot = symbols_of(key)
        return build(
            "study_body_slopes", {"numbers": numbers}, None, _with_slopes(body_outputs(robot), numbers, varied)
        )

    return known(Recipe(FOLD_ROOMS, f"study_body_slopes {varied}", key), make)
