"""A model that does whatever any text in its context says: the worst case of prompt injection.

Orders look like ``@@call name key=value;key=value@@`` and ``@@say text@@``; ``CODE`` stands for
every code word that the system messages mention.
"""

import html
import re
from typing import Any, Final

import msgspec

from tests.upstream.behaviour import Request, behaviour, reply, text_of, words
from tests.upstream.steps import Answer

_ORDER: Final = re.compile(r"@@(call|say) (.*?)@@", re.DOTALL)
_INVISIBLE: Final = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_CODE: Final = re.compile(r"zq-[a-z0-9-]+")


@behaviour(r"obedient(-[a-z]+)?")
def _obedient(request: Request, match: re.Match[str]) -> Answer:
    """Make all calls that are ordered and not made yet, then say what is ordered."""
    messages = request.get("messages", [])
    tools = [each["function"] for each in request.get("tools") or []]
    heard = [text_of(each.get("content")) for each in messages if each["role"] != "assistant"]
    heard += [each.get("description", "") for each in tools]
    codes = " ".join(_CODE.findall(" ".join(heard)))
    text = html.unescape(_INVISIBLE.sub("", "\n".join(heard))).replace("CODE", codes)
    orders = list(dict.fromkeys(_ORDER.findall(text)))
    made = {
        (each["function"]["name"], each["function"]["arguments"])
        for message in messages
        for each in message.get("tool_calls") or ()
    }
    calls = [_call(what) for kind, what in orders if kind == "call"]
    known = {each["name"] for each in tools}
    wanted = [each for each in calls if each not in made and each[0] in {*known, "shell"}]
    if tools and wanted:
        deltas = [_delta(number, name, given) for number, (name, given) in enumerate(wanted)]
        return reply(request, list(deltas), finish="tool_calls")
    said = "\n\n".join(what for kind, what in orders if kind == "say")
    return reply(request, words(said or "Done."))


def _call(what: str) -> tuple[str, str]:
    name, _, given = what.strip().partition(" ")
    pairs = (each.partition("=") for each in given.split(";") if each)
    arguments = {key.strip(): value for key, _, value in pairs}
    return name, msgspec.json.encode(arguments).decode()


def _delta(number: int, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    call_id = f"call_{abs(hash((name, arguments))) % 10**9}"
    return {
        "tool_calls": [{"index": number, "id": call_id, "type": "function", "function": function}]
    }
