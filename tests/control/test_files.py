"""Controller files: what they may hold, every mistake with its field, and the published JSON Schema."""

from __future__ import annotations

import json
import math
import tomllib
from pathlib import Path
from typing import Any

import pytest

import parapick as pp
from parapick.control import (
    CONTROLLERS,
    LAWS,
    Controller,
    ControllerFileError,
    Encoder,
    JointFriction,
    ModelChanges,
    PlantChanges,
    Poles,
    SensedRates,
    TaskSpaceIID,
    UnknownControllerError,
    list_controllers,
    load_controller,
)
from parapick.control.reading import read_controller
from schemas import objections

PUBLISHED = Path(__file__).parents[2] / "docs" / "controller-schema.json"

FILE = """
format = 1
name = "mine"
rate = "2 kHz"
delay = 1
encoder = { resolution = "1 mrad" }
torque_max = ["60 N m", 50]
lag = "0.2 ms"
payload_known = false

[law]
kind = "tsiid"
sharing = "least-peak"
integral_max = 4
velocity = { kind = "exact" }
poles = { frequency = ["20 Hz", 18], damping = 0.8, integral = "20 %" }

[model]
rods = "halves"

[plant]
payload = "200 g"
parameters = { limb.arm = "300 mm", "base.angles.2" = "91 deg" }
factors = { "plate.mass" = "110 %" }
friction = { coulomb = 1, model = "dahl" }
substeps = 4

[sources]
rate = "drive"
"law.poles.frequency" = "tried"
"""


def read(text: str) -> tuple[Controller | None, dict[str, str]]:
    controller, problems = read_controller(tomllib.loads(text))
    return controller, {problem.path: problem.message for problem in problems}


def test_a_file_is_its_value() -> None:
    controller, problems = read(FILE)
    assert problems == {}
    assert controller == Controller(
        TaskSpaceIID(
            sharing="least-peak",
            integral_max=4.0,
            velocity=SensedRates(),
            poles=Poles((20.0, 18.0), 0.8, 0.2),
        ),
        rate=2000.0,
        delay=1,
        encoder=Encoder(1e-3),
        torque_max=(60.0, 50.0),
        lag=2e-4,
        payload_known=False,
        model=ModelChanges(rods="halves"),
        plant=PlantChanges(
            payload=0.2,
            parameters={"limb.arm": "300 mm", "base.angles.2": "91 deg"},
            factors={"plate.mass": 1.1},
            friction=JointFriction(1.0, model="dahl"),
            substeps=4,
        ),
        name="mine",
        sources={"rate": "drive", "law.poles.frequency": "tried"},
    )


