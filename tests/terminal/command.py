"""The command, run in this process, over pipes, or on a terminal of its own."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from typer.testing import CliRunner, Result

from popejoan.__main__ import app
from popejoan.notation import Record

ROOT = Path(__file__).parents[2]
PLAY = ("play", "--no-intro", "--seed", "5")
ON = "1\n" * 400
"""The first choice, whatever is asked."""


def call(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, arguments, input=typed, prog_name="popejoan")


def refused(*arguments: str, code: int, typed: str = "") -> str:
    """What a refusal says, on one line."""
    done = call(*arguments, typed=typed)
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return " ".join(done.stderr.split())


def shell(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """A real run through pipes."""
    return subprocess.run(
        [sys.executable, "-m", "popejoan", *arguments],
        input=typed,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def kept(folder: Path) -> Record:
    """The one record in the folder."""
    (path,) = folder.glob("*.record")
    return Record.read(path.read_bytes())


def lines_of(folder: Path) -> list[str]:
    """The lines of the one record in the folder."""
    (path,) = folder.glob("*.record")
    return path.read_text(encoding="utf-8").splitlines()


ON_TERMINAL = """
import fcntl, runpy, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
runpy.run_module("popejoan", run_name="__main__", alter_sys=True)
"""
"""Takes the terminal for its own, so that Ctrl-C reaches it, and runs the command."""


class Terminal:
    """The command on a terminal of its own, 80 by 24."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm-256color"}
        env.pop("COLUMNS", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", ON_TERMINAL, *arguments],
            stdin=side, stdout=side, stderr=side, env={**env, **environment},
            start_new_session=True,
        )  # fmt: skip
        os.close(side)
        self.seen = ""

    def until(self, text: str, seconds: float = 30) -> str:
        """What is written from now until the text comes, the text included."""
        end = time.monotonic() + seconds
        start = len(self.seen)
        while text not in self.seen[start:]:
            assert time.monotonic() < end, f"no {text!r} in {self.seen[start:]!r}"
            if select.select([self.main], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.main, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        return self.seen[start:]

    def type(self, text: str) -> None:
        os.write(self.main, text.encode())

    def press(self, key: str, text: str) -> str:
        """Press a key until the text comes: one pressed before it is waited for may be lost."""
        start = len(self.seen)
        for _ in range(30):
            time.sleep(0.2)
            with suppress(OSError):
                self.type(key)
            with suppress(AssertionError):
                self.until(text, 1)
            if text in self.seen[start:]:
                return self.seen[start:]
        raise AssertionError(self.seen[start:])

    def end(self) -> int:
        """The exit code."""
        code = self.process.wait(30)
        self.close()
        return code

    def close(self) -> None:
        if self.main >= 0:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            os.close(self.main)
            self.main = -1
