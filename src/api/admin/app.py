"""Apps on the admin surface, and what of them it shows and takes."""

from operator import not_
from typing import Annotated, Final

import msgspec
from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import UNSET, UnsetType

from api.admin.query import IfMatch, Paging, revision_of
from api.shape import Fields, Shape
from api.wire import WireId, optional_id, query_choice, query_flag, required_id
from application.app.dto import AppVersionView, AppView, CreateApp, ListApps, PublishApp, UpdateApp
from application.app.publishing import AppPublishingService
from application.app.service import AppService
from application.shared.page import Paged, Whole
from application.shared.projection import After, At, By
from domain.app.value import AppVariable, AppVariableChannel, AppVariableType
from domain.shared.access import CONNECTOR_API, Principal


class AppVariableFields(Fields, of=AppVariable, only=()):
    """A variable of the app; ``channel`` app: one value for all, else one per end user.

    Workflows that take it for another ``type`` are told so when they are checked.
    """

    key: Annotated[str, At("keyword")]
    description: str = ""
    default_value: str = ""
    type: AppVariableType = AppVariableType.ANY
    channel: AppVariableChannel = AppVariableChannel.CUSTOM
    is_disabled: Annotated[bool, At("enabled"), By(not_)] = False

    def value(self, field: str = "") -> AppVariable:
        """Return the variable."""
        return AppVariable(
            keyword=self.key,
            description=self.description,
            default_value=self.default_value,
            type=self.type,
            channel=self.channel,
            enabled=not self.is_disabled,
        )


class CreateAppBody(msgspec.Struct, frozen=True, kw_only=True):
    """A new app."""

    name: str
    description: str = ""
    icon_file_id: WireId | None = None
    variables: list[AppVariableFields] = []


