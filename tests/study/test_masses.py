"""Lengths that are free in a study while masses stay."""

from __future__ import annotations

from parapick.study.assumptions import mass_doubts, mass_tables
from studies import changed, study_of

PLAIN = ('robot = "r4-100g"', 'robot = "par4"')
ARM = '"limb.arm" = { from = "180 mm", to = "270 mm", count = 4 }'


def paths(text: str) -> dict[str, tuple[str, ...]]:
    """Numbers that stay, by the length that varies."""
    return {doubt.path: tuple(line.split()[0] for line in doubt.lines) for doubt in mass_doubts(study_of(text))}


def test_free_lengths_whose_masses_stay_are_named() -> None:
    assert paths(changed(PLAIN)) == {
        "limb.arm": ("arm_mass", "arm_center", "arm_inertia"),
        "limb.rod_length": ("rod_mass",),
    }


def test_masses_that_follow_in_the_file_are_not() -> None:
    study = study_of()
    assert "limb.rod_length" not in paths(changed())
    assert all("inertia" not in line for doubt in mass_doubts(study) for line in doubt.lines)


def test_masses_that_are_free_or_dependent_are_not() -> None:
    dependent = '"limb.arm_mass" = { of = "limb.arm", times = 5 }\n"limb.arm_center" = { of = "limb.arm", times = 0.5 }'
    follows = changed(PLAIN, ("[dependent]", f"[dependent]\n{dependent}"))
    assert paths(follows)["limb.arm"] == ("arm_inertia",)
    free = changed(PLAIN, (ARM, f'{ARM}\n"limb.rod_mass" = ["100 g", "150 g"]'))
    assert "limb.rod_length" not in paths(free)


def test_a_length_that_depends_on_a_free_number_varies_too() -> None:
    text = changed(PLAIN, (ARM, ""), ("[dependent]", '[dependent]\n"limb.arm" = { of = "base.radius", times = 2 }'))
    assert "limb.arm" in paths(text)


def test_the_answer_has_the_lines_to_paste() -> None:
    (arm, rod) = mass_tables(study_of(changed(PLAIN)))
    (name,) = arm.names
    assert [row[name].split()[0] for row in arm.records] == ["arm_mass", "arm_center", "arm_inertia"]
    assert rod.name == "masses of limb.rod_length"
