"""Install Chromium from the system's packages where the browser tests need it and it is missing.

    python tools/chromium.py

`make test` runs this where the variable CI is set, because tests are not skipped there. It takes the superuser and
apt-get; anywhere else it fails and names the package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from parapick.report import find_chromium

PACKAGE = "chromium"


def main() -> int:
    """See to it that there is a Chromium; 0 where there is one afterwards, otherwise 1."""
    if find_chromium():
        return 0
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        why = "there is no apt-get here" if apt is None else "only the superuser can install it"
        sys.stderr.write(f"The browser tests need Chromium, and {why}: install the system's package {PACKAGE}.\n")
        return 1
    sys.stdout.write(f"installing the system's package {PACKAGE}\n")
    sys.stdout.flush()
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", PACKAGE]):
        run = subprocess.run([apt, "-qq", *command], env=quiet, capture_output=True, text=True, check=False)
        if run.returncode:
            sys.stderr.write(f"apt-get {' '.join(command)} failed:\n{run.stderr or run.stdout}")
    return 0 if find_chromium() else 1


if __name__ == "__main__":
    sys.exit(main())
