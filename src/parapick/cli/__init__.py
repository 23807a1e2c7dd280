"""The command line: one file a command, each imported only when it is called."""

from __future__ import annotations

from parapick.cli.app import main

__all__ = ["main"]
