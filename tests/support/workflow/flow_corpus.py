"""The corpus of FastGPT flows: its cases, and the surfaces that each of them is asked over.

``tests/fixtures/workflow/fastgpt/README.md`` says what stands in a case.
"""

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
from cozepy import Coze

from application.conversation.view import ANSWER_SEPARATOR
from tests.e2e.test_knowledge_chat import new_dataset
from tests.support.client.plugin import Plugins
from tests.support.client.seed import Seed
from tests.support.client.workflow import FIXTURES, Flows
from tests.support.web.service import Answer, Asked, Service
from tests.upstream.cased import RULES

FOLDER = FIXTURES / "fastgpt"
Json = dict[str, Any]


class Turn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message of the user, and what becomes of it.

    ``answers`` are the messages in their order; ``failed`` is a part of the reason, ``asks`` a part
    of the question that the turn ends with. ``kept`` are the variables that stay with the
    conversation.
    """

    text: str = ""
    files: tuple[str, ...] = ()
    variables: Json = {}
    answers: tuple[str, ...] = ()
    reasoning: str = ""
    failed: str = ""
    asks: str = ""
    kept: Json | None = None


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A flow with everything that it needs."""

    about: str
    flow: Json
    turns: tuple[Turn, ...] = ()
    models: dict[str, list[Json]] = {}
    flows: dict[str, Json] = {}
    knowledge: dict[str, str] = {}
    plugins: dict[str, tuple[str, ...]] = {}
    """Names of their tools, each of which asks the web service for the page of its name."""
    http: dict[str, Any] = {}
    findings: tuple[str, ...] = ()
    """Parts of the errors that the import reports; such a flow cannot be asked."""
    output: Json | None = None
    """What ``/v1/workflow/run`` returns of the first turn, if it is not the answers."""


def cases() -> list[Path]:
    """Files of the corpus."""
    return sorted(FOLDER.glob("*.json"))


def read_case(path: Path) -> Case:
    return msgspec.json.decode(path.read_bytes(), type=Case)


@dataclass
class Said:
    """What one turn came to."""

    answers: list[str] = field(default_factory=list)
    reasoning: str = ""
    failed: str = ""
    asks: bool = False
    nodes: list[Json] | None = None
    """Results of the nodes, where the surface tells them."""
    kept: Json | None = None
    """Variables after the turn, where the surface tells them."""
    written: str = ""
    """What models wrote of the answers, where the surface tells it apart."""


Ask = Callable[[Turn], Said]


