"""The rules of drafts, versions and publications."""

import msgspec
import pytest

from domain.agent.entity import Agent, Publication, PublicationStatus, VersionId
from domain.agent.error import AgentInvalid, AgentNotPublished, NothingReplaced
from domain.agent.event import (
    AgentCreated,
    AgentDeleted,
    AgentDuplicated,
    AgentPublished,
    AgentUnpublished,
    AgentUpdated,
)
from domain.agent.rules import AgentRules
from domain.agent.value import (
    AgentConfig,
    KnowledgeSettings,
    Mode,
    ModelSettings,
    Onboarding,
    Prompt,
    StylePreset,
    VariableDefinition,
)
from domain.shared.access import CONNECTOR_API
from domain.shared.error import StaleRevision
from domain.shared.ids import AgentId, FileId, SpaceId, UserId
from domain.shared.limits import Limits
from tests.support.clock import FrozenClock

LIMITS = Limits()
RULES = AgentRules(LIMITS)
USER = UserId(7)


def new_agent(
    clock: FrozenClock, *, name: str = "Weather", config: AgentConfig | None = None
) -> Agent:
    return Agent.create(
        AgentId(1),
        space_id=SpaceId(2),
        creator_id=USER,
        name=name,
        description="",
        icon_file_id=None,
        mode=Mode.SINGLE,
        config=config or AgentConfig(),
        rules=RULES,
        now=clock.now(),
    )


def publish(agent: Agent, clock: FrozenClock, version_id: int = 10) -> str:
    return agent.publish(
        VersionId(version_id),
        connector_ids=(CONNECTOR_API,),
        note="",
        actor_id=USER,
        rules=RULES,
        now=clock.now(),
    ).label


def change(agent: Agent, clock: FrozenClock, *, name: str | None = None, text: str = "") -> None:
    agent.update_draft(
        name=name or agent.name,
        description=agent.description,
        icon_file_id=agent.icon_file_id,
        config=AgentConfig(prompt=Prompt(text=text)),
        actor_id=USER,
        rules=RULES,
        now=clock.now(),
    )


def test_a_new_agent_is_an_unpublished_draft_with_a_trimmed_name(clock: FrozenClock) -> None:
    agent = new_agent(clock, name="  Weather ")

    assert (agent.name, agent.last_version, agent.is_draft_changed) == ("Weather", 0, True)
    [event] = agent.pull_events()
    assert isinstance(event, AgentCreated)


@pytest.mark.parametrize("name", ["", "   ", "x" * 51, "a\nb", "a\x00b", "a\x7fb"])
def test_names_are_one_to_fifty_printable_characters(clock: FrozenClock, name: str) -> None:
    with pytest.raises(AgentInvalid, match="name"):
        new_agent(clock, name=name)


def test_several_agents_in_one_are_refused_rather_than_ignored(clock: FrozenClock) -> None:
    with pytest.raises(AgentInvalid, match="mode"):
        Agent.create(
            AgentId(1),
            space_id=SpaceId(2),
            creator_id=USER,
            name="n",
            description="",
            icon_file_id=None,
            mode=Mode.MULTI,
            config=AgentConfig(),
            rules=RULES,
            now=clock.now(),
        )


@pytest.mark.parametrize(
    ("config", "field"),
    [
        (AgentConfig(prompt=Prompt(text="x" * (64 * 1024 + 1))), "prompt.text"),
        (AgentConfig(model=ModelSettings(temperature=2.1)), "model.temperature"),
        (AgentConfig(model=ModelSettings(temperature=float("nan"))), "model.temperature"),
        (AgentConfig(model=ModelSettings(top_p=-0.1)), "model.top_p"),
        (AgentConfig(model=ModelSettings(presence_penalty=3)), "model.presence_penalty"),
        (AgentConfig(model=ModelSettings(max_tokens=0)), "model.max_tokens"),
        (AgentConfig(model=ModelSettings(history_rounds=101)), "model.history_rounds"),
        (AgentConfig(model=ModelSettings(tool_choice="a tool")), "model.tool_choice"),
        (AgentConfig(model=ModelSettings(parameters={"k": "v" * 513})), "model.parameters.k"),
        (
            AgentConfig(onboarding=Onboarding(suggested_questions=("?",) * 11)),
            "onboarding.suggested_questions",
        ),
        (AgentConfig(knowledge=KnowledgeSettings(dataset_ids=(0,))), "knowledge.dataset_ids"),
        (AgentConfig(variables=(VariableDefinition(keyword="a b"),)), "variables"),
        (AgentConfig(variables=(VariableDefinition(keyword="a"),) * 2), "variables"),
    ],
)
def test_settings_out_of_range_are_refused_by_name(
    clock: FrozenClock, config: AgentConfig, field: str
) -> None:
    with pytest.raises(AgentInvalid, match=rf"^{field}"):
        new_agent(clock, config=config)


def test_a_persona_of_exactly_64_kib_is_fine(clock: FrozenClock) -> None:
    new_agent(clock, config=AgentConfig(prompt=Prompt(text="x" * LIMITS.persona_bytes)))


def test_an_update_that_changes_nothing_records_nothing(clock: FrozenClock) -> None:
    agent = new_agent(clock)
    publish(agent, clock)
    agent.pull_events()

    change(agent, clock)

    assert agent.pull_events() == []
    assert not agent.is_draft_changed


def test_labels_are_seconds_and_grow_even_within_one_second(clock: FrozenClock) -> None:
    agent = new_agent(clock)

    labels = [publish(agent, clock, n) for n in (10, 11)]
    clock.advance(seconds=-3600)
    labels.append(publish(agent, clock, 12))

    start = int(clock.now().timestamp()) + 3600
    assert labels == [str(start), str(start + 1), str(start + 2)]
    assert all(isinstance(e, AgentCreated | AgentPublished) for e in agent.pull_events())


