"""Agents behind the official OpenAI client and FastGPT's dialect."""

from typing import Any

import httpx
import openai
import pytest

from application.conversation.run.event import RunCreated, RunStarted, VariablesUpdated
from domain.conversation.value import Scene
from domain.shared.chat import FilePart, ImagePart, TextPart
from tests.unit.api.harness import (
    AGENT_ID,
    RUN_ID,
    TOKEN,
    ScriptedRuns,
    Surface,
    answering,
    completed,
    failed,
    records,
    run_view,
)

HI = [{"role": "user", "content": "hi"}]
AGENT = str(AGENT_ID)


def sdk(surface: Surface, *, key: str = TOKEN, base: str = "/v1") -> openai.AsyncOpenAI:
    transport = httpx.ASGITransport(surface.app)  # type: ignore[arg-type]
    return openai.AsyncOpenAI(
        api_key=key,
        base_url=f"http://coterie{base}",
        http_client=httpx.AsyncClient(transport=transport),  # type: ignore[arg-type]
        max_retries=0,
    )


async def complete(surface: Surface, **changes: Any) -> httpx.Response:
    body = {"model": AGENT, "messages": HI, **changes}
    async with surface.client() as client:
        return await client.post("/v1/chat/completions", json=body)


@pytest.mark.parametrize("base", ["/v1", "/api/v1"])
async def test_the_client_lists_and_retrieves_agents(base: str) -> None:
    client = sdk(Surface(), base=base)

    ids = [model.id async for model in await client.models.list()]

    assert ids == [AGENT, "weather"]
    assert (await client.models.retrieve("weather")).owned_by


async def test_the_client_completes() -> None:
    surface = Surface()

    reply = await sdk(surface).chat.completions.create(
        model="weather",
        messages=[
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": "two"},
            {"role": "user", "content": "three"},
        ],
        temperature=0.5,
        max_tokens=9,
        stop="END",
        user="alice",
    )

    assert reply.choices[0].message.content == "Hello world"
    assert reply.usage is not None
    assert reply.usage.total_tokens == 633
    assert reply._request_id
    (command,) = surface.runs.started
    assert command.extra_system == ("Be brief.",)
    assert [m.role for m in command.messages] == ["user", "assistant", "user"]
    assert command.overrides.sampling.temperature == 0.5
    assert command.overrides.max_output_tokens == 9
    assert command.overrides.stop == ("END",)
    assert command.end_user_id == "alice"


async def test_the_client_streams() -> None:
    stream = await sdk(Surface()).chat.completions.create(
        model=AGENT,
        messages=[{"role": "user", "content": "hi"}],
        stream=True,
        stream_options={"include_usage": True},
    )

    chunks = [chunk async for chunk in stream]

    text = "".join(c.choices[0].delta.content or "" for c in chunks if c.choices)
    assert text == "Hello world"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage is not None
    assert {chunk.id for chunk in chunks} == {f"chatcmpl-{RUN_ID}"}


async def test_without_a_conversation_nothing_is_kept() -> None:
    surface = Surface()

    response = await complete(surface)

    (command,) = surface.runs.started
    assert command.scene is Scene.EPHEMERAL
    assert not command.save_history
    assert command.cancel_on_disconnect
    assert command.end_user_id == "openai:77"
    assert response.headers["x-chat-id"] == str(RUN_ID)
    assert "x-conversation-id" not in response.headers


@pytest.mark.parametrize(
    ("chat_id", "key", "is_saved", "questions"),
    [
        ("c-1", "c-1", True, ["two"]),
        ("", None, True, ["one", "two"]),
        ("NO_RECORD_HISTORIES", None, False, ["one", "two"]),
        (None, None, False, ["one", "two"]),
    ],
)
async def test_fastgpt_chat_ids(
    chat_id: str | None, key: str | None, is_saved: bool, questions: list[str]
) -> None:
    surface = Surface()
    messages = [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}]

    await complete(surface, chatId=chat_id, messages=messages, variables={"n": 1, "s": "x"})

    (command,) = surface.runs.started
    assert (command.conversation_key, command.save_history) == (key, is_saved)
    assert [
        part.text for m in command.messages for part in m.parts if isinstance(part, TextPart)
    ] == questions
    assert command.variables == {"n": "1", "s": "x"}


async def test_the_key_of_a_fastgpt_client_names_the_application() -> None:
    surface = Surface()

    await sdk(surface, key=f"{TOKEN}-42", base="/api/v1").chat.completions.create(
        model="whatever", messages=[{"role": "user", "content": "hi"}]
    )

    assert surface.runs.started[0].agent_id == 42


async def test_the_key_form_of_fastgpt_opens_no_other_surface() -> None:
    async with Surface().client(token=f"{TOKEN}-42") as client:
        response = await client.post("/v3/chat", json={"bot_id": "1", "user_id": "u"})

    assert response.status_code == 401


