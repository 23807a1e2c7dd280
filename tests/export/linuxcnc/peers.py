"""LinuxCNC's own kinematics, called from Python: its module, loaded with a HAL of ours that only keeps pins."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from functools import cache
from pathlib import Path

MODULES = Path("/usr/lib/linuxcnc/modules")
"""Where Debian's package has them."""

HAL = r"""
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char names[64][64];
static double *values[64];
static int count;
int hal_init(const char *name) { (void)name; return 1; }
int hal_ready(int id) { (void)id; return 0; }
int hal_exit(int id) { (void)id; return 0; }
void *hal_malloc(long size) { return calloc(1, size); }
int hal_pin_float_newf(int dir, double **where, int id, const char *form, ...)
{
    va_list rest;
    (void)dir;
    (void)id;
    va_start(rest, form);
    vsnprintf(names[count], sizeof names[count], form, rest);
    va_end(rest);
    *where = values[count++] = calloc(1, sizeof(double));
    return 0;
}
int set_pin(const char *name, double value)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name)) { *values[i] = value; return 0; }
    return -1;
}
"""


@cache
def _hal() -> ctypes.CDLL:
    """Our HAL, where modules look for theirs: one for all of them, as symbols are bound to the first."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "hal.c", Path(folder) / "hal.so"
        source.write_text(HAL)
        subprocess.run(["gcc", "-O1", "-fPIC", "-shared", "-o", library, source], check=True)
        return ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)


def peer(name: str, **pins: float) -> ctypes.CDLL:
    """A module of LinuxCNC's kinematics with its geometry set.

    Args:
        name: of the module.
        pins: its geometry.
    """
    hal = _hal()
    module = ctypes.CDLL(str(MODULES / f"{name}.so"), mode=ctypes.RTLD_LOCAL)
    assert module.rtapi_app_main() == 0
    for pin, value in pins.items():
        assert hal.set_pin(f"{name}.{pin}".encode(), ctypes.c_double(value)) == 0
    return module
