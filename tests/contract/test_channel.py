"""Messaging platforms: what is signed is believed, and what is sent arrives."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from domain.shared.error import AppError
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.channel import (
    REPLAY_WINDOW_S,
    CallRefused,
    CallUnreadable,
    ChannelAccess,
    ChannelAdapter,
    Incoming,
    Outgoing,
    PlatformBusy,
    PlatformCall,
    PlatformRefused,
)
from infra.impl.channel import AdapterParts
from infra.impl.channel.factory import RegisteredAdapters
from infra.impl.egress.http import HttpEgress
from infra.impl.http.gateway import HttpGateway
from tests.support.channel.caller import CALLERS, Caller, FeishuCaller, Said, SlackCaller
from tests.support.channel.platform import Platform, as_json
from tests.support.clock import FrozenClock

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
AT = NOW.timestamp()
IDS = [each.platform for each in CALLERS]


@pytest.fixture
def platform() -> Iterator[Platform]:
    with Platform().listening() as listening:
        yield listening


@asynccontextmanager
async def adapter_of(
    caller: Caller, platform: Platform | None = None
) -> AsyncGenerator[ChannelAdapter, None]:
    gateway = HttpGateway(limits=Limits())
    url = "" if platform is None else platform.url
    names = ("feishu", "lark", "wecom", "slack")
    parts = AdapterParts(
        egress=HttpEgress(gateway=gateway, limits=Limits()),
        clock=FrozenClock(NOW),
        addresses=dict.fromkeys(names, url) if url else {},
    )
    try:
        yield RegisteredAdapters(parts).get(caller.platform)
    finally:
        await gateway.aclose()


def access_of(caller: Caller, **changes: str) -> ChannelAccess:
    credentials = {**caller.credentials, **changes}
    sealed = {name: Secret(text) for name, text in credentials.items()}
    return ChannelAccess(channel_id=1, space_id=2, credentials=sealed)


async def read(caller: Caller, call: PlatformCall) -> Incoming | None:
    async with adapter_of(caller) as adapter:
        return adapter.parse(adapter.verify(call, access_of(caller), now=NOW))


def test_each_platform_registers_itself() -> None:
    assert list(RegisteredAdapters.names(None)) == sorted(IDS)  # type: ignore[arg-type]


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_a_signed_message_is_believed_and_understood(caller: Caller) -> None:
    found = await read(caller, caller.message(Said(text="How are you?"), at=AT))

    assert found is not None
    assert (found.text, found.sender_id) == ("How are you?", "ann")
    assert not found.is_group
    assert not found.files
    again = await read(caller, caller.message(Said(text="How are you?"), at=AT))
    assert again is not None
    assert again.message_id == found.message_id
    other = await read(caller, caller.message(Said(id="2"), at=AT))
    assert other is not None
    assert other.message_id != found.message_id


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_a_wrong_signature_is_refused(caller: Caller) -> None:
    call = caller.message(Said(), at=AT)
    async with adapter_of(caller) as adapter:
        with pytest.raises(CallRefused):
            adapter.verify(call, access_of(caller, **caller.spoiled), now=NOW)
        for spoiled in (
            msgspec.structs.replace(call, headers={}, query={}),
            msgspec.structs.replace(call, body=b""),
            msgspec.structs.replace(call, body=b"{}"),
            msgspec.structs.replace(call, body=call.body.replace(b"A", b"B") + b" "),
            msgspec.structs.replace(call, body=b"\xff" * 64),
        ):
            if spoiled.body == call.body and spoiled.headers == call.headers:
                continue
            with pytest.raises((CallRefused, CallUnreadable)):
                adapter.verify(spoiled, access_of(caller), now=NOW)


@pytest.mark.parametrize("ahead", [-1, 1])
@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_a_call_from_another_time_is_a_replay(caller: Caller, ahead: int) -> None:
    call = caller.message(Said(), at=AT)
    async with adapter_of(caller) as adapter:
        near = NOW + ahead * timedelta(seconds=REPLAY_WINDOW_S)
        assert adapter.parse(adapter.verify(call, access_of(caller), now=near)) is not None
        far = NOW + ahead * timedelta(seconds=REPLAY_WINDOW_S + 2)
        with pytest.raises(CallRefused):
            adapter.verify(call, access_of(caller), now=far)


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_the_platform_may_try_the_address(caller: Caller) -> None:
    async with adapter_of(caller) as adapter:
        verified = adapter.verify(caller.handshake("c-123", at=AT), access_of(caller), now=NOW)
        assert verified.handshake is not None
        assert caller.shaken(verified.handshake.body) == "c-123"
        call = caller.handshake("c-123", at=AT)
        with pytest.raises(CallRefused):
            adapter.verify(call, access_of(caller, **caller.spoiled), now=NOW)


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_what_is_no_message_is_none(caller: Caller) -> None:
    assert await read(caller, caller.other(at=AT)) is None
    assert await read(caller, caller.message(Said(text="  "), at=AT)) is None


GROUPS = [each for each in CALLERS if each.platform != "wecom"]


@pytest.mark.parametrize("caller", GROUPS, ids=[each.platform for each in GROUPS])
async def test_groups_threads_and_mentions_are_told(caller: Caller) -> None:
    said = Said(is_group=True, mentions_bot=True, thread="t7")
    found = await read(caller, caller.message(said, at=AT))

    assert found is not None
    assert found.is_group
    assert found.thread_id == "t7"
    assert [each.id for each in found.mentions] == [caller.bot_id]
    assert found.mentions[0].mark in found.text
    plain = await read(caller, caller.message(replace(said, mentions_bot=False), at=AT))
    assert plain is not None
    assert not plain.mentions


async def test_slack_answers_a_question_in_a_channel_in_its_own_thread() -> None:
    found = await read(SlackCaller(), SlackCaller().message(Said(id="17.5", is_group=True), at=AT))

    assert found is not None
    assert found.thread_id == "17.5"


async def test_the_marks_of_slack_become_plain_text() -> None:
    text = "a &lt;b&gt; <https://x.test/?a=1&amp;b=2|site> <https://y.test> <#C1|all> <!here> <@U9>"
    found = await read(SlackCaller(), SlackCaller().message(Said(text=text), at=AT))

    assert found is not None
    expected = "a <b> [site](https://x.test/?a=1&b=2) https://y.test #all @here <@U9>"
    assert found.text == expected


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_a_file_is_fetched_with_the_credentials(caller: Caller, platform: Platform) -> None:
    platform.files["f1"] = b"content"
    call = caller.message(Said(file="f1", text="", url=platform.url), at=AT)
    found = await read(caller, call)
    assert found is not None
    async with adapter_of(caller, platform) as adapter:
        got = await adapter.fetch(access_of(caller), found, found.files[0], max_bytes=100)
        assert got == b"content"
        platform.files.clear()
        with pytest.raises(PlatformRefused):
            await adapter.fetch(access_of(caller), found, found.files[0], max_bytes=100)
        platform.files["f1"] = b"x" * 200
        with pytest.raises(AppError):
            await adapter.fetch(access_of(caller), found, found.files[0], max_bytes=100)


async def test_a_file_of_slack_is_fetched_from_its_hosts_only(platform: Platform) -> None:
    call = SlackCaller().message(Said(file="f1", url="https://files.slack.com.evil.test"), at=AT)
    found = await read(SlackCaller(), call)
    assert found is not None
    async with adapter_of(SlackCaller(), platform) as adapter:
        access = access_of(SlackCaller())
        with pytest.raises(PlatformRefused):
            await adapter.fetch(access, found, found.files[0], max_bytes=100)
    assert not platform.asked


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_a_reply_arrives_where_the_question_was(caller: Caller, platform: Platform) -> None:
    found = await read(caller, caller.message(Said(id="5"), at=AT))
    assert found is not None
    async with adapter_of(caller, platform) as adapter:
        sent = await adapter.reply(access_of(caller), found, Outgoing(key="k1", text="Hi **you**"))
        assert sent == platform.shown[0].id
        assert platform.shown[0].text == "Hi **you**"
        assert platform.shown[0].place["to"] in {"om_5", "ann", "c1"}
        if adapter.capabilities.edits:
            changed = Outgoing(key="k1", text="Hi all", replaces=sent)
            assert await adapter.reply(access_of(caller), found, changed) == sent
            assert platform.shown[0].texts == ["Hi **you**", "Hi all"]
        file = Outgoing(key="k2", file_name="a.png", media_type="image/png", content=b"png")
        await adapter.reply(access_of(caller), found, file)
        assert platform.shown[-1].file == b"png"


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_a_repeat_is_shown_once_where_the_platform_helps(
    caller: Caller, platform: Platform
) -> None:
    found = await read(caller, caller.message(Said(), at=AT))
    assert found is not None
    async with adapter_of(caller, platform) as adapter:
        for is_repeat in (False, True):
            sent = Outgoing(key="k1", text="Hi", is_repeat=is_repeat)
            await adapter.reply(access_of(caller), found, sent)
        assert len(platform.shown) == (1 if adapter.capabilities.drops_repeats else 2)


SLOWER = {
    "feishu": [
        as_json({"code": 99991400, "msg": "slow"}, status=429, x_ogw_ratelimit_reset="7"),
        as_json({"code": 230020, "msg": "slow"}),
    ],
    "wecom": [as_json({"errcode": 45009, "errmsg": "api freq out of limit"})],
    "slack": [
        as_json({"ok": False, "error": "ratelimited"}, status=429, retry_after="7"),
        as_json({"ok": False, "error": "internal_error"}),
    ],
}
REFUSED = {
    "feishu": as_json({"code": 230002, "msg": "bot not in chat"}, status=400),
    "wecom": as_json({"errcode": 81013, "errmsg": "no such member"}),
    "slack": as_json({"ok": False, "error": "channel_not_found"}),
}


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_busy_is_told_from_refused(caller: Caller, platform: Platform) -> None:
    found = await read(caller, caller.message(Said(), at=AT))
    assert found is not None
    async with adapter_of(caller, platform) as adapter:
        for trouble in [*SLOWER[caller.platform], as_json({}, status=502)]:
            platform.trouble.append(trouble)
            with pytest.raises(PlatformBusy) as busy:
                await adapter.reply(access_of(caller), found, Outgoing(key="k", text="Hi"))
            if trouble[0] == 429:
                assert busy.value.retry_after_s == 7
        platform.trouble.append(REFUSED[caller.platform])
        with pytest.raises(PlatformRefused):
            await adapter.reply(access_of(caller), found, Outgoing(key="k", text="Hi"))
    assert not platform.shown


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_a_token_is_kept_and_replaced_once_it_is_stale(
    caller: Caller, platform: Platform
) -> None:
    found = await read(caller, caller.message(Said(), at=AT))
    assert found is not None
    async with adapter_of(caller, platform) as adapter:
        for number in range(3):
            sent = Outgoing(key=f"k{number}", text=f"Hi {number}")
            await adapter.reply(access_of(caller), found, sent)
        if caller.platform == "slack":  # its token is the app's
            return
        assert platform.logins == 1
        platform.token = "token-2"
        await adapter.reply(access_of(caller), found, Outgoing(key="k9", text="Bye"))
        assert platform.logins == 2
        assert platform.texts[-1] == "Bye"


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_an_app_says_who_it_is(caller: Caller, platform: Platform) -> None:
    secret = {"feishu": "app_secret", "wecom": "corp_secret", "slack": "bot_token"}
    async with adapter_of(caller, platform) as adapter:
        found = await adapter.identify(access_of(caller))
        assert (found.bot_id, found.name.lower()) == (caller.bot_id, "helper")
        with pytest.raises(PlatformRefused) as refused:
            await adapter.identify(access_of(caller, **{secret[caller.platform]: "xoxb-wrong"}))
        assert "xoxb-wrong" not in refused.value.message


@pytest.mark.parametrize("caller", CALLERS, ids=IDS)
async def test_a_platform_that_is_gone_is_busy(caller: Caller) -> None:
    with Platform().listening() as gone:
        pass
    found = await read(caller, caller.message(Said(), at=AT))
    assert found is not None
    async with adapter_of(caller, gone) as adapter:
        with pytest.raises(PlatformBusy):
            await adapter.reply(access_of(caller), found, Outgoing(key="k", text="Hi"))


async def test_feishu_reads_rich_text_with_its_images() -> None:
    caller = FeishuCaller()
    content = (
        '{"title":"Plan","content":[[{"tag":"text","text":"see "},'
        '{"tag":"a","text":"here","href":"https://x.test"}],[{"tag":"img","image_key":"img_1"}]]}'
    )
    message = {
        "message_id": "om_1",
        "chat_id": "c1",
        "chat_type": "p2p",
        "message_type": "post",
        "content": content,
    }
    sender = {"sender_id": {"open_id": "ann"}, "sender_type": "user"}
    event = {"sender": sender, "message": message}
    found = await read(caller, caller._event("im.message.receive_v1", event, AT))

    assert found is not None
    assert found.text == "Plan\nsee [here](https://x.test)"
    assert [(each.key, each.kind) for each in found.files] == [("img_1", "image")]


@pytest.mark.long
def test_the_sdk_of_feishu_takes_what_stands_for_it() -> None:
    """The messages of these tests are Feishu's as far as its own SDK can tell."""
    from lark_oapi.core.model import RawRequest  # noqa: PLC0415 - takes ten seconds
    from lark_oapi.event.dispatcher_handler import EventDispatcherHandler  # noqa: PLC0415

    texts: list[str] = []
    handler = (
        EventDispatcherHandler.builder("feishu-key", "feishu-token")
        .register_p2_im_message_receive_v1(lambda data: texts.append(data.event.message.content))
        .build()
    )
    for call in (
        FeishuCaller().message(Said(text="Hello"), at=AT),
        FeishuCaller().handshake("c-1", at=AT),
    ):
        request = RawRequest()
        request.uri, request.body = "/", call.body
        names = {name.lower(): name for name in ("X-Lark-Request-Timestamp",)}
        names |= {"x-lark-request-nonce": "X-Lark-Request-Nonce"}
        names |= {"x-lark-signature": "X-Lark-Signature"}
        request.headers = {names.get(key, key): value for key, value in call.headers.items()}
        assert handler.do(request).status_code == 200
    assert texts == ['{"text": "Hello"}']
