"""The command line: one file a command, each imported only when it is called.

Nothing is imported here that takes time, so that Ctrl-C finds us ready for it from the first moment.
"""

from __future__ import annotations

from parapick.cli.exits import FAULT, INTERRUPTED

# As `typing.TYPE_CHECKING`, without its module.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LIBRARIES", "command", "main"]

LIBRARIES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""What libraries of linear algebra read how many threads they may use from."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    Args:
        arguments: words of the command line; those of the process if not given.
    """
    try:
        from parapick.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


def command() -> int:
    """Run the command that this process was started for and return its exit code.

    A fault of ours leaves with a code of its own: Python's would be 1, which is an answer. With `--json` it is a
    document, too.
    """
    _use_one_thread()
    try:
        code = main()
    except Exception as error:  # noqa: BLE001
        import traceback
        from contextlib import suppress

        traceback.print_exc()
        code = FAULT
        # The fault may be in what prints it, or in what is imported for that.
        with suppress(Exception):
            from parapick.cli.app import print_fault

            print_fault(error)
    import signal

    # All is said: while Python tidies up there is nothing left to stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return code


def _use_one_thread() -> None:
    """One thread for linear algebra, unless the user says otherwise.

    Threads that wait for matrices of a robot's size cost more than they do. The libraries look when NumPy is imported,
    so it holds for this process and the workers that it starts.
    """
    import os

    if not any(name in os.environ for name in ("OMP_NUM_THREADS", *LIBRARIES)):
        os.environ.update(dict.fromkeys(LIBRARIES, "1"))
