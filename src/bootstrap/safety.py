"""What the process refuses to start with, and the key everything stored is sealed under."""

import base64
import binascii
import os
import re
import secrets
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bootstrap.configuration import PREFIX
from bootstrap.settings import Settings
from domain.shared.error import SettingsInvalid
from domain.shared.secret import Secret

KEY_BYTES: Final = 32
KEY_FILE: Final = "master.key"
TOKEN_PREFIX: Final = "pat_"  # noqa: S105 - a prefix, not a token
MIN_TOKEN_CHARS: Final = 20
_MIN_DISTINCT: Final = 8
_SAMPLE: Final = re.compile(
    r"change.?me|your.?(token|key|secret)|example|sample|replace.?me", re.IGNORECASE
)
_PLACEHOLDER: Final = re.compile(r"change[_-]?me|your[_-]?token", re.IGNORECASE)
_HEX: Final = re.compile(r"[0-9a-fA-F]{64}")


def check(settings: Settings, environ: Mapping[str, str]) -> None:
    """Refuse unsafe combinations before anything is opened (``security-reliability`` ST-10).

    Raises:
        SettingsInvalid: the message says what is unsafe and what to do.
    """
    if settings.debug and not settings.is_loopback:
        raise SettingsInvalid(
            f"debug is on but {settings.host} can be reached from outside. Bind to 127.0.0.1 or "
            "switch debug off."
        )
    if "*" in settings.cors.origins:
        raise SettingsInvalid("cors.origins: name each origin; a wildcard is not accepted.")
    _check_token(settings, environ)
    for name in (f"{PREFIX}MASTER_KEY", f"{PREFIX}MASTER_KEY_FILE"):
        if name in environ and not settings.master_key:
            raise SettingsInvalid(f"{name} is empty. {_HOW_TO_MAKE_A_KEY}")
    if path := environ.get(f"{PREFIX}MASTER_KEY_FILE"):
        _check_mode(Path(path))
    if settings.master_key:
        _decode(settings.master_key)


def load_master_key(settings: Settings) -> Secret:
    """Return the present key; as ``load_master_keys``."""
    return load_master_keys(settings)[0]


def load_master_keys(settings: Settings) -> tuple[Secret, ...]:
    """Return the 32-byte keys as base64, making one in the data directory if none is given.

    The first one seals; the others, if any, still open what was sealed before them. A file has a
    line for each.

    Raises:
        SettingsInvalid: a stored key is damaged or readable by others.
    """
    if settings.master_key:
        former = [Secret(text) for text in settings.former_master_keys.reveal().split(",") if text]
        return tuple(_encode(_decode(key)) for key in (settings.master_key, *former))
    path = settings.data_path / KEY_FILE
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        _check_mode(path)
        lines = path.read_text(encoding="ascii").split() or [""]
        return tuple(_encode(_decode(Secret(line))) for line in lines)
    key = new_master_key()
    _write(descriptor, [key])
    return (key,)


def new_master_key() -> Secret:
    """Draw a key."""
    return _encode(secrets.token_bytes(KEY_BYTES))


def replace_master_keys(settings: Settings, keys: Sequence[Secret]) -> None:
    """Put keys in the place of those of the data directory; a crash leaves one file or the other.

    Raises:
        SettingsInvalid: the keys come from the configuration, and change there.
    """
    if settings.master_key:
        raise SettingsInvalid(
            f"The master key comes from the configuration. Change it there: {PREFIX}MASTER_KEY is "
            f"the new one, {PREFIX}FORMER_MASTER_KEYS those of before, separated by commas."
        )
    path = settings.data_path / KEY_FILE
    beside = path.with_suffix(".new")
    beside.unlink(missing_ok=True)
    _write(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), keys)
    beside.replace(path)


def _write(descriptor: int, keys: Sequence[Secret]) -> None:
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.writelines(f"{key.reveal()}\n" for key in keys)
        file.flush()
        os.fsync(file.fileno())


def key_bytes(key: Secret) -> bytes:
    """The raw key, for the part that seals with it."""
    return base64.b64decode(key.reveal())


_HOW_TO_MAKE_A_KEY: Final = (
    "Give 32 random bytes in base64 or hex, for instance from `openssl rand -base64 32`, or leave "
    "the variable out: the first start makes a key in the data directory."
)


def _check_token(settings: Settings, environ: Mapping[str, str]) -> None:
    token = settings.bootstrap_token.reveal()
    if not token:
        if any(f"{PREFIX}BOOTSTRAP_TOKEN{suffix}" in environ for suffix in ("", "_FILE")):
            raise SettingsInvalid("bootstrap_token is empty. Leave it out to have one generated.")
        return
    if not token.startswith(TOKEN_PREFIX) or len(token) < MIN_TOKEN_CHARS:
        raise SettingsInvalid(
            f"bootstrap_token must start with {TOKEN_PREFIX} and have at least "
            f"{MIN_TOKEN_CHARS} characters. Leave it out to have one generated."
        )
    if not re.fullmatch(r"[A-Za-z0-9_-]+", token):
        raise SettingsInvalid("bootstrap_token may hold letters, digits, - and _ only.")
    if _PLACEHOLDER.search(token):
        raise SettingsInvalid("bootstrap_token is a placeholder. Make a random one.")


def _check_mode(path: Path) -> None:
    if os.name == "posix" and path.stat().st_mode & stat.S_IRWXO:
        raise SettingsInvalid(f"{path} is readable by everybody. Run: chmod 600 {path}")


def _decode(key: Secret) -> bytes:
    text = key.reveal()
    if _SAMPLE.search(text):
        raise SettingsInvalid(f"The master key is a sample. {_HOW_TO_MAKE_A_KEY}")
    try:
        raw = (
            bytes.fromhex(text)
            if _HEX.fullmatch(text)
            else base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
        )
    except (ValueError, binascii.Error) as exc:
        raise SettingsInvalid(f"The master key is malformed. {_HOW_TO_MAKE_A_KEY}") from exc
    if len(raw) != KEY_BYTES or len(set(raw)) < _MIN_DISTINCT:
        raise SettingsInvalid(f"The master key is too weak. {_HOW_TO_MAKE_A_KEY}")
    return raw


def _encode(raw: bytes) -> Secret:
    return Secret(base64.b64encode(raw).decode())
