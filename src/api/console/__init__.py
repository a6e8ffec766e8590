"""Console of the product: its page at every address below ``/console``, and the files it loads."""

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from litestar.types import ControllerRouterHandler

from api.console.bundle import Bundle, ConsoleBundle
from api.console.file import file_answer
from api.console.header import csp_reports, page_headers
from api.console.preference import preference, prefers_html
from api.console.waiting import progress, waiting_page
from domain.shared.error import NotFound

_HTML: Final = "text/html"
_FOREVER: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleAddress:
    """Where people find the console and the documentation; empty where there is none."""

    version: str
    console: str
    docs: str


class Welcome(msgspec.Struct, frozen=True):
    """What a program learns that asks the bare address."""

    name: str
    version: str
    console: str | None
    docs: str | None


@get("/", include_in_schema=False)
async def welcome(
    request: Request[Any, Any, Any], address: NamedDependency[ConsoleAddress]
) -> Response[Any]:
    """Lead browsers to the console; tell programs what this is."""
    vary = {"vary": "Accept", "cache-control": "no-store"}
    if address.console and prefers_html(request.headers.get("accept", "")):
        return Response(b"", status_code=302, headers={**vary, "location": "/console/"})
    answer = Welcome(
        name="coterie",
        version=address.version,
        console=address.console or None,
        docs=address.docs or None,
    )
    return Response(answer, headers=vary)


@get(["/console", "/console/{path:path}"], include_in_schema=False)
async def console_page(
    request: Request[Any, Any, Any], bundle: NamedDependency[ConsoleBundle]
) -> Response[str]:
    """Answer the page, which finds out by script what to show; names of files are none of it."""
    *folders, last = request.scope["path"].removeprefix("/console").split("/")
    # Browsers resolve dots: a path that has some is another spelling of what is not for everybody.
    if "." in last or not {".", ".."}.isdisjoint(folders):
        raise NotFound("There is no such file.")
    if found := await bundle.get():
        return built_page(request, found)
    wanted = preference(request.cookies, request.headers.get("accept-language", ""))
    state = await asyncio.to_thread(progress)
    nonce = secrets.token_urlsafe(18)
    page = waiting_page(state, language=wanted.language, theme=wanted.theme, nonce=nonce)
    return _page(page, nonce)


@get("/console/assets/{name:str}", include_in_schema=False)
async def console_asset(
    request: Request[Any, Any, Any], name: FromPath[str], bundle: NamedDependency[ConsoleBundle]
) -> Response[bytes]:
    """Answer a file whose name changes with its content: browsers keep it for good."""
    found = await bundle.get()
    asset = found.assets.get(name) if found else None
    if asset is None:
        raise NotFound("There is no such file.")
    return file_answer(request, asset, cache_control=_FOREVER)


@get("/console/third-party.txt", include_in_schema=False)
async def console_licences(
    request: Request[Any, Any, Any], bundle: NamedDependency[ConsoleBundle]
) -> Response[bytes]:
    """Answer the licences of what the console is made of."""
    found = await bundle.get()
    if found is None:
        raise NotFound("The console is not built yet.")
    return file_answer(request, found.licences, cache_control="no-cache")


def console_routes(*, with_pages: bool) -> Sequence[ControllerRouterHandler]:
    """Return the handlers; without pages the files stay, which share links load too."""
    files: list[ControllerRouterHandler] = [
        welcome,
        console_asset,
        console_licences,
        csp_reports,
    ]
    return [*files, console_page] if with_pages else files


def built_page(request: Request[Any, Any, Any], bundle: Bundle) -> Response[str]:
    """Answer the page of the console with what its screen at this address loads."""
    wanted = preference(request.cookies, request.headers.get("accept-language", ""))
    nonce = secrets.token_urlsafe(18)
    path = request.scope["path"].removeprefix("/console")
    page = (
        bundle.page.replace("{{nonce}}", nonce)
        .replace("{{language}}", wanted.language)
        .replace("{{theme}}", wanted.theme)
        .replace("<!--ahead-->", bundle.ahead(path, wanted.language))
    )
    return _page(page, nonce)


def _page(page: str, nonce: str) -> Response[str]:
    headers = {**page_headers(nonce), "cache-control": "no-store"}
    return Response(page, media_type=_HTML, headers=headers)
