"""Makes and keeps the compiled images: the interpreter of each language, ready to be mapped."""

import base64
import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Final

from infra.impl.code_runner import guest
from infra.impl.code_runner.guest.offer import OFFERED
from infra.impl.code_runner.wasm.target import portable_target

_PACKAGE: Final = "infra.impl.code_runner.guest"
_BUILD_S: Final = 1200
_LOOK_S: Final = 0.2
_LOCK: Final = ".lock"
_MAKING: Final = ".making-"
_PYTHON: Final = "python.cwasm"
_JAVASCRIPT: Final = "javascript.cwasm"
_IMPORT: Final = "try:\n    import {0}\nexcept ImportError:\n    pass\n"
"""Few modules cannot exist in WebAssembly; the code that asks for them is told."""
_SUMS: Final = "SHA256"


class ImagesUnavailable(Exception):
    """The images cannot be made here; the message says what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Images:
    """Compiled images on disk, with the digest of what they were made from."""

    python: Path
    javascript: Path
    digest: str


def prepare(folder: Path) -> Images:
    """Return the images of this version, made first if they are not there yet; blocks, 20 s.

    Compiled images are trusted input of the engine: the folder must belong to the service user.

    Raises:
        ImagesUnavailable: a package is missing, or the compiler failed.
    """
    digest = _recipe()
    home = folder / digest
    images = Images(python=home / _PYTHON, javascript=home / _JAVASCRIPT, digest=digest)
    if _are_whole(home):
        return images
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(folder):
            _clear(folder)
            if not _are_whole(home):
                _make_whole(folder, home)
    except (OSError, subprocess.SubprocessError) as exc:
        raise ImagesUnavailable(f"The sandbox images cannot be made: {exc}") from exc
    return images


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process makes images here; the lock ends with its holder."""
    until = time.monotonic() + _BUILD_S
    with (folder / _LOCK).open("wb") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as exc:
                if time.monotonic() > until:
                    text = "Another process makes the sandbox images and does not get done."
                    raise ImagesUnavailable(text) from exc
                time.sleep(_LOOK_S)  # in a thread or a process of its own
            else:
                break
        yield


def _clear(folder: Path) -> None:
    """Remove what processes left that were killed: who makes images now holds the lock."""
    for left in folder.glob(f"{_MAKING}*"):
        shutil.rmtree(left, ignore_errors=True)


def _make_whole(folder: Path, home: Path) -> None:
    with tempfile.TemporaryDirectory(prefix=_MAKING, dir=folder) as name:
        making, work = Path(name, "images"), Path(name, "work")
        making.mkdir()
        _make(making, work)
        (making / _SUMS).write_text("\n".join(_sums(making)), "ascii")
        _publish(making, home)


def _recipe() -> str:
    """Name everything that decides over the bytes of an image."""
    try:
        versions = [version(name) for name in ("wasmtime", "componentize-py", "quickjs-rs")]
    except PackageNotFoundError as exc:
        raise ImagesUnavailable(f"The package {exc.name} is not installed.") from exc
    parts = [*versions, platform.machine(), sys.platform, _processor(), *OFFERED]
    digest = hashlib.sha256("\n".join(parts).encode())
    for name in ("engine.py", "compile.py", "target.py"):
        digest.update(Path(__file__).with_name(name).read_bytes())
    for resource in sorted(files(guest).iterdir(), key=lambda found: found.name):
        if resource.is_file():
            digest.update(resource.read_bytes())
    return digest.hexdigest()[:16]


def _processor() -> str:
    """What the processor can do, where images use it: they do not load where it is missing.

    Portable images use what all of its kind can, so that one can be made on another machine.
    """
    if portable_target():
        return ""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return next((line for line in lines if line.lower().startswith(("flags", "features"))), "")


def _are_whole(home: Path) -> bool:
    try:
        return (home / _SUMS).read_text("ascii").splitlines() == _sums(home)
    except OSError:
        return False


def _sums(home: Path) -> list[str]:
    sums = []
    for name in (_PYTHON, _JAVASCRIPT):
        with (home / name).open("rb") as image:
            sums.append(f"{hashlib.file_digest(image, 'sha256').hexdigest()}  {name}")
    return sums


def _publish(making: Path, home: Path) -> None:
    """Let the folder appear whole; another process may have been faster."""
    if home.exists() and not _are_whole(home):
        shutil.rmtree(home)
    try:
        making.rename(home)
    except OSError:
        if not _are_whole(home):
            raise


def _make(folder: Path, work: Path) -> None:
    _lay_out(work / "app")
    module = work / "python.wasm"
    _run(
        *("-c", "import sys; from componentize_py import script; sys.exit(script())"),
        *("--quiet", "-d", str(work / "app" / "sandbox.wit"), "-w", "guest"),
        *("componentize", "-p", str(work / "app"), "app", "-o", str(module)),
    )
    for kind, source, target in (
        ("component", module, folder / _PYTHON),
        ("module", javascript_source(), folder / _JAVASCRIPT),
    ):
        _run("-m", "infra.impl.code_runner.wasm.compile", kind, str(source), str(target))


def javascript_source() -> Path:
    """QuickJS as WebAssembly, from the package that carries it."""
    return Path(str(files("quickjs_rs") / "_guest.wasm"))


def _lay_out(app: Path) -> None:
    """Copy the guest's files, and no others, to where the image builder takes modules from."""
    package = app.joinpath(*_PACKAGE.split("."))
    package.mkdir(parents=True)
    for folder in (package, *list(package.parents)[: _PACKAGE.count(".")]):
        (folder / "__init__.py").touch()
    for resource in files(guest).iterdir():
        if resource.name in {"loop.py", "program.py"}:
            (package / resource.name).write_bytes(resource.read_bytes())
    (app / "app.py").write_bytes((files(guest) / "component.py").read_bytes())
    (app / "sandbox.wit").write_bytes((files(guest) / "sandbox.wit").read_bytes())
    (app / "offered.py").write_text("".join(map(_IMPORT.format, OFFERED)), "utf-8")
    (app / "zones.py").write_text(f"ZONES = {dict(_zones())!r}\n", "utf-8")


def _zones() -> Iterator[tuple[str, str]]:
    """Time zones of this machine, by name."""
    for key in sorted(zoneinfo.available_timezones()):
        for folder in zoneinfo.TZPATH:
            path = Path(folder, key)
            if path.is_file():
                yield key, base64.b64encode(path.read_bytes()).decode("ascii")
                break


def clean_environment() -> dict[str, str]:
    """What Python needs to run our own files, and nothing of this process's environment."""
    program = str(Path(guest.__file__).resolve().parents[4])
    return {"PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONPATH": program}


def _run(*arguments: str) -> None:
    done = subprocess.run(  # noqa: S603  (no part of the command comes from outside)
        [sys.executable, "-W", "ignore", *arguments],
        env=clean_environment(),
        capture_output=True,
        timeout=_BUILD_S,
        check=False,
    )
    if done.returncode != 0:
        tail = done.stderr.decode("utf-8", "replace").strip()[-2000:]
        raise ImagesUnavailable(f"The sandbox images cannot be made: {tail}")
