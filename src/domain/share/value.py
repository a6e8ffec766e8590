"""What a share link says: whom it leads to, whom it lets in, and how its page looks."""

import re
from datetime import datetime
from enum import StrEnum
from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec

from domain.share.error import ShareLinkInvalid

NAME_CHARS: Final = 50
TEXT_CHARS: Final = 2000
LINE_CHARS: Final = 200
SUGGESTIONS: Final = 8
ORIGINS: Final = 50
HOOK_CHARS: Final = 500
RUNS_PER_MIN: Final = 6000
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}", re.ASCII)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_HOST: Final = re.compile(r"[a-z0-9.-]+|\[[0-9a-f:.]+\]", re.ASCII)


class LinkAuth(StrEnum):
    """How visitors show that they may come in."""

    NONE = "none"
    PASSWORD = "password"  # noqa: S105 - no secret
    USER_TOKEN = "user_token"  # noqa: S105 - no secret
    """The page around the widget says who it is, signed with the key of the link."""
    HOOK = "hook"
    """A server of the owner's is asked who somebody is, and whether they may ask this."""
    SIGN_IN = "sign_in"
    """Members of the workspace, signed in by password or with their provider."""


class LinkSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What owners set; ``checked`` before it is kept."""

    name: str
    welcome: str = ""
    """Empty: what the agent says first."""
    suggestions: tuple[str, ...] = ()
    """Empty: the questions that the agent suggests."""
    theme: Literal["system", "light", "dark"] = "system"
    accent: str = ""
    """Colour of buttons and links as ``#rrggbb``; empty: the usual one."""
    language: Literal["", "en", "zh"] = ""
    """Empty: that of the browser."""
    footer: str = ""
    closed_text: str = ""
    """What the page says instead of why it does not answer; empty: the reason."""
    allows_files: bool = False
    keeps_history: bool = True
    takes_feedback: bool = True
    shows_citations: bool = False
    shows_steps: bool = False
    """Names of tools and searches, and thoughts; never what they were given."""
    expires_at: datetime | None = None
    runs_per_min: int = 0
    """Questions of one visitor; 0: as many as visitors may ask in general."""
    allowed_origins: tuple[str, ...] = ()
    """Sites that may show the page in a frame."""

    def checked(self) -> "LinkSettings":
        """Return it trimmed; raise ``ShareLinkInvalid`` naming the field."""
        suggestions = tuple(filter(None, (each.strip() for each in self.suggestions)))
        if len(suggestions) > SUGGESTIONS:
            raise _invalid("suggestions", f"at most {SUGGESTIONS} questions.")
        for each in suggestions:
            _bounded(each, LINE_CHARS, field="suggestions")
        name = self.name.strip()
        if not 1 <= len(name) <= NAME_CHARS or _CONTROL.search(name):
            raise _invalid("name", f"1 to {NAME_CHARS} characters on one line.")
        accent = self.accent.strip().lower()
        if accent and not _COLOUR.fullmatch(accent):
            raise _invalid("accent", "expected a colour like #2f5bd7.")
        if not 0 <= self.runs_per_min <= RUNS_PER_MIN:
            raise _invalid("runs_per_min", f"0 to {RUNS_PER_MIN}.")
        if len(self.allowed_origins) > ORIGINS:
            raise _invalid("allowed_origins", f"at most {ORIGINS} of them.")
        return msgspec.structs.replace(
            self,
            name=name,
            accent=accent,
            suggestions=suggestions,
            welcome=_bounded(self.welcome, TEXT_CHARS, field="welcome"),
            footer=_bounded(self.footer, LINE_CHARS, field="footer"),
            closed_text=_bounded(self.closed_text, TEXT_CHARS, field="closed_text"),
            allowed_origins=tuple(dict.fromkeys(map(origin_of, self.allowed_origins))),
        )


def origin_of(text: str) -> str:
    """Return an origin as browsers spell it; raise ``ShareLinkInvalid`` for what is none."""
    wanted = text.strip().lower().removesuffix("/")
    try:
        parts = urlsplit(wanted)
        host, port = parts.netloc.rpartition("@")[2], parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    name = host.removesuffix(f":{port}") if port is not None else host
    is_whole = parts.scheme in {"http", "https"} and wanted == f"{parts.scheme}://{host}"
    if not (is_whole and _HOST.fullmatch(name)):
        raise _invalid(
            "allowed_origins", f"{text[:60]!r} is no origin such as https://www.example.com."
        )
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{name}" if port in {None, usual} else f"{parts.scheme}://{host}"


def checked_hook(text: str) -> str:
    """Return the address of a hook, to which paths are added; raise ``ShareLinkInvalid``."""
    wanted = text.strip().rstrip("/")
    if not wanted:
        return ""
    try:
        parts = urlsplit(wanted)
        has_port = parts.port != 0
    except ValueError:
        parts, has_port = urlsplit(""), False
    is_whole = parts.scheme in {"http", "https"} and parts.hostname and has_port
    has_more = parts.username is not None or parts.query or parts.fragment
    if not is_whole or has_more or len(wanted) > HOOK_CHARS or not wanted.isprintable():
        raise _invalid("hook_url", "expected an address such as https://shop.example.com/hooks.")
    return wanted


def _bounded(text: str, chars: int, *, field: str) -> str:
    trimmed = text.strip()
    if len(trimmed) > chars:
        raise _invalid(field, f"at most {chars} characters.")
    return trimmed


def _invalid(field: str, reason: str) -> ShareLinkInvalid:
    return ShareLinkInvalid(f"{field}: {reason}", field=field)
