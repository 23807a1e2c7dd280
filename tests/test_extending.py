"""One more of each kind of thing, added to a copy of the package by nothing but what CONTRIBUTING.md names for it."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import parapick

PACKAGE = Path(parapick.__file__).parent
CONTRIBUTING = PACKAGE.parents[1] / "CONTRIBUTING.md"


@dataclass(frozen=True)
class Copy:
    """A copy of the package in a folder of its own."""

    root: Path

    @property
    def package(self) -> Path:
        return self.root / "parapick"

    def text(self, path: str) -> str:
        return (self.package / path).read_text(encoding="utf-8")

    def add(self, path: str, text: str) -> None:
        assert not (self.package / path).exists()
        (self.package / path).write_text(text, encoding="utf-8")

    def line(self, path: str, after: str, text: str) -> None:
        """Put text behind a place that occurs once."""
        whole = self.text(path)
        assert whole.count(after) == 1, (path, after)
        (self.package / path).write_text(whole.replace(after, after + text), encoding="utf-8")

    def say(self, path: str, old: str, new: str) -> None:
        """Replace a text everywhere in a file that was added."""
        assert old in self.text(path)
        (self.package / path).write_text(self.text(path).replace(old, new), encoding="utf-8")

    def twin(self, source: str, target: str, **names: str) -> None:
        """Add the copy of a file in which names are other ones."""
        self.add(target, renamed(self.text(source), names))

    def twin_class(self, path: str, names: dict[str, str], *words: tuple[str, str]) -> None:
        """Put the copy of a class behind it in which names and some words are other ones."""
        whole = self.text(path)
        original = class_text(whole, next(iter(names)))
        text = renamed(original, names)
        for old, new in words:
            assert old in text
            text = text.replace(old, new)
        self.line(path, original, f"\n\n\n{text}")

    def run(self, code: str) -> Any:
        """What a program prints as its last line, in JSON."""
        environment = {**os.environ, "PYTHONPATH": str(self.root)}
        command = [sys.executable, "-W", "ignore", "-c", code]
        done = subprocess.run(command, cwd=self.root, env=environment, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def call(self, *words: str) -> str:
        """What a command prints."""
        return self.calls(words)[0]

    def calls(self, *commands: tuple[str, ...], codes: tuple[int, ...] | None = None) -> list[str]:
        """What commands print, one after the other in one process: most of its time is that of its start."""
        code = f"""
import contextlib, io, json, os
os.environ["COLUMNS"] = "160"
from parapick.cli import main
done = []
for words in {commands!r}:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        code = main(words)
    done.append((code, printed.getvalue()))
