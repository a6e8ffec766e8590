"""The share link aggregate: an address under which strangers talk to one agent or workflow."""

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NewType, Self

from domain.share.error import ShareLinkClosed, ShareLinkInvalid
from domain.share.value import LinkAuth, LinkSettings, TargetKind
from domain.shared.access import BROWSER_PERMISSIONS, Grant, Permission, Principal, Role
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import AgentId, SpaceId, TokenId, UserId
from domain.shared.secret import Secret

ShareLinkId = NewType("ShareLinkId", int)

CODE_CHARS: Final = 22
"""Of 62 each: 131 bits."""
_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
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
        actor_id: UserId,
        now: datetime,
    ) -> None:
        """Say whom it lets in; None leaves password or key as they are.

        Raises:
            ShareLinkInvalid: a password is asked for, and there is none.
        """
        if public_key is not None and len(public_key) > _PUBLIC_KEY_CHARS:
            raise ShareLinkInvalid("public_key: this is too long for a key.", field="public_key")
        before = (self.auth, self.password_hash, self.public_key)
        self.auth = auth
        if password_hash is not None:
            self.password_hash = password_hash
        if public_key is not None:
            self.public_key = public_key
        if auth is LinkAuth.PASSWORD and not self.password_hash:
            raise ShareLinkInvalid("password: set one for this way to come in.", field="password")
        if before != (self.auth, self.password_hash, self.public_key):
            self.epoch += 1
            self._changed(actor_id, now)

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
        is_agent = self.target_kind is TargetKind.AGENT
        permissions = BROWSER_PERMISSIONS
        if not is_agent:  # nothing narrows to workflows; the routes of links name theirs alone
            permissions |= {Permission.WORKFLOW_RUN}
        return Principal(
            user_id=UserId(self.id),
            token_id=TokenId(self.id),
            roles={self.space_id: Role.VIEWER if is_agent else Role.OPERATOR},
            personal_space_id=self.space_id,
            grant=Grant(
                permissions=permissions,
                space_ids=frozenset({self.space_id}),
                agent_ids=frozenset({AgentId(self.target_id)}) if is_agent else None,
                end_user_id=end_user_id,
                is_browser=is_agent,
            ),
            expires_at=expires_at,
            is_service=True,
        )

    def _changed(self, actor_id: UserId, now: datetime) -> None:
        self.updated_at = now
        self.record(ShareLinkChanged(name=self.settings.name), at=now, by=actor_id)


def new_code() -> str:
    """Draw the code of a link, which nobody guesses."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(CODE_CHARS))


def is_code(text: str) -> bool:
    """Tell without looking whether there can be such a link."""
    return len(text) == CODE_CHARS and text.isascii() and text.isalnum()
