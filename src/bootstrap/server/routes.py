"""Every controller of the product that a start registers, surface by surface."""

from collections.abc import Sequence

from litestar.types import ControllerRouterHandler

from api.admin.agent.agent import AdminAgentController, AdminPublishingController
from api.admin.agent.bundle import AdminAgentDocumentController
from api.admin.agent.shortcut import AdminShortcutController
from api.admin.agent.template import AdminTemplateController
from api.admin.agent.variable import AdminVariableController
from api.admin.app import AdminAppController, AdminAppReleaseController
from api.admin.app_variable import AdminAppVariableController
from api.admin.channel import AdminChannelController
from api.admin.chat import AgentChatController, FlowChatController, OwnRunController
from api.admin.conversation import AdminConversationController, AdminMessageController
from api.admin.dead_letter import DeadLetterController
from api.admin.directory import AdminDirectoryController
from api.admin.file import AdminFileController
from api.admin.identity.audit import AdminAuditController
from api.admin.identity.identity import (
    AdminMemberController,
    AdminTokenController,
    AdminUserController,
    AdminWorkspaceController,
    AdminWorkspaceOverviewController,
)
from api.admin.identity.invitation import AdminInvitationController
from api.admin.identity.oauth import (
    AdminOAuthAppController,
    AdminOAuthConsentController,
    AdminOAuthGrantController,
)
from api.admin.identity.oidc import AdminOidcProviderController
from api.admin.identity.service_token import AdminServiceTokenController
from api.admin.identity.sharing import AdminGrantController, AdminGroupController
from api.admin.knowledge.caption import AdminCaptionController
from api.admin.knowledge.collection import AdminDocumentsController
from api.admin.knowledge.dataset import AdminDatasetController
from api.admin.knowledge.document import AdminDocumentController
from api.admin.knowledge.health import AdminHealthController
from api.admin.knowledge.page import AdminPageController
from api.admin.knowledge.preview import AdminPreviewController
from api.admin.knowledge.search import AdminDatasetSearchController
from api.admin.knowledge.table_schema import AdminTableSchemaController
from api.admin.memory.database import AdminDatabaseController
from api.admin.memory.recollection import AdminRecollectionController
from api.admin.memory.record import AdminRecordController
from api.admin.model import ModelController
from api.admin.operation import OperationController
from api.admin.plugin.callback import complete_grant
from api.admin.plugin.plugin import AdminPluginController
from api.admin.plugin.server import AdminPluginServerController
from api.admin.plugin.tool import AdminPluginToolController
from api.admin.privacy import AdminDataRequestController, AdminRetentionController
from api.admin.prompt import AdminPromptController
from api.admin.run import AdminRunController, RunController
from api.admin.share import AdminShareLinkController
from api.admin.support import SupportController
from api.admin.task import TaskController
from api.admin.usage.budget import BudgetController
from api.admin.usage.price import PriceController
from api.admin.usage.reconciliation import ReconciliationController
from api.admin.usage.usage import UsageController
from api.admin.workflow.canvas import AdminCanvasController
from api.admin.workflow.run import AdminTestRunController, AdminWorkflowRunController
from api.admin.workflow.saved_input import AdminTestInputController
from api.admin.workflow.workflow import AdminWorkflowController
from api.channel.call import ChannelCallController
from api.console.frame import file_frame
from api.coze.app import AppController
from api.coze.bot.bot import BotController
from api.coze.bot.connector import ConnectorController
from api.coze.bot.template import TemplateController
from api.coze.bot.variable import VariableController
from api.coze.conversation.chat import ChatController
from api.coze.conversation.conversation import ConversationController
from api.coze.conversation.message import FeedbackController, MessageController
from api.coze.file import FileController, PublicFileController
from api.coze.knowledge.dataset import DatasetController
from api.coze.knowledge.document import DocumentController, DocumentTagController
from api.coze.knowledge.image import DatasetImageController
from api.coze.knowledge.search import DatasetSearchController, KnowledgeImageController
from api.coze.knowledge.slice import SliceController
from api.coze.oauth import OAuthController
from api.coze.unsupported import unsupported
from api.coze.user import UserController
from api.coze.workflow.chat import WorkflowChatController
from api.coze.workflow.run import WorkflowHistoryController, WorkflowRunController
from api.coze.workflow.workflow import WorkflowController
from api.coze.workspace import WorkspaceController
from api.mcp.admin import AdminMcpController
from api.mcp.space import SpaceMcpController
from api.openai.routes import OPENAI_CONTROLLERS
from api.share.chat import ShareChatController
from api.share.page import SHARE_PAGES
from api.share.visit import ShareVisitController
from api.sign_in.auth import AccountController, SignInController
from api.sign_in.avatar import AvatarController
from api.sign_in.oidc import OidcController
from api.sign_in.page import SIGN_IN_PAGES


def routes() -> Sequence[ControllerRouterHandler]:
    """Return what is served besides operational pages and the rooms that open on demand."""
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
        OAuthController,
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
        AdminAppVariableController,
        AdminCanvasController,
        AdminCaptionController,
        AdminConversationController,
        SupportController,
        AdminMessageController,
        AdminDirectoryController,
        DeadLetterController,
        OperationController,
        TaskController,
        AgentChatController,
        FlowChatController,
        OwnRunController,
        AdminDatabaseController,
        AdminRecordController,
        AdminDatasetController,
        AdminDocumentController,
        AdminDocumentsController,
        AdminHealthController,
        AdminPageController,
        AdminDatasetSearchController,
        AdminFileController,
        AdminMemberController,
        AdminInvitationController,
        AdminAuditController,
        AdminGroupController,
        AdminGrantController,
        AdminPluginController,
        AdminPluginServerController,
        AdminPluginToolController,
        complete_grant,
        AdminPreviewController,
        AdminPromptController,
        AdminPublishingController,
        AdminAgentDocumentController,
        AdminTemplateController,
        AdminOAuthAppController,
        AdminOAuthConsentController,
        AdminOAuthGrantController,
        AdminOidcProviderController,
        AdminServiceTokenController,
        AdminShareLinkController,
        AdminDataRequestController,
        AdminRetentionController,
        AdminChannelController,
        ChannelCallController,
        AdminShortcutController,
        AdminRunController,
        AdminRecollectionController,
        AdminTableSchemaController,
        AdminTokenController,
        AdminTestRunController,
        AdminUserController,
        AdminVariableController,
        AdminTestInputController,
        AdminWorkflowController,
        AdminWorkflowRunController,
        AdminWorkspaceController,
        AdminWorkspaceOverviewController,
        AvatarController,
        ModelController,
        PriceController,
        UsageController,
        BudgetController,
        ReconciliationController,
        RunController,
        ShareChatController,
        ShareVisitController,
        *SHARE_PAGES,
        file_frame,
        SignInController,
        AccountController,
        OidcController,
        *SIGN_IN_PAGES,
    ]
    mcp: list[ControllerRouterHandler] = [AdminMcpController, SpaceMcpController]
    return [*coze, *OPENAI_CONTROLLERS, *mcp, *admin]