print(json.dumps(done))
"""
        done = self.run(code)
        assert [code for code, _ in done] == list(codes or [0] * len(commands)), done
        return [printed for _, printed in done]


def renamed(text: str, names: dict[str, str]) -> str:
    for old, new in names.items():
        assert re.search(rf"\b{old}\b", text), old
        text = re.sub(rf"\b{old}\b", new, text)
    return text


def class_text(module: str, name: str) -> str:
    """The source of a class, with its decorators."""
    for node in ast.parse(module).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            first = min(decorator.lineno for decorator in node.decorator_list)
            return "\n".join(module.splitlines()[first - 1 : node.end_lineno])
    raise AssertionError(name)


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    # With what Python compiled: that holds for every source that stays as it is.
    shutil.copytree(PACKAGE, tmp_path / "parapick")
    return Copy(tmp_path)


def test_the_table_has_a_row_for_each() -> None:
    rows = [line for line in CONTRIBUTING.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    kinds = {row.split("|")[1].strip() for row in rows}
    assert kinds >= {
        "robot",
        "task",
        "plate",
        "leg",
        "control law",
        "time law",
        "index",
        "measure",
        "search method",
        "section",
        "command",
        "document",
        "kind of file",
        "export",
        "import",
        "fault",
    }


def test_robot(copy: Copy) -> None:
    text = copy.text("robots/par4.toml")
    copy.add("robots/par9.toml", text.replace('name = "par4"', 'name = "par9"'))
    assert "par9" in copy.call("robots")
    q = copy.run(
        "import json, parapick as pp; x = [0.1, -0.05, -0.7, 0.3]\n"
        "print(json.dumps([pp.load(name).inverse_kinematics(x).tolist() for name in ('par4', 'par9')]))"
    )
    assert q[0] == q[1]


def test_task(copy: Copy) -> None:
    text = copy.text("tasks/adept-10g.toml")
    copy.add("tasks/other.toml", text.replace('name = "adept-10g"', 'name = "other"'))
    assert "other" in copy.call("tasks")
    other, own = durations(copy, "other", "adept-10g")
    assert other == own > 0.0


def durations(copy: Copy, *tasks: str) -> list[float]:
    """Durations of tasks of par4 (s)."""
    each = f"[pp.load_task(task).motion(pp.load('par4')).duration for task in {tasks!r}]"
    return copy.run(f"import json, parapick as pp; print(json.dumps({each}))")


def test_plate(copy: Copy) -> None:
    copy.twin("mechanism/plates/screw.py", "mechanism/plates/worm.py", Screw="Worm")
    copy.say("mechanism/plates/worm.py", '"screw"', '"worm"')
    copy.twin("multibody/plates/screw.py", "multibody/plates/worm.py", Screw="Worm")
    plates = "mechanism/plates/__init__.py"
    copy.line(plates, "import Spindle\n", "from parapick.mechanism.plates.worm import Worm\n")
    copy.line(plates, '    "TurningBody",\n', '    "Worm",\n')
    copy.line(plates, "Screw | Point | Spindle", " | Worm")
    check_same_numbers(copy, "asymmetric-screw", {'kind = "screw"': 'kind = "worm"'})


def test_leg(copy: Copy) -> None:
    copy.twin("mechanism/legs/rail_rod.py", "mechanism/legs/track_rod.py", RailRod="TrackRod")
    copy.twin("multibody/legs/rail_rod.py", "multibody/legs/track_rod.py")
    trolley = {"CarriageLimb": "TrolleyLimb", "RailRod": "TrackRod", "rail_rod": "track_rod"}
    copy.twin_class(
        "mechanism/limb.py", trolley, ('["carriage"]', '["trolley"]'), ('default="carriage"', 'default="trolley"')
    )
    copy.line("mechanism/limb.py", "AnyLimb = Limb | CarriageLimb", " | TrolleyLimb")
    copy.twin_class("mechanism/base.py", {"Rails": "Tracks"}, ('"rails"', '"tracks"'), ('"carriage"', '"trolley"'))
    copy.line("mechanism/base.py", "Base = Radial | Placed | Rails", " | Tracks")
    check_same_numbers(
        copy, "delta-linear", {'kind = "carriage"': 'kind = "trolley"', 'kind = "rails"': 'kind = "tracks"'}
    )


def check_same_numbers(copy: Copy, robot: str, kinds: dict[str, str]) -> None:
    """Raise if a robot of the new kind does not what it did with the kind that the new one is a copy of."""
    text = copy.text(f"robots/{robot}.toml")
    for old, new in {**kinds, f'name = "{robot}"': 'name = "other"'}.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    copy.add("robots/other.toml", text)
    torques, loop_error = copy.run(f"""
import json, numpy as np, parapick as pp
from parapick.multibody import assemble
models = pp.load({robot!r}), pp.load("other")
x = np.array(models[0].robot.home) + 0.02
v, a = np.linspace(0.5, 1.0, x.size), np.linspace(3.0, -2.0, x.size)
torques = [model.inverse_dynamics(x, v, a).tolist() for model in models]
print(json.dumps([torques, assemble(models[1].robot).loop_error]))
""")
    assert torques[0] == torques[1]
    assert max(map(abs, torques[1])) > 0.0
    assert loop_error < 1e-6


def test_control_law(copy: Copy) -> None:
    copy.twin("control/pd.py", "control/pd_twin.py", PD="PDTwin")
    copy.say("control/pd_twin.py", '"pd"', '"pd-twin"')
    copy.line("control/laws.py", "import PD\n", "from parapick.control.pd_twin import PDTwin\n")
    copy.line("control/laws.py", "AnyLaw = PD", " | PDTwin")
    lines = copy.call("simulate", "par4", "adept-10g", "--controller", "pd,pd-twin").splitlines()
    first, twin = ([line.split()[1:] for line in lines if line.split()[:1] == [law]] for law in ("pd", "pd-twin"))
    assert twin
    # Of two that do the same the first is the best.
    assert first[: len(twin)] == twin


def test_time_law(copy: Copy) -> None:
    law = '''

def parabola() -> Law:
    """A parabola of acceleration."""
    return Law("parabola", polynomial=(0.0, 4.0, -4.0))
'''
    copy.line("motion/law.py", '    return Law("bang-bang")\n', law)
    copy.line("motion/law.py", "harmonic, bang_bang", ", parabola")
    text = copy.text("tasks/adept-10g.toml").replace('{ name = "s-curve", jerk_time = "5 ms" }', '"parabola"')
    copy.add("tasks/other.toml", text.replace('name = "adept-10g"', 'name = "other"'))
    # A stroke h under a bound a on the acceleration: h = (2 / 3) a (T / 2)**2, as the mean of the pulse is 2/3; where
    # the speed bound v comes first, h = v T / 2.
    rise, over = (max(2 * (1.5 * h / 100.0) ** 0.5, 2 * h / 2.5) for h in (0.025, 0.305))
    assert durations(copy, "other") == pytest.approx([4 * rise + 2 * over], rel=1e-9)


def test_index(copy: Copy) -> None:
    copy.line(
        "measures.py", "_POSE: Final = (\n", '    Measure("depth", "depth below the base", "m", "high", "pose"),\n'
    )
    row = '    Index(MEASURES["depth"], lambda model, poses, _: -poses[..., 2], margin=0.0),\n'
    copy.line("capability/index.py", "_GEOMETRY: Final = (\n", row)
    value = copy.run("""
