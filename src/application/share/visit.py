"""Visits to share links: who is let in, for how long, and how often they may ask."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final, Protocol, TypeVar

import msgspec

from application.share.dto import OpenedVisit, OpenLink, OpenVisit, Visitor
from application.share.hook import ShareHooks
from application.shared.rate import RateLimiter
from application.shared.target import Targets
from domain.share.error import ProofNeeded, ShareLinkClosed, ShareLinkNotFound
from domain.share.hook import HookNotice
from domain.share.link import ShareLink, ShareLinkId
from domain.share.repository import ShareStore
from domain.share.value import LinkAuth
from domain.share.visitor import (
    REMEMBERED,
    SESSION,
    Visit,
    VisitId,
    VisitorKeys,
    account_visitor,
    named_visitor,
    new_visitor,
)
from domain.shared.access import Principal
from domain.shared.error import Forbidden, NotFound, RateLimited, Unauthenticated
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import RunId, SpaceId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from domain.shared.target import is_code
from infra.contract.clock import Clock
from infra.contract.security.password_hasher import PasswordHasher
from infra.contract.security.user_token import UserTokens

_GUESSES: Final = 10
_GUESSES_WINDOW_S: Final = 15 * 60.0
_KEPT: Final = timedelta(hours=1)
_FORGOTTEN_AT_ONCE: Final = 1000
_KNOWN: Final = frozenset({LinkAuth.USER_TOKEN, LinkAuth.HOOK, LinkAuth.SIGN_IN})
"""Ways to come in that say who somebody is, each time."""
_WRONG: Final = "The session has ended, or is for another link; open it again."


class Remembered(Protocol):
    """Something that a visitor did once."""

    @property
    def created_at(self) -> datetime: ...


RememberedT = TypeVar("RememberedT", bound=Remembered)


class VisitService:
    """Lets visitors in by what a link asks for; their tokens open this link and nothing else."""

    def __init__(
        self,
        *,
        store: ShareStore,
        targets: Targets,
        hasher: PasswordHasher,
        tokens: UserTokens,
        keys: VisitorKeys,
        hooks: ShareHooks,
        new_token: Callable[[], Secret],
        ids: IdGenerator,
        clock: Clock,
        limits: Limits,
    ) -> None:
        self._store = store
        self._targets = targets
        self._hasher = hasher
        self._tokens = tokens
        self._keys = keys
        self._hooks = hooks
        self._new_token = new_token
        self._ids = ids
        self._clock = clock
        size = limits.auth_cache_entries
        self._guessed = RateLimiter(per_minute=_GUESSES, size=size, window_s=_GUESSES_WINDOW_S)
        self._requests = RateLimiter(
            per_minute=limits.requests_per_visitor_per_min, size=size, name="end-user"
        )
        self._asked = RateLimiter(per_minute=0, size=size, name="share-link")

    async def look(self, code: str) -> OpenLink:
        """Return a link as everybody may see it before they come in.

        Raises:
            ShareLinkNotFound: there is none, or it was revoked.
            ShareLinkClosed: it has expired, or what it leads to does not answer any more.
        """
        link = await self._find(code)
        link.require_open(self._clock.now())
        try:
            target = await self._targets.find(
                link.principal("").scope, link.target_kind, link.target_id
            )
        except NotFound as exc:
            raise ShareLinkClosed(
                link.settings.closed_text or "What this link leads to does not answer any more."
            ) from exc
        return OpenLink(
            id=link.id,
            code=link.code,
            space_id=link.space_id,
            target_kind=link.target_kind,
            target_id=link.target_id,
            target_name=target.name,
            connector_id=target.connector_id,
            settings=link.settings,
            auth=link.auth,
            principal=link.principal(""),
        )

    async def origins(self, code: str) -> tuple[str, ...]:
        """Return the sites that may show a link in a frame; of an unknown one there are none."""
        try:
            return (await self._find(code)).settings.allowed_origins
        except ShareLinkNotFound:
            return ()

    async def open(self, code: str, shown: OpenVisit, *, peer: str) -> OpenedVisit:
        """Let a visitor in.

        Raises:
            ProofNeeded: the link asks for something else than was shown.
            HookRefused: the hook of the link says no.
            RateLimited: too many wrong passwords from this address.
        """
        now = self._clock.now()
        await self.look(code)
        link = await self._find(code)
        end_user_id = await self._visitor(link, shown, peer=peer)
        text = self._new_token()
        visit = Visit(
            id=VisitId(self._ids.next_id()),
            link_id=link.id,
            space_id=link.space_id,
            digest=_digest(text.reveal()),
            end_user_id=end_user_id,
            source=shown.source,
            epoch=link.epoch,
            created_at=now,
            expires_at=now + SESSION,
            proof=Secret(shown.user_token if link.auth is LinkAuth.HOOK else ""),
        )
        async with self._store.transaction() as uow:
            await uow.directory.add(visit)
            await uow.commit()
        is_known = link.auth in _KNOWN
        return OpenedVisit(
            token=text,
            expires_at=visit.expires_at,
            end_user_id=end_user_id,
            key="" if is_known else self._keys.sign(link, end_user_id, now=now),
        )

    async def authenticate(self, header: str | None, *, code: str) -> Visitor:
        """Return who asks within a link; raise ``Unauthenticated`` or ``RateLimited``."""
        scheme, _, text = (header or "").strip().partition(" ")
        if scheme.lower() != "bearer" or not text.strip():
            raise Unauthenticated(_WRONG)
        digest, now = _digest(text.strip()), self._clock.now()
        link = await self._find(code)
        async with self._store.snapshot() as uow:
            visit = await uow.directory.visit(digest)
        if visit is None or not visit.is_valid(link, digest=digest, now=now):
            raise Unauthenticated(_WRONG)
        if wait_s := self._requests.take((link.id, visit.end_user_id), now=now):
            raise RateLimited(
                "Too many requests; wait a moment.",
                retry_after_s=wait_s,
                limit="requests_per_visitor_per_min",
            )
        return Visitor(
            link_id=link.id,
            principal=link.principal(visit.end_user_id, expires_at=visit.expires_at),
            source="embed" if visit.source == "embed" else "share_link",
            proof=visit.proof,
            needs_member=link.auth is LinkAuth.SIGN_IN,
        )

    def as_member(self, visitor: Visitor, member: Principal | None) -> Visitor:
        """Return a visitor who is a member and still signed in; raise ``Unauthenticated``.

        Sign-out, and the end of the account or the membership, end what is being answered.
        """
        (space_id,) = visitor.principal.roles
        if (
            member is None
            or space_id not in member.roles
            or visitor.principal.end_user_id != account_visitor(member.user_id)
        ):
            raise Unauthenticated(_WRONG)
        known = replace(visitor.principal, token_id=member.token_id, member_id=member.user_id)
        return msgspec.structs.replace(visitor, principal=known)

    async def ask(self, code: str, visitor: Visitor, question: str) -> OpenLink:
        """Return the link for a question of a visitor; raise as ``look``, or ``RateLimited``.

        Raises:
            HookRefused: the hook of the link does not want this to be asked.
        """
        link = await self.look(code)
        asker = (link.id, visitor.principal.end_user_id)
        most = link.settings.runs_per_min
        if wait_s := self._asked.take(asker, now=self._clock.now(), most=most):
            raise RateLimited(
                f"You asked more than {most} times within a minute; wait a moment.",
                retry_after_s=wait_s,
            )
        if link.auth is LinkAuth.HOOK:
            await self._hooks.admit(await self._find(code), visitor.proof, question)
        return link

    async def expect(self, link: OpenLink, visitor: Visitor) -> int:
        """Note a question that is about to be answered: its hook is told when that is over.

        Returns the id that the run shall have, 0 where nobody wants to know. It is noted first: a
        process that dies once the run is stored leaves nothing untold. A note whose run never
        comes is forgotten.
        """
        if link.auth is not LinkAuth.HOOK:
            return 0
        now = self._clock.now()
        notice = HookNotice(
            run_id=RunId(self._ids.next_id()),
            link_id=ShareLinkId(link.id),
            space_id=SpaceId(link.space_id),
            end_user_id=visitor.principal.end_user_id,
            proof=visitor.proof,
            created_at=now,
            due_at=now,
        )
        async with self._store.transaction() as uow:
            await uow.notices.add(notice)
            await uow.commit()
        return notice.run_id

    async def forget_expected(self, run_id: int) -> None:
        """Forget a question that is not answered by a run of this id after all."""
        if run_id:
            async with self._store.transaction() as uow:
                await uow.notices.remove(RunId(run_id))
                await uow.commit()

    def remembered(self, items: Iterable[RememberedT]) -> list[RememberedT]:
        """Leave out what visitors do not get to see any more of what they said."""
        since = self._clock.now() - REMEMBERED
        return [each for each in items if each.created_at >= since]

    async def forget(self) -> int:
        """Remove sessions that are long over; return how many those were."""
        gone = 0
        while True:
            async with self._store.transaction() as uow:
                found = await uow.directory.forget(
                    before=self._clock.now() - _KEPT, limit=_FORGOTTEN_AT_ONCE
                )
                await uow.commit()
            gone += found
            if found < _FORGOTTEN_AT_ONCE:
                return gone

    async def _find(self, code: str) -> ShareLink:
        link = None
        if is_code(code):
            async with self._store.snapshot() as uow:
                link = await uow.directory.find(code)
        if link is None:
            raise ShareLinkNotFound("There is no such link, or it was revoked.")
        return link

    async def _visitor(self, link: ShareLink, shown: OpenVisit, *, peer: str) -> str:
        """Return whom a visitor turns out to be; raise ``ProofNeeded``."""
        now = self._clock.now()
        if link.auth is LinkAuth.USER_TOKEN:
            if not shown.user_token:
                raise ProofNeeded(
                    "user_token: the site around this chat has to say who you are.",
                    field="user_token",
                )
            claims = self._tokens.claims(
                shown.user_token, secret=link.user_key, public_key=link.public_key
            )
            return named_visitor(claims, link=link, now=now)
        if link.auth is LinkAuth.HOOK:
            if not shown.user_token:
                raise ProofNeeded(
                    "user_token: the site that led you here has to say who you are.",
                    field="user_token",
                )
            return await self._hooks.visitor(link, shown.user_token)
        if link.auth is LinkAuth.SIGN_IN:
            member = shown.member
            if member is None:
                raise ProofNeeded("Sign in for this chat.", field="sign_in")
            if link.space_id not in member.roles:
                raise Forbidden("This chat is for the members of its workspace.")
            return account_visitor(member.user_id)
        known = self._keys.visitor(link, shown.key, now=now) if shown.key else None
        if known is not None:
            return known
        if link.auth is LinkAuth.PASSWORD:
            await self._require_password(link, shown.password, peer=peer)
        return new_visitor()

    async def _require_password(self, link: ShareLink, password: Secret, *, peer: str) -> None:
        if not password:
            raise ProofNeeded("password: this link asks for one.", field="password")
        if wait_s := self._guessed.take((link.id, peer), now=self._clock.now()):
            raise RateLimited(
                "Too many passwords from this address; wait a while.", retry_after_s=wait_s
            )
        verdict = await self._hasher.verify(password, link.password_hash.decode())
        if not verdict.matches:
            raise ProofNeeded("password: this is not the password of the link.", field="password")


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()
