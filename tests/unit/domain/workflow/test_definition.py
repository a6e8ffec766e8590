"""The workflow aggregate, its labels and rules."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from domain.shared.error import StaleRevision
from domain.shared.ids import FileId, SpaceId, UserId
from domain.shared.limits import Limits
from domain.workflow.canvas.text import Canvas, initial_canvas
from domain.workflow.definition.error import WorkflowInvalid, WorkflowNotPublishable
from domain.workflow.definition.role import ChatflowRole, RoleOnboarding
from domain.workflow.definition.rules import WorkflowRules
from domain.workflow.definition.version import (
    VersionLabel,
    WorkflowId,
    WorkflowVersion,
    WorkflowVersionId,
)
from domain.workflow.definition.workflow import (
    Workflow,
    WorkflowMode,
    WorkflowPublished,
    WorkflowUpdated,
)
from tests.support.workflow.canvas import check

RULES = WorkflowRules(Limits())
NOW = datetime(2026, 1, 2, tzinfo=UTC)
USER, SPACE, OTHER = UserId(7), SpaceId(2), SpaceId(3)
FIRST, SECOND = Canvas.of('{"nodes":[1]}'), Canvas.of('{"nodes":[2]}')


def make(mode: WorkflowMode = WorkflowMode.WORKFLOW, *, name: str = " Flow ") -> Workflow:
    workflow = Workflow.create(
        WorkflowId(1),
        space_id=SPACE,
        creator_id=USER,
        name=name,
        description="d",
        icon_file_id=FileId(9),
        mode=mode,
        app_id=5,
        draft=FIRST.stamp,
        rules=RULES,
        now=NOW,
    )
    workflow.pull_events()
    return workflow


def publish(workflow: Workflow, label: str = "", *, is_forced: bool = True) -> WorkflowVersion:
    return workflow.publish(
        WorkflowVersionId(4),
        label=label,
        note=" first ",
        is_forced=is_forced,
        actor_id=USER,
        rules=RULES,
        now=NOW,
    )


def test_a_draft_counts_changes_and_refuses_an_older_one() -> None:
    workflow = make()
    assert (workflow.name, workflow.draft_revision, workflow.is_published) == ("Flow", 1, False)

    workflow.save_canvas(FIRST.stamp, actor_id=USER, now=NOW)
    assert workflow.draft_revision == 1
    assert workflow.pull_events() == []

    workflow.save_canvas(SECOND.stamp, actor_id=USER, now=NOW + timedelta(seconds=1))
    assert (workflow.draft_revision, workflow.updated_at) == (2, NOW + timedelta(seconds=1))
    assert [type(each) for each in workflow.pull_events()] == [WorkflowUpdated]
    workflow.expect_revision(None)
    workflow.expect_revision(2)
    with pytest.raises(StaleRevision, match="revision 2"):
        workflow.expect_revision(1)


@pytest.mark.parametrize("name", ["", "  ", "x" * 51, "a\nb", "a\x00"])
def test_bad_names_are_refused(name: str) -> None:
    with pytest.raises(WorkflowInvalid, match="name:"):
        make(name=name)


def test_names_of_files_are_made_to_fit() -> None:
    assert RULES.fitting_name("x" * 80) == "x" * 50
    assert RULES.fitting_name("a\nb\x00") == "ab"
    assert RULES.fitting_name("  ") == "Workflow"
    assert RULES.fitting_name("y" * 60, suffix=" (copy)") == "y" * 43 + " (copy)"


def test_only_a_tested_draft_is_published_without_force() -> None:
    workflow = make()
    with pytest.raises(WorkflowNotPublishable, match="force"):
        publish(workflow, is_forced=False)

    workflow.pass_test_run(SECOND.stamp.digest)
    with pytest.raises(WorkflowNotPublishable, match="force"):
        publish(workflow, is_forced=False)
    workflow.pass_test_run(FIRST.stamp.digest)
    version = publish(workflow, is_forced=False)
    assert (version.label, version.note, version.canvas) == ("v0.0.1", "first", FIRST.stamp)
    assert workflow.published_digest == FIRST.stamp.digest
    (event,) = workflow.pull_events()
    assert isinstance(event, WorkflowPublished)
    assert event.version == "v0.0.1"

    workflow.save_canvas(SECOND.stamp, actor_id=USER, now=NOW)
    assert (workflow.is_draft_changed, workflow.test_run_passed) == (True, False)
    workflow.restore(version, actor_id=USER, now=NOW)
    assert (workflow.draft, workflow.draft_revision) == (FIRST.stamp, 3)


def test_labels_grow() -> None:
    workflow = make()
    assert publish(workflow, "v1.9.9").label == "v1.9.9"
    assert publish(workflow).label == "v1.9.10"
    for label in ("v1.9.10", "v1.9.9", "v0.99.0"):
        with pytest.raises(WorkflowInvalid, match=r"greater than v1\.9\.10"):
            publish(workflow, label)
    assert publish(workflow, "v1.10.0").label == "v1.10.0"


@pytest.mark.parametrize("text", ["1.0.0", "v1.0", "v1.0.0.0", "v01.0.0", "v1.0.x", "v1.0.0-rc"])
def test_labels_have_three_numbers(text: str) -> None:
    with pytest.raises(WorkflowInvalid, match="vX"):
        VersionLabel.parse(text)


def test_a_copy_leaves_icon_and_application_in_their_space() -> None:
    workflow = make()
    near = workflow.copy(
        WorkflowId(2), space_id=SPACE, actor_id=USER, name="", rules=RULES, now=NOW
    )
    far = workflow.copy(
        WorkflowId(3), space_id=OTHER, actor_id=USER, name="Mine", rules=RULES, now=NOW
    )
    assert (near.name, near.icon_file_id, near.app_id) == ("Flow (copy)", FileId(9), 5)
    assert (far.name, far.icon_file_id, far.app_id, far.space_id) == ("Mine", None, 0, OTHER)
    assert near.draft == far.draft == FIRST.stamp
    assert not near.is_published


def test_only_chat_flows_have_a_role() -> None:
    role = ChatflowRole(name="Host", onboarding=RoleOnboarding(suggested_questions=("Why?",)))
    with pytest.raises(WorkflowInvalid, match="chat flow"):
        make().play(role, actor_id=USER, rules=RULES, now=NOW)
    chat = make(WorkflowMode.CHATFLOW)
    chat.play(role, actor_id=USER, rules=RULES, now=NOW)
    assert chat.role == role
    crowd = ChatflowRole(onboarding=RoleOnboarding(suggested_questions=("?",) * 11))
    with pytest.raises(WorkflowInvalid, match="suggested_questions"):
        chat.play(crowd, actor_id=USER, rules=RULES, now=NOW)
    chat.play(None, actor_id=USER, rules=RULES, now=NOW)
    assert chat.role is None


@pytest.mark.parametrize("is_chat", [True, False])
def test_a_new_draft_can_be_published_as_it_is(is_chat: bool) -> None:
    reading = check(initial_canvas(is_chat=is_chat).text)

    assert reading.can_be_published, reading.diagnostics
    assert reading.program is not None
    names = [each.name for each in reading.program.input]
    assert names == (["USER_INPUT", "CONVERSATION_NAME"] if is_chat else [])


@pytest.mark.parametrize(
    ("language", "titles"),
    [("en", ["Start", "End"]), ("zh", ["开始", "结束"]), ("en-XA", ["Start", "End"])],
)
def test_a_new_draft_has_its_titles_in_a_language(language: str, titles: list[str]) -> None:
    canvas = json.loads(initial_canvas(is_chat=False, language=language).text)

    assert [node["data"]["nodeMeta"]["title"] for node in canvas["nodes"]] == titles
