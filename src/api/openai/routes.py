"""Where the OpenAI surface is mounted: at ``/v1``, and below ``/api`` for FastGPT's clients."""

from collections.abc import Sequence
from types import new_class
from typing import Any, Final

from litestar import Controller

from api.openai.completions import CompletionController
from api.openai.embeddings import EmbeddingController, RerankController
from api.openai.files import OpenAIFileController
from api.openai.models import ModelController
from api.openai.responses.compaction import CompactionController
from api.openai.responses.controller import ResponseController

_CONTROLLERS: Final[Sequence[type[Controller]]] = (
    ModelController,
    CompletionController,
    EmbeddingController,
    RerankController,
    OpenAIFileController,
    CompactionController,
    ResponseController,
)


def _below_api(controller: type[Controller]) -> type[Controller]:
    """Return the same controller where FastGPT's clients look."""
    name = f"Api{controller.__name__}"
    fields: dict[str, Any] = {"path": f"/api{vars(controller)['path']}", "include_in_schema": False}
    return new_class(name, (controller,), exec_body=lambda body: body.update(fields))


OPENAI_CONTROLLERS: Final = (*_CONTROLLERS, *map(_below_api, _CONTROLLERS))
