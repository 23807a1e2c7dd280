"""A robot of your own: a page of numbers, checked, used and evaluated like the shipped ones."""

import tempfile
from pathlib import Path

import parapick as pp

PAGE = """
format = 1
name = "desk-delta"
title = "A small Delta for the desk"
home = [0.0, 0.0, "-180 mm"]

[base]
kind = "radial"
radius = "60 mm"
angles = ["0 deg", "120 deg", "240 deg"]

[limb]
arm = "80 mm"
rod_length = "200 mm"
arm_mass = "60 g"
rod_mass = "8 g"

[plate]
kind = "rigid"
radius = "30 mm"
mass = "50 g"

[drive]  # a small stepper without gears
rated_torque = "0.4 N m"
peak_torque = "0.6 N m"
inertia = "6 kg mm2"
"""

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "desk-delta.toml"
    file.write_text(PAGE)
    desk = pp.load(file)
    print(desk.robot.title, "-", desk.robot.motors, "motors")
    print("joint angles at home (rad):", desk.inverse_kinematics(desk.robot.home).round(4))
    made = pp.evaluate(desk, payload=0.02)  # the Adept cycle, in a size that it reaches
    print(made.title)
    print(made.verdict.text)
    file.write_text(PAGE.replace('"200 mm"', '"20 mm"'))
    try:
        pp.load(file)
    except pp.errors.RobotFileError as error:
        print(error.problems[0])
