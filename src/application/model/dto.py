"""Commands and views of the model administration; also their wire format."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal, Self

import msgspec
from msgspec import UNSET, UnsetType

from application.shared.page import Whole
from application.shared.projection import At, By, Projection
from domain.model.experience import CallFigures, TestOutcome
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


def _in_order(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(names))


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


class LastTestView(msgspec.Struct, frozen=True, kw_only=True):
    """How the last test ended; outdated if the model was changed since."""

    ok: bool
    """Every check passed that it claims to pass."""
    tested_at: int
    """Unix seconds."""
    is_outdated: bool
    """The model was changed since."""
    failed: tuple[str, ...]
    """Names of the checks that failed."""

    @classmethod
    def of(cls, outcome: TestOutcome, *, changed_at: datetime | None) -> Self:
        """Show an outcome beside the model as it is now."""
        return cls(
            ok=outcome.is_ok,
            tested_at=int(outcome.tested_at.timestamp()),
            is_outdated=changed_at is not None and outcome.tested_at < changed_at,
            failed=outcome.failed,
        )


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
    has_own_capabilities: bool
    """They were set, not taken from what is known of models of this name."""
    health: Health
    health_detail: str
    last_test: LastTestView | None
    """How the last test ended; null if there was none."""


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
    ignored_parameters: Annotated[tuple[str, ...], At("dropped"), By(_in_order)]
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


CheckName = Literal["chat", "stream", "usage", "json", "tools", "vision", "embedding", "rerank"]


class ModelCheck(msgspec.Struct, frozen=True, kw_only=True):
    """Outcome of one test call; ``detail`` is what came back, or why it failed."""

    name: CheckName
    """What was tried."""
    ok: bool
    latency_ms: int
    first_token_ms: int | None = None
    detail: str = ""
    is_claimed: bool = True
    """The model's settings say that it can; a test that looks for more tries the rest, too."""
    request: str = ""
    """Body of the request, as it was sent; empty for what another check has shown already."""
    answer: str = ""
    """What came of it, as JSON: text, reasoning, calls of tools and why it ended."""


class ModelReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a model's test found; ``ok`` if every check passed."""

    id: str
    ok: bool
    checks: tuple[ModelCheck, ...]
    capabilities: Capabilities | None = None
    """What the model can do by these checks; null where nobody looked for it."""


class ModelTestInput(msgspec.Struct, frozen=True, kw_only=True):
    """Settings to test before they are stored, or those of a model as they are.

    ``changes`` lie over the settings of ``model_id``, whose key they keep unless they have their
    own; without it they are those of a new model. ``detects`` also tries what is not claimed.
    """

    model_id: str | None = None
    """The model, by id, name or alias; absent for a new one."""
    changes: ModelInput | None = None
    """Settings that are not stored."""
    detects: bool = False
    """Try what is not claimed, too."""


class ModelFiguresView(msgspec.Struct, frozen=True, kw_only=True):
    """Calls of one model, of all workspaces; ``model`` is its name."""

    model: str
    """Name of the model."""
    calls: int
    """Attempts at its provider."""
    failed: int
    """Attempts that failed."""
    first_token_p50_ms: int | None
    """Median time to the first token; null of none."""

    @classmethod
    def of(cls, figures: CallFigures) -> Self:
        """Show the figures of a model."""
        return cls(
            model=figures.model,
            calls=figures.calls,
            failed=figures.failed,
            first_token_p50_ms=figures.first_token_p50_ms,
        )


class ModelFiguresPage(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of the models that were called in the last 24 hours; ``since`` in Unix seconds."""

    items: tuple[ModelFiguresView, ...]
    since: int
    """Unix seconds."""
