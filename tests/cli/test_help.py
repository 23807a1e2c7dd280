"""The help of every command: groups, examples, and lines that are wrapped once; what is said to wrong words."""

from __future__ import annotations

from typing import Any

import pytest

from parapick.cli.app import COMMANDS, EXAMPLES, GROUPS, app
from parapick.cli.usage import options_of

NAMES = [place.partition(":")[2] for place in COMMANDS]
EVERY = [[], *([name] for name in NAMES), ["study", "run"], ["study", "status"], ["export", "mjcf"]]


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("words", EVERY, ids=lambda words: " ".join(words) or "parapick")
def test_help_fits_and_splits_no_word(run: Any, monkeypatch: Any, words: list[str], width: int) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    whole = set(run(*words, "--help").out.split())
    monkeypatch.setenv("COLUMNS", str(width))
    lines = run(*words, "--help").out.splitlines()
    assert max(map(len, lines)) <= width
    assert {word for line in lines for word in line.split()} == whole


@pytest.mark.parametrize("words", EVERY[1:], ids=" ".join)
def test_no_line_goes_on_left_of_its_option(run: Any, monkeypatch: Any, words: list[str]) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, *groups = run(*words, "--help").out.split(":\n")
    entries = [line for group in groups for line in group.split("\n\n")[0].splitlines()]
    assert entries
    assert all(line.startswith("  ") for line in entries)


def test_commands_are_listed_in_five_groups_the_main_job_first(run: Any) -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(NAMES)
    listed = run("--help").out
    places = [listed.index(f"\n{title}:") for title in GROUPS]
    assert len(places) == 5
    assert places == sorted(places)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_an_example_that_is_valid(run: Any, name: str) -> None:
    assert f"parapick {EXAMPLES[name]}" in run(name, "--help").out
    app.parse_args(EXAMPLES[name].split(), exit_on_error=False, print_error=False)


def test_every_law_is_listed(run: Any) -> None:
    from parapick.control import LAWS

    listed = run("simulate", "--help").out.replace(",", " ").replace("(", " ").replace(")", " ").split()
    assert set(LAWS) <= set(listed)


@pytest.mark.parametrize(
    ("words", "message", "help_of"),
    [
        (["robots", "--jsno"], "Unknown option --jsno; did you mean --json?", "robots"),
        (["map", "par4", "margin", "--plot", "x.png"], "Unknown option --plot; did you mean --out?", "map"),
        (["pose", "par4", "0", "0", "-0.7", "--mde", "x"], "Unknown option --mde; did you mean --mode?", "pose"),
        (["study", "run", "x", "--uot", "y"], "Unknown option --uot; did you mean --out?", "study run"),
        (["pose", "par4"], "requires an argument", "pose"),
        (["robots", "x"], "no place for: x", "robots"),
    ],
)
def test_wrong_words_name_the_help_to_read(run: Any, words: list[str], message: str, help_of: str) -> None:
    told = run(*words).message
    assert message in told
    assert told.endswith(f"Try: parapick {help_of} --help\n")


def test_one_word_for_one_thing() -> None:
    every = {name: options_of(app[name]) for name in NAMES if name not in ("study", "export")}
    old = {"--plot", "--csv", "--parquet", "--cam", "--record", "--output", "--robot-file", "--controller-file"}
    old |= {"--propose", "--pdf", "--control", "--torque", "--speed"}
    assert not {(name, option) for name, options in every.items() for option in options & old}
    assert {name for name, options in every.items() if "--rate" in options} == {
        "simulate",
        "run",
        "analyse",
        "tune",
        "log",
    }


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_and_options(shell: str) -> None:
    script = app.generate_completion(shell=shell)  # pyright: ignore[reportArgumentType]
    for word in ("parapick", "simulate", "joint-torque", "force"):
        assert word in script


def test_completion_is_written_where_it_is_asked_for(run: Any, tmp_path: Any) -> None:
    file = tmp_path / "parapick.bash"
    run("--install-completion", "--shell", "bash", "--output", str(file))
    assert "simulate" in file.read_text(encoding="utf-8")
