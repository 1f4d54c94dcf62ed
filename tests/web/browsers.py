"""A real browser: found here, or installed from the system's packages; skipped loudly without."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
]  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def on_path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def installed() -> str | None:
    """Debian's Chromium, installed when this is root's to do."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", "chromium"]):
        subprocess.run(
            command,
            check=False,
            capture_output=True,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        )
    return on_path()


@contextmanager
def browser() -> Iterator[Browser]:
    """A running browser. POPEJOAN_BROWSER names its program, where it cannot be found."""
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        path = os.environ.get("POPEJOAN_BROWSER") or on_path()
        path = path or (own if Path(own).exists() else None) or installed()
        if path is None:
            if os.environ.get("CI"):
                pytest.fail("Chromium is not installed, and CI must test with it")
            pytest.skip("NO BROWSER IS THERE: install Chromium, or name one in POPEJOAN_BROWSER")
        running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield running
        finally:
            running.close()