class Corpus:
    """Puts cases on a server."""

    def __init__(self, flows: Flows, seed: Seed, service: Service, coze: Coze) -> None:
        self.flows = flows
        self.seed = seed
        self._service = service
        self.coze = coze

    def put(self, name: str, case: Case) -> Json:
        """Import the flow and what it needs; return the report of the import."""
        self._service.answer = partial(_answer, case.http)
        places = {"@http": self._service.url}
        for model, rules in case.models.items():
            behaviour = f"cased-{name}-{model}"
            RULES[behaviour] = rules
            style = "prompt_tags" if model.startswith("prompted") else "native"
            places[f"@model:{model}"] = self.seed.model(behaviour, capabilities={"tools": style})
        for plugin, tools in case.plugins.items():
            places[f"@plugin:{plugin}"] = self._plugin(plugin, tools)
        for base, text in case.knowledge.items():
            made = new_dataset(self.coze, self.flows.workspace_id, f"{name} {base}", text=text)
            places[f"@knowledge:{base}"] = made
        for child, flow in case.flows.items():
            report = self._import(f"{name}_{child}", flow, places)
            assert not errors_of(report), errors_of(report)
            places[f"@flow:{child}"] = self.publish(report)
        return self._import(name, case.flow, places)

    def placed(self, turn: Turn) -> Turn:
        """Name the files of a turn as they are called here."""
        files = tuple(each.replace("@http", self._service.url) for each in turn.files)
        return msgspec.structs.replace(turn, files=files)

    def publish(self, report: Json) -> str:
        """Publish what was imported and return its id."""
        workflow_id = str(report["workflow"]["id"])
        body = {"version": "v0.0.1", "description": "first", "force": True}
        self.flows.call("POST", f"/admin/v1/workflows/{workflow_id}/publish", body)
        return workflow_id

    def agent(self, name: str, workflow_id: str) -> str:
        """Make an agent that is led by a workflow."""
        led_by = {"workflow_id": workflow_id}
        return self.seed.new_agent(name, mode="workflow", workflow_agent=led_by)

    def _plugin(self, name: str, tools: Sequence[str]) -> str:
        city = {"name": "city", "in": "query", "schema": {"type": "string"}}
        answer = {"200": {"description": "As it is.", "content": {"application/json": {}}}}
        paths = {
            f"/{tool}": {"get": {"operationId": tool, "parameters": [city], "responses": answer}}
            for tool in tools
        }
        document = {"openapi": "3.0.3", "info": {"title": name, "version": "1"}, "paths": paths}
        plugins = Plugins(self.seed, workspace_id=self.flows.workspace_id)
        made, _ = plugins.bring(json.dumps(document), self._service.url)
        plugins.publish(made)
        return made

    def _import(self, name: str, flow: Json, places: Mapping[str, str]) -> Json:
        text = json.dumps(flow)
        for place, value in sorted(places.items(), reverse=True):
            text = text.replace(place, value)
        path = f"/admin/v1/workspaces/{self.flows.workspace_id}/workflows:import"
        body = {"name": name.replace("-", "_")[:40], "schema": json.loads(text)}
        made: Json = self.flows.call("POST", path, body)
        return made


def errors_of(report: Json) -> list[str]:
    """Errors that an import reports, each with the node and the reason."""
    found = report["findings"]["diagnostics"]
    return [
        f"{each['node_id']}: {each['message']}" for each in found if each["severity"] == "error"
    ]


def open_conversation(client: httpx.Client) -> str:
    """Open a conversation as Coze's clients do and return its id."""
    return str(client.post("/v1/conversation/create", json={}).json()["data"]["id"])


def over_workflow_chat(client: httpx.Client, workflow_id: str, *, conversation_id: str = "") -> Ask:
    """Ask the workflow itself, as Coze's clients do."""
    opened = conversation_id or open_conversation(client)

    def ask(turn: Turn) -> Said:
        body = {
            "workflow_id": workflow_id,
            "conversation_id": opened,
            "additional_messages": [_coze_message(turn)],
            "parameters": turn.variables,
        }
        return _coze_answer(client.post("/v1/workflows/chat", json=body))

    return ask


def over_chat(client: httpx.Client, agent_id: str, *, conversation_id: str = "") -> Ask:
    """Ask an agent that the workflow leads, as Coze's clients do."""
    opened = conversation_id or open_conversation(client)

    def ask(turn: Turn) -> Said:
        body = {
            "bot_id": agent_id,
            "user_id": "me",
            "stream": True,
            "additional_messages": [_coze_message(turn)],
            "parameters": turn.variables,
        }
        params = {"conversation_id": opened}
        return _coze_answer(client.post("/v3/chat", params=params, json=body))

    return ask


def over_completions(client: httpx.Client, agent_id: str) -> Ask:
    """Ask the same agent as FastGPT's clients do, with details and as a stream."""
    chat_id = uuid.uuid4().hex

    def ask(turn: Turn) -> Said:
        body = completion_of(agent_id, turn, chat_id=chat_id, stream=True)
        response = client.post("/api/v1/chat/completions", json=body)
        assert response.status_code == httpx.codes.OK, response.text
        return _fastgpt_answer(response)

    return ask


