"""Whether a turn has read what strangers may have written (prompt injection)."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Taint:
    """Where untrusted content of a turn came from, in order; it never goes away again."""

    sources: list[str] = field(default_factory=list)

    def mark(self, source: str) -> None:
        """Note that content from here is in the context now."""
        if source not in self.sources:
            self.sources.append(source)

    @property
    def is_marked(self) -> bool:
        """Anything untrusted was read."""
        return bool(self.sources)
