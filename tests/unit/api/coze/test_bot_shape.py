"""Bots on the wire: the contract's fixtures, read by the official client and made by our code."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cozepy
import httpx
import msgspec
import pytest

from api.coze.bot.shape import Bot, BotReference, BotVersion, SimpleBot, SpaceBot
from application.agent.dto import AgentSummary, AgentView, NamedDataset, VersionView
from domain.agent.value import (
    AgentConfig,
    KnowledgeSettings,
    Mode,
    ModelSettings,
    Onboarding,
    Prompt,
    SuggestMode,
    SuggestPolicy,
    VariableDefinition,
)
from domain.shared.chat import OutputFormat

FIXTURES = Path(__file__).parents[3] / "fixtures" / "http_api"
BOT_ID = 7528041100000000101
OWNER_ID = 7519000000000000007


def fixture(name: str) -> Any:
    return json.loads((FIXTURES / f"{name}.json").read_text())


def data(name: str) -> Any:
    return fixture(name)["data"]


def on_wire(value: msgspec.Struct) -> Any:
    return json.loads(msgspec.json.encode(value))


def client(name: str) -> cozepy.Coze:
    """The official client before a server that always answers with this fixture."""
    transport = httpx.MockTransport(lambda _: httpx.Response(200, json=fixture(name)))
    return cozepy.Coze(
        auth=cozepy.TokenAuth("pat_x"),
        base_url="http://coterie",
        http_client=cozepy.SyncHTTPClient(transport=transport),  # type: ignore[no-untyped-call]
    )


def at(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def view() -> AgentView:
    return AgentView(
        id=BOT_ID,
        space_id=1,
        creator_id=OWNER_ID,
        name="Weather",
        description="",
        icon_file_id=1,
        icon_url="http://127.0.0.1:8000/icons/agent.png",
        mode=Mode.SINGLE,
        version="1767600500",
        live_version="1767600500",
        config=AgentConfig(
            prompt=Prompt(text="You answer weather questions."),
            onboarding=Onboarding(prologue="Hello", suggested_questions=("Is it cold?",)),
            model=ModelSettings(
                model_id="gpt",
                temperature=0.3,
                max_tokens=2000,
                history_rounds=10,
                response_format=OutputFormat.TEXT,
            ),
            suggest_reply=SuggestPolicy(mode=SuggestMode.ENABLE),
            knowledge=KnowledgeSettings(dataset_ids=(7530000000000000401,), search_type="hybrid"),
            variables=(
                VariableDefinition(keyword="city", default_value="Oslo", description="home town"),
            ),
        ),
        datasets=(NamedDataset(id=7530000000000000401, name="faq"),),
        model_id="61010",
        model_name="gpt-4o-mini",
        alias=None,
        trace_capture=None,
        template_category=None,
        is_draft_changed=False,
        revision=2,
        created_at=at(1767600000),
        updated_at=at(1767600400),
    )


def summary() -> AgentSummary:
    return AgentSummary(
        id=BOT_ID,
        space_id=1,
        creator_id=OWNER_ID,
        name="Weather",
        description="",
        icon_url="",
        mode=Mode.SINGLE,
        alias=None,
        revision=1,
        created_at=at(1767600000),
        updated_at=at(1767600400),
        published_at=at(1767600500),
    )


def test_a_bot_in_full_is_as_the_contract_shows_it() -> None:
    expected = data("bot.retrieve.response")
    # Nothing of the kind is bound here.
    expected |= {"plugin_info_list": [], "workflow_info_list": []}
    expected["model_info"] |= {"sp_anti_leak": False, "sp_current_time": False}

    assert on_wire(Bot.of(view())) == expected


def test_a_bot_without_a_model_to_name_has_no_model_object() -> None:
    nameless = msgspec.structs.replace(view(), model_id="", model_name="")

    assert "model_info" not in on_wire(Bot.of(nameless))


def test_rows_and_references_are_as_the_contract_shows_them() -> None:
    version = VersionView(
        version="1767600500", description="first", created_at=at(1767600500), creator_id=OWNER_ID
    )
    expected_version = data("bot.versions.response")["items"][0]
    expected_version["creator"]["name"] = ""
    expected_row = data("bot.list.v1.response")["space_bots"][0]

    assert on_wire(SpaceBot.of(summary())) == expected_row
    assert on_wire(SimpleBot.of(summary())) == data("bot.list.v2.response")["items"][0]
    assert on_wire(BotVersion.of(version)) == expected_version
    assert on_wire(BotReference(bot_id=str(BOT_ID))) == data("bot.create.response")
    assert on_wire(BotReference(bot_id=str(BOT_ID), version="1767600500")) == data(
        "bot.publish.response"
    )


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("bot.create.response", lambda bots: bots.create(space_id="1", name="Weather")),
        ("bot.publish.response", lambda bots: bots.publish(bot_id="1")),
        ("bot.retrieve.response", lambda bots: bots.retrieve(bot_id="1")),
        ("bot.retrieve.response", lambda bots: bots.retrieve(bot_id="1", use_api_version=2)),
    ],
)
def test_the_official_client_reads_single_bots(name: str, call: Callable[[Any], Any]) -> None:
    assert call(client(name).bots).bot_id == str(BOT_ID)


@pytest.mark.parametrize(
    ("name", "version"), [("bot.list.v1.response", 1), ("bot.list.v2.response", 2)]
)
def test_the_official_client_reads_lists(name: str, version: int) -> None:
    paged = client(name).bots.list(space_id="1", use_api_version=version)

    assert [(bot.id, bot.name) for bot in paged.items] == [(str(BOT_ID), "Weather")]
