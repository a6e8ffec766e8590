"""What identifies a request that a client may send again."""

import hashlib

import msgspec

from domain.shared.repository import RequestKey


def request_key(operation: str, key: str, command: object) -> RequestKey | None:
    """Identify a request by all that it says; None without a key of the client's."""
    if not key:
        return None
    content = msgspec.json.encode((key, command), order="sorted")
    return RequestKey(operation=operation, key=key, digest=hashlib.sha256(content).hexdigest())