MISTAKES: dict[str, tuple[str, str, str, str]] = {
    "unknown law": ('kind = "tsiid"', 'kind = "lqr"', "law.kind", 'must be "pd", "pid", "ppi", "computed-torque"'),
    "close law": ('kind = "tsiid"', 'kind = "tsidd"', "law.kind", "did you mean"),
    "no law": ('kind = "tsiid"', "", "law.kind", "is missing"),
    "close field": ("rate =", "rat =", "rat", "did you mean rate"),
    "field of another law": ("integral_max = 4", "feedforward = 1", "law.feedforward", "of the control law 'tsiid'"),
    "gains beside poles": ("integral_max = 4", "kp = 4", "law.kp", "give gains or poles"),
    "a gain is missing": ("poles = {", "kp = 3\nkd = 2\nrest = {", "law.rest", "is not a field"),
    "negative time": ('lag = "0.2 ms"', "lag = -0.001", "lag", "it must be greater than 0 s"),
    "time as length": ('lag = "0.2 ms"', 'lag = "2 mm"', "lag", "is not a time; a time is written in"),
    "half a sample": ("delay = 1", "delay = 0.5", "delay", "must be a whole number of at least 0"),
    "late": ("delay = 1", "delay = 257", "delay", "at most 256 samples"),
    "coarse encoder": ('{ resolution = "1 mrad" }', "3", "encoder", "it must be at least 16"),
    "torque word": ('["60 N m", 50]', '"much"', "torque_max", '"drive", "peak", "rated", "none"'),
    "torque sign": ('["60 N m", 50]', "[60, -50]", "torque_max.2", "it must be greater than 0"),
    "rods": ('rods = "halves"', 'rods = "half"', "model.rods", 'did you mean "halves"'),
    "factor": ('"110 %"', "0", "plant.factors.plate.mass", "it must be greater than 0"),
    "twice": ('"plate.mass" =', '"limb.arm" =', "plant.factors.limb.arm", "give either"),
    "friction": ("coulomb = 1,", "colomb = 1,", "plant.friction.colomb", "did you mean coulomb"),
    "friction word": ('{ coulomb = 1, model = "dahl" }', '"some"', "plant.friction", "must be true or false"),
    "source": ('rate = "drive"', 'rat = "drive"', "sources.rat", "did you mean rate"),
    "format": ("format = 1", "format = 3", "format", "reads format = 1"),
    "name": ('name = "mine"', "", "name", "is missing"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_have_their_field_and_what_would_be_valid(case: str) -> None:
    old, new, path, message = MISTAKES[case]
    assert old in FILE
    controller, problems = read(FILE.replace(old, new))
    assert controller is None
    assert message in problems[path]


def test_every_gain_or_poles() -> None:
    text = 'format = 1\nname = "a"\n[law]\nkind = "pid"\nkp = 3\n'
    assert set(read(text)[1]) == {"law.kd", "law.ki"}
    assert "give every gain, or poles" in read(text)[1]["law.kd"]


@pytest.mark.parametrize(("name", "what"), [("robots/par4.toml", "robot"), ("tasks/adept-13g.toml", "task")])
def test_other_files_are_named_as_what_they_are(name: str, what: str) -> None:
    with pytest.raises(ControllerFileError, match=f"is a {what} file"):
        load_controller(Path(pp.__file__).parent / name)


def test_unknown_names_list_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownControllerError, match="did you mean wu2020-fit2 or wu2020-fit1"):
        load_controller("wu2020-fit")
    with pytest.raises(UnknownControllerError, match="is the name of a robot"):
        load_controller("par4")
    with pytest.raises(ControllerFileError, match="there is no such file"):
        load_controller(tmp_path / "none.toml")


@pytest.mark.parametrize("entry", list_controllers(), ids=lambda entry: entry.name)
def test_shipped_files_fit_the_schema(entry: Any) -> None:
    schema = CONTROLLERS.schema()
    assert objections(tomllib.loads(entry.path.read_text(encoding="utf-8")), schema, schema) == []


SENSE = ("gains beside poles", "late", "twice", "source", "factor")
"""Mistakes that a schema cannot see: they are no matter of one field's form."""

FORM = [case for case in MISTAKES if case not in SENSE]


@pytest.mark.parametrize("case", FORM)
def test_mistakes_of_form_do_not_fit_the_schema(case: str) -> None:
    schema = CONTROLLERS.schema()
    assert objections(tomllib.loads(FILE), schema, schema) == []
    old, new, *_ = MISTAKES[case]
    assert objections(tomllib.loads(FILE.replace(old, new)), schema, schema) != []


def test_every_field_states_its_meaning() -> None:
    schema = CONTROLLERS.schema()
    assert {law.__name__ for law in LAWS.values()} <= schema["$defs"].keys()
    for name, table in {"": schema, **schema["$defs"]}.items():
        for field, entry in table["properties"].items():
            assert entry.get("description"), f"{name}.{field}"
    assert schema["$defs"]["PD"]["properties"]["kp"]["description"].endswith("(N m/rad)")


def test_the_published_schema_is_this_one() -> None:
    current = json.loads(PUBLISHED.read_text(encoding="utf-8")) == CONTROLLERS.schema()
    assert current, "controllers have changed; run: parapick schema controller > docs/controller-schema.json"


def test_changes_apply_to_the_model_and_then_to_the_plant() -> None:
    par4 = pp.load("par4")
    controller, _ = read(FILE)
    assert controller is not None
    believed = controller.model.applied(par4)
    assert believed.robot.limb.rod_model == "halves"
    real = controller.plant.applied(believed)
    assert real.robot.limb.rod_model == "halves"
    assert real.robot.limb.arm == 0.3
    assert real.robot.base.angles[1] == pytest.approx(math.radians(91.0), rel=1e-15)
    assert real.robot.plate.mass == 1.1 * par4.robot.plate.mass
    assert (par4.payload, real.payload) == (None, pp.Payload(0.2))
    assert real.gripper == par4.gripper
    with pytest.raises(pp.errors.ParameterError, match=r"limb\.arm: '3 kg' is not a length"):
        PlantChanges(parameters={"limb.arm": "3 kg"}).applied(par4)
    with pytest.raises(pp.errors.ParameterError, match=r"limb\.arme: is not a parameter .* did you mean limb\.arm"):
        PlantChanges(parameters={"limb.arme": "3 m"}).applied(par4)
    with pytest.raises(pp.errors.ParameterError, match=r"plate\.mas: is not a parameter .* did you mean plate\.mass"):
        PlantChanges(factors={"plate.mas": 2.0}).applied(par4)
