"""One reply through the pipeline: order of events, retries, stand-ins, accounting."""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import msgspec
import pytest

from domain.model.catalog import configured_model
from domain.model.entity import Model
from domain.model.error import BreakerOpen, ModelBusy, ModelNotFound, ModelUnfit
from domain.model.price import PriceTable, PriceTier
from domain.model.service import RetryPolicy
from domain.model.value import ModelSpec, ModelType
from domain.shared.call import CallContext
from domain.shared.chat import (
    Capabilities,
    ChatMessage,
    ChatRequest,
    ContentReplaced,
    FinishReason,
    ModelEvent,
    ReasoningDelta,
    ReplyFinished,
    ReplyStarted,
    Sampling,
    TextDelta,
    TextPart,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
    UsageReported,
)
from domain.shared.ids import SpaceId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from domain.shared.tracing.span import SpanLog, within
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from tests.support.model.double import Bench, Script, bench, configured, question, reply

URL = "https://models.test/v1"


def failure(kind: ModelFailure, *, retry_after_s: float | None = None) -> ModelCallFailed:
    return ModelCallFailed("It failed.", failure=kind, retry_after_s=retry_after_s)


async def collect(
    of: Bench, request: ChatRequest | None = None, *, context: CallContext | None = None
) -> list[ModelEvent]:
    stream = of.service.stream(context or of.context, request or question())
    async with aclosing(stream) as events:
        return [event async for event in events]


