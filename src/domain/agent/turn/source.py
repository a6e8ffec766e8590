"""What a turn found out from knowledge, numbered for citing."""

from collections.abc import Sequence

from crossdomain.agent.contract import RecalledChunk
from crossdomain.knowledge.contract import RecalledSlice
from domain.agent.tools.fence import new_mark
from domain.shared.text.citation import Cited, pack


class Sources:
    """The sources of one turn: numbered from 1 over all its searches, each once.

    ``mark`` is part of the tags around untrusted text, so that none can close them. A turn that
    waited goes on with the sources that it had: ``cited``, of which the prompt gave the first
    ``given``.
    """

    def __init__(self, cited: Sequence[Cited] = (), *, given: int = 0) -> None:
        self.mark = new_mark()
        self.cited = list(cited)
        self.given = given
        self._numbers = {_key(each): number for number, each in enumerate(self.cited, 1)}

    def again(self, *, cites: bool) -> str:
        """Return once more what the prompt gave before the first step."""
        return pack(self.cited[: self.given], cites=cites, mark=self.mark)

    def add(
        self, found: Sequence[RecalledSlice], *, cites: bool
    ) -> tuple[str, list[RecalledChunk]]:
        """Take the result of a search; return its text for the model, and what it consists of.

        What an earlier search found already is only referred to.
        """
        first = len(self.cited) + 1
        chunks: list[RecalledChunk] = []
        known: list[int] = []
        for item in found:
            key = _key(item)
            number = self._numbers.get(key)
            if number is None:
                number = self._numbers[key] = len(self.cited) + 1
                self.cited.append(_cited(item))
            elif number < first:
                known.append(number)
            chunks.append(_chunk(number, item))
        text = pack(self.cited[first - 1 :], first=first, cites=cites, mark=self.mark)
        if known:
            numbers = ", ".join(map(str, known))
            text = f"{text}\nFound again: recall slices {numbers}, as given above.".strip()
        return text, chunks


def _key(item: RecalledSlice | Cited) -> tuple[int, int, str]:
    """Return what makes two sources the same; rows of tables have no slice."""
    return item.slice_id, item.document_id, "" if item.slice_id else item.content


def _cited(item: RecalledSlice) -> Cited:
    return Cited(
        slice_id=item.slice_id,
        document_id=item.document_id,
        document_name=item.document_name,
        content=item.content,
        page=item.page or None,
        url=item.url,
        dataset_id=item.dataset_id,
    )


def _chunk(number: int, item: RecalledSlice) -> RecalledChunk:
    return RecalledChunk(
        n=number,
        slice_id=item.slice_id,
        content=item.content,
        score=item.score,
        scores=dict(item.scores),
        dataset_id=item.dataset_id,
        dataset_name=item.dataset_name,
        document_id=item.document_id,
        document_name=item.document_name,
        format_type=item.format_type,
        source_type=item.source_type,
        url=item.url,
        page=item.page or None,
    )
