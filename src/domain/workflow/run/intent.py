"""Intent: a model names the intent of a text; the port follows."""

import re
from typing import Final

from domain.shared.chat import ChatMessage
from domain.workflow.execution_call import Call
from domain.workflow.execution_error import ModelReplyInvalid
from domain.workflow.graph import DEFAULT_PORT, branch_port
from domain.workflow.node import config_of
from domain.workflow.node.intent import INTENT, QUERY, IntentConfig
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.reply import ask, find_object, history, request
from domain.workflow.template import render
from domain.workflow.text import to_text
from domain.workflow.value import Value

_FULL: Final = (
    "Classify the user's text. Answer with one JSON object "
    '{"classificationId": number, "reason": string} and nothing else.'
)
_FAST: Final = "Classify the user's text. Answer with the number of the intent and nothing else."
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}", re.ASCII)


async def _work(call: Call) -> Result:
    config = config_of(call.node, IntentConfig)
    listed = [f"{number}. {intent}" for number, intent in enumerate(config.intents, 1)]
    none = [] if config.always_chooses else ["0. none of these"]
    system = "\n".join([_FAST if config.is_fast else _FULL, "Intents:", *none, *listed])
    extra = render(config.system_prompt, call.given)
    messages = [ChatMessage.of_text("system", f"{system}\n\n{extra}" if extra else system)]
    messages += await history(call, config.history_rounds)
    messages.append(ChatMessage.of_text("user", to_text(call.inputs.get(QUERY))))
    reply = await ask(call, await request(call, config.model, messages))
    call.raw_output = reply.text
    if config.always_chooses:
        place = _nearest(reply.text, config.intents)
        return Result({INTENT: config.intents[place]}, branch_port(place))
    number, reason = _fast(reply.text) if config.is_fast else _full(reply.text)
    if not 0 <= number <= len(config.intents):
        raise ModelReplyInvalid(f"The model chose the intent {number}, which does not exist.")
    output: dict[str, Value] = {"classificationId": number}
    if not config.is_fast:
        output["reason"] = reason
    return Result(output, branch_port(number - 1) if number else DEFAULT_PORT)


def _nearest(text: str, intents: tuple[str, ...]) -> int:
    """Return the place of the intent that a reply means: by its number, or else by its words."""
    last = len(intents) - 1
    try:
        number = _full(text)[0]
    except ModelReplyInvalid:
        named = (place for place, each in enumerate(intents) if each and each in text)
        return next(named, last)
    return number - 1 if 0 < number <= len(intents) else last


def _fast(text: str) -> tuple[int, str]:
    if not _NUMBER.fullmatch(text.strip()):
        raise ModelReplyInvalid(f"The model answered no number but {text[:80]!r}.")
    return int(text), ""


def _full(text: str) -> tuple[int, str]:
    value = find_object(text)
    number = None if value is None else value.get("classificationId")
    if value is None or isinstance(number, bool) or not isinstance(number, int | float | str):
        raise ModelReplyInvalid(f"The model answered no classification but {text[:80]!r}.")
    if isinstance(number, str):
        return _fast(number)[0], to_text(value.get("reason"))
    return int(number), to_text(value.get("reason"))


RUNNERS.register("intent")(Runner(work=_work))
