"""Build of the console: node, packages, types, bundle, into ``src/api/console/bundle``.

Standard library only. Does nothing where the bundle was made from the sources that are here. With
``--background`` it stays behind everything else and writes into ``console/.build.log``, which the
page that waits for the bundle shows.
"""

import argparse
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCES: Final = ROOT / "console"
DOCUMENT: Final = ROOT / "idl/openapi.yaml"
BUNDLE: Final = ROOT / "src/api/console/bundle"
LOG: Final = SOURCES / ".build.log"
LIMIT_BYTES: Final = 6_000_000
_MANIFESTS: Final = ("manifest.json", "share.json")
_OF_CHUNKS: Final = ("file", "css", "imports")
_MADE: Final = frozenset({"node_modules", "dist", "__pycache__", "test-results", "schema.d.ts"})
_STEP: Final = "{:6.1f} s  {}"
_BEGUN: Final = time.monotonic()

sys.path.insert(0, str(ROOT / "sdk"))

import node  # noqa: E402 - stands beside the client libraries, which use it too


class BuildFailed(Exception):
    """The bundle could not be made."""


def digest() -> str:
    """Return what the sources of a bundle are known by."""
    found = hashlib.sha256()
    for path in [*sorted(_sources(SOURCES)), DOCUMENT]:
        found.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def is_fresh() -> bool:
    """Tell whether the bundle is there and was made from these sources."""
    try:
        made = json.loads((BUNDLE / "build.json").read_bytes())
    except (OSError, ValueError):
        return False
    return bool(made.get("digest") == digest())


def build() -> None:
    """Make the bundle and put it into place, all of it or nothing."""
    _say("console: looking for node")
    node.environment()
    prepare()
    made = SOURCES / "dist/bundle"
    shutil.rmtree(made, ignore_errors=True)
    _say("console: bundling")
    for mode in ("production", "share", "embed"):
        _run("vite", "build", "--mode", mode, "--logLevel", "warn", "--outDir", str(made))
    for name in _MANIFESTS:
        _shorten(made / ".vite" / name)
    size = sum(path.stat().st_size for path in made.rglob("*") if path.is_file())
    if size > LIMIT_BYTES:
        raise BuildFailed(f"The bundle has {size:,} bytes, {LIMIT_BYTES:,} are allowed.")
    (made / "build.json").write_text(json.dumps({"digest": digest()}) + "\n")
    _put_into_place(made)
    _say(f"console: ready, {size / 1e6:.1f} MB")


def _shorten(manifest: Path) -> None:
    """Keep of a manifest what the server reads: it holds it in memory."""
    told = json.loads(manifest.read_bytes())
    kept = {
        key: {field: chunk[field] for field in _OF_CHUNKS if field in chunk}
        for key, chunk in told.items()
    }
    manifest.write_text(json.dumps(kept, separators=(",", ":")))


def prepare() -> None:
    """Install the packages and make the types of the API, where they are not those of today."""
    lock = hashlib.sha256((SOURCES / "package-lock.json").read_bytes()).hexdigest()
    installed = SOURCES / "node_modules/.digest"
    if not installed.exists() or installed.read_text() != lock:
        _say("console: installing packages")
        quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--silent"]
        node.run(["npm", "ci", *quiet], cwd=SOURCES)
        installed.write_text(lock)
    types = SOURCES / "src/api/schema.d.ts"
    of = hashlib.sha256(lock.encode() + DOCUMENT.read_bytes()).hexdigest()
    mark = SOURCES / "node_modules/.types"
    if not types.exists() or not mark.exists() or mark.read_text() != of:
        _say("console: making the types of the API")
        options = ["--root-types", "--root-types-no-schema-prefix"]
        _run("openapi-typescript", str(DOCUMENT), "--output", str(types), *options, quiet=True)
        mark.write_text(of)


def _put_into_place(made: Path) -> None:
    """Exchange the folders: whoever looks finds one whole bundle or none."""
    BUNDLE.parent.mkdir(parents=True, exist_ok=True)
    _remove_bundle()
    made.replace(BUNDLE)


def _remove_bundle() -> None:
    """Take the bundle away in one step; what is left of one before goes with it."""
    old = SOURCES / "dist/old"
    shutil.rmtree(old, ignore_errors=True)
    if BUNDLE.exists():
        old.parent.mkdir(parents=True, exist_ok=True)
        BUNDLE.replace(old)
        shutil.rmtree(old, ignore_errors=True)


def _sources(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in _MADE or path.name.startswith(".build."):
            continue
        if path.is_dir():
            yield from _sources(path)
        else:
            yield path


def _run(program: str, *arguments: str, quiet: bool = False) -> None:
    """Run a program of the installed packages."""
    path = SOURCES / "node_modules/.bin" / program
    command = [str(path), *arguments]
    done = subprocess.run(
        command,
        cwd=SOURCES,
        env=node.environment(),
        stdout=subprocess.DEVNULL if quiet else None,
        check=False,
    )
    if done.returncode:
        raise BuildFailed(f"{program} failed; the reason stands above.")


def _say(text: str) -> None:
    print(_STEP.format(time.monotonic() - _BEGUN, text), flush=True)


@contextmanager
def _alone() -> Iterator[None]:
    """One build at a time; the lock of one that died is free."""
    with (SOURCES / ".build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _go_behind() -> None:
    """Leave the processor to others, and the terminal too."""
    os.nice(10)
    with LOG.open("w") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())
        os.dup2(log.fileno(), sys.stderr.fileno())


def main(arguments: Sequence[str]) -> int:
    """Build if need be; the exit status tells whether the bundle is there."""
    parser = argparse.ArgumentParser(prog="console/build.py", description="Build the console.")
    parser.add_argument("--background", action="store_true", help="stay behind, write into a log")
    parser.add_argument("--prepare", action="store_true", help="packages and types only")
    options = parser.parse_args(arguments)
    if is_fresh() and not options.prepare:
        LOG.unlink(missing_ok=True)
        return 0
    with _alone():
        if options.background:
            _go_behind()
        try:
            if options.prepare:
                prepare()
            elif not is_fresh():  # another may have built while this one waited
                _remove_bundle()
                build()
        except (BuildFailed, node.NodeMissing, OSError, subprocess.CalledProcessError) as exc:
            print(f"Failed: {exc}\nTo try again: make console", file=sys.stderr, flush=True)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
