"""Where the OpenAI surface is mounted."""

from typing import Final

from litestar import Router

from api.openai.completions import CompletionController
from api.openai.models import ModelController

OPENAI_ROUTERS: Final = (
    Router(path="/", route_handlers=[ModelController, CompletionController]),
    Router(
        path="/api",
        route_handlers=[ModelController, CompletionController],
        include_in_schema=False,
    ),
)
