"""Bundle of the console: its files with what is sent beside them, read once and kept in memory."""

import asyncio
import gzip
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

FOLDER: Final = Path(__file__).parent / "bundle"
_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".md": "text/markdown",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}
"""Types by suffix; another suffix is a mistake of the build."""
_OF_WORKSPACE: Final = "w"
_WORDS: Final = {"zh": "zh"}
"""Languages with a catalogue of their own; all others read the English one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What a path of the console shows: a route of the router and the texts that it waits for."""

    route: str
    texts: tuple[str, ...]


def _screen(folder: str, *others: str) -> Screen:
    return Screen(route=f"{folder}/route", texts=(f"{folder}/text", *others))


_TRACES: Final = ("trace/body-text", "trace/text")
_SCREENS: Final[Mapping[str, Screen]] = {
    "account": _screen("features/account", "session/door-text"),
    "sign-in": _screen("features/sign-in", "session/door-text"),
    "welcome": _screen("features/welcome", "session/door-text"),
    "": _screen("features/home", "directory/text"),
    "agents/*": _screen("features/workbench", "agent/text", "chat/text", "retrieval/text"),
    "agents/*/versions": _screen("features/workbench/versions"),
    "workflows/*": Screen(route="features/workflow/route", texts=("canvas/text",)),
    "workflows/*/versions": Screen(
        route="features/workflow/versions-route", texts=("canvas/compare/text", "canvas/text")
    ),
    "knowledge/*": _screen("features/knowledge/base"),
    "knowledge/*/import": _screen("features/knowledge/import"),
    "knowledge/*/documents/*": _screen(
        "features/knowledge/document", "features/knowledge/base/text"
    ),
    "plugins/import": Screen(route="features/plugins/import/route", texts=("plugin/text",)),
    "plugins/*": _screen("features/plugins/plugin"),
    "plugins/*/tools/*": _screen("features/plugins/tool"),
    "databases/variables": _screen("features/databases/variables", "agent/text"),
    "databases/*": _screen("features/databases/table"),
    "runs": _screen("features/runs", "trace/text"),
    "runs/compare": Screen(route="features/compare/route", texts=_TRACES),
    "runs/*": Screen(route="features/trace/route", texts=_TRACES),
    "conversations": _screen("features/conversations", "trace/text"),
    "conversations/*": _screen(
        "features/conversations/one", "features/conversations/text", "chat/text", "trace/text"
    ),
    "links/*": Screen(route="features/links/editor/route", texts=("features/links/text",)),
    "models/*": _screen("features/models/model", "trial/text"),
    "admin": _screen("features/administration"),
    "admin/*": _screen("features/administration"),
}
"""Screens below ``/console`` and ``/console/w/*`` that do not have the name of their folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """One file under a name that changes with its content."""

    stored: bytes
    """As it is, or in the ``gzip`` form where there is one."""
    media_type: str
    etag: str
    encoded: Mapping[str, bytes]
    """The same by encoding: ``br``, ``gzip``; nothing for what is small or compressed by itself."""

    def plain(self) -> bytes:
        """Return the file for a client that takes no encoding, which no browser is."""
        return gzip.decompress(self.stored) if self.encoded else self.stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunks:
    """Manifest of the bundler: what a module became, and what that needs."""

    manifest: Mapping[str, Mapping[str, Any]]

    def links(self, *keys: str, styled: Sequence[str] = ()) -> str:
        """Return links to what modules load, so that it is fetched at once.

        Styles are those of ``styled``: the page names the others itself.
        """
        modules: dict[str, None] = {}
        styles: dict[str, None] = {}
        for key in keys:
            self._collect(key, modules, {})
        for key in styled:
            self._collect(key, modules, styles)
        links = [f'<link rel="modulepreload" crossorigin href="/console/{m}">' for m in modules]
        links += [f'<link rel="stylesheet" crossorigin href="/console/{s}">' for s in styles]
        return "\n    ".join(links)

    def _collect(self, key: str, modules: dict[str, None], styles: dict[str, None]) -> None:
        chunk = self.manifest.get(key)
        if chunk is None or chunk["file"] in modules:
            return
        modules[chunk["file"]] = None
        styles.update(dict.fromkeys(chunk.get("css", ())))
        for imported in chunk.get("imports", ()):
            self._collect(imported, modules, styles)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Everything that browsers load."""

    page: str
    """With four places to fill: nonce, language, theme, what to load ahead."""
    chunks: Chunks
    share_page: str
    """The chat of a link, with places for its language, theme, title, what to load ahead, and what
    the server says of the link."""
    share_chunks: Chunks
    embed: Asset
    """The script that puts a chat on other sites."""
    assets: Mapping[str, Asset]
    licences: Asset

    def ahead(self, path: str, language: str) -> str:
        """Return links to what the screen at a path of the console loads."""
        words = _words(language)
        screen = screen_at(path)
        texts = [f"src/{text}.{words}" for text in screen.texts]
        return self.chunks.links(
            "index.html", f"src/shell/text.{words}", styled=(f"src/{screen.route}.tsx", *texts)
        )

    def share_ahead(self, language: str) -> str:
        """Return links to the texts of the chat page."""
        words = _words(language)
        parts = ("share", "chat", "ui")
        return self.share_chunks.links(*(f"src/{part}/text.{words}" for part in parts))


def _words(language: str) -> str:
    """Return how names of files with texts end."""
    return f"{_WORDS.get(language, 'en')}.ts"


def screen_at(path: str) -> Screen:
    """Return what is shown at a path below ``/console``; every second part of it is an id."""
    first, *rest = path.strip("/").split("/")
    parts = rest[1:] if first == _OF_WORKSPACE else [first, *rest]
    exact = "/".join(parts)
    general = "/".join("*" if at % 2 else part for at, part in enumerate(parts))
    found = _SCREENS.get(exact) or _SCREENS.get(general)
    return found or _screen(f"features/{parts[0]}")


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
        return Bundle(
            page=(folder / "index.html").read_text(encoding="utf-8"),
            chunks=_chunks(folder / ".vite/manifest.json"),
            share_page=(folder / "share.html").read_text(encoding="utf-8"),
            share_chunks=_chunks(folder / ".vite/share.json"),
            embed=_asset(folder / "embed.js"),
            assets=dict(_assets(folder / "assets")),
            licences=_asset(folder / "third-party.txt"),
        )
    except FileNotFoundError:  # not there yet, or just being exchanged
        return None


def _chunks(path: Path) -> Chunks:
    return Chunks(manifest=msgspec.json.decode(path.read_bytes()))


def _assets(folder: Path) -> Iterator[tuple[str, Asset]]:
    names = {path.name.removesuffix(".br").removesuffix(".gz") for path in folder.iterdir()}
    for name in sorted(names):
        yield name, _asset(folder / name)


def _asset(path: Path) -> Asset:
    encoded = {
        name: beside.read_bytes()
        for name, suffix in (("br", ".br"), ("gzip", ".gz"))
        if (beside := path.with_name(path.name + suffix)).exists()
    }
    stored = encoded["gzip"] if encoded else path.read_bytes()
    return Asset(
        stored=stored,
        media_type=_TYPES[path.suffix],
        etag=f'"{hashlib.sha256(stored).hexdigest()[:20]}"',
        encoded=encoded,
    )
