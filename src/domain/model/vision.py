"""Images for models that see, and descriptions of them for models that do not."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import msgspec
from cachetools import LRUCache

from crossdomain.file.contract import Files, LoadedImage
from domain.model.entity import Model
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage, ChatRequest, ImagePart, Part, TextPart
from domain.shared.error import AppError
from domain.shared.ids import FileId
from domain.shared.limits import Limits

DescribeImage = Callable[[CallContext, Model, ChatRequest], Awaitable[str]]
"""Calls the given model and returns the whole text of its reply."""

_PARALLEL: Final = 3
_DESCRIBE_S: Final = 30.0
_DESCRIPTION_TOKENS: Final = 300
_DESCRIPTION_CHARS: Final = 4000
_FOCUS_CHARS: Final = 500
_NAME_CHARS: Final = 100
_CACHE_ENTRIES: Final = 1000

_PROMPT_VERSION: Final = 1
_PROMPT: Final = (
    "Describe this image for someone who cannot see it: first what it shows as a whole, then the "
    "details that matter, and any text in it word for word. Use plain sentences, at most 200 "
    "words. Say nothing that the image does not show."
)
_FOCUS: Final = " The person who sent it wrote the following; dwell on what it asks about: "


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where an image stands in a request."""

    message: int
    part: int


@dataclass(frozen=True, slots=True)
class _Scene:
    """What all images of one request share."""

    context: CallContext
    model: Model
    vision: Model | None
    places: asyncio.Semaphore
    """Of this request alone, so nobody else waits and nothing is to be shared out."""


class VisionShim:
    """Makes the images of a request fit the model: loaded, described, or announced in words."""

    def __init__(self, *, files: Files, limits: Limits, describe: DescribeImage) -> None:
        self._files = files
        self._limits = limits
        self._describe = describe
        self._descriptions: LRUCache[tuple[object, ...], str] = LRUCache(_CACHE_ENTRIES)

    async def prepare(
        self, context: CallContext, request: ChatRequest, *, model: Model, vision: Model | None
    ) -> ChatRequest:
        """Return the request as ``model`` can take it.

        The newest images stay, at most ten. One that cannot be loaded or described becomes a line
        of text that says so; it never fails the call.
        """
        spots = [
            _Spot(i, j)
            for i, message in enumerate(request.messages)
            for j, part in enumerate(message.parts)
            if isinstance(part, ImagePart)
        ]
        if not spots:
            return request
        kept = spots[-self._limits.images_per_request :]
        scene = _Scene(context, model, vision, asyncio.Semaphore(_PARALLEL))
        async with asyncio.TaskGroup() as group:
            tasks = {
                spot: group.create_task(self._convert(scene, request.messages[spot.message], spot))
                for spot in kept
            }
        parts = {spot: task.result() for spot, task in tasks.items()}
        return _with_parts(request, parts, limit=self._limits.images_per_request)

    async def _convert(self, scene: _Scene, message: ChatMessage, spot: _Spot) -> Part:
        image = message.parts[spot.part]
        assert isinstance(image, ImagePart)  # noqa: S101 - only images have spots
        can_see, vision = scene.model.capabilities.vision, scene.vision
        if not can_see and vision is None:
            return _marker(image, "there is an image here, but you cannot see it")
        async with scene.places:
            try:
                loaded = await self._load(scene.context, image)
            except AppError as exc:
                return _marker(image, f"this image could not be loaded: {exc.message}")
            if can_see or vision is None:
                return msgspec.structs.replace(
                    image, data=loaded.data, media_type=loaded.media_type
                )
            description = await self._description(scene.context, message, loaded, vision)
        if not description:
            return _marker(image, "there is an image here, but it could not be described")
        return _marker(image, f"description of what it shows: {description}")

    async def _load(self, context: CallContext, image: ImagePart) -> LoadedImage:
        if image.data:
            digest = await asyncio.to_thread(_digest, image.data)
            return LoadedImage(data=image.data, media_type=image.media_type, sha256=digest)
        return await self._files.load_image(
            context.scope,
            file_id=FileId(image.file_id) if image.file_id else None,
            url="" if image.file_id else image.url,
        )

    async def _description(
        self, context: CallContext, message: ChatMessage, image: LoadedImage, vision: Model
    ) -> str:
        """Describe with the text that came with the image as focus; empty if that fails."""
        focus = message.text.strip()[:_FOCUS_CHARS]
        key = (image.sha256, vision.key, vision.revision, _PROMPT_VERSION, focus)
        if known := self._descriptions.get(key):
            return known
        prompt = _PROMPT + (_FOCUS + focus if focus else "")
        request = ChatRequest(
            model=vision.key,
            messages=(
                ChatMessage(
                    role="user",
                    parts=(
                        TextPart(text=prompt),
                        ImagePart(data=image.data, media_type=image.media_type),
                    ),
                ),
            ),
            max_output_tokens=_DESCRIPTION_TOKENS,
        )
        try:
            async with asyncio.timeout(_DESCRIBE_S):
                text = await self._describe(context, vision, request)
        except (AppError, TimeoutError):
            return ""
        description = " ".join(text.split())[:_DESCRIPTION_CHARS]
        if description:
            self._descriptions[key] = description
        return description


def _with_parts(request: ChatRequest, parts: dict[_Spot, Part], *, limit: int) -> ChatRequest:
    """Put the converted parts in place; images without one were beyond the limit."""
    messages = []
    for i, message in enumerate(request.messages):
        if not any(isinstance(part, ImagePart) for part in message.parts):
            messages.append(message)
            continue
        converted = tuple(
            parts.get(_Spot(i, j)) or _marker(part, f"left out; only the newest {limit} are shown")
            if isinstance(part, ImagePart)
            else part
            for j, part in enumerate(message.parts)
        )
        messages.append(msgspec.structs.replace(message, parts=converted))
    return msgspec.structs.replace(request, messages=tuple(messages))


def _marker(image: ImagePart, text: str) -> TextPart:
    name = "".join(char for char in image.name if char.isprintable())[:_NAME_CHARS]
    return TextPart(text=f"[Image {name!r}: {text}]" if name else f"[Image: {text}]")


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
