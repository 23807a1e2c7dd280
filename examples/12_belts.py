"""From a belt to another one: where item and box are met, what the motors say, and how late the item may come."""

import parapick as pp
from parapick.errors import ParapickError

par4 = pp.load("par4")
task = pp.load_task("belts")
motion = task.motion(par4)
print(f"{task.title}: {motion.duration:.3f} s")
for phase in motion.phases:
    print(f"  {phase.name:20} {phase.start:.3f} to {phase.end:.3f} s")
print(pp.evaluate(par4, "belts").verdict.text)

# The same belts, faster and faster, until the robot comes too late.
for speed in (0.4, 1.0, 2.0, 3.0):
    quick = pp.load_task("belts", {"pick.speed": f"{speed} m/s"})
    try:
        print(f"belt at {speed} m/s: {quick.motion(par4).duration:.3f} s")
    except ParapickError as error:
        print(f"belt at {speed} m/s: {error}")
