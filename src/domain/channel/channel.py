"""The channel aggregate: an app on a messaging platform, through which one target answers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, NewType, Self

from domain.channel.value import ChannelSettings, invalid
from domain.shared.access import Principal
from domain.shared.aggregate import Aggregate, DomainEvent
from domain.shared.ids import SpaceId, UserId
from domain.shared.secret import Secret
from domain.shared.target import TargetKind, new_code, stranger
from infra.contract.channel import ChannelAccess, CredentialField, Incoming

ChannelId = NewType("ChannelId", int)

CREDENTIAL_CHARS: Final = 1000
_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9_.@-]{1,128}", re.ASCII)


class ChannelCreated(DomainEvent, frozen=True, kw_only=True, tag="channel.created"):
    """An agent or a workflow answers on a platform."""

    name: str
    platform: str


class ChannelChanged(DomainEvent, frozen=True, kw_only=True, tag="channel.changed"):
    """A channel behaves differently."""

    name: str


class ChannelCredentialsChanged(
    DomainEvent, frozen=True, kw_only=True, tag="channel.credentials_changed"
):
    """A channel has other credentials."""

    name: str
    fields: tuple[str, ...]


class ChannelDeleted(DomainEvent, frozen=True, kw_only=True, tag="channel.deleted"):
    """An agent or a workflow does not answer on a platform any more."""

    name: str


@dataclass(kw_only=True, eq=False)
class Channel(Aggregate):
    """One installation. It acts for its workspace with nobody behind it, and outlives its maker."""

    id: ChannelId
    space_id: SpaceId
    creator_id: UserId
    public_id: str
    """In the address that the platform calls."""
    platform: str
    target_kind: TargetKind
    target_id: int
    settings: ChannelSettings
    credentials: Mapping[str, Secret]
    bot_id: str = ""
    """Who the app is on its platform, once that was asked."""
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None

    @classmethod
    def create(
        cls,
        channel_id: ChannelId,
        *,
        space_id: SpaceId,
        actor_id: UserId,
        platform: str,
        target_kind: TargetKind,
        target_id: int,
        settings: ChannelSettings,
        credentials: Mapping[str, Secret],
        fields: Sequence[CredentialField],
        now: datetime,
    ) -> Self:
        """Make a channel; raise ``ChannelInvalid``, also for credentials that are missing."""
        channel = cls(
            id=channel_id,
            space_id=space_id,
            creator_id=actor_id,
            public_id=new_code(),
            platform=platform,
            target_kind=target_kind,
            target_id=target_id,
            settings=settings.checked(),
            credentials=checked_credentials(credentials, fields),
            created_at=now,
            updated_at=now,
        )
        event = ChannelCreated(name=channel.settings.name, platform=platform)
        channel.record(event, at=now, by=actor_id)
        return channel

    def change(self, settings: ChannelSettings, *, actor_id: UserId, now: datetime) -> None:
        """Set what owners set; equal settings change nothing."""
        settings = settings.checked()
        if settings != self.settings:
            self.settings, self.updated_at = settings, now
            self.record(ChannelChanged(name=settings.name), at=now, by=actor_id)

    def take_credentials(
        self,
        given: Mapping[str, Secret],
        *,
        fields: Sequence[CredentialField],
        actor_id: UserId,
        now: datetime,
    ) -> None:
        """Replace those that are given, keep the others; an empty one is forgotten."""
        merged = checked_credentials({**self.credentials, **given}, fields)
        changed = tuple(
            sorted(
                name
                for name in merged.keys() | self.credentials.keys()
                if merged.get(name) != self.credentials.get(name)
            )
        )
        if changed:
            self.credentials, self.updated_at, self.bot_id = merged, now, ""
            event = ChannelCredentialsChanged(name=self.settings.name, fields=changed)
            self.record(event, at=now, by=actor_id)

    def delete(self, *, actor_id: UserId, now: datetime) -> None:
        """Stop it for good; its credentials are forgotten."""
        if self.deleted_at is None:
            self.deleted_at = self.updated_at = now
            self.credentials = {}
            self.record(ChannelDeleted(name=self.settings.name), at=now, by=actor_id)

    @property
    def access(self) -> ChannelAccess:
        """What its adapter needs."""
        return ChannelAccess(
            channel_id=self.id, space_id=self.space_id, credentials=self.credentials
        )

    def principal(self, end_user_id: str) -> Principal:
        """Stand for somebody who writes on the platform: they may talk to the target, no more."""
        return stranger(
            self.id,
            space_id=self.space_id,
            target_kind=self.target_kind,
            target_id=self.target_id,
            end_user_id=end_user_id,
        )

    def end_user(self, incoming: Incoming) -> str:
        """Name the author as an end user."""
        sender = incoming.sender_id
        if not _PLAIN_ID.fullmatch(sender):
            sender = sha256(sender.encode()).hexdigest()
        return f"{self.platform}:{sender}"

    def thread(self, incoming: Incoming) -> str:
        """Return the key of the conversation: what one person says in one thread is in order.

        Others who write in the same thread have conversations of their own, because what is kept
        of a person can only be shown and deleted as theirs.
        """
        parts = (incoming.chat_id, incoming.thread_id, incoming.sender_id)
        return sha256("\0".join(parts).encode()).hexdigest()[:40]

    def may_hear(self, incoming: Incoming) -> bool:
        """Tell whether a message is to be answered, as far as is known without asking anybody."""
        if not self.settings.is_enabled:
            return False
        if not incoming.is_group or not self.settings.only_when_mentioned or incoming.is_addressed:
            return True
        bot_id = incoming.self_id or self.bot_id
        if not bot_id:
            return bool(incoming.mentions)
        return any(mention.id == bot_id for mention in incoming.mentions)

    def heard(self, incoming: Incoming) -> str:
        """Return the text as a reader sees it, without the name of the app itself."""
        text, bot_id = incoming.text, incoming.self_id or self.bot_id
        for mention in sorted(incoming.mentions, key=lambda each: -len(each.mark)):
            is_me = mention.id == bot_id or (not bot_id and incoming.is_addressed)
            shown = "" if is_me else f"@{mention.name or mention.id}"
            text = text.replace(mention.mark, shown)
        return text.strip()


def checked_credentials(
    given: Mapping[str, Secret], fields: Sequence[CredentialField]
) -> dict[str, Secret]:
    """Return what was given, trimmed; raise ``ChannelInvalid`` naming the field."""
    known = {field.name: field for field in fields}
    if unknown := given.keys() - known.keys():
        raise invalid(f"credentials.{min(unknown)}", f"this platform has {', '.join(known)} only.")
    found = {name: Secret(secret.reveal().strip()) for name, secret in given.items()}
    for field in fields:
        text = found[field.name].reveal() if field.name in found else ""
        if not text:
            found.pop(field.name, None)
            if field.is_required:
                raise invalid(f"credentials.{field.name}", "the platform needs it.")
            continue
        if len(text) > CREDENTIAL_CHARS or not text.isprintable():
            raise invalid(
                f"credentials.{field.name}", f"at most {CREDENTIAL_CHARS} characters on one line."
            )
        if field.choices and text not in field.choices:
            raise invalid(f"credentials.{field.name}", f"one of {', '.join(field.choices)}.")
        if field.pattern and not re.fullmatch(field.pattern, text, re.ASCII):
            raise invalid(f"credentials.{field.name}", f"it does not look like {field.pattern}.")
    return found
