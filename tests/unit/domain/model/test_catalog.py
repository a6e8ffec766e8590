"""The registry: sources, names, defaults, freshness."""

import asyncio
from dataclasses import replace

import pytest

from domain.model.catalog import (
    ModelCatalog,
    ModelRegistry,
    appoint,
    environment_models,
    packaged_models,
)
from domain.model.entity import Model, ModelEntry, ModelId
from domain.model.error import ModelNotFound
from domain.model.value import ModelSource, ModelSpec, ModelType
from domain.shared.chat import Capabilities
from domain.shared.error import InvalidRequest, Unavailable
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from tests.support.model.double import NOW, MemoryModels, Timer, configured

URL = "https://models.test/v1"
ENVIRONMENT = environment_models(base_url=URL, api_key=Secret("sk-1"))


def stored(
    name: str, number: int = 1, *, aliases: tuple[str, ...] = (), is_default: bool = False
) -> Model:
    spec = ModelSpec(name=name, base_url=URL, aliases=aliases)
    entry = ModelEntry.create(ModelId(number), spec=spec, api_key=Secret(""), now=NOW)
    entry.is_default = is_default
    return entry.to_model()


def test_without_configuration_the_offline_models_answer() -> None:
    registry = ModelRegistry(packaged_models())
    assert registry.get("", ModelType.CHAT).is_offline
    assert registry.get("", ModelType.EMBEDDING).is_offline


def test_the_environment_gives_default_models_by_their_usual_names() -> None:
    registry = ModelRegistry([*packaged_models(), *ENVIRONMENT])
    chat = registry.get("", ModelType.CHAT)
    assert (chat.name, chat.spec.base_url) == ("gpt-4o-mini", URL)
    assert registry.get("offline", ModelType.CHAT).is_offline


def test_an_address_embeds_only_with_a_model_that_is_named() -> None:
    registry = ModelRegistry([*packaged_models(), *ENVIRONMENT])
    assert registry.get("", ModelType.EMBEDDING).is_offline
    named = environment_models(base_url=URL, api_key=Secret("sk-1"), embedding_model="bge-m3")
    registry = ModelRegistry([*packaged_models(), *named])
    assert registry.get("", ModelType.EMBEDDING).name == "bge-m3"


FORMER = "text-embedding-3-small"


def test_bases_of_the_model_that_was_assumed_before_keep_it() -> None:
    registry = ModelRegistry([*packaged_models(), *ENVIRONMENT])
    found = registry.get(FORMER, ModelType.EMBEDDING)
    assert (found.name, found.spec.base_url) == (FORMER, URL)
    assert FORMER not in {model.name for model in registry.models}


@pytest.mark.parametrize("is_enabled", [True, False])
def test_an_entry_of_that_name_wins_over_the_assumption(is_enabled: bool) -> None:
    spec = ModelSpec(name=FORMER, type=ModelType.EMBEDDING, base_url="https://other.test/v1")
    own = Model(key=FORMER, spec=spec, source=ModelSource.CONFIG, is_enabled=is_enabled)
    registry = ModelRegistry([*packaged_models(), own, *ENVIRONMENT])
    assert registry.find(FORMER) is own
    assert own in registry.models


def test_a_default_that_names_it_makes_it_a_model_like_others() -> None:
    models = appoint([*packaged_models(), *ENVIRONMENT], embedding=FORMER)
    registry = ModelRegistry(models)
    assert registry.get("", ModelType.EMBEDDING).name == FORMER
    assert FORMER in {model.name for model in registry.models}


def test_no_variables_no_models() -> None:
    assert environment_models(base_url="", api_key=Secret(""), chat_model="gpt-4o") == ()


def test_a_key_alone_means_the_usual_address() -> None:
    chat, _ = environment_models(base_url="", api_key=Secret("sk-1"), chat_model="gpt-4o")
    assert (chat.name, chat.spec.base_url) == ("gpt-4o", "https://api.openai.com/v1")


def test_later_sources_win_over_earlier_ones_of_the_same_name() -> None:
    registry = ModelRegistry([stored("gpt-4o-mini", 7), *ENVIRONMENT, configured("gpt-4o-mini")])
    assert registry.get("gpt-4o-mini", ModelType.CHAT).source is ModelSource.DATABASE
    assert [m.source for m in registry.models if m.name == "gpt-4o-mini"] == [ModelSource.DATABASE]


def test_ids_names_and_aliases_find_a_model() -> None:
    registry = ModelRegistry([stored("main", 7, aliases=("fast",))])
    assert {registry.get(name, ModelType.CHAT).key for name in ("7", "main", "fast")} == {"7"}


