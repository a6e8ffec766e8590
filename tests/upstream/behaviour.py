"""From the name of a model to the answer it gives."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from tests.upstream.steps import (
    DONE,
    EVENT_STREAM,
    JSON,
    Answer,
    Reset,
    Send,
    Stall,
    Step,
    Wait,
    chunk,
    error_answer,
    event,
    json_answer,
)

CHINESE = "你好世界🚀智能体平台正在运行"
PAGE = b"<!DOCTYPE html><html><body>Bad gateway</body></html>"
FENCE = re.compile(r"<data-[0-9a-f]{8}>\n|\n</data-[0-9a-f]{8}>")
"""Tags around results of tools; the scripted models read what is inside."""

TOKENS = re.compile(r"\s*\S+")

Request = dict[str, Any]
Behaviour = Callable[[Request, re.Match[str]], Answer]
BEHAVIOURS: list[tuple[re.Pattern[str], Behaviour]] = []


def behaviour(pattern: str) -> Callable[[Behaviour], Behaviour]:
    def add(function: Behaviour) -> Behaviour:
        BEHAVIOURS.append((re.compile(pattern), function))
        return function

    return add


def answer_chat(request: Request) -> Answer:
    name = str(request.get("model", ""))
    for pattern, function in BEHAVIOURS:
        if match := pattern.fullmatch(name):
            return function(request, match)
    return reply(request, words(last_user_text(request)))


def last_user_text(request: Request) -> str:
    for message in reversed(request.get("messages", [])):
        if message.get("role") == "user":
            return text_of(message.get("content"))
    return ""


def text_of(content: object) -> str:
    if isinstance(content, list):
        return " ".join(part.get("text") or f"<{part.get('type')}>" for part in content)
    return FENCE.sub("", str(content or ""))


def words(text: str) -> list[str]:
    return TOKENS.findall(text) or ([text] if text else [])


def usage(request: Request, pieces: Sequence[object]) -> dict[str, Any]:
    prompt = sum(len(words(text_of(m.get("content")))) for m in request.get("messages", []))
    return {
        "prompt_tokens": prompt,
        "completion_tokens": len(pieces),
        "total_tokens": prompt + len(pieces),
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0},
    }


def reply(
    request: Request,
    pieces: Sequence[str | dict[str, Any]],
    *,
    finish: str = "stop",
    pause_s: float = 0.0,
    first_s: float = 0.0,
    with_usage: bool = True,
) -> Answer:
    """A well-behaved reply: text pieces or ready deltas, streamed if the request says so."""
    model = str(request.get("model", ""))
    deltas = [{"content": piece} if isinstance(piece, str) else piece for piece in pieces]
    if not request.get("stream"):
        return whole(request, deltas, finish=finish, wait_s=first_s + pause_s * len(deltas))
    wait = [Wait(pause_s)] if pause_s else []
    steps: list[Step] = [Wait(first_s)] if first_s else []
    steps.append(Send(event(chunk({"role": "assistant", "content": ""}, model=model))))
    for delta in deltas:
        steps += [*wait, Send(event(chunk(delta, model=model)))]
    end = event(chunk({}, model=model, finish=finish))
    if with_usage and (request.get("stream_options") or {}).get("include_usage"):
        end += event(chunk(None, model=model) | {"choices": [], "usage": usage(request, deltas)})
    steps.append(Send(end + DONE))
    return Answer(steps=steps)


def whole(
    request: Request, deltas: Sequence[dict[str, Any]], *, finish: str, wait_s: float = 0.0
) -> Answer:
    """The same reply in one piece."""
    message: dict[str, Any] = {
        "role": "assistant",
        "content": "".join(delta.get("content") or "" for delta in deltas),
    }
    if thoughts := "".join(delta.get("reasoning_content") or "" for delta in deltas):
        message["reasoning_content"] = thoughts
    if calls := [call for delta in deltas for call in delta.get("tool_calls") or ()]:
        message["tool_calls"] = calls
    body = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": request.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage(request, deltas),
    }
    answer = json_answer(body)
    return Answer(headers=JSON, steps=answer.steps, before=[Wait(wait_s)] if wait_s else [])


def echo(request: Request) -> Answer:
    return reply(request, words(last_user_text(request)))


def sends(request: Request, pieces: Iterable[str] | None = None) -> list[Step]:
    """The stream of a reply without its end, one write per chunk."""
    found = words(last_user_text(request)) if pieces is None else pieces
    model = str(request.get("model", ""))
    return [Send(event(chunk({"content": piece}, model=model))) for piece in found]


@behaviour(r"tokens-(\d+)-(\d+(?:\.\d+)?)")
def _tokens(request: Request, match: re.Match[str]) -> Answer:
    pieces = [f"t{number} " for number in range(int(match[1]))]
    return reply(request, pieces, pause_s=float(match[2]) / 1000)


@behaviour(r"slow-(\d+)ms")
def _slow(request: Request, match: re.Match[str]) -> Answer:
    return reply(request, words(last_user_text(request)), pause_s=int(match[1]) / 1000)


@behaviour(r"late-(\d+)")
def _late(request: Request, match: re.Match[str]) -> Answer:
    return reply(request, words(last_user_text(request)), first_s=int(match[1]) / 1000)


@behaviour(r"stall(?:-after-(\d+))?")
def _stall(request: Request, match: re.Match[str]) -> Answer:
    pieces = [f"t{number} " for number in range(int(match[1] or 0))]
    return Answer(steps=[Send(b": waiting\n\n"), *sends(request, pieces), Stall()])


@behaviour(r"hang")
def _hang(request: Request, match: re.Match[str]) -> Answer:
    return Answer(before=[Stall()])


@behaviour(r"reset(?:-after-(\d+))?")
def _reset(request: Request, match: re.Match[str]) -> Answer:
    if match[1] is None:
        return Answer(before=[Reset()])
    pieces = [f"t{number} " for number in range(int(match[1]))]
    return Answer(steps=[*sends(request, pieces), Wait(0.02), Reset()])


@behaviour(r"truncated")
def _truncated(request: Request, match: re.Match[str]) -> Answer:
    return Answer(steps=sends(request, ["Once ", "upon "]))


@behaviour(r"no-done|open-end")
def _no_done(request: Request, match: re.Match[str]) -> Answer:
    end: list[Step] = [Send(event(chunk({}, finish="stop")))]
    return Answer(steps=[*sends(request), *end], has_end=match[0] == "no-done")


@behaviour(r"no-finish")
def _no_finish(request: Request, match: re.Match[str]) -> Answer:
    return Answer(steps=[*sends(request), Send(DONE)])


@behaviour(r"half-utf8")
def _half_utf8(request: Request, match: re.Match[str]) -> Answer:
    whole_body = b"".join(step.data for step in sends(request, CHINESE) if isinstance(step, Send))
    whole_body += event(chunk({}, finish="stop")) + DONE
    whole_body = whole_body.replace(b"\n\n", b"\r\n\r\n")
    steps: list[Step] = []
    for at in range(0, len(whole_body), 3):
        steps += [Send(whole_body[at : at + 3]), Wait(0)]
    return Answer(steps=steps)


@behaviour(r"(only-)?garbage")
def _garbage(request: Request, match: re.Match[str]) -> Answer:
    noise = (
        b": comment\n\nevent: ping\ndata: ping\n\nretry: 10\nid: 4\n\ndata: {broken\n\nnonsense\n\n"
    )
    if match[1]:
        return Answer(steps=[Send(noise), Send(b"data: \xff\xfe\n\n")])
    steps: list[Step] = [Send(b"\xef\xbb\xbf" + noise)]
    for step in sends(request):
        steps += [step, Send(noise)]
    return Answer(steps=[*steps, Send(event(chunk({}, finish="stop")) + DONE)])


@behaviour(r"empty")
def _empty(request: Request, match: re.Match[str]) -> Answer:
    return reply(request, [])


@behaviour(r"silent")
def _silent(request: Request, match: re.Match[str]) -> Answer:
    return Answer()


@behaviour(r"plain-json")
def _plain_json(request: Request, match: re.Match[str]) -> Answer:
    deltas = [{"content": last_user_text(request), "reasoning_content": "Easy."}]
    answer = whole(request, deltas, finish="stop")
    data = answer.steps[0].data if isinstance(answer.steps[0], Send) else b""
    return Answer(headers=JSON, steps=[Send(data[:40]), Wait(0.01), Send(data[40:])])


@behaviour(r"html")
def _html(request: Request, match: re.Match[str]) -> Answer:
    return Answer(headers={"content-type": "text/html"}, steps=[Send(PAGE)])


@behaviour(r"error-(\d{3})(?:-retry-after-(\d+))?")
def _error_status(request: Request, match: re.Match[str]) -> Answer:
    headers = {"retry-after": match[2]} if match[2] else {}
    return error_answer(int(match[1]), "Scripted failure.", headers=headers)


@behaviour(r"error-(context|quota|filter|model|balance|html|stream|later|key)")
def _error_word(request: Request, match: re.Match[str]) -> Answer:
    overloaded = {"error": {"message": "Overloaded.", "type": "server_error", "code": 503}}
    answers = {
        "context": error_answer(
            400,
            "This model's maximum context length is 8192 tokens. Please reduce the length.",
            code="context_length_exceeded",
        ),
        "quota": error_answer(429, "You exceeded your current quota.", code="insufficient_quota"),
        "filter": error_answer(400, "Triggered content management policy.", code="content_filter"),
        "model": error_answer(404, "The model `x` does not exist.", code="model_not_found"),
        "balance": error_answer(402, "Insufficient Balance"),
        "key": error_answer(400, f"Bad key {request.get('_authorization')} for user."),
        "html": Answer(status=502, headers={"content-type": "text/html"}, steps=[Send(PAGE)]),
        "stream": Answer(steps=[Send(event(overloaded))]),
        "later": Answer(steps=[*sends(request, ["Once ", "upon "]), Send(event(overloaded))]),
    }
    return answers[match[1]]


@behaviour(r"no-stream-options")
def _no_stream_options(request: Request, match: re.Match[str]) -> Answer:
    if "stream_options" in request:
        return error_answer(400, "Unknown field: stream_options.")
    return echo(request)


@behaviour(r"flaky-(\d+)")
def _flaky(request: Request, match: re.Match[str]) -> Answer:
    if request["_seen"] < int(match[1]):
        return error_answer(500, "Scripted failure.", kind="server_error")
    return echo(request)


@behaviour(r"think-tags")
def _think_tags(request: Request, match: re.Match[str]) -> Answer:
    return reply(request, ["<thi", "nk>Let me", " see.</th", "ink>\n\n", "The ", "answer."])


@behaviour(r"reasoning(-field|-details)?")
def _reasoning(request: Request, match: re.Match[str]) -> Answer:
    thoughts = ["Let me ", "see."]
    if match[1] == "-details":
        deltas: list[dict[str, Any]] = [
            {"reasoning_details": [{"type": "reasoning.text", "text": text}]} for text in thoughts
        ]
    else:
        field = "reasoning" if match[1] else "reasoning_content"
        deltas = [{field: text, "content": None} for text in thoughts]
    return reply(request, [*deltas, "The ", "answer."])


@behaviour(r"tool-call(-[a-z-]+)?")
def _tool_call(request: Request, match: re.Match[str]) -> Answer:
    messages = request.get("messages", [])
    tools = request.get("tools") or []
    if not tools or (messages and messages[-1].get("role") == "tool"):
        told = text_of(messages[-1].get("content")) if messages else ""
        return reply(request, words(f"The tool said: {told}"))
    name = tools[0]["function"]["name"]
    arguments = msgspec.json.encode({"city": "Paris", "note": last_user_text(request)}).decode()
    deltas = _call_deltas(match[1] or "", name, arguments)
    return reply(request, deltas, finish="stop" if match[1] == "-stop" else "tool_calls")


@behaviour(r"capable")
def _capable(request: Request, _: re.Match[str]) -> Answer:
    """Do what is asked for: call a tool where there is one, an object where JSON is wanted."""
    if tools := request.get("tools"):
        deltas = _call_deltas("", tools[0]["function"]["name"], "{}")
        return reply(request, deltas, finish="tool_calls")
    if request.get("response_format"):
        return reply(request, ['{"ready": true}'])
    return reply(request, words(last_user_text(request)))


@behaviour(r"tool-loop(-same|-deaf)?")
def _tool_loop(request: Request, match: re.Match[str]) -> Answer:
    tools = request.get("tools") or []
    is_over = not tools or request.get("tool_choice") == "none"
    if is_over and (match[1] != "-deaf" or not tools):
        return reply(request, words("I looked often enough."))
    number = 0 if match[1] == "-same" else len(request.get("messages", []))
    arguments = msgspec.json.encode({"city": f"City {number}"}).decode()
    deltas = _call_deltas("", tools[0]["function"]["name"], arguments)
    return reply(request, deltas, finish="tool_calls")


def _call_deltas(variant: str, name: str, arguments: str) -> list[str | dict[str, Any]]:
    half = len(arguments) // 2

    def call(**fields: Any) -> dict[str, Any]:
        function = {key: fields.pop(key) for key in ("name", "arguments") if key in fields}
        return {"tool_calls": [{"type": "function", "function": function} | fields]}

    variants: dict[str, list[str | dict[str, Any]]] = {
        "-split": [
            call(index=0, id="call_1", name=name[:3], arguments=""),
            call(index=0, name=name[3:]),
            *(call(index=0, arguments=letter) for letter in arguments),
        ],
        "-no-index": [
            call(id="call_1", name=name, arguments=arguments[:half]),
            call(arguments=arguments[half:]),
            call(id="call_2", name=name, arguments=arguments),
        ],
        "-object": [
            call(index=0, id="call_1", name=name, arguments=msgspec.json.decode(arguments)),
        ],
        "-repeated": [
            call(index=0, id="call_1", name=name, arguments=part)
            for part in (arguments[:half], arguments[half:])
        ],
        "-no-id": [
            call(index=0, name=name, arguments=arguments),
        ],
        "-parallel": [
            call(index=0, id="call_1", name=name, arguments=""),
            call(index=1, id="call_2", name=name, arguments=""),
            call(index=0, arguments=arguments),
            call(index=1, arguments=arguments),
        ],
        "-same-index": [
            call(index=0, id="call_1", name=name, arguments=arguments),
            call(index=0, id="call_2", name=name, arguments=arguments),
        ],
        "-legacy": [
            {"function_call": {"name": name, "arguments": ""}},
            {"function_call": {"arguments": arguments}},
        ],
        "": [
            "Let me look. ",
            call(index=0, id="call_1", name=name, arguments=""),
            call(index=0, arguments=arguments[:half]),
            call(index=0, arguments=arguments[half:]),
        ],
    }
    return variants.get(variant, variants[""])


@behaviour(r"cites")
def _cites(request: Request, match: re.Match[str]) -> Answer:
    return reply(request, ["Every 500", " hours [", "1", "], not", " [9", "9] 100."])


@behaviour(r"recalls(-twice)?")
def _recalls(request: Request, match: re.Match[str]) -> Answer:
    messages = request.get("messages", [])
    if not request.get("tools") or messages[-1].get("role") == "tool":
        return reply(request, ["It ", "says so [", "1]."])
    arguments = msgspec.json.encode({"query": last_user_text(request)}).decode()
    count = 2 if match[1] else 1
    calls: list[dict[str, Any]] = [
        {
            "index": number,
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": "recallKnowledge", "arguments": arguments},
        }
        for number in range(count)
    ]
    return reply(
        request,
        ["Let me look. ", *({"tool_calls": [call]} for call in calls)],
        finish="tool_calls",
    )


@behaviour(r"prompted(-deaf)?")
def _prompted(request: Request, match: re.Match[str]) -> Answer:
    messages = request.get("messages", [])
    is_told = any("<tools>" in text_of(message.get("content")) for message in messages)
    if "tools" in request or not is_told:
        return error_answer(400, "This model does not support tools.")
    question = last_user_text(request)
    if question.startswith("<tool_result") and not match[1]:
        return reply(request, ["0", ": It ", "says so [", "1]."])
    call = {"name": "recallKnowledge", "arguments": {"query": question}}
    if match[1]:
        told = "".join(text_of(message.get("content")) for message in messages)
        name = re.search(r'<tools>\s*{"name":"(\w+)"', told)
        call = {"name": name[1] if name else "", "arguments": {"city": f"City {len(messages)}"}}
    text = msgspec.json.encode(call).decode()
    return reply(request, ["0: Let", " me look.", "\n1", ": ", text[:9], text[9:], "\nSo:"])


@behaviour(r"no-usage")
def _no_usage(request: Request, match: re.Match[str]) -> Answer:
    return reply(request, words(last_user_text(request)), with_usage=False)


@behaviour(r"usage-every-chunk")
def _usage_every_chunk(request: Request, match: re.Match[str]) -> Answer:
    pieces = words(last_user_text(request))
    steps: list[Step] = [
        Send(event(chunk({"content": piece}, usage=usage(request, pieces[: number + 1]))))
        for number, piece in enumerate(pieces)
    ]
    return Answer(steps=[*steps, Send(event(chunk({}, finish="stop")) + DONE)])


@behaviour(r"usage-in-choice")
def _usage_in_choice(request: Request, match: re.Match[str]) -> Answer:
    last = chunk({}, finish="stop")
    last["choices"][0]["usage"] = usage(request, words(last_user_text(request)))
    return Answer(steps=[*sends(request), Send(event(last) + DONE)])


@behaviour(r"odd")
def _odd(request: Request, match: re.Match[str]) -> Answer:
    preamble = chunk(None) | {"choices": [], "prompt_filter_results": []}
    blocks = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]
    bodies: list[dict[str, Any]] = [
        preamble,
        chunk(None),
        chunk({"content": None, "tool_calls": None}),
        chunk({"content": blocks}, id=17),
        chunk({"content": [{"type": "text", "text": "Hel"}]}),
        chunk({"content": "lo"}, usage={}),
        chunk({"refusal": "!"}, finish="eos"),
    ]
    return Answer(headers=EVENT_STREAM, steps=[Send(event(body)) for body in bodies])
