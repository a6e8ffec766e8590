"""Agents, files, workspaces and users through the official Python client."""

from pathlib import Path

import httpx
import pytest
from cozepy import (
    BotModelInfo,
    BotOnboardingInfo,
    BotPromptInfo,
    BotSuggestReplyInfo,
    Coze,
    CozeAPIError,
    Message,
    MessageType,
    PublishStatus,
    SuggestReplyMode,
    WorkspaceMember,
    WorkspaceRoleType,
)
from cozepy.connectors.bots import AuditStatus

from tests.support.client.seed import API_CONNECTOR, Seed
from tests.support.document.picture import picture
from tests.support.process.server import RunningServer

HELLO = Message.build_user_question_text("Hello")


def _create(coze: Coze, seed: Seed, name: str) -> str:
    return coze.bots.create(
        space_id=seed.workspace_id,
        name=name,
        prompt_info=BotPromptInfo(prompt="first"),
    ).bot_id


def test_an_agent_goes_from_draft_to_answer_and_back(coze: Coze, seed: Seed) -> None:
    bot_id = _create(coze, seed, "translator")
    with pytest.raises(CozeAPIError) as unpublished:
        list(coze.chat.stream(bot_id=bot_id, user_id="me", additional_messages=[HELLO]))
    assert unpublished.value.code == 4200

    coze.bots.publish(bot_id=bot_id)
    polled = coze.chat.create_and_poll(bot_id=bot_id, user_id="me", additional_messages=[HELLO])
    assert [m.content for m in polled.messages or [] if m.type == MessageType.ANSWER] == ["Hello"]

    coze.bots.unpublish(bot_id=bot_id, connector_id=API_CONNECTOR)
    with pytest.raises(CozeAPIError) as withdrawn:
        list(coze.chat.stream(bot_id=bot_id, user_id="me", additional_messages=[HELLO]))
    assert withdrawn.value.code == 4200


def test_a_review_of_a_connector_is_noted_and_a_rejection_takes_the_agent_off(
    coze: Coze, client: httpx.Client, seed: Seed
) -> None:
    bot_id = _create(coze, seed, "reviewed")
    with pytest.raises(CozeAPIError) as unpublished:
        _review(coze, bot_id, AuditStatus.APPROVED)
    assert unpublished.value.code == 4200

    coze.bots.publish(bot_id=bot_id)
    for verdict in (AuditStatus.PENDING, AuditStatus.APPROVED):
        _review(coze, bot_id, verdict)
        assert coze.bots.retrieve(bot_id=bot_id).bot_id == bot_id

    _review(coze, bot_id, AuditStatus.REJECTED, reason="no licence")
    with pytest.raises(CozeAPIError) as rejected:
        coze.bots.retrieve(bot_id=bot_id)
    assert rejected.value.code == 4200
    shown = client.get(f"/admin/v1/agents/{bot_id}/connectors").json()["items"]
    assert "no licence" in str(shown)

    unknown = client.put(f"/v1/connectors/{API_CONNECTOR}/bots/{bot_id}", json={"audit_status": 4})
    assert (unknown.status_code, unknown.json()["code"]) == (400, 4000)


def _review(coze: Coze, bot_id: str, verdict: AuditStatus, *, reason: str | None = None) -> None:
    coze.connectors.bots.update(
        bot_id=bot_id, connector_id=API_CONNECTOR, audit_status=verdict, reason=reason
    )


def test_a_change_shows_in_the_draft_first(coze: Coze, seed: Seed) -> None:
    bot_id = _create(coze, seed, "two faces")
    coze.bots.publish(bot_id=bot_id)

    coze.bots.update(bot_id=bot_id, prompt_info=BotPromptInfo(prompt="second"))

    published = coze.bots.retrieve(bot_id=bot_id)
    draft = coze.bots.retrieve(bot_id=bot_id, is_published=False, use_api_version=2)
    online = coze.bots.retrieve(bot_id=bot_id, is_published=True, use_api_version=2)
    assert published.prompt_info is not None
    assert draft.prompt_info is not None
    assert published.prompt_info.prompt == "first"
    assert draft.prompt_info.prompt == "second"
    assert online.version == published.version
    coze.bots.publish(bot_id=bot_id)
    again = coze.bots.retrieve(bot_id=bot_id)
    assert again.prompt_info is not None
    assert again.prompt_info.prompt == "second"


