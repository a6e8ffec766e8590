"""Which IP addresses tenants may reach.

Own tables on purpose: what the standard library calls global differs between patch releases and
includes cloud metadata addresses and addresses that translate to loopback.
"""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

_Range = tuple[int, int]

_DENIED_V4: Final = (
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "168.63.129.16/32",
)
_ALLOWED_V6: Final = "2000::/3"
_DENIED_V6: Final = (
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "2620:4f:8000::/48",
)
_MAPPED: Final = "::ffff:0:0/96"
_NAT64: Final = "64:ff9b::/96"
_V4_BITS: Final = 0xFFFFFFFF


def _range(network: IPv4Network | IPv6Network) -> _Range:
    return int(network.network_address), int(network.broadcast_address)


def _within(number: int, ranges: Iterable[_Range]) -> bool:
    return any(first <= number <= last for first, last in ranges)


class AddressPolicy:
    """Judges addresses; ``denied`` adds networks of the operator, ``nat64`` further prefixes."""

    def __init__(self, *, denied: Sequence[str] = (), nat64: Sequence[str] = ()) -> None:
        own = [ip_network(text, strict=False) for text in denied]
        self._denied_v4 = [
            *map(_range, map(IPv4Network, _DENIED_V4)),
            *(_range(network) for network in own if isinstance(network, IPv4Network)),
        ]
        self._denied_v6 = [
            *map(_range, map(IPv6Network, _DENIED_V6)),
            *(_range(network) for network in own if isinstance(network, IPv6Network)),
        ]
        self._allowed_v6 = (_range(IPv6Network(_ALLOWED_V6)),)
        self._wrapping = [_range(IPv6Network(text)) for text in (_MAPPED, _NAT64, *nat64)]

    def permits(self, text: str) -> bool:
        """Return whether a tenant may connect to this literal; anything unreadable is denied."""
        try:
            address = ip_address(text)
        except ValueError:
            return False
        if isinstance(address, IPv6Address):
            return self._permits_v6(address)
        return self._permits_v4(int(address))

    def _permits_v6(self, address: IPv6Address) -> bool:
        if address.scope_id is not None:
            return False
        number = int(address)
        if _within(number, self._wrapping):
            return self._permits_v4(number & _V4_BITS)
        return _within(number, self._allowed_v6) and not _within(number, self._denied_v6)

    def _permits_v4(self, number: int) -> bool:
        return not _within(number, self._denied_v4)


def canonical(text: str) -> str:
    """Return the address a socket would use, so that equal peers compare equal."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return str(IPv4Address(address.ipv4_mapped))
    return str(address)
