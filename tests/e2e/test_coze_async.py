"""The official asynchronous client: every call once."""

from cozepy import (
    AsyncCoze,
    ChatEventType,
    ChatStatus,
    Message,
    MessageContentType,
    MessageRole,
    MessageType,
    WorkspaceMember,
    WorkspaceRoleType,
)
from cozepy.conversations.message.feedback import FeedbackType

from tests.support.client.seed import API_CONNECTOR, Seed

QUESTION = Message.build_user_question_text("Tell me about Coterie")


async def test_chats(async_coze: AsyncCoze, seed: Seed) -> None:
    text = ""
    async for event in async_coze.chat.stream(
        bot_id=seed.agent(), user_id="me", additional_messages=[QUESTION]
    ):
        if event.event == ChatEventType.CONVERSATION_MESSAGE_DELTA and event.message:
            text += event.message.content
    assert text == QUESTION.content

    chat = await async_coze.chat.create(
        bot_id=seed.agent("stall"), user_id="me", additional_messages=[QUESTION]
    )
    ids = {"conversation_id": chat.conversation_id, "chat_id": chat.id}
    assert (await async_coze.chat.retrieve(**ids)).status == ChatStatus.IN_PROGRESS
    assert (await async_coze.chat.cancel(**ids)).status == "canceled"
    assert await async_coze.chat.messages.list(**ids) is not None


async def test_conversations_and_messages(async_coze: AsyncCoze, seed: Seed) -> None:
    bot_id = seed.new_agent("async")
    conversations = async_coze.conversations
    made = [(await conversations.create(bot_id=bot_id)).id for _ in range(3)]
    pages = await conversations.list(bot_id=bot_id, page_size=2)
    assert [item.id async for item in pages] == made[::-1]
    first = made[0]
    assert (await conversations.retrieve(conversation_id=first)).id == first
    assert (await conversations.update(conversation_id=first, name="A")).name == "A"

    ids = []
    for number in range(5):
        message = await conversations.messages.create(
            conversation_id=first,
            role=MessageRole.USER,
            content=str(number),
            content_type=MessageContentType.TEXT,
        )
        ids.append(message.id)
    for order, expected in (("asc", ids), ("desc", ids[::-1])):
        listed = await conversations.messages.list(conversation_id=first, order=order, limit=2)
        assert [item.id async for item in listed] == expected

    one = {"conversation_id": first, "message_id": ids[0]}
    assert (await conversations.messages.retrieve(**one)).content == "0"
    changed = await conversations.messages.update(**one, meta_data={"k": "v"})
    assert changed.meta_data == {"k": "v"}
    assert (await conversations.messages.delete(**one)).id == ids[0]
    assert (await conversations.clear(conversation_id=first)).conversation_id == first
    await conversations.delete(conversation_id=first)


async def test_feedback(async_coze: AsyncCoze, seed: Seed) -> None:
    answer = None
    async for event in async_coze.chat.stream(
        bot_id=seed.agent(), user_id="me", additional_messages=[QUESTION]
    ):
        message = event.message
        if event.event == ChatEventType.CONVERSATION_MESSAGE_COMPLETED and message:
            answer = message if message.type == MessageType.ANSWER else answer
    assert answer is not None
    one = {"conversation_id": str(answer.conversation_id), "message_id": str(answer.id)}
    feedback = async_coze.conversations.messages.feedback

    await feedback.create(**one, feedback_type=FeedbackType.LIKE, comment="good")
    await feedback.delete(**one)


async def test_agents_and_files(async_coze: AsyncCoze, seed: Seed) -> None:
    made = await async_coze.bots.create(space_id=seed.workspace_id, name="asynchronous")
    await async_coze.bots.update(bot_id=made.bot_id, name="renamed")
    await async_coze.bots.publish(bot_id=made.bot_id)
    assert (await async_coze.bots.retrieve(bot_id=made.bot_id)).name == "renamed"
    listed = [
        bot.id
        for version in (1, 2)
        async for bot in await async_coze.bots.list(
            space_id=seed.workspace_id, use_api_version=version
        )
    ]
    assert listed.count(made.bot_id) == 2
    await async_coze.bots.unpublish(bot_id=made.bot_id, connector_id=API_CONNECTOR)

    uploaded = await async_coze.files.upload(file=("a.txt", b"text"))
    assert (await async_coze.files.retrieve(file_id=uploaded.id)).file_name == "a.txt"


async def test_workspaces_and_users(async_coze: AsyncCoze, seed: Seed) -> None:
    workspace_id = seed.workspace("async")
    dave, _ = seed.user("dave")
    members = async_coze.workspaces.members
    assert workspace_id in [space.id async for space in await async_coze.workspaces.list()]

    joined = await members.create(
        workspace_id=workspace_id,
        users=[WorkspaceMember(user_id=dave, role_type=WorkspaceRoleType.MEMBER)],
    )
    left = await members.delete(workspace_id=workspace_id, user_ids=[dave])

    assert joined.added_success_user_ids == left.removed_success_user_ids == [dave]
    assert (await async_coze.users.me()).user_name
