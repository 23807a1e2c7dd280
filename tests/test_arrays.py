"""Arrays that are none: masked, complex, ragged, text. Every function that takes arrays names the argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import parapick as pp
from loops import looped
from parapick.arrays import poses_of, reals
from parapick.capability import acceleration_any, zonotope_indices
from parapick.capability.reachable import workspace
from parapick.control.poles import second_order
from parapick.errors import ParameterError, ShapeError
from parapick.inspection.mode_clearances import mode_clearances
from parapick.model import Model
from parapick.motion import adept_cycle, gate, hold, via_path
from parapick.motors.power import power_of
from parapick.ride.sharing import null_space

WRONG: dict[str, Any] = {
    "masked": np.ma.masked_array([0.0, 0.0, -0.7], mask=[False, True, False]),
    "masked without a mask": np.ma.masked_array([0.0, 0.0, -0.7]),
    "complex": np.array([0.0, 0.0, -0.7 + 0.1j]),
    "ragged": [[0.0, 0.0, -0.7], [0.0]],
    "text": "0, 0, -0.7",
    "texts": ["0", "0", "-0.7"],
    "nothing": [None, None, None],
    "objects": [{}, {}, {}],
    "dates": np.array(["2020-01-01"] * 3, dtype="datetime64[D]"),
    "huge": [10**400, 0, 0],
}
POSE = [0.0, 0.0, -0.7]


def array_methods() -> dict[str, list[str]]:
    """Methods of a model that take arrays, with the names of these."""
    found = {}
    for name, method in inspect.getmembers(Model, inspect.isfunction):
        arrays = [p.name for p in inspect.signature(method).parameters.values() if "ArrayLike" in str(p.annotation)]
        if arrays and not name.startswith("_"):
            found[name] = arrays
    return found


@pytest.fixture(scope="module")
def delta() -> Model:
    return pp.load("delta-nr")


@pytest.mark.parametrize("kind", WRONG)
def test_an_array_is_refused_by_name(kind: str) -> None:
    with pytest.raises((ParameterError, ShapeError), match=r"^tau\b"):
        reals("tau", WRONG[kind])


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_what_holds_real_numbers_is_taken() -> None:
    given = np.array([[1.0, 2.0]])
    assert reals("x", given) is given
    for like in ([[1, 2]], np.array([[1, 2]], np.int8), given.astype(np.float32), given.astype(np.longdouble)):
        np.testing.assert_array_equal(reals("x", like), given)
    for like in (given.astype(">f8"), np.matrix([[1, 2]]), ((1, 2.0),)):
        assert type(reals("x", like)) is np.ndarray
        assert reals("x", like).dtype == np.float64
    assert poses_of("x", np.zeros((2, 5, 3)), 3).shape == (10, 3)
    with pytest.raises(ShapeError, match=r"x has shape \(4,\); it should be \(\.\.\., 3\)"):
        poses_of("x", np.zeros(4), 3)


@pytest.mark.parametrize("name", array_methods())
def test_every_method_of_a_model_refuses_them(name: str, delta: Model) -> None:
    if name == "yaw_interval":
        delta = pp.load("par4")
    names = array_methods()[name]
    for wrong in names:
        given = dict.fromkeys(names, POSE) | {"start": 0.0, "guess": POSE, "tau": np.zeros(3)}
        for value in WRONG.values():
            arguments = {other: value if other == wrong else given[other] for other in names}
            with pytest.raises((ParameterError, ShapeError)) as caught:
                getattr(delta, name)(**arguments)
            assert str(caught.value).startswith((f"{wrong}: ", f"{wrong} has shape"))


@pytest.mark.parametrize("rows", [1, 7, 400_000])
def test_a_mask_is_never_dropped(rows: int, delta: Model) -> None:
    """Whatever the size of a batch: small ones go to NumPy as they are, large ones in pieces to several threads."""
    poses = np.ma.masked_array(np.tile(POSE, (rows, 1)))
    with pytest.raises(ParameterError, match="x: is a masked array; give a plain one"):
        delta.inverse_kinematics(poses)
    poses.mask = np.zeros(poses.shape, bool)
    with pytest.raises(ParameterError, match="x: is a masked array; give a plain one"):
        delta.inverse_kinematics(poses)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_a_matrix_gives_plain_arrays(delta: Model) -> None:
    found = delta.kinematics(np.matrix([POSE, POSE]))
    assert type(found.q) is np.ndarray
    np.testing.assert_array_equal(found.q, delta.inverse_kinematics([POSE, POSE]))


FUNCTIONS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "acceleration_any": ("x", lambda value: acceleration_any(pp.load("delta-nr"), value)),
    "zonotope_indices": ("generators", zonotope_indices),
    "power_of": ("time", lambda value: power_of(value, np.zeros((3, 1)), np.zeros((3, 1)))),
    "null_space": ("jacobian", null_space),
    "mode_clearances": ("x", lambda value: mode_clearances(pp.load("delta-nr"), value)),
    "second_order": ("frequency", lambda value: second_order(value, 0.7)),
    "workspace": ("low", lambda value: workspace(pp.load("delta-nr"), low=value, high=(0.0, 0.0, -0.5))),
    "adept_cycle": ("center", lambda value: adept_cycle(None, cycles_per_minute=60, center=value)),
    "gate": ("start", lambda value: gate(value, (0.3, 0.0, -0.7), duration=1.0)),
    "hold": ("pose", lambda value: hold(value, 1.0)),
    "via_path": ("points", lambda value: via_path([value, value])),
    "Motion.at": ("t", lambda value: hold(POSE, 1.0).at(value)),
    "Motion.payload_at": ("t", lambda value: hold(POSE, 1.0).payload_at(value)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_refuse_them_too(name: str) -> None:
    argument, call = FUNCTIONS[name]
    for kind in ("masked", "complex", "texts", "nothing"):
        with pytest.raises((ParameterError, ShapeError)) as caught:
            call(WRONG[kind])
        assert str(caught.value).startswith(argument)


@pytest.mark.parametrize("argument", ["disturbance.offset", "disturbance.force", "disturbance.torque", "torque_max"])
def test_a_simulation_refuses_them_before_it_runs(argument: str, delta: Model) -> None:
    motion = adept_cycle(delta, cycles_per_minute=60)
    law = pp.control.tuned("pd", delta, motion, frequency=20.0, damping=0.7)
    for kind in ("masked", "complex", "ragged", "texts", "nothing"):
        with pytest.raises((ParameterError, ShapeError), match=f"^{argument}"):
            looped(delta, motion, law, **{argument.removeprefix("disturbance."): WRONG[kind]})