def completion_of(agent_id: str, turn: Turn, *, chat_id: str, stream: bool) -> Json:
    """Make the request of FastGPT's clients that want details."""
    content = [
        {"type": "text", "text": turn.text},
        *(
            {"type": "file_url", "name": each.rpartition("/")[2], "url": each}
            for each in turn.files
        ),
    ]
    return {
        "appId": agent_id,
        "chatId": chat_id,
        "stream": stream,
        "detail": True,
        "messages": [{"role": "user", "content": content if turn.files else turn.text}],
        "variables": turn.variables,
    }


def run_once(client: httpx.Client, workflow_id: str, turn: Turn) -> Json:
    """Run the workflow without a conversation and return the answer of the server."""
    parameters = {"userChatInput": turn.text, "userFiles": [*turn.files], **turn.variables}
    body = {"workflow_id": workflow_id, "parameters": parameters}
    answer: Json = client.post("/v1/workflow/run", json=body).json()
    return answer


def _coze_message(turn: Turn) -> Json:
    if not turn.files:
        return {"role": "user", "content": turn.text, "content_type": "text"}
    parts = [
        {"type": "text", "text": turn.text},
        *({"type": "file", "file_url": each} for each in turn.files),
    ]
    return {"role": "user", "content": json.dumps(parts), "content_type": "object_string"}


def _coze_answer(response: httpx.Response) -> Said:
    assert response.headers["content-type"].startswith("text/event-stream"), response.text
    said = Said()
    for name, data in _frames(response):
        match name.removeprefix("conversation."), data:
            case "message.completed", {"type": "answer", "content": str(text)}:
                said.answers.append(text)
            case "message.delta", {"reasoning_content": str(text)}:
                said.reasoning += text
            case "chat.failed", {"last_error": {"msg": str(text)}}:
                said.failed = text
            case "chat.requires_action", _:
                said.asks = True
            case _:
                pass
    return said


def _fastgpt_answer(response: httpx.Response) -> Said:
    said, text = Said(), ""
    end: tuple[str, Any] = ("", None)
    for name, data in _frames(response):
        end = name, data
        match name, data:
            case "answer" | "fastAnswer", {"choices": [{"delta": delta}]}:
                text += delta.get("content") or ""
                said.written += (delta.get("content") or "") if name == "answer" else ""
                said.reasoning += delta.get("reasoning_content") or ""
            case "error", {"message": str(reason)}:
                said.failed = reason
            case "interactive", _:
                said.asks = True
            case "updateVariables", dict(kept):
                said.kept = kept
            case "flowResponses", list(nodes):
                said.nodes = nodes
            case _:
                pass
    assert said.failed or end == ("answer", "[DONE]"), end
    said.answers = text.split(ANSWER_SEPARATOR) if text else []
    return said


def _frames(response: httpx.Response) -> Iterator[tuple[str, Any]]:
    for block in response.text.strip().split("\n\n"):
        lines = [line.partition(": ") for line in block.split("\n")]
        fields = {name: value for name, _, value in lines if name}
        if "data" in fields:
            data = fields["data"]
            is_json = data[:1] in {"{", "[", '"'} and data != "[DONE]"
            yield fields.get("event", ""), json.loads(data) if is_json else data


def _answer(pages: Mapping[str, Any], asked: Asked) -> Answer:
    """Answer a request of an HTTP node; ``@echo`` tells what was asked."""
    page = pages.get(f"{asked.method} {asked.target.partition('?')[0]}")
    if page is None:
        return httpx.codes.NOT_FOUND, "text/plain", b"There is no such page."
    if page == "@echo":
        body = asked.body.decode("utf-8", "replace")
        page = {"body": {"target": asked.target, "headers": asked.headers, "body": body}}
    body = page.get("body", "")
    text = body if isinstance(body, str) else json.dumps(body)
    media = page.get("type", "application/json" if text is not body else "text/plain")
    return page.get("status", httpx.codes.OK), media, text.encode()