import parapick as pp
from parapick.capability import index_map
print(float(index_map(pp.load("par4"), "depth", spacing=0.3).values.max()))
""")
    assert value > 0.5


def test_measure(copy: Copy) -> None:
    """Of the robot alone: the studies that ask for it evaluate it, bound it and search along its slopes."""
    row = '    Measure("arm_sum", "lengths of all arms together", "m", "high", "robot"),\n'
    copy.line("measures.py", "_ROBOT: Final = (\n", row)
    formula = """def _arm_sum(robot: Robot) -> Any:
    return sum((leg.carrier for leg in robot.rod_legs()), ca.SX(0))


"""
    copy.say("study/body_measures.py", "BODY_FORMULAS: Final[", f"{formula}BODY_FORMULAS: Final[")
    copy.line("study/body_measures.py", '"moving_mass": _moving_mass', ', "arm_sum": _arm_sum')
    bounded = STUDY.replace("OBJECTIVE", "footprint").replace("BOUNDS", "arm_sum = { at_least = 0.9 }")
    copy.add("study/other.toml", bounded + '\n[[methods]]\nkind = "gradient"\npoints = 16\nstarts = 1\n')
    best = best_of(copy)
    assert best["arm_sum"] == pytest.approx(4.0 * best["limb.arm"], rel=1e-12)
    # The smallest footprint has four arms as short as the bound allows.
    assert best["limb.arm"] == pytest.approx(0.225, abs=1e-6)


def test_search_method(copy: Copy) -> None:
    """Both ends of every range, and nothing between."""
    method = '''@final
@dataclass(frozen=True)
class Ends:
    """The ends of the ranges."""

    kind: Literal["ends"] = label("the ends of the ranges", default="ends")
    points: int = label("designs", default=2, form=Whole(1, MOST["points"]))


'''
    copy.say("study/description.py", "Method = Grid | Sobol", f"{method}Method = Ends | Grid | Sobol")
    rounds = """def _ends(method: Ends, work: Work, number: int, earlier: Rows) -> Round:
    return Round(np.stack([work.space.ranges.low, work.space.ranges.high]))


"""
    copy.say("study/methods.py", "METHODS: Final[", f"{rounds}METHODS: Final[")
    copy.say("study/methods.py", "import Gradient, Grid,", "import Ends, Gradient, Grid,")
    row = "    Ends: MethodRounds(lambda method, work, chunk: (RoundSize(method.points, chunk),), _ends),\n"
    copy.line("study/methods.py", "METHODS: Final[Mapping[type, MethodRounds]] = {\n", row)
    text = STUDY.replace("OBJECTIVE", "footprint").replace("BOUNDS", "")
    copy.add("study/other.toml", text + '\n[[methods]]\nkind = "ends"\n')
    # The smaller of the two arms has the smaller footprint.
    assert best_of(copy)["limb.arm"] == 0.2


STUDY = """
format = 1
name = "other"
robot = "par4"
objectives = ["OBJECTIVE"]

[parameters]
"limb.arm" = { from = 0.2, to = 0.35 }

