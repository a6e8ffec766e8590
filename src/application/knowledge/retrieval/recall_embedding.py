"""Questions as vectors; those asked before are remembered for a while."""

import time
from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from crossdomain.model.contract import Models
from domain.shared.call import CallContext

Vector = Sequence[float]

_Key = tuple[int, str, int, str]
"""Space, model, dimensions and question: nobody learns what others asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryVectors:
    """Vectors in the order of the questions; ``is_offline`` if the built-in model made them."""

    vectors: tuple[Vector, ...]
    tokens: int = 0
    is_offline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Remembered:
    vector: Vector
    is_offline: bool
    until: float


class QueryEmbedder:
    """Embeds questions; equal ones are asked of a model once in a while only."""

    def __init__(
        self,
        *,
        models: Models,
        size: int,
        ttl_s: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._models = models
        self._size = size
        self._ttl_s = ttl_s
        self._monotonic = monotonic
        self._known: OrderedDict[_Key, _Remembered] = OrderedDict()

    async def embed(
        self, context: CallContext, questions: Sequence[str], *, model: str, dimensions: int
    ) -> QueryVectors:
        """Embed with the model that an index of these dimensions was made with.

        Raises what models raise.
        """
        now = self._monotonic()
        found: dict[str, _Remembered] = {}
        for question in questions:
            key = (context.space_id, model, dimensions, question)
            known = self._known.get(key)
            if known is not None and known.until > now:
                self._known.move_to_end(key)
                found[question] = known
        missing = [question for question in dict.fromkeys(questions) if question not in found]
        tokens = 0
        if missing:
            made = await self._models.embed(context, missing, purpose="query", model=model)
            tokens = made.input_tokens
            for question, vector in zip(missing, made.vectors, strict=True):
                # An array takes an eighth of the memory of a tuple.
                found[question] = _Remembered(
                    vector=array("f", vector), is_offline=made.is_offline, until=now + self._ttl_s
                )
                self._known[context.space_id, model, dimensions, question] = found[question]
            while len(self._known) > self._size:
                self._known.popitem(last=False)
        return QueryVectors(
            vectors=tuple(found[question].vector for question in questions),
            tokens=tokens,
            is_offline=all(one.is_offline for one in found.values()),
        )
