"""Dead letters on the admin surface: events that a consumer could not handle."""

from typing import Any, Self

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import Struct

from api.admin.query import page_size
from api.wire import seconds
from application.operation.dead_letters import (
    DeadLetterAdminService,
    DeadLetterPage,
    DeadLetterView,
    Letters,
)
from application.shared.page import Whole
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.limits import Limits


class DeadLetterItem(Struct, frozen=True, kw_only=True):
    """An event that one consumer could not handle."""

    event_id: str
    """Id of the event; each consumer has its own letter of it."""
    consumer: str
    """Who could not handle the event."""
    topic: str
    """What kind of event it is."""
    key: str
    """What the events of one row of deliveries have in common."""
    attempts: int
    """How often it was tried."""
    error: str
    """Of the last attempt."""
    died_at: int
    """When it was given up, in Unix seconds."""
    payload: Any = None
    """What the event says, without secrets; null in lists."""

    @classmethod
    def of(cls, view: DeadLetterView) -> Self:
        return cls(
            event_id=view.event_id,
            consumer=view.consumer,
            topic=view.topic,
            key=view.key,
            attempts=view.attempts,
            error=view.error,
            died_at=seconds(view.died_at),
            payload=view.payload,
        )


class DeadLetterItems(Whole[DeadLetterItem]):
    """Letters, the oldest first, and how many match."""


class RetryLettersBody(Struct, frozen=True, kw_only=True):
    """Which letters to deliver again: those that match all that is named."""

    event_id: str = ""
    """Letters of this event."""
    consumer: str = ""
    """Letters of this consumer."""
    topic: str = ""
    """Letters of events of this topic."""
    q: str = ""
    """A part of the error, the key or the topic."""
    is_all: bool = False
    """Every letter; then nothing else is named."""


class DropLettersBody(RetryLettersBody, frozen=True, kw_only=True):
    """Which letters to forget, and why."""

    reason: str
    """For the audit log; at most 500 characters."""


class SettledLetters(Struct, frozen=True, kw_only=True):
    """How many letters there were."""

    count: int


class DeadLetterController(Controller):
    """Deliveries that were given up, for administrators of the deployment."""

    path = "/admin/v1"

    @get("/dead-letters", operation_id="admin.dead_letters.list")
    async def list_letters(
        self,
        *,
        principal: NamedDependency[Principal],
        letters: NamedDependency[DeadLetterAdminService],
        limits: NamedDependency[Limits],
        consumer: FromQuery[str | None] = None,
        topic: FromQuery[str | None] = None,
        q: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> DeadLetterItems:
        """List what consumers could not handle, the oldest first."""
        query = Letters(consumer=consumer or "", topic=topic or "", text=q or "")
        return _items(await letters.page(principal, query, limit=page_size(limit, limits)))

    @get("/dead-letters/{event_id:str}", operation_id="admin.dead_letters.get")
    async def get_letter(
        self,
        *,
        principal: NamedDependency[Principal],
        letters: NamedDependency[DeadLetterAdminService],
        event_id: FromPath[str],
    ) -> DeadLetterItems:
        """Show what one event says, and for each consumer why it was given up."""
        return _items(await letters.get(principal, event_id))

    @post("/dead-letters:retry", operation_id="admin.dead_letters.retry", status_code=HTTP_200_OK)
    async def retry(
        self,
        *,
        data: JSONBody[RetryLettersBody],
        principal: NamedDependency[Principal],
        letters: NamedDependency[DeadLetterAdminService],
    ) -> SettledLetters:
        """Deliver letters once more, with all their attempts."""
        return SettledLetters(count=await letters.retry(principal, _query(data)))

    @post("/dead-letters:drop", operation_id="admin.dead_letters.drop", status_code=HTTP_200_OK)
    async def drop(
        self,
        *,
        data: JSONBody[DropLettersBody],
        principal: NamedDependency[Principal],
        letters: NamedDependency[DeadLetterAdminService],
    ) -> SettledLetters:
        """Forget letters for good: what they ask for is never done."""
        count = await letters.drop(principal, _query(data), reason=data.reason)
        return SettledLetters(count=count)


def _items(page: DeadLetterPage) -> DeadLetterItems:
    return DeadLetterItems(items=[DeadLetterItem.of(e) for e in page.items], total=page.total)


def _query(body: RetryLettersBody) -> Letters:
    query = Letters(event_id=body.event_id, consumer=body.consumer, topic=body.topic, text=body.q)
    if body.is_all is (query != Letters()):
        raise InvalidRequest("Name an event, a consumer, a topic or a text, or say is_all.")
    return query
