"""The share link aggregate: an address under which strangers talk to one agent or workflow."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, NewType, Self

from domain.share.error import ShareLinkClosed, ShareLinkInvalid
from domain.share.value import LinkAuth, LinkSettings, checked_hook
from domain.shared.access import Principal
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import SpaceId, UserId
from domain.shared.secret import Secret
from domain.shared.target import TargetKind, new_code, stranger

ShareLinkId = NewType("ShareLinkId", int)

_PUBLIC_KEY_CHARS: Final = 10_000


class ShareLinkCreated(DomainEvent, frozen=True, kw_only=True, tag="share_link.created"):
    """Strangers can talk to an agent or a workflow."""

    name: str


class ShareLinkChanged(DomainEvent, frozen=True, kw_only=True, tag="share_link.changed"):
    """A link looks different, or lets others in."""

    name: str


class ShareLinkKeyChanged(DomainEvent, frozen=True, kw_only=True, tag="share_link.key_changed"):
    """A link has another key for tokens of users."""

    name: str
    last4: str


class ShareLinkRevoked(DomainEvent, frozen=True, kw_only=True, tag="share_link.revoked"):
    """A link stopped working for good."""

    name: str


@dataclass(kw_only=True, eq=False)
class ShareLink(Aggregate):
    """One link. It acts for its workspace with nobody behind it, and outlives whoever made it.

    ``epoch`` grows whenever those who are in have to show anew that they may be.
    """

    id: ShareLinkId
    space_id: SpaceId
    creator_id: UserId
    code: str
    target_kind: TargetKind
    target_id: int
    settings: LinkSettings
    auth: LinkAuth
    password_hash: bytes
    user_key: Secret
    """Of tokens that are signed with HS256; empty without one."""
    public_key: str
    """Of tokens that are signed with RS256, in PEM; empty without one."""
    hook_url: str
    """Of the server that says who visitors are; empty without one."""
    epoch: int = 1
    created_at: datetime
    updated_at: datetime
    revoked_at: datetime | None = None

    @classmethod
    def create(
        cls,
        link_id: ShareLinkId,
        *,
        space_id: SpaceId,
        actor_id: UserId,
        target_kind: TargetKind,
        target_id: int,
        settings: LinkSettings,
        now: datetime,
    ) -> Self:
        """Make a link that lets everybody in until ``admit`` says otherwise."""
        link = cls(
            id=link_id,
            space_id=space_id,
            creator_id=actor_id,
            code=new_code(),
            target_kind=target_kind,
            target_id=target_id,
            settings=settings.checked(),
            auth=LinkAuth.NONE,
            password_hash=b"",
            user_key=Secret(""),
            public_key="",
            hook_url="",
            created_at=now,
            updated_at=now,
        )
        link.record(ShareLinkCreated(name=link.settings.name), at=now, by=actor_id)
        return link

    def change(self, settings: LinkSettings, *, actor_id: UserId, now: datetime) -> None:
        """Set what owners set; equal settings change nothing."""
        settings = settings.checked()
        if settings != self.settings:
            self.settings = settings
            self._changed(actor_id, now)

    def admit(
        self,
        auth: LinkAuth,
        *,
        password_hash: bytes | None = None,
        public_key: str | None = None,
        hook_url: str | None = None,
        actor_id: UserId,
        now: datetime,
    ) -> None:
        """Say whom it lets in; None leaves password, key or hook as they are.

        Raises:
            ShareLinkInvalid: a password or a hook is asked for, and there is none.
        """
        if public_key is not None and len(public_key) > _PUBLIC_KEY_CHARS:
            raise ShareLinkInvalid("public_key: this is too long for a key.", field="public_key")
        before = self._admission
        self.auth = auth
        if password_hash is not None:
            self.password_hash = password_hash
        if public_key is not None:
            self.public_key = public_key
        if hook_url is not None:
            self.hook_url = checked_hook(hook_url)
        if auth is LinkAuth.PASSWORD and not self.password_hash:
            raise ShareLinkInvalid("password: set one for this way to come in.", field="password")
        if auth is LinkAuth.HOOK and not self.hook_url:
            raise ShareLinkInvalid("hook_url: set it for this way to come in.", field="hook_url")
        if before != self._admission:
            self.epoch += 1
            self._changed(actor_id, now)

    @property
    def _admission(self) -> tuple[object, ...]:
        return self.auth, self.password_hash, self.public_key, self.hook_url

    def take_key(self, key: Secret, *, actor_id: UserId, now: datetime) -> None:
        """Replace the key of users' tokens; those signed with the former end at once."""
        self.user_key, self.updated_at = key, now
        self.epoch += 1
        event = ShareLinkKeyChanged(name=self.settings.name, last4=key.reveal()[-4:])
        self.record(event, at=now, by=actor_id)

    def revoke(self, *, actor_id: UserId, now: datetime) -> None:
        """Stop it for good."""
        if self.revoked_at is None:
            self.revoked_at = self.updated_at = now
            self.record(ShareLinkRevoked(name=self.settings.name), at=now, by=actor_id)

    def require_open(self, now: datetime) -> None:
        """Raise ``ShareLinkClosed`` once it has expired."""
        end = self.settings.expires_at
        if end is not None and now >= end:
            raise ShareLinkClosed(self.settings.closed_text or "This link has expired.")

    def principal(self, end_user_id: str, *, expires_at: datetime | None = None) -> Principal:
        """Stand for a visitor: who may talk to this target as one end user, and nothing else."""
        return stranger(
            self.id,
            space_id=self.space_id,
            target_kind=self.target_kind,
            target_id=self.target_id,
            end_user_id=end_user_id,
            expires_at=expires_at,
        )

    def _changed(self, actor_id: UserId, now: datetime) -> None:
        self.updated_at = now
        self.record(ShareLinkChanged(name=self.settings.name), at=now, by=actor_id)
