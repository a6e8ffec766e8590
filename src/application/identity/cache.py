"""What authentication remembers: principals, and unknown tokens."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address

from domain.identity.value import RateClass
from domain.shared.access import Principal
from domain.shared.ids import TokenId, UserId
from domain.shared.limits import Limits

IPV6_NETWORK_BYTES = 8
"""One customer usually holds a whole /64."""


@dataclass(slots=True)
class CachedPrincipal:
    """A principal that may be used until ``until``; ``used_at`` is the last use on record."""

    principal: Principal
    until: datetime | None
    """None is for good; what is kept is always looked at again some time."""
    used_at: datetime | None
    rate_class: RateClass = RateClass.DEFAULT
    """That of the service token, or of the one that made this token."""


class PrincipalCache:
    """Bounded memory of valid and of unknown tokens, by digest.

    Whoever changes rights calls ``forget_user`` or ``forget_token`` after the commit. A reading
    that began before such a call is not stored: take ``generation`` first, hand it to ``keep``.
    """

    def __init__(self, *, limits: Limits) -> None:
        self._ttl = timedelta(seconds=limits.auth_cache_s)
        self._unknown_ttl = timedelta(seconds=limits.auth_unknown_s)
        self._size = limits.auth_cache_entries
        self._known: OrderedDict[bytes, CachedPrincipal] = OrderedDict()
        self._unknown: OrderedDict[bytes, datetime] = OrderedDict()
        self.generation = 0

    def get(self, digest: bytes, *, now: datetime) -> CachedPrincipal | None:
        entry = self._known.get(digest)
        if entry is not None and entry.until is not None and now >= entry.until:
            del self._known[digest]
            return None
        return entry

    def keep(
        self, digest: bytes, entry: CachedPrincipal, *, now: datetime, generation: int
    ) -> CachedPrincipal:
        """Remember a principal for a while, never beyond ``until``."""
        until = now + self._ttl
        entry.until = min(until, entry.until or until)
        if generation == self.generation:
            self._known[digest] = entry
            self._unknown.pop(digest, None)
            _trim(self._known, self._size)
        return entry

    def keep_unknown(self, digest: bytes, *, now: datetime) -> None:
        """Remember for a moment that nobody has this token."""
        self._unknown[digest] = now + self._unknown_ttl
        _trim(self._unknown, self._size)

    def is_unknown(self, digest: bytes, *, now: datetime) -> bool:
        until = self._unknown.get(digest)
        return until is not None and now < until

    def forget_user(self, user_id: UserId) -> None:
        """Drop all tokens of an account."""
        self._forget(lambda principal: principal.user_id == user_id)

    def forget_token(self, token_id: TokenId) -> None:
        self._forget(lambda principal: principal.token_id == token_id)

    def forget_all(self) -> None:
        """Drop everything, also what was unknown: what opens again brings its tokens back."""
        self._forget(lambda _: True)
        self._unknown.clear()

    def _forget(self, concerns: Callable[[Principal], bool]) -> None:
        self.generation += 1
        for digest in [d for d, entry in self._known.items() if concerns(entry.principal)]:
            del self._known[digest]


def peer_network(peer: str) -> str:
    """Whom failures of a peer count for: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        address = ip_address(peer.partition("%")[0])
    except ValueError:
        return peer
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else address.packed[:IPV6_NETWORK_BYTES].hex()
    return str(address)


def _trim(
    entries: OrderedDict[bytes, CachedPrincipal] | OrderedDict[bytes, datetime], size: int
) -> None:
    while len(entries) > size:
        entries.popitem(last=False)