async def test_detail_adds_the_results_of_steps_and_variables() -> None:
    script = records(VariablesUpdated(values={"city": "Oslo"}), completed())

    body = (await complete(Surface(ScriptedRuns(script)), detail=True)).json()
    plain = (await complete(Surface(ScriptedRuns(script)))).json()

    assert (body["responseData"], body["newVariables"]) == ([], {"city": "Oslo"})
    assert "responseData" not in plain


async def test_content_parts_of_both_dialects() -> None:
    surface = Surface()
    content = [
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": "https://x.example/a.png", "detail": "low"}},
        {"type": "file", "file": {"file_id": "5"}},
        {"type": "file_url", "name": "a.pdf", "url": "https://x.example/a.pdf"},
    ]

    await complete(surface, messages=[{"role": "user", "content": content}])

    (message,) = surface.runs.started[0].messages
    assert not message.is_text
    assert message.parts == (
        TextPart(text="see"),
        ImagePart(url="https://x.example/a.png", detail="low"),
        FilePart(file_id=5),
        FilePart(url="https://x.example/a.pdf", name="a.pdf"),
    )


@pytest.mark.parametrize(
    ("changes", "param"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "messages"),
        ({"messages": [*HI, {"role": "user", "content": ""}]}, "messages"),
        ({"messages": [*HI, {"role": "user", "content": None}]}, "messages"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": " "}]}]}, "messages"),
        ({"messages": [{"role": "tool", "content": "x"}, *HI]}, "messages[0].tool_call_id"),
        ({"messages": [{"role": "king", "content": "x"}, *HI]}, "messages[0].role"),
        ({"model": None}, "model"),
        ({"temperature": 3}, "temperature"),
        ({"top_p": -0.1}, "top_p"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"stop": ["a"] * 5}, "stop"),
        ({"response_format": {"type": "xml"}}, "response_format"),
        ({"chatId": "c" * 251}, "chatId"),
        ({"metadata": {"k": "x" * 513}}, "metadata.k"),
        ({"stream": "perhaps"}, "stream"),
    ],
)
async def test_what_is_wrong_is_refused_in_openais_shape(
    changes: dict[str, Any], param: str
) -> None:
    response = await complete(Surface(), **changes)

    assert response.status_code == 400
    error = response.json()["error"]
    assert (error["type"], error["code"], error["param"]) == (
        "invalid_request_error",
        "invalid_value",
        param,
    )


@pytest.mark.parametrize(
    ("changes", "code", "param"),
    [
        ({"tools": [{"type": "custom"}]}, "unsupported_tool_type", "tools[0].type"),
        ({"functions": [{}]}, "unsupported_parameter", "functions"),
        ({"function_call": "auto"}, "unsupported_parameter", "function_call"),
        ({"n": 2}, "unsupported_parameter", "n"),
        ({"logprobs": True}, "unsupported_parameter", "logprobs"),
        ({"top_logprobs": 3}, "unsupported_parameter", "top_logprobs"),
        ({"modalities": ["audio"]}, "unsupported_parameter", "modalities"),
        (
            {"messages": [{"role": "user", "content": [{"type": "input_audio"}]}]},
            "unsupported_content",
            "messages[0].content[0]",
        ),
    ],
)
async def test_what_is_not_there_is_refused_by_name(
    changes: dict[str, Any], code: str, param: str
) -> None:
    response = await complete(Surface(), **changes)

    error = response.json()["error"]
    assert (response.status_code, error["code"], error["param"]) == (400, code, param)


async def test_an_unknown_model_is_not_found() -> None:
    with pytest.raises(openai.NotFoundError) as caught:
        await sdk(Surface()).chat.completions.create(
            model="nobody", messages=[{"role": "user", "content": "hi"}]
        )

    assert caught.value.code == "model_not_found"


@pytest.mark.parametrize("stream", [False, True])
async def test_a_failing_model_is_a_server_error(stream: bool) -> None:
    script = records(RunCreated(run_view()), RunStarted(run_view()), failed())

    with pytest.raises(openai.InternalServerError) as caught:
        await sdk(Surface(ScriptedRuns(script))).chat.completions.create(
            model=AGENT, messages=[{"role": "user", "content": "hi"}], stream=stream
        )

    assert (caught.value.status_code, caught.value.code) == (502, "provider_error")


async def test_a_failure_in_mid_stream_reaches_the_client() -> None:
    script = [*answering("a")[:-1], *records(failed())]
    stream = await sdk(Surface(ScriptedRuns(script))).chat.completions.create(
        model=AGENT, messages=[{"role": "user", "content": "hi"}], stream=True
    )

    with pytest.raises(openai.APIError, match="503"):
        _ = [chunk async for chunk in stream]


async def test_a_bad_key_is_an_authentication_error() -> None:
    with pytest.raises(openai.AuthenticationError):
        await sdk(Surface(), key="pat_wrong").models.list()
