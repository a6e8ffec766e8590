"""Fixed values of tools: secrets go in, work, and never come out again."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agent.bundle import secret_names, to_settings
from domain.agent.error import AgentInvalid
from domain.agent.tools.fixed_value import is_secret_name, masked, redacted, unmasked
from domain.agent.value import AgentConfig, PluginBinding
from domain.agent.value.shortcut import Shortcut, ShortcutParameter, ShortcutTool, ShortcutToolType
from domain.shared.secret import MASK

CANARY = "canary-7Zk2mV9x"
NAMES = ("q", "api_key", "x-access-token", "password", "limit", "marked")
VALUES = st.recursive(
    st.just(CANARY) | st.integers() | st.just(""),
    lambda inner: (
        st.dictionaries(st.sampled_from(NAMES), inner, max_size=2) | st.lists(inner, max_size=2)
    ),
    max_leaves=4,
)
DEFAULTS = st.dictionaries(st.sampled_from(NAMES), VALUES)


def config(defaults: dict[str, Any], *, secrets: tuple[str, ...] = ("marked",)) -> AgentConfig:
    binding = PluginBinding(plugin_id=1, tool_id=2, defaults=defaults, secrets=secrets)
    parameter = ShortcutParameter(name="api_key", default_value=CANARY)
    tool = ShortcutTool(
        type=ShortcutToolType.PLUGIN, plugin_id=1, plugin_tool_id=2, params=(parameter,)
    )
    return AgentConfig(plugins=(binding,), shortcuts=(Shortcut(id=7, name="Ask", tool=tool),))


def has_plain_secret(value: Any, name: str = "", *, is_secret: bool = False) -> bool:
    is_secret = is_secret or is_secret_name(name)
    if isinstance(value, dict):
        return any(has_plain_secret(v, k, is_secret=is_secret) for k, v in value.items())
    if isinstance(value, list | tuple):
        return any(has_plain_secret(each, is_secret=is_secret) for each in value)
    return is_secret and value == CANARY


@given(DEFAULTS)
def test_secrets_are_shown_nowhere_and_come_back_by_their_masks(defaults: dict[str, Any]) -> None:
    stored = config(defaults)
    shown = masked(stored)
    (binding,) = shown.plugins

    assert "marked" not in defaults or binding.defaults["marked"] == MASK
    rest = {name: value for name, value in binding.defaults.items() if name != "marked"}
    assert not has_plain_secret(rest)
    assert CANARY not in msgspec.json.encode(shown.shortcuts).decode()
    again = unmasked(shown, stored)
    assert again.plugins[0].defaults == stored.plugins[0].defaults
    assert again.shortcuts == stored.shortcuts
    assert masked(again).plugins[0].defaults == binding.defaults


@given(DEFAULTS)
def test_an_export_holds_no_secret(defaults: dict[str, Any]) -> None:
    exported = to_settings(config(defaults))

    for binding in exported.get("plugins", ()):
        found = dict(binding.get("defaults", {}))
        assert "marked" not in found or set(found.pop("marked")) == {"$secret"}
        strings = {name: value for name, value in found.items() if isinstance(value, str)}
        assert not has_plain_secret(strings)


def test_a_marked_secret_stays_secret_whatever_is_sent_with_its_mask() -> None:
    stored = config({"marked": CANARY})
    sent = config({"marked": MASK}, secrets=())

    kept = unmasked(sent, stored)

    assert kept.plugins[0].defaults == {"marked": CANARY}
    assert masked(kept).plugins[0].defaults == {"marked": MASK}
    assert secret_names(to_settings(kept))


def test_a_mask_reaches_no_value_of_another_tool() -> None:
    stored = config({"marked": CANARY})
    other = msgspec.structs.replace(stored.plugins[0], tool_id=3, defaults={"marked": MASK})

    with pytest.raises(AgentInvalid, match="none is stored"):
        unmasked(msgspec.structs.replace(stored, plugins=(other,)), stored)


def test_a_service_that_sends_a_secret_back_does_not_tell_it() -> None:
    (binding,) = config({"marked": CANARY, "q": "open words"}).plugins

    assert redacted(f'{{"you": "{CANARY}", "q": "open words"}}', binding) == (
        f'{{"you": "{MASK}", "q": "open words"}}'
    )
