"""Agents as documents: complete, readable, without secrets, and bound to nothing foreign."""

import msgspec
import pytest

from domain.agent.bundle import (
    bound,
    from_settings,
    secret_names,
    to_settings,
    without_bindings,
)
from domain.agent.error import AgentInvalid
from domain.agent.value import (
    AgentConfig,
    KnowledgeSettings,
    ModelSettings,
    Prompt,
    VariableDefinition,
)
from domain.agent.value.shortcut import Shortcut, ShortcutTool, ShortcutToolType
from domain.shared.chat import ToolSpec
from domain.shared.ids import FileId

CONFIG = AgentConfig(
    prompt=Prompt(text="Be\nkind."),
    model=ModelSettings(model_id="7", parameters={"api_key": "sk-1", "seed": "3"}),
    knowledge=KnowledgeSettings(dataset_ids=(5,), top_k=7),
    variables=(
        VariableDefinition(keyword="shop_token", default_value="tok-2"),
        VariableDefinition(keyword="city", default_value="Oslo"),
    ),
    client_tools=(ToolSpec(name="clock", description="", parameters={"type": "object"}),),
    shortcuts=(
        Shortcut(
            id=1,
            name="Go",
            icon_file_id=FileId(3),
            tool=ShortcutTool(type=ShortcutToolType.WORKFLOW, workflow_id=4),
        ),
    ),
)


def test_a_document_brings_back_what_it_took_along() -> None:
    settings = to_settings(CONFIG)
    secrets = {"AGENT_MODEL_PARAMETERS_API_KEY": "sk-1", "AGENT_VARIABLES_SHOP_TOKEN": "tok-2"}

    assert set(secret_names(settings)) == set(secrets)
    back = bound(from_settings(settings, secrets), model_id="7", dataset_ids=(5,))

    [shortcut] = CONFIG.shortcuts
    plain = msgspec.structs.replace(shortcut, icon_file_id=None)
    assert back == msgspec.structs.replace(CONFIG, shortcuts=(plain,))


def test_no_secret_is_in_a_document() -> None:
    text = msgspec.json.encode(to_settings(CONFIG))

    assert b"sk-1" not in text
    assert b"tok-2" not in text
    assert b"Oslo" in text


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"prompt": {"text": {"$secret": "AGENT_X"}}}, "environment variable"),
        ({"prompt": {"text": {"$secret": "OPENAI_API_KEY"}}}, "begin with AGENT_"),
        ({"prompt": 4}, "settings"),
        ({"unknown": 4}, "settings.unknown is no setting"),
        ({"prompt": {"txt": "Hi"}}, "settings.prompt.txt is no setting"),
        ({"variables": [{"keyword": "a"}, {"keyword": "b", "def": ""}]}, r"variables\[1\].def is"),
    ],
)
def test_what_cannot_be_read_is_named(settings: dict[str, object], message: str) -> None:
    with pytest.raises(AgentInvalid, match=message):
        from_settings(settings, {})


def test_another_workspace_gets_the_agent_without_what_it_was_bound_to() -> None:
    kept, lost = without_bindings(CONFIG)

    assert kept.knowledge == KnowledgeSettings(top_k=7)
    assert kept.client_tools == CONFIG.client_tools
    assert (kept.prompt, kept.variables) == (CONFIG.prompt, CONFIG.variables)
    [shortcut] = kept.shortcuts
    assert (shortcut.tool, shortcut.icon_file_id) == (None, None)
    assert lost == ("tool of the shortcut Go",)
