"""Workflows on a server, made over the admin surface."""

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from tests.support.wait import until

FIXTURES = Path(__file__).parents[2] / "fixtures" / "workflow"
WAIT_S = 60.0


def example(name: str) -> str:
    """Text of an example canvas."""
    return (FIXTURES / f"{name}.json").read_text("utf-8")


class Flows:
    """Makes and runs workflows in the first workspace of the caller."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http
        spaces = self.call("GET", "/v1/workspaces")["data"]["workspaces"]
        self.workspace_id: str = spaces[0]["id"]

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Ask and return what the server says; fail if it refuses."""
        response = self.http.request(method, path, json=body)
        assert response.is_success, f"{method} {path}: {response.status_code} {response.text}"
        return response.json() if response.content else None

    def draft(self, name: str, canvas: str | Mapping[str, Any]) -> str:
        """Make a workflow and return its id."""
        path = f"/admin/v1/workspaces/{self.workspace_id}/workflows"
        made = self.call("POST", path, {"name": name, "description": "A flow.", "mode": 0})
        text = canvas if isinstance(canvas, str) else json.dumps(canvas)
        self.call("PUT", f"/admin/v1/workflows/{made['id']}/canvas", {"schema": text})
        return str(made["id"])

    def publish(self, name: str, canvas: str | Mapping[str, Any]) -> str:
        """Make and publish a workflow and return its id."""
        workflow_id = self.draft(name, canvas)
        body = {"version": "v0.0.1", "description": "first", "force": True}
        self.call("POST", f"/admin/v1/workflows/{workflow_id}/publish", body)
        return workflow_id

    def process(self, execute_id: str) -> Any:
        """A run with its nodes, now."""
        return self.call("GET", f"/admin/v1/workflow-runs/{execute_id}")

    def until_node(self, execute_id: str, node_id: str) -> None:
        """Wait until a node of a run starts."""
        until(
            lambda: node_id in [each["node_id"] for each in self.process(execute_id)["nodes"]],
            f"the start of node {node_id}",
            wait_s=WAIT_S,
        )

    def settled(self, execute_id: str, *, wait_s: float = WAIT_S) -> Any:
        """The same, once the run ended or waits for an answer."""
        deadline = time.monotonic() + wait_s
        while True:
            found = self.process(execute_id)
            if found["status"] != 1 or time.monotonic() > deadline:
                return found
            time.sleep(0.02)