def test_a_version_keeps_what_the_draft_was(clock: FrozenClock) -> None:
    agent = new_agent(clock)
    change(agent, clock, text="one")
    version = agent.publish(
        VersionId(3),
        connector_ids=(1024,),
        note="first",
        actor_id=USER,
        rules=RULES,
        now=clock.now(),
    )
    change(agent, clock, name="Other", text="two")

    assert (version.content.name, version.content.config.prompt.text) == ("Weather", "one")
    before = agent.is_draft_changed
    agent.restore(version, actor_id=USER, now=clock.now())
    assert (agent.name, agent.config.prompt.text) == ("Weather", "one")
    assert (before, agent.is_draft_changed) == (True, False)
    assert isinstance(agent.pull_events()[-1], AgentUpdated)
    agent.undo_restore(actor_id=USER, now=clock.now())
    assert (agent.name, agent.config.prompt.text) == ("Other", "two")
    assert agent.is_draft_changed


def test_a_restored_draft_that_was_edited_stays(clock: FrozenClock) -> None:
    agent = new_agent(clock)
    version = agent.publish(
        VersionId(3), connector_ids=(1024,), note="", actor_id=USER, rules=RULES, now=clock.now()
    )
    agent.restore(version, actor_id=USER, now=clock.now())
    change(agent, clock, text="mine")

    with pytest.raises(NothingReplaced):
        agent.undo_restore(actor_id=USER, now=clock.now())

    assert agent.config.prompt.text == "mine"


def test_unpublishing_needs_an_active_publication(clock: FrozenClock) -> None:
    agent = new_agent(clock)
    version = agent.publish(
        VersionId(3), connector_ids=(1024,), note="", actor_id=USER, rules=RULES, now=clock.now()
    )
    publication = Publication.of(version, 1024, now=clock.now())

    disabled = agent.unpublish(
        publication, reason=" broken ", actor_id=USER, rules=RULES, now=clock.now()
    )

    assert (disabled.status, disabled.reason) == (PublicationStatus.DISABLED, "broken")
    assert isinstance(agent.pull_events()[-1], AgentUnpublished)
    for gone in (disabled, None):
        with pytest.raises(AgentNotPublished):
            agent.unpublish(gone, reason="", actor_id=USER, rules=RULES, now=clock.now())


def test_a_copy_into_another_space_leaves_icon_and_datasets_behind(clock: FrozenClock) -> None:
    config = AgentConfig(knowledge=KnowledgeSettings(dataset_ids=(5,)), prompt=Prompt(text="p"))
    agent = new_agent(clock, config=config)
    agent.icon_file_id = FileId(9)

    beside, away = (
        agent.duplicate(
            AgentId(20 + space),
            space_id=SpaceId(space),
            actor_id=USER,
            name="Copy",
            rules=RULES,
            now=clock.now(),
        )
        for space in (2, 3)
    )

    assert (beside.icon_file_id, beside.config) == (9, config)
    assert (away.icon_file_id, away.config) == (None, AgentConfig(prompt=Prompt(text="p")))
    assert isinstance(away.pull_events()[0], AgentDuplicated)


def test_deleting_frees_the_alias(clock: FrozenClock) -> None:
    agent = new_agent(clock)
    agent.rename_alias("weather-bot", rules=RULES, now=clock.now())

    agent.delete(actor_id=USER, now=clock.now())

    assert (agent.alias, agent.deleted_at) == (None, clock.now())
    assert isinstance(agent.pull_events()[-1], AgentDeleted)


@pytest.mark.parametrize("alias", ["123", "A", "a b", "-a", "ä", "a" * 65])
def test_aliases_cannot_be_mistaken_for_ids(clock: FrozenClock, alias: str) -> None:
    with pytest.raises(AgentInvalid, match="alias"):
        new_agent(clock).rename_alias(alias, rules=RULES, now=clock.now())


def test_an_outdated_revision_is_refused(clock: FrozenClock) -> None:
    agent = new_agent(clock)
    agent.revision = 3

    agent.expect_revision(None)
    agent.expect_revision(3)
    with pytest.raises(StaleRevision):
        agent.expect_revision(2)


def test_a_preset_sets_the_temperature_unless_one_is_given() -> None:
    assert ModelSettings(style=StylePreset.PRECISE).sampling.temperature == 0.3
    assert ModelSettings(style=StylePreset.PRECISE, temperature=0.0).sampling.temperature == 0.0
    assert ModelSettings().sampling.temperature is None


def test_configurations_survive_storage_and_stay_small() -> None:
    config = AgentConfig(
        model=ModelSettings(model_id="m", parameters={"a": "b"}, style=StylePreset.CREATIVE),
        variables=(VariableDefinition(keyword="city", default_value="Oslo"),),
    )

    assert msgspec.json.decode(msgspec.json.encode(config), type=AgentConfig) == config
    assert msgspec.json.encode(AgentConfig()) == b"{}"


def test_the_review_warns_of_what_looks_odd() -> None:
    fields = [(f.severity, f.field) for f in RULES.review(AgentConfig())]
    assert fields == [("warning", "prompt.text")]
    odd = AgentConfig(prompt=Prompt(text="Hello {{ name | upper }}"))
    assert ["placeholder" in f.message for f in RULES.review(odd)] == [True]
    assert list(RULES.review(AgentConfig(prompt=Prompt(text="Hello {{ name }}")))) == []
