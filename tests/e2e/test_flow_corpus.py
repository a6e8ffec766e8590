"""Flows of FastGPT give the answers that FastGPT would show, on every surface."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from domain.workflow.fastgpt.kind import FLOW_KINDS
from tests.e2e.test_knowledge_chat import client_of, new_dataset
from tests.support.client.chat import Talk, skip_to
from tests.support.client.seed import Seed
from tests.support.client.workflow import Flows
from tests.support.process.server import running_server
from tests.support.wait import START_S, until
from tests.support.web.service import Service
from tests.support.workflow.canvas import canvas, node
from tests.support.workflow.flow import START, flow_node, link, value
from tests.support.workflow.flow_corpus import (
    FOLDER,
    Ask,
    Case,
    Corpus,
    Json,
    Turn,
    cases,
    completion_of,
    errors_of,
    open_conversation,
    over_chat,
    over_completions,
    over_workflow_chat,
    read_case,
    run_once,
)
from tests.upstream.fixture import RunningUpstream

NODE_TYPES = FLOW_KINDS.names()
REPEATED = frozenset({"agent_flows", "agent_prompted"})
"""Cases of which others show nearly all."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream) -> Iterator[Corpus]:
    """A server that may call the web service of the cases."""
    with Service(lambda _: (404, "text/plain", b"")).listening() as service:
        environ = {
            "OPENAI_BASE_URL": upstream.base_url,
            "OPENAI_MODEL": "echo",
            "COTERIE_EGRESS__ALLOW_PRIVATE": service.host,
        }
        with (
            running_server(tmp_path_factory.mktemp("corpus"), environ) as server,
            httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http,
            client_of(server) as coze,
        ):
            seed = Seed(server, upstream)
            yield Corpus(Flows(http), seed, service, coze)
            seed.close()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=pytest.mark.long if path.stem in REPEATED else [])
        for path in cases()
    ],
)
def test_a_flow_answers_as_it_would_at_home(corpus: Corpus, path: Path) -> None:
    case = read_case(path)
    case = msgspec.structs.replace(case, turns=tuple(map(corpus.placed, case.turns)))
    report = corpus.put(path.stem, case)
    errors = errors_of(report)
    for wanted in case.findings:
        assert any(wanted in error for error in errors), errors
    if case.findings:
        return
    assert not errors
    workflow_id = corpus.publish(report)
    agent_id = corpus.agent(path.stem, workflow_id)
    client = corpus.flows.http
    asked = {
        "workflow chat": over_workflow_chat(client, workflow_id),
        "chat": over_chat(client, agent_id),
        "completions": over_completions(client, agent_id),
    }
    for surface, ask in asked.items():
        for turn in case.turns:
            _check(surface, ask, turn)
    if case.output is not None or _is_plain(case):
        _check_run(client, workflow_id, case)


WRONG = {
    "js": "function main({a}) {\n  return {n: a b}\n}",
    "py": "def main(a):\n    return {'n': a b}",
}


@pytest.mark.parametrize("language", WRONG)
def test_code_that_does_not_compile_is_found_before_it_runs(corpus: Corpus, language: str) -> None:
    source = WRONG[language]
    given = [value("codeType", language), value("code", source), value("a", 1, "number")]
    flow = {
        "nodes": [
            flow_node(START, "workflowStart"),
            {**flow_node("wrong", "code"), "inputs": given},
        ],
        "edges": [link(START, "wrong")],
    }
    lines = node("5", "5", code=source, language={"py": 3, "js": 5}[language])

    for name, schema in (("flow", flow), ("canvas", canvas(lines))):
        # The sandbox may still have to start; until then the finding is that it could not be asked.
        def report(name: str = f"wrong_{name}", schema: Json = schema) -> Json | None:
            made = corpus.put(name, Case(about="", flow=schema))
            codes = {each["code"] for each in made["findings"]["diagnostics"]}
            return None if "WF447" in codes else made

        found = until(report, "an answer of the sandbox", wait_s=START_S, pause_s=1)
        (error,) = [each for each in errors_of(found) if "Line 2:" in each]
        assert error.startswith(("wrong: ", "5: "))
        assert not found["findings"]["can_be_published"]


