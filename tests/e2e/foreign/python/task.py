"""Tasks of a program that stands for a foreign client: each is done, and its result printed."""

import asyncio
import inspect
import json
import os
import traceback
from collections.abc import Callable, Iterable
from typing import Any, Final

from pydantic import BaseModel

AGENT: Final = os.environ["COTERIE_AGENT"]
OTHER: Final = os.environ["COTERIE_OTHER_AGENT"]
ADDRESS: Final = {"base_url": os.environ["OPENAI_BASE_URL"], "api_key": os.environ["COTERIE_TOKEN"]}
QUESTION: Final = "How often is the oil changed?"
WEATHER: Final = "What is the weather in Oslo?"
WHERE: Final = "Which place do I mean?"
EXPERT: Final = "Ask the expert how often the oil is changed."

APIS: Final = ("chat", "responses")
Task = Callable[..., Any]
_TASKS: Final[list[tuple[str, Task, dict[str, Any]]]] = []


class Place(BaseModel):
    """A place with its temperature."""

    city: str
    degrees: int


def weather(city: str) -> str:
    """Tell the weather of a city."""
    return f"Sunny in {city}"


def task(name: str, **given: Any) -> Callable[[Task], Task]:
    """Add a task; what is given goes to its function."""

    def add(function: Task) -> Task:
        _TASKS.append((name, function, given))
        return function

    return add


def joined(pieces: Iterable[str | None]) -> str:
    """The text of a stream; pieces that come at the same time may come as one."""
    return "".join(piece or "" for piece in pieces)


def main() -> None:
    """Do all tasks, one after the other; one that fails does not keep the others.

    Libraries keep connections from task to task, so that all share one loop.
    """
    with asyncio.Runner() as loop:
        for name, function, given in _TASKS:
            try:
                result = function(**given)
                if inspect.iscoroutine(result):
                    result = loop.run(result)
                if isinstance(result, BaseModel):
                    result = result.model_dump()
                line = {"task": name, "result": result}
            except Exception:  # noqa: BLE001
                line = {"task": name, "error": traceback.format_exc()[-3000:]}
            print(json.dumps(line), flush=True)  # noqa: T201
