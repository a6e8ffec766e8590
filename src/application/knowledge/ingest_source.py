"""Sources of documents that are not ours yet."""

from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Protocol

from domain.knowledge.error import SourceRefused, SourceUnavailable
from domain.knowledge.value import Source
from domain.shared.access import TenantScope
from infra.contract.egress import EgressClient, EgressPolicy, EgressRequest


class SourceReader(Protocol):
    """Reads the bytes of one type of source."""

    def read(self, scope: TenantScope, source: Source) -> AsyncGenerator[bytes, None]:
        """Yield the bytes; raise ``SourceUnavailable`` for now, ``SourceRefused`` for good."""
        ...


class WebPageReader:
    """Fetches a page through the guarded way out."""

    def __init__(self, egress: EgressClient) -> None:
        self._egress = egress

    async def read(self, scope: TenantScope, source: Source) -> AsyncGenerator[bytes, None]:
        """Yield the page as it is, within the limits of the policy."""
        response = await self._egress.request(EgressRequest(url=source.url), EgressPolicy())
        if response.status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_TIMEOUT} or (
            response.status >= HTTPStatus.INTERNAL_SERVER_ERROR
        ):
            raise SourceUnavailable(f"The page answered with {response.status}; try again later.")
        if response.status != HTTPStatus.OK:
            raise SourceRefused(f"The page answered with {response.status}.")
        yield response.body
