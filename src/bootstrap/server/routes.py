"""Every controller of the product, surface by surface."""

from collections.abc import Sequence

from litestar.types import ControllerRouterHandler

from api.admin.agent import AdminAgentController, AdminPublishingController
from api.admin.app import AdminAppController, AdminAppReleaseController
from api.admin.caption import AdminCaptionController
from api.admin.conversation import AdminConversationController
from api.admin.database import AdminDatabaseController
from api.admin.database_record import AdminRecordController
from api.admin.dataset import AdminDatasetController
from api.admin.dataset_search import AdminDatasetSearchController
from api.admin.document import AdminDocumentController
from api.admin.file import AdminFileController
from api.admin.identity import (
    AdminMemberController,
    AdminTokenController,
    AdminUserController,
    AdminWorkspaceController,
)
from api.admin.model import ModelController
from api.admin.plugin import AdminPluginController
from api.admin.plugin_callback import complete_grant
from api.admin.plugin_server import AdminPluginServerController
from api.admin.plugin_tool import AdminPluginToolController
from api.admin.preview import AdminPreviewController
from api.admin.prompt import AdminPromptController
from api.admin.recollection import AdminRecollectionController
from api.admin.run import AdminRunController, RunController
from api.admin.shortcut import AdminShortcutController
from api.admin.table_schema import AdminTableSchemaController
from api.admin.variable import AdminVariableController
from api.admin.workflow import AdminWorkflowController
from api.admin.workflow_canvas import AdminCanvasController
from api.admin.workflow_run import AdminTestRunController, AdminWorkflowRunController
from api.coze.app import AppController
from api.coze.bot import BotController
from api.coze.chat import ChatController
from api.coze.connector import ConnectorController
from api.coze.conversation import ConversationController
from api.coze.dataset import DatasetController
from api.coze.dataset_image import DatasetImageController
from api.coze.dataset_search import DatasetSearchController, KnowledgeImageController
from api.coze.document import DocumentController, DocumentTagController
from api.coze.file import FileController, PublicFileController
from api.coze.message import FeedbackController, MessageController
from api.coze.slice import SliceController
from api.coze.template import TemplateController
from api.coze.unsupported import unsupported
from api.coze.user import UserController
from api.coze.variable import VariableController
from api.coze.workflow import WorkflowController
from api.coze.workflow_chat import WorkflowChatController
from api.coze.workflow_run import WorkflowHistoryController, WorkflowRunController
from api.coze.workspace import WorkspaceController
from api.mcp.admin import AdminMcpController
from api.mcp.space import SpaceMcpController
from api.openai.routes import OPENAI_CONTROLLERS


def routes() -> Sequence[ControllerRouterHandler]:
    """Return what the application serves besides its operational pages."""
    coze: list[ControllerRouterHandler] = [
        AppController,
        BotController,
        ChatController,
        ConnectorController,
        ConversationController,
        DatasetController,
        DatasetImageController,
        DatasetSearchController,
        KnowledgeImageController,
        DocumentController,
        DocumentTagController,
        FeedbackController,
        FileController,
        MessageController,
        PublicFileController,
        SliceController,
        TemplateController,
        UserController,
        VariableController,
        WorkflowController,
        WorkflowChatController,
        WorkflowHistoryController,
        WorkflowRunController,
        WorkspaceController,
        unsupported,
    ]
    admin: list[ControllerRouterHandler] = [
        AdminAgentController,
        AdminAppController,
        AdminAppReleaseController,
        AdminCanvasController,
        AdminCaptionController,
        AdminConversationController,
        AdminDatabaseController,
        AdminRecordController,
        AdminDatasetController,
        AdminDocumentController,
        AdminDatasetSearchController,
        AdminFileController,
        AdminMemberController,
        AdminPluginController,
        AdminPluginServerController,
        AdminPluginToolController,
        complete_grant,
        AdminPreviewController,
        AdminPromptController,
        AdminPublishingController,
        AdminShortcutController,
        AdminRunController,
        AdminRecollectionController,
        AdminTableSchemaController,
        AdminTokenController,
        AdminTestRunController,
        AdminUserController,
        AdminVariableController,
        AdminWorkflowController,
        AdminWorkflowRunController,
        AdminWorkspaceController,
        ModelController,
        RunController,
    ]
    mcp: list[ControllerRouterHandler] = [AdminMcpController, SpaceMcpController]
    return [*coze, *OPENAI_CONTROLLERS, *mcp, *admin]
