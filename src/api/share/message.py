"""Messages as visitors of a share link see them."""

from typing import Literal, Self

import msgspec

from api.citation import whole_text
from api.wire import seconds
from application.conversation.dto import MessageView
from domain.conversation.value import FeedbackKind
from domain.share.value import LinkSettings
from domain.shared.chat import TextPart


class ShareSource(msgspec.Struct, frozen=True, kw_only=True):
    """A source that an answer cites under the number `n`; its text may end with a list of them."""

    n: int
    document_name: str
    page: int | None
    url: str
    quote: str


class ShareFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of a message; `url` is signed and lasts an hour."""

    name: str
    media_type: str
    size: int
    url: str


class ShareMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message of the conversation."""

    id: str
    run_id: str | None
    type: Literal["question", "answer", "follow_up"]
    text: str
    files: list[ShareFile]
    sources: list[ShareSource]
    is_broken: bool
    created_at: int
    verdict: FeedbackKind | None
    """What the visitor said of it."""

    @classmethod
    def of(
        cls, message: MessageView, settings: LinkSettings, verdict: FeedbackKind | None = None
    ) -> Self:
        """Show a question, an answer or a follow-up as far as the link does."""
        cites = settings.shows_citations
        sources = [
            ShareSource(
                n=card.n,
                document_name=card.document_name,
                page=card.page,
                url=card.url,
                quote=card.quote,
            )
            for card in (message.citations.cards if cites and message.citations else ())
        ]
        texts = [each.text for each in message.parts if isinstance(each, TextPart)]
        plain = whole_text(message, "marks" if cites else "none")
        return cls(
            id=str(message.id),
            run_id=str(message.run_id) if message.run_id else None,
            type=_TYPES[message.kind.value],
            text=plain if message.is_text else "\n".join(texts),
            files=[
                ShareFile(name=each.name, media_type=each.media_type, size=each.size, url=each.url)
                for each in message.parts
                if not isinstance(each, TextPart)
            ],
            sources=sources,
            is_broken=message.is_broken,
            created_at=seconds(message.created_at),
            verdict=verdict,
        )


_TYPES: dict[str, Literal["question", "answer", "follow_up"]] = {
    "question": "question",
    "answer": "answer",
    "follow_up": "follow_up",
}
