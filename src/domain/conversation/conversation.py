"""The conversation aggregate: a thread of messages of one owner, cut into sections."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from domain.conversation.error import ConversationNotFound
from domain.conversation.event import (
    ConversationCreated,
    ConversationDeleted,
    ConversationRenamed,
    SectionChanged,
)
from domain.conversation.value import Scene
from domain.shared.aggregate import Aggregate
from domain.shared.ids import AgentId, ConversationId, SectionId, SpaceId, UserId


@dataclass(kw_only=True, eq=False)
class Conversation(Aggregate):
    """A thread of messages. Its first section has its own id, as Coze's clients know it.

    ``key`` is a name chosen by the caller, unique per creator, agent and ``key_end_user`` (the
    person the creating token was fixed to, usually empty).
    """

    id: ConversationId
    space_id: SpaceId
    creator_id: UserId
    end_user_id: str
    connector_id: int
    scene: Scene
    agent_id: AgentId | None
    section_id: SectionId
    name: str
    meta: Mapping[str, str]
    key: str | None
    key_end_user: str
    variables: Mapping[str, str] = field(default_factory=dict)
    next_seq: int = 1
    """Sequence number of the next message; advanced by repositories only, once stored."""
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None

    @classmethod
    def open(
        cls,
        conversation_id: ConversationId,
        *,
        space_id: SpaceId,
        creator_id: UserId,
        now: datetime,
        end_user_id: str = "",
        connector_id: int,
        scene: Scene = Scene.API,
        agent_id: AgentId | None = None,
        name: str = "",
        meta: Mapping[str, str] | None = None,
        key: str | None = None,
        key_end_user: str = "",
        next_seq: int = 1,
    ) -> Self:
        conversation = cls(
            id=conversation_id,
            space_id=space_id,
            creator_id=creator_id,
            end_user_id=end_user_id,
            connector_id=connector_id,
            scene=scene,
            agent_id=agent_id,
            section_id=SectionId(conversation_id),
            name=name,
            meta=meta or {},
            key=key,
            key_end_user=key_end_user,
            next_seq=next_seq,
            created_at=now,
            updated_at=now,
        )
        conversation.record(ConversationCreated(agent_id=agent_id), at=now)
        return conversation

    def fork(
        self, conversation_id: ConversationId, *, now: datetime, key_end_user: str, next_seq: int
    ) -> Self:
        """Open another one of the same agent, person and channel; a caller's key stays here."""
        return self.open(
            conversation_id,
            space_id=self.space_id,
            creator_id=self.creator_id,
            now=now,
            end_user_id=self.end_user_id,
            connector_id=self.connector_id,
            scene=self.scene,
            agent_id=self.agent_id,
            name=self.name,
            meta=self.meta,
            key_end_user=key_end_user,
            next_seq=next_seq,
        )

    def take_in(self, *, agent_id: AgentId | None, name: str) -> bool:
        """Bind an unbound conversation to its first agent and name an unnamed one.

        Returns:
            Whether anything changed, so that it must be saved.
        """
        binds = self.agent_id is None and agent_id is not None
        names = not self.name and bool(name)
        if binds:
            self.agent_id = agent_id
        if names:
            self.name = name
        return binds or names

    def rename(self, name: str, *, now: datetime) -> None:
        self.name = name
        self.updated_at = now
        self.record(ConversationRenamed(), at=now)

    def clear(self, section_id: SectionId, *, now: datetime) -> None:
        """Begin a new section; earlier messages stay visible but are no context any more."""
        self.section_id = section_id
        self.updated_at = now
        self.record(SectionChanged(section_id=section_id), at=now)

    def delete(self, *, now: datetime) -> None:
        """Hide it for good and free its key; raise ``ConversationNotFound`` the second time."""
        if self.deleted_at is not None:
            raise ConversationNotFound(f"No conversation {self.id}.")
        self.deleted_at = self.updated_at = now
        self.record(ConversationDeleted(), at=now)

    def remember(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Lay ``values`` over the stored variables and return all of them."""
        self.variables = {**self.variables, **values}
        return self.variables
