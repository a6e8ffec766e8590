"""Port: messaging platforms on which agents answer."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, Protocol

import msgspec

from domain.shared.error import AppError, ErrorKind, InvalidRequest, Unauthenticated
from domain.shared.secret import Secret

REPLAY_WINDOW_S: Final = 300
"""How far the time that a platform signed may be from ours; older calls are taken for replays."""


class CallRefused(Unauthenticated):
    """A call of a platform is not signed as it should be, or was signed long ago."""


class CallUnreadable(InvalidRequest):
    """A call was signed rightly, and says nothing that the platform is known to say."""


class PlatformRefused(AppError):
    """The platform refuses for good: credentials, permissions, a chat that is gone."""

    code, kind = 5001, ErrorKind.UPSTREAM


class PlatformBusy(AppError):
    """The platform limits how often it is called, or does not answer; try again later."""

    code, kind = 5001, ErrorKind.UPSTREAM


class CredentialField(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a platform gives to its customers, by the name that it has there."""

    name: str
    is_secret: bool = True
    is_required: bool = True
    choices: tuple[str, ...] = ()
    """Not empty: what it may be, the usual one first."""
    pattern: str = ""
    """What it has to look like as a whole; empty: anything."""


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """How a platform writes what Markdown can say; what is empty it cannot show."""

    bold: str = ""
    strike: str = ""
    link: str = "{text} ({url})"
    bullet: str = "- "
    has_headings: bool = False
    has_code: bool = False
    has_fences: bool = False
    has_tables: bool = False
    escapes: Mapping[str, str] = {}
    """Characters that mean something of their own there."""


class Capabilities(msgspec.Struct, frozen=True, kw_only=True):
    """What a platform offers, as far as answers depend on it."""

    dialect: Dialect
    piece: int
    """Longest text of one message."""
    unit: Literal["chars", "bytes"] = "chars"
    deadline_s: float
    """How soon a call must be answered, or the platform repeats it."""
    edits: int = 0
    """How often a message that was sent may be replaced; 0: never."""
    edit_interval_s: float = 1.0
    has_groups: bool = False
    takes_files: bool = False
    sends_files: bool = False
    drops_repeats: bool = False
    """A message that is sent twice under one key is shown once."""


class ChannelAccess(msgspec.Struct, frozen=True, kw_only=True):
    """An installation of a platform: whose it is, and what opens it."""

    channel_id: int
    space_id: int
    credentials: Mapping[str, Secret]

    def of(self, name: str) -> str:
        """Return a credential as text; empty if it was not given."""
        found = self.credentials.get(name)
        return "" if found is None else found.reveal()


class PlatformCall(msgspec.Struct, frozen=True, kw_only=True):
    """What a platform sent; names of headers are lower case."""

    method: Literal["GET", "POST"]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


class Acknowledgement(msgspec.Struct, frozen=True, kw_only=True):
    """What a platform is answered at once."""

    body: bytes = b""
    media_type: str = "application/json"


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """A call that is the platform's: what it says, decrypted."""

    payload: bytes
    handshake: Acknowledgement | None = None
    """The platform tries the address and wants to read this."""


class PlatformFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that came with a message; it is fetched later."""

    key: str
    name: str
    kind: Literal["image", "audio", "video", "file"] = "file"


class Mention(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is addressed in a text, where ``mark`` stands for them."""

    id: str
    mark: str
    name: str = ""


class Incoming(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What somebody wrote."""

    message_id: str
    """Equal for all deliveries of one message."""
    chat_id: str
    sender_id: str
    text: str = ""
    thread_id: str = ""
    """Within the chat; empty where the whole chat is one thread."""
    is_group: bool = False
    mentions: tuple[Mention, ...] = ()
    """Who is addressed one by one, the app itself among them."""
    self_id: str = ""
    """Whom the platform says that the app is there, if the call tells."""
    is_addressed: bool = False
    """The platform says itself that the app is meant."""
    files: tuple[PlatformFile, ...] = ()


class Outgoing(msgspec.Struct, frozen=True, kw_only=True):
    """One message to send; ``key`` is the same whenever it is tried again."""

    key: str
    text: str = ""
    replaces: str = ""
    """Id of the message whose text this is from now on; empty: a new one."""
    file_name: str = ""
    media_type: str = ""
    content: bytes = b""
    is_repeat: bool = False
    """It was tried before, and may have arrived."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """Who an app is on its platform."""

    bot_id: str
    name: str


class ChannelAdapter(Protocol):
    """Speaks with one platform. Holds no rules: what is answered, when and to whom is not its."""

    @property
    def fields(self) -> tuple[CredentialField, ...]:
        """What an installation needs."""
        ...

    @property
    def capabilities(self) -> Capabilities: ...

    def verify(self, call: PlatformCall, access: ChannelAccess, *, now: datetime) -> Verified:
        """Return what a call says; raise ``CallRefused`` unless it is the platform's, and fresh.

        Nothing in the call is believed before its signature is.
        """
        ...

    def parse(self, verified: Verified) -> Incoming | None:
        """Return the message; None for everything else that platforms tell.

        Raises:
            CallUnreadable: it is not what the platform documents.
        """
        ...

    def acknowledge(self) -> Acknowledgement:
        """Return what says that a call was taken."""
        ...

    async def identify(self, access: ChannelAccess) -> Identity:
        """Return who the app is; raise ``PlatformRefused`` or ``PlatformBusy``."""
        ...

    async def fetch(
        self, access: ChannelAccess, incoming: Incoming, file: PlatformFile, *, max_bytes: int
    ) -> bytes:
        """Return a file of a message; raise ``PlatformRefused`` or ``PlatformBusy``."""
        ...

    async def reply(self, access: ChannelAccess, to: Incoming, outgoing: Outgoing) -> str:
        """Send, or replace, one message where ``to`` was written; return its id there.

        Raises:
            PlatformRefused: it cannot be sent, now or later.
            PlatformBusy: it was not sent, as far as is known; ``retry_after_s`` says when to.
        """
        ...


class ChannelAdapters(Protocol):
    """Adapters by platform."""

    def names(self) -> tuple[str, ...]:
        """Return the platforms, sorted."""
        ...

    def get(self, platform: str) -> ChannelAdapter:
        """Return the adapter of a platform; raise ``UnknownExtension``."""
        ...
