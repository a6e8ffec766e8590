"""Apps: drafts, growing versions, conversations that workflows may use."""

from datetime import UTC, datetime

import pytest

from domain.app.entity import App
from domain.app.error import (
    AppConversationNotFound,
    AppConversationTaken,
    AppInvalid,
    AppVersionTaken,
)
from domain.app.rules import AppRules
from domain.app.value import AppContent, AppId, AppVariable, AppVersionId
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits

RULES = AppRules(Limits())
NOW = datetime(2030, 5, 1, tzinfo=UTC)
ME = UserId(7)


def make(content: AppContent | None = None) -> App:
    return App.create(
        AppId(1),
        space_id=SpaceId(2),
        creator_id=ME,
        name=" Shop ",
        description="",
        icon_file_id=None,
        content=content or AppContent(),
        rules=RULES,
        now=NOW,
    )


def publish(app: App, label: str = "") -> str:
    version = app.publish(
        AppVersionId(9),
        label=label,
        note="",
        connector_ids=(1024,),
        actor_id=ME,
        rules=RULES,
        now=NOW,
    )
    return version.label


def test_labels_grow_by_themselves_or_as_wished() -> None:
    app = make()

    assert [publish(app), publish(app), publish(app, "v1.0.0"), publish(app)] == [
        "v0.0.1",
        "v0.0.2",
        "v1.0.0",
        "v1.0.1",
    ]
    for taken in ("v1.0.1", "v0.9.9"):
        with pytest.raises(AppVersionTaken):
            publish(app, taken)
    with pytest.raises(AppInvalid):
        publish(app, "newest")


def test_a_version_keeps_what_the_draft_loses() -> None:
    app = make(AppContent(conversations=("orders",)))
    version = app.publish(
        AppVersionId(9),
        label="",
        note="",
        connector_ids=(1024,),
        actor_id=ME,
        rules=RULES,
        now=NOW,
    )
    app.change_content(
        app.content.without_conversation("orders"), actor_id=ME, rules=RULES, now=NOW
    )

    assert app.content.conversations == ()
    assert version.content.conversations == ("orders",)
    assert [event.__struct_config__.tag for event in app.pull_events()] == [
        "app.created",
        "app.released",
        "app.updated",
    ]


def test_conversations_have_names_of_their_own() -> None:
    content = AppContent().with_conversation("a").with_conversation("b")

    with pytest.raises(AppConversationTaken):
        content.with_conversation("a")
    with pytest.raises(AppConversationTaken):
        content.with_conversation_renamed("a", "b")
    with pytest.raises(AppConversationNotFound):
        content.without_conversation("c")
    assert content.with_conversation_renamed("a", "c").conversations == ("c", "b")
    assert content.with_conversation_renamed("a", "a") == content


@pytest.mark.parametrize(
    "content",
    [
        AppContent(variables=(AppVariable(keyword="two words"),)),
        AppContent(variables=(AppVariable(keyword="a"), AppVariable(keyword="a"))),
        AppContent(conversations=tuple(map(str, range(101)))),
    ],
)
def test_what_an_app_cannot_hold_is_refused(content: AppContent) -> None:
    with pytest.raises(AppInvalid):
        make(content)


def test_an_equal_change_is_none() -> None:
    app = make()
    app.pull_events()

    app.change_content(app.content, actor_id=ME, rules=RULES, now=NOW)

    assert app.pull_events() == []
