"""Events of runs as lines of the log: cut where they are long, never lost."""

from application.workflow.run.event import (
    MessageChunk,
    NodeEnded,
    RunRecord,
    decode_records,
    encode_records,
)


def chunk(text: str) -> MessageChunk:
    return MessageChunk(
        path=("a",), node_id="a", node_title="A", kind="emitter", text=text, number=0, is_last=False
    )


def test_records_come_back_and_long_values_are_cut() -> None:
    ended = NodeEnded(
        path=("a",),
        node_id="a",
        node_title="A",
        kind="text",
        status="success",
        output={"short": 1, "long": "y" * 5000},
        raw_output="z" * 5000,
    )
    records = [
        RunRecord(seq=1, at_ms=5, event=chunk("line\nbreak")),
        RunRecord(seq=2, at_ms=6, event=ended),
    ]
    whole = decode_records(encode_records(records, field_bytes=0))
    cut = decode_records(encode_records(records, field_bytes=1000))

    assert whole == records
    assert cut[0] == records[0]
    event = cut[1].event
    assert isinstance(event, NodeEnded)
    assert event.output is not None
    assert event.output["short"] == 1
    assert event.output["long"]["bytes"] == 5002
    assert len(event.raw_output) == 1000


def test_what_no_text_can_hold_is_replaced_not_lost() -> None:
    ended = NodeEnded(
        path=("a",),
        node_id="a",
        node_title="A",
        kind="text",
        status="success",
        output={"kept": "yes", "broken": "\ud800"},
    )
    records = [
        RunRecord(seq=1, at_ms=5, event=chunk("a\ud800b")),
        RunRecord(seq=2, at_ms=6, event=ended),
    ]
    message, node = (each.event for each in decode_records(encode_records(records, field_bytes=0)))

    assert isinstance(message, MessageChunk)
    assert isinstance(node, NodeEnded)
    assert message.text == "a?b"
    assert node.output is not None
    assert node.output["kept"] == "yes"
