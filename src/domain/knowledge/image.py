"""Images as knowledge: the caption a model is asked for, and the slice it becomes."""

from collections.abc import Sequence
from typing import Final

import msgspec

from domain.knowledge.error import KnowledgeInvalid
from domain.knowledge.service import SliceDraft
from domain.knowledge.slice import FoundSlice, Slice
from domain.knowledge.value import SliceKind
from infra.contract.document.parser import OCR, Block, Paragraph, Picture

LONGEST_CAPTION: Final = 300
MAX_CAPTION_CHARS: Final = 2000
"""Of a caption that a person writes."""
MAX_TEXT_CHARS: Final = 4000
"""Characters of text in an image that it is found by."""
CAPTIONS_OF_A_DOCUMENT: Final = 50
"""Each is a call of a model and takes seconds."""
_NAME_CHARS: Final = 100


def caption_prompt(name: str) -> str:
    """Return what a model is asked about an image; its name is a hint and decides the language."""
    shown = " ".join(name.split())[:_NAME_CHARS]
    return (
        "Describe this image so that somebody who searches for it in words will find it: what it "
        "shows, and what is written on it if that matters. Answer with the description only, in "
        f"one paragraph of at most {LONGEST_CAPTION} characters, in the language of the text in "
        f"the image or else of its file name. The file is called {shown!r}."
    )


def tidy_caption(text: str) -> str:
    """Return a caption on one line, cut at its longest."""
    return " ".join(text.split())[:LONGEST_CAPTION].rstrip()


def picture_of(blocks: Sequence[Block]) -> Picture | None:
    """Return the image that an image file was read as."""
    return next((block for block in blocks if isinstance(block, Picture)), None)


def recognised(blocks: Sequence[Block]) -> int:
    """Count the pages and pictures whose words were read from an image."""
    pages = {each.page for each in blocks if isinstance(each, Paragraph) and each.style == OCR}
    return len(pages) + sum(isinstance(each, Picture) and bool(each.ocr_text) for each in blocks)


def uncaptioned(blocks: Sequence[Block]) -> list[Picture]:
    """Return the first pictures of a document of which no words are known, each once."""
    read = {block.page for block in blocks if isinstance(block, Paragraph) and block.style == OCR}
    found = {
        block.sha256: block
        for block in blocks
        if isinstance(block, Picture)
        and not (block.ocr_text or block.caption or (block.is_scan and block.page in read))
    }
    return list(found.values())[:CAPTIONS_OF_A_DOCUMENT]


def seen_by_models(picture: Picture) -> tuple[str, str]:
    """Return hash and media type of what models are shown of an image."""
    if picture.small_sha256:
        return picture.small_sha256, picture.small_mime
    return picture.sha256, picture.mime


def text_in(blocks: Sequence[Block]) -> str:
    """Return the text that was read from an image."""
    texts = [block.ocr_text for block in blocks if isinstance(block, Picture) and block.ocr_text]
    texts += [block.text for block in blocks if isinstance(block, Paragraph)]
    return "\n".join(texts)[:MAX_TEXT_CHARS]


def image_content(object_key: str, caption: str) -> str:
    """Return the content of an image's slice: the image, for those who can show it, and words."""
    return f'<img src="" data-tos-key="{object_key}">\n{caption}'


def caption_of(content: str) -> str:
    """Return the words of an image's content."""
    return content.partition("\n")[2]


def check_caption(caption: str) -> str:
    """Return a caption without surrounding spaces; raise ``KnowledgeInvalid`` for a long one."""
    caption = caption.strip()
    if len(caption) > MAX_CAPTION_CHARS:
        raise KnowledgeInvalid(
            f"caption: expected up to {MAX_CAPTION_CHARS} characters.", field="caption"
        )
    return caption


class ImageWords(msgspec.Struct, frozen=True, kw_only=True):
    """What an image is found by: what it is said to show, and the text that was read in it."""

    caption: str = ""
    text: str = ""

    @classmethod
    def of(cls, content: str, index_text: str) -> "ImageWords":
        """Tell the words of an image's slice apart."""
        caption = caption_of(content)
        return cls(caption=caption, text=index_text.removeprefix(caption).strip())


def recaptioned(before: Slice, object_key: str, caption: str) -> tuple[str, str]:
    """Return content and index text under another caption; text in the image stays findable."""
    text = ImageWords.of(before.content, before.index_text).text
    words = "\n".join(part for part in (caption, text) if part)
    return image_content(object_key, caption), words


def shown_content(item: FoundSlice) -> str:
    """Return what is shown of a slice that was found: an image's caption and the text in it."""
    if item.kind is not SliceKind.IMAGE or not item.index_text:
        return item.content
    tag, _, _ = item.content.partition("\n")
    return f"{tag}\n{item.index_text}"


def image_slice(object_key: str, caption: str, *, text: str = "") -> SliceDraft | None:
    """Return the slice of an image; None without anything to find it by."""
    words = "\n".join(part for part in (caption, text) if part)
    if not words:
        return None
    return SliceDraft(
        content=image_content(object_key, caption), kind=SliceKind.IMAGE, index_text=words
    )