def test_every_setting_of_an_agent_comes_back(coze: Coze, seed: Seed) -> None:
    model_id = seed.model("echo-of-settings", aliases=["settings-alias"])
    icon = coze.files.upload(file=("icon.png", picture()))
    bot_id = coze.bots.create(
        space_id=seed.workspace_id,
        name="complete",
        description="All of it",
        icon_file_id=icon.id,
        prompt_info=BotPromptInfo(prompt="Be brief."),
        onboarding_info=BotOnboardingInfo(prologue="Hi!", suggested_questions=["What?", "Why?"]),
        suggest_reply_info=BotSuggestReplyInfo(reply_mode=SuggestReplyMode.DISABLE),
        model_info_config=BotModelInfo(
            model_id="settings-alias", temperature=0.5, max_tokens=200, context_round=7
        ),
    ).bot_id
    coze.bots.publish(bot_id=bot_id)

    found = coze.bots.retrieve(bot_id=bot_id)

    assert (found.name, found.description, found.bot_mode) == ("complete", "All of it", 0)
    assert found.onboarding_info is not None
    assert found.onboarding_info.prologue == "Hi!"
    assert found.onboarding_info.suggested_questions == ["What?", "Why?"]
    assert found.suggest_reply_info is not None
    assert found.suggest_reply_info.reply_mode == SuggestReplyMode.DISABLE
    assert found.model_info is not None
    assert found.model_info.model_id == model_id
    assert (found.model_info.temperature, found.model_info.context_round) == (0.5, 7)
    assert found.icon_url
    assert httpx.get(found.icon_url, timeout=60).headers["content-type"] == "image/png"


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("size", [2, 5])
def test_published_agents_are_paged_to_the_end(
    server: RunningServer, seed: Seed, coze: Coze, version: int, size: int
) -> None:
    workspace_id = seed.workspace(f"agents {version} {size}")
    made = []
    for number in range(5):
        made.append(coze.bots.create(space_id=workspace_id, name=f"bot {number}").bot_id)
        seed.publish(made[-1])
    hidden = coze.bots.create(space_id=workspace_id, name="draft only").bot_id

    pages = coze.bots.list(space_id=workspace_id, page_size=size, use_api_version=version)

    assert {bot.id for bot in pages} == set(made)
    drafts = coze.bots.list(
        space_id=workspace_id,
        publish_status=PublishStatus.UNPUBLISHED_DRAFT,
        use_api_version=2,
    )
    assert [bot.id for bot in drafts] == [hidden]


def test_a_file_is_uploaded_described_and_downloaded(
    coze: Coze, tmp_path: Path, client: httpx.Client
) -> None:
    path = tmp_path / "sky.png"
    path.write_bytes(picture())
    with path.open("rb") as stream:
        uploaded = coze.files.upload(file=stream)

    found = coze.files.retrieve(file_id=uploaded.id)

    assert (found.file_name, found.bytes) == ("sky.png", len(picture()))
    content = client.get(f"/v1/files/{uploaded.id}/content")
    assert content.content == picture()
    url = client.get("/v1/files/retrieve", params={"file_id": uploaded.id}).json()["data"]["url"]
    assert httpx.get(url, timeout=60).content == picture()
    assert httpx.get(url[:-2], timeout=60).status_code in (403, 404)


def test_raw_bytes_are_a_file_too(coze: Coze) -> None:
    uploaded = coze.files.upload(file=b"plain text\n")

    assert coze.files.retrieve(file_id=uploaded.id).bytes == 11


def test_workspaces_are_paged_and_typed(coze: Coze, seed: Seed) -> None:
    made = {seed.workspace(f"space {number}") for number in range(3)}

    found = {space.id: space for space in coze.workspaces.list(page_size=2)}

    assert made < set(found)
    assert {found[space].workspace_type for space in made} == {"team"}
    assert found[seed.workspace_id].workspace_type == "personal"
    assert {space.role_type for space in found.values()} == {"owner"}


def test_members_join_and_leave(coze: Coze, seed: Seed) -> None:
    workspace_id = seed.workspace("members")
    anna, _ = seed.user("anna")
    robert, _ = seed.user("robert")
    members = coze.workspaces.members

    joined = members.create(
        workspace_id=workspace_id,
        users=[
            WorkspaceMember(user_id=anna, role_type=WorkspaceRoleType.ADMIN),
            WorkspaceMember(user_id=robert, role_type=WorkspaceRoleType.MEMBER),
            WorkspaceMember(user_id="1", role_type=WorkspaceRoleType.MEMBER),
        ],
    )
    again = members.create(
        workspace_id=workspace_id,
        users=[WorkspaceMember(user_id=anna, role_type=WorkspaceRoleType.ADMIN)],
    )
    left = members.delete(workspace_id=workspace_id, user_ids=[robert, "1"])

    assert joined.added_success_user_ids == [anna, robert]
    assert joined.not_exist_user_ids == ["1"]
    assert again.already_joined_user_ids == [anna]
    assert left.removed_success_user_ids == [robert]
    assert left.not_in_workspace_user_ids == ["1"]


def test_a_user_sees_only_their_own(server: RunningServer, seed: Seed) -> None:
    user_id, token = seed.user("carol")
    with httpx.Client(base_url=server.url, headers={"authorization": f"Bearer {token}"}) as carol:
        me = carol.get("/v1/users/me").json()["data"]
        spaces = carol.get("/v1/workspaces").json()["data"]["workspaces"]
        foreign = carol.get("/v1/bots", params={"workspace_id": seed.workspace_id}).json()

    assert (me["user_id"], me["user_name"]) == (user_id, "carol")
    assert [space["workspace_type"] for space in spaces] == ["personal"]
    assert foreign["code"] in (4101, 4200)


def test_the_owner_of_the_token_is_shown(coze: Coze) -> None:
    assert coze.users.me().user_id


def test_what_is_not_built_says_so(coze: Coze) -> None:
    with pytest.raises(CozeAPIError) as refused:
        coze.audio.voices.list()

    assert refused.value.code == 4201
