"""Bundle of the console: its files with what is sent beside them, read once and kept in memory."""

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

FOLDER: Final = Path(__file__).parent / "bundle"
_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}
"""Types by suffix; another suffix is a mistake of the build."""
_OF_WORKSPACE: Final = "w"
_HOME: Final = "home"
_WORDS: Final = {"zh": "zh"}
"""Languages with a catalogue of their own; all others read the English one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """One file under a name that changes with its content."""

    content: bytes
    media_type: str
    etag: str
    encoded: Mapping[str, bytes]
    """The same by encoding: ``br``, ``gzip``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Everything that browsers load."""

    page: str
    """With four places to fill: nonce, language, theme, what to load ahead."""
    assets: Mapping[str, Asset]
    licences: Asset
    chunks: Mapping[str, Mapping[str, Any]]
    """Manifest of the bundler: what a module became, and what that needs."""

    def ahead(self, path: str, language: str) -> str:
        """Return links to what the screen at a path loads, so that it is fetched at once."""
        feature = _feature(path)
        words = f"text.{_WORDS.get(language, 'en')}.ts"
        modules: dict[str, None] = {}
        styles: dict[str, None] = {}
        for key in ("index.html", f"src/shell/{words}"):
            self._collect(key, modules, {})
        for name in ("route.tsx", words):
            self._collect(f"src/features/{feature}/{name}", modules, styles)
        links = [f'<link rel="modulepreload" crossorigin href="/console/{m}">' for m in modules]
        links += [f'<link rel="stylesheet" crossorigin href="/console/{s}">' for s in styles]
        return "\n    ".join(links)

    def _collect(self, key: str, modules: dict[str, None], styles: dict[str, None]) -> None:
        chunk = self.chunks.get(key)
        if chunk is None or chunk["file"] in modules:
            return
        modules[chunk["file"]] = None
        styles.update(dict.fromkeys(chunk.get("css", ())))
        for imported in chunk.get("imports", ()):
            self._collect(imported, modules, styles)


def _feature(path: str) -> str:
    """Name the folder of the screen at a path below ``/console``: it is that of the route."""
    first, *rest = path.strip("/").split("/")
    if first != _OF_WORKSPACE:
        return first or _HOME
    return rest[1] if len(rest) > 1 else _HOME


class ConsoleBundle:
    """The bundle once it is there; until then each request looks for it."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._lock = asyncio.Lock()
        self._bundle: Bundle | None = None

    async def get(self) -> Bundle | None:
        """Return the bundle, or ``None`` while it is being built."""
        if self._bundle is None:
            async with self._lock:
                if self._bundle is None:
                    self._bundle = await asyncio.to_thread(read, self._folder)
        return self._bundle


def read(folder: Path) -> Bundle | None:
    """Read a bundle from disk; ``None`` where there is none."""
    try:
        page = (folder / "index.html").read_text(encoding="utf-8")
        chunks = msgspec.json.decode((folder / ".vite/manifest.json").read_bytes())
        licences = _asset(folder / "third-party.txt")
        return Bundle(page=page, assets=dict(_assets(folder)), licences=licences, chunks=chunks)
    except FileNotFoundError:  # not there yet, or just being exchanged
        return None


def _assets(folder: Path) -> Iterator[tuple[str, Asset]]:
    for path in sorted((folder / "assets").iterdir()):
        if path.suffix not in {".br", ".gz"}:
            yield path.name, _asset(path)


def _asset(path: Path) -> Asset:
    content = path.read_bytes()
    encoded = {
        name: beside.read_bytes()
        for name, suffix in (("br", ".br"), ("gzip", ".gz"))
        if (beside := path.with_name(path.name + suffix)).exists()
    }
    return Asset(
        content=content,
        media_type=_TYPES[path.suffix],
        etag=f'"{hashlib.sha256(content).hexdigest()[:20]}"',
        encoded=encoded,
    )
