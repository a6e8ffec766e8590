"""The interface description: an OpenAPI document and one page that shows it, self-contained."""

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any, Final

from litestar import MediaType, Request, Router, get
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.openapi.spec.license import License
from litestar.response import Response

from api.operations import operations_only

_INLINE: Final = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


def openapi_config(version: str) -> OpenAPIConfig:
    """Describe the API; the document is built when it is first asked for."""
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
            security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}
        ),
        openapi_router=Router(
            "/schema", route_handlers=[], guards=[operations_only], include_in_schema=False
        ),
        render_plugins=[ContractPlugin(path="/openapi.json", media_type=MediaType.JSON)],
    )


class ContractPlugin(JsonRenderPlugin):
    """Serves the refined document."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        from api.docs.contract import refine  # noqa: PLC0415 - most processes show no document

        return super().render(request, refine(openapi_schema))


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
