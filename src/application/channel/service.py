"""Channels for those who manage a workspace."""

from typing import Final

from application.channel.dto import (
    ChangeChannel,
    ChannelList,
    ChannelTest,
    ChannelView,
    CreateChannel,
    CredentialView,
    PlatformView,
)
from application.shared.target import Targets
from domain.channel.channel import Channel, ChannelId
from domain.channel.error import TooManyChannels
from domain.channel.repository import ChannelStore, ChannelUnitOfWork
from domain.channel.value import invalid
from domain.shared.access import Permission, Principal
from domain.shared.error import NotFound
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId
from infra.contract.channel import (
    ChannelAdapter,
    ChannelAdapters,
    CredentialField,
    PlatformBusy,
    PlatformRefused,
)
from infra.contract.clock import Clock

_PER_SPACE: Final = 50


class ChannelService:
    """Makes, changes, tries and deletes channels; decides nothing itself."""

    def __init__(
        self,
        *,
        store: ChannelStore,
        adapters: ChannelAdapters,
        targets: Targets,
        ids: IdGenerator,
        clock: Clock,
    ) -> None:
        self._store = store
        self._adapters = adapters
        self._targets = targets
        self._ids = ids
        self._clock = clock

    async def list(self, principal: Principal, space_id: int) -> ChannelList:
        """Return the channels of a workspace, newest first, and the platforms there are."""
        space = SpaceId(space_id)
        _require(principal, space)
        async with self._store.snapshot() as uow:
            found = await uow.channels.all(principal.scope.within(space))
        names = self._adapters.names()
        return ChannelList(
            items=tuple(map(self._view, found)),
            total=len(found),
            platforms=tuple(_platform(name, self._adapters.get(name)) for name in names),
        )

    async def get(self, principal: Principal, channel_id: int) -> ChannelView:
        """Return a channel; raise ``ChannelNotFound``."""
        async with self._store.snapshot() as uow:
            return self._view(await _permitted(uow, principal, channel_id))

    async def create(self, principal: Principal, command: CreateChannel) -> ChannelView:
        """Make a channel.

        Raises:
            NotFound: there is no such agent or workflow here, or it is not published.
            ChannelInvalid: a setting or a credential breaks a rule, or there is no such platform.
            TooManyChannels: the workspace has as many as it may.
        """
        space, now = SpaceId(command.space_id), self._clock.now()
        _require(principal, space)
        if command.platform not in self._adapters.names():
            raise invalid("platform", f"one of {', '.join(self._adapters.names())}.")
        channel = Channel.create(
            ChannelId(self._ids.next_id()),
            space_id=space,
            actor_id=principal.user_id,
            platform=command.platform,
            target_kind=command.target_kind,
            target_id=command.target_id,
            settings=command.settings,
            credentials=command.credentials,
            fields=self._adapters.get(command.platform).fields,
            now=now,
        )
        await self._target(channel)
        scope = principal.scope.within(space)
        async with self._store.transaction() as uow:
            await uow.serialise(f"channels of {space}")
            if len(await uow.channels.all(scope)) >= _PER_SPACE:
                raise TooManyChannels(
                    f"A workspace has at most {_PER_SPACE} channels: delete one that is not "
                    "needed any more."
                )
            await uow.channels.save(scope, channel)
            await uow.commit()
        return self._view(channel)

    async def change(
        self, principal: Principal, channel_id: int, command: ChangeChannel
    ) -> ChannelView:
        """Change a channel; the next message is answered by what it is then."""
        now = self._clock.now()
        async with self._store.transaction() as uow:
            channel = await _permitted(uow, principal, channel_id)
            settings = command.settings.applied(channel.settings)
            channel.change(settings, actor_id=principal.user_id, now=now)
            if command.credentials:
                channel.take_credentials(
                    command.credentials,
                    fields=self._adapters.get(channel.platform).fields,
                    actor_id=principal.user_id,
                    now=now,
                )
            await uow.channels.save(principal.scope, channel)
            await uow.commit()
        return self._view(channel)

    async def delete(self, principal: Principal, channel_id: int) -> None:
        """Stop a channel for good: what waits there is not answered any more."""
        async with self._store.transaction() as uow:
            channel = await _permitted(uow, principal, channel_id)
            channel.delete(actor_id=principal.user_id, now=self._clock.now())
            await uow.channels.save(principal.scope, channel)
            await uow.commit()

    async def test(self, principal: Principal, channel_id: int) -> ChannelTest:
        """Ask the platform who the app is, and whether somebody would answer there."""
        async with self._store.snapshot() as uow:
            channel = await _permitted(uow, principal, channel_id)
        try:
            found = await self._adapters.get(channel.platform).identify(channel.access)
            target = await self._target(channel)
        except (PlatformBusy, PlatformRefused, NotFound) as exc:
            return ChannelTest(is_ok=False, problem=exc.message)
        if found.bot_id != channel.bot_id:
            async with self._store.transaction() as uow:
                channel = await _permitted(uow, principal, channel_id)
                channel.bot_id = found.bot_id
                await uow.channels.save(principal.scope, channel)
                await uow.commit()
        return ChannelTest(is_ok=True, bot_id=found.bot_id, bot_name=found.name, target_name=target)

    async def _target(self, channel: Channel) -> str:
        scope = channel.principal("").scope
        return (await self._targets.find(scope, channel.target_kind, channel.target_id)).name

    def _view(self, channel: Channel) -> ChannelView:
        fields = self._adapters.get(channel.platform).fields
        return ChannelView.of(
            channel, credentials=tuple(_credential(field, channel) for field in fields)
        )


def _credential(field: CredentialField, channel: Channel | None = None) -> CredentialView:
    known = None if channel is None else channel.credentials.get(field.name)
    return CredentialView(
        name=field.name,
        is_secret=field.is_secret,
        is_required=field.is_required,
        is_set=known is not None,
        value="" if known is None or field.is_secret else known.reveal(),
        choices=field.choices,
    )


def _platform(name: str, adapter: ChannelAdapter) -> PlatformView:
    offered = adapter.capabilities
    return PlatformView(
        name=name,
        credentials=tuple(map(_credential, adapter.fields)),
        has_groups=offered.has_groups,
        takes_files=offered.takes_files,
        edits=bool(offered.edits),
    )


def _require(principal: Principal, space: SpaceId) -> None:
    principal.require(Permission.SPACE_WRITE, space)
    principal.require_beyond_agents()


async def _permitted(uow: ChannelUnitOfWork, principal: Principal, channel_id: int) -> Channel:
    channel = await uow.channels.get(principal.scope, ChannelId(channel_id))
    _require(principal, channel.space_id)
    return channel
