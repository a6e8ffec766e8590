"""What is configured about one model, and the rules it must keep."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec

from domain.model.price import PriceTable
from domain.model.reasoning import ReasoningSettings
from domain.shared.chat import Capabilities
from domain.shared.error import InvalidRequest
from domain.shared.ids import group_ids_of
from infra.contract.model.chat_model import ModelTimeouts, ParameterMapping

OFFLINE_KIND: Final = "offline"
"""The built-in providers, which need neither address nor key."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
_HEADER: Final = re.compile(r"[A-Za-z0-9-]{1,64}")
_MAX_NAME_CHARS: Final = 100
_MAX_DESCRIPTION_CHARS: Final = 2000
_MAX_URL_CHARS: Final = 2048
_MAX_NAMES: Final = 20
_MAX_HEADER_CHARS: Final = 4096
_MAX_TOKENS: Final = 100_000_000
_MAX_SECONDS: Final = 3600.0
_MAX_CONCURRENCY: Final = 100_000
_MAX_DIMENSIONS: Final = 65_536
_MAX_BATCH: Final = 2048


class ModelType(StrEnum):
    """What a model is for."""

    CHAT = "chat"
    EMBEDDING = "embedding"
    RERANK = "rerank"


class ModelSource(StrEnum):
    """Where an entry comes from, weakest first: a later source wins over an earlier one."""

    PACKAGED = "packaged"
    CONFIG = "config"
    ENVIRONMENT = "environment"
    DATABASE = "database"


class EmbeddingSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How an embedding model wants its input; zeros mean the default."""

    dimensions: int = 0
    """Vector length; 0 learns it from the first reply."""
    send_dimensions: bool = False
    batch_size: int = 0
    batch_tokens: int = 100_000
    max_input_tokens: int = 0
    normalise: bool = True
    query_prefix: str = ""
    document_prefix: str = ""


class RerankSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a reranking model wants its input, and what its scores are."""

    scale: Literal["unit", "logit"] = "unit"
    """Logits go through a sigmoid."""
    max_documents: int = 100
    """Of one call; more are sent in several."""
    max_document_chars: int = 4000


class ModelSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about a model except its credential.

    What is left open (``window``, ``max_output`` 0; ``capabilities``, ``mapping``, ``timeouts``
    None) is filled in from what is known about models of this name.
    """

    name: str
    model: str = ""
    """Name at the provider; empty means ``name``."""
    type: ModelType = ModelType.CHAT
    kind: str = "openai"
    """Provider adapter."""
    base_url: str = ""
    description: str = ""
    aliases: tuple[str, ...] = ()
    headers: Mapping[str, str] = {}
    """Sent with every request; credentials belong into the API key."""
    window: int = 0
    max_output: int = 0
    capabilities: Capabilities | None = None
    mapping: ParameterMapping | None = None
    timeouts: ModelTimeouts | None = None
    reasoning: ReasoningSettings = ReasoningSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    rerank: RerankSettings = RerankSettings()
    prices: PriceTable = PriceTable()
    fallbacks: tuple[str, ...] = ()
    """Ids, names or aliases of the models that stand in, in order."""
    concurrency: int = 0
    """Most calls at once; 0 means the deployment's limit."""
    groups: tuple[str, ...] = ()
    """Ids of the groups whose members may use it; none means everybody."""

    @property
    def upstream(self) -> str:
        return self.model or self.name

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)

    def check(self) -> None:
        """Raise ``InvalidRequest`` naming the first field that breaks a rule."""
        self._check_names()
        self._check_connection()
        self._check_numbers()
        group_ids_of(self.groups)
        self.prices.check()
        if not all(_TAG.fullmatch(tag) for tag in self.reasoning.tags):
            raise _invalid("reasoning.tags", "element names without brackets, like think")

    def _check_names(self) -> None:
        for field, values in (
            ("name", (self.name,)),
            ("aliases", self.aliases),
            ("fallbacks", self.fallbacks),
        ):
            if len(values) > _MAX_NAMES:
                raise _invalid(field, f"at most {_MAX_NAMES} names")
            for value in values:
                if not 1 <= len(value) <= _MAX_NAME_CHARS or value != value.strip():
                    raise _invalid(field, f"1 to {_MAX_NAME_CHARS} characters, no blanks around")
                if _CONTROL.search(value):
                    raise _invalid(field, "no control characters")
        for name in self.names:
            if name.isdecimal():
                raise _invalid("name", "a name of digits only would look like an id")
        if len(set(self.names)) != len(self.names):
            raise _invalid("aliases", "each name only once")
        if len(self.model) > _MAX_NAME_CHARS * 2 or _CONTROL.search(self.model):
            raise _invalid("model", f"at most {_MAX_NAME_CHARS * 2} printable characters")
        if len(self.description) > _MAX_DESCRIPTION_CHARS:
            raise _invalid("description", f"at most {_MAX_DESCRIPTION_CHARS} characters")

    def _check_connection(self) -> None:
        if self.base_url:
            _check_url(self.base_url)
        elif self.kind != OFFLINE_KIND:
            raise _invalid("base_url", "the address of the provider is missing")
        for header, value in self.headers.items():
            if not _HEADER.fullmatch(header) or header.lower() in _FORBIDDEN_HEADERS:
                raise _invalid("headers", f"{header[:64]!r} may not be set")
            if len(value) > _MAX_HEADER_CHARS or _CONTROL.search(value):
                raise _invalid("headers", f"{header}: printable text of one line")

    def _check_numbers(self) -> None:
        timeouts = self.timeouts or ModelTimeouts()
        embedding = self.embedding
        ranges: tuple[tuple[str, float, float, float], ...] = (
            ("window", self.window, 0, _MAX_TOKENS),
            ("max_output", self.max_output, 0, _MAX_TOKENS),
            ("concurrency", self.concurrency, 0, _MAX_CONCURRENCY),
            ("timeouts.connect_s", timeouts.connect_s, 0.1, _MAX_SECONDS),
            ("timeouts.first_token_s", timeouts.first_token_s, 0.1, _MAX_SECONDS),
            ("timeouts.idle_s", timeouts.idle_s, 0.1, _MAX_SECONDS),
            ("timeouts.total_s", timeouts.total_s, 0.1, _MAX_SECONDS),
            ("embedding.dimensions", embedding.dimensions, 0, _MAX_DIMENSIONS),
            ("embedding.batch_size", embedding.batch_size, 0, _MAX_BATCH),
            ("embedding.batch_tokens", embedding.batch_tokens, 1, _MAX_TOKENS),
            ("embedding.max_input_tokens", embedding.max_input_tokens, 0, _MAX_TOKENS),
            ("rerank.max_documents", self.rerank.max_documents, 1, _MAX_BATCH),
            ("rerank.max_document_chars", self.rerank.max_document_chars, 1, _MAX_TOKENS),
        )
        for field, value, lowest, highest in ranges:
            if not lowest <= value <= highest:
                raise _invalid(field, f"a number from {lowest:g} to {highest:g}")
        if self.window and self.max_output > self.window:
            raise _invalid("max_output", "at most the window")


_FORBIDDEN_HEADERS: Final = frozenset(
    {
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "cookie",
        "host",
        "keep-alive",
        "proxy-authorization",
        "te",
        "transfer-encoding",
        "upgrade",
    }
)


def _check_url(url: str) -> None:
    if len(url) > _MAX_URL_CHARS or _CONTROL.search(url) or " " in url:
        raise _invalid("base_url", "a URL without blanks")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as exc:
        raise _invalid("base_url", "not a URL") from exc
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == 0:
        raise _invalid("base_url", "an http or https URL like https://api.example.com/v1")
    if parts.username is not None or parts.password is not None:
        raise _invalid("base_url", "no credentials in the URL; set the API key")
    if parts.query or parts.fragment:
        raise _invalid("base_url", "no query and no fragment")


def _invalid(field: str, rule: str) -> InvalidRequest:
    return InvalidRequest(f"{field}: {rule}.", field=field)
