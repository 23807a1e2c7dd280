"""`python -m parapick.cli` is the command `parapick`."""

from __future__ import annotations

import sys

from parapick.cli.app import main

sys.exit(main())
