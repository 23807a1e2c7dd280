"""The tool that writes outputs on pages again writes what commands print, and nothing else."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from pages import ROOT, run_page

PAGE = """# Reach

```console
$ parapick pose par4 0.9 0 -0.7 0
leg 5: too long
$ parapick robots
...
no robot
```

Legs are as long as they are.
"""


@pytest.fixture(scope="module")
def outputs() -> ModuleType:
    """The tool."""
    spec = importlib.util.spec_from_file_location("outputs_tool", ROOT / "tools" / "outputs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_output_that_is_not_true_is_written_again(
    outputs: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "reach.md"
    page.write_text(PAGE, encoding="utf-8")
    done = outputs.mend(page)
    assert done == ["written: parapick pose par4 0.9 0 -0.7 0", "left to you: parapick robots"]
    text = page.read_text(encoding="utf-8")
    assert "leg 5: too long" not in text
    assert "too short" in text
    # What stands around it stays, and what was left is still wrong.
    assert text.startswith("# Reach\n\n```console\n$ parapick pose par4 0.9 0 -0.7 0\n")
    assert text.endswith("$ parapick robots\n...\nno robot\n```\n\nLegs are as long as they are.\n")
    assert [one.command for one in run_page(page, long=False)[1]] == ["robots"]
    assert Path.cwd() == tmp_path
