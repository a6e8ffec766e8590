"""Agents on the wires of several vendors, and with a model that has no calls of its own."""

import json

import pytest

from tests.e2e.test_knowledge_chat import QUESTION, client_of, new_dataset
from tests.support.client.chat import Talk, answer_of
from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer


@pytest.fixture(scope="module")
def dataset_id(server: RunningServer, seed: Seed) -> str:
    with client_of(server) as coze:
        return new_dataset(coze, seed.workspace_id, "guides for all wires")


@pytest.mark.parametrize(
    ("wire", "tools"),
    [
        ("anthropic/recalls", "native"),
        ("gemini/recalls", "native"),
        ("ollama/recalls", "native"),
        ("ark/recalls", "native"),
        ("openai/prompted", "prompt_prefix"),
        ("openai/prompted", "native"),  # its server refuses them
    ],
)
def test_an_agent_calls_its_tools_whatever_its_model_speaks(
    dataset_id: str, talk: Talk, seed: Seed, wire: str, tools: str
) -> None:
    kind, _, model = wire.partition("/")
    model_id = seed.model(model, provider=kind, capabilities={"tools": tools})
    agent_id = seed.new_agent(
        kind,
        model={"model_id": model_id},
        knowledge={
            "datasets": [dataset_id],
            "auto": False,
            "search_strategy": 1,
            "show_source_mode": 1,
        },
    )

    events = talk.stream(agent_id, QUESTION)

    bodies = [body for name, body in events if name == "conversation.message.completed"]
    calls = [json.loads(body["content"]) for body in bodies if body["type"] == "function_call"]
    assert [call["arguments"] for call in calls] == [{"query": QUESTION}]
    assert answer_of(events).endswith("It says so [1].")
    answer = [body for body in bodies if body["type"] == "answer"][-1]
    assert answer["content"] == "It says so [1]."
    assert "guide.txt" in answer["meta_data"]["citations"]