def test_a_name_beats_an_alias() -> None:
    registry = ModelRegistry([stored("one", 1, aliases=("two",)), stored("two", 2)])
    assert registry.get("two", ModelType.CHAT).key == "2"


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        ([configured("a"), configured("b")], "a"),
        ([configured("a"), configured("b", is_default=True)], "b"),
        ([configured("a", is_default=True), stored("c")], "a"),
        ([configured("a", is_default=True), stored("c", is_default=True)], "c"),
        ([stored("c", 1), stored("d", 2)], "c"),
    ],
)
def test_the_flagged_model_of_the_strongest_source_is_the_default(
    models: list[Model], expected: str
) -> None:
    registry = ModelRegistry([*packaged_models(), *models])
    assert registry.get("", ModelType.CHAT).name == expected


def test_disabled_models_do_not_answer() -> None:
    registry = ModelRegistry([*packaged_models(), replace(configured("a"), is_enabled=False)])
    assert registry.get("", ModelType.CHAT).is_offline
    with pytest.raises(ModelNotFound, match="disabled"):
        registry.get("a", ModelType.CHAT)
    assert registry.find("a") is not None


def test_an_embedding_model_does_not_chat() -> None:
    registry = ModelRegistry(ENVIRONMENT)
    with pytest.raises(ModelNotFound):
        registry.get(FORMER, ModelType.CHAT)


def test_named_defaults_replace_flagged_ones() -> None:
    models = appoint([*ENVIRONMENT, configured("a")], chat="a")
    assert ModelRegistry(models).get("", ModelType.CHAT).name == "a"
    with pytest.raises(InvalidRequest, match="nowhere"):
        appoint(models, embedding="nowhere")
    with pytest.raises(InvalidRequest, match="cannot see"):
        appoint(models, vision="a")


def test_only_an_appointed_model_describes_images() -> None:
    spec = ModelSpec(name="seer", base_url=URL, capabilities=Capabilities(vision=True))
    seer = configured("seer", spec=spec)
    assert ModelRegistry([seer]).vision is None
    assert ModelRegistry(appoint([seer], vision="seer")).vision is not None


@pytest.mark.parametrize(
    ("name", "window", "sees", "thinks"),
    [
        ("gpt-4o-mini", 128_000, True, False),
        ("openai/gpt-4o-2024-11-20", 128_000, True, False),
        ("o3-mini", 200_000, False, True),
        ("deepseek-r1:14b", 131_072, False, True),
        ("Qwen2.5-VL-7B-Instruct", 128_000, True, False),
        ("somebody-s-model", 32_768, False, False),
    ],
)
def test_flags_are_guessed_from_published_names(
    name: str, window: int, sees: bool, thinks: bool
) -> None:
    model = configured("main", spec=ModelSpec(name="main", model=name, base_url=URL))
    assert model.window == window
    assert model.capabilities.vision is sees
    assert model.capabilities.reasoning is thinks


def test_thinking_models_get_more_time_to_the_first_token() -> None:
    model = configured("main", spec=ModelSpec(name="deepseek-r1", base_url=URL))
    assert model.endpoint(Limits()).timeouts.first_token_s == 180.0
    assert configured("main").endpoint(Limits()).timeouts.first_token_s == 60.0


async def test_stored_models_are_read_once_until_invalidated() -> None:
    store, timer = MemoryModels(), Timer()
    catalog = ModelCatalog(static=packaged_models(), store=store, monotonic=timer)
    await catalog.current()
    await catalog.current()
    assert store.reads == 1
    catalog.invalidate()
    await catalog.current()
    assert store.reads == 2
    timer.seconds += 11
    await catalog.current()
    assert store.reads == 3


async def test_an_unavailable_database_keeps_the_previous_state() -> None:
    store = MemoryModels(failure=Unavailable("No database."))
    catalog = ModelCatalog(static=packaged_models(), store=store)
    assert (await catalog.current()).get("", ModelType.CHAT).is_offline


def test_a_name_configured_twice_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="twice"):
        ModelCatalog(static=[configured("a"), configured("a")], store=MemoryModels())


async def test_a_name_that_is_not_known_is_looked_for_once_more() -> None:
    store, timer = MemoryModels(), Timer()
    catalog = ModelCatalog(static=packaged_models(), store=store, monotonic=timer)
    await catalog.current()
    timer.seconds += 1
    spec = ModelSpec(name="new", base_url=URL)
    store.entries.append(ModelEntry.create(ModelId(1), spec=spec, api_key=Secret(""), now=NOW))

    assert (await catalog.knowing("offline")).find("new") is None, "nobody missed it"
    assert (await catalog.knowing("new")).find("new") is not None
    assert store.reads == 2


async def test_guessing_names_costs_few_readings() -> None:
    store = MemoryModels()
    catalog = ModelCatalog(static=packaged_models(), store=store)
    await catalog.current()

    found = await asyncio.gather(*(catalog.knowing(f"guess-{n}") for n in range(200)))

    assert not any(registry.find("guess-1") for registry in found)
    assert store.reads <= 3
