"""What an image shows, said by a model that sees."""

import asyncio
from contextlib import aclosing
from typing import Final

from crossdomain.model.contract import Models
from domain.knowledge.error import CaptionUnsupported
from domain.knowledge.image import LONGEST_CAPTION, caption_prompt, tidy_caption
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, ChatRequest, ImagePart, TextDelta, TextPart
from domain.shared.error import Unavailable

_TIMEOUT_S: Final = 120.0
_OUTPUT_TOKENS: Final = 2 * LONGEST_CAPTION


class ImageCaptioner:
    """Asks the model that looks at images, if the deployment has one."""

    def __init__(self, models: Models) -> None:
        self._models = models

    async def describe(
        self, context: CallContext, image: bytes, *, media_type: str, name: str
    ) -> str:
        """Return a caption of one line, empty if the model says nothing.

        Raises:
            CaptionUnsupported: no model here sees.
            ModelCallFailed: the model failed.
            Unavailable: it took too long.
        """
        model = await self._models.seeing()
        if model is None:
            raise CaptionUnsupported(
                "No model here can look at images; appoint one as the default for vision, or "
                "write the caption yourself."
            )
        request = ChatRequest(
            model=model.id,
            messages=(
                ChatMessage(
                    role="user",
                    parts=(
                        TextPart(text=caption_prompt(name)),
                        ImagePart(data=image, media_type=media_type),
                    ),
                ),
            ),
            max_output_tokens=_OUTPUT_TOKENS,
        )
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                stream = self._models.stream(context, request, purpose="vision")
                async with aclosing(stream) as events:
                    texts = [e.text async for e in events if isinstance(e, TextDelta)]
        except TimeoutError as exc:
            raise Unavailable("The model took too long to look at the image.") from exc
        return tidy_caption("".join(texts))
