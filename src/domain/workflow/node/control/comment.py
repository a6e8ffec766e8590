"""Comment: a note in the editor, dropped before anything runs."""

from domain.workflow.node import NodeType

NodeType(
    kind="comment",
    type_id="31",
    key="Comment",
    names={"en": "Comment", "zh": "注释"},
    blank={
        "size": {"width": 240, "height": 150},
        "inputs": {
            "schemaType": "slate",
            "note": '[{"type":"paragraph","children":[{"text":"","type":"text"}]}]',
        },
    },
    group="basic",
).register()
