"""`python -m parapick` is the command `parapick`."""

from __future__ import annotations

import sys

from parapick import cli

sys.exit(cli.command())
