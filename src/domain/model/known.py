"""What is known about models by their published names, to fill in what nobody configured.

Windows and flags as their vendors documented them; the entry of an administrator always wins.
"""

from typing import Final

import msgspec

from domain.shared.chat import Capabilities
from infra.contract.model.chat_model import ParameterMapping

_K: Final = 1024


class KnownModel(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about a family of models; windows and outputs in tokens."""

    window: int = 32 * _K
    max_output: int = 8 * _K
    capabilities: Capabilities = Capabilities()
    mapping: ParameterMapping | None = None
    max_input_tokens: int = 8000
    is_known: bool = True


_TEXT: Final = Capabilities()
_VISION: Final = Capabilities(vision=True)
_SCHEMA: Final = Capabilities(vision=True, json_schema=True)
_THINKING: Final = Capabilities(reasoning=True)
_SEEING_THINKING: Final = Capabilities(vision=True, reasoning=True, json_schema=True)
_EFFORT: Final = Capabilities(reasoning=True, reasoning_effort=True)
_SEEING_EFFORT: Final = msgspec.structs.replace(_SEEING_THINKING, reasoning_effort=True)
_PROMPTED: Final = Capabilities(tools="prompt_prefix")
"""Most servers of these models refuse tools."""
_SEEING_PROMPTED: Final = Capabilities(vision=True, tools="prompt_prefix")
_COMPLETION_TOKENS: Final = ParameterMapping(rename={"max_tokens": "max_completion_tokens"})
_NO_SAMPLING: Final = ParameterMapping(
    rename={"max_tokens": "max_completion_tokens"},
    drop=("temperature", "top_p", "presence_penalty", "frequency_penalty", "stop"),
)

UNTOLD: Final = {"anthropic": frozenset({"seed", "presence_penalty", "frequency_penalty"})}
"""Settings that the wire of a provider has no field for."""

_CHAT: Final = {
    "offline": KnownModel(
        window=128 * _K, max_output=4 * _K, capabilities=Capabilities(tools="none")
    ),
    "gpt-3.5-turbo": KnownModel(window=16_385, max_output=4096),
    "gpt-4": KnownModel(window=8192, max_output=4096),
    "gpt-4-turbo": KnownModel(window=128_000, max_output=4096, capabilities=_VISION),
    "gpt-4o": KnownModel(window=128_000, max_output=16_384, capabilities=_SCHEMA),
    "chatgpt-4o": KnownModel(window=128_000, max_output=16_384, capabilities=_VISION),
    "gpt-4.1": KnownModel(window=1_047_576, max_output=32_768, capabilities=_SCHEMA),
    "gpt-5": KnownModel(
        window=400_000,
        max_output=128_000,
        capabilities=msgspec.structs.replace(_SEEING_EFFORT, verbosity=True),
        mapping=_NO_SAMPLING,
    ),
    "gpt-5-chat": KnownModel(
        window=128_000, max_output=16_384, capabilities=_SCHEMA, mapping=_COMPLETION_TOKENS
    ),
    "gpt-oss": KnownModel(window=131_072, max_output=32_768, capabilities=_EFFORT),
    "o1": KnownModel(
        window=200_000, max_output=100_000, capabilities=_SEEING_EFFORT, mapping=_NO_SAMPLING
    ),
    "o3": KnownModel(
        window=200_000, max_output=100_000, capabilities=_SEEING_EFFORT, mapping=_NO_SAMPLING
    ),
    "o3-mini": KnownModel(
        window=200_000, max_output=100_000, capabilities=_EFFORT, mapping=_NO_SAMPLING
    ),
    "o4-mini": KnownModel(
        window=200_000, max_output=100_000, capabilities=_SEEING_EFFORT, mapping=_NO_SAMPLING
    ),
    "claude": KnownModel(window=200_000, max_output=8192, capabilities=_VISION),
    "claude-3-7": KnownModel(window=200_000, max_output=64_000, capabilities=_VISION),
    "claude-haiku-4": KnownModel(window=200_000, max_output=64_000, capabilities=_VISION),
    "claude-sonnet-4": KnownModel(window=200_000, max_output=64_000, capabilities=_VISION),
    "claude-opus-4": KnownModel(window=200_000, max_output=32_000, capabilities=_VISION),
    "gemini": KnownModel(window=1_048_576, max_output=8192, capabilities=_SCHEMA),
    "gemini-2.5": KnownModel(window=1_048_576, max_output=65_536, capabilities=_SEEING_EFFORT),
    "deepseek": KnownModel(window=128 * _K, max_output=8192),
    "deepseek-r1": KnownModel(window=128 * _K, max_output=32 * _K, capabilities=_THINKING),
    "deepseek-reasoner": KnownModel(window=128 * _K, max_output=64 * _K, capabilities=_THINKING),
    "qwen": KnownModel(window=32 * _K, max_output=8192),
    "qwen-plus": KnownModel(window=131_072, max_output=16_384),
    "qwen-turbo": KnownModel(window=131_072, max_output=16_384),
    "qwen-long": KnownModel(window=1_000_000, max_output=8192),
    "qwen-vl": KnownModel(window=32 * _K, max_output=8192, capabilities=_VISION),
    "qwen2-vl": KnownModel(window=32 * _K, max_output=8192, capabilities=_VISION),
    "qwen2.5": KnownModel(window=32 * _K, max_output=8192),
    "qwen2.5-vl": KnownModel(window=125 * _K, max_output=8192, capabilities=_VISION),
    "qwen3": KnownModel(window=32 * _K, max_output=16 * _K, capabilities=_THINKING),
    "qwen3-vl": KnownModel(
        window=128 * _K, max_output=16 * _K, capabilities=Capabilities(vision=True, reasoning=True)
    ),
    "qwq": KnownModel(window=128 * _K, max_output=32 * _K, capabilities=_THINKING),
    "qvq": KnownModel(
        window=128 * _K, max_output=16 * _K, capabilities=Capabilities(vision=True, reasoning=True)
    ),
    "glm-4": KnownModel(window=128_000, max_output=4096),
    "glm-4v": KnownModel(window=16_000, max_output=4096, capabilities=_VISION),
    "glm-4.5": KnownModel(window=128_000, max_output=96_000, capabilities=_THINKING),
    "glm-4.5v": KnownModel(
        window=64_000, max_output=16_000, capabilities=Capabilities(vision=True, reasoning=True)
    ),
    "moonshot-v1-8k": KnownModel(window=8192, max_output=4096),
    "moonshot-v1-32k": KnownModel(window=32_768, max_output=8192),
    "moonshot-v1-128k": KnownModel(window=131_072, max_output=8192),
    "kimi-k2": KnownModel(window=128_000, max_output=16_384),
    "doubao": KnownModel(window=32 * _K, max_output=4096),
    "doubao-seed": KnownModel(window=256_000, max_output=16_384, capabilities=_SEEING_THINKING),
    "hunyuan": KnownModel(window=32_000, max_output=4096),
    "llama3": KnownModel(window=8192, max_output=4096),
    "llama-3": KnownModel(window=8192, max_output=4096),
    "llama3.1": KnownModel(window=131_072, max_output=4096),
    "llama-3.1": KnownModel(window=131_072, max_output=4096),
    "llama3.2": KnownModel(window=131_072, max_output=4096),
    "llama-3.2": KnownModel(window=131_072, max_output=4096),
    "llama3.2-vision": KnownModel(window=131_072, max_output=4096, capabilities=_VISION),
    "llama3.3": KnownModel(window=131_072, max_output=4096),
    "llama-3.3": KnownModel(window=131_072, max_output=4096),
    "llama-4": KnownModel(window=131_072, max_output=8192, capabilities=_VISION),
    "llava": KnownModel(window=4096, max_output=1024, capabilities=_SEEING_PROMPTED),
    "mistral": KnownModel(window=32 * _K, max_output=8192),
    "mistral-large": KnownModel(window=128_000, max_output=8192),
    "pixtral": KnownModel(window=128_000, max_output=8192, capabilities=_VISION),
    "mixtral": KnownModel(window=32 * _K, max_output=8192),
    "gemma": KnownModel(window=8192, max_output=4096, capabilities=_PROMPTED),
    "gemma3": KnownModel(window=128 * _K, max_output=8192, capabilities=_SEEING_PROMPTED),
    "gemma-3": KnownModel(window=128 * _K, max_output=8192, capabilities=_SEEING_PROMPTED),
    "phi-4": KnownModel(window=16 * _K, max_output=4096),
    "minicpm-v": KnownModel(window=32 * _K, max_output=4096, capabilities=_SEEING_PROMPTED),
    "internvl": KnownModel(window=32 * _K, max_output=4096, capabilities=_SEEING_PROMPTED),
}

_EMBEDDING: Final = {
    "text-embedding-3-small": KnownModel(max_input_tokens=8191),
    "text-embedding-3-large": KnownModel(max_input_tokens=8191),
    "text-embedding-ada-002": KnownModel(max_input_tokens=8191),
    "bge-m3": KnownModel(max_input_tokens=8192),
    "bge-large": KnownModel(max_input_tokens=512),
    "bge-base": KnownModel(max_input_tokens=512),
    "bge-small-en": KnownModel(max_input_tokens=512),
    "bge-small-zh": KnownModel(max_input_tokens=512),
    "nomic-embed-text": KnownModel(max_input_tokens=2048),
    "mxbai-embed-large": KnownModel(max_input_tokens=512),
    "all-minilm": KnownModel(max_input_tokens=256),
    "qwen3-embedding": KnownModel(max_input_tokens=32_000),
}

_KNOWN: Final = _CHAT | _EMBEDDING
_BY_LENGTH: Final = tuple(sorted(_KNOWN, key=len, reverse=True))
_UNKNOWN: Final = KnownModel(is_known=False)


def known_model(name: str) -> KnownModel:
    """Return the facts of the longest family name that ``name`` begins with.

    A vendor prefix (``openai/gpt-4o``) is ignored. An unknown model gets cautious defaults.
    """
    plain = name.rpartition("/")[2].lower()
    for family in _BY_LENGTH:
        if plain.startswith(family):
            return _KNOWN[family]
    return _UNKNOWN
