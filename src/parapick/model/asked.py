"""What modules below `Model` ask of it: the robot, its kernels and a few answers, so that none of them imports it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from parapick.kernel import Kernel
from parapick.mechanism.robot import Robot, WorkingMode
from parapick.model.margins import Margins


class AskedReach(Protocol):
    """Which poses a robot reaches; see `Reach`."""

    @property
    def ok(self) -> np.ndarray:
        """Whether all legs close and all limits hold (...)."""
        ...

    @property
    def cause(self) -> np.ndarray:
        """The first thing that is wrong (...); empty where none is."""
        ...

    @property
    def fault(self) -> np.ndarray:
        """The first thing that is wrong (...), as an index into `FAULTS`."""
        ...

    @property
    def worst_leg(self) -> np.ndarray:
        """The leg, from 1, that misses most of it (...); 0 where that is no property of a leg."""
        ...

    def raise_if_unreachable(self) -> None:
        """Raise for the first pose that cannot be reached."""
        ...

    def raise_if_open(self) -> None:
        """Raise for the first pose at which a leg does not close."""
        ...


class AskedModel(Protocol):
    """A robot with its kernels; see `Model`."""

    @property
    def robot(self) -> Robot:
        """The description."""
        ...

    @cached_property
    def parameters(self) -> np.ndarray:
        """The numbers of the robot, the last input of every kernel."""
        ...

    @property
    def working_modes(self) -> tuple[WorkingMode, ...]:
        """Every choice of elbows."""
        ...

    def kernel(self, name: str) -> Kernel:
        """The native kernel of a quantity."""
        ...

    def forward_kinematics(self, q: ArrayLike, guess: ArrayLike | None = None) -> np.ndarray:
        """Task vectors (..., dof) of joint angles."""
        ...

    def closure_residual(self, x: ArrayLike, q: ArrayLike) -> np.ndarray:
        """What is left of every closure (..., n)."""
        ...

    def inverse_jacobian(self, x: ArrayLike) -> np.ndarray:
        """Inverse Jacobian (..., n, dof)."""
        ...

    def reach(self, x: ArrayLike) -> AskedReach:
        """Which poses are reached."""
        ...

    def margins(self, x: ArrayLike) -> Margins:
        """Distance to the singularities."""
        ...

    def with_parameters(self, changes: Mapping[str, float | str]) -> AskedModel:
        """The same robot with other numbers."""
        ...
