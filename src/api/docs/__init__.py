"""The interface description: an OpenAPI document and one page that shows it, self-contained."""

import asyncio
import base64
import hashlib
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec
from litestar import MediaType, get
from litestar.di import NamedDependency
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.openapi.spec.license import License
from litestar.response import Response

from api.operations import operations_only

_INLINE: Final = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def openapi_config(version: str) -> OpenAPIConfig:
    """Say what the framework cannot see in the handlers."""
    return OpenAPIConfig(
        title="Coterie",
        version=version,
        description=(
            "Self-hosted backend for AI agents. The /v1 and /v3 paths follow the Coze API, "
            "/v1/chat/completions and /v1/models the OpenAI API, /admin/v1 administers."
        ),
        license=License(name="Apache-2.0", identifier="Apache-2.0"),
        use_handler_docstrings=True,
        security=[{"token": []}],
        components=Components(
            security_schemes={
                "token": SecurityScheme(type="http", scheme="bearer"),
                "session": SecurityScheme(
                    type="apiKey",
                    name="__Host-coterie",
                    security_scheme_in="cookie",
                    description="Cookie that sign-in sets; by plain HTTP on this machine its "
                    "name is `coterie-` and the port. Changes also send `Coterie-CSRF`.",
                ),
            }
        ),
    )


class InterfaceDocument:
    """The document as it is sent; made when it is wanted first, and kept.

    Making it takes seconds of processor time, which a thread spends: nobody else waits for it.
    """

    def __init__(self, describe: Callable[[], Mapping[str, Any]]) -> None:
        self._describe = describe
        self._lock = asyncio.Lock()
        self._content = b""

    async def content(self) -> bytes:
        """Return the document as JSON."""
        async with self._lock:
            if not self._content:
                self._content = await asyncio.to_thread(self._made)
        return self._content

    def _made(self) -> bytes:
        return msgspec.json.encode(self._describe())


@get("/schema/openapi.json", include_in_schema=False, guards=[operations_only])
async def openapi_document(document: NamedDependency[InterfaceDocument]) -> Response[bytes]:
    """Show the document to programs."""
    return Response(await document.content(), media_type=MediaType.JSON)


@get("/docs", include_in_schema=False, guards=[operations_only])
async def docs_page() -> Response[str]:
    """Show the document for reading and trying out; loads nothing from elsewhere."""
    page, policy = _page()
    return Response(page, media_type="text/html", headers={"content-security-policy": policy})


@cache
def _page() -> tuple[str, str]:
    """Return the page and a policy that lets run exactly what is written in it."""
    page = files(__name__).joinpath("page.html").read_text(encoding="utf-8")
    hashes: dict[str, str] = {}
    for kind, content in _INLINE.findall(page):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        hashes[kind] = f"'sha256-{digest}'"
    return page, (
        f"default-src 'none'; connect-src 'self'; style-src {hashes['style']}; "
        f"script-src {hashes['script']}; frame-ancestors 'none'; base-uri 'none'"
    )
