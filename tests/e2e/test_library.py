"""Apps, templates, shortcuts and follow-up questions through the official Python client."""

import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from cozepy import Coze, CozeAPIError, MessageType, PublishStatus, TemplateEntityType

from tests.support.client.chat import Talk, skip_to
from tests.support.client.seed import Seed
from tests.support.client.workflow import WAIT_S, Flows, example
from tests.support.process.server import run_command
from tests.upstream.fixture import RunningUpstream


def _says(upstream: RunningUpstream, model: str, text: str) -> None:
    """Let the next call of a model answer with a text."""
    chunk: dict[str, Any] = {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}],
    }
    last = {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    upstream.script(model, [{"event": chunk}, {"event": last}, {"send": "data: [DONE]\n\n"}])


def test_apps_are_listed_by_their_state(coze: Coze, seed: Seed) -> None:
    path = f"/workspaces/{seed.workspace_id}/apps"
    made = {
        name: str(seed.call("POST", path, {"name": name, "variables": [{"key": "city"}]})["id"])
        for name in ("published app", "draft app")
    }
    published = made["published app"]
    seed.call("POST", f"/apps/{published}/conversation-defs", {"name": "orders"})
    seed.call("POST", f"/apps/{published}/publish", {"description": "first"})

    def listed(**query: Any) -> set[str]:
        return {app.id for app in coze.apps.list(workspace_id=seed.workspace_id, **query)}

    assert listed(page_size=1) >= set(made.values())
    assert listed(publish_status=PublishStatus.PUBLISHED_ONLINE) & {*made.values()} == {published}
    assert listed(connector_id="1024") & {*made.values()} == {published}
    defined = seed.call("GET", f"/apps/{published}/conversation-defs?env=release")
    assert defined["items"] == [{"name": "orders", "env": "release"}]


def test_a_template_is_copied_into_a_workspace(coze: Coze, seed: Seed) -> None:
    plain = seed.new_agent("no template", publish=False)
    template = seed.new_agent("a template", prompt={"text": "Be kind."}, publish=False)
    seed.call("PUT", f"/agents/{template}/template", {"enabled": True, "category": "basics"})

    copied = coze.templates.duplicate(
        template_id=template, workspace_id=seed.workspace_id, name="my own"
    )

    assert copied.entity_type == TemplateEntityType.AGENT
    copy = seed.call("GET", f"/agents/{copied.entity_id}")
    assert (copy["name"], copy["prompt"]["text"]) == ("my own", "Be kind.")
    with pytest.raises(CozeAPIError) as refused:
        coze.templates.duplicate(template_id=plain, workspace_id=seed.workspace_id)
    assert refused.value.code == 4200


def test_questions_to_go_on_with_come_before_the_end(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    model_id = seed.model("goes-on")
    agent = seed.new_agent(
        "goes on", model={"model_id": model_id}, suggest_reply={"mode": "enable"}
    )
    _says(upstream, "goes-on", "It will rain.")
    _says(upstream, "goes-on", 'Sure: ["Will it snow?", "How warm is it?"]')

    kinds = [
        (name.removeprefix("conversation."), body.get("type", ""), body.get("content", ""))
        for name, body in talk.stream(agent, "Weather?")
        if name.endswith("completed")
    ]

    assert [(name, kind) for name, kind, _ in kinds] == [
        ("message.completed", "answer"),
        ("message.completed", "verbose"),
        ("message.completed", "follow_up"),
        ("message.completed", "follow_up"),
        ("chat.completed", ""),
    ]
    assert [text for _, kind, text in kinds if kind == "follow_up"] == [
        "Will it snow?",
        "How warm is it?",
    ]


def test_a_new_question_does_not_wait_for_questions_to_go_on_with(
    talk: Talk, seed: Seed, upstream: RunningUpstream
) -> None:
    model = "goes-on-slowly"
    agent = seed.new_agent(
        "slow to go on", model={"model_id": seed.model(model)}, suggest_reply={"mode": "enable"}
    )
    _says(upstream, model, "First.")
    upstream.script(model, [{"stall": True}])
    _says(upstream, model, "Second.")
    _says(upstream, model, '["And then?"]')

    with talk.streaming(agent, "one") as events:
        chat = skip_to(events, "conversation.chat.created")
        skip_to(events, "conversation.message.completed")
        deadline = time.monotonic() + WAIT_S
        while len(upstream.requests(model=model)) < 2:
            assert time.monotonic() < deadline, "No questions were asked for in time."
            time.sleep(0.02)
        thinking = upstream.requests(model=model)[1]
        second = talk.ask(agent, "two", conversation_id=chat["conversation_id"])
        upstream.wait_closed(thinking, timeout_s=WAIT_S)
        rest = list(events)

    assert (second["status"], talk.answers(second)) == ("completed", ["Second."])
    assert [name for name, _ in rest][-2:] == ["conversation.chat.completed", "done"]
    assert talk.answers(chat) == ["First."]


def test_the_tool_of_a_shortcut_is_called_first(
    coze: Coze, client: httpx.Client, talk: Talk, seed: Seed
) -> None:
    workflow_id = Flows(client).publish("shortcut flow", example("ex01_entry_exit"))
    agent = seed.new_agent(
        "with a shortcut",
        model={"model_id": seed.model("tool-call")},
        workflows=[{"workflow_id": workflow_id}],
        publish=False,
    )
    shortcut = seed.call(
        "POST",
        f"/agents/{agent}/shortcuts",
        {
            "name": "Greet",
            "command": "greet",
            "send_type": "panel",
            "template_query": "Greet {{who}}.",
            "components": [{"name": "who", "parameter": "first"}],
            "tool": {
                "type": "workflow",
                "workflow_id": workflow_id,
                "params": [{"name": "first", "required": True, "refer_component": True}],
            },
        },
    )
    seed.publish(agent)

    chosen = {"command_id": shortcut["id"], "parameters": {"who": "Mia"}}
    chat = talk.wait(talk.start(agent, shortcut_command=chosen))
    refused = talk.post(agent, shortcut_command={"command_id": shortcut["id"]})

    assert chat["status"] == "completed", chat
    found = {
        message.type: message.content
        for message in coze.chat.messages.list(
            conversation_id=chat["conversation_id"], chat_id=chat["id"]
        )
    }
    assert json.loads(found[MessageType.FUNCTION_CALL])["arguments"] == {"first": "Mia"}
    assert json.loads(found[MessageType.TOOL_RESPONSE])["name"] == "Mia"
    assert found[MessageType.ANSWER].startswith("The tool said:")
    assert refused.json()["code"] == 4000
    bot = client.get(f"/v1/bots/{agent}").json()["data"]
    assert bot["shortcut_commands"][0]["tool"]["workflow_id"] == workflow_id


def test_a_shortcut_fills_only_what_its_tool_has(client: httpx.Client, seed: Seed) -> None:
    workflow_id = Flows(client).publish("narrow flow", example("ex01_entry_exit"))
    agent = seed.new_agent(
        "with an odd shortcut", workflows=[{"workflow_id": workflow_id}], publish=False
    )
    tool = {"type": "workflow", "workflow_id": workflow_id, "params": [{"name": "odd"}]}
    body = {"name": "Odd", "command": "odd", "template_query": "x", "tool": tool}
    seed.call("POST", f"/agents/{agent}/shortcuts", body)

    refused = client.post(f"/admin/v1/agents/{agent}/publish", json={})

    assert (refused.status_code, refused.json()["code"]) == (400, 4000)
    assert "no parameter odd" in refused.json()["msg"]


def test_an_agent_moves_as_a_document(tmp_path: Path) -> None:
    made = run_command(
        tmp_path, "agent", "create", "--name", "Traveller", "--persona", "Line one.\nLine two.",
        "--json",
    )  # fmt: skip
    agent_id = json.loads(made.stdout)["id"]

    written = run_command(tmp_path, "agent", "export", agent_id, "--output", "agent.yaml")
    back = run_command(
        tmp_path, "agent", "import", "agent.yaml", "--name", "Arrived", "--publish", "--json"
    )
    (tmp_path / "broken.yaml").write_text("kind: something else", "utf-8")
    refused = run_command(tmp_path, "agent", "import", "broken.yaml")

    assert written.returncode == 0, written.stderr
    text = (tmp_path / "agent.yaml").read_text("utf-8")
    assert "text: |-\n      Line one.\n      Line two." in text
    assert back.returncode == 0, back.stderr
    arrived = json.loads(back.stdout)
    assert (arrived["name"], bool(arrived["version"]), arrived["warnings"]) == ("Arrived", True, [])
    shown = run_command(tmp_path, "agent", "show", arrived["id"], "--json")
    assert json.loads(shown.stdout)["persona"] == "Line one.\nLine two."
    assert refused.returncode == 1
    assert "no exported agent" in refused.stderr


def test_secrets_of_an_agent_move_by_reference(tmp_path: Path) -> None:
    document = tmp_path / "agent.yaml"
    name = "AGENT_VARIABLES_SHOP_TOKEN"
    document.write_text(
        f"""
        kind: coterie.agent
        format: 1
        name: Shopper
        settings:
          variables:
          - {{keyword: shop_token, default_value: {{$secret: {name}}}}}
          client_tools:
          - {{name: scan, description: Scans, parameters: {{type: object}}}}
        """,
        "utf-8",
    )
    first, second = tmp_path / "first", tmp_path / "second"
    for each in (first, second):
        each.mkdir(mode=0o700)
    given = {name: "tok-canary"}

    made = run_command(first, "agent", "import", str(document), "--json", environ=given)
    arrived = json.loads(made.stdout)
    moved = run_command(first, "agent", "export", arrived["id"], "--output", "agent.yaml")
    written = first / "agent.yaml"
    refused = run_command(second, "agent", "import", str(written))
    back = run_command(second, "agent", "import", str(written), "--json", environ=given)

    assert name in moved.stderr
    text = written.read_text("utf-8")
    assert ("tok-canary" in text, "name: scan" in text) == (False, True)
    assert refused.returncode == 1
    assert f"the secret {name}: set the environment variable" in refused.stderr
    assert back.returncode == 0, back.stderr
    assert json.loads(back.stdout)["warnings"] == []
