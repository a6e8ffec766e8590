"""A reader of event streams as strict as cozepy and as literal as httpx about line ends."""

from dataclasses import dataclass

import msgspec


@dataclass(frozen=True)
class Event:
    name: str
    data: str

    @property
    def json(self) -> object:
        return msgspec.json.decode(self.data)


def parse(body: bytes) -> list[Event]:
    """Return the events; lines end wherever ``str.splitlines`` says, as in httpx."""
    assert body.endswith(b"\n")
    events: list[Event] = []
    name, data = "", ""
    for line in body.decode().splitlines():
        field, _, value = line.partition(":")
        match field:
            case "":
                if data:
                    events.append(Event(name, data))
                name, data = "", ""
            case "event":
                assert not name
                name = value.strip(" ")
            case "data":
                assert not data
                data = value.removeprefix(" ")
            case "id":
                int(value)
            case _:
                raise AssertionError(f"unexpected line {line!r}")
    assert not data
    return events
