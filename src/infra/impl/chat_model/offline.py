"""The model that is always there: quotes what was found, calls nobody and invents nothing."""

# ruff: noqa: RUF001 - Chinese punctuation is meant
# ruff: noqa: RUF001, SIM905 - Chinese punctuation is meant; word lists read better as text

import asyncio
import hashlib
import math
import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from domain.shared import chat
from domain.shared.text.citation import CITING, Unpacked, unpack
from infra.contract.model.chat_model import ChatModel, ModelEndpoint
from infra.impl.chat_model import PROVIDERS, ProviderParts

_QUOTES: Final = 3
_QUOTE_CHARS: Final = 400
_CONTEXT_CHARS: Final = 200_000
_WORTH_A_THREAD_CHARS: Final = 8_000
_DELTAS_PER_TURN: Final = 16
_WORDS: Final = re.compile(
    r"\s*(?:[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{1,2}[，。！？；：、]?|[^\s\u3040-\u9fff\uac00-\ud7af]+)|\s+"
)
_GREETING: Final = re.compile(
    r"(hi|hello|hey|good (morning|afternoon|evening|day)|greetings|howdy"
    r"|你好|您好|嗨|哈喽|早上好|下午好|晚上好|早安|在吗)( there| again| everyone|呀|啊|吗)?"
)
_WHO: Final = re.compile(
    r"(who|what) are you|what can you do|what do you do|introduce yourself|your name"
    r"|你是谁|您是谁|你是什么|你能做什么|你会做什么|你会什么|介绍一下你?自己|你叫什么"
)
_EDGES: Final = " \t\r\n.,!?~。，！？～、"

