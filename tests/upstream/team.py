"""Models of agents that work together: their names say which tools they call."""

import re
from typing import Any

import msgspec

from tests.upstream.behaviour import (
    Request,
    behaviour,
    last_user_text,
    reply,
    text_of,
    words,
)
from tests.upstream.steps import Answer


@behaviour(r"asks-(.+)")
def _asks(request: Request, match: re.Match[str]) -> Answer:
    """Call these tools at once, each with the question as its task; then tell what they said."""
    names = match[1].split("+")
    told = _told(request.get("messages", []), names)
    if told or not _may_call(request):
        return reply(request, words("Told: " + " / ".join(told)))
    return _calls(request, names)


@behaviour(r"always-(.+)")
def _always(request: Request, match: re.Match[str]) -> Answer:
    """Call the tool in every step in which that is possible."""
    if not _may_call(request):
        return reply(request, words(f"Enough of {match[1]}."))
    return _calls(request, [match[1]])


@behaviour(r"says-(.+)")
def _says(request: Request, match: re.Match[str]) -> Answer:
    """Say the same in every turn."""
    return reply(request, words(match[1].replace("-", " ")))


def _may_call(request: Request) -> bool:
    return bool(request.get("tools")) and request.get("tool_choice") != "none"


def _told(messages: list[dict[str, Any]], names: list[str]) -> list[str]:
    """What these tools said since the user spoke."""
    told: list[str] = []
    calls: dict[str, str] = {}
    for message in messages:
        match message.get("role"):
            case "user":
                told = []
            case "tool" if calls.get(message["tool_call_id"]) in names:
                told.append(text_of(message.get("content")))
            case _:
                made = message.get("tool_calls") or ()
                calls |= {call["id"]: call["function"]["name"] for call in made}
    return told


def _calls(request: Request, names: list[str]) -> Answer:
    seen = len(request.get("messages", []))
    arguments = {"task": last_user_text(request), "brief": f"b{seen}", "note": "n"}
    calls: list[str | dict[str, Any]] = [
        {
            "tool_calls": [
                {
                    "index": number,
                    "id": f"call_{seen}_{number}",
                    "type": "function",
                    "function": {
                        "name": name,
                        "arguments": msgspec.json.encode(arguments).decode(),
                    },
                }
            ]
        }
        for number, name in enumerate(names)
    ]
    return reply(request, calls, finish="tool_calls")
