"""Who listens to which signals in this process, and how a signal reaches them."""

import logging
from typing import Final

from infra.contract.messaging.signal import SignalHandler

_log: Final = logging.getLogger(__name__)


class Handlers:
    """Handlers by subject, fixed once the process listens."""

    def __init__(self) -> None:
        self._by_subject: dict[str, list[SignalHandler]] = {}

    @property
    def subjects(self) -> frozenset[str]:
        """What somebody in this process listens to."""
        return frozenset(self._by_subject)

    def add(self, subject: str, handler: SignalHandler) -> None:
        self._by_subject.setdefault(subject, []).append(handler)

    def call(self, subject: str, key: str) -> None:
        """Tell every listener; one that fails must not keep the others from hearing it."""
        for handler in self._by_subject.get(subject, ()):
            try:
                handler(key)
            except Exception:  # noqa: BLE001 - a defect of one listener, logged
                _log.exception("a listener to signals failed", extra={"subject": subject})
