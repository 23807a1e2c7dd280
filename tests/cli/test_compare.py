from __future__ import annotations

from typing import Any


def test_side_by_side(run: Any) -> None:
    result = run("compare", "par4", "delta-nr")
    assert result.code == 0
    first, *lines = result.out.splitlines()
    assert first.startswith("YES: 2 of 2 robots can do this; ")
    assert [line.split()[1] for line in lines if line.startswith("YES: ")] == ["par4", "delta-nr"]
    head = next(i for i, line in enumerate(lines) if line.split()[:1] == ["quantity"])
    assert lines[head].split() == ["quantity", "par4", "delta-nr"]
    cells = {" ".join(line.split()[:-2]): line.split()[-2:] for line in lines[head:] if len(line.split()) > 2}
    assert cells["freedoms"] == ["4", "3"]
    assert cells["yaw slack (rad)"] == ["0.7854", "-"]
    assert max(map(len, lines)) <= 100


def test_equal_torque_says_what_it_did(run: Any) -> None:
    result = run("compare", "delta-nr", "delta-r4", "--equal-torque", "--cycles-per-minute", "400")
    assert result.code == 1
    assert "equal total torque" in result.out
    assert "delta-nr x 1, delta-r4 x 1" in result.out


def test_json(run: Any) -> None:
    answer = run("compare", "delta-nr", "par4", "--task", "box", "--json").json
    assert [entry["robot"] for entry in answer["robots"]] == ["delta-nr", "par4"]
    assert "no yaw" in answer["robots"][0]["refused"]
    assert answer["robots"][1]["evaluation"]["verdict"]["ok"] is True


def test_wrong_input(run: Any) -> None:
    assert "a comparison takes two or more" in run("compare", "par4").message
    assert "spara3 states none" in run("compare", "par4", "spara3", "--equal-torque").message
    assert "did you mean" in run("compare", "par4", "delta-mr").message
