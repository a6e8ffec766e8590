"""How a turn ends that may call no more tools: in words, whatever the model does."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from domain.agent.reply import Reply, finish_of
from domain.shared.chat import ChatMessage, FinishReason

CLOSING: Final = ChatMessage.of_text(
    "system", "No more tools can be called. Answer now with what is known so far."
)
INSISTING: Final = ChatMessage.of_text(
    "system",
    "Calls are not executed any more. Write the answer for the user now, in plain sentences and "
    "without any call, from what the results above say.",
)
_SHOWN: Final = 3
_SHOWN_CHARS: Final = 600
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_FOUND: Final = {
    "en": "I could not finish this: no more tools may be called, and the model did not sum up. "
    "This is what was found so far:",
    "zh": "这个问题没能处理完：不能再调用工具，模型也没有给出总结。"  # noqa: RUF001
    "目前得到的结果如下：",  # noqa: RUF001
}
_NOTHING: Final = {
    "en": "I could not finish this: no more tools may be called, and they found nothing usable. "
    "Please ask again, perhaps for a smaller part.",
    "zh": "这个问题没能处理完：不能再调用工具，也没有得到可用的结果。"  # noqa: RUF001
    "请再问一次，或者缩小问题的范围。",  # noqa: RUF001
}


def is_final(reply: Reply) -> bool:
    """Tell whether a closing reply is an answer: words without calls, or cut off for a reason."""
    if finish_of(reply) is not FinishReason.STOP:
        return True
    return bool(reply.text.strip()) and not reply.calls


def reached(question: str, steps: Sequence[ChatMessage]) -> str:
    """Say what the last calls gave, in the language of the question: Chinese or English."""
    language = "zh" if _CHINESE.search(question) else "en"
    found = list(_results(steps))[-_SHOWN:]
    if not found:
        return _NOTHING[language]
    return "\n\n".join((_FOUND[language], *found))


def _results(steps: Sequence[ChatMessage]) -> Iterator[str]:
    """Yield what calls gave that did not fail, each once, under the name of its tool."""
    names = {call.id: call.name for step in steps for call in step.tool_calls}
    told: set[str] = set()
    for step in steps:
        text = step.text.strip()
        if step.role != "tool" or step.tool_error or not text or text in told:
            continue
        told.add(text)
        shown = text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]} …"
        yield f"**{names.get(step.tool_call_id, '')}**: {shown}"
