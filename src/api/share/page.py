"""The chat page of a share link, and the script that puts it on other sites.

The page is made on the server: what it shows first needs no request. It runs one script, which
makes elements and never HTML.
"""

import json
import secrets
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromPath
from litestar.response import Response
from litestar.types import ControllerRouterHandler

from api.console.preference import preference
from api.share.visit import ShareLinkCard, card_of
from api.share.words import WORDS
from application.agent.publishing import AgentPublishingService
from application.share.page import PageColours, page_colours
from application.share.visit import VisitService
from domain.shared.error import AppError, Forbidden, NotFound

_STATIC: Final = Path(__file__).parent / "static"
_STYLE_PATH: Final = "/s/chat.css"
_SCRIPT_PATH: Final = "/s/chat.js"
_MARKDOWN_PATH: Final = "/s/markdown.js"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; media-src 'self' blob:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS: Final = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "same-origin",
    "vary": "Cookie, Accept-Language",
}
_THEMES: Final = frozenset({"system", "light", "dark"})


@get("/s/{link_code:str}", include_in_schema=False)
async def chat_page(
    request: Request[Any, Any, Any],
    visits: NamedDependency[VisitService],
    agents: NamedDependency[AgentPublishingService],
    link_code: FromPath[str],
) -> Response[str]:
    """Answer the page of a link; of one that is closed, a page that says so."""
    wanted = preference(request.cookies, request.headers.get("accept-language", ""))
    asked = request.query_params
    is_embedded = asked.get("embed") == "1"
    nonce = secrets.token_urlsafe(18)
    origins = await visits.origins(link_code)
    language = asked.get("lang", "")
    theme = asked.get("theme", "")
    try:
        card = await card_of(await visits.look(link_code), agents)
    except (NotFound, Forbidden) as exc:
        words = WORDS[language if language in WORDS else _known(wanted.language)]
        body, status = _refusal(words, exc), 404 if isinstance(exc, NotFound) else 403
        shown = language if language in WORDS else _known(wanted.language)
        page = _document(
            title=words["missing"], language=shown, theme=wanted.theme, body=body, nonce=nonce
        )
        return _answer(page, nonce=nonce, origins=origins, status=status)
    if language not in WORDS:
        language = card.language or _known(wanted.language)
    if theme not in _THEMES:
        theme = card.theme
    told = {
        "code": link_code,
        "language": language,
        "isEmbedded": is_embedded,
        "origins": origins,
        "words": WORDS[language],
        "link": {
            "name": card.name,
            "auth": card.auth,
            "iconUrl": _own_address(card.icon_url),
            "welcome": card.welcome,
            "suggestions": card.suggestions,
            "footer": card.footer,
            "allowsFiles": card.allows_files,
            "keepsHistory": card.keeps_history,
            "takesFeedback": card.takes_feedback,
        },
    }
    page = _document(
        title=card.name,
        language=language,
        theme=theme,
        body=_shell(card, told, WORDS[language]),
        nonce=nonce,
        colours=page_colours(card.accent),
        has_script=True,
    )
    return _answer(page, nonce=nonce, origins=origins, status=200)


@get(_STYLE_PATH, include_in_schema=False)
async def chat_style(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Answer the style sheet of the page."""
    return _file(request, "chat.css", "text/css; charset=utf-8")


@get(_SCRIPT_PATH, include_in_schema=False)
async def chat_script(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Answer the script of the page."""
    return _file(request, "chat.js", "text/javascript; charset=utf-8")


@get(_MARKDOWN_PATH, include_in_schema=False)
async def markdown_script(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Answer the part of the script that reads Markdown."""
    return _file(request, "markdown.js", "text/javascript; charset=utf-8")


@get("/embed.js", include_in_schema=False)
async def embed_script(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Answer the script that puts a chat on any page."""
    answer = _file(request, "embed.js", "text/javascript; charset=utf-8")
    answer.headers["access-control-allow-origin"] = "*"
    answer.headers["cache-control"] = "public, max-age=300"
    answer.headers["cross-origin-resource-policy"] = "cross-origin"
    return answer


SHARE_PAGES: Final[tuple[ControllerRouterHandler, ...]] = (
    chat_page,
    chat_style,
    chat_script,
    markdown_script,
    embed_script,
)


def _known(language: str) -> str:
    return language if language in WORDS else "en"


def _own_address(url: str) -> str:
    """Return the path of a picture of ours: the page loads nothing from anywhere else."""
    return "/" + url.split("/", 3)[3] if url.startswith(("http://", "https://")) else url


def _shell(card: ShareLinkCard, told: Mapping[str, Any], words: Mapping[str, str]) -> str:
    data = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
    return (
        f'<div id="app" class="gate"><h1>{escape(card.name)}</h1>'
        f"<noscript><p>{escape(words['no_script'])}</p></noscript></div>"
        f'<script type="application/json" id="page">{data}</script>'
    )


def _refusal(words: Mapping[str, str], exc: AppError) -> str:
    is_closed = isinstance(exc, Forbidden)
    title = words["closed"] if is_closed else words["missing"]
    text = exc.message if is_closed else words["missing_text"]
    return f'<main class="gate"><h1>{escape(title)}</h1><p>{escape(text)}</p></main>'


def _document(
    *,
    title: str,
    language: str,
    theme: str,
    body: str,
    nonce: str,
    colours: PageColours | None = None,
    has_script: bool = False,
) -> str:
    style = f'<style nonce="{nonce}">{colours.css}</style>' if colours else ""
    script = (
        f'<link rel="modulepreload" href="{_MARKDOWN_PATH}">'
        f'<script type="module" src="{_SCRIPT_PATH}"></script>'
        if has_script
        else ""
    )
    return (
        f'<!doctype html><html lang="{language}" class="{theme}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1, '
        'interactive-widget=resizes-content">'
        f"<title>{escape(title)}</title>"
        '<meta name="robots" content="noindex"><link rel="icon" href="data:,">'
        f'<link rel="stylesheet" href="{_STYLE_PATH}">{style}{script}</head>'
        f"<body>{body}</body></html>"
    )


def _answer(page: str, *, nonce: str, origins: tuple[str, ...], status: int) -> Response[str]:
    policy = _POLICY.format(nonce=nonce, ancestors=" ".join(("'self'", *origins)))
    return Response(
        page,
        status_code=status,
        media_type=MediaType.HTML,
        headers={**_HEADERS, "content-security-policy": policy},
    )


def _file(request: Request[Any, Any, Any], name: str, media_type: str) -> Response[bytes]:
    content, etag = _read(name)
    headers = {
        "cache-control": "no-cache",
        "etag": etag,
        "cross-origin-resource-policy": "same-origin",
    }
    if request.headers.get("if-none-match") == etag:
        return Response(b"", status_code=304, headers=headers, media_type=media_type)
    return Response(content, media_type=media_type, headers=headers)


@cache
def _read(name: str) -> tuple[bytes, str]:
    content = (_STATIC / name).read_bytes()
    return content, f'"{sha256(content).hexdigest()[:16]}"'
