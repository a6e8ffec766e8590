"""Chromium of this machine, driven by Playwright; whatever a page complains of is noted."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

_FINDER: Final = Path(__file__).parents[2] / "console/browser.py"


def chromium() -> str:
    """Return the path of a Chromium, fetched if need be; fail with what helps where none starts."""
    found = subprocess.run(
        [sys.executable, str(_FINDER)], capture_output=True, text=True, timeout=300, check=False
    )
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """Start a browser; root may not have its sandbox."""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=arguments)
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """A fresh browser context with one page."""

    def __init__(self, browser: Browser, *, expects: tuple[str, ...] = (), **options: Any) -> None:
        self.context: BrowserContext = browser.new_context(**options)
        self.context.set_default_timeout(60_000)
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self._expects = expects
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _note(self, message: ConsoleMessage) -> None:
        expected = any(each in message.text for each in self._expects)
        if message.type in {"error", "warning"} and not expected:
            self.complaints.append(message.text)

    def close(self) -> None:
        """Close it; nothing may have been complained of."""
        self.context.close()
        assert not self.complaints, "\n".join(self.complaints)