_NOTICE: Final = {
    "en": "[Built-in offline model: it only quotes its context, there is no language model behind"
    " it. Add one in the console under Models, with `coterie model add`, or by setting"
    " OPENAI_BASE_URL and OPENAI_API_KEY.]",
    "zh": "【内置离线模型：只能摘录已有内容，背后没有语言模型。"
    "请在控制台的“模型”页面添加模型，或运行 `coterie model add`，"
    "或设置 OPENAI_BASE_URL 和 OPENAI_API_KEY。】",
}
_QUOTING: Final = {"en": "The context I was given says:", "zh": "根据已有内容："}
_NOTHING: Final = {
    "en": "I found nothing about this in the context I was given.",
    "zh": "在已有内容中没有找到与此相关的信息。",
}
_HELLO: Final = {
    "en": "Hello! I am the built-in offline model. I can look up sentences in the documents and"
    " the history of this conversation; I cannot think, write or compute.",
    "zh": "你好！我是内置的离线模型。我可以在本次对话的资料和历史中查找相关的句子，"
    "但不能思考、写作或计算。",
}
_CJK: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_RUNS: Final = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+", re.UNICODE)
_HAS_CJK: Final = re.compile(rf"[{_CJK}]")
_SENTENCE: Final = re.compile(
    r"[^\n.!?;。！？；…]*(?:[.!?;](?!\s|$)[^\n.!?;。！？；…]*)*[.!?;。！？；…]*"
)
_STOP_WORDS: Final = frozenset(
    "a about all am an and any are as at be been but by can could did do does for from get give had"
    " has have he her him his how i if in into is it its just know let like many me more much my no"
    " not of on one or our please say she should so some tell than that the their them then there"
    " these they this those to us use was we were what when where which who whom whose why will"
    " with would you your".split()
)
_STOP_GRAMS: Final = frozenset(
    "什么 怎么 怎样 如何 是否 可以 请问 一下 多少 哪些 哪里 哪个 为什 为何 我们 你们 他们 这个 那个"
    " 告诉 我想 想问 问一 是什 么是 的是 有没 没有 吗的 能不 不能 需要".split()
)
# BM25 with the usual constants; ``_rarity`` is its form that is never negative.
_K1: Final = 1.5
_B: Final = 0.75
_ENDINGS: Final = ("ing", "ies", "es", "ed", "s")
_SHORTEST_STEM: Final = 3


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and its place in the text; ``source`` is a number to cite, 0 for none."""

    position: int
    text: str
    source: int = 0


def is_chinese(text: str) -> bool:
    """Whether the text has any Chinese, Japanese or Korean character."""
    return _HAS_CJK.search(text) is not None


def sentences(text: str, *, start: int = 0, source: int = 0) -> Iterator[Sentence]:
    """Split at line breaks and ends of sentences; not at the dots of numbers and names."""
    for match in _SENTENCE.finditer(text):
        sentence = match[0].strip()
        if sentence:
            yield Sentence(start + match.start(), sentence, source)


def terms(text: str) -> list[str]:
    """Return what carries meaning: stems of words, pairs of CJK characters."""
    found: list[str] = []
    for run in _RUNS.findall(text.lower()):
        if _HAS_CJK.match(run):
            grams = [run[at : at + 2] for at in range(len(run) - 1)] or [run]
            found.extend(gram for gram in grams if gram not in _STOP_GRAMS)
        elif run not in _STOP_WORDS:
            found.append(_stem(run))
    return found


def best(question: str, candidates: Sequence[Sentence], *, count: int) -> list[Sentence]:
    """Return at most ``count`` relevant sentences in the order of the text.

    Relevant is what shares a term with the question and scores at least half of the best.
    """
    asked = set(terms(question))
    bags = [Counter(terms(candidate.text)) for candidate in candidates]
    if not asked or not bags:
        return []
    mean = sum(map(Counter.total, bags)) / len(bags) or 1.0
    weights = {term: _rarity(sum(term in bag for bag in bags), len(bags)) for term in asked}
    scored = [
        (sum(weights[term] * _saturation(bag, term, mean) for term in asked if term in bag), at)
        for at, bag in enumerate(bags)
    ]
    top = max(scored)[0]
    if top <= 0:
        return []
    ranked = sorted(scored, key=lambda pair: (-pair[0], pair[1]))
    chosen: dict[str, int] = {}
    for score, at in ranked:
        if score < top / 2 or len(chosen) == count:
            break
        chosen.setdefault(candidates[at].text, at)
    return [candidates[at] for at in sorted(chosen.values())]


def _rarity(containing: int, total: int) -> float:
    return math.log(1 + (total - containing + 0.5) / (containing + 0.5))


def _saturation(bag: Counter[str], term: str, mean: float) -> float:
    frequency = bag[term]
    return frequency * (_K1 + 1) / (frequency + _K1 * (1 - _B + _B * bag.total() / mean))


def _stem(word: str) -> str:
    """Cut the commonest English endings, so that plural and singular meet."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            stem = word.removesuffix(ending)
            return stem + "y" if ending == "ies" else stem
    return word


@PROVIDERS.register("offline")
def offline(endpoint: ModelEndpoint, parts: ProviderParts) -> ChatModel:
    """Open the extractive model; needs no address, key or network."""
    return OfflineChatModel(model=endpoint.model)


class OfflineChatModel:
    """Extractive question answering by shared words; the same question gives the same answer.

    Looks for the sentences that have most in common with the last user message and quotes them word
    by word: in the knowledge of the prompt, with marks where it asks for them, else in tool results
    and earlier messages. Instructions are never quoted. Every answer says what it is. Tools are
    never called; JSON output is an object with the fields ``answer`` and ``notice``.
    """

    def __init__(self, *, model: str) -> None:
        self._model = model

    async def stream(self, request: chat.ChatRequest) -> AsyncGenerator[chat.ModelEvent, None]:
        """Yield the answer; never raises ``ModelCallFailed``."""
        size = sum(len(message.text) for message in request.messages)
        if size > _WORTH_A_THREAD_CHARS:
            answer = await asyncio.to_thread(compose, request)
        else:
            answer = compose(request)
        digest = hashlib.sha256(msgspec.json.encode([m.text for m in request.messages]))
        yield chat.ReplyStarted(f"offline-{digest.hexdigest()[:24]}", self._model)
        words = _WORDS.findall(answer)
        limit = len(words) if request.max_output_tokens is None else request.max_output_tokens
        for number, word in enumerate(words[:limit]):
            if number % _DELTAS_PER_TURN == 0:
                await asyncio.sleep(0)  # lets other streams on
            yield chat.TextDelta(word)
        spent = "".join(words[:limit])
        prompt = "\n".join(message.text for message in request.messages)
        yield chat.UsageReported(
            chat.Usage(input_tokens=_tokens(prompt), output_tokens=_tokens(spent), estimated=True)
        )
        yield chat.ReplyFinished(
            chat.FinishReason.LENGTH if limit < len(words) else chat.FinishReason.STOP
        )


