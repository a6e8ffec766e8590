"""Names, and the texts of tokens.

A drawn text is the prefix of its kind, 43 random characters of ``_ALPHABET``, and the CRC-32 of all
that in six digits of base 62, most significant first, for scanners of leaked secrets.
"""

import hmac
import re
import secrets
import unicodedata
from base64 import urlsafe_b64encode
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, Final, Literal
from zlib import crc32

import msgspec

from domain.identity.error import InvalidIdentity
from domain.shared.capacity.space_limits import NONE_OF_ITS_OWN, SpaceLimits
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits
from domain.shared.secret import Secret

USER_NAME_CHARS: Final = range(4, 21)
DISPLAY_NAME_CHARS: Final = 50
DESCRIPTION_CHARS: Final = 2000
URL_CHARS: Final = 2000

EMAIL_CHARS: Final = 254

_EMAIL: Final = re.compile(r"[^\s@]{1,64}@(?:[^\s@.]{1,63}\.)+[^\s@.]{2,63}")
_USER_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]*", re.ASCII | re.IGNORECASE)
_CSRF_LABEL: Final = b"coterie csrf"
_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM_CHARS: Final = 43  # 43 * log2(62) = 256.03 bits
_CHECKSUM_CHARS: Final = 6  # 62**6 > 2**32
_DRAWN_CHARS: Final = _RANDOM_CHARS + _CHECKSUM_CHARS
_GIVEN: Final = re.compile(r"pat_[A-Za-z0-9_.~-]{16,250}", re.ASCII)


class SpaceKind(StrEnum):
    """What a space is for."""

    PERSONAL = "personal"
    TEAM = "team"


class SubjectType(StrEnum):
    """Who a grant is for."""

    USER = "user"
    GROUP = "group"


class ClientType(StrEnum):
    """How an application gets its tokens."""

    WEB = "web"
    """A server with a secret, to which browsers bring a code."""
    PKCE = "pkce"
    """A page or program on the person's machine; it proves that it is the one that asked."""
    DEVICE = "device"
    """A device without a browser; the person types its code elsewhere."""
    JWT = "jwt"
    """A server with a key that acts for the workspace, and perhaps for end users of it."""


class TokenKind(StrEnum):
    """Kinds of credentials; the texts of different kinds begin differently."""

    PERSONAL = "personal"
    SHORT_LIVED = "short_lived"
    """For browsers. The official JavaScript client refuses personal tokens there by prefix."""

    SERVICE = "service"
    """Of a workspace, with no person behind it."""
    OAUTH = "oauth"
    """What an application holds for a person, or for its workspace, until it expires."""
    REFRESH = "refresh"
    """Buys the next token of an application once; opens nothing by itself."""


class SignInWay(StrEnum):
    """How somebody showed who they are."""

    PASSWORD = "password"  # noqa: S105 - no secret
    TOKEN = "token"  # noqa: S105 - no secret
    TICKET = "ticket"
    OIDC = "oidc"
    """By a provider of OpenID Connect."""


class RateClass(StrEnum):
    """Which figure of the deployment's counts for a token."""

    DEFAULT = "default"
    """As for the tokens of people."""
    LOW = "low"
    STANDARD = "standard"
    HIGH = "high"

    def requests_per_min(self, limits: Limits) -> int:
        """Return how many requests a minute that are; 0 is any number."""
        match self:
            case RateClass.DEFAULT:
                return limits.requests_per_token_per_min
            case RateClass.LOW:
                return limits.rate_class_low_per_min
            case RateClass.STANDARD:
                return limits.rate_class_standard_per_min
            case RateClass.HIGH:
                return limits.rate_class_high_per_min


SpaceLanguage = Literal["", "en", "zh"]
"""In which new agents of a workspace begin; empty: in that of whoever writes."""


class SpaceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a workspace has of its own, as every run asks for it."""

    limits: SpaceLimits = NONE_OF_ITS_OWN
    default_model: str = ""
    language: SpaceLanguage = ""


class SavedView(msgspec.Struct, frozen=True, kw_only=True):
    """Filters of the list of runs that somebody keeps under a name."""

    space_id: SpaceId
    """Workspace whose runs it shows."""
    name: str
    """What it is called; several may have one name."""
    search: str
    """The filters, as the address of the list has them behind its question mark."""


class Preferences(msgspec.Struct, frozen=True, kw_only=True):
    """How somebody wants to be shown things."""

    language: Literal["", "en", "zh"] = ""
    """Empty: the browser's."""
    zone: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """Name of a time zone; empty: the browser's."""
    theme: Literal["system", "light", "dark"] = "system"
    density: Literal["comfortable", "compact"] = "comfortable"
    is_motion_reduced: bool = False
    keyboard: Literal["standard", "none"] = "standard"
    """Whether single keys are commands."""
    run_columns: tuple[str, ...] = ()
    """Columns of the list of runs, in this order; empty: the usual ones."""
    run_views: tuple[SavedView, ...] = ()
    """Filters of the list of runs under names."""


