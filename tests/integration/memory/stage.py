"""The memory context on a real database, with models that say what they are told."""

import zlib
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

import msgspec

from application.memory.recollection_index import RecollectionIndex
from application.memory.recollection_lesson import LessonKeeper
from application.memory.recollection_reading import RoundReader
from application.memory.recollection_service import OfferedRecollections
from application.memory.recollection_worker import RecollectionWorker
from crossdomain.conversation.contract import FinishedRound
from crossdomain.memory.contract import VariableHolder
from crossdomain.model.contract import ChatPurpose, EmbeddingDescription, EmbeddingResult
from domain.knowledge.text.analyzer import Analyzer
from domain.memory.database import Side
from domain.memory.recollection import Recollection
from domain.memory.variable import Holder, Owner, OwnerKind
from domain.shared.access import TenantScope
from domain.shared.account import Account
from domain.shared.call import CallContext
from domain.shared.chat import (
    ChatRequest,
    FinishReason,
    ModelCall,
    ModelEvent,
    ReplyFinished,
    TextDelta,
    Usage,
)
from domain.shared.error import NotFound, Unavailable
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from infra.contract.messaging.event_bus import Delivery
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.memory.database import SqlMemoryStore
from infra.impl.vector_math.half import half_similarities, pack_half
from tests.support.agent.scripted import ScriptedModels
from tests.support.clock import FrozenClock

SPACE = SpaceId(2)
SCOPE = TenantScope(UserId(7), frozenset({SPACE}))
WIDTH = 64


def words_vector(text: str) -> tuple[float, ...]:
    """A bag of words: texts are alike as far as they share some."""
    values = [0.0] * WIDTH
    for word in text.lower().replace(".", "").split():
        values[zlib.crc32(word.encode()) % WIDTH] += 1.0
    return tuple(values)


class TalkingModels(ScriptedModels):
    """Replies from a list, then with nothing; embeds by words, if it may."""

    def __init__(self, *, embeds: bool = True) -> None:
        super().__init__()
        self.replies: list[str | Exception] = []
        self.identity = "words-1" if embeds else ""
        self.before_reply: Callable[[], None] = lambda: None

    async def stream(
        self, context: CallContext, request: ChatRequest, *, purpose: ChatPurpose = "chat"
    ) -> AsyncGenerator[ModelEvent, None]:
        self.requests.append(request)
        reply = self.replies.pop(0) if self.replies else "[]"
        self.before_reply()
        if isinstance(reply, Exception):
            raise reply
        context.record_call(
            ModelCall(
                model="m",
                provider="p",
                attempt=1,
                purpose="summary",
                usage=Usage(input_tokens=3),
                outcome="ok",
            )
        )
        yield TextDelta(reply)
        yield ReplyFinished(FinishReason.STOP)

    async def describe_embedding(self, model: str) -> EmbeddingDescription:
        if not self.identity:
            raise NotFound("No embedding model.")
        return EmbeddingDescription(id="1", identity=self.identity)

    async def embed(
        self,
        context: CallContext,
        texts: Sequence[str],
        *,
        purpose: Literal["query", "document"],
        model: str = "",
    ) -> EmbeddingResult:
        if not self.identity:
            raise Unavailable("No embedding model.")
        return EmbeddingResult(
            vectors=tuple(map(words_vector, texts)), model="words", input_tokens=1
        )


@dataclass
class KeptRounds:
    """Rounds of conversations, and what they were charged."""

    rounds: dict[int, FinishedRound] = field(default_factory=dict)
    calls: list[ModelCall] = field(default_factory=list)

    async def find(self, scope: TenantScope, run_id: int) -> FinishedRound | None:
        return self.rounds.get(run_id)

    async def account(self, scope: TenantScope, space_id: SpaceId, run_id: int) -> Account:
        return Account(member_id=scope.principal_id)

    async def charge(
        self, scope: TenantScope, space_id: SpaceId, run_id: int, calls: Sequence[ModelCall]
    ) -> None:
        self.calls += calls


class MemoryStage:
    """Everything that learns and recalls, wired as in production."""

    def __init__(
        self, database: Database, *, embeds: bool = True, limits: Limits | None = None
    ) -> None:
        self.clock = FrozenClock(datetime(2030, 5, 1, tzinfo=UTC))
        self.store = SqlMemoryStore(database)
        self.models = TalkingModels(embeds=embeds)
        self.rounds = KeptRounds()
        ids = IdGenerator(clock=self.clock, node=1)
        self.index = RecollectionIndex(
            models=self.models,
            pack=pack_half,
            similarities=half_similarities,
            analyse=Analyzer().index_tokens,
        )
        self.worker = RecollectionWorker(
            store=self.store,
            rounds=self.rounds,
            index=self.index,
            reader=RoundReader(self.models),
            keeper=LessonKeeper(
                store=self.store, index=self.index, ids=ids, limits=limits or Limits()
            ),
            clock=self.clock,
        )
        self.offer = OfferedRecollections(store=self.store, index=self.index, clock=self.clock)

    async def hear(
        self, run_id: int, question: str, reply: str | Exception = "[]", **of: object
    ) -> None:
        """Let a run end, and learn from it."""
        values: dict[str, object] = {
            "run_id": run_id,
            "conversation_id": 11,
            "agent_id": 5,
            "is_draft": False,
            "connector_id": 1024,
            "end_user_id": "ann",
            "question": question,
            "answer": "Fine.",
            "message_ids": (run_id * 10, run_id * 10 + 1),
        }
        self.rounds.rounds[run_id] = FinishedRound(**(values | of))  # type: ignore[arg-type]
        self.models.replies = [reply]
        await self.worker.learn(answered(run_id))

    async def kept(self, user: str = "ann", agent_id: int = 5) -> list[Recollection]:
        """What is active of an end user."""
        async with self.store.snapshot() as uow:
            found = await uow.recollections.list(SCOPE, holder(user, agent_id))
        return [each for each in found if each.is_active]

    async def recall(self, question: str, user: str = "ann", *, room: int = 500) -> list[str]:
        """What an agent would be told."""
        context = CallContext(scope=SCOPE, space_id=SPACE, connector_id=1024, end_user_id=user)
        mine = VariableHolder(
            owner_kind="agent", owner_id=5, is_draft=False, connector_id=1024, end_user_id=user
        )
        found = await self.offer.recall(context, mine, question, max_tokens=room)
        return [each.text for each in found]


def holder(user: str = "ann", agent_id: int = 5) -> Holder:
    return Holder(
        owner=Owner(kind=OwnerKind.AGENT, id=agent_id),
        side=Side.ONLINE,
        connector_id=1024,
        end_user_id=user,
    )


def answered(run_id: int, *, attempt: int = 1, **changes: object) -> Delivery:
    """The event of a run, as the bus brings it."""
    body = {
        "type": "run.answered",
        "space_id": SPACE,
        "aggregate_id": run_id,
        "actor_id": 7,
        "conversation_space_id": SPACE,
        "model": "m",
        "long_term": True,
        "summary": False,
    }
    return delivery("run.answered", body | changes, attempt=attempt)


def delivery(topic: str, body: object, *, attempt: int = 1) -> Delivery:
    return Delivery(
        event_id="e", topic=topic, key="k", payload=msgspec.json.encode(body), attempt=attempt
    )
