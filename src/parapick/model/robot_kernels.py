"""A robot with its kernels: what a question about a robot is answered from."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from parapick.formulas import InstantLimit, instant_kinds, kernel_of
from parapick.kernel import Kernel
from parapick.mechanism import Robot
from parapick.motors import Motors
from parapick.parameters import resolved, structure, values


@final
@dataclass(frozen=True, eq=False)
class RobotKernels:
    """A robot, its numbers, and its native kernels, each made at its first use.

    Attributes:
        robot: the frozen description.
        structure: the robot with its numbers zeroed: what its kernels are made from.
    """

    robot: Robot
    structure: Robot
    _known: dict[str, Kernel] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, robot: Robot) -> RobotKernels:
        """The kernels of a robot."""
        return cls(robot, structure(robot))

    def shared_with(self, robot: Robot) -> RobotKernels:
        """The same kernels for other numbers; for the same robot, with all that was found of it.

        Args:
            robot: a robot of the same structure.
        """
        return self if robot is self.robot else RobotKernels(robot, self.structure, self._known)

    @cached_property
    def parameters(self) -> np.ndarray:
        """The numbers of the robot, the last input of every kernel, in the order of `leaves(robot)`."""
        numbers = values(self.robot)
        numbers.flags.writeable = False
        return numbers

    @cached_property
    def numbers(self) -> Robot:
        """The robot with every number that follows another one replaced by its value."""
        return resolved(self.robot)

    @cached_property
    def motors(self) -> Motors:
        """What the drives allow."""
        return Motors.of(self.numbers)

    @cached_property
    def instant_kinds(self) -> tuple[InstantLimit, ...]:
        """The limits of an instant that the robot's file states, and that can be computed with its masses."""
        return instant_kinds(self.robot)

    def kernel(self, name: str) -> Kernel:
        """The native kernel of a quantity.

        Args:
            name: one of the names of `EXPRESSIONS`, such as "kinematics".
        """
        return self._known.get(name) or self._known.setdefault(name, kernel_of(self.structure, name))

    def __call__(self, name: str, *inputs: ArrayLike) -> tuple[np.ndarray, ...]:
        """Outputs of a kernel at a batch of inputs.

        Args:
            name: one of the names of `EXPRESSIONS`, such as "kinematics".
            inputs: its inputs but for the robot's numbers, each (..., columns).
        """
        return self.kernel(name)(*inputs, self.parameters)
