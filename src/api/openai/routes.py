"""Where the OpenAI surface is mounted."""

from typing import Final

from api.openai.completions import CompletionController
from api.openai.models import ModelController


class ApiModelController(ModelController):
    """The same below ``/api``, where FastGPT's clients look."""

    path = "/api/v1/models"
    include_in_schema = False


class ApiCompletionController(CompletionController):
    """The same below ``/api``, where FastGPT's clients look."""

    path = "/api/v1/chat/completions"
    include_in_schema = False


OPENAI_CONTROLLERS: Final = (
    ModelController,
    CompletionController,
    ApiModelController,
    ApiCompletionController,
)
