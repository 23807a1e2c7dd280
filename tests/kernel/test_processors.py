"""Objects for other processors: linked by their compilers, run by an emulator, equal to the library."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.errors import KernelError
from parapick.formulas import expression_of
from parapick.kernel import PROCESSORS, Trace, processor_object, trace_of

LINKING = {
    "aarch64": ["aarch64-linux-gnu-gcc", "-static"],
    "cortex-m7": [
        *("arm-none-eabi-gcc", "-mcpu=cortex-m7", "-mthumb", "-mfpu=fpv5-d16", "-mfloat-abi=hard"),
        *("--specs=rdimon.specs", "-nostartfiles", "-T", "memory.ld", "start.c"),
    ],
}
"""By processor how a program is linked."""

RUNNING = {
    "aarch64": ["qemu-aarch64", "-cpu", "cortex-a72"],
    "cortex-m7": [
        *("qemu-system-arm", "-M", "mps2-an500", "-nographic", "-monitor", "none", "-serial", "none"),
        *("-semihosting-config", "enable=on,target=native", "-kernel"),
    ],
}
"""By processor how a program is run: under Linux, or on a board of its own, whose output is the emulator's."""

START = """
extern int main(void);
extern void initialise_monitor_handles(void);
extern void exit(int);
extern char bss_start[], bss_end[];
void start(void);
void _init(void) {}
void _fini(void) {}
__attribute__((section(".vectors"), used)) static const void *const vectors[] = {(void *)0x203ffff0, (void *)start};
void start(void)
{
    *(volatile unsigned *)0xe000ed88 |= 0xfu << 20; /* the floating-point unit is off after reset */
    __asm volatile("dsb; isb");
    for (char *p = bss_start; p < bss_end; p++) *p = 0;
    initialise_monitor_handles();
    exit(main());
}
"""

MEMORY = """
SECTIONS {
  . = 0;
  .text : { KEEP(*(.vectors)) *(.text*) *(.rodata*) }
  .ARM.exidx : { __exidx_start = .; *(.ARM.exidx*) __exidx_end = .; }
  .data : { *(.data*) *(.init_array*) *(.fini_array*) }
  .bss : { bss_start = .; *(.bss*) *(COMMON) bss_end = .; }
  . = 0x20000000;
  end = .;
}
"""
"""Everything in the board's memory at 0, from which it starts; stack and heap in that at 0x20000000."""

PROGRAM = """
#include <stdio.h>
void par4_inverse_kinematics(const double *x, double *q);
void par4_inverse_dynamics(const double *x, const double *xd, const double *xdd, const double *payload, double *tau);
static const double states[{count}][17] = {{{states}}};
int main(void)
{{
    double q[4], tau[4];
    for (int i = 0; i < {count}; i++) {{
        const double *s = states[i];
        {calls}
        for (int k = 0; k < 4; k++) printf("%.17g %.17g\\n", q[k], tau[k]);
    }}
    return 0;
}}
"""

COUNTS = [("aarch64", 844, 1051), ("cortex-m7", 727, 981)]
"""Instructions of inverse kinematics and inverse dynamics of par4, mathematics of the C library included."""

CALLS = "par4_inverse_kinematics(s, q); par4_inverse_dynamics(s, s + 4, s + 8, s + 12, tau);"


def traces() -> list[Trace]:
    robot = pp.load("par4").robot
    made = []
    for name in ("inverse_kinematics", "inverse_dynamics"):
        expression = expression_of(name, robot)
        made.append(trace_of(name, expression.inputs, None, expression.outputs, expression.validity))
    return made


def states(count: int) -> np.ndarray:
    """Poses, rates, accelerations and payloads (N, 17); the last pose is out of reach."""
    random = np.random.default_rng(3)
    rows = random.uniform(-1.0, 1.0, (count, 17)) * ([0.2, 0.2, 0.04, 0.5] + [2.0] * 4 + [50.0] * 4 + [0.0] * 5)
    rows[:, 2] -= 0.7
    rows[:, 12] = 0.3
    rows[-1, 0] = 5.0
    return rows


