"""Compaction: a long past as a summary that a caller keeps and only we can read.

It is handed in with later requests (``POST /v1/responses/compact`` of OpenAI's Responses), and
sealed for the workspace that paid for it.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from application.conversation.run.preparation import require_parts
from application.conversation.sealed_text import SealedTexts, SealedTextUnreadable
from application.conversation.summariser import Summariser
from crossdomain.file.contract import Files
from crossdomain.model.contract import ModelDescription, Models
from domain.shared.access import Principal
from domain.shared.account import Account, current_origin
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, Usage, in_words
from domain.shared.error import InvalidRequest
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits
from domain.shared.tracing.correlation import current_log_id
from infra.contract.clock import Clock
from infra.contract.security.secret_box import SecretBox

_CALLS: Final = 16
"""Of a model, one after the other, for one compaction."""
_CHARS_PER_TOKEN: Final = 4


class CompactionUnreadable(InvalidRequest):
    """Not one of ours, of another workspace or deployment, or damaged."""


class TooLongToCompact(InvalidRequest):
    """More than some calls of the model can take in."""


class InputTooLong(InvalidRequest):
    """More than the model can read, and the caller wants nothing left out."""


class Compaction(msgspec.Struct, frozen=True, kw_only=True):
    """A sealed summary and what it took; ``created_at`` in Unix seconds."""

    id: int
    content: str
    usage: Usage
    created_at: int


class CompactionService:
    """Makes compactions and opens them again; nothing is stored."""

    def __init__(
        self,
        *,
        models: Models,
        files: Files,
        box: SecretBox,
        clock: Clock,
        ids: IdGenerator,
        limits: Limits,
    ) -> None:
        self._models = models
        self._files = files
        self._summariser = Summariser(models, limits)
        self._sealed = SealedTexts(box, kind="compaction")
        self._clock = clock
        self._ids = ids
        self._limits = limits

    async def count(self, principal: Principal, model: str, messages: Sequence[ChatMessage]) -> int:
        """Estimate the tokens of messages; raise ``ModelNotFound`` or ``FileNotFound``."""
        await self._check_files(principal, messages)
        return self._models.count_tokens((await self._models.describe(model)).id, messages)

    async def require_fitting(
        self, principal: Principal, model: str, messages: Sequence[ChatMessage]
    ) -> None:
        """Raise ``InputTooLong`` unless a model can read messages as they are, or as ``count``."""
        window = (await self._models.describe(model)).window
        tokens = await self.count(principal, model, messages)
        if tokens > window:
            raise InputTooLong(
                f"input: about {tokens} tokens, the model reads {window}; send less, or let "
                "truncation be auto.",
                field="input",
            )

    async def compact(
        self,
        principal: Principal,
        space_id: SpaceId,
        messages: Sequence[ChatMessage],
        *,
        model: str,
        agent_id: int = 0,
    ) -> Compaction:
        """Summarise messages by a model, for whoever was found to be allowed to use it.

        Raises:
            InvalidRequest: there is nothing to summarise.
            TooLongToCompact: more than some calls of the model can take in.
            FileNotFound: a message refers to a file that the caller does not have.
            ModelNotFound, ModelBusy, ModelCallFailed, BudgetExceeded: as for any call of a model.
        """
        await self._check_files(principal, messages)
        rounds = [line for message in messages if (line := _transcript_line(message))]
        if not rounds:
            raise InvalidRequest("input: there is nothing to compact.", field="input")
        context = CallContext(
            scope=principal.scope.within(space_id),
            space_id=space_id,
            connector_id=principal.connector_id,
            end_user_id=principal.end_user_id,
            log_id=current_log_id(),
            account=Account(
                origin=current_origin(),
                member_id=principal.user_id,
                end_user_id=principal.end_user_id,
                agent_id=agent_id,
            ),
        )
        description = await self._models.describe(model, space_id=space_id)
        text, usage = await self._summary(context, description, rounds)
        return Compaction(
            id=self._ids.next_id(),
            content=self._sealed.seal(space_id, text),
            usage=usage,
            created_at=int(self._clock.now().timestamp()),
        )

    async def _check_files(self, principal: Principal, messages: Sequence[ChatMessage]) -> None:
        parts = [part for message in messages for part in message.parts]
        await require_parts(parts, files=self._files, scope=principal.scope)

    def opened(self, principal: Principal, content: str) -> str:
        """Return the summary in a compaction.

        Raises:
            CompactionUnreadable: it is none of a workspace in which the caller may chat.
        """
        try:
            return self._sealed.open(principal, content)
        except SealedTextUnreadable as exc:
            raise CompactionUnreadable(
                "input: this compaction is not from here, or of another workspace.", field="input"
            ) from exc

    async def _summary(
        self, context: CallContext, model: ModelDescription, rounds: Sequence[str]
    ) -> tuple[str, Usage]:
        if model.is_offline:  # it answers whatever it is asked with what it was asked
            return "\n".join(rounds)[-self._limits.summary_tokens * _CHARS_PER_TOKEN :], Usage()
        spent: list[Usage] = []
        text, left = "", list(rounds)
        for _ in range(_CALLS):
            taken = self._summariser.fitting(model, left)
            text = await self._summariser.written(
                context, model, before=text, rounds=left[:taken], on_usage=spent.append
            )
            left = left[taken:]
            if not left:
                return text, sum(spent, Usage())
        raise TooLongToCompact(
            f"input: longer than {_CALLS} calls of the model can take in; compact it in parts.",
            field="input",
        )


def _transcript_line(message: ChatMessage) -> str:
    """Write a message as a line of a transcript; instructions are not part of what was said."""
    if message.role == "system":
        return ""
    calls = [f"[calls {call.name} with {call.arguments}]" for call in message.tool_calls]
    parts = [in_words(part).strip() for part in message.parts]
    said = "\n".join(text for text in (*parts, *calls) if text)
    return f"{message.role}: {said}" if said else ""
