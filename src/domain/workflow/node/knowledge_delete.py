"""Deletes a document of a knowledge base."""

from domain.workflow.canvas.node_reader import output_field
from domain.workflow.node import NODE_TYPES, NodeType
from domain.workflow.value import BOOLEAN

NODE_TYPES.register("knowledge_delete")(
    NodeType(
        kind="knowledge_delete",
        type_id="60",
        key="KnowledgeDelete",
        names={"en": "Delete from knowledge", "zh": "知识库删除"},
        group="knowledge",
        outputs=(output_field("isSuccess", BOOLEAN),),
        required=("documentID",),
        zero_fill=True,
        null_fill=True,
        effects="write",
    )
)
