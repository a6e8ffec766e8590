"""Provider that draws how many tokens a call takes, and keeps its own count."""

import json
import random
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from tests.support.web.service import Answer, Asked

KINDS: Final = ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
HELD: Final = "Hold on"
"""Begin of a question that is answered only once it is let go."""


@dataclass
class Provider:
    """Answers with as many tokens as it draws, refuses now and then, counts what it answered."""

    chance: random.Random
    refuses: float = 0.04
    most_input: int = 5000
    most_output: int = 400
    counted: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)
    held: dict[str, threading.Event] = field(default_factory=dict)
    """Questions that wait, by their text."""
    asked: set[str] = field(default_factory=set)
    """Those of them that arrived."""

    def hold(self, question: str) -> None:
        """Keep the answer to this question back."""
        self.held[question] = threading.Event()

    def let_go(self, question: str) -> None:
        """Answer it after all, if anybody still listens."""
        self.held[question].set()

    def answer(self, asked: Asked) -> Answer:
        """Answer a call of a chat model."""
        body = json.loads(asked.body)
        question = body["messages"][-1]["content"]
        if isinstance(question, str) and (waits := self.held.get(question)):
            with self.lock:
                self.counted["held"] += 1
                self.asked.add(question)
            waits.wait(120)
            return 200, "text/event-stream", reply(body["model"], self._usage())
        with self.lock:
            if self.chance.random() < self.refuses:
                self.counted["refused"] += 1
                return 500, "application/json", b'{"error": {"message": "Try again."}}'
            usage = self._usage()
            self.counted["calls"] += 1
            for kind in KINDS:
                self.counted[kind] += usage[kind]
        return 200, "text/event-stream", reply(body["model"], usage)

    def _usage(self) -> dict[str, int]:
        given = self.chance.randint(1, self.most_input)
        made = self.chance.randint(1, self.most_output)
        return {
            "input_tokens": given,
            "output_tokens": made,
            "cached_tokens": self.chance.choice((0, self.chance.randint(0, given))),
            "reasoning_tokens": self.chance.choice((0, self.chance.randint(0, made))),
        }


def reply(model: str, usage: dict[str, int]) -> bytes:
    """A streamed answer of one word that took so many tokens."""

    def chunk(**more: Any) -> str:
        head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": model}
        return f"data: {json.dumps(head | more)}\n\n"

    told = {
        "prompt_tokens": usage["input_tokens"],
        "completion_tokens": usage["output_tokens"],
        "total_tokens": usage["input_tokens"] + usage["output_tokens"],
        "prompt_tokens_details": {"cached_tokens": usage["cached_tokens"]},
        "completion_tokens_details": {"reasoning_tokens": usage["reasoning_tokens"]},
    }
    said = chunk(choices=[{"index": 0, "delta": {"role": "assistant", "content": "Yes."}}])
    end = chunk(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}])
    return f"{said}{end}{chunk(choices=[], usage=told)}data: [DONE]\n\n".encode()
