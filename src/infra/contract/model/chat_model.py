"""Port: one configured chat model at one provider."""

from collections.abc import AsyncGenerator, Mapping
from enum import StrEnum
from typing import Any, Protocol

import msgspec

from domain.shared.chat import Capabilities, ChatRequest, ModelEvent
from domain.shared.error import AppError, ErrorKind
from domain.shared.secret import Secret


class ModelFailure(StrEnum):
    """Why a provider call failed; decides about retry and fallback."""

    CONNECT = "connect"
    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    AUTH = "auth"
    UNKNOWN_MODEL = "unknown_model"
    INVALID_REQUEST = "invalid_request"
    CONTEXT_OVERFLOW = "context_overflow"
    CONTENT_FILTER = "content_filter"
    QUOTA = "quota"
    EMPTY = "empty"
    MALFORMED = "malformed"
    INTERRUPTED = "interrupted"
    """The stream broke after it had begun; never retried."""


RETRYABLE = frozenset(
    {
        ModelFailure.CONNECT,
        ModelFailure.TIMEOUT,
        ModelFailure.RATE_LIMITED,
        ModelFailure.OVERLOADED,
        ModelFailure.EMPTY,
        ModelFailure.MALFORMED,
    }
)


class ModelCallFailed(AppError):
    """The provider failed; the message is safe to show and says what happened.

    ``status`` is the provider's HTTP status, 0 if there was none. ``retry_after_s`` is what the
    provider asked for.
    """

    code, kind = 5001, ErrorKind.UPSTREAM

    def __init__(
        self,
        message: str,
        *,
        failure: ModelFailure,
        status: int = 0,
        retry_after_s: float | None = None,
        **context: object,
    ) -> None:
        super().__init__(message, retry_after_s=retry_after_s, **context)
        self.failure = failure
        self.status = status

    def name_model(self, name: str, *, purpose: str) -> None:
        """Say in the message which model failed and what for; once, however often it is called."""
        if f"{name!r}" not in self.message:
            self.message = f"{purpose.capitalize()} model {name!r}: {self.message}"
            self.args = (self.message,)


class ModelTimeouts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Seconds; ``idle`` is the longest silence between two chunks."""

    connect_s: float = 5.0
    first_token_s: float = 60.0
    idle_s: float = 60.0
    total_s: float = 600.0


class ParameterMapping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How request parameters become this model's body fields.

    ``rename`` maps our body names to the model's, ``drop`` names fields the model refuses,
    ``defaults`` are merged below the request, ``force`` above it.
    """

    rename: Mapping[str, str] = {}
    drop: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = {}
    force: Mapping[str, Any] = {}
    temperature_max: float | None = None


class ModelEndpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Everything an adapter needs to call one model."""

    kind: str
    """Name of a registered provider adapter, like ``openai`` or ``anthropic``."""
    model: str
    base_url: str = ""
    api_key: Secret = Secret("")
    headers: Mapping[str, str] = {}
    capabilities: Capabilities = Capabilities()
    mapping: ParameterMapping = ParameterMapping()
    timeouts: ModelTimeouts = ModelTimeouts()
    window: int = 0
    """Tokens that fit into the context; 0 if unknown."""
    max_output: int = 0
    """Tokens of the longest reply, for wires that must be told one; 0 if unknown."""
    tenant_address: bool = False
    """The address came from a tenant: it goes through the egress policy for tenants."""


class ChatModel(Protocol):
    """Streams replies of one model.

    Every adapter promises: ``ReplyStarted`` first, ``ReplyFinished`` last and once; tool-call
    deltas of one call share an index and carry id and name by its end; usage at most once; closing
    the generator closes the socket within 100 ms; finish reasons normalised; text delta by delta
    as it arrives, adjacent pieces of one network read merged. Think tags inside the text are the
    caller's business. No retries inside.
    """

    def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """Send the request; iterate inside ``aclosing``.

        Raises:
            ModelCallFailed: with the reason; ``INTERRUPTED`` once a delta was delivered.
        """
        ...


class ChatModelFactory(Protocol):
    """Opens adapters by the kind of their provider."""

    def kinds(self) -> tuple[str, ...]:
        """Names of all provider adapters."""
        ...

    def open(self, endpoint: ModelEndpoint) -> ChatModel:
        """Return an adapter; does no I/O. Raises ``UnknownExtension`` for an unknown kind."""
        ...