@pytest.mark.parametrize("row", [("said", "told"), ("told", "said")], ids="-".join)
def test_feedback_of_a_flow_stays_beside_its_answer(corpus: Corpus, row: tuple[str, str]) -> None:
    asked = f"{{{{${START}.userChatInput$}}}}"
    nodes = {
        "said": {**flow_node("said", "answerNode"), "inputs": [value("text", f"You: {asked}")]},
        "told": {
            **flow_node("told", "customFeedback"),
            "inputs": [value("system_textareaInput", f"Asked {asked}.")],
        },
    }
    first = flow_node(START, "workflowStart", outputs=["userChatInput"])
    edges = [link(START, row[0]), link(*row)]
    flow = {"nodes": [first, *nodes.values()], "edges": edges}
    report = corpus.put(f"feedback_{row[0]}", Case(about="", flow=flow))
    assert not report["findings"]["diagnostics"]
    agent_id = corpus.agent(f"feedback {row[0]}", corpus.publish(report))
    client = corpus.flows.http
    opened = open_conversation(client)

    said = over_chat(client, agent_id, conversation_id=opened)(Turn(text="hi"))

    assert said.answers == ["You: hi"]
    listed = client.post(
        "/v1/conversation/message/list",
        params={"conversation_id": opened},
        json={"types": ["verbose"]},
    ).json()["data"]
    kept = [json.loads(each["content"]) for each in listed]
    found = [each["data"] for each in kept if each["msg_type"] == "custom_feedback"]
    assert [json.loads(each) for each in found] == [{"feedback": "Asked hi."}]


def test_variables_of_a_cancelled_turn_are_kept(corpus: Corpus) -> None:
    case = read_case(FOLDER / "variables_kept.json")
    hanging = json.dumps(case.flow).replace("@model:main", corpus.seed.model("hang"))
    workflow_id = corpus.publish(corpus.put("hanging", Case(about="", flow=json.loads(hanging))))
    agent_id = corpus.agent("hanging", workflow_id)
    client = corpus.flows.http
    talk, opened = Talk(client), open_conversation(client)

    with talk.streaming(agent_id, "fail", conversation_id=opened) as events:
        chat = skip_to(events, "conversation.chat.in_progress")
        skip_to(events, "conversation.message.completed")
        corpus.flows.until_node(chat["execute_id"], "m")
        assert talk.cancel(chat).json()["data"]["status"] == "canceled"

    again = over_chat(client, agent_id, conversation_id=opened)(Turn(text="on"))
    assert again.answers[0] == 'Oslo, fail 31 ["a","b"] loud=true'


def test_variables_of_one_flow_are_none_of_another(corpus: Corpus) -> None:
    case = read_case(FOLDER / "variables.json")
    client = corpus.flows.http
    opened = open_conversation(client)

    for name in ("first", "second"):
        workflow_id = corpus.publish(corpus.put(f"{name} in one", case))
        said = over_workflow_chat(client, workflow_id, conversation_id=opened)(case.turns[0])
        assert said.answers == [*case.turns[0].answers], name


@pytest.mark.parametrize("beside", [False, True])
def test_bases_of_other_workspaces_do_not_exist_for_a_flow(corpus: Corpus, beside: bool) -> None:
    case = read_case(FOLDER / "quotes_in_question.json")
    name = f"foreign beside={beside}"
    workflow_id = corpus.publish(corpus.put(name, case))
    elsewhere = corpus.seed.workspace(name)
    secret = "Change the oil of the pump at noon."
    foreign = new_dataset(corpus.coze, elsewhere, name, text=secret)
    client = corpus.flows.http
    agent_id = corpus.agent(name, workflow_id)
    own = new_dataset(corpus.coze, corpus.flows.workspace_id, f"own {name}", text="Own oil.")
    bases = [{"datasetId": each} for each in ([own] if beside else []) + [foreign]]
    turn = Turn(text="How often?", variables={"bases": bases})

    for ask in (
        over_workflow_chat(client, workflow_id),
        over_chat(client, agent_id),
        over_completions(client, agent_id),
    ):
        said = ask(turn)
        assert foreign in said.failed, said
        assert secret not in str(said)
    assert secret not in json.dumps(run_once(client, workflow_id, turn))