[requirements]
BOUNDS
"""


def best_of(copy: Copy) -> dict[str, float]:
    """The best design of the study that was added."""
    return json.loads(copy.call("study", "run", "other", "--out", "out", "--workers", "1", "--json"))["data"]["best"]


def test_section(copy: Copy) -> None:
    copy.add(
        "evaluation/sections/altitude.py",
        '''"""How high the plate goes."""

from parapick.answer import Answer, Table, columns


def section(context):
    """The highest and the lowest place."""
    z = context.motion.sample(101).x[:, 2]
    rows = (("highest", float(z.max())), ("lowest", float(z.min())))
    table = Table("altitudes", "altitudes", columns(("place", "z"), ("", "m")), rows)
    return Answer("altitude", "Altitude of the plate", tables=(table,), summary={"altitude": "seen by nobody else"})
''',
    )
    sections = "evaluation/sections/__init__.py"
    copy.line(sections, "sections import (\n", "    altitude,\n")
    copy.line(sections, '    "motion": motion.section,\n', '    "altitude": altitude.section,\n')
    text = copy.call("evaluate", "par4", "--out", "out")
    assert "seen by nobody else" in text
    (page,) = (copy.root / "out").glob("*.html")
    assert "Altitude of the plate" in page.read_text(encoding="utf-8")
    (data,) = (copy.root / "out").glob("*.json")
    made = json.loads(data.read_text(encoding="utf-8"))
    first, second = made["sections"]["altitude"]["tables"]["altitudes"]["rows"]
    assert (first["place"], second["place"]) == ("highest", "lowest")
    assert first["z"] > second["z"]


def test_command(copy: Copy) -> None:
    copy.add(
        "cli/height.py",
        '''"""`parapick height`."""

from parapick.answer import Answer
from parapick.cli.arguments import Json, RobotName, load
from parapick.cli.printing import print_answer


def height(robot: RobotName, /, *, as_json: Json = False) -> int:
    """How deep a robot's home is."""
    z = load(robot).robot.home[2]
    return print_answer(Answer("height", "Height", summary={"home": f"z {z:g} m"}, data={"z": z}), as_json=as_json)
''',
    )
    copy.line("cli/app.py", "COMMANDS: Final = {\n", '    "height:height": "How deep a robot\'s home is.",\n')
    listed, text, data = copy.calls(("--help",), ("height", "par4"), ("height", "par4", "--json"))
    assert "height" in listed
    assert "z -0.7" in text
    assert json.loads(data)["data"]["z"] == pytest.approx(-0.7)


PRESETS = '''"""Preset files: the pace of a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from parapick.fields import label, quantity
from parapick.forms import FileKind, Name, Reading, TableForm


@dataclass(frozen=True)
class Preset:
    """A preset."""

    name: str = label("short name", form=Name())
    pace: float = quantity("Hz", "picks per second", above=0.0)


@dataclass(frozen=True)
class PresetEntry:
    name: str
    pace: object
    path: Path


@cache
def _form() -> TableForm:
    from parapick.forms import file_of, table_of

    return file_of(table_of(Preset))


def _read(document: Mapping[str, Any], _path: Path) -> Reading[Preset]:
    from parapick.forms import read_document

    table, values, problems = read_document(_form(), document)
    return (None if table is None or problems else table.make(values)), problems


PRESETS = FileKind(
    name="preset",
    plural="presets",
    folder=Path(__file__).parent / "presets",
    doc="A preset for parapick.",
    outline="format, name and pace",
    form=_form,
    reader=_read,
    entry=lambda path, document: PresetEntry(path.stem, document["pace"], path),
    columns={"name": "name", "pace": "pace"},
)
'''


def test_kind_of_file(copy: Copy) -> None:
    copy.add("control/preset_files.py", PRESETS)
    (copy.package / "control" / "presets").mkdir()
    copy.add("control/presets/brisk.toml", 'format = 1\nname = "brisk"\npace = "2 Hz"\n')
    copy.line("control/__init__.py", "    __name__,\n    {\n", '        "preset_files": "PRESETS",\n')
    copy.line("catalogue.py", "from parapick.control import CONTROLLERS", ", PRESETS")
    copy.line("catalogue.py", "(ROBOTS, TASKS, CONTROLLERS, STUDIES", ", PRESETS")
    (copy.root / "own.toml").write_text('format = 1\nname = "own"\npace = "2 m"\n', encoding="utf-8")
    (copy.root / "none.toml").write_text("format = 1\n", encoding="utf-8")
    checks = ("check", "own.toml", "--json"), ("check", "none.toml", "--json")
    commands = ("--help",), ("presets",), ("check", "brisk"), ("schema", "preset"), *checks
    listed, presets, brisk, schema, own, none = copy.calls(*commands, codes=(0, 0, 0, 0, 2, 2))
    assert "presets List the shipped presets." in " ".join(listed.split())
    assert "brisk" in presets
    assert "brisk is a valid preset" in brisk
    assert json.loads(schema)["title"] == "PresetFile"
    answer = json.loads(own)
    assert answer["data"]["what"] == "preset"
    assert [row["path"] for row in answer["tables"]["problems"]["rows"]] == ["pace"]
    answer = json.loads(none)
    assert "a preset file has format, name and pace" in answer["tables"]["problems"]["rows"][0]["message"]


def test_export(copy: Copy) -> None:
    copy.add(
        "cli/export/names.py",
        '''"""`parapick export names`."""

from parapick.cli.arguments import RobotName, load
from parapick.cli.tables import say


def names(robot: RobotName, /) -> int:
    """The coordinates of the plate."""
    say(",".join(load(robot).robot.task_names))
    return 0
''',
    )
    copy.line("cli/export/__init__.py", "FORMATS: Final = {\n", '    "names": "The coordinates of the plate.",\n')
    assert copy.call("export", "names", "par4").strip() == "x,y,z,yaw"


def test_import(copy: Copy) -> None:
    copy.add(
        "cli/imports/names.py",
        '''"""`parapick import names`."""

from __future__ import annotations


def names(folder: str, /) -> int:
    """The name of a folder.

    Args:
        folder: The folder.
    """
    print(folder.upper())
    return 0
''',
    )
    copy.line("cli/imports/__init__.py", "FORMATS: Final = {\n", '    "names": "The name of a folder.",\n')
    assert copy.call("import", "names", "cell").strip() == "CELL"


def test_fault(copy: Copy) -> None:
    effect = """def _scale(channel: ChannelRows, fault: ActingFault) -> None:
    channel.share[fault.active, fault.target] = fault.size


