"""The chat page of a share link, and the script that puts it on other sites.

Both come with the build of the console. What the page shows first is written into it and needs no
request; a link that is closed has a page without a script.
"""

import asyncio
import json
import re
import secrets
from collections.abc import Mapping
from html import escape
from typing import Any, Final

import msgspec
from litestar import Request, get
from litestar.di import NamedDependency
from litestar.enums import MediaType
from litestar.params import FromPath
from litestar.response import Response
from litestar.types import ControllerRouterHandler

from api.console.bundle import Bundle, ConsoleBundle
from api.console.file import file_answer
from api.console.header import EVERYWHERE
from api.console.preference import preference
from api.console.waiting import PAGE_STYLE, progress, waiting_page
from api.share.visit import ShareLinkCard, card_of
from application.agent.publishing import AgentPublishingService
from application.share.page import page_colours
from application.share.visit import VisitService
from domain.shared.error import AppError, Forbidden, NotFound

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; media-src 'self' blob:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}; "
    "require-trusted-types-for 'script'; trusted-types 'none'; report-to csp"
)
_HEADERS: Final = {
    **EVERYWHERE,
    "cache-control": "no-store",
    "vary": "Cookie, Accept-Language",
}
_PLACES: Final = re.compile(r"\{\{\w+\}\}|<!--(?:ahead|shell|link)-->")
_THEMES: Final = frozenset({"system", "light", "dark"})
_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "closed": "This chat is closed",
        "missing": "There is no such chat",
        "missing_text": "The address is not complete, or the chat was taken down. "
        "Ask whoever gave it to you.",
        "no_script": "This chat needs JavaScript.",
    },
    "zh": {
        "closed": "对话已关闭",
        "missing": "没有这个对话",
        "missing_text": "地址不完整，或对话已被撤下。请联系给你地址的人。",
        "no_script": "此对话需要 JavaScript。",
    },
}
CLOSED: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {},
    "zh": {
        "This link has expired.": "此链接已过期。",
        "What this link leads to does not answer any more.": "此链接所指向的内容已不再提供服务。",
    },
}
"""Why links are closed, where whoever made them did not say it, in other languages than ours."""


@get("/s/{link_code:str}", include_in_schema=False)
async def chat_page(
    request: Request[Any, Any, Any],
    visits: NamedDependency[VisitService],
    agents: NamedDependency[AgentPublishingService],
    bundle: NamedDependency[ConsoleBundle],
    link_code: FromPath[str],
) -> Response[str]:
    """Answer the page of a link; of one that is closed, a page that says so."""
    wanted = preference(request.cookies, request.headers.get("accept-language", ""))
    asked = request.query_params
    nonce = secrets.token_urlsafe(18)
    origins = await visits.origins(link_code)
    language = asked.get("lang", "")
    theme = asked.get("theme", "")
    try:
        card = await card_of(await visits.look(link_code), agents)
    except (NotFound, Forbidden) as exc:
        shown = language if language in _WORDS else _known(wanted.language)
        page = _refusal(exc, language=shown, theme=wanted.theme, nonce=nonce)
        status = 404 if isinstance(exc, NotFound) else 403
        return _answer(page, nonce=nonce, origins=origins, status=status)
    if language not in _WORDS:
        language = card.language or _known(wanted.language)
    if theme not in _THEMES:
        theme = card.theme
    found = await bundle.get()
    if found is None:
        state = await asyncio.to_thread(progress)
        page = waiting_page(state, language=language, theme=theme, nonce=nonce)
        return _answer(page, nonce=nonce, origins=origins, status=200)
    told = {
        "code": link_code,
        "language": language,
        "isEmbedded": asked.get("embed") == "1",
        "origins": origins,
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
            "shortcuts": msgspec.to_builtins(card.shortcuts),
        },
    }
    page = _page(found, card, told, language=language, theme=theme, nonce=nonce)
    return _answer(page, nonce=nonce, origins=origins, status=200)


@get("/embed.js", include_in_schema=False)
async def embed_script(
    request: Request[Any, Any, Any], bundle: NamedDependency[ConsoleBundle]
) -> Response[bytes]:
    """Answer the script that puts a chat on any page."""
    found = await bundle.get()
    if found is None:
        raise NotFound("The console is not built yet.")
    answer = file_answer(request, found.embed, cache_control="public, max-age=300")
    answer.headers["access-control-allow-origin"] = "*"
    answer.headers["cross-origin-resource-policy"] = "cross-origin"
    return answer


SHARE_PAGES: Final[tuple[ControllerRouterHandler, ...]] = (chat_page, embed_script)


def _known(language: str) -> str:
    return language if language in _WORDS else "en"


def _own_address(url: str) -> str:
    """Return the path of a picture of ours: the page loads nothing from anywhere else."""
    return "/" + url.split("/", 3)[3] if url.startswith(("http://", "https://")) else url


def _page(
    bundle: Bundle,
    card: ShareLinkCard,
    told: Mapping[str, Any],
    *,
    language: str,
    theme: str,
    nonce: str,
) -> str:
    """Fill in the places of the page; what is put there has none."""
    colours = page_colours(card.accent)
    style = f'<style nonce="{nonce}">{colours.css}</style>' if colours else ""
    name = escape(card.name)
    data = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
    shell = f"<h1>{name}</h1><noscript><p>{escape(_WORDS[language]['no_script'])}</p></noscript>"
    filled = {
        "{{language}}": language,
        "{{theme}}": theme,
        "{{title}}": name,
        "<!--ahead-->": bundle.share_ahead(language) + style,
        "<!--shell-->": shell,
        "<!--link-->": f'<script type="application/json" id="page">{data}</script>',
    }
    return _PLACES.sub(lambda place: filled[place[0]], bundle.share_page)


def _refusal(exc: AppError, *, language: str, theme: str, nonce: str) -> str:
    words = _WORDS[language]
    is_closed = isinstance(exc, Forbidden)
    title = words["closed"] if is_closed else words["missing"]
    why = CLOSED[language].get(exc.message, exc.message)
    text = why if is_closed else words["missing_text"]
    return (
        f'<!doctype html><html lang="{language}" class="{theme}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="robots" content="noindex"><title>{escape(title)}</title>'
        f'<link rel="icon" href="data:,"><style nonce="{nonce}">{PAGE_STYLE}</style></head>'
        f"<body><main><h1>{escape(title)}</h1><p>{escape(text)}</p></main></body></html>"
    )


def _answer(page: str, *, nonce: str, origins: tuple[str, ...], status: int) -> Response[str]:
    policy = _POLICY.format(nonce=nonce, ancestors=" ".join(("'self'", *origins)))
    return Response(
        page,
        status_code=status,
        media_type=MediaType.HTML,
        headers={**_HEADERS, "content-security-policy": policy},
    )
