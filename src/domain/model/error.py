"""Refusals of the model context."""

from domain.shared.error import Conflict, Forbidden, InvalidRequest, NotFound, RateLimited
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure


class ModelNotFound(NotFound):
    """No enabled model has this id, name or alias; the message names it."""


class ModelRestricted(Forbidden):
    """Only members of certain groups may use the model, and whoever asks is in none of them."""


class ModelNameTaken(Conflict):
    """Another stored entry answers to this name or alias."""


class ModelIsConfigured(Conflict):
    """The entry comes from configuration: it changes there, not through the administration."""


class ModelUnfit(InvalidRequest):
    """The model cannot do what was asked of it: wrong type, or no tool calls."""


class ModelBusy(RateLimited):
    """Too many calls wait for this model already, or one waited too long."""


class BreakerOpen(ModelCallFailed):
    """The model failed so often lately that calls are refused for a few seconds."""

    def __init__(self, message: str, *, retry_after_s: float, model: str) -> None:
        super().__init__(
            message, failure=ModelFailure.OVERLOADED, retry_after_s=retry_after_s, model=model
        )