class UpdateAppBody(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a draft; the list of variables is replaced as a whole."""

    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    icon_file_id: WireId | UnsetType | None = UNSET
    variables: list[AppVariableFields] | UnsetType = UNSET


class CopyAppBody(msgspec.Struct, frozen=True, kw_only=True):
    """What the copy is called."""

    name: str | None = None


class PublishAppBody(msgspec.Struct, frozen=True, kw_only=True):
    """What the version is called, and where it goes: the API unless said otherwise."""

    version: str | None = None
    description: str | None = None
    connectors: list[WireId] | None = None


class ConversationBody(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation of the app."""

    name: str


class AdminApp(Shape, of=AppView):
    """An app in full; ``version`` is empty for the draft."""

    variables: list[AppVariableFields]


class AdminAppList(Paged[AdminApp]):
    """One page of apps, newest change first."""


class AdminAppRecord(Shape, of=AppVersionView):
    """One publication of an app."""

    status: Annotated[str, After("connector_ids")]


class AdminAppRecordList(Paged[AdminAppRecord]):
    """One page of publications, newest first."""


class AdminAppConversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation that the app defines; ``env`` is ``draft`` or ``release``."""

    name: str
    env: str


class AdminAppConversationList(Whole[AdminAppConversation]):
    """The conversations of an app."""

    @classmethod
    def of(cls, view: AppView, *, env: str) -> "AdminAppConversationList":
        items = [AdminAppConversation(name=name, env=env) for name in view.conversations]
        return cls(items=items, total=len(items))


_ENVS: Final = {"draft": "draft", "release": "release"}


class AdminAppController(Controller):
    """Drafts of apps."""

    path = "/admin/v1"

    @post("/workspaces/{workspace_id:str}/apps", operation_id="admin.apps.create")
    async def create(
        self,
        *,
        data: JSONBody[CreateAppBody],
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        workspace_id: FromPath[str],
    ) -> AdminApp:
        """Make an app."""
        command = CreateApp(
            space_id=required_id(workspace_id, field="workspace_id"),
            name=data.name,
            description=data.description,
            icon_file_id=optional_id(data.icon_file_id, field="icon_file_id"),
            variables=tuple(each.value() for each in data.variables),
        )
        return AdminApp.of(await apps.create(principal, command))

    @get("/workspaces/{workspace_id:str}/apps", operation_id="admin.apps.list")
    async def list(
        self,
        *,
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        workspace_id: FromPath[str],
        published: FromQuery[str | None] = None,
        q: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> AdminAppList:
        """List apps, newest change first."""
        found = await apps.list(
            principal,
            ListApps(
                space_id=required_id(workspace_id, field="workspace_id"),
                limit=paging.size,
                offset=paging.offset,
                is_published=query_flag(published, field="published"),
                text=q or "",
            ),
        )
        return AdminAppList(
            items=AdminApp.each(found.items),
            total=found.total,
            next_cursor=paging.next_offset(found),
        )

    @get("/apps/{app_id:str}", operation_id="admin.apps.get")
    async def read(
        self,
        *,
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        app_id: FromPath[str],
    ) -> AdminApp:
        """Show the draft."""
        return AdminApp.of(await apps.get(principal, _id(app_id)))

    @patch("/apps/{app_id:str}", operation_id="admin.apps.update")
    async def update(
        self,
        *,
        data: JSONBody[UpdateAppBody],
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        app_id: FromPath[str],
        if_match: IfMatch = None,
    ) -> AdminApp:
        """Change the draft; ``If-Match`` takes the revision that was read."""
        icon, variables = data.icon_file_id, data.variables
        command = UpdateApp(
            app_id=_id(app_id),
            name=data.name,
            description=data.description,
            icon_file_id=UNSET if icon is UNSET else optional_id(icon, field="icon_file_id"),
            variables=UNSET if variables is UNSET else tuple(each.value() for each in variables),
            expected_revision=revision_of(if_match),
        )
        return AdminApp.of(await apps.update(principal, command))

    @post("/apps/{app_id:str}/copy", operation_id="admin.apps.copy")
    async def copy(
        self,
        *,
        data: JSONBody[CopyAppBody],
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        app_id: FromPath[str],
    ) -> AdminApp:
        """Copy the draft: variables and conversations, not the workflows made for it."""
        return AdminApp.of(await apps.copy(principal, _id(app_id), name=data.name or ""))

    @delete("/apps/{app_id:str}", operation_id="admin.apps.delete")
    async def remove(
        self,
        *,
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        app_id: FromPath[str],
    ) -> None:
        """Delete the app; its workflows stay in the workspace."""
        await apps.delete(principal, _id(app_id))


class AdminAppReleaseController(Controller):
    """Versions and conversations of an app."""

    path = "/admin/v1/apps/{app_id:str}"

    @post("/publish", operation_id="admin.apps.publish", status_code=HTTP_200_OK)
    async def publish(
        self,
        *,
        data: JSONBody[PublishAppBody],
        principal: NamedDependency[Principal],
        app_publishing: NamedDependency[AppPublishingService],
        app_id: FromPath[str],
    ) -> AdminAppRecord:
        """Freeze the draft as a version."""
        connectors = [CONNECTOR_API] if data.connectors is None else data.connectors
        made = await app_publishing.publish(
            principal,
            PublishApp(
                app_id=_id(app_id),
                version=data.version or "",
                description=data.description or "",
                connector_ids=tuple(required_id(each, field="connectors") for each in connectors),
            ),
        )
        return AdminAppRecord.of(made, status="done")

    @get("/publish-records", operation_id="admin.apps.list_publications")
    async def records(
        self,
        *,
        principal: NamedDependency[Principal],
        app_publishing: NamedDependency[AppPublishingService],
        app_id: FromPath[str],
        paging: NamedDependency[Paging],
    ) -> AdminAppRecordList:
        """List publications, newest first."""
        found = await app_publishing.records(
            principal, _id(app_id), offset=paging.offset, limit=paging.size
        )
        return AdminAppRecordList(
            items=[AdminAppRecord.of(each, status="done") for each in found.items],
            total=found.total,
            next_cursor=paging.next_offset(found),
        )

    @get("/publish-records/{label:str}", operation_id="admin.apps.get_publication")
    async def record(
        self,
        *,
        principal: NamedDependency[Principal],
        app_publishing: NamedDependency[AppPublishingService],
        app_id: FromPath[str],
        label: FromPath[str],
    ) -> AdminApp:
        """Show the app as it was published under a label."""
        return AdminApp.of(await app_publishing.get_version(principal, _id(app_id), label))

    @get("/conversation-defs", operation_id="admin.app_conversations.list")
    async def conversations(
        self,
        *,
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        app_publishing: NamedDependency[AppPublishingService],
        app_id: FromPath[str],
        env: FromQuery[str | None] = None,
    ) -> AdminAppConversationList:
        """List the conversations that the draft defines, or with ``env=release`` the version."""
        chosen = query_choice(env, _ENVS, field="env") or "draft"
        if chosen == "draft":
            view = await apps.get(principal, _id(app_id))
        else:
            view = await app_publishing.released(principal, _id(app_id))
        return AdminAppConversationList.of(view, env=chosen)

    @post("/conversation-defs", operation_id="admin.app_conversations.create")
    async def add_conversation(
        self,
        *,
        data: JSONBody[ConversationBody],
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        app_id: FromPath[str],
    ) -> AdminAppConversationList:
        """Define a conversation; it counts for published workflows with the next version."""
        view = await apps.add_conversation(principal, _id(app_id), data.name)
        return AdminAppConversationList.of(view, env="draft")

    @patch("/conversation-defs/{name:str}", operation_id="admin.app_conversations.update")
    async def rename_conversation(
        self,
        *,
        data: JSONBody[ConversationBody],
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        app_id: FromPath[str],
        name: FromPath[str],
    ) -> AdminAppConversationList:
        """Rename a conversation of the draft."""
        view = await apps.rename_conversation(principal, _id(app_id), name, data.name)
        return AdminAppConversationList.of(view, env="draft")

    @delete("/conversation-defs/{name:str}", operation_id="admin.app_conversations.delete")
    async def remove_conversation(
        self,
        *,
        principal: NamedDependency[Principal],
        apps: NamedDependency[AppService],
        app_id: FromPath[str],
        name: FromPath[str],
    ) -> None:
        """Remove a conversation from the draft."""
        await apps.remove_conversation(principal, _id(app_id), name)


def _id(value: str) -> int:
    return required_id(value, field="app_id")
