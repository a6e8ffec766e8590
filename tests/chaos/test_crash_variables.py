"""Servers that die while a flow answers: its variables stay with the answer, or not at all."""

from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.chaos.life import living_server
from tests.support.client.workflow import Flows
from tests.support.process.server import TOKEN
from tests.support.workflow.flow_corpus import (
    FOLDER,
    Turn,
    open_conversation,
    over_workflow_chat,
    read_case,
)

HEADERS = {"Authorization": f"Bearer {TOKEN}"}
BEFORE = 'Oslo 3 ["a","b"] loud='
AFTER = 'Oslo, hi 7 ["a","b"] loud='


@pytest.mark.parametrize(
    ("point", "begins"),
    [
        pytest.param("workflow.finish.committed", BEFORE, marks=pytest.mark.long),
        ("chat.finish.before_commit", BEFORE),
        pytest.param("chat.finish.committed", AFTER, marks=pytest.mark.long),
    ],
)
def test_variables_are_stored_with_the_end_of_the_chat(
    tmp_path: Path, point: str, begins: str
) -> None:
    with (
        living_server(tmp_path, {}) as life,
        httpx.Client(base_url=life.url, headers=HEADERS, timeout=60) as http,
    ):
        flows = Flows(http)
        path = f"/admin/v1/workspaces/{flows.workspace_id}/workflows:import"
        flow = read_case(FOLDER / "variables.json").flow
        workflow_id = flows.call("POST", path, {"name": "kept", "schema": flow})["workflow"]["id"]
        version = {"version": "v0.0.1", "description": "first", "force": True}
        flows.call("POST", f"/admin/v1/workflows/{workflow_id}/publish", version)
        opened = open_conversation(http)
    with (
        living_server(tmp_path, {}, dying_at=point) as life,
        httpx.Client(base_url=life.url, headers=HEADERS, timeout=60) as http,
    ):
        ask = over_workflow_chat(http, workflow_id, conversation_id=opened)
        with suppress(httpx.TransportError):
            ask(Turn(text="hi"))
        life.dies_at(point)
    with (
        living_server(tmp_path, {}) as life,
        httpx.Client(base_url=life.url, headers=HEADERS, timeout=60) as http,
    ):
        again = over_workflow_chat(http, workflow_id, conversation_id=opened)
        assert again(Turn(text="on")).answers[0] == begins
