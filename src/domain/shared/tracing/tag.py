"""Tags of runs: words by which whoever asks finds them again."""

from typing import Final

from domain.shared.error import InvalidRequest

MOST_TAGS: Final = 10
TAG_CHARS: Final = 40


def read_tags(text: str) -> tuple[str, ...]:
    """Read words between commas, each once; raise ``InvalidRequest`` for what is no tag."""
    tags = tuple(dict.fromkeys(filter(None, (each.strip() for each in text.split(",")))))
    if len(tags) > MOST_TAGS:
        raise InvalidRequest(f"Coterie-Tags: at most {MOST_TAGS} tags.", field="Coterie-Tags")
    for tag in tags:
        if len(tag) > TAG_CHARS or "|" in tag or not tag.isprintable():
            raise InvalidRequest(
                f"Coterie-Tags: a tag has at most {TAG_CHARS} characters, and no `|` among them.",
                field="Coterie-Tags",
            )
    return tags
