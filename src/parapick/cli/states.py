"""Words that torques at one state and torques along a motion share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from parapick.mechanism import Robot

SINGULAR: Final = "the pose is singular: no finite torque holds it"


def payload_text(answer: dict[str, Any]) -> str:
    """What the tool holds, in words; empty where it holds nothing."""
    return f"payload {answer['payload']:g} kg" if answer["payload"] else ""


def rod_letters(robot: Robot) -> tuple[str, ...]:
    """What the rods of a leg are called: the second of a pair is b; a single one needs no letter."""
    return (" a", " b") if robot.limb.rods == 2 else ("",)
