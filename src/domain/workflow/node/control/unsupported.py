"""Kinds that other systems have and that cannot run here; they are reported by name."""

from typing import Final

from domain.workflow.graph import NodeConfig
from domain.workflow.node import NodeType


class UnsupportedConfig(NodeConfig, frozen=True, kw_only=True):
    """``type_name`` is what the foreign canvas calls the kind."""

    type_name: str


_KINDS: Final = (
    ("legacy_variable", "11", "Variable", "Variable (old)", "变量"),
    ("image_flow", "14", "ImageFlow", "Image flow", "图像流"),
    ("image_generate", "16", "ImageGenerate", "Image generation", "图像生成"),
    ("image_reference", "17", "ImageReference", "Image reference", "图像参考"),
    ("drawing_board", "23", "ImageCanvas", "Drawing board", "画板"),
    ("scene_variable", "24", "SceneVariable", "Scene variable", "场景变量"),
    ("scene_chat", "25", "SceneChat", "Scene chat", "场景对话"),
    ("foreign", "", "Unknown", "Unsupported node", "不支持的节点"),
)

for _kind, _type_id, _key, _english, _chinese in _KINDS:
    NodeType(
        kind=_kind,
        type_id=_type_id,
        key=_key,
        names={"en": _english, "zh": _chinese},
        read=lambda reader: UnsupportedConfig(type_name=reader.data["nodeMeta"]["title"].text()),
        config=UnsupportedConfig,
    ).register()

UNSUPPORTED: Final = frozenset(kind for kind, *_ in _KINDS)
"""Their names."""
