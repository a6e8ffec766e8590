"""Egress over the gateway: caps, redirects and header rules of tenant requests."""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import closing
from typing import Final

from domain.shared.capacity.fair_share import RECENT_S, FairShare, ShareRefused
from domain.shared.capacity.share_meter import ShareFigures
from domain.shared.limits import Limits
from domain.shared.tracing.span import SpanKind, begun
from infra.contract.egress import (
    EgressDenied,
    EgressFailed,
    EgressPolicy,
    EgressRequest,
    EgressResponse,
)
from infra.impl.http import error
from infra.impl.http.gateway import HttpGateway
from infra.impl.http.header import check_names
from infra.impl.http.reply import HttpReply, Timeouts
from infra.impl.http.url import Url, host_of, origin_of, port_of

_log: Final = logging.getLogger(__name__)

_FOLLOW_ANYWHERE: Final = frozenset(
    {
        "accept",
        "accept-language",
        "content-type",
        "if-modified-since",
        "if-none-match",
        "user-agent",
    }
)
"""Headers that cannot be secrets; everything else stays with the origin it was meant for."""
_KEEPS_METHOD: Final = frozenset({307, 308})
_REDIRECTS: Final = frozenset({301, 302, 303}) | _KEEPS_METHOD
_SEE_OTHER: Final = 303
_USER_AGENT: Final = "coterie"
_KEPT: Final = 4
"""One place of so many is never had by one workspace alone: a slow server holds it for long."""
_WAITING: Final = 1000


class HttpEgress:
    """Implements the egress port; workspaces have turns at the connections of the gateway."""

    def __init__(
        self, *, gateway: HttpGateway, limits: Limits, figures: ShareFigures | None = None
    ) -> None:
        self._gateway = gateway
        self._limits = limits
        most = limits.egress_connections
        self._calls = FairShare(
            "calls of other servers",
            capacity=most,
            kept=most // _KEPT,
            waiting=_WAITING,
            wait_s=limits.egress_total_s,
            recent_s=RECENT_S,
        )
        if figures is not None:
            figures.show("egress", self._calls)

    async def request(self, request: EgressRequest, policy: EgressPolicy) -> EgressResponse:
        """Send, follow allowed redirects and read the answer within the caps of the policy."""
        headers = _checked_headers(request.headers)
        url = self._checked_url(request.url, policy)
        seconds = policy.max_seconds or self._limits.egress_total_s
        started_at = asyncio.get_running_loop().time()
        with begun(SpanKind.HTTP, host_of(url)) as span:
            span.note(method=request.method.upper(), port=port_of(url), sent=len(request.body))
            record = request.record if span.keeps_content else None
            if record is not None:
                span.given(record.request)
            try:
                async with asyncio.timeout(seconds), self._calls.hold(policy.space_id):
                    response = await self._exchange(request, url, headers, policy, seconds)
            except TimeoutError as exc:
                raise EgressFailed(f"No complete answer within {seconds:g} s.") from exc
            except ShareRefused as exc:
                raise EgressFailed(exc.message, retry_after_s=exc.retry_after_s) from exc
            span.note(status=response.status, received=len(response.body))
            if record is not None:
                span.gave(record.reply(response))
        _log.info(
            "outgoing request",
            extra={
                "host": host_of(url),
                "port": port_of(url),
                "status": response.status,
                "bytes": len(response.body),
                "ms": round((asyncio.get_running_loop().time() - started_at) * 1000),
            },
        )
        return response

    async def _exchange(
        self,
        request: EgressRequest,
        url: Url,
        headers: dict[str, str],
        policy: EgressPolicy,
        seconds: float,
    ) -> EgressResponse:
        method, body = request.method.upper(), request.body
        hops = self._hops(policy)
        for hop in range(hops + 1):
            with closing(
                await self._send(method, url, headers, body, policy=policy, seconds=seconds)
            ) as reply:
                location = reply.headers.get("location", "")
                if policy.max_redirects <= 0 or not _redirects(reply.status, location):
                    return await self._read(reply, method, url, policy)
            if hop < hops:
                target = self._checked_url(location, policy, base=url)
                method, body, headers = _follow(
                    reply.status, method, body, headers, source=url, target=target
                )
                url = target
        raise EgressFailed("The server redirects too often.")

    def _hops(self, policy: EgressPolicy) -> int:
        return min(max(policy.max_redirects, 0), self._limits.egress_redirects)

    def _checked_url(self, text: str, policy: EgressPolicy, *, base: Url | None = None) -> Url:
        url = self._gateway.parse(text, profile=policy.profile, base=base)
        host = host_of(url).rstrip(".")
        if host in policy.deny_hosts or (policy.allow_hosts and host not in policy.allow_hosts):
            raise EgressDenied("This host is not among those allowed.")
        return url

    async def _send(
        self,
        method: str,
        url: Url,
        headers: Mapping[str, str],
        body: bytes,
        *,
        policy: EgressPolicy,
        seconds: float,
    ) -> HttpReply:
        if method not in policy.allow_methods:
            raise EgressDenied(f"The method {method[:16]!r} is not allowed.")
        timeouts = Timeouts(
            connect_s=self._limits.egress_connect_s,
            first_s=self._limits.egress_first_byte_s,
            idle_s=self._limits.egress_idle_s,
            total_s=seconds,
        )
        try:
            return await self._gateway.send(
                method, url, profile=policy.profile, timeouts=timeouts, headers=headers, body=body
            )
        except error.LocalProtocolError as exc:
            raise EgressDenied("A header contains characters that are not allowed.") from exc
        except error.TransportError as exc:
            raise EgressFailed(
                f"The server could not be reached. {exc}", host=host_of(url)
            ) from exc

    async def _read(
        self, reply: HttpReply, method: str, url: Url, policy: EgressPolicy
    ) -> EgressResponse:
        reply.begun()
        limit = self._limits.egress_body_bytes if policy.max_bytes is None else policy.max_bytes
        try:
            body = b"" if method == "HEAD" else await reply.read_all(limit_bytes=limit)
        except error.TransportError as exc:
            raise EgressFailed(f"The answer could not be read. {exc}", host=host_of(url)) from exc
        return EgressResponse(
            status=reply.status,
            headers={name.lower(): value for name, value in reply.headers.items()},
            body=body,
            url=str(url),
        )


def _checked_headers(given: Mapping[str, str]) -> dict[str, str]:
    """Return the headers to send; raise ``EgressDenied`` for names that are ours to set."""
    check_names(given)
    headers = {"user-agent": _USER_AGENT, "accept": "*/*"}
    headers |= {name.lower(): value for name, value in given.items()}
    headers["accept-encoding"] = "identity"
    return headers


def _redirects(status: int, location: str) -> bool:
    return status in _REDIRECTS and bool(location)


def _follow(
    status: int, method: str, body: bytes, headers: dict[str, str], *, source: Url, target: Url
) -> tuple[str, bytes, dict[str, str]]:
    """Return method, body and headers of the next request; drop what is not for its origin."""
    if source.scheme == "https" and target.scheme != "https":
        raise EgressFailed("The server redirects to an address without encryption.")
    if origin_of(source) != origin_of(target):
        kept = {name: value for name, value in headers.items() if name in _FOLLOW_ANYWHERE}
        headers = kept | {"accept-encoding": "identity"}
    if status in _KEEPS_METHOD or method == "HEAD" or (method == "GET" and status != _SEE_OTHER):
        return method, body, headers
    bare = {name: value for name, value in headers.items() if name != "content-type"}
    return "GET", b"", bare
