"""A headless Chromium driven through its DevTools pipe: no driver, no package, nothing listens on a port."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
# Chromium reads commands from descriptor 3 and answers on 4; the copies are out of their way.
LAUNCHER = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
for place, pipe in zip((3, 4), pipes):
    os.dup2(pipe, place)
os.execv(sys.argv[3], sys.argv[3:])
"""
LOCAL = ("file:", "data:", "about:")
PATIENCE = 60.0  # seconds, on a busy machine


def find() -> str | None:
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page in one browser. `troubles` collects what the console or the network complained about."""

    def __init__(self, program: str, folder: Path) -> None:
        read_commands, self._write = os.pipe()
        self._read, write_answers = os.pipe()
        command = [sys.executable, "-c", LAUNCHER, str(read_commands), str(write_answers), program, *FLAGS]
        self._log = (folder / "chromium.log").open("wb")
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={folder / 'profile'}", "about:blank"],
            pass_fds=(read_commands, write_answers),
            stdout=self._log,
            stderr=self._log,
        )
        os.close(read_commands)
        os.close(write_answers)
        os.set_blocking(self._read, False)
        self._number, self._rest, self._session = 0, b"", None
        self._events: list[dict[str, Any]] = []
        self.troubles: list[str] = []
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._note(answer)

    def open(self, path: Path, width: int = 1280, height: int = 900, fragment: str = "") -> None:
        """Load a file in a window of that size and wait until it has loaded."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self._events.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=path.resolve().as_uri() + fragment)
        until = time.monotonic() + PATIENCE
        while self.ask("document.readyState") != "complete" or self.ask("location.protocol") != "file:":
            assert time.monotonic() < until, "the page did not load"
            time.sleep(0.02)

    def ask(self, expression: str) -> Any:
        """The value of an expression on the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def click(self, selector: str) -> None:
        """Click the middle of an element with the mouse, as a person does."""
        place = f"document.querySelector({json.dumps(selector)})"
        self.ask(f"{place}.scrollIntoView({{block: 'center'}})")
        x, y = self.ask(f"(r => [r.x + r.width / 2, r.y + r.height / 2])({place}.getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press a key that types a character or is called by its name."""
        text = {"Enter": "\r"}.get(key, "")
        code = {"Enter": 13, "Tab": 9}[key]
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, windowsVirtualKeyCode=code)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def screenshot(self, path: Path, whole: bool = False) -> None:
        """What is seen, or the whole page."""
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(picture["data"]))

    def pdf(self, path: Path) -> None:
        """The page as it is printed on A4."""
        printed = self.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=True)
        path.write_bytes(base64.b64decode(printed["data"]))

    def close(self) -> None:
        """End the browser."""
        os.close(self._write)  # it ends when nobody can send commands any more
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        self._log.close()

    def _receive(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            try:
                part = os.read(self._read, 1 << 20)
                assert part, "the browser has ended"
                self._rest += part
            except BlockingIOError:
                assert time.monotonic() < until, "the browser does not answer"
                time.sleep(0.005)
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event: dict[str, Any]) -> None:
        method, about = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.troubles.append(str(about["exceptionDetails"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.troubles.append(str(about["entry"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.troubles.append(str(about))
        elif method == "Network.requestWillBeSent" and not about["request"]["url"].startswith(
            ("file:", "data:", "about:")
        ):
            self.troubles.append(f"asked the network for {about['request']['url']}")
