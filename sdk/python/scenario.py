"""Scenarios of the client libraries, done with the Python one.

Reads ``{"url", "token", "places", "scenarios"}`` as JSON, writes one line for each result.
"""

import json
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from coterie_client import Coterie, CoterieError, Tool, models

Result = dict[str, Any]


def ask(client: Coterie, agent: str, message: str, tool: str = "") -> Result:
    tools = [Tool(tool)] if tool else []
    answer = client.chats.create(agent, message, tools=tools)
    return {"text": answer.text, "status": answer.run.status}


def stream(client: Coterie, agent: str, message: str) -> Result:
    """Read a stream, and how often its numbers did not grow."""
    text, seen, breaks = "", 0, 0
    with client.chats.stream(agent, message) as events:
        for event in events:
            breaks += events.last_seq <= seen
            seen = events.last_seq
            if isinstance(event, models.MessageDeltaEvent):
                text += event.text
    replayed = "".join(client.chats.follow(events.run_id).text())
    return {"text": text, "replayed": replayed, "breaks": breaks}


def follow(client: Coterie, agent: str, message: str) -> Result:
    run = client.chats.create(agent, message).run
    text, last = "", ""
    with client.runs.follow(run.id) as events:
        for event in events:
            last = event.__struct_config__.tag or event.type
            if last == "message.delta":
                text += event.text
    return {"text": text, "last": last}


def run_tools(client: Coterie, agent: str, message: str, tool: str, output: str) -> Result:
    called = []

    def function(**_: Any) -> str:
        called.append(tool)
        return output

    answer = client.chats.run_tools(agent, message, tools=[Tool(tool, function=function)])
    return {"text": answer.text, "called": called}


def workflow(client: Coterie, workflow: str, inputs: Result, answers: list[str]) -> Result:
    run, asked = client.workflows.run(workflow, inputs), 0
    for answer in answers:
        asked += len(run.questions)
        run = client.workflows.answer(run, answer)
    return {"output": dict(run.output), "asked": asked}


def upload(client: Coterie, base: str, name: str, text: str, query: str = "") -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text)
        (document,) = client.documents.add(base, path, wait=True)
    found = client.datasets.search(query=query, dataset_ids=[base])
    return {"status": document.status, "found": found.items[0].content}


def pages(client: Coterie, base: str, document: str, size: int) -> Result:
    ids = [each.slice_id for each in client.slices.list(base, document_id=document, page_size=size)]
    return {"count": len(ids), "different": len(set(ids))}


def cancel(client: Coterie, agent: str, message: str) -> Result:
    stream = client.chats.stream(agent, message)
    for _ in stream.text():
        stream.cancel()
    return {}


def repeat(client: Coterie, agent: str, message: str) -> Result:
    keyed = client.with_options(idempotency_key="the-same")
    runs = {keyed.chats.create(agent, message).run.id for _ in range(2)}
    return {"runs": len(runs)}


def converse(client: Coterie, agent: str, messages: list[str]) -> Result:
    runs, conversation = [], None
    for message in messages:
        run = client.chats.create(agent, message, conversation=conversation).run
        runs.append(run)
        conversation = run.conversation_id
    return {
        "conversations": len({run.conversation_id for run in runs}),
        "runs": len({run.id for run in runs}),
    }


def refused(client: Coterie, answers: list[list[int]]) -> Result:
    base, classes = client._transport._base, []
    for status, code in answers:
        there = Coterie(f"{base}/{status}/{code}", "t", retries=0)
        try:
            there.users.get_me()
        except CoterieError as exc:
            is_told = (exc.status, exc.code) == (status, code)
            classes.append(type(exc).__name__ if is_told else str(exc))
    return {"classes": classes}


def flaky(client: Coterie, path: str) -> Result:
    return {"user": Coterie(client._transport._base + path, "t").users.get_me().user_name}


def old(client: Coterie, path: str) -> Result:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = flaky(client, path)
    return {**found, "warned": any("needs" in str(each.message) for each in caught)}


CALLS = {
    each.__name__: each
    for each in (
        *(ask, stream, follow, run_tools, workflow, upload, pages),
        *(cancel, repeat, converse, refused, flaky, old),
    )
}


def main() -> None:
    given = json.load(sys.stdin)
    for scenario in given["scenarios"]:
        url = given["places"].get(scenario.get("through"), given["url"])
        token = scenario.get("token", given["token"])
        with Coterie(url, token, retries=5) as client:
            try:
                result = CALLS[scenario["call"]](client, **scenario["with"])
            except CoterieError as exc:
                result = {"error": type(exc).__name__, "code": exc.code, "message": str(exc)}
        print(json.dumps({"name": scenario["name"], "result": result}), flush=True)


if __name__ == "__main__":
    main()
