"""Channels: who is heard in them, as whom, and what becomes of a message."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from domain.channel.channel import Channel, ChannelId
from domain.channel.error import ChannelInvalid
from domain.channel.message import (
    MAX_RUNS,
    MAX_TRIES,
    ChannelMessage,
    ChannelMessageId,
    Command,
    MessageState,
    ThreadLost,
    command_of,
    retry_delay_s,
)
from domain.channel.value import WORDS, ChannelSettings
from domain.shared.access import Permission
from domain.shared.ids import AgentId, SpaceId, UserId
from domain.shared.secret import Secret
from domain.shared.target import TargetKind
from infra.contract.channel import CredentialField, Incoming, Mention
from infra.impl.channel.feishu import FeishuAdapter

NOW = datetime(2026, 11, 23, tzinfo=UTC)
FIELDS = FeishuAdapter.fields
GIVEN = {"app_id": "a", "app_secret": "s", "encrypt_key": "k"}


def sealed(**texts: str) -> dict[str, Secret]:
    return {name: Secret(text) for name, text in texts.items()}


def make(**settings: Any) -> Channel:
    return Channel.create(
        ChannelId(1),
        space_id=SpaceId(2),
        actor_id=UserId(3),
        platform="feishu",
        target_kind=TargetKind.AGENT,
        target_id=4,
        settings=ChannelSettings(**({"name": "Help"} | settings)),
        credentials=sealed(**GIVEN),
        fields=FIELDS,
        now=NOW,
    )


def said(**fields: Any) -> Incoming:
    return Incoming(**({"message_id": "m1", "chat_id": "c", "sender_id": "ann"} | fields))


ME = Mention(id="bot", mark="@_user_1", name="Helper")
BOB = Mention(id="bob", mark="@_user_2", name="Bob")


@pytest.mark.parametrize(
    ("incoming", "bot_id", "is_heard"),
    [
        (said(), "", True),
        (said(is_group=True), "bot", False),
        (said(is_group=True, mentions=(BOB,)), "bot", False),
        (said(is_group=True, mentions=(BOB, ME)), "bot", True),
        (said(is_group=True, mentions=(BOB,)), "", True),
        (said(is_group=True, mentions=(BOB,), self_id="bot"), "", False),
        (said(is_group=True, is_addressed=True), "bot", True),
    ],
)
def test_in_groups_who_addresses_the_app_is_heard(
    incoming: Incoming, bot_id: str, is_heard: bool
) -> None:
    channel = make()
    channel.bot_id = bot_id

    assert channel.may_hear(incoming) is is_heard
    everybody = make(only_when_mentioned=False)
    assert everybody.may_hear(incoming)
    assert not make(is_enabled=False).may_hear(incoming)


def test_the_name_of_the_app_is_not_part_of_the_question() -> None:
    channel = make()
    channel.bot_id = "bot"
    incoming = said(text="@_user_1 ask @_user_2", mentions=(ME, BOB))

    assert channel.heard(incoming) == "ask @Bob"


def test_each_person_has_a_conversation_for_each_thread() -> None:
    channel = make()
    places = [
        said(),
        said(chat_id="d"),
        said(thread_id="t"),
        said(sender_id="bob"),
        said(chat_id="ct", thread_id=""),
    ]
    keys = {channel.thread(each) for each in places}

    assert len(keys) == len(places)
    assert channel.thread(said(message_id="m2", text="x")) == channel.thread(said())
    assert channel.end_user(said()) == "feishu:ann"
    odd = channel.end_user(said(sender_id="a|b/c"))
    assert not set(odd) & set("|/\\")


def test_who_writes_may_talk_to_the_target_and_nothing_else() -> None:
    grant = make().principal("feishu:ann").grant

    assert grant.agent_ids == frozenset({AgentId(4)})
    assert grant.end_user_id == "feishu:ann"
    assert Permission.CHAT in (grant.permissions or ())
    assert Permission.SPACE_WRITE not in (grant.permissions or ())


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "app_id"),
        (GIVEN | {"app_secret": " "}, "app_secret"),
        (GIVEN | {"other": "x"}, "other"),
        (GIVEN | {"domain": "moon"}, "domain"),
        (GIVEN | {"app_id": "x" * 1001}, "app_id"),
        (GIVEN | {"app_id": "a\nb"}, "app_id"),
    ],
)
def test_credentials_are_those_of_the_platform(given: dict[str, str], field: str) -> None:
    channel = make()
    cleared = dict.fromkeys(GIVEN, "") if not given else {}
    with pytest.raises(ChannelInvalid) as refused:
        channel.take_credentials(
            sealed(**(cleared | given)), fields=FIELDS, actor_id=UserId(3), now=NOW
        )

    assert refused.value.context["field"] == f"credentials.{field}"
    assert channel.credentials == sealed(**GIVEN)


def test_a_pattern_is_of_the_whole_text() -> None:
    field = CredentialField(name="app_id", pattern="[0-9]+")
    for text in ("1a", "a1"):
        channel = make()
        given = sealed(app_id=text, app_secret="", encrypt_key="")
        with pytest.raises(ChannelInvalid):
            channel.take_credentials(given, fields=[field], actor_id=UserId(3), now=NOW)


def test_new_credentials_keep_the_others_and_ask_anew_who_the_app_is() -> None:
    channel = make()
    channel.bot_id = "bot"
    channel.pull_events()
    channel.take_credentials(sealed(app_secret="new"), fields=FIELDS, actor_id=UserId(3), now=NOW)

    assert channel.credentials == sealed(**(GIVEN | {"app_secret": "new"}))
    assert not channel.bot_id
    (event,) = channel.pull_events()
    assert "new" not in repr(event)


def test_settings_are_checked() -> None:
    for wrong in ({"name": " "}, {"name": "a\nb"}, {"slow_after_s": 601}, {"slow_text": "x" * 501}):
        with pytest.raises(ChannelInvalid):
            make(**wrong)
    assert make(name=" a ").settings.name == "a"


def test_what_the_app_says_is_said_in_both_languages() -> None:
    for words in WORDS.values():
        assert words.keys() == {"en", "zh"}
    assert make(language="zh", slow_text="Moment").settings.says("slow") == "Moment"
    assert make(language="zh").settings.says("slow") == WORDS["slow"]["zh"]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/new", "new"),
        (" /NEW ", "new"),
        ("/stop", "stop"),
        ("/stop it", ""),
        ("new", ""),
        ("", ""),
    ],
)
def test_commands_stand_alone(text: str, command: str) -> None:
    assert command_of(text) is Command(command)


def taken(**fields: Any) -> ChannelMessage:
    return ChannelMessage.take(ChannelMessageId(9), make(), said(text="Hi", **fields), now=NOW)


def test_a_message_is_lent_to_one_process_until_its_lease_is_over() -> None:
    message = taken()
    message.claim("a", now=NOW, until=NOW + timedelta(seconds=60))
    with pytest.raises(ThreadLost):
        message.claim("b", now=NOW + timedelta(seconds=59), until=NOW + timedelta(seconds=120))
    message.claim("b", now=NOW + timedelta(seconds=60), until=NOW + timedelta(seconds=120))

    assert message.lease_owner == "b"


@pytest.mark.parametrize("end", ["answer", "drop", "fail"])
def test_the_end_forgets_what_was_said(end: str) -> None:
    message = taken()
    more = () if end == "answer" else ("because",)
    getattr(message, end)(*more, now=NOW)

    assert message.state is not MessageState.OPEN
    assert message.finished_at == NOW
    assert msgspec.json.encode(message.incoming) == msgspec.json.encode(
        Incoming(message_id="m1", chat_id="", sender_id="")
    )
    with pytest.raises(ThreadLost):
        message.claim("a", now=NOW, until=NOW)


def test_tries_count_from_the_last_piece_that_arrived() -> None:
    message = taken()
    for _ in range(MAX_TRIES):
        message.claim("a", now=message.next_run_at, until=message.next_run_at)
        message.postpone("busy", delay_s=1, now=message.next_run_at)
    assert message.attempt == MAX_TRIES
    message.arrived()
    assert (message.attempt, message.sent) == (1, 1)


def test_a_run_has_a_key_of_its_own_and_is_begun_so_often() -> None:
    message, keys = taken(), set()
    while message.may_run_again:
        keys.add(message.begin_run())
        message.follow_run(7)
    assert len(keys) == MAX_RUNS
    assert len({message.piece_key(number) for number in range(3)}) == 3


def test_waits_grow_and_the_platform_may_wish_longer_ones() -> None:
    assert [retry_delay_s(each, wish_s=None) for each in (1, 2, 3)] == [1, 2, 4]
    assert retry_delay_s(1, wish_s=30) == 30
    assert retry_delay_s(1, wish_s=1e9) == 300
