"""Secrets as a type: whatever prints, encodes or pickles one gets a mask."""

from typing import Final, NoReturn

MASK: Final = "******"


class Secret:
    """A credential in memory; ``reveal`` is the only way to its text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text; call it where the secret leaves for its owner, and nowhere else."""
        return self._text

    @property
    def hint(self) -> str:
        """Last four characters for display, or a mask if the secret is short."""
        return f"…{self._text[-4:]}" if len(self._text) >= 12 else MASK  # noqa: PLR2004

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    def __str__(self) -> str:
        return MASK

    def __reduce__(self) -> NoReturn:
        raise TypeError("A secret cannot be pickled or copied.")
