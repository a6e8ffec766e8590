"""The interface document on its way to those who ask for it."""

import asyncio
import threading
from collections.abc import Mapping
from typing import Any

from api.docs import InterfaceDocument


async def test_the_loop_goes_on_while_the_document_is_made() -> None:
    may_go_on = threading.Event()

    def describe() -> Mapping[str, Any]:
        return {"was_free": may_go_on.wait(60)}

    asked = asyncio.ensure_future(InterfaceDocument(describe).content())
    await asyncio.sleep(0)  # the loop comes back although nothing is made yet
    may_go_on.set()

    assert await asked == b'{"was_free":true}'


async def test_the_document_is_made_once_however_many_ask() -> None:
    made: list[int] = []

    def describe() -> Mapping[str, Any]:
        made.append(1)
        return {}

    document = InterfaceDocument(describe)
    await asyncio.gather(*(document.content() for _ in range(5)))

    assert await document.content() == b"{}"
    assert made == [1]
