"""Use cases of share links: what those do with them who may publish."""

import secrets
from typing import Final

import msgspec

from application.share.dto import (
    Admission,
    ChangeShareLink,
    CreateShareLink,
    NewLinkKey,
    ShareLinkList,
    ShareLinkView,
)
from application.shared.target import Targets
from domain.share.error import ShareLinkInvalid, TooManyShareLinks
from domain.share.link import ShareLink, ShareLinkId
from domain.share.repository import ShareStore, ShareUnitOfWork
from domain.share.value import LinkAuth
from domain.shared.access import Permission, Principal
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId
from domain.shared.secret import Secret
from infra.contract.clock import Clock
from infra.contract.security.password_hasher import PasswordHasher
from infra.contract.security.user_token import UserTokens

_PER_SPACE: Final = 500
_PASSWORD_CHARS: Final = range(4, 257)
_KEY_BYTES: Final = 32


class ShareLinkService:
    """Makes, changes and revokes links; who may publish an agent may share it."""

    def __init__(
        self,
        *,
        store: ShareStore,
        targets: Targets,
        hasher: PasswordHasher,
        tokens: UserTokens,
        ids: IdGenerator,
        clock: Clock,
    ) -> None:
        self._store = store
        self._targets = targets
        self._hasher = hasher
        self._tokens = tokens
        self._ids = ids
        self._clock = clock

    async def list(self, principal: Principal, space_id: int) -> ShareLinkList:
        """Return the links of a workspace, newest first."""
        space = SpaceId(space_id)
        _require(principal, space)
        async with self._store.snapshot() as uow:
            found = await uow.links.all(principal.scope.within(space))
        return ShareLinkList(items=tuple(map(ShareLinkView.of, found)), total=len(found))

    async def get(self, principal: Principal, link_id: int) -> ShareLinkView:
        """Return a link; raise ``ShareLinkNotFound``."""
        async with self._store.snapshot() as uow:
            return ShareLinkView.of(await _permitted(uow, principal, link_id))

    async def create(self, principal: Principal, command: CreateShareLink) -> ShareLinkView:
        """Make a link.

        Raises:
            NotFound: there is no such agent or workflow here, or it is not published.
            ShareLinkInvalid: a setting breaks a rule.
            TooManyShareLinks: the workspace has as many as it may.
        """
        space, now = SpaceId(command.space_id), self._clock.now()
        _require(principal, space)
        link = ShareLink.create(
            ShareLinkId(self._ids.next_id()),
            space_id=space,
            actor_id=principal.user_id,
            target_kind=command.target_kind,
            target_id=command.target_id,
            settings=command.settings,
            now=now,
        )
        await self._admit(link, command.admission, principal)
        await self._targets.find(link.principal("").scope, link.target_kind, link.target_id)
        scope = principal.scope.within(space)
        async with self._store.transaction() as uow:
            await uow.serialise(f"share links of {space}")
            if len(await uow.links.all(scope)) >= _PER_SPACE:
                raise TooManyShareLinks(
                    f"A workspace has at most {_PER_SPACE} share links: revoke one that is not "
                    "needed any more."
                )
            await uow.links.save(scope, link)
            await uow.commit()
        return ShareLinkView.of(link)

    async def change(
        self, principal: Principal, link_id: int, command: ChangeShareLink
    ) -> ShareLinkView:
        """Change a link; who must show something else now is asked for it at the next request."""
        async with self._store.snapshot() as uow:
            link = await _permitted(uow, principal, link_id)
        now = self._clock.now()
        link.change(command.settings.applied(link.settings), actor_id=principal.user_id, now=now)
        await self._admit(link, command.admission, principal)
        async with self._store.transaction() as uow:  # under the revision that was read
            await uow.links.save(principal.scope, link)
            await uow.commit()
        return ShareLinkView.of(link)

    async def new_key(self, principal: Principal, link_id: int) -> NewLinkKey:
        """Draw the key by which a site signs who its users are; the former is useless at once."""
        key = Secret(secrets.token_hex(_KEY_BYTES))
        async with self._store.transaction() as uow:
            link = await _permitted(uow, principal, link_id)
            link.take_key(key, actor_id=principal.user_id, now=self._clock.now())
            await uow.links.save(principal.scope, link)
            await uow.commit()
        return NewLinkKey(link=ShareLinkView.of(link), key=key)

    async def revoke(self, principal: Principal, link_id: int) -> None:
        """Stop a link for good, also for those who are being answered."""
        async with self._store.transaction() as uow:
            link = await _permitted(uow, principal, link_id)
            link.revoke(actor_id=principal.user_id, now=self._clock.now())
            await uow.links.save(principal.scope, link)
            await uow.commit()

    async def _admit(self, link: ShareLink, given: Admission, principal: Principal) -> None:
        """Check and take whom the link is to let in."""
        unset = msgspec.UNSET
        hashed = None
        if given.password is not unset:
            text = given.password.reveal()
            if text and len(text) not in _PASSWORD_CHARS:
                raise ShareLinkInvalid(
                    f"password: {_PASSWORD_CHARS.start} to {_PASSWORD_CHARS.stop - 1} characters.",
                    field="password",
                )
            encoded = await self._hasher.hash(given.password) if text else Secret("")
            hashed = encoded.reveal().encode()
        hook_url = None if given.hook_url is unset else given.hook_url
        public_key = None if given.public_key is unset else given.public_key.strip()
        if public_key:
            self._tokens.check_key(public_key)
        link.admit(
            link.auth if given.auth is unset else LinkAuth(given.auth),
            password_hash=hashed,
            public_key=public_key,
            hook_url=hook_url,
            actor_id=principal.user_id,
            now=self._clock.now(),
        )


def _require(principal: Principal, space: SpaceId) -> None:
    principal.require(Permission.AGENT_PUBLISH, space)
    principal.require_beyond_agents()


async def _permitted(uow: ShareUnitOfWork, principal: Principal, link_id: int) -> ShareLink:
    link = await uow.links.get(principal.scope, ShareLinkId(link_id))
    _require(principal, link.space_id)
    return link
