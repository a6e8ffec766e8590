"""Contract of the reader of JSON5 and JSONPath."""

import pytest

from infra.contract.json_reader import PATH_CHARS, JsonRefused
from infra.impl.json_reader.library import read_json5, select_json

ITEMS = [{"url": "u1", "n": 1}, {"url": "u2", "n": 2}]
DOCUMENT = {
    "text": "t",
    "data": ITEMS,
    "list": [[1, 2], [3]],
    "名": "z",
    "a-b": 5,
    "my key": 6,
    "it's": 7,
    "error": {"code": 3},
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$", [DOCUMENT]),
        ("$.text", ["t"]),
        ("$.名", ["z"]),
        ("$.a-b", [5]),
        ("$.my key", [6]),
        ("$.it's", [7]),
        ("$['my key']", [6]),
        ("$.data[0].url", ["u1"]),
        ("$.data.1.url", ["u2"]),
        ("$.data[-1:].url", ["u2"]),
        ("$.data[*].url", ["u1", "u2"]),
        ("$.data[0]['url','n']", ["u1", 1]),
        ("$.data[?(@.n>1)].url", ["u2"]),
        ("$.data[?(@.n === 1 && @.url !== 'u2')].url", ["u1"]),
        ("$..url", ["u1", "u2"]),
        ("$.list[0][1]", [2]),
        ("$.error.code", [3]),
        ("$.missing.part", []),
        ("$.text[0].x", []),
    ],
)
async def test_a_path_leads_to_its_values(path: str, found: list[object]) -> None:
    assert await select_json(DOCUMENT, [path]) == [found]


@pytest.mark.parametrize(
    "path",
    [
        "$.",
        "$.data[(@.length-1)]",
        "text[",
        "$.data[?(@.url =~ /(u+)+$/)]",
        "$.data[?match(@.url, '(u+)+')]",
        "$.data[?search(@.url, '(u+)+')]",
        "$..*..*..*",
        "$" + "[*,*]" * 40,
        "$.data[?(@.n == $..n)]",
        "$." + "a" * PATH_CHARS,
    ],
)
async def test_a_path_that_is_none_or_costs_too_much_is_refused_by_itself(path: str) -> None:
    refused, found = await select_json(DOCUMENT, [path, "$.text"])

    assert isinstance(refused, JsonRefused)
    assert found == ["t"]


async def test_a_document_that_is_nested_without_end_is_searched_to_some_depth() -> None:
    document: object = 1
    for _ in range(5000):
        document = [document]

    (result,) = await select_json(document, ["$..x"])

    assert isinstance(result, JsonRefused)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 1, 'b': \"x\", c: [1, 2,],} // done", {"a": 1, "b": "x", "c": [1, 2]}),
        ("{a: .5, b: 0xFF, c: +1}", {"a": 0.5, "b": 255, "c": 1}),
        ("{a: [NaN, {b: -Infinity}]}", {"a": [None, {"b": None}]}),
        ("'it\\'s'", "it's"),
    ],
)
async def test_json5_is_read_as_json_can_say_it(text: str, value: object) -> None:
    assert await read_json5(text) == value


@pytest.mark.parametrize(
    "text", ["", "{", "{a: b}", "{a: 1} x", "[" * 100_000, "9" * 100_000, "'\\ud800'", "{a: 1"]
)
async def test_what_is_no_json5_is_refused(text: str) -> None:
    with pytest.raises(JsonRefused):
        await read_json5(text)
