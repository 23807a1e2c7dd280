"""Drives on EtherCAT behind the runtime, through pysoem: UNTESTED ON HARDWARE, only its bytes are tested.

Start it with the name of a network interface (as root), and then, elsewhere, a run on its drives:

    python 15_ethercat.py eth1
    parapick.runtime.run_task("par4", "adept-120", controller, RunSettings(segment="ethercat"))

The drives switch on, release their brakes and follow torques: first with motors that are not in a machine, and a
hand on an emergency stop that cuts their power.
"""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import parapick as pp
from parapick.control import Controller, controller_of
from parapick.runtime import (
    Bridge,
    BridgedDrive,
    RunSettings,
    VirtualDrives,
    bridged_segment,
    ethercat_wire,
    run_bridge,
)

robot = pp.load("par4")
controller = controller_of("tsid", robot)
assert isinstance(controller, Controller)
controller = replace(controller, rate=1000.0)  # a Python process keeps up with 1 kHz
units = VirtualDrives(counts=2**20, rated_torque=4.0, watchdog=0.01)  # increments a turn, N m of object 6076

# Of every drive: which way it counts, where its joint is at 0 (increments), and bits of 60FD.
drives = [
    BridgedDrive(direction=1, zero=0, released=3),
    BridgedDrive(direction=1, zero=0),
    BridgedDrive(direction=-1, zero=0),
    BridgedDrive(direction=-1, zero=0),
]
for name, kind in (("1600", "outputs"), ("1A00", "inputs")):
    entries = " ".join(f"{entry:08X}" for entry in drives[0].pdo.entries(kind))
    print(f"object {name} of every drive: {entries}")

interface = next((word for word in sys.argv[1:] if Path("/sys/class/net", word).exists()), "")
if importlib.util.find_spec("pysoem") is None:
    print("EtherCAT needs pysoem: pip install pysoem; the drives would then be served as 'ethercat', at 1 kHz")
elif not interface:
    print("give the name of the network interface at which the drives are, such as eth1")
else:
    settings = RunSettings(drives=units)
    with (
        bridged_segment(robot, "adept-120", controller, settings, name="ethercat") as segment,
        ethercat_wire(interface, segment, drives) as wire,
    ):
        print("the drives are served as 'ethercat'; Ctrl-C ends it")
        run_bridge(Bridge(segment, drives), segment, wire)
