"""Chromium for tests, spoken to through a pair of pipes (its DevTools protocol): no driver, no port, no network."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parapick.report.pdf import find_chromium

ANSWER_MAX = 120.0  # s; drawing in software on a busy computer takes its time
ENDING_MAX = 10.0  # s
ADDRESS_MAX = 300  # letters of an address that are kept; one of data holds all of it
DOMAINS = ("Network", "Runtime", "Log")  # what is listened to in the page and in its frame
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--remote-debugging-pipe",
)


@dataclass
class Page:
    """One page of a running Chromium, with every request it made.

    A sandboxed frame lives in a process of its own and has a session of its own, in which it can be looked into; from
    the page it cannot.

    Attributes:
        write: file descriptor to Chromium.
        read: file descriptor from it.
        session: the page's session.
        frame: session of the sandboxed frame in the page; empty where there is none.
        requests: addresses of all requests of the page and its frames.
        errors: what the console and the policy of the page and its frames complained about.
    """

    write: int
    read: int
    session: str = ""
    frame: str = ""
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    _number: int = 0
    _rest: bytes = b""

    def call(self, method: str, *, inside: bool = False, **parameters: Any) -> dict[str, Any]:
        """Ask Chromium, or the sandboxed frame inside the page, for something and wait for its answer."""
        number = self._send(method, self.frame if inside else self.session, parameters)
        deadline = time.monotonic() + ANSWER_MAX
        while (answer := self._next(deadline)) is not None:
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                return answer["result"]
        raise TimeoutError(f"Chromium did not answer {method}")

    def _send(self, method: str, session: str, parameters: dict[str, Any]) -> int:
        """Ask for something; the number of the answer, which others may read."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        return self._number

    def open(self, path: Path, width: int, height: int = 900) -> None:
        """Open a file in a window of this size and wait until it is loaded."""
        self.frame = ""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        self.call("Page.navigate", url=path.resolve().as_uri())
        self.until("document.readyState == 'complete' && location.protocol == 'file:'")

    def run(self, script: str, *, inside: bool = False) -> Any:
        """Value of a script in the page, or inside its sandboxed frame."""
        found = self.call("Runtime.evaluate", inside=inside, expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, script: str, seconds: float = 60.0, *, inside: bool = False) -> None:
        """Wait until a script in the page, or inside its sandboxed frame, is true."""
        deadline = time.monotonic() + seconds
        while not self.run(script, inside=inside):
            assert time.monotonic() < deadline, f"not within {seconds:g} s: {script}"
            time.sleep(0.05)

    def picture(self, path: Path | None = None, clip: dict[str, float] | None = None) -> bytes:
        """The page as PNG: what lies in a clip (x, y, width, height), or the whole page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        area = {**(clip or {key: size[key] for key in ("x", "y", "width", "height")}), "scale": 1}
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=clip is None, clip=area)
        data = base64.b64decode(shot["data"])
        if path is not None:
            path.write_bytes(data)
        return data

    def _next(self, deadline: float) -> dict[str, Any] | None:
        """The next message, events noted on the way; None at the deadline."""
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self.read], [], [], max(deadline - time.monotonic(), 0.0))
            chunk = os.read(self.read, 1 << 20) if ready else b""
            if not chunk:
                return None
            self._rest += chunk
        line, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(line)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, method: str, event: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"][:ADDRESS_MAX])
        elif method == "Network.webSocketCreated":
            self.requests.append(event["url"])
        elif method == "Target.attachedToTarget" and event["targetInfo"]["type"] == "iframe":
            self.frame = event["sessionId"]
            for wanted in (*(f"{domain}.enable" for domain in DOMAINS), "Runtime.runIfWaitingForDebugger"):
                self._send(wanted, self.frame, {})
        elif method == "Runtime.consoleAPICalled" and event["type"] == "error":
            self.errors.append(" ".join(str(part.get("value", "")) for part in event["args"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] == "error":
            self.errors.append(event["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.errors.append(f"{details['text']} {details.get('exception', {}).get('description', '')}")


@contextmanager
def chromium_page() -> Iterator[Page]:
    """A page of a Chromium of its own, which can resolve no host and is gone afterwards."""
    program = find_chromium()
    assert program is not None
    (theirs_in, ours_out), (ours_in, theirs_out) = _pipe(), _pipe()
    with tempfile.TemporaryDirectory(prefix="parapick-browser-", ignore_cleanup_errors=True) as profile:
        process = _started([program, *FLAGS, f"--user-data-dir={profile}", "about:blank"], theirs_in, theirs_out)
        page = Page(ours_out, ours_in)
        try:
            targets = page.call("Target.getTargets")["targetInfos"]
            found = next(target["targetId"] for target in targets if target["type"] == "page")
            page.session = page.call("Target.attachToTarget", targetId=found, flatten=True)["sessionId"]
            for domain in (*DOMAINS, "Page"):
                page.call(f"{domain}.enable")
            # A frame waits until it is listened to, so that nothing it says is missed.
            page.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
            yield page
        finally:
            page.session = ""
            with suppress(AssertionError, OSError, TimeoutError):
                page.call("Browser.close")
            _ended(process)
            os.close(ours_in)
            os.close(ours_out)


def _pipe() -> tuple[int, int]:
    """A pipe whose descriptors lie above those that Chromium's ends are put on."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return high[0], high[1]


def _started(command: list[str], reading: int, writing: int) -> int:
    """Start Chromium with the pipes as descriptors 3 and 4, where it expects them; its number comes back."""
    silent = [(os.POSIX_SPAWN_OPEN, end, os.devnull, os.O_WRONLY, 0) for end in (1, 2)]
    places = [(os.POSIX_SPAWN_DUP2, reading, 3), (os.POSIX_SPAWN_DUP2, writing, 4)]
    process = os.posix_spawn(command[0], command, os.environ, file_actions=[*silent, *places])
    os.close(reading)
    os.close(writing)
    return process


def _ended(process: int) -> None:
    """Wait until a process has ended, and end it where it does not."""
    deadline = time.monotonic() + ENDING_MAX
    while os.waitpid(process, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return
        time.sleep(0.02)
