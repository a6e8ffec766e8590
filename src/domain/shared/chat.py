"""The vocabulary between agents and models: messages, requests and the events of one reply."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Literal, get_args

import msgspec


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one or several model calls; ``estimated`` if the provider did not report them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    estimated: bool = False

    @property
    def total_tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def since(self, before: "Usage") -> "Usage":
        """Return what was used after ``before``, which is part of this."""
        return Usage(
            input_tokens=self.input_tokens - before.input_tokens,
            output_tokens=self.output_tokens - before.output_tokens,
            cached_tokens=self.cached_tokens - before.cached_tokens,
            reasoning_tokens=self.reasoning_tokens - before.reasoning_tokens,
            estimated=self.estimated,
        )

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            estimated=self.estimated or other.estimated,
        )


class TextPart(msgspec.Struct, frozen=True, kw_only=True, tag="text"):
    """Plain text."""

    text: str


class ImagePart(msgspec.Struct, frozen=True, kw_only=True, tag="image", omit_defaults=True):
    """An image by file id, by URL (http, https or data) or, once loaded, by bytes."""

    file_id: int = 0
    url: str = ""
    name: str = ""
    media_type: str = ""
    size: int = 0
    data: bytes = b""
    detail: str = ""


class FilePart(msgspec.Struct, frozen=True, kw_only=True, tag="file", omit_defaults=True):
    """A document by file id or URL."""

    file_id: int = 0
    url: str = ""
    name: str = ""
    media_type: str = ""
    size: int = 0


class AudioPart(msgspec.Struct, frozen=True, kw_only=True, tag="audio", omit_defaults=True):
    """A recording by file id or URL."""

    file_id: int = 0
    url: str = ""
    name: str = ""
    media_type: str = ""
    size: int = 0


Part = TextPart | ImagePart | FilePart | AudioPart


def in_words(part: Part) -> str:
    """Name what a message cannot carry to a model, so that the model knows it was there."""
    match part:
        case TextPart():
            return part.text
        case ImagePart():
            return f"[image: {part.name or part.url or 'not loaded'}]"
        case FilePart():
            return f"[file: {part.name or part.url or part.file_id}]"
        case AudioPart():
            return f"[audio: {part.name or part.url or part.file_id}]"


class ToolCall(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call the model asks for; ``arguments`` is JSON text as the model wrote it.

    ``upstream_id`` is the model's own id of a call whose ``id`` is ours, which never repeats.
    """

    id: str
    name: str
    arguments: str
    upstream_id: str = ""


class ToolSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as the model sees it; ``parameters`` is a JSON Schema object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class ChatMessage(msgspec.Struct, frozen=True, kw_only=True):
    """One message in model format; ``tool_call_id`` only with role ``tool``."""

    role: Literal["system", "user", "assistant", "tool"]
    parts: tuple[Part, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    tool_error: bool = False
    reasoning: str = ""

    @classmethod
    def of_text(
        cls, role: Literal["system", "user", "assistant", "tool"], text: str
    ) -> "ChatMessage":
        return cls(role=role, parts=(TextPart(text=text),))

    @property
    def text(self) -> str:
        """All text parts, joined by line breaks."""
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))


