"""Certificates of authorities that are read once, however many HTTP clients a test process makes.

Most tests have a client of their own, whose servers have no certificates: reading those of all
authorities of the world was a fifth of the processor time of their processes.
"""

from functools import cache

from httpx._transports import default


def share_certificates() -> None:
    """From now on clients with the same settings have one context."""
    default.create_ssl_context = cache(default.create_ssl_context)  # type: ignore[attr-defined]
