"""A model that answers by rules: the first one whose words all stand in the request.

A rule is an object: ``when`` (a text or a list of them, searched in the messages and in the tools
that are offered), ``say``, ``reasoning``, ``calls`` (``name``, ``arguments``) or ``error`` (a
status).
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.upstream.behaviour import Request, behaviour, reply, text_of, words
from tests.upstream.steps import Answer, error_answer

Rule = Mapping[str, Any]
RULES: Final[dict[str, Sequence[Rule]]] = {}
"""Rules by the name of the model, as tests of this process set them."""


@behaviour(r"cased-.*")
def _cased(request: Request, match: re.Match[str]) -> Answer:
    asked = _text(request)
    for rule in RULES.get(match[0], ()):
        wanted = rule.get("when", [])
        if all(each in asked for each in ([wanted] if isinstance(wanted, str) else wanted)):
            return _answer(request, rule)
    return reply(request, words(f"No rule for: {asked}"))


def _answer(request: Request, rule: Rule) -> Answer:
    if "error" in rule:
        return error_answer(int(rule["error"]), "Scripted failure.")
    thoughts = [{"reasoning_content": each} for each in words(rule.get("reasoning", ""))]
    made = len(request.get("messages", []))
    calls = [
        {
            "index": number,
            "id": f"call_{made}_{number}",
            "type": "function",
            "function": {"name": each["name"], "arguments": json.dumps(each["arguments"])},
        }
        for number, each in enumerate(rule.get("calls", ()))
    ]
    deltas: list[str | dict[str, Any]] = [*thoughts, *words(rule.get("say", ""))]
    deltas += [{"tool_calls": [call]} for call in calls]
    return reply(request, deltas, finish="tool_calls" if calls else "stop")


def _text(request: Request) -> str:
    """Everything the model is told, one message a line, then the tools."""
    said = [f"{each.get('role')}: {_content(each)}" for each in request.get("messages", [])]
    tools = [json.dumps(each, ensure_ascii=False) for each in request.get("tools") or ()]
    return "\n".join([*said, *tools])


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    images = [
        part["image_url"]["url"]
        for part in (content if isinstance(content, list) else ())
        if part.get("type") == "image_url"
    ]
    return " ".join([text_of(content), *images])
