"""The script that LinuxCNC starts in the place of a screen: it homes, runs the program, and writes what happened."""

from __future__ import annotations

from parapick.export.linuxcnc.files import FileNames

_SCRIPT = '''#!/usr/bin/python3
"""Home, run the program, write what happened into run.json, and end.

LinuxCNC starts this in the place of a screen, as [DISPLAY]DISPLAY of the INI file says; it needs nobody.
Put a screen such as axis there to run the machine by hand.
"""

import json
import sys
import time

import linuxcnc

PROGRAM = "@PROGRAM@"
HOMING_MAX = 60.0  # s
STEP = 0.01  # s

command, status, errors = linuxcnc.command(), linuxcnc.stat(), linuxcnc.error_channel()
messages = []


def look():
    """Read the state; keep what the controller says."""
    status.poll()
    while True:
        message = errors.poll()
        if not message:
            return
        messages.append(message[1].strip())


def wait(done, longest):
    """Wait until something is so; False if that takes too long, or something went wrong."""
    end = time.monotonic() + longest
    while time.monotonic() < end:
        look()
        if messages:
            return False
        if done():
            return True
        time.sleep(STEP)
    messages.append("took too long")
    return False


def homed():
    return all(status.homed[: status.joints])


def ended():
    return status.interp_state == linuxcnc.INTERP_IDLE and status.exec_state == linuxcnc.EXEC_DONE and status.inpos


def switched_on():
    command.state(linuxcnc.STATE_ESTOP_RESET)
    command.wait_complete()
    command.state(linuxcnc.STATE_ON)
    command.wait_complete()
    return wait(lambda: status.task_state == linuxcnc.STATE_ON, 5.0)


def homing():
    command.mode(linuxcnc.MODE_MANUAL)
    command.wait_complete()
    command.teleop_enable(0)
    command.wait_complete()
    command.home(-1)
    return wait(homed, HOMING_MAX)


def running():
    command.mode(linuxcnc.MODE_AUTO)
    command.wait_complete()
    command.program_open(PROGRAM)
    command.wait_complete()
    command.auto(linuxcnc.AUTO_RUN, 0)
    return wait(lambda: not ended(), 5.0) and wait(ended, @LONGEST@)


result = {"program": PROGRAM, "homed": False, "done": False}
result["on"] = switched_on()
if result["on"]:
    result["homed"] = homing()
if result["homed"]:
    begin = time.monotonic()
    result["done"] = running()
    result["seconds"] = time.monotonic() - begin
look()
result["joints"] = list(status.joint_position[: status.joints])
result["messages"] = messages
with open("run.json", "w") as file:
    json.dump(result, file, indent=1)
sys.exit(0 if result["done"] else 1)
'''


def runner_text(names: FileNames, duration: float) -> str:
    """The script.

    Args:
        names: names of the files.
        duration: of the task (s); the controller may take ten times as long, and a minute.
    """
    return _SCRIPT.replace("@PROGRAM@", names.program).replace("@LONGEST@", f"{60.0 + 10.0 * duration:.1f}")
