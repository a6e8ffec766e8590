"""Capture of a run: how much is kept, by whoever decided most narrowly, and what is masked."""

from collections.abc import Callable, Sequence
from typing import Final

from domain.trace.value import Capture

Mask = Callable[[str], str]
"""Replaces what is not to be kept of a text."""

_ORDER: Final = tuple(Capture)


def decided(
    settings: Sequence[Capture | None], *, is_draft: bool, lowered: Capture | None = None
) -> Capture:
    """Return how much to keep.

    ``settings`` come from the widest (deployment) to the narrowest (agent or workflow): the
    narrowest that is set counts. Where none is, drafts keep their content and what is published
    keeps none. ``lowered`` is what a request asks for, which never raises it.
    """
    chosen = Capture.CONTENT if is_draft else Capture.METADATA
    for setting in settings:
        chosen = setting or chosen
    if lowered is not None and _ORDER.index(lowered) < _ORDER.index(chosen):
        return lowered
    return chosen