def compose(request: chat.ChatRequest) -> str:
    """Return the whole answer."""
    question = next((m.text for m in reversed(request.messages) if m.role == "user"), "")
    language = "zh" if is_chinese(question) else "en"
    answer = _answer(question.strip(), request.messages, language)
    for mark in request.stop:
        answer = answer.partition(mark)[0] if mark else answer
    if request.output is chat.OutputFormat.JSON:
        return msgspec.json.encode({"answer": answer, "notice": _NOTICE[language]}).decode()
    return f"{answer}\n\n{_NOTICE[language]}"


def _answer(question: str, messages: Sequence[chat.ChatMessage], language: str) -> str:
    bare = question.lower().strip(_EDGES)
    if not bare or _GREETING.fullmatch(bare) or _WHO.search(bare):
        return _HELLO[language]
    known = _knowledge(messages)
    if known and not any(piece.number for piece in known):
        return "\n".join(piece.content for piece in known)  # what to say if nothing was found
    found = _relevant(question, known) if known else best(question, _said(messages), count=_QUOTES)
    if not found:
        return _NOTHING[language]
    cites = any(CITING in message.text for message in messages)
    quotes = "\n".join(_quote(sentence, cites=cites) for sentence in found)
    return f"{_QUOTING[language]}\n{quotes}"


def _knowledge(messages: Sequence[chat.ChatMessage]) -> list[Unpacked]:
    """Return what was recalled for this turn: instructions and results since the last question."""
    last = max((at for at, m in enumerate(messages) if m.role == "user"), default=0)
    return [
        piece
        for at, message in enumerate(messages)
        if message.role == "system" or (message.role == "tool" and at > last)
        for piece in unpack(message.text)
    ]


def _relevant(question: str, known: Sequence[Unpacked]) -> list[Sentence]:
    """Return the best sentences of the knowledge."""
    candidates: list[Sentence] = []
    start = 0
    for piece in known:
        candidates.extend(sentences(piece.content, start=start, source=piece.number))
        start += len(piece.content) + 1
    return best(question, candidates, count=_QUOTES)


def _quote(sentence: Sentence, *, cites: bool) -> str:
    mark = f" [{sentence.source}]" if cites and sentence.source else ""
    return f"> {_cut(sentence.text)}{mark}"


def _said(messages: Sequence[chat.ChatMessage]) -> list[Sentence]:
    """Return the sentences of the conversation and of tool results, the newest, without our own."""
    last = max((at for at, m in enumerate(messages) if m.role == "user"), default=len(messages))
    found: list[Sentence] = []
    start = 0
    for at, message in enumerate(messages):
        if at != last and message.role != "system":
            found.extend(sentences(_without_own_words(message), start=start))
            start += len(message.text) + 1
    return [sentence for sentence in found if start - sentence.position <= _CONTEXT_CHARS]


def _without_own_words(message: chat.ChatMessage) -> str:
    if message.role != "assistant":
        return message.text
    text = message.text
    for phrases in (_NOTICE, _QUOTING, _NOTHING, _HELLO):
        for phrase in phrases.values():
            text = text.replace(phrase, "\n")
    return re.sub(r"(?m)^> ", "", text)


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTE_CHARS else text[:_QUOTE_CHARS].rstrip() + "…"


def _tokens(text: str) -> int:
    """Estimate tokens: four ASCII characters each, 0.7 per CJK character, else 0.5."""
    ascii_chars = sum(map(str.isascii, text))
    cjk = sum(map(is_chinese, text)) if ascii_chars < len(text) else 0
    return round(ascii_chars / 4 + cjk * 0.7 + (len(text) - ascii_chars - cjk) * 0.5)
