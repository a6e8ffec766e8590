"""Web pages as sources of documents."""

import pytest

from application.knowledge.ingest.source import WebPageReader
from domain.knowledge.error import SourceRefused, SourceUnavailable
from domain.knowledge.value import Source, SourceType
from infra.contract.egress import EgressPolicy, EgressRequest, EgressResponse
from tests.support.knowledge.sample import ACCEPTED, SCOPE

PAGE = Source(type=SourceType.WEB_PAGE, url="https://example.com/")


class OnePage:
    """The world outside, answering everything alike."""

    def __init__(self, status: int) -> None:
        self._status = status

    async def request(self, request: EgressRequest, policy: EgressPolicy) -> EgressResponse:
        return EgressResponse(status=self._status, headers={}, body=b"<p>", url=request.url)


async def read(status: int) -> bytes:
    reader = WebPageReader(OnePage(status), accepted=ACCEPTED)
    return b"".join([chunk async for chunk in reader.read(SCOPE, PAGE)])


async def test_a_page_is_read() -> None:
    assert await read(200) == b"<p>"


@pytest.mark.parametrize("status", [408, 429, 500, 503])
async def test_a_page_that_is_down_may_be_up_later(status: int) -> None:
    with pytest.raises(SourceUnavailable):
        await read(status)


@pytest.mark.parametrize("status", [204, 301, 403, 404, 410])
async def test_a_page_that_is_not_there_is_refused(status: int) -> None:
    with pytest.raises(SourceRefused):
        await read(status)
