"""The system's Chromium, driven by playwright: a page that writes down what it asks for and complains about."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Error, Frame, Page

from parapick.report import find_chromium

MISSING = "Chromium is not installed: the browser tests need the system's package chromium"

FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    # No host can be resolved: what a page asks for is seen, and does not leave the computer.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    # Drawn in software, without a graphics card.
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)

PATIENCE = 120e3  # ms; drawing in software on a busy computer takes its time
GLANCE = 50  # ms between two looks at whether something has come true


@dataclass
class Watched:
    """A page, with what it and its frames did.

    Attributes:
        page: the page.
        requests: addresses of all requests and sockets.
        errors: what the console, the content policy and uncaught exceptions said.
    """

    page: Page
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("websocket", lambda socket: self.requests.append(socket.url))
        self.page.on("console", self._hear)
        self.page.on("pageerror", self._catch)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _catch(self, error: Error) -> None:
        self.errors.append(str(error))

    @property
    def replay(self) -> Frame:
        """The sandboxed frame with the replay, which lives in a process of its own."""
        (frame,) = self.page.main_frame.child_frames
        return frame

    def open(self, path: Path, width: int, height: int = 900) -> None:
        """Open a file in a window of this size and wait until it is loaded."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.goto(path.resolve().as_uri(), wait_until="load")


def until(frame: Frame | Page, script: str) -> None:
    """Wait until a script is true."""
    frame.wait_for_function(script, polling=GLANCE)


def program() -> str:
    """Path of Chromium; without it a test is skipped, and on continuous integration it fails."""
    found = find_chromium()
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    return found
