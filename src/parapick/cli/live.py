"""What shows on the terminal while a task runs on the runtime."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from parapick.cli.progress import watched
from parapick.cli.run_panel import HEIGHT, WIDTH, RunSight, error_text, panel, seen
from parapick.cli.tables import console

if TYPE_CHECKING:
    import numpy as np
    from rich.console import Console, RenderableType
    from rich.text import Text

    from parapick.progress import Listener
    from parapick.runtime import Session, Watcher

_PICTURES: Final = 4
"""Pictures per second."""

_ECHO: Final = 2
"""Room (characters) for the `^C` that a terminal writes where the picture ends: on a line more it would stay."""


@contextmanager
def live(title: str, *, clock: bool, shown: bool) -> Iterator[tuple[Listener | None, Watcher | None]]:
    """Show on the error output how a run goes, on a terminal only: a bar without a clock, otherwise a panel.

    What is seen of the run is folded where its log is drained. The pictures are drawn in a thread of their own, so that
    a terminal that stands still holds nobody but that thread.

    Args:
        title: what runs.
        clock: whether it runs against a clock.
        shown: whether anything is shown at all.
    """
    if not clock:
        with watched("in lockstep") as progress:
            yield progress, None
        return
    if not (shown and sys.stderr.isatty()):
        yield None, None
        return
    from rich.live import Live

    last: list[RunSight | None] = [None]
    target = console(error=True)

    def watch(run: Session, report: Any, rows: np.ndarray) -> None:
        last[0] = seen(last[0], run, report, rows)

    def picture() -> RenderableType:
        return drawn(last[0], title, target)

    with Live(get_renderable=picture, console=target, transient=True, refresh_per_second=_PICTURES):
        yield None, watch


def drawn(sight: RunSight | None, title: str, target: Console) -> RenderableType:
    """What is seen of a run: as the panel, or as a line where the terminal has no room or no signs for it.

    Args:
        sight: what was seen; nothing before the first row of the log.
        title: what runs.
        target: the terminal.
    """
    options = target.options
    if sight is None:
        return _line("planning and compiling the runtime, waiting for the drives", options.max_width)
    if options.max_width < WIDTH + _ECHO or options.size.height <= HEIGHT or options.ascii_only:
        return _line(live_text(sight), options.max_width)
    return panel(sight, title)


def _line(text: str, width: int) -> Text:
    from rich.text import Text

    line = Text(text, no_wrap=True)
    line.truncate(width - _ECHO, overflow="ellipsis")
    return line


def live_text(sight: RunSight) -> str:
    """State, pace, error and torque of the newest sample, and how late periods begin, as a line.

    Args:
        sight: what was seen.
    """
    import numpy as np

    from parapick.runtime import quantile

    report, row = sight.report, sight.row
    share, end = quantile(report["late"], 0.99), 1e-6 * (len(report["late"]) - 1)
    words = f"over {1e6 * end:.0f} us" if share > end else f"within {1e6 * share:.0f} us"
    late = f"overruns {int(report['overruns'])}, 99 % begin {words}"
    torque, unit = float(np.abs(row["torque"]).max()), sight.run.planned.supervision.model.motors.torque_unit
    state = sight.run.state_name(row)
    return f"{state:8} pace {float(row['pace']):.2f}  error {error_text(row)}  torque {torque:.1f} {unit}  {late}"