"""
    row = """        FaultKind(
            "encoder-scale", "an encoder counts the size times too much", "motor", FaultSize(1.5), encoder=_scale
        ),
"""
    table = "operation/fault_kinds.py"
    copy.line(table, "        effect(rows, fault)\n\n\n", effect)
    copy.line(table, "    for kind in (\n", row)
    fault, words = "encoder-scale:1=1.2@0.1", "an encoder counts the size times too much, size 1.2"
    run = ("simulate", "par4", "adept-120", "--controller", "tsid", "--supervised")
    text, made = copy.calls((*run, "--fault", fault), (*run, "--fault", fault, "--json"))
    assert words in text
    (data,) = json.loads(made)["data"]["runs"].values()
    assert data["trip"]["where"] == "motor 1"
    assert data["trip"]["samples"] == 0


RECORD = """
key = "doe2031"
title = "A Robot at Home"
authors = ["Jane Doe"]
not_reproducible = ["why it stands there"]

[[numbers]]
id = "height"
place = "Table 1"
what = "depth of the home of Par4"
unit = "m"
printed = { "depth" = "0.70", "twice the depth" = "1.5" }
readings = { "as shipped" = "the robot of that name" }
"""


def test_document(copy: Copy) -> None:
    folder = copy.package / "papers" / "doe2031"
    folder.mkdir()
    copy.add("papers/doe2031/__init__.py", '"""doe2031."""\n')
    copy.add("papers/doe2031/document.toml", RECORD)
    copy.add(
        "papers/doe2031/numbers.py",
        '''"""What doe2031 prints, computed."""


def height(setup):
    """Table 1."""
    depth = -setup.model("par4").robot.home[2]
    return {"as shipped": {"depth": depth, "twice the depth": 2 * depth}}


NUMBERS = {"height": height}
''',
    )
    made, _ = copy.calls(("reproduce", "doe2031", "--json"), ("reproduce", "doe2031", "--out", "pages"))
    rows = json.loads(made)["tables"]["numbers"]["rows"]
    assert {row["name"]: row["verdict"] for row in rows} == {"depth": "reproduced", "twice the depth": "deviates"}
    assert rows[0]["computed"] == pytest.approx(0.7)
    assert "A Robot at Home" in (copy.root / "pages" / "doe2031.html").read_text(encoding="utf-8")
    # By the year of its key, and before the note that has none.
    keys = copy.run("import json, parapick.papers as p; print(json.dumps(list(p.DOCUMENTS)))")
    assert keys[-2:] == ["doe2031", "spara"]
