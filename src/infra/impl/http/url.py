"""Reading the address of an outgoing request, once."""

import re
from typing import Final

import httpx

from infra.contract.egress import EgressDenied

Url = httpx.URL
"""The parsed address. What was checked is what is sent: nobody parses the text again."""

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_NAME: Final = re.compile(
    r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?", re.ASCII
)
_V6: Final = re.compile(r"[0-9a-f:.]+", re.ASCII)
_MAX_NAME: Final = 254  # RFC 1035: 253 and the root's dot
_MAX_PORT: Final = 65535


def parse_url(text: str, *, limit_bytes: int, base: Url | None = None) -> Url:
    """Parse an absolute address, or one relative to ``base``; the fragment is dropped.

    Raises:
        EgressDenied: not http or https, credentials inside, no proper host, control characters,
            white space or backslashes, or too long.
    """
    if len(text) > limit_bytes:
        raise EgressDenied("The address is too long.")
    if not text.isprintable() or " " in text or "\\" in text:
        raise EgressDenied("The address contains characters that are not allowed.")
    try:
        url = base.join(text) if base is not None else httpx.URL(text)
        url = url.copy_with(fragment=None)
    except (httpx.InvalidURL, UnicodeError, ValueError) as exc:
        raise EgressDenied("The address cannot be read.") from exc
    if url.scheme not in DEFAULT_PORTS:
        raise EgressDenied("The address must begin with http:// or https://.")
    if url.userinfo:
        raise EgressDenied("The address must not contain credentials; send them in a header.")
    _check_host(host_of(url))
    if not 0 < port_of(url) <= _MAX_PORT:
        raise EgressDenied("The port of the address is out of range.")
    return url


def host_of(url: Url) -> str:
    """Return the host as it goes on the wire: ASCII, lower case, no brackets."""
    return url.raw_host.decode("ascii")


def port_of(url: Url) -> int:
    """Return the port, given or implied."""
    return DEFAULT_PORTS[url.scheme] if url.port is None else url.port


def origin_of(url: Url) -> tuple[str, str, int]:
    """Return what decides whether credentials may follow: scheme, host, port."""
    return url.scheme, host_of(url).rstrip("."), port_of(url)


def _check_host(host: str) -> None:
    readable = _V6 if ":" in host else _NAME
    if len(host) > _MAX_NAME or not readable.fullmatch(host):
        raise EgressDenied("The host name of the address is not valid.")
