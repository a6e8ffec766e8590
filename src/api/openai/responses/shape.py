"""Response objects as clients read them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal

import msgspec

from api.error import Failure, OpenAIError, OpenAIErrorInfo
from api.openai.responses.request import (
    CONVERSATION_PREFIX,
    FILE_SEARCH,
    ConversationRef,
    ResponseRequest,
    ResponseTool,
    response_name,
)
from api.wire import seconds
from application.conversation.dto import RunView
from application.conversation.response import ResponseKey, ResponseView
from domain.conversation.value import RunStatus
from domain.shared.chat import FinishReason, Usage

Status = Literal["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"]

_INCOMPLETE: Final[Mapping[str, str]] = {
    FinishReason.LENGTH: "max_output_tokens",
    FinishReason.CONTENT_FILTER: "content_filter",
}


class ResponseUsage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one response."""

    input_tokens: int
    input_tokens_details: dict[str, int]
    output_tokens: int
    output_tokens_details: dict[str, int]
    total_tokens: int

    @classmethod
    def of(cls, usage: Usage) -> "ResponseUsage":
        return cls(
            input_tokens=usage.input_tokens,
            input_tokens_details={"cached_tokens": usage.cached_tokens, "cache_write_tokens": 0},
            output_tokens=usage.output_tokens,
            output_tokens_details={"reasoning_tokens": usage.reasoning_tokens},
            total_tokens=usage.total_tokens,
        )


class ResponseEcho(msgspec.Struct, frozen=True, kw_only=True):
    """What a response repeats of its request; nothing is left out where nothing was said."""

    background: bool = False
    instructions: str | None = None
    max_output_tokens: int | None = None
    max_tool_calls: int | None = None
    metadata: dict[str, str] = {}
    model: str
    parallel_tool_calls: bool = True
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    previous_response_id: str | None = None
    prompt_cache_key: str | None = None
    reasoning: dict[str, Any]
    safety_identifier: str | None = None
    service_tier: str = "default"
    store: bool = True
    temperature: float = 1.0
    text: dict[str, Any]
    tool_choice: Any = "auto"
    tools: list[dict[str, Any]] = []
    top_logprobs: int = 0
    top_p: float = 1.0
    truncation: str = "disabled"
    user: str | None = None

    @classmethod
    def of(cls, data: ResponseRequest, *, metadata: dict[str, str]) -> "ResponseEcho":
        return cls(
            background=bool(data.background),
            instructions=data.instructions,
            max_output_tokens=data.max_output_tokens,
            max_tool_calls=data.max_tool_calls,
            metadata=metadata,
            model=data.model or "",
            parallel_tool_calls=data.parallel_tool_calls is not False,
            presence_penalty=_or(data.presence_penalty, 0.0),
            frequency_penalty=_or(data.frequency_penalty, 0.0),
            previous_response_id=data.previous_response_id,
            prompt_cache_key=data.prompt_cache_key,
            reasoning={
                "effort": data.reasoning and data.reasoning.effort,
                "summary": data.reasoning and data.reasoning.summary,
            },
            safety_identifier=data.safety_identifier,
            store=data.is_stored,
            temperature=_or(data.temperature, 1.0),
            text=_text(data),
            tool_choice=_choice(data),
            tools=[_tool(tool) for tool in data.tools or ()],
            top_p=_or(data.top_p, 1.0),
            truncation=data.truncation or "disabled",
            user=data.user,
        )


class IncompleteDetails(msgspec.Struct, frozen=True, kw_only=True):
    """Why a response is not complete."""

    reason: str


class ResponseObject(ResponseEcho, frozen=True, kw_only=True):
    """A response; all keys are always there, times are Unix seconds."""

    id: str
    object: str = "response"
    created_at: int
    completed_at: int | None = None
    status: Status
    conversation: ConversationRef | None = None
    error: OpenAIErrorInfo | None = None
    incomplete_details: IncompleteDetails | None = None
    output: list[dict[str, Any]] = []
    usage: ResponseUsage | None = None


class ResponseItems(msgspec.Struct, frozen=True, kw_only=True):
    """A page of input items."""

    object: str = "list"
    data: list[dict[str, Any]]
    first_id: str | None
    last_id: str | None
    has_more: bool


class ResponseGone(msgspec.Struct, frozen=True, kw_only=True):
    """A response that was deleted."""

    id: str
    object: str = "response"
    deleted: bool = True


