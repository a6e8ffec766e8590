"""Tags of runs, as their header says them."""

import pytest

from domain.shared.error import InvalidRequest
from domain.shared.tracing.tag import MOST_TAGS, TAG_CHARS, read_tags


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        ("", ()),
        (" , ,", ()),
        ("beta", ("beta",)),
        (" beta ,check out,beta", ("beta", "check out")),
        ("\u6d4b\u8bd5,\u00e9t\u00e9", ("\u6d4b\u8bd5", "\u00e9t\u00e9")),
        ("x" * TAG_CHARS, ("x" * TAG_CHARS,)),
        (",".join(map(str, range(MOST_TAGS))), tuple(map(str, range(MOST_TAGS)))),
    ],
)
def test_words_between_commas_are_tags(header: str, tags: tuple[str, ...]) -> None:
    assert read_tags(header) == tags


@pytest.mark.parametrize(
    "header", ["x" * (TAG_CHARS + 1), "a|b", "a\x00", "a\nb", ",".join(map(str, range(11)))]
)
def test_what_is_no_tag_is_refused_by_name(header: str) -> None:
    with pytest.raises(InvalidRequest, match="Coterie-Tags"):
        read_tags(header)
