"""A small deployment with some of everything, and the questions that show what it holds."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from application.file.icon import IconService
from tests.e2e.test_knowledge_chat import QUESTION, client_of, new_bot, new_dataset
from tests.e2e.test_knowledge_table import CITIES, COUNT, Base, sheet
from tests.e2e.test_memory import sql, table
from tests.support.client.chat import Talk
from tests.support.client.workflow import Flows
from tests.support.process.nest import Forked, nest
from tests.support.process.server import RunningServer, variables_for
from tests.support.wait import until
from tests.support.workflow.canvas import ENTRY, canvas, exit_, field, ref

GREETING = canvas(
    exit_(out=ref(ENTRY, "name")),
    entry=[field("name", "string")],
)
ICON = IconService(public_url="").image("agent")
ICON_DIGEST = hashlib.sha256(ICON).hexdigest()


def start_command(data: Path, *arguments: str) -> Forked:
    """Start one command on a data directory, whatever it says; the caller ends it."""
    silent = os.open(os.devnull, os.O_WRONLY)
    try:
        return nest().start(
            arguments, folder=data, environ=variables_for(data), out=silent, err=silent
        )
    finally:
        os.close(silent)


class Deployment:
    """What was stored, and how to ask for it on any server that should hold it."""

    space = ""
    """Where its workspace is; releases before icons did not tell."""

    def __init__(self, server: RunningServer) -> None:
        with self._http(server) as http, client_of(server) as coze:
            flows = Flows(http)
            self.dataset_id = new_dataset(coze, flows.workspace_id)
            self.bot_id = new_bot(coze, flows.workspace_id, self.dataset_id)
            cities = Base(http, "cities")
            assert cities.upload(sheet(CITIES)) == ""
            self.cities_id = cities.id
            self.workflow_id = flows.publish("greet", GREETING)
            self.database_id = table(flows, "books")
            sql(flows, self.database_id, "INSERT INTO books (title, pages) VALUES ('Emma', 474)")
            self.conversation_id = Talk(http).ask(self.bot_id, QUESTION)["conversation_id"]
            uploaded = http.post("/v1/files/upload", files={"file": ("a.txt", b"kept\n" * 9)})
            self.file_id = uploaded.json()["data"]["id"]
            self.space = f"/admin/v1/workspaces/{flows.workspace_id}"
            shown = http.put(f"{self.space}/icon", files={"file": ("icon.png", ICON)})
            assert shown.is_success, shown.text

    def answers(self, server: RunningServer) -> dict[str, Any]:
        """What a server says to the same questions."""
        with self._http(server) as http:
            flows, talk = Flows(http), Talk(http)
            # The first one after a start may come late on a busy machine, and an answer without it.
            until(lambda: self._search(http))
            history = self._messages(http, self.conversation_id)
            chat = talk.ask(self.bot_id, QUESTION)
            assert chat["status"] == "completed", chat
            run = http.post(
                "/v1/workflow/run",
                json={"workflow_id": self.workflow_id, "parameters": {"name": "Ann"}},
            ).json()
            return {
                "history": history,
                "chat": self._messages(http, chat["conversation_id"]),
                "search": self._search(http),
                "table": self._table(http),
                "workflow": json.loads(run["data"]),
                "database": sql(flows, self.database_id, "SELECT title, pages FROM books"),
                "file": http.get(f"/v1/files/{self.file_id}/content").text,
            } | ({"icon": self._icon(http)} if self.space else {})

    def _messages(self, http: httpx.Client, conversation_id: str) -> list[tuple[str, str]]:
        """Role and content of all messages, in order; what was found is part of the content."""
        found = http.post(
            "/v1/conversation/message/list",
            params={"conversation_id": conversation_id},
            json={"order": "asc"},
        ).json()["data"]
        return [(each["role"], each["content"]) for each in found]

    def _search(self, http: httpx.Client) -> list[tuple[str, str]]:
        body = {"query": QUESTION, "dataset_ids": [self.dataset_id]}
        # A server that has just begun on a busy machine may answer that it has no room yet.
        found = http.post("/v1/datasets/search", json=body).json().get("data", {"items": []})
        return [(each["document_id"], each["content"]) for each in found["items"]]

    def _table(self, http: httpx.Client) -> list[str]:
        body = {"query": COUNT, "dataset_ids": [self.cities_id], "enable_nl2sql": True}
        found = http.post("/v1/datasets/search", json=body).json()["data"]["items"]
        return [each["content"] for each in found if each["source"] == "nl2sql"]

    def _icon(self, http: httpx.Client) -> str:
        """What a browser shows of the workspace: its digest."""
        address = http.get(self.space).json()["icon_url"]
        shown = http.get(urlsplit(address).path, headers={"Authorization": ""})
        return hashlib.sha256(shown.content).hexdigest()

    @staticmethod
    def _http(server: RunningServer) -> httpx.Client:
        return httpx.Client(base_url=server.url, headers=server.headers, timeout=60)
