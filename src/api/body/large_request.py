"""Requests whose JSON may carry files: they are never decoded as JSON; ``long_texts`` has them."""

from api.body.long_text import LongTextExtractor, LongTexts
from api.body.request import ApiRequest, Received


class LargeRequest(ApiRequest):
    """For routes that take files inside JSON; other limits than those of a body stay."""

    __slots__ = ("long_texts",)

    long_texts: LongTexts
    """What the body names instead of saying it; complete once the body is read."""

    def _receiver(self) -> Received:
        lifter = LongTextExtractor()
        self.long_texts = lifter.texts
        return lifter
