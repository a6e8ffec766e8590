"""Two processes that hear each other, and what their channels say."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from typing import Any

from application.directory.live import CHANGED_TOPIC, LiveEvent, LiveService
from application.directory.presence import PresenceService, Present
from application.shared.reply_stream import TimedEvent
from domain.directory.value import Change, ChangeType, EntryType, Notice, NoticeType
from domain.shared.access import Principal, Role
from domain.shared.ids import SpaceId, TokenId, UserId
from infra.impl.signal.local import LocalSignals
from tests.integration.security.tenants import Tenant
from tests.support.clock import FrozenClock
from tests.support.process.in_process import Deployment

ADMIN_PATH = "/admin/v1"
Channel = AsyncGenerator[list[TimedEvent[LiveEvent]], None]


class Process:
    """What one process knows, and its channels."""

    def __init__(self, deployment: Deployment, signals: LocalSignals, clock: FrozenClock) -> None:
        self.presences = PresenceService(
            directory=deployment.container.directory().directory, signals=signals, clock=clock
        )
        self.live = LiveService(presences=self.presences, signals=signals, clock=clock)

    def follow(
        self, person: Principal, *, after_ms: int | None = None, past_ms: int | None = None
    ) -> Channel:
        return self.live.follow(person, for_s=60, after_ms=after_ms, past_ms=past_ms)


class Processes:
    """Two processes, with a clock that moves when it is told to."""

    def __init__(self, deployment: Deployment, owner: Tenant) -> None:
        self.clock = FrozenClock(datetime(2026, 5, 1, 9, tzinfo=UTC))
        self.signals = LocalSignals()
        self.sent: list[str] = []
        self.signals.listen(CHANGED_TOPIC, self.sent.append)
        self.agent = int(owner.ids["agent"])
        self.space = SpaceId(int(owner.ids["space"]))
        self.left, self.right = (Process(deployment, self.signals, self.clock) for _ in range(2))

    def person(self, number: int, role: Role = Role.EDITOR) -> Principal:
        return Principal(
            user_id=UserId(number),
            token_id=TokenId(number),
            roles={self.space: role},
            personal_space_id=self.space,
        )

    def change(self, revision: int, what: ChangeType = ChangeType.CHANGED, **more: Any) -> Change:
        of_agent: dict[str, Any] = {
            "type": EntryType.AGENT,
            "id": self.agent,
            "space_id": self.space,
        }
        return Change(revision=revision, what=what, **of_agent | more)

    async def changes(self, process: Process, *changes: Change) -> None:
        for change in changes:
            process.live.tell_change(change)
        await asyncio.sleep(0)  # the turn in which signals arrive

    def notice(self, **more: Any) -> Notice:
        of_budget: dict[str, Any] = {"workspace_id": self.space, "resource_id": self.agent}
        return Notice(what=NoticeType.BUDGET_REACHED, percent=80, **of_budget | more)

    async def notices(self, process: Process, *notices: Notice) -> None:
        for notice in notices:
            process.live.tell_notice(notice)
        await asyncio.sleep(0)  # the turn in which signals arrive

    async def opens(
        self, process: Process, number: int, *, is_open: bool = True, window: str = ""
    ) -> Sequence[Present]:
        found = await process.presences.report(
            self.person(number), EntryType.AGENT, self.agent, window=window, is_open=is_open
        )
        await asyncio.sleep(0)  # the turn in which signals arrive
        return found


async def told(channel: Channel) -> list[LiveEvent]:
    """What a channel says next."""
    return [each.event for each in await anext(channel)]