_PREFIXES: Final = {
    TokenKind.PERSONAL: "pat_",
    TokenKind.SHORT_LIVED: "cst_",
    TokenKind.SERVICE: "czs_",
    TokenKind.OAUTH: "cztei_",
    TokenKind.REFRESH: "czr_",
}
_KINDS: Final = {prefix: kind for kind, prefix in _PREFIXES.items()}


def user_name(text: str) -> str:
    """Check the unique name of an account."""
    name = text.strip()
    if len(name) not in USER_NAME_CHARS or not _USER_NAME.fullmatch(name):
        raise InvalidIdentity(
            "name: 4 to 20 letters, digits, dots, dashes or underscores, beginning with a letter "
            "or digit.",
            field="name",
        )
    return name


def display_name(text: str, *, field: str = "name") -> str:
    """Trim and check a name for people to read."""
    name = text.strip()
    if not 1 <= len(name) <= DISPLAY_NAME_CHARS or _has_controls(name):
        raise InvalidIdentity(
            f"{field}: 1 to {DISPLAY_NAME_CHARS} characters on one line.", field=field
        )
    return name


def description(text: str) -> str:
    """Trim and check a description, which may be empty and have several lines."""
    trimmed = text.strip()
    if len(trimmed) > DESCRIPTION_CHARS or _has_controls(trimmed.replace("\n", "")):
        raise InvalidIdentity(
            f"description: at most {DESCRIPTION_CHARS} printable characters.", field="description"
        )
    return trimmed


def email_address(text: str) -> str:
    """Trim and check an e-mail address; empty means none."""
    address = text.strip()
    if address and (
        len(address) > EMAIL_CHARS or not _EMAIL.fullmatch(address) or _has_controls(address)
    ):
        raise InvalidIdentity("email: expected an address like name@example.org.", field="email")
    return address


def picture_url(text: str, *, field: str) -> str:
    """Check the address of an avatar or icon; empty means none."""
    if text and not (text.startswith(("https://", "http://")) and len(text) <= URL_CHARS):
        raise InvalidIdentity(f"{field}: expected an http(s) address.", field=field)
    return text


def new_token_text(kind: TokenKind) -> Secret:
    """Draw a token: prefix, 256 random bits, and a checksum for scanners of leaked secrets."""
    body = _PREFIXES[kind] + "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM_CHARS))
    return Secret(body + _checksum(body))


def has_valid_checksum(text: str) -> bool:
    """Tell whether ``text`` can have been drawn by ``new_token_text``."""
    body = text[:-_CHECKSUM_CHARS]
    return text[-_CHECKSUM_CHARS:] == _checksum(body) and kind_of_token(text) is not None


def kind_of_token(text: str) -> TokenKind | None:
    """Tell by its beginning what a text claims to be."""
    prefix, underscore, _ = text.partition("_")
    return _KINDS.get(prefix + underscore)


def could_be_token(text: str) -> bool:
    """Tell whether to look ``text`` up at all: it was drawn, or looks as if it was given."""
    return has_valid_checksum(text) or (_GIVEN.fullmatch(text) is not None and not _is_drawn(text))


def is_mistyped(text: str) -> bool:
    """Tell a personal token that has the form of those drawn, but not their checksum.

    An operator may have chosen such a one for the first start; nobody else can have it.
    """
    return _GIVEN.fullmatch(text) is not None and _is_drawn(text) and not has_valid_checksum(text)


def _is_drawn(text: str) -> bool:
    body = text.partition("_")[2]
    return len(body) == _DRAWN_CHARS and body.isascii() and body.isalnum()


def given_token(secret: Secret) -> Secret:
    """Check a personal token chosen by the operator."""
    text = secret.reveal()
    if not _GIVEN.fullmatch(text):
        raise InvalidIdentity(
            "The bootstrap token begins with pat_ and has at least 20 characters, letters, digits "
            "and _.~- only."
        )
    return secret


def token_digest(text: str) -> bytes:
    """Hash a token for storage; a random secret of 256 bits needs neither salt nor stretching."""
    return sha256(text.encode()).digest()


def csrf_value(text: str) -> str:
    """Derive what a page shows with every change; it tells nothing of the session's text."""
    return urlsafe_b64encode(hmac.digest(text.encode(), _CSRF_LABEL, "sha256")).decode().rstrip("=")


def _checksum(body: str) -> str:
    number, digits = crc32(body.encode()), ""
    for _ in range(_CHECKSUM_CHARS):
        number, digit = divmod(number, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return digits


def _has_controls(text: str) -> bool:
    return any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in text)
