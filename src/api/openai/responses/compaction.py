"""What comes before a response: how many tokens it would read, and what may stand for its past."""

from typing import Any, Literal

import msgspec
from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from litestar.status_codes import HTTP_200_OK

from api.disconnect import EndsWithClient
from api.end_user import end_user_of
from api.openai.completions import agent_named
from api.openai.raw import raw_name
from api.openai.responses.items import InputItem, InputPart, decode_items, items_of
from api.openai.responses.request import ResponseTool
from api.openai.responses.shape import ResponseUsage
from api.openai.responses.stored import found_items, past_of
from application.agent.publishing import AgentPublishingService
from application.conversation.compaction import CompactionService
from application.conversation.dto import StartRun
from application.conversation.response import ResponseService
from application.conversation.run.service import RunService
from domain.conversation.value import Scene
from domain.shared.access import Permission, Principal
from domain.shared.chat import ChatMessage
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits

COMPACTION_PREFIX = "cmp_"


class CompactRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be compacted: the input after what led to an earlier response."""

    model: str
    input: str | list[InputItem] | None = None
    previous_response_id: str | None = None
    instructions: str | None = None
    prompt_cache_key: str | None = None


class InputTokensRequest(CompactRequest, frozen=True, kw_only=True):
    """A request for a response that is not made."""

    tools: list[ResponseTool] | None = None


class CompactedResponse(msgspec.Struct, frozen=True, kw_only=True):
    """The messages of the user, and an item that stands for all that was said."""

    id: str
    object: Literal["response.compaction"] = "response.compaction"
    created_at: int
    output: list[dict[str, Any]]
    usage: ResponseUsage


class InputTokens(msgspec.Struct, frozen=True, kw_only=True):
    """An estimate; an agent reads its instructions and knowledge beside that."""

    object: Literal["response.input_tokens"] = "response.input_tokens"
    input_tokens: int


class CompactionController(Controller):
    """Operations on what a response would be asked with."""

    path = "/v1/responses"

    @post(
        "/input_tokens", status_code=HTTP_200_OK, operation_id="openai.responses.count_input_tokens"
    )
    async def count_input_tokens(
        self,
        *,
        data: JSONBody[InputTokensRequest],
        principal: NamedDependency[Principal],
        responses: NamedDependency[ResponseService],
        compactions: NamedDependency[CompactionService],
        runs: NamedDependency[RunService],
        publishing: NamedDependency[AgentPublishingService],
        limits: NamedDependency[Limits],
    ) -> InputTokens:
        """Estimate the tokens of a request, with tools and what an earlier response had read."""
        model, _, _ = await _answerer(
            data, principal, runs=runs, publishing=publishing, limits=limits
        )
        items = await found_items(data.input, principal, responses, compactions)
        said = [
            *await past_of(data.previous_response_id, principal, responses, limits),
            *decode_items(items, limits),
        ]
        told = [
            data.instructions,
            *(msgspec.json.encode(each).decode() for each in data.tools or ()),
        ]
        said += [ChatMessage.of_text("system", text) for text in told if text]
        return InputTokens(input_tokens=await compactions.count(principal, model, said))

    @post(
        "/compact",
        status_code=HTTP_200_OK,
        operation_id="openai.responses.compact",
        middleware=[EndsWithClient],
    )
    async def compact(
        self,
        *,
        data: JSONBody[CompactRequest],
        principal: NamedDependency[Principal],
        responses: NamedDependency[ResponseService],
        compactions: NamedDependency[CompactionService],
        runs: NamedDependency[RunService],
        publishing: NamedDependency[AgentPublishingService],
        limits: NamedDependency[Limits],
    ) -> CompactedResponse:
        """Summarise a conversation into an item that later requests begin with."""
        model, space_id, agent_id = await _answerer(
            data, principal, runs=runs, publishing=publishing, limits=limits
        )
        items = await found_items(data.input, principal, responses, compactions)
        past = await past_of(data.previous_response_id, principal, responses, limits)
        made = await compactions.compact(
            principal,
            space_id,
            [*past, *decode_items(items, limits)],
            model=model,
            agent_id=agent_id,
        )
        asked = [_of_user(message) for message in past if message.role == "user" and message.text]
        asked += [
            _as_it_is(item)
            for item in items_of(data.input)
            if item.kind == "message" and item.role == "user"
        ]
        name = f"{COMPACTION_PREFIX}{made.id}"
        summary = {"id": name, "type": "compaction", "encrypted_content": made.content}
        return CompactedResponse(
            id=f"resp_{made.id}",
            created_at=made.created_at,
            output=[*asked, summary],
            usage=ResponseUsage.of(made.usage),
        )


async def _answerer(
    data: CompactRequest,
    principal: Principal,
    *,
    runs: RunService,
    publishing: AgentPublishingService,
    limits: Limits,
) -> tuple[str, SpaceId, int]:
    """Return the model that would answer, who pays for it, and the agent; 0 for none."""
    if (name := raw_name(data.model)) is not None:
        space_id = principal.personal_space_id
        principal.require(Permission.MODEL_USE, space_id)
        return name, space_id, 0
    command = StartRun(
        agent_id=await agent_named(data.model, principal, publishing),
        end_user_id=end_user_of(
            principal, None, field="user", limits=limits, default=f"openai:{principal.token_id}"
        ),
        messages=(),
        scene=Scene.OPENAI,
        connector_id=principal.connector_id,
        surface="openai",
    )
    found = await runs.answerer(principal, command)
    return found.model, found.space_id, found.agent_id


def _of_user(message: ChatMessage) -> dict[str, Any]:
    return _as_it_is(InputItem(type="message", role="user", content=message.text))


def _as_it_is(item: InputItem) -> dict[str, Any]:
    """Return a message as an item, its text as a part."""
    content = item.content
    if isinstance(content, str):
        content = [InputPart(type="input_text", text=content)]
    found: dict[str, Any] = msgspec.to_builtins(
        msgspec.structs.replace(item, type="message", content=content)
    )
    return found
