"""The prompt aggregate: a text that the members of a space share, and its events."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType, Self

from domain.prompt.value import PromptContent
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits


class PromptCreated(DomainEvent, frozen=True, kw_only=True, tag="prompt.created"):
    """A prompt entered the library of a space."""

    name: str


class PromptChanged(DomainEvent, frozen=True, kw_only=True, tag="prompt.changed"):
    """A prompt has another name or text."""

    name: str


class PromptDeleted(DomainEvent, frozen=True, kw_only=True, tag="prompt.deleted"):
    """A prompt left the library; who copied its text keeps the copy."""


PromptId = NewType("PromptId", int)


@dataclass(kw_only=True, eq=False)
class Prompt(Aggregate):
    """One prompt of a space's library."""

    id: PromptId
    space_id: SpaceId
    creator_id: UserId
    content: PromptContent
    created_at: datetime
    updated_at: datetime

    @classmethod
    def create(
        cls,
        prompt_id: PromptId,
        *,
        space_id: SpaceId,
        creator_id: UserId,
        content: PromptContent,
        limits: Limits,
        now: datetime,
    ) -> Self:
        """Put a text into the library; raise ``PromptInvalid``."""
        prompt = cls(
            id=prompt_id,
            space_id=space_id,
            creator_id=creator_id,
            content=content.checked(limits),
            created_at=now,
            updated_at=now,
        )
        prompt.record(PromptCreated(name=prompt.content.name), at=now, by=creator_id)
        return prompt

    def change(
        self, content: PromptContent, *, actor_id: UserId, limits: Limits, now: datetime
    ) -> None:
        """Replace name, description and text; equal content changes nothing."""
        content = content.checked(limits)
        if content == self.content:
            return
        self.content, self.updated_at = content, now
        self.record(PromptChanged(name=content.name), at=now, by=actor_id)

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Record that the prompt leaves the library."""
        self.record(PromptDeleted(), at=now, by=actor_id)
