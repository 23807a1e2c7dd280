"""`python -m parapick.cli` is the command `parapick`."""

from __future__ import annotations

import sys

from parapick.cli import command

sys.exit(command())
