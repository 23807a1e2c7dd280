"""Logs that cannot be: what drives and people make of a good one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

import parapick as pp
from identification.machines import exciting, ideal
from parapick.identification import Log
from parapick.identification.regressor import inertial_paths
from parapick.model import Model
from parapick.motion import Motion
from parapick.parameters import leaves


def rubbing(model: Model, motion: Motion, seed: int, *, payload: float = 0.5, rate: float = 1000.0) -> Log:
    """A log of a machine that follows a motion exactly: friction of some percent of its torques, noise of one."""
    random = np.random.default_rng(seed)
    samples = motion.sample(rate)
    speed = np.gradient(model.inverse_kinematics(samples.x), samples.t, axis=0)
    peak = np.abs(model.inverse_dynamics(samples.x, samples.xd, samples.xdd)).max(axis=0)
    coulomb, viscous = random.uniform(0.02, 0.1, (2, model.motors.count)) * peak
    log = ideal(model.with_payload(payload), motion, seed, rate)
    assert log.torque is not None
    moving = np.maximum(np.abs(speed).max(axis=0), 1e-9)
    return replace(log, torque=log.torque + coulomb * np.sign(speed) + viscous * speed / moving)


@cache
def good(name: str, duration: float = 2.5, seed: int = 1) -> tuple[Model, Log]:
    """A robot and a log of it, along the motion that is proposed for it."""
    model = pp.load(name)
    return model, rubbing(model, exciting(name, duration), seed)


def built_otherwise(model: Model, share: float) -> Model:
    """A machine whose masses are off by a share, every second one the other way."""
    numbers = dict(leaves(model.robot))
    paths = [path for path in inertial_paths(model.robot) if numbers[path] > 0.0]
    return model.with_parameters({path: numbers[path] * (1.0 + (-1) ** i * share) for i, path in enumerate(paths)})


def _torque(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Log], Log]:
    def changed(log: Log) -> Log:
        assert log.torque is not None
        return replace(log, torque=change(log.torque))

    return changed


def _both(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Log], Log]:
    def changed(log: Log) -> Log:
        assert log.torque is not None
        return replace(log, q=change(log.q), torque=change(log.torque))

    return changed


def _flipped(values: np.ndarray) -> np.ndarray:
    sign = np.ones(values.shape[1])
    sign[0] = -1.0
    return values * sign


def _exchanged(values: np.ndarray) -> np.ndarray:
    order = [1, 0, *range(2, values.shape[1])]
    return values[:, order]


def _clipped(torque: np.ndarray) -> np.ndarray:
    half = np.abs(torque).max(axis=0) / 2
    return np.clip(torque, -half, half)


def _moved(log: Log) -> Log:
    q = log.q.copy()
    q[:, 0] += 0.05
    return replace(log, q=q)


MISREAD: dict[str, tuple[str, Callable[[Log], Log]]] = {
    "torques in mN m": ("unit", _torque(lambda torque: 1e3 * torque)),
    "torques in kN m": ("unit", _torque(lambda torque: 1e-3 * torque)),
    "all torques the other way": ("sign", _torque(lambda torque: -torque)),
    "one torque the other way": ("sign", _torque(_flipped)),
    "two torques exchanged": ("order", _torque(_exchanged)),
    "torques from the second": ("order", _torque(lambda torque: np.roll(torque, -1, axis=1))),
    "two motors exchanged": ("order", _both(_exchanged)),
    "motors from the second": ("order", _both(lambda values: np.roll(values, -1, axis=1))),
    "torque clipped at half its peak": ("clipping", _torque(_clipped)),
    "one zero off by 0.05": ("zero", _moved),
}
"""What is done to a log, and the cause that should be named."""
