"""Port: outgoing HTTP to addresses a tenant can influence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from domain.shared.capacity.fair_share import OF_THE_DEPLOYMENT
from domain.shared.error import AppError, ErrorKind, InvalidRequest


class EgressDenied(InvalidRequest):
    """The policy forbids this address, scheme or port."""


class EgressFailed(AppError):
    """The remote side did not answer properly: connect error, time-out, oversize, bad redirect."""

    code, kind = 5001, ErrorKind.UPSTREAM


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressPolicy:
    """Limits of one call; ``space_id`` is whose turn it is where many call at the same time."""

    space_id: int = OF_THE_DEPLOYMENT
    profile: Literal["tenant", "provider", "provider_tenant", "internal"] = "tenant"
    max_bytes: int | None = None
    """Largest body, raw and decoded; None means the deployment's limit."""
    max_seconds: float | None = None
    """Longest call with all its redirects; None means the deployment's limit."""
    max_redirects: int = 3
    allow_methods: frozenset[str] = frozenset({"GET", "HEAD"})
    allow_hosts: frozenset[str] = frozenset()
    """If not empty, only these hosts (exact names) may be reached."""
    deny_hosts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressRecord:
    """What a trace may tell of a request and its reply: whoever makes it has masked credentials."""

    request: object
    reply: "Callable[[EgressResponse], object]"


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressRequest:
    """One request; header names a tenant may not set are refused."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    record: EgressRecord | None = None
    """None: traces tell host, method, status and sizes only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressResponse:
    """The whole response, within the policy's caps; ``url`` is the last one after redirects."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


class EgressClient(Protocol):
    """The only way out for tenant-influenced addresses; enforces its policy at connect time."""

    async def request(self, request: EgressRequest, policy: EgressPolicy) -> EgressResponse:
        """Send and read the whole answer.

        Raises:
            EgressDenied: the address is not allowed; nothing was sent to it.
            EgressFailed: the remote side failed or exceeded a cap.
        """
        ...
