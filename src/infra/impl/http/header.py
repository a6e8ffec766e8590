"""Header names that are ours to set: no tenant chooses them."""

from collections.abc import Iterable
from typing import Final

from infra.contract.egress import EgressDenied

_REFUSED: Final = frozenset(
    {
        "connection",
        "content-length",
        "expect",
        "forwarded",
        "host",
        "http2-settings",
        "keep-alive",
        "metadata",
        "metadata-flavor",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "via",
        "x-real-ip",
    }
)
_REFUSED_PREFIXES: Final = ("x-forwarded-", "x-aws-ec2-metadata-", "proxy-", "sec-")


def check_names(names: Iterable[str]) -> None:
    """Raise ``EgressDenied`` for the first name that a tenant may not set."""
    for name in names:
        lower = name.strip().lower()
        if lower in _REFUSED or lower.startswith(_REFUSED_PREFIXES):
            raise EgressDenied(f"The header {name[:64]!r} cannot be set.")
