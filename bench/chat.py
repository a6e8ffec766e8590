"""Chat benchmark: what a chat in an existing conversation costs, whatever is stored already.

Clients chat on ``/v3/chat``, streamed, 20 tokens, everything stored: each chat in a conversation of
its own that has a history, with an agent that has a persona with variables. The first row of a
table is what the others are related to: the same chat without history, and in a small store. The
store is filled by copies of what one chat leaves, because what counts is how much there is.
``BENCH_CHATS`` (of a row) and ``BENCH_ROUNDS`` shorten it.
"""

import asyncio
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

import aiohttp
from rich.console import Console

from bench.server import Product, product, spawned

CHATS: Final = int(os.environ.get("BENCH_CHATS", "200"))
ROUNDS: Final = int(os.environ.get("BENCH_ROUNDS", "3"))
CLIENTS: Final = 4
MODEL: Final = "tokens-20-0"
HISTORIES: Final = (0, 20, 100)
STORES: Final = ((1_000, 10), (100_000, 10), (1_000, 10_000))
"""Conversations and agents."""
SENT_ROUNDS: Final = 3
"""Rounds of history that the model is sent, however many there are: so agents are by default."""
PERSONA: Final = (
    "You are the help desk of {{company}}. The user is {{customer}}, today is {{current_date}}. "
    "Answer in one sentence."
)
_APART: Final = 100
"""Ids between two copies, for the rows of each."""


@dataclass(frozen=True, slots=True)
class Row:
    """Chats of 20 tokens, each in an existing conversation; milliseconds."""

    history: int
    """Messages of the conversation before the chat."""
    conversations: int
    agents: int
    chats: int
    errors: int
    processor_ms: float
    """Of the server for one chat, the median of the rounds."""
    ratio: float
    """To the first row."""


