"""Items that a request names or seals instead of repeating what they say."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from api.openai.error import ItemNotFound
from api.openai.responses.items import InputItem, items_of, read_items, referred, resolved
from api.openai.responses.request import response_key
from application.conversation.compaction import CompactionService
from application.conversation.response import ResponseService
from domain.shared.access import Principal
from domain.shared.chat import ChatMessage
from domain.shared.ids import MAX_ID
from domain.shared.limits import Limits


async def found_items(
    given: str | Sequence[InputItem] | None,
    principal: Principal,
    responses: ResponseService,
    compactions: CompactionService,
) -> tuple[InputItem, ...]:
    """Return the input with the items it refers to, and with the summaries it brings opened.

    Raises:
        ItemNotFound: the caller was never given one of them.
        CompactionUnreadable: a summary is not from here, or of another workspace.
    """
    items = items_of(given)
    if ids := referred(items):
        known = {each: await _referred(each, principal, responses) for each in ids}
        items = resolved(items, known)
    return tuple(
        _opened(item, compactions.opened(principal, item.encrypted_content or ""))
        if item.kind == "compaction"
        else item
        for item in items
    )


async def past_of(
    previous: str | None, principal: Principal, responses: ResponseService, limits: Limits
) -> Sequence[ChatMessage]:
    """Return what was said up to an earlier response and by it; nothing if none is named."""
    if not previous:
        return ()
    key = response_key(previous)
    return await responses.said(principal, key, read=partial(read_items, limits=limits))


def _opened(item: InputItem, summary: str) -> InputItem:
    """Say a summary as the assistant: instructions of a caller may be left out, answers are not."""
    text = f"Summary of what was said before: {summary}"
    return msgspec.structs.replace(
        item, type="message", role="assistant", content=text, encrypted_content=None
    )


async def _referred(
    item_id: str, principal: Principal, responses: ResponseService
) -> Mapping[str, Any]:
    """Return what an item of an earlier response says; raise ``ItemNotFound``."""
    kind, _, rest = item_id.partition("_")
    number = rest.partition("_")[0]
    if number.isascii() and number.isdigit() and 0 < int(number) <= MAX_ID:
        if number == rest and kind == "rs":
            return {"type": "reasoning"}
        if number == rest and (said := await responses.message(principal, int(number))):
            return {"type": "message", "role": "assistant", "content": said.text}
        if kept := await responses.output_item(principal, int(number), item_id):
            return kept
    raise ItemNotFound(f"input: no item {item_id[:64]!r}.", field="input")
