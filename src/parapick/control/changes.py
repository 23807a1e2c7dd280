"""What a robot has otherwise than its file states: the controller's model, and the plant seen from that model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

from parapick.control.devices import JointFriction
from parapick.control.feedforward import SineTerm
from parapick.control.imperfections import DriveTrain, Eccentricity, FrictionRipple, LoosePayload, NoiseTorque
from parapick.control.value_forms import ByPath, TableOr
from parapick.errors import FileProblem
from parapick.fields import label, quantity
from parapick.forms import Flag, Whole, Word, table_of
from parapick.limits import MOST
from parapick.mechanism import ROD_MODELS, VARIABLE
from parapick.parameters import leaves

if TYPE_CHECKING:
    from parapick.model import Model

NUMBERS: Final = ("parameters", "factors")
"""Fields that change numbers of a robot."""


@dataclass(frozen=True, kw_only=True)
class RobotChanges:
    """A robot with other numbers, other rods or something in its tool."""

    parameters: Mapping[str, float | str] = label(
        "numbers in the place of others, by their path in the robot's file", factory=dict, form=ByPath()
    )
    factors: Mapping[str, float] = label(
        "factors on numbers, by their path in the robot's file", factory=dict, form=ByPath(factor=True)
    )
    rods: str | None = label("how the mass of the rods is spread", default=None, form=Word((*ROD_MODELS, *VARIABLE)))
    payload: float | None = quantity(
        "kg", "mass in the tool beyond the gripper, in the place of what the task carries", default=None, at_least=0.0
    )

    def applied(self, model: Model) -> Model:
        """The robot with these changes.

        Raises:
            ParameterError: a path that the robot does not have, or a number that no robot can have.
        """
        if self.rods is not None:
            model = model.with_rod_model(self.rods)
        numbers = {**self.parameters, **self._scaled(model)}
        model = model.with_parameters(numbers) if numbers else model
        return model if self.payload is None else model.with_payload(self.payload)

    def _scaled(self, model: Model) -> dict[str, float]:
        known = dict(leaves(model.robot))
        # A path that is not there gets the message of those that are.
        return {path: factor * known.get(path, 1.0) for path, factor in self.factors.items()}

    def problems(self, path: str) -> Iterator[FileProblem]:
        """What is wrong with the changes by themselves.

        Args:
            path: name of their table.
        """
        for name in self.factors.keys() & self.parameters.keys():
            yield FileProblem(f"{path}.factors.{name}", "is given beside a number in its place; give either")


@final
@dataclass(frozen=True, kw_only=True)
class ModelChanges(RobotChanges):
    """The robot as the controller takes it to be, where that differs from its file."""


@final
@dataclass(frozen=True, kw_only=True)
class PlantChanges(RobotChanges):
    """The robot as it is, where that differs from what the controller takes it to be."""

    friction: JointFriction | bool = label(
        "friction at the joints: true for what the drives state, false for none, or a table; losses of gearboxes are "
        "there in any case",
        default=True,
        form=TableOr(table_of(JointFriction), Flag()),
    )
    sine: SineTerm | None = label("the term f of wu2020 in the plant", default=None)
    drive_train: DriveTrain | None = label("spring, damper and play between motors and joints", default=None)
    ripple: FrictionRipple | None = label("how dry friction varies with the angle", default=None)
    noise: NoiseTorque | None = label("random torques at the joints", default=None)
    eccentricity: Eccentricity | None = label("encoders off their axis", default=None)
    loose_payload: LoosePayload | None = label("how what is carried shifts or swings", default=None)
    substeps: int | None = label(
        "integration steps per control period; without it steps of at most 1/4 ms, with friction or a drive train 1/16 "
        "ms",
        default=None,
        form=Whole(1, MOST["substeps"]),
    )

    def problems(self, path: str) -> Iterator[FileProblem]:
        """What is wrong with the changes by themselves.

        Args:
            path: name of their table.
        """
        yield from super().problems(path)
        for name in ("noise", "loose_payload"):
            block = getattr(self, name)
            yield from () if block is None else block.problems(f"{path}.{name}")

    def with_parameter(self, path: str, value: float | str) -> PlantChanges:
        """The same with another number of the robot.

        Args:
            path: its path in the robot's file.
            value: the number (SI), or a text with its unit.
        """
        factors = {name: factor for name, factor in self.factors.items() if name != path}
        return replace(self, parameters={**self.parameters, path: value}, factors=factors)
