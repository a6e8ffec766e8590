"""Chromium for tests: ``CONSOLE_BROWSER``, else one on the path, else a private one from npm.

Standard library only. ``python console/browser.py`` prints the path of its program. The private one
needs the system's ``libnss3`` and takes its letters from the system, as every browser does.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PRIVATE: Final = ROOT / ".browser"
PACKAGE: Final = "@sparticuz/chromium@153.0.0"
_DONE: Final = PRIVATE / "complete"
_NAMES: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first has no windows of its own to draw: it takes half the processor, and none while idle."""
_HELP: Final = (
    "install one (Debian: apt-get install chromium-headless-shell fonts-noto-cjk) or name it in "
    "CONSOLE_BROWSER"
)
_UNPACK: Final = "import('@sparticuz/chromium').then(found => found.default.executablePath())"

sys.path.insert(0, str(ROOT / "sdk"))

import node  # noqa: E402 - stands beside the client libraries, which use it too


class BrowserMissing(Exception):
    """There is no Chromium, and none could be installed."""


def program() -> str:
    """Return the path of a Chromium; raise ``BrowserMissing`` with what helps."""
    found = os.environ.get("CONSOLE_BROWSER") or next(filter(None, map(shutil.which, _NAMES)), None)
    if found:
        return found
    if not _DONE.exists():
        _install()
    return str(PRIVATE / "chromium")


def _install() -> None:
    """Put the package's browser beside the sources; one process does it."""
    with (ROOT / ".browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _DONE.exists():
            return
        print("Fetching Chromium (67 MB, once) …", file=sys.stderr)
        shutil.rmtree(PRIVATE, ignore_errors=True)
        PRIVATE.mkdir()
        (PRIVATE / "package.json").write_text("{}\n")
        found = {**node.environment(), "TMPDIR": str(PRIVATE)}
        install = ["npm", "install", "--silent", "--no-save", "--ignore-scripts", PACKAGE]
        try:
            for command in (install, ["node", "--eval", _UNPACK], ["./chromium", "--version"]):
                subprocess.run(command, cwd=PRIVATE, env=found, check=True, stdout=sys.stderr)
        except (OSError, subprocess.CalledProcessError, node.NodeMissing) as exc:
            raise BrowserMissing(f"There is no Chromium that starts ({exc}): {_HELP}.") from exc
        _DONE.touch()


def main() -> int:
    """Print the path."""
    try:
        print(program())
    except BrowserMissing as exc:
        print(f"Error: {exc}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