class Sampling(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Sampling settings; None leaves the provider's default."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None

    def override(self, other: "Sampling") -> "Sampling":
        """Return these settings with whatever ``other`` sets on top."""
        changes = {k: v for k, v in msgspec.structs.asdict(other).items() if v is not None}
        return msgspec.structs.replace(self, **changes)


class OutputFormat(StrEnum):
    """Shape the answer must have."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


EFFORTS: Final = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
VERBOSITIES: Final = ("low", "medium", "high")


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One call to a chat model, independent of provider.

    ``model`` is a model id, name or alias of the registry; empty means the deployment's default.
    ``json_schema`` refines ``output`` JSON where the model supports it.
    """

    model: str = ""
    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: str = "auto"
    """``auto``, ``none``, ``required`` or the name of a tool."""
    parallel_tool_calls: bool | None = None
    output: OutputFormat = OutputFormat.TEXT
    json_schema: Mapping[str, Any] | None = None
    json_strict: bool = False
    """The schema names every property; models that know such schemas keep to them."""
    json_name: str = ""
    json_description: str = ""
    sampling: Sampling = Sampling()
    stop: tuple[str, ...] = ()
    max_output_tokens: int | None = None
    reasoning_effort: str = ""
    """How much the model is to think, one of ``EFFORTS``; dropped where it cannot be told."""
    verbosity: str = ""
    """How long answers are to be, one of ``VERBOSITIES``; dropped where it cannot be told."""
    parameters: Mapping[str, Any] = {}
    """Further body fields for the provider, as configured by the agent's developer."""
    end_user: str = ""
    """Hashed identity of the person, for the provider's abuse detection."""
    keeps_prefix: bool = False
    """The provider may keep tools and system messages for later calls, where it has to be asked."""
    thought_tags: tuple[str, ...] | None = None
    """Tags of the reply that are taken for reasoning, all others are text; None for the model's."""


class FinishReason(StrEnum):
    """Why a reply ended, the same for every provider."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    CONTENT_FILTER = "content_filter"
    REFUSAL = "refusal"
    """The model says that it will not answer, in words that are of no form that was asked for."""

    ERROR = "error"


class ReplyStarted(msgspec.Struct, frozen=True, tag="started"):
    """First event of every reply."""

    response_id: str
    model: str


class TextDelta(msgspec.Struct, frozen=True, tag="text", gc=False):
    """The next piece of the answer."""

    text: str


class ReasoningDelta(msgspec.Struct, frozen=True, tag="reasoning", gc=False):
    """The next piece of the model's reasoning; never part of the answer."""

    text: str


class ToolCallDelta(msgspec.Struct, frozen=True, tag="tool_call", kw_only=True):
    """A piece of a tool call; pieces of one call share ``index``."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


class ContentReplaced(msgspec.Struct, frozen=True, tag="replaced", kw_only=True):
    """What was sent as text so far turned out to be reasoning; both are given anew."""

    text: str
    reasoning: str


class UsageReported(msgspec.Struct, frozen=True, tag="usage"):
    """Tokens of this call, at most once, cumulative."""

    usage: Usage


class ReplyFinished(msgspec.Struct, frozen=True, tag="finished"):
    """Last event of every complete reply; ``refusal`` is what a model says that refuses."""

    reason: FinishReason
    refusal: str = ""


ModelEvent = (
    ReplyStarted
    | TextDelta
    | ReasoningDelta
    | ToolCallDelta
    | ContentReplaced
    | UsageReported
    | ReplyFinished
)


class Capabilities(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model can do; decides which shims a request passes through."""

    tools: Literal["native", "prompt_prefix", "prompt_tags", "prompt_jsonrpc", "none"] = "native"
    parallel_tools: bool = True
    vision: bool = False
    audio: bool = False
    json_object: bool = True
    json_schema: bool = False
    reasoning: bool = False
    reasoning_effort: bool = False
    """It can be told how much to think."""
    verbosity: bool = False
    """It can be told how long answers are to be."""
    implied_open_tag: bool = False
    """The model's template already opens the think tag, so only the closing one is emitted."""
    system_messages: Literal["many", "first", "none"] = "many"
    stream_usage: bool = True


CallKind = Literal[
    "chat",
    "vision",
    "suggestion",
    "title",
    "summary",
    "memory",
    "query_rewrite",
    "routing",
    "nl2sql",
    "embedding",
    "rerank",
    "ocr",
    "plugin",
]
CALL_KINDS: Final[tuple[CallKind, ...]] = get_args(CallKind)


class BudgetCharge(msgspec.Struct, frozen=True, kw_only=True):
    """What a call takes from one period of a budget, stored together with its entry.

    ``covered`` is how much of it the process ``owner`` held; empty where nothing is set aside.
    """

    budget_id: int
    begins_at: datetime
    amount: int
    owner: str = ""
    covered: int = 0


class ModelCall(msgspec.Struct, frozen=True, kw_only=True):
    """Ledger entry of one attempt at a provider, also of failed and cancelled ones.

    Calls of plugins and recognised pages are entries, too: ``model`` is then what was called.
    An ``unsettled`` one was under way when its process died: ``usage`` is what it took at most.
    """

    model: str
    provider: str
    attempt: int
    purpose: CallKind
    usage: Usage
    outcome: Literal["ok", "failed", "canceled", "unsettled"]
    finish_reason: str = ""
    error: str = ""
    first_token_ms: int | None = None
    total_ms: int = 0
    output_chunks: int = 0
    """Pieces that a streamed reply came in."""

    pages: int = 0
    """Pages that were recognised."""

    cost: str = "0"
    """Points as a decimal string; never a float."""
    has_points: bool = False
    """The points are known, be they 0; else nobody priced the model."""
    money: str = ""
    """Cost in ``currency``, as a decimal string; empty if nobody priced the model in money."""
    currency: str = ""
    price_version: str = ""
    """Names the prices that it was counted with; empty for none."""
    ended_at: datetime | None = None
    charges: tuple[BudgetCharge, ...] = ()
    """What it takes from budgets."""
    in_flight_id: int = 0
    """Its row among the calls in flight, which goes when its entry comes; 0 if it has none."""