class Snapshots:
    """Makes the response object of one response, as it is at a moment."""

    def __init__(self, view: ResponseView) -> None:
        self._view = view
        self._echo: Mapping[str, Any] = view.request["echo"]
        self.id = response_name(ResponseKey(view.id, view.resumes))

    def is_earlier(self, moment: datetime) -> bool:
        """Tell whether something belongs to an earlier response of the same run."""
        return bool(self._view.resumes) and moment < self._view.created_at

    def begun(self, status: Status) -> ResponseObject:
        """Return it without any output."""
        return self._object(status)

    def of_run(
        self, run: RunView, output: Sequence[dict[str, Any]], *, at_ms: int = 0
    ) -> ResponseObject:
        """Return it as its run stood then, with what that had said."""
        status = status_of(run)
        ended_at = run.completed_at or run.failed_at or run.canceled_at
        ended_s = seconds(ended_at) if ended_at else at_ms // 1000 or None
        reason = None
        if status == "cancelled":
            reason = "cancelled"
        elif status == "incomplete":
            reason = _INCOMPLETE[run.finish_reason]
        error = None
        if status == "failed":
            error = OpenAIError.of(Failure.of_run(run.error)).error
        return self._object(
            status,
            completed_at=ended_s,
            error=error,
            incomplete_details=IncompleteDetails(reason=reason) if reason else None,
            output=list(output),
            usage=ResponseUsage.of(run.usage.since(self._view.used)) if run.is_over else None,
        )

    def of_output(self, output: Mapping[str, Any]) -> ResponseObject:
        """Return it with what was kept of the answer of a model."""
        return self._object(**output)

    def broken(self, failure: Failure, output: Sequence[dict[str, Any]]) -> ResponseObject:
        """Return it as failed, for whoever can not be told more."""
        return self._object("failed", error=OpenAIError.of(failure).error, output=list(output))

    def _object(self, status: Status, **more: Any) -> ResponseObject:
        view = self._view
        conversation = None
        if view.conversation_id is not None:
            conversation = ConversationRef(id=f"{CONVERSATION_PREFIX}{view.conversation_id}")
        fields = {
            **self._echo,
            **more,
            "id": self.id,
            "status": status,
            "created_at": seconds(view.created_at),
        }
        return msgspec.convert({**fields, "conversation": conversation}, ResponseObject)


def status_of(run: RunView) -> Status:
    """Translate the state of a run; what waits for its caller is a complete response."""
    match run.status:
        case RunStatus.CREATED:
            return "queued"
        case RunStatus.IN_PROGRESS:
            return "in_progress"
        case RunStatus.REQUIRES_ACTION:
            return "completed"
        case RunStatus.COMPLETED:
            return "incomplete" if run.finish_reason in _INCOMPLETE else "completed"
        case RunStatus.FAILED:
            return "failed"
        case RunStatus.CANCELED:
            return "cancelled"


def kept_output(response: ResponseObject) -> dict[str, Any]:
    """Return what is kept of a response that is over, for ``Snapshots.of_output``."""
    fields = msgspec.to_builtins(response)
    return {name: fields[name] for name in _KEPT}


_KEPT: Final = ("status", "completed_at", "error", "incomplete_details", "output", "usage")


def incomplete_reason(reason: str) -> str | None:
    """Return why a reply that ended so is not complete; None if it is."""
    return _INCOMPLETE.get(reason)


def _or(value: float | None, default: float) -> float:
    return default if value is None else value


def _tool(tool: ResponseTool) -> dict[str, Any]:
    if tool.type == FILE_SEARCH:
        return {
            "type": tool.type,
            "vector_store_ids": [str(each) for each in tool.vector_store_ids or ()],
            "max_num_results": tool.max_num_results,
        }
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "strict": bool(tool.strict),
    }


def _text(data: ResponseRequest) -> dict[str, Any]:
    given = data.text and data.text.format
    format_: dict[str, Any] = {"type": "text"}
    if given is not None:
        format_ = {k: v for k, v in msgspec.to_builtins(given).items() if v is not None}
    verbosity = data.text and data.text.verbosity
    return {"format": format_, **({"verbosity": verbosity} if verbosity else {})}


def _choice(data: ResponseRequest) -> Any:
    if data.tool_choice is None:
        return "auto"
    choice = msgspec.to_builtins(data.tool_choice)
    if isinstance(choice, str):
        return choice
    return {key: value for key, value in choice.items() if value is not None}