def text_of(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_a_reply_keeps_its_order_and_ends_with_usage() -> None:
    reported = UsageReported(Usage(input_tokens=7, output_tokens=2))
    first, *rest = reply("Be", "cause")
    of = bench({"main": [[first, reported, *rest]]}, [configured("main")])
    assert await collect(of) == [
        ReplyStarted("r1", "upstream"),
        TextDelta("Be"),
        TextDelta("cause"),
        reported,
        ReplyFinished(FinishReason.STOP),
    ]
    [call] = of.ledger
    assert (call.model, call.outcome, call.attempt) == ("main", "ok", 1)
    assert call.usage == reported.usage


async def test_the_span_of_a_call_says_how_it_was_asked() -> None:
    of = bench({"main": [reply("Yes")]}, [configured("main")])
    asked = msgspec.structs.replace(
        question(), sampling=Sampling(temperature=0, seed=7), reasoning_effort="low", stop=("END",)
    )
    log = SpanLog(1, keeps_content=False, began_at=datetime(2026, 11, 28, tzinfo=UTC))
    with within(log.root):
        await collect(of, asked)

    [span] = log.spans
    told = span.attributes or {}
    expected = {"temperature": 0, "seed": 7, "reasoning_effort": "low", "stop": ("END",)}
    assert told.items() >= {**expected, "attempt": 1, "response_id": "r1"}.items()
    assert not told.keys() & {"top_p", "presence_penalty", "tools"}


async def test_missing_usage_is_estimated() -> None:
    of = bench({"main": [reply("Because of the weather")]}, [configured("main")])
    events = await collect(of)
    [usage] = [event.usage for event in events if isinstance(event, UsageReported)]
    assert usage.estimated
    assert usage.input_tokens > 0
    assert usage.output_tokens > 0
    assert of.ledger[0].usage == usage


async def test_the_price_of_a_call_is_in_the_ledger() -> None:
    prices = PriceTable(tiers=(PriceTier(input=Decimal(2), output=Decimal(8)),))
    model = configured("main", spec=ModelSpec(name="main", base_url=URL, prices=prices))
    reported = UsageReported(Usage(input_tokens=1000, output_tokens=500))
    of = bench({"main": [[*reply("Yes")[:-1], reported, reply()[-1]]]}, [model])
    await collect(of)
    assert of.ledger[0].cost == "0.00600000"


async def test_think_tags_become_reasoning() -> None:
    of = bench({"main": [reply("<thi", "nk>hm</think>", "\n\nYes", " no")]}, [configured("main")])
    events = await collect(of)
    assert [e for e in events if isinstance(e, ReasoningDelta)] == [ReasoningDelta("hm")]
    assert text_of(events) == "Yes no"


async def test_a_model_that_swallows_the_opening_tag_is_learned_about() -> None:
    of = bench(
        {"main": [reply("hm", "</think>", "Yes"), reply("hm ", "again</think>", "No")]},
        [configured("main")],
    )
    first = await collect(of)
    assert ContentReplaced(text="", reasoning="hm") in first
    second = await collect(of)
    assert not any(isinstance(event, ContentReplaced) for event in second)
    assert text_of(second) == "No"


async def test_estimates_count_text_after_a_replacement() -> None:
    of = bench({"main": [reply("hmhm", "</think>", "Yes ", "and " * 4)]}, [configured("main")])
    await collect(of)
    usage = of.ledger[0].usage
    assert (usage.reasoning_tokens, usage.output_tokens) == (1, 6)


async def test_native_reasoning_leaves_the_text_alone() -> None:
    started, finished = reply()[0], reply()[-1]
    script = [started, ReasoningDelta("hm"), TextDelta("Write </think> so"), finished]
    of = bench({"main": [script]}, [configured("main")])
    assert text_of(await collect(of)) == "Write </think> so"


@pytest.mark.parametrize(
    "kind",
    [
        ModelFailure.CONNECT,
        ModelFailure.TIMEOUT,
        ModelFailure.RATE_LIMITED,
        ModelFailure.OVERLOADED,
        ModelFailure.MALFORMED,
    ],
)
async def test_failures_that_may_pass_are_retried_unseen(kind: ModelFailure) -> None:
    broken = [reply()[0], failure(kind)]
    of = bench({"main": [broken, reply("Yes")]}, [configured("main")])
    events = await collect(of)
    assert [type(event) for event in events].count(ReplyStarted) == 1
    assert text_of(events) == "Yes"
    assert [(call.attempt, call.outcome) for call in of.ledger] == [(1, "failed"), (2, "ok")]


async def test_three_attempts_are_all() -> None:
    of = bench({"main": [[failure(ModelFailure.CONNECT)]]}, [configured("main")])
    with pytest.raises(ModelCallFailed):
        await collect(of)
    assert len(of.ledger) == 3
    assert of.ledger[0].usage == Usage()
    assert of.ledger[0].error == "connect: It failed."


@pytest.mark.parametrize(
    "kind",
    [ModelFailure.AUTH, ModelFailure.INVALID_REQUEST, ModelFailure.CONTENT_FILTER],
)
async def test_failures_that_stay_are_not_retried(kind: ModelFailure) -> None:
    of = bench({"main": [[failure(kind)]]}, [configured("main")])
    with pytest.raises(ModelCallFailed):
        await collect(of)
    assert len(of.ledger) == 1


async def test_nothing_is_retried_once_content_got_out() -> None:
    broken = [*reply("Be")[:-1], failure(ModelFailure.INTERRUPTED)]
    of = bench({"main": [broken, reply("Yes")], "other": [reply("Other")]}, _chained())
    with pytest.raises(ModelCallFailed) as caught:
        await collect(of)
    assert caught.value.failure is ModelFailure.INTERRUPTED
    assert [call.outcome for call in of.ledger] == ["failed"]
    assert of.ledger[0].usage.output_tokens > 0


async def test_an_empty_reply_is_retried() -> None:
    of = bench({"main": [reply(" \n"), reply("Yes")]}, [configured("main")])
    assert text_of(await collect(of)) == "Yes"
    assert of.ledger[0].error.startswith("empty")


async def test_an_empty_reply_that_the_provider_explains_is_kept() -> None:
    of = bench({"main": [reply(reason=FinishReason.CONTENT_FILTER)]}, [configured("main")])
    assert (await collect(of))[-1] == ReplyFinished(FinishReason.CONTENT_FILTER)


async def test_thoughts_without_an_answer_are_an_empty_reply() -> None:
    of = bench({"main": [reply("<think>hm")]}, [configured("main")])
    with pytest.raises(ModelCallFailed) as caught:
        await collect(of)
    assert caught.value.failure is ModelFailure.EMPTY
    assert len(of.ledger) == 1


async def test_a_stream_without_an_end_is_malformed() -> None:
    of = bench({"main": [reply()[:1], reply("Yes")]}, [configured("main")])
    assert text_of(await collect(of)) == "Yes"
    assert of.ledger[0].error.startswith("malformed")


async def test_tool_calls_without_calls_end_normally() -> None:
    of = bench({"main": [reply("Yes", reason=FinishReason.TOOL_CALLS)]}, [configured("main")])
    assert (await collect(of))[-1] == ReplyFinished(FinishReason.STOP)


async def test_a_reply_of_tool_calls_only_is_not_empty() -> None:
    call = ToolCallDelta(index=0, id="c1", name="look", arguments="{}")
    script = [reply()[0], call, ReplyFinished(FinishReason.TOOL_CALLS)]
    of = bench({"main": [script]}, [configured("main")])
    assert call in await collect(of)


def _chained(window: int = 0) -> list[Model]:
    spec = ModelSpec(name="main", base_url=URL, fallbacks=("other", "gone"), window=8000)
    other = ModelSpec(name="other", base_url=URL, window=window or 32_000)
    return [configured("main", spec=spec), configured("other", spec=other)]


@pytest.mark.parametrize("kind", [ModelFailure.AUTH, ModelFailure.QUOTA, ModelFailure.CONNECT])
async def test_a_stand_in_answers_for_a_failing_model(kind: ModelFailure) -> None:
    of = bench({"main": [[failure(kind)]], "other": [reply("Other")]}, _chained())
    assert text_of(await collect(of)) == "Other"
    assert of.ledger[-1].model == "other"
    assert of.ledger[-1].attempt == 1


async def test_a_bad_request_has_no_stand_in() -> None:
    scripts: dict[str, list[Script]] = {
        "main": [[failure(ModelFailure.INVALID_REQUEST)]],
        "other": [reply("Other")],
    }
    of = bench(scripts, _chained())
    with pytest.raises(ModelCallFailed):
        await collect(of)


@pytest.mark.parametrize(("window", "is_answered"), [(32_000, True), (8000, False)])
async def test_too_long_a_context_goes_to_a_larger_window(window: int, is_answered: bool) -> None:
    scripts: dict[str, list[Script]] = {
        "main": [[failure(ModelFailure.CONTEXT_OVERFLOW)]],
        "other": [reply("Other")],
    }
    of = bench(scripts, _chained(window))
    if is_answered:
        assert text_of(await collect(of)) == "Other"
    else:
        with pytest.raises(ModelCallFailed):
            await collect(of)


async def test_a_provider_that_wants_too_much_patience_is_not_waited_for() -> None:
    limited = failure(ModelFailure.RATE_LIMITED, retry_after_s=31)
    of = bench({"main": [[limited]], "other": [reply("Other")]}, _chained())
    assert text_of(await collect(of)) == "Other"
    assert len(of.ledger) == 2


async def test_leaving_closes_the_provider_and_is_accounted_for() -> None:
    of = bench({"main": [reply("Be", "cause")]}, [configured("main")])
    async with aclosing(of.service.stream(of.context, question())) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                break
    assert of.providers.chats["main"].open_streams == 0
    assert [call.outcome for call in of.ledger] == ["canceled"]
    assert of.ledger[0].usage.estimated


async def test_cancelling_closes_the_provider_and_is_accounted_for() -> None:
    blocked = asyncio.Event()
    started = asyncio.Event()
    script = [reply()[0], TextDelta("Be"), started.set, blocked]
    of = bench({"main": [script]}, [configured("main")])

    async with asyncio.TaskGroup() as group:
        task = group.create_task(collect(of))
        await started.wait()
        task.cancel()
    assert of.providers.chats["main"].open_streams == 0
    assert [call.outcome for call in of.ledger] == ["canceled"]


async def test_leaving_after_the_end_is_a_success() -> None:
    of = bench({"main": [reply("Yes")]}, [configured("main")])
    async with aclosing(of.service.stream(of.context, question())) as events:
        async for event in events:
            if isinstance(event, ReplyFinished):
                break
    assert [call.outcome for call in of.ledger] == ["ok"]


async def test_a_model_that_does_not_connect_is_left_alone_for_a_while() -> None:
    of = bench(
        {"main": [[failure(ModelFailure.CONNECT)]] * 5 + [reply("Yes")]},
        [configured("main")],
        retry=RetryPolicy(attempts=5, base_s=0.0),
    )
    with pytest.raises(ModelCallFailed):
        await collect(of)
    with pytest.raises(BreakerOpen):
        await collect(of)
    assert len(of.ledger) == 5
    of.timer.seconds += 15
    assert text_of(await collect(of)) == "Yes"


async def test_calls_beyond_the_limit_wait_and_then_give_up() -> None:
    blocked = asyncio.Event()
    started = asyncio.Event()
    limits = Limits(model_concurrency=1, model_queue=1, model_queue_wait_s=0.01)
    script = [reply()[0], started.set, blocked, *reply("Yes")[1:]]
    of = bench({"main": [script]}, [configured("main")], limits=limits)
    async with asyncio.TaskGroup() as group:
        first = group.create_task(collect(of))
        await started.wait()
        with pytest.raises(ModelBusy):
            await collect(of)
        blocked.set()
    assert text_of(first.result()) == "Yes"
    assert len(of.ledger) == 1


async def test_a_full_line_of_one_workspace_is_not_that_of_another() -> None:
    blocked, started = asyncio.Event(), asyncio.Event()
    limits = Limits(model_concurrency=1, model_queue=2)
    held = [reply()[0], started.set, blocked, *reply("First")[1:]]
    of = bench({"main": [held, reply("Yes")]}, [configured("main")], limits=limits)
    other = replace(of.context, space_id=SpaceId(3))
    async with asyncio.TaskGroup() as group:
        group.create_task(collect(of))
        await started.wait()
        waiting = [group.create_task(collect(of)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(ModelBusy):
            await collect(of)
        patient = group.create_task(collect(of, context=replace(of.context, max_wait_s=60.0)))
        newcomer = group.create_task(collect(of, context=other))
        newcomer.add_done_callback(lambda _: order.append("newcomer"))
        waiting[-1].add_done_callback(lambda _: order.append("second in line"))
        order = list[str]()
        await asyncio.sleep(0)
        blocked.set()

    assert text_of(newcomer.result()) == text_of(patient.result()) == "Yes"
    assert order == ["newcomer", "second in line"]


async def test_tools_need_a_model_that_calls_them() -> None:
    spec = ModelSpec(name="main", base_url=URL, capabilities=Capabilities(tools="none"))
    of = bench({"main": [reply("Yes")]}, [configured("main", spec=spec)])
    tool = ToolSpec(name="look", description="Looks.", parameters={"type": "object"})
    with pytest.raises(ModelUnfit):
        await collect(of, msgspec.structs.replace(question(), tools=(tool,)))


async def test_a_model_without_calls_gets_tools_in_words_and_its_calls_are_found() -> None:
    spec = ModelSpec(name="main", base_url=URL, capabilities=Capabilities(tools="prompt_prefix"))
    script = reply(
        "<think>Hm.</think>\n", "0: I look.", "\n1: {", '"name": "look", ', '"args": {}}'
    )
    of = bench({"main": [script]}, [configured("main", spec=spec)])
    tool = ToolSpec(name="look", description="Looks.", parameters={"type": "object"})

    events = await collect(of, msgspec.structs.replace(question(), tools=(tool,)))

    sent = of.providers.chats["main"].requests[0]
    assert sent.tools == ()
    assert "look" in sent.messages[0].text
    assert text_of(events) == "I look."
    assert ReasoningDelta("Hm.") in events
    calls = [event for event in events if isinstance(event, ToolCallDelta)]
    assert [(call.name, call.arguments) for call in calls] == [("look", "{}")]
    assert calls[0].id.startswith("call_")
    assert events[-1] == ReplyFinished(FinishReason.TOOL_CALLS)
    assert of.ledger[0].finish_reason == "tool_calls"


async def test_a_model_whose_server_refuses_tools_is_learned_about() -> None:
    refusal = ModelCallFailed(
        "The model rejected the request. (gemma does not support tools)",
        failure=ModelFailure.INVALID_REQUEST,
    )
    of = bench({"main": [[refusal], reply('1: {"name": "look"}')]}, [configured("main")])
    tool = ToolSpec(name="look", description="Looks.", parameters={"type": "object"})
    request = msgspec.structs.replace(question(), tools=(tool,))

    first = await collect(of, request)
    second = await collect(of, request)

    for events in (first, second):
        assert [event.name for event in events if isinstance(event, ToolCallDelta)] == ["look"]
    sent = of.providers.chats["main"].requests
    assert [bool(each.tools) for each in sent] == [True, False, False]
    assert [call.outcome for call in of.ledger] == ["failed", "ok", "ok"]


async def test_a_prompted_model_may_begin_within_its_thoughts() -> None:
    spec = ModelSpec(name="main", base_url=URL, capabilities=Capabilities(tools="prompt_prefix"))
    script = reply("Thinking 1: 2", "</think>", '1: {"name": "look", "arguments": {}}')
    of = bench({"main": [script]}, [configured("main", spec=spec)])
    tool = ToolSpec(name="look", description="Looks.", parameters={"type": "object"})

    events = await collect(of, msgspec.structs.replace(question(), tools=(tool,)))

    assert ContentReplaced(text="", reasoning="Thinking 1: 2") in events
    assert [event.name for event in events if isinstance(event, ToolCallDelta)] == ["look"]


async def test_earlier_calls_are_told_to_a_model_that_has_none() -> None:
    spec = ModelSpec(name="main", base_url=URL, capabilities=Capabilities(tools="none"))
    of = bench({"main": [reply("Yes")]}, [configured("main", spec=spec)])
    call = ToolCall(id="c1", name="look", arguments="{}")
    history = (
        ChatMessage(role="assistant", tool_calls=(call,)),
        ChatMessage(role="tool", parts=(TextPart(text="A cat"),), tool_call_id="c1"),
    )
    request = question()
    await collect(of, msgspec.structs.replace(request, messages=(*history, *request.messages)))

    sent = of.providers.chats["main"].requests[0].messages
    assert [message.role for message in sent[:2]] == ["assistant", "user"]
    assert "A cat" in sent[1].text


async def test_an_unknown_model_is_named() -> None:
    of = bench({}, [])
    with pytest.raises(ModelNotFound, match="nowhere"):
        await collect(of, question(model="nowhere"))


async def test_the_output_limit_of_the_model_is_kept() -> None:
    spec = ModelSpec(name="main", base_url=URL, max_output=100)
    of = bench({"main": [reply("Yes")]}, [configured("main", spec=spec)])
    await collect(of, msgspec.structs.replace(question(), max_output_tokens=5000))
    assert of.providers.chats["main"].requests[0].max_output_tokens == 100


async def test_token_counts_learn_from_what_providers_report() -> None:
    reported = UsageReported(Usage(input_tokens=1000, output_tokens=1))
    script = [*reply("Yes")[:-1], reported, reply()[-1]]
    of = bench({"main": [script]}, [configured("main")])
    before = of.service.count_tokens("main", question("word " * 400).messages)
    for _ in range(50):
        await collect(of, question("word " * 400))
    after = of.service.count_tokens("main", question("word " * 400).messages)
    assert before < after <= 1010


async def test_embedding_is_accounted_for() -> None:
    of = bench({}, [])
    result = await of.service.embed(of.context, ["a", "b"], purpose="query")
    assert len(result.vectors) == 2
    assert [(call.purpose, call.usage.input_tokens) for call in of.ledger] == [("embedding", 2)]


async def test_reranking_is_accounted_for() -> None:
    spec = ModelSpec(
        name="order", type=ModelType.RERANK, kind="jina", base_url="http://rerank.example/v1"
    )
    of = bench({}, [configured_model(spec, api_key=Secret("k"))])
    assert await of.service.has_reranker()
    result = await of.service.rerank(of.context, "Why?", ["a", "b"])
    assert [one.index for one in result.ranked] == [1, 0]
    assert [(call.purpose, call.usage.input_tokens) for call in of.ledger] == [("rerank", 5)]


async def test_nothing_reranks_without_such_a_model() -> None:
    of = bench({}, [])
    assert not await of.service.has_reranker()
    with pytest.raises(ModelNotFound):
        await of.service.rerank(of.context, "Why?", ["a"])


async def test_a_refused_key_shows_in_the_health_of_the_model() -> None:
    model = configured("main")
    of = bench({"main": [[failure(ModelFailure.AUTH)], reply("Yes")]}, [model])
    assert of.service.health(model) == ("unused", "")
    with pytest.raises(ModelCallFailed):
        await collect(of)
    assert of.service.health(model) == ("failing", "Chat model 'main': It failed.")
    await collect(of)
    assert of.service.health(model) == ("ok", "")