def test_frames_tell_what_models_write_from_what_the_flow_says(corpus: Corpus) -> None:
    case, agent_id = _led_by(corpus, "answers_in_order")

    said = over_completions(corpus.flows.http, agent_id)(case.turns[0])

    assert said.answers == [*case.turns[0].answers]
    assert said.written == "One two three."


def test_an_answer_in_one_piece_has_the_results_of_its_nodes(corpus: Corpus) -> None:
    case, agent_id = _led_by(corpus, "knowledge")
    body = completion_of(agent_id, case.turns[0], chat_id="whole", stream=False)

    made = corpus.flows.http.post("/api/v1/chat/completions", json=body).json()

    _check_nodes(made["responseData"])
    nodes = {each["nodeId"]: each for each in made["responseData"]}
    assert {"448745", "ds", "m"} <= nodes.keys()
    (quote,) = nodes["ds"]["quoteList"]
    assert quote["q"] == case.knowledge["pumps"]
    assert quote["id"].isdecimal()
    assert quote["datasetId"].isdecimal()
    assert quote["sourceName"]
    assert quote["score"]
    assert nodes["m"]["model"]
    assert nodes["m"]["inputTokens"] > 0
    assert nodes["m"]["runningTime"] >= 0
    assert made["newVariables"] == {}
    assert made["choices"][0]["message"]["content"] == case.turns[0].answers[0]


def test_the_results_of_the_nodes_tell_what_a_flow_remarks(corpus: Corpus) -> None:
    case, agent_id = _led_by(corpus, "history_handed_on")
    body = completion_of(agent_id, case.turns[0], chat_id="whole", stream=False)

    made = corpus.flows.http.post("/api/v1/chat/completions", json=body).json()

    remarks = {each["nodeId"]: each.get("textOutput", "") for each in made["responseData"]}
    assert remarks["fb"] == "And Bergen. was said"
    assert not remarks["m"]


def test_an_answer_in_one_piece_has_variables_as_they_are_declared(corpus: Corpus) -> None:
    case, agent_id = _led_by(corpus, "variables")
    body = completion_of(agent_id, case.turns[0], chat_id="whole", stream=False)

    made = corpus.flows.http.post("/api/v1/chat/completions", json=body).json()

    kept = {"city": "Oslo, hi", "count": 7, "tags": ["a", "b"]}
    assert kept.items() <= made["newVariables"].items()


def _led_by(corpus: Corpus, name: str) -> tuple[Case, str]:
    """Put a case and return it with an agent that it leads."""
    case = read_case(FOLDER / f"{name}.json")
    place = f"{name}_once_more"
    return case, corpus.agent(place, corpus.publish(corpus.put(place, case)))


def _check(surface: str, ask: Ask, turn: Turn) -> None:
    said = ask(turn)
    context = f"{surface}: {turn.text!r} gave {said}"
    if turn.failed:
        assert turn.failed in said.failed, context
    else:
        assert not said.failed, context
    if turn.asks:
        *before, asked = said.answers
        assert said.asks, context
        assert turn.asks in asked, context
        assert before == [*turn.answers], context
    else:
        assert said.answers == [*turn.answers], context
    assert said.reasoning == turn.reasoning, context
    if said.kept is not None and turn.kept is not None:
        assert turn.kept.items() <= said.kept.items(), context
    if said.nodes is not None:
        _check_nodes(said.nodes)

    assert surface != "completions" or turn.kept is None or said.kept is not None, context


def _check_nodes(nodes: list[Json]) -> None:
    """The results name the nodes of the flow as it calls them, with their types."""
    assert nodes
    for each in nodes:
        assert each["nodeId"], nodes
        assert each["moduleName"], nodes
        assert each["moduleType"] in NODE_TYPES, each


def _is_plain(case: Case) -> bool:
    """Tell whether the flow can be run without a conversation."""
    return len(case.turns) == 1 and not case.turns[0].asks


def _check_run(client: httpx.Client, workflow_id: str, case: Case) -> None:
    turn = case.turns[0]
    answer = run_once(client, workflow_id, turn)
    if turn.failed:
        assert answer["code"] != 0
        assert turn.failed in answer["msg"], answer
        return
    assert answer["code"] == 0, answer
    output = case.output if case.output is not None else {"output": "\n".join(turn.answers)}
    assert json.loads(answer["data"]) == output
