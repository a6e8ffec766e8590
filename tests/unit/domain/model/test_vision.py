"""Images: loaded for models that see, described or announced to those that do not."""

import pytest

from domain.model.entity import Model
from domain.model.value import ModelSpec
from domain.shared.chat import Capabilities, ChatMessage, ChatRequest, ImagePart, TextPart
from infra.contract.model.chat_model import ModelCallFailed, ModelFailure
from tests.support.model.double import Bench, Script, bench, configured, reply
from tests.unit.domain.model.test_pipeline import collect

URL = "https://models.test/v1"
CAT = ImagePart(file_id=5, name="cat.png")


def seeing(name: str, **flags: bool) -> Model:
    spec = ModelSpec(name=name, base_url=URL, capabilities=Capabilities(vision=True))
    return configured(name, spec=spec, **flags)


def with_images(*images: ImagePart) -> ChatRequest:
    message = ChatMessage(role="user", parts=(TextPart(text="What is this?"), *images))
    return ChatRequest(model="main", messages=(message,))


def blind(descriptions: Script | None = None) -> Bench:
    scripts: dict[str, list[Script]] = {"main": [reply("A cat.")]}
    models = [configured("main")]
    if descriptions is not None:
        scripts["seer"] = [descriptions]
        models.append(seeing("seer", is_vision_default=True))
    of = bench(scripts, models)
    of.files.images[5] = b"cat"
    return of


async def sent(of: Bench, request: ChatRequest) -> tuple[object, ...]:
    await collect(of, request)
    return of.providers.chats["main"].requests[-1].messages[0].parts


async def test_a_model_that_sees_gets_the_bytes() -> None:
    of = bench({"main": [reply("A cat.")]}, [seeing("main")])
    of.files.images[5] = b"cat"
    image = (await sent(of, with_images(CAT)))[1]
    assert image == ImagePart(file_id=5, name="cat.png", data=b"cat", media_type="image/png")


async def test_an_image_that_cannot_be_loaded_becomes_a_line_of_text() -> None:
    of = bench({"main": [reply("Sorry.")]}, [seeing("main")])
    assert (await sent(of, with_images(CAT)))[1] == TextPart(
        text="[Image 'cat.png': this image could not be loaded: No file 5.]"
    )


async def test_without_a_vision_model_the_image_is_announced() -> None:
    assert (await sent(blind(), with_images(CAT)))[1] == TextPart(
        text="[Image 'cat.png': there is an image here, but you cannot see it]"
    )


async def test_a_vision_model_describes_the_image_in_place() -> None:
    of = blind(reply("A grey ", "cat\nasleep."))
    assert await sent(of, with_images(CAT)) == (
        TextPart(text="What is this?"),
        TextPart(text="[Image 'cat.png': description of what it shows: A grey cat asleep.]"),
    )
    asked = of.providers.chats["seer"].requests[0]
    assert "What is this?" in asked.messages[0].text
    assert asked.max_output_tokens == 300
    assert [(call.model, call.purpose) for call in of.ledger] == [
        ("seer", "vision"),
        ("main", "chat"),
    ]


async def test_a_description_is_made_once() -> None:
    of = blind(reply("A cat."))
    await collect(of, with_images(CAT))
    await collect(of, with_images(CAT))
    assert len(of.providers.chats["seer"].requests) == 1


async def test_a_failing_vision_model_does_not_fail_the_call() -> None:
    of = blind([ModelCallFailed("No.", failure=ModelFailure.AUTH)])
    assert (await sent(of, with_images(CAT)))[1] == TextPart(
        text="[Image 'cat.png': there is an image here, but it could not be described]"
    )


async def test_only_the_newest_ten_images_are_shown() -> None:
    of = bench({"main": [reply("Cats.")]}, [seeing("main")])
    of.files.images |= dict.fromkeys(range(1, 13), b"cat")
    images = [ImagePart(file_id=number, name=f"{number}.png") for number in range(1, 13)]
    parts = (await sent(of, with_images(*images)))[1:]
    assert [isinstance(part, ImagePart) for part in parts] == [False] * 2 + [True] * 10
    assert parts[0] == TextPart(text="[Image '1.png': left out; only the newest 10 are shown]")


@pytest.mark.parametrize("name", ["a\nb]", "x" * 500])
async def test_file_names_cannot_break_the_marker(name: str) -> None:
    part = (await sent(blind(), with_images(ImagePart(file_id=5, name=name))))[1]
    assert isinstance(part, TextPart)
    assert "\n" not in part.text
    assert len(part.text) < 200
