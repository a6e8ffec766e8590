"""Commands and views of the model administration; also their wire format."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from application.shared.page import Whole
from application.shared.projection import At, By, Projection
from domain.model.price import PriceTable
from domain.model.reasoning import ReasoningSettings
from domain.model.value import EmbeddingSettings, ModelSource, ModelType, RerankSettings
from domain.shared.chat import Capabilities
from domain.shared.secret import MASK
from infra.contract.model.chat_model import ModelTimeouts, ParameterMapping

WireType = Literal["llm", "embedding", "rerank"]
Health = Literal["unused", "ok", "failing"]

TYPES: Final[Mapping[WireType, ModelType]] = {
    "llm": ModelType.CHAT,
    "embedding": ModelType.EMBEDDING,
    "rerank": ModelType.RERANK,
}
_NAMES: Final[Mapping[ModelType, WireType]] = {kind: name for name, kind in TYPES.items()}


def _seconds(instant: datetime | None) -> int | None:
    return None if instant is None else int(instant.timestamp())


class DisplayInput(msgspec.Struct, frozen=True, kw_only=True):
    """How a model shows itself: its window (``max_tokens``) and its longest reply."""

    name: str | UnsetType | None = UNSET
    description: str | UnsetType | None = UNSET
    max_tokens: int | UnsetType | None = UNSET
    output_tokens: int | UnsetType | None = UNSET


class ConnectionInput(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model is reached; ``api_key`` is write-only, null or empty removes it."""

    base_url: str | UnsetType | None = UNSET
    api_key: str | UnsetType | None = UNSET
    model: str | UnsetType | None = UNSET
    """Name at the provider; absent, the display name."""
    headers: dict[str, str | None] | UnsetType | None = UNSET

    def __repr__(self) -> str:
        key = MASK if isinstance(self.api_key, str) and self.api_key else self.api_key
        return f"ConnectionInput(base_url={self.base_url!r}, model={self.model!r}, api_key={key!r})"


class ModelInput(msgspec.Struct, frozen=True, kw_only=True):
    """A new model, or a JSON merge patch of one: absent leaves alone, null means the default.

    For the three flags null is the same as absent.

    The objects at the bottom have the shape of their counterparts in ``ModelView``.
    """

    type: WireType | UnsetType | None = UNSET
    provider: str | UnsetType | None = UNSET
    display: DisplayInput | UnsetType | None = UNSET
    connection: ConnectionInput | UnsetType | None = UNSET
    aliases: tuple[str, ...] | UnsetType | None = UNSET
    fallbacks: tuple[str, ...] | UnsetType | None = UNSET
    concurrency: int | UnsetType | None = UNSET
    groups: tuple[str, ...] | UnsetType | None = UNSET
    """Ids of the groups whose members may use it; none opens it to everybody."""
    enabled: bool | None = None
    is_default: bool | None = None
    is_vision_default: bool | None = None
    capabilities: dict[str, Any] | UnsetType | None = UNSET
    parameter_mapping: dict[str, Any] | UnsetType | None = UNSET
    timeouts: dict[str, Any] | UnsetType | None = UNSET
    reasoning: dict[str, Any] | UnsetType | None = UNSET
    embedding: dict[str, Any] | UnsetType | None = UNSET
    rerank: dict[str, Any] | UnsetType | None = UNSET
    prices: dict[str, Any] | UnsetType | None = UNSET


class ModelQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Which part of the list; ``cursor`` is the one an earlier page gave."""

    type: WireType | None = None
    q: str = ""
    order: Literal["asc", "desc"] = "asc"
    limit: int = 50
    cursor: str = ""


class DisplayView(Projection):
    """How a model shows itself; tokens."""

    name: str
    description: Annotated[str, At("spec.description")]
    max_tokens: Annotated[int, At("window")]
    output_tokens: Annotated[int, At("max_output")]


class KeyView(msgspec.Struct, frozen=True, kw_only=True):
    """Whether there is a credential, never the credential."""

    set: bool
    hint: str = ""
    readable: bool = True


class ConnectionView(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model is reached; of the headers only their names."""

    base_url: str
    api_key: KeyView
    model: str
    headers: tuple[str, ...]


class ModelSettingsView(Projection):
    """What only administrators see."""

    connection: ConnectionView
    fallbacks: tuple[str, ...]
    concurrency: int
    groups: tuple[str, ...]
    """Ids of the groups whose members may use it; none: everybody."""
    parameter_mapping: ParameterMapping
    timeouts: ModelTimeouts
    reasoning: ReasoningSettings
    embedding: EmbeddingSettings
    rerank: RerankSettings
    prices: PriceTable
    health: Health
    health_detail: str


class ModelView(Projection, omit_defaults=True):
    """A model of the registry; ``settings`` only for administrators.

    ``id`` is what agents store: the decimal id of a stored model, the name of a configured one.
    ``revision`` is 0 for configured models. Times are Unix seconds.
    """

    id: Annotated[str, At("key")]
    type: Annotated[WireType, At("spec.type"), By(_NAMES.__getitem__)]
    provider: Annotated[str, At("spec.kind")]
    source: ModelSource
    display: Annotated[DisplayView, At("")]
    aliases: Annotated[tuple[str, ...], At("spec.aliases")]
    capabilities: Capabilities
    enabled: Annotated[bool, At("is_enabled")]
    is_read_only: Annotated[bool, At("source"), By(ModelSource.DATABASE.__ne__)]
    is_default: bool
    is_vision_default: bool
    revision: int
    updated_at: Annotated[int | None, At("changed_at"), By(_seconds)] = None
    settings: ModelSettingsView | None = None


class ModelPage(Whole[ModelView]):
    """One page of models by name; no ``next_cursor`` on the last one."""


class ProviderView(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of provider; ``connection_schema`` is the JSON Schema of ``connection``."""

    kind: str = msgspec.field(name="class")
    name: str
    types: tuple[WireType, ...]
    connection_schema: dict[str, Any]


class ProviderPage(Whole[ProviderView]):
    """All kinds of providers; there are so few that they come at once."""


class ModelCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of one test call; ``detail`` is what came back, or why it failed."""

    name: Literal["chat", "stream", "usage", "json", "tools", "vision", "embedding", "rerank"]
    ok: bool
    latency_ms: int
    first_token_ms: int | None = None
    detail: str = ""


class ModelReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a model's test found; ``ok`` if every check passed."""

    id: str
    ok: bool
    checks: tuple[ModelCheck, ...]
