"""A robot of your own: a page of numbers, checked and used like the shipped ones."""

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

[plate]
kind = "rigid"
radius = "30 mm"
"""

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "desk-delta.toml"
    file.write_text(PAGE)
    desk = pp.load(file)
    print(desk.robot.title, "-", desk.robot.motors, "motors")
    print("joint angles at home (rad):", desk.inverse_kinematics(desk.robot.home).round(4))
    file.write_text(PAGE.replace('"200 mm"', '"20 mm"'))
    try:
        pp.load(file)
    except pp.RobotFileError as error:
        print(error.problems[0])
