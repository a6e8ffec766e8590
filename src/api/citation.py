"""Citations on the wires: cards beside an answer, and marks as FastGPT clients read them."""

import re
from collections.abc import Iterator
from typing import Final, Literal

from api.shape import Shape
from application.conversation.dto import MessageView
from application.conversation.run.event import KnowledgeRecalled
from domain.shared.text.citation import Card, Citations, MarkFilter, fastgpt_mark

CiteStyle = Literal["marks", "fastgpt", "none"]
"""``[1]`` as written, ``[<slice id>](CITE)``, or no marks at all."""

_KNOWN: Final = 999
"""Marks have at most three digits; which of them count was decided before."""

_LIST_BEGINS: Final = re.compile(
    r"\n(?:\n(?:\[(?:[0-9]{1,3}(?:\](?: (?:(?!\n\n).)*)?)?)?)?)?\Z", re.DOTALL
)
"""A last paragraph that begins with a mark, as far as it has come."""


class WireCard(Shape, of=Card):
    """A source that an answer cites under the number ``n``."""

    n: int


def source_address(card: Card) -> str:
    """Return where a source stands: its own address, or the one that resources of it have."""
    if card.url:
        return card.url
    base = f"base/{card.dataset_id}/" if card.dataset_id else ""
    return f"coterie://{base}document/{card.document_id}#slice={card.slice_id}"


def cards_of(message: MessageView, *, shows_listed: bool = False) -> list[WireCard]:
    """Return the cards to show beside an answer: none if they are listed in its text.

    ``shows_listed``: whoever reads it shows cards in the place of the list.
    """
    citations = message.citations
    if citations is None or (citations.is_listed and not shows_listed):
        return []
    return [WireCard.of(card) for card in citations.cards]


def whole_text(message: MessageView, style: CiteStyle) -> str:
    """Return the text of a complete message with its marks in a style."""
    citations = message.citations
    if citations is None or style == "marks":
        return message.text
    plain = citations.plain(message.text)
    return plain if style == "none" else _with_slice_ids(plain, citations)


def placed_cards(citations: Citations) -> Iterator[tuple[int, int, Card]]:
    """Yield where each mark begins and ends in the text as shown, and the source it names."""
    cards = {card.n: card for card in citations.cards}
    written = 0
    for mark in citations.marks:
        start = mark.at + written + mark.is_spaced
        written += len(str(mark))
        if mark.n in cards:
            yield start, mark.at + written, cards[mark.n]


class MarkWriter:
    """Writes the marks in a stream of answers in the style of FastGPT, or leaves them out.

    The list of sources at the end of an answer is left out too: these clients show their own.
    """

    def __init__(self, style: CiteStyle) -> None:
        self._slice_ids: dict[int, int] = {}
        self._filters: dict[int, MarkFilter] = {}
        self._held: dict[int, str] = {}
        self._render = fastgpt_mark(self._slice_ids) if style == "fastgpt" else _nothing

    def recalled(self, event: KnowledgeRecalled) -> None:
        """Learn which slices the numbers stand for."""
        self._slice_ids.update({chunk.n: chunk.slice_id for chunk in event.chunks})

    def feed(self, message_id: int, text: str) -> str:
        """Return what to write of a piece of an answer."""
        if not self._slice_ids:
            return text
        marks = self._filters.get(message_id)
        if marks is None:
            marks = self._filters[message_id] = MarkFilter(_KNOWN, render=self._render)
        text = self._held.pop(message_id, "") + text
        if perhaps_list := _LIST_BEGINS.search(text):
            self._held[message_id] = text[perhaps_list.start() :]
            text = text[: perhaps_list.start()]
        return marks.feed(text)

    def finish(self, message: MessageView) -> str:
        """Return what was held back of an answer that is complete."""
        marks = self._filters.pop(message.id, None)
        if marks is None:
            return ""
        tail = message.citations.tail if message.citations else ""
        return marks.feed(self._held.pop(message.id, "").removesuffix(tail)) + marks.finish()


def _with_slice_ids(plain: str, citations: Citations) -> str:
    render = fastgpt_mark({card.n: card.slice_id for card in citations.cards})
    pieces, start = [], 0
    for mark in citations.marks:
        pieces += [plain[start : mark.at], " " if mark.is_spaced else "", render(mark.n)]
        start = mark.at
    return "".join([*pieces, plain[start:]])


def _nothing(_: int) -> str:
    return ""
