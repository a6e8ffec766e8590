"""A model that follows the plan in its instructions: calls step by step, then an answer.

The plan stands between ``<plan>`` tags: a JSON list of steps, each with a text ``say`` and a list
of ``calls`` (``name``, ``arguments``); one that ``stalls`` says nothing at all. The last step has
no calls and is repeated; what it says ``again`` follows once the model has said it, and ``finish``
is why it ends. Asked for anything else, it writes three questions.
"""

import json
import re
from typing import Any, Final

from tests.upstream.behaviour import Request, behaviour, reply, text_of, words
from tests.upstream.steps import Answer, Stall, error_answer

QUESTIONS: Final = ("Is there a ferry?", "Where can one sleep?", "What does it cost?")
_PLAN: Final = re.compile(r"<plan>(.*?)</plan>", re.DOTALL)


@behaviour(r"planned(-in-words)?(-once-busy)?")
def _planned(request: Request, match: re.Match[str]) -> Answer:
    """Take the next step; ``-in-words``: the server knows no tools, the prompt describes them.

    ``-once-busy``: the very first request is refused.
    """
    messages = request.get("messages", [])
    if refusal := _refusal(request, match):
        return refusal
    plan = _PLAN.search(" ".join(text_of(each.get("content")) for each in messages))
    if plan is None:
        return reply(request, words(f"Sure: {json.dumps(QUESTIONS)}"))
    steps: list[dict[str, Any]] = json.loads(plan[1])
    made = sum(_is_step(each) for each in messages)
    step = steps[min(made, len(steps) - 1)]
    if step.get("stalls"):
        return Answer(before=[Stall()])
    if match[1]:
        return reply(request, _in_words(step))
    if not step.get("calls"):
        was_said = any(text_of(each.get("content")) == step["say"] for each in messages)
        text = step["again" if was_said and "again" in step else "say"]
        return reply(request, words(text), finish=step.get("finish", "stop"))
    calls = [
        {
            "index": number,
            "id": f"call_{made}_{number}",
            "type": "function",
            "function": {"name": each["name"], "arguments": json.dumps(each["arguments"])},
        }
        for number, each in enumerate(step["calls"])
    ]
    deltas: list[str | dict[str, Any]] = [*words(step.get("say", ""))]
    return reply(
        request, [*deltas, *({"tool_calls": [call]} for call in calls)], finish="tool_calls"
    )


def _refusal(request: Request, match: re.Match[str]) -> Answer | None:
    if match[2] and not request["_seen"]:
        return error_answer(503, "Too many requests at once.")
    if match[1] and "tools" in request:
        return error_answer(400, "This model does not support tools.")
    return None


def _is_step(message: dict[str, Any]) -> bool:
    """Tell whether a message of the assistant asks for calls."""
    if message.get("role") != "assistant":
        return False
    text = text_of(message.get("content"))
    return bool(message.get("tool_calls")) or re.search(r"^1: ", text, re.MULTILINE) is not None


def _in_words(step: dict[str, Any]) -> list[str]:
    said = [f"0: {step['say']}"] if step.get("say") else []
    calls = [f"1: {json.dumps(step['calls'])}"] if step.get("calls") else []
    text = "\n".join([*said, *calls])
    return [text[at : at + 7] for at in range(0, len(text), 7)]
