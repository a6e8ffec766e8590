"""What is really searched for: the question, made self-contained or asked in several ways."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from application.knowledge.retrieval.recall_embedding import QueryEmbedder
from application.knowledge.retrieval.recall_store import Embedding
from crossdomain.model.contract import Models
from domain.knowledge.ranking.query import choose_variants, distinct, parse_rewrite, parse_variants
from domain.knowledge.ranking.selection import estimate_tokens
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, ChatRequest, Sampling, TextDelta, Usage, UsageReported
from domain.shared.error import AppError

_ROUNDS: Final = 5
_HISTORY_TOKENS: Final = 2000
_TEMPERATURE: Final = 0.01
_REPLY_TOKENS: Final = 500
_MAX_REPLY_CHARS: Final = 20_000
_SPARE: Final = 2  # times as many candidates as wanted, to choose among
_MOST: Final = 4  # times as many are looked at, if the model writes more

_REWRITE: Final = (
    "You prepare questions for a search in documents. You get the end of a conversation and its "
    "last question. Write that question so that it can be understood without the conversation: "
    "put names in place of words like it, that, there, and add what is only implied. Keep its "
    "language, its names and its numbers. Do not answer it. If it is clear already, or only a "
    "greeting, repeat it. Reply with the question alone."
)
_EXPAND: Final = (
    "You prepare questions for a search in documents. Write {count} other wordings of the last "
    "question: complete what only the conversation tells, use other words for the same things, "
    "and look at it from different sides. Keep its language. Do not answer it. A greeting or "
    "small talk stays as it is. Reply with a JSON array of texts and nothing else.\n\n"
    "Example 1\n"
    "Q: What does the Basic plan cost?\nA: Nine euros a month.\n"
    "Question: And if I pay for a year?\n"
    'Reply: ["What does the Basic plan cost when paid yearly?", '
    '"Discount for annual payment of the Basic plan", "Yearly price of the Basic subscription"]\n\n'
    "Example 2\n"
    "Question: \u600e\u4e48\u9000\u8d27\uff1f\n"
    'Reply: ["\u9000\u8d27\u6d41\u7a0b\u662f\u4ec0\u4e48\uff1f", '
    '"\u7533\u8bf7\u9000\u8d27\u9700\u8981\u54ea\u4e9b\u6b65\u9aa4\uff1f", '
    '"\u9000\u6b3e\u4e0e\u9000\u8d27\u653f\u7b56"]\n\n'
    "Example 3\nQuestion: Hello!\n"
    'Reply: ["Hello!"]'
)
_BACKGROUND: Final = "What is this conversation about?"
"""The question that the background answers, as the first pair of the conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What a question may refer to, and the model that knows; empty for the default model."""

    history: Sequence[ChatMessage] = ()
    background: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wordings:
    """Further wordings of a question, none of them the question itself."""

    texts: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


NO_WORDINGS: Final = Wordings()
NO_INDEX: Final[Embedding] = ("", 0)
"""The usual model for vectors: no index says which one."""


class QueryWriter:
    """Has a language model write questions anew."""

    def __init__(self, *, models: Models, embedder: QueryEmbedder) -> None:
        self._models = models
        self._embedder = embedder

    async def can_write(self, context: CallContext, model: str) -> bool:
        """Tell whether there is a language model; the built-in one is none.

        A model that is named and gone counts as one: the search then says that it is gone.
        """
        try:
            return not (await self._models.describe(model, space_id=context.space_id)).is_offline
        except AppError:
            return bool(model)

    async def rewrite(self, context: CallContext, question: str, asking: Conversation) -> Wordings:
        """Make the question self-contained; nothing if it is so already. Raises as models do."""
        reply, usage = await self._ask(context, _REWRITE, question, asking)
        text = parse_rewrite(reply, original=question)
        return Wordings(texts=tuple(distinct(question, [text])), usage=usage)

    async def expand(
        self,
        context: CallContext,
        question: str,
        asking: Conversation,
        *,
        count: int,
        embedding: Embedding,
    ) -> Wordings:
        """Ask the question in up to ``count`` other words, as different as possible."""
        prompt = _EXPAND.format(count=count * _SPARE)
        reply, usage = await self._ask(context, prompt, question, asking)
        texts = distinct(question, parse_variants(reply))[: count * _MOST]
        if len(texts) > count:
            texts, tokens = await self._chosen(context, question, texts, count, embedding)
            usage += Usage(input_tokens=tokens)
        return Wordings(texts=tuple(texts), usage=usage)

    async def wordings(
        self,
        context: CallContext,
        question: str,
        *,
        model: str,
        background: str,
        history: Sequence[ChatMessage],
        count: int,
    ) -> tuple[str, ...]:
        """Word a question anew outside of a search; nothing without a language model."""
        if not await self.can_write(context, model):
            return ()
        asking = Conversation(history=history, background=background, model=model)
        made = await self.expand(context, question, asking, count=count, embedding=NO_INDEX)
        return made.texts

    async def _chosen(
        self,
        context: CallContext,
        question: str,
        texts: Sequence[str],
        count: int,
        embedding: Embedding,
    ) -> tuple[list[str], int]:
        """Choose by vectors; without them the first ones."""
        model, dimensions = embedding
        try:
            made = await self._embedder.embed(
                context, [question, *texts], model=model, dimensions=dimensions
            )
        except AppError:
            return choose_variants(texts, count), 0
        first, *others = made.vectors
        chosen = await asyncio.to_thread(
            choose_variants, texts, count, original=first, vectors=others
        )
        return chosen, made.tokens

    async def _ask(
        self,
        context: CallContext,
        prompt: str,
        question: str,
        asking: Conversation,
    ) -> tuple[str, Usage]:
        request = ChatRequest(
            model=asking.model,
            messages=(
                ChatMessage.of_text("system", prompt),
                ChatMessage.of_text(
                    "user", f"{_history_lines(asking)}Question: {question}\nReply:"
                ),
            ),
            sampling=Sampling(temperature=_TEMPERATURE),
            max_output_tokens=_REPLY_TOKENS,
        )
        pieces: list[str] = []
        length = 0
        usage = Usage()
        stream = self._models.stream(context, request, purpose="query_rewrite")
        async with aclosing(stream) as events:
            async for event in events:
                match event:
                    case TextDelta():
                        pieces.append(event.text)
                        length += len(event.text)
                    case UsageReported():
                        usage = event.usage
                    case _:
                        pass  # nothing else is part of the answer
                if length > _MAX_REPLY_CHARS:
                    break
        return "".join(pieces), usage


def _history_lines(asking: Conversation) -> str:
    """Return the background and the newest rounds as lines, oldest first; empty without any."""
    lines: list[str] = []
    rounds, tokens = 0, 0
    for message in reversed(asking.history):
        if message.role not in {"user", "assistant"} or not message.text.strip():
            continue
        line = f"{'Q' if message.role == 'user' else 'A'}: {message.text.strip()}"
        tokens += estimate_tokens(line)
        if tokens > _HISTORY_TOKENS:
            break
        lines.append(line)
        rounds += message.role == "user"
        if rounds == _ROUNDS:
            break
    if background := asking.background.strip():
        lines += [f"A: {background}", f"Q: {_BACKGROUND}"]
    return "".join(f"{line}\n" for line in reversed(lines))
