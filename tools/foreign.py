"""Install the foreign programs that tests run beside ours, from the system's packages, where they are missing.

    python tools/foreign.py

They are a machine controller, compilers for other processors, and an emulator of these. `make test` does not need
them: a test without its program is skipped and names the package. They take 1.5 GB, so nothing installs them on the
way, nor where the variable CI is set. It takes the superuser and apt-get; elsewhere it fails and names the packages.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Final

PACKAGES: Final = {
    "linuxcnc": "linuxcnc-uspace",
    "halcompile": "linuxcnc-uspace-dev",
    "qemu-aarch64": "qemu-user",
    "qemu-system-arm": "qemu-system-arm",
    "clang": "clang",
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
}
"""Every program, and the packages that it takes."""


def missing() -> list[str]:
    """The packages whose programs are not on the path."""
    absent = [packages for program, packages in PACKAGES.items() if not shutil.which(program)]
    return [package for packages in absent for package in packages.split()]


def main() -> int:
    """See to it that every foreign program is there; 0 where they are afterwards, otherwise 1."""
    packages = missing()
    if not packages:
        sys.stdout.write(f"all foreign programs are there: {', '.join(PACKAGES)}\n")
        return 0
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        why = "there is no apt-get here" if apt is None else "only the superuser can install packages"
        sys.stderr.write(f"{why}: install the system's packages {' '.join(packages)}.\n")
        return 1
    sys.stdout.write(f"installing the system's packages {' '.join(packages)}\n")
    sys.stdout.flush()
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    # Recommended packages of the controller are its screens: half a gigabyte that nobody sees here.
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        run = subprocess.run([apt, "-qq", *command], env=quiet, capture_output=True, text=True, check=False)
        if run.returncode:
            sys.stderr.write(f"apt-get {' '.join(command)} failed:\n{run.stderr or run.stdout}")
    return 1 if missing() else 0


if __name__ == "__main__":
    sys.exit(main())
