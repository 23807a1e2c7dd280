"""Which robot to build: designs of a Delta against requirements, and the best of them as a file."""

import tempfile
from pathlib import Path

import parapick as pp

STUDY = """
format = 1
name = "small-delta"
robot = "delta-nr"
payload = "500 g"
tasks = ["adept-120"]
objectives = ["peak_torque"]
also = ["rms_torque", "footprint"]

[parameters]
"limb.arm" = { from = "240 mm", to = "400 mm", step = "20 mm" }
"limb.rod_length" = { from = "700 mm", to = "900 mm", step = "50 mm" }

[requirements]
reach = { points = [5, 12, 3] }

[[methods]]
kind = "grid"
"""

if __name__ == "__main__":  # a study starts processes, which read this file again
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "small-delta.toml"
        file.write_text(STUDY)
        result = pp.run_study(pp.load_study(file), Path(folder) / "out", workers=1)
        print(result.answer().first_line)
        for row in result.table("best").records[:3]:
            print({name: value for name, value in row.items() if value is not None})
        result.write_robots()
        (best,) = sorted((Path(folder) / "out").glob("small-delta-1.toml"))
        print(pp.evaluate(best, "adept-120", payload="500 g").verdict.text)
