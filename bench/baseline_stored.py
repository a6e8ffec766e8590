"""Relays as one writes them oneself, which store what the product stores: rows before and after.

``python -m bench.baseline_stored KIND UPSTREAM_URL`` prints its port. ``fastapi``: FastAPI, httpx
and SQLite. ``langgraph``: the same with a graph of one node around the model. Question and run are
stored before the first token, answer, usage and end after the last, each durably, as the product
does; there is no authentication, replay, cancellation, or anything else.
"""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypedDict

import aiosqlite
import httpx
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph

Answering = Callable[[str, bytes], AsyncGenerator[str, None]]
"""Streams the texts of an answer to a body that a client sent."""

_SCHEMA: Final = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE run (id INTEGER PRIMARY KEY, status TEXT, tokens INTEGER);
CREATE TABLE message (id INTEGER PRIMARY KEY, run INTEGER, role TEXT, content TEXT);
CREATE INDEX message_of_run ON message (run);
"""
_UNLIMITED: Final = httpx.Limits(max_connections=None, max_keepalive_connections=None)


class Store:
    """One connection, one writer at a time."""

    def __init__(self, database: aiosqlite.Connection) -> None:
        self._database = database
        self._lock = asyncio.Lock()

    async def begin(self, question: str) -> int:
        """Store a run with its question; return its id."""
        async with self._lock:
            made = await self._database.execute("INSERT INTO run (status) VALUES ('in_progress')")
            run = made.lastrowid or 0
            await self._say(run, "user", question)
            await self._database.commit()
            return run

    async def end(self, run: int, answer: str, tokens: int) -> None:
        """Store the answer and the end of a run."""
        async with self._lock:
            await self._say(run, "assistant", answer)
            done = "UPDATE run SET status = 'completed', tokens = ? WHERE id = ?"
            await self._database.execute(done, (tokens, run))
            await self._database.commit()

    async def _say(self, run: int, role: str, content: str) -> None:
        statement = "INSERT INTO message (run, role, content) VALUES (?, ?, ?)"
        await self._database.execute(statement, (run, role, content))


async def texts(client: httpx.AsyncClient, url: str, body: bytes) -> AsyncGenerator[str, None]:
    """Ask the model and yield the pieces of its answer."""
    async with client.stream("POST", f"{url}/chat/completions", content=body) as response:
        async for line in response.aiter_lines():
            if line.startswith("data: {"):
                for choice in json.loads(line[6:])["choices"]:
                    if text := choice["delta"].get("content"):
                        yield text


class State(TypedDict):
    """What the graph hands on."""

    url: str
    body: bytes
    answer: str


def graph_answering(client: httpx.AsyncClient) -> Answering:
    """Ask the model in a node of a graph."""

    async def ask(state: State) -> dict[str, str]:
        write = get_stream_writer()
        pieces = []
        async for text in texts(client, state["url"], state["body"]):
            pieces.append(text)
            write(text)
        return {"answer": "".join(pieces)}

    builder = StateGraph(State)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    builder.add_edge("ask", END)
    graph = builder.compile()

    async def answer(url: str, body: bytes) -> AsyncGenerator[str, None]:
        given: State = {"url": url, "body": body, "answer": ""}
        async for text in graph.astream(given, stream_mode="custom"):
            yield str(text)

    return answer


def direct_answering(client: httpx.AsyncClient) -> Answering:
    """Ask the model."""
    return lambda url, body: texts(client, url, body)


KINDS: Final[dict[str, Callable[[httpx.AsyncClient], Answering]]] = {
    "fastapi": direct_answering,
    "langgraph": graph_answering,
}


def application(kind: str, url: str) -> FastAPI:
    """The relay of one kind."""
    parts: dict[str, Any] = {}

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        with TemporaryDirectory() as folder:
            async with (
                aiosqlite.connect(Path(folder) / "store.db") as database,
                httpx.AsyncClient(timeout=60, limits=_UNLIMITED) as client,
            ):
                await database.executescript(_SCHEMA)
                parts.update(store=Store(database), answer=KINDS[kind](client))
                yield

    app = FastAPI(lifespan=lifespan)

    async def chat(request: Request) -> StreamingResponse:
        body = await request.body()
        store: Store = parts["store"]
        run = await store.begin(json.loads(body)["messages"][-1]["content"])

        async def frames() -> AsyncGenerator[str, None]:
            pieces = []
            async for text in parts["answer"](url, body):
                pieces.append(text)
                choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
                chunk = {"id": run, "object": "chat.completion.chunk", "choices": [choice]}
                yield f"data: {json.dumps(chunk)}\n\n"
            await store.end(run, "".join(pieces), len(pieces))
            yield "data: [DONE]\n\n"

        return StreamingResponse(frames(), media_type="text/event-stream")

    app.add_api_route("/v1/chat/completions", chat, methods=["POST"], response_model=None)
    return app


def main() -> None:
    kind, upstream = sys.argv[1:]
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        sys.stdout.write(f"{listener.getsockname()[1]}\n")
        sys.stdout.flush()
        config = uvicorn.Config(
            application(kind, upstream), log_level="warning", access_log=False, loop="uvloop"
        )
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