def program(folder: Path, processor: str, rows: np.ndarray, calls: str) -> list[str]:
    """A program of the object, as it is started."""
    linking, running = LINKING[processor], RUNNING[processor]
    for name in (linking[0], running[0]):
        if not shutil.which(name):
            pytest.skip(f"{name} is not installed: make foreign")
    text = ", ".join("{" + ", ".join(map(repr, row)) + "}" for row in rows.tolist())
    sources = {
        "main.c": PROGRAM.format(count=len(rows), states=text, calls=calls),
        "start.c": START,
        "memory.ld": MEMORY,
    }
    for file, source in sources.items():
        (folder / file).write_text(source)
    (folder / "par4.o").write_bytes(processor_object(traces(), "par4", processor).code)
    built = [*linking, "-O1", "-o", "program", "main.c", "par4.o", "-lm"]
    subprocess.run(built, cwd=folder, check=True, capture_output=True)
    return [*running, str(folder / "program")]


def instructions(folder: Path, processor: str, call: str) -> int:
    """Instructions of one call: those of a program that calls twice beyond those of one that calls once."""
    counts = []
    for calls in (CALLS, CALLS + call):
        first, *rest = program(folder, processor, states(2)[:1], calls)
        log = folder / "executed"
        counting = [first, "-singlestep", "-d", "exec,nochain", "-D", str(log), *rest]
        subprocess.run(counting, capture_output=True, check=True)
        counts.append(sum(line.startswith("Trace") for line in log.read_text().splitlines()))
    return counts[1] - counts[0]


@pytest.mark.parametrize("processor", PROCESSORS)
def test_an_object_gives_the_numbers_of_the_library(processor: str, tmp_path: Path) -> None:
    rows = states(50)
    run = subprocess.run(program(tmp_path, processor, rows, CALLS), capture_output=True, text=True, check=True)
    numbers = np.array([[float(word) for word in line.split()] for line in run.stdout.splitlines()])
    q, tau = numbers.reshape(len(rows), 4, 2).transpose(2, 0, 1)
    par4 = pp.load("par4")
    held = par4.with_payload(0.3)
    assert np.isnan(q[-1]).all()
    assert np.isnan(tau[-1]).all()
    x, xd, xdd = rows[:-1, :4], rows[:-1, 4:8], rows[:-1, 8:12]
    np.testing.assert_allclose(q[:-1], par4.inverse_kinematics(x), rtol=0, atol=1e-12)
    expected = held.inverse_dynamics(x, xd, xdd)
    np.testing.assert_allclose(tau[:-1], expected, rtol=0, atol=1e-12 * np.abs(expected).max())


@pytest.mark.parametrize("processor", PROCESSORS)
def test_an_object_is_made_without_any_compiler(processor: str) -> None:
    machine = {"aarch64": 183, "cortex-m7": 40}[processor]
    made = processor_object(traces(), "par4", processor).code
    assert made[:4] == b"\x7fELF"
    assert int.from_bytes(made[18:20], "little") == machine, "the number of the processor in the header of ELF"
    assert b"par4_inverse_dynamics" in made


@pytest.mark.parametrize(("processor", "kinematics", "dynamics"), COUNTS)
def test_the_page_states_how_many_instructions_a_call_takes(
    processor: str, kinematics: int, dynamics: int, tmp_path: Path
) -> None:
    calls = CALLS.split(" par4_inverse_dynamics")
    # Another version of the C library or of LLVM may take a few more or less.
    assert instructions(tmp_path, processor, calls[0]) == pytest.approx(kinematics, rel=0.1)
    assert instructions(tmp_path, processor, f"par4_inverse_dynamics{calls[1]}") == pytest.approx(dynamics, rel=0.1)
    page = (Path(__file__).parents[2] / "docs" / "into-the-controller.md").read_text()
    assert f"| {processor} | {kinematics} | {dynamics} |" in page


@pytest.mark.parametrize(("processor", "kinematics", "dynamics"), COUNTS)
def test_instructions_are_those_that_run_without_the_c_library(processor: str, kinematics: int, dynamics: int) -> None:
    """Of the counted ones about a quarter is ours in kinematics, whose cosines and arc tangents are the C library's."""
    made = processor_object(traces(), "par4", processor)
    assert 0.2 * kinematics < made.instructions["par4_inverse_kinematics"] < 0.4 * kinematics
    assert 0.6 * dynamics < made.instructions["par4_inverse_dynamics"] < dynamics
    assert made.calls == {"par4_inverse_kinematics": 6, "par4_inverse_dynamics": 4}


def test_another_processor_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(KernelError, match="aarch64, cortex-m7"):
        processor_object(traces(), "par4", "z80")
