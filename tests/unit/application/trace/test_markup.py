"""HTML and SVG are found in what steps gave, wherever it stands."""

import json

import pytest

from application.trace.markup import page_in

PAGE = "<!doctype html><p>Seven piers</p>"


@pytest.mark.parametrize(
    "text",
    [
        PAGE,
        json.dumps(PAGE),
        json.dumps({"status": 200, "body": {"note": "a < b", "html": PAGE}}),
        json.dumps([1, None, PAGE, "<p>later</p>"]),
    ],
)
def test_the_first_page_is_found(text: str) -> None:
    assert page_in(text) == PAGE


def test_a_drawing_is_one_too() -> None:
    drawing = "<svg xmlns='http://www.w3.org/2000/svg'/>"
    assert page_in(json.dumps({"chart": drawing})) == drawing


@pytest.mark.parametrize("text", ["", "plain", "a < b", "<note>x</note>", '{"a": "<"', "[" * 9000])
def test_other_texts_hold_none(text: str) -> None:
    assert page_in(text) is None