class Copies:
    """Rows of one conversation, stored again and again with other ids."""

    def __init__(self, database: sqlite3.Connection, conversation_id: int) -> None:
        self._database = database
        self._conversation = self._rows("conversation", f"id = {conversation_id}")
        self._messages = self._rows("message", f"conversation_id = {conversation_id}")
        self._runs = self._rows("run", f"conversation_id = {conversation_id}")
        self._events = self._rows("run_event", f"run_id = {self._runs[0]['id']}")
        self._calls = self._rows("model_call", f"run_id = {self._runs[0]['id']}")
        agent_id = self._runs[0]["agent_id"]
        self._agents = self._rows("agent", f"id = {agent_id}")
        self._versions = self._rows("agent_version", f"agent_id = {agent_id}")
        self._publications = self._rows("agent_publication", f"agent_id = {agent_id}")
        self._next = count(conversation_id - 10**15, _APART)

    def conversations(self, number: int, *, messages: int) -> list[int]:
        """Store conversations with so many messages each; return their ids."""
        return list(self._conversations(number, messages))

    def agents(self, number: int) -> None:
        """Store published agents."""
        for _ in range(number):
            agent_id = next(self._next)
            self._add("agent", self._agents, id=agent_id)
            self._add("agent_version", self._versions, id=agent_id + 1, agent_id=agent_id)
            self._add("agent_publication", self._publications, id=agent_id + 2, agent_id=agent_id)

    def _conversations(self, number: int, messages: int) -> Iterator[int]:
        for _ in range(number):
            conversation_id = next(self._next)
            same = {"conversation_id": conversation_id, "section_id": conversation_id}
            self._add(
                "conversation",
                self._conversation,
                id=conversation_id,
                section_id=conversation_id,
                next_seq=1 + 64 * (messages // 2 + 1),
            )
            for at in range(messages // 2):
                run_id = next(self._next)
                self._add("run", self._runs, id=run_id, question_id=run_id + 1, **same)
                for offset, each in enumerate(self._messages, 1):
                    seq = 64 * at + offset
                    self._add("message", [each], id=run_id + offset, run_id=run_id, seq=seq, **same)
                self._add("run_event", self._events, run_id=run_id)
                self._add("model_call", self._calls, run_id=run_id)
            yield conversation_id

    def _rows(self, table: str, condition: str) -> list[dict[str, Any]]:
        found = self._database.execute(f"SELECT * FROM {table} WHERE {condition}")  # noqa: S608
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found]

    def _add(self, table: str, rows: Sequence[dict[str, Any]], **changed: Any) -> None:
        for row in rows:
            new = {**row, **{name: value for name, value in changed.items() if name in row}}
            places = ", ".join("?" * len(new))
            self._database.execute(
                f"INSERT INTO {table} ({', '.join(new)}) VALUES ({places})",  # noqa: S608
                list(new.values()),
            )


def _body(agent_id: str) -> dict[str, Any]:
    return {
        "bot_id": agent_id,
        "user_id": "bench",
        "stream": True,
        "custom_variables": {"company": "Coterie", "customer": "a guest"},
        "additional_messages": [{"role": "user", "content": "go", "content_type": "text"}],
    }


async def chat(server: Product, agent_id: str, conversations: Sequence[int]) -> int:
    """Chat once in each conversation; return how many failed."""
    waiting = iter(conversations)
    body = _body(agent_id)
    errors = 0

    async def client(http: aiohttp.ClientSession) -> None:
        nonlocal errors
        for conversation_id in waiting:
            where = {"conversation_id": str(conversation_id)}
            async with http.post("/v3/chat", params=where, json=body) as response:
                data = await response.read()
            errors += b"event:conversation.chat.completed" not in data.replace(b": ", b":")

    async with (
        aiohttp.ClientSession(server.url, headers=server.headers) as http,
        asyncio.TaskGroup() as group,
    ):
        for _ in range(CLIENTS):
            group.create_task(client(http))
    return errors


def begin(directory: Path, upstream: str) -> tuple[str, int]:
    """Make an agent with a persona and one chat with it; return agent and conversation."""
    with product(directory) as server:
        agent_id = server.agent_on(MODEL, f"{upstream}/v1", persona=PERSONA, rounds=SENT_ROUNDS)
        opened = server.call("POST", "/v1/conversation/create", {"bot_id": agent_id})
        conversation_id = int(opened["data"]["id"])
        if asyncio.run(chat(server, agent_id, [conversation_id])):
            raise RuntimeError("The chat to copy failed.")
    return agent_id, conversation_id


def measure(upstream: str, conversations: int, agents: int, histories: Sequence[int]) -> list[Row]:
    """Fill a store and chat in it, the histories in turn."""
    with TemporaryDirectory() as name:
        directory = Path(name)
        agent_id, conversation_id = begin(directory, upstream)
        with closing(sqlite3.connect(directory / "coterie.db")) as database, database:
            copies = Copies(database, conversation_id)
            copies.agents(agents - 1)
            copies.conversations(conversations, messages=2)
            rooms = {
                history: copies.conversations((ROUNDS + 1) * CHATS, messages=history)
                for history in histories
            }
        spent: dict[int, list[float]] = {history: [] for history in histories}
        errors = dict.fromkeys(histories, 0)
        with product(directory, COTERIE_LOG__ACCESS="false") as server:
            for number in range(ROUNDS + 1):
                for history, of in rooms.items():
                    before = server.processor_s
                    part = of[number * CHATS : (number + 1) * CHATS]
                    errors[history] += asyncio.run(chat(server, agent_id, part))
                    if number:  # the first one warms up
                        spent[history].append(1000 * (server.processor_s - before) / CHATS)
    return [
        Row(
            history=history,
            conversations=conversations,
            agents=agents,
            chats=ROUNDS * CHATS,
            errors=errors[history],
            processor_ms=median(spent[history]),
            ratio=1.0,
        )
        for history in histories
    ]


def run(console: Console) -> list[dict[str, Any]]:
    """Chat with every history, then in every store."""
    rows: list[Row] = []
    with spawned("bench.upstream") as upstream:
        for at, (conversations, agents) in enumerate(STORES):
            console.log(f"chat: {conversations} conversations, {agents} agents")
            histories = HISTORIES if at == 0 else HISTORIES[1:2]
            rows += measure(upstream, conversations, agents, histories)
    first = rows[0].processor_ms
    return [asdict(row) | {"ratio": row.processor_ms / first} for row in rows]
