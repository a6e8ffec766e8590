"""New nodes in the form of the canvas: settings that an editor begins with."""

from collections.abc import Mapping, Sequence

Blank = Mapping[str, object]
"""``data`` of a new node, without its title."""


def blank(
    *, inputs: Mapping[str, object] | None = None, outputs: Sequence[Blank] | None = None
) -> Blank:
    """Put together what a node begins with."""
    made: dict[str, object] = {}
    if outputs is not None:
        made["outputs"] = list(outputs)
    if inputs is not None:
        made["inputs"] = dict(inputs)
    return made


def literal(kind: str, content: object = "", *, schema: object = None) -> Blank:
    """Make an input with a fixed value."""
    made: dict[str, object] = {"type": kind}
    if schema is not None:
        made["schema"] = schema
    return {**made, "value": {"type": "literal", "content": content}}


def unset(kind: str, *, schema: object = None) -> Blank:
    """Make an input that nothing is connected to yet."""
    made: dict[str, object] = {"type": kind}
    if schema is not None:
        made["schema"] = schema
    nothing = {"source": "block-output", "blockID": "", "name": ""}
    return {**made, "value": {"type": "ref", "content": nothing}}


def param(name: str, value: Blank) -> Blank:
    """Name an input."""
    return {"name": name, "input": value}


def out(name: str, kind: str = "string", *, schema: object = None) -> Blank:
    """Declare an output."""
    made: dict[str, object] = {"type": kind, "name": name}
    return made if schema is None else {**made, "schema": schema}


def waiting(*inputs: str, outputs: Sequence[Blank] = ()) -> Blank:
    """Make a node that reads texts and has no other settings."""
    params = [param(name, unset("string")) for name in inputs]
    return blank(inputs={"inputParameters": params}, outputs=outputs)
