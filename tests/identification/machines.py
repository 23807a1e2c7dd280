"""Machines that are logged: a robot with friction and a payload of its own, moved by MuJoCo or by our own plant."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import parapick as pp
from parapick.control import Controller, Differenced, JointFriction, PlantChanges, Poles
from parapick.control.tuned import law_named
from parapick.identification import Log, exciting_motion, unknowns_of
from parapick.model import Model
from parapick.motion import Motion
from parapick.motion.route import Route, by_law
from parapick.simulation import Record, simulate

ENCODER = 2**16
NOISE = 0.01


@cache
def exciting(name: str, duration: float, seed: int = 0) -> Motion:
    """The motion that is proposed for friction and payload of a robot."""
    model = pp.load(name)
    motion = exciting_motion(model, unknowns_of(model, ("friction", "payload")), duration=duration, seed=seed)
    return by_law(Route.through(motion.samples.t, motion.samples.x))


def machine(
    model: Model,
    motion: Motion,
    friction: JointFriction,
    payload: float,
    *,
    engine: Any = "native",
    rate: float = 1000.0,
) -> Record:
    """The record of a machine under TSID with slow gains, which knows neither friction nor gripper."""
    law = law_named("tsid")(poles=Poles(frequency=12.0), velocity=Differenced(cutoff=80.0))
    if model.robot.redundant:
        law = replace(law, sharing="least-norm")
    plant = PlantChanges(friction=friction, parameters={"gripper.mass": payload}, substeps=4)
    record = simulate(model, motion, Controller(law, rate=rate, delay=1, encoder=ENCODER, plant=plant), engine=engine)
    assert record.completed
    return record


def ideal(model: Model, motion: Motion, seed: int, rate: float = 1000.0, noise: float | None = None) -> Log:
    """What drives record of a machine that follows the motion exactly: `drive_torque` at the joints, with noise."""
    samples = motion.sample(rate)
    steps = 2.0 * np.pi / (ENCODER * model.motors.ratio)
    q = steps * np.round(model.inverse_kinematics(samples.x) / steps)
    torque = model.motors.ratio * model.drive_torque(samples.x, samples.xd, samples.xdd).torque
    size = NOISE * np.abs(torque).max(axis=0) if noise is None else noise
    torque = torque + size * np.random.default_rng(seed).standard_normal(torque.shape)
    return Log("machine.csv", samples.t, q, torque, None, {})


def logged(record: Record, seed: int, noise: float = NOISE) -> Log:
    """What a drive records of it: encoder angles, and torques with noise."""
    random = np.random.default_rng(seed)
    size = noise * np.abs(record.torque).max(axis=0)
    torque = record.torque + size * random.standard_normal(record.torque.shape)
    headings = {"t": "t", **{f"q{i + 1}": f"q{i + 1}" for i in range(record.q.shape[1])}}
    return Log("machine.csv", record.t, record.q_meas, torque, None, headings)
