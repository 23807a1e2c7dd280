"""The options that say whose drives a run has: its own, those that run already, or none but those it serves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import given_texts
from parapick.cli.groups import SIMULATION
from parapick.cli.tables import note
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.answer import Answer
    from parapick.control import Controller
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.runtime import Privileges, RunSettings, SharedSegment


@Parameter(name="*", group=SIMULATION)
@final
@dataclass(frozen=True)
class CellOptions:
    """Whose drives a run has.

    Attributes:
        serve: Only serve the virtual drives, under this name and until Ctrl-C, for runs with --segment.
        segment: Run on the drives that are served under this name, from where they stand.
        reset: Reset faults of those drives before the start.
    """

    serve: Annotated[str | None, Parameter(metavar="NAME")] = None
    segment: Annotated[str | None, Parameter(metavar="NAME")] = None
    reset: Annotated[bool, Parameter(negative=(), show_default=False)] = False

    @property
    def stated(self) -> dict[str, str]:
        """What is given here, by its name."""
        return given_texts(serve=self.serve, segment=self.segment, reset="true" if self.reset else None)

    def check(self, *, lockstep: bool, explain: bool, written: bool) -> None:
        """Raise if what is given contradicts itself, or what else is asked for.

        Args:
            lockstep: whether there is no clock.
            explain: whether the run is to be computed again.
            written: whether files are to be written.

        Raises:
            ParameterError: it does.
        """
        for option, given in (("--serve", self.serve), ("--segment", self.segment)):
            if given is not None and lockstep:
                raise ParameterError(option, "has drives with a clock; leave out --lockstep")
        if self.serve is not None and self.segment is not None:
            raise ParameterError(
                "--serve", "starts drives, and --segment uses those that run already; give one of them"
            )
        if self.serve is not None and (explain or written):
            raise ParameterError("--serve", "runs no task; give --out and --explain where the task is run")
        if self.segment is not None and explain:
            text = "needs to know what the drives did from their beginning on; leave out --segment"
            raise ParameterError("--explain", text)
        if self.reset and self.segment is None:
            raise ParameterError("--reset", "is for drives that run already; give --segment, too")


OWN: Final = CellOptions()
"""The run has drives of its own."""


def served(
    model: Model, motion: Motion, controller: Controller, settings: RunSettings, name: str, privileges: Privileges
) -> Answer:
    """Serve the virtual cell of a run until somebody ends it; what was served.

    Args:
        model: the robot.
        motion: what runs on it are like.
        controller: the controller.
        settings: how runs on it are.
        name: of its segment.
        privileges: what is asked of the system.
    """
    from parapick.runtime import serve_cell

    def ready(segment: SharedSegment) -> None:
        rate = 1e9 / int(segment.whole["head"]["period"])
        text = f"virtual drives of {model.robot.name} are served as {segment.name.removeprefix('/')} at {rate:g} Hz"
        note(f"{text}; run on them with --segment {segment.name.removeprefix('/')}; Ctrl-C ends them")

    return serve_cell(model, motion, controller, settings, name=name, privileges=privileges, ready=ready).answer()
