import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from "@tanstack/react-router";
import { asApiError } from "./api/queries";
import { listSearch, searchValue, wordSearch } from "./api/search";
import { openAhead } from "./playground/opening";
import { lastWorkspace } from "./session/local";
import { sessionQuery } from "./session/session";
import { Shell } from "./shell/shell";
import { Finding, NoSuchPage, NoWorkspace, ScreenFailed } from "./shell/states";
import { WorkspaceGate } from "./shell/workspace-gate";
import type { Catalogue } from "./text/catalogue";
import { currentLanguage } from "./text/language";

const PREFETCH_MS = 80;

/** Loads a screen and its texts together, before anything of it is shown. */
function lazily<R>(
  load: () => Promise<{ route: R; text: Catalogue<object> | readonly Catalogue<object>[] }>,
): () => Promise<R> {
  return async () => {
    const { route, text } = await load();
    await Promise.all([text].flat().map((each) => each.load(currentLanguage())));
    return route;
  };
}

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NoSuchPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: wordSearch("return_to", "refused"),
}).lazy(lazily(() => import("./features/sign-in/route")));

const welcome = createRoute({
  getParentRoute: () => root,
  path: "/welcome",
  validateSearch: wordSearch("ticket", "invite"),
}).lazy(lazily(() => import("./features/welcome/route")));

const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queries.ensureQueryData(sessionQuery);
    } catch (error) {
      if (asApiError(error)?.status !== 401) throw error;
      const search = location.href === "/" ? {} : { return_to: `/console${location.href}` };
      throw redirect({ to: "/sign-in", search, replace: true });
    }
  },
});

const start = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: NoWorkspace,
  beforeLoad: async ({ context }) => {
    const { workspaces } = await context.queries.ensureQueryData(sessionQuery);
    const last = workspaces.find((each) => each.id === lastWorkspace.read()) ?? workspaces[0];
    if (last)
      throw redirect({ to: "/w/$workspaceId", params: { workspaceId: last.id }, replace: true });
  },
});

const workspace = createRoute({
  getParentRoute: () => shell,
  path: "/w/$workspaceId",
  component: WorkspaceGate,
});

const home = createRoute({ getParentRoute: () => workspace, path: "/" }).lazy(
  lazily(() => import("./features/home/route")),
);

const agents = createRoute({
  getParentRoute: () => workspace,
  path: "/agents",
  validateSearch: listSearch("state", "mode", "creator", "model", "uses", "order", "view", "new"),
}).lazy(lazily(() => import("./features/agents/route")));

const workbench = createRoute({
  getParentRoute: () => workspace,
  path: "/agents/$agentId",
  validateSearch: listSearch("chat", "tab"),
  loader: ({ cause, params, location }) => {
    if (cause === "enter") openAhead(params.agentId, wordSearch("chat")(location.search).chat);
  },
}).lazy(lazily(() => import("./features/workbench/route")));

const versions = createRoute({
  getParentRoute: () => workspace,
  path: "/agents/$agentId/versions",
  validateSearch: wordSearch("a", "b", "all"),
}).lazy(lazily(() => import("./features/workbench/versions/route")));

const workflows = createRoute({
  getParentRoute: () => workspace,
  path: "/workflows",
  validateSearch: listSearch("state", "mode", "creator", "order", "new"),
}).lazy(lazily(() => import("./features/workflows/route")));

const workflow = createRoute({
  getParentRoute: () => workspace,
  path: "/workflows/$workflowId",
  validateSearch: wordSearch("node", "run", "v"),
}).lazy(lazily(() => import("./features/workflow/route")));

const workflowVersions = createRoute({
  getParentRoute: () => workspace,
  path: "/workflows/$workflowId/versions",
  validateSearch: wordSearch("a", "b", "node", "run"),
}).lazy(lazily(() => import("./features/workflow/versions-route")));

const knowledge = createRoute({
  getParentRoute: () => workspace,
  path: "/knowledge",
  validateSearch: listSearch("kind", "state", "new"),
}).lazy(lazily(() => import("./features/knowledge/route")));

const knowledgeBase = createRoute({
  getParentRoute: () => workspace,
  path: "/knowledge/$baseId",
  validateSearch: listSearch(
    "tab",
    "state",
    "type",
    "source",
    "tag",
    "sort",
    "order",
    "view",
    "caption",
    "agent",
    "of",
  ),
}).lazy(lazily(() => import("./features/knowledge/base/route")));

const knowledgeImport = createRoute({
  getParentRoute: () => workspace,
  path: "/knowledge/$baseId/import",
}).lazy(lazily(() => import("./features/knowledge/import/route")));

const knowledgeDocument = createRoute({
  getParentRoute: () => workspace,
  path: "/knowledge/$baseId/documents/$documentId",
  validateSearch: listSearch("page", "slice"),
}).lazy(lazily(() => import("./features/knowledge/document/route")));

const plugins = createRoute({
  getParentRoute: () => workspace,
  path: "/plugins",
  validateSearch: listSearch("state"),
}).lazy(lazily(() => import("./features/plugins/route")));

const pluginImport = createRoute({
  getParentRoute: () => workspace,
  path: "/plugins/import",
  validateSearch: listSearch("kind"),
}).lazy(lazily(() => import("./features/plugins/import/route")));

const plugin = createRoute({
  getParentRoute: () => workspace,
  path: "/plugins/$pluginId",
  validateSearch: listSearch("tab"),
}).lazy(lazily(() => import("./features/plugins/plugin/route")));

const pluginTool = createRoute({
  getParentRoute: () => workspace,
  path: "/plugins/$pluginId/tools/$toolId",
}).lazy(lazily(() => import("./features/plugins/tool/route")));

const databases = createRoute({
  getParentRoute: () => workspace,
  path: "/databases",
  validateSearch: listSearch(),
}).lazy(lazily(() => import("./features/databases/route")));

const variables = createRoute({
  getParentRoute: () => workspace,
  path: "/databases/variables",
  validateSearch: wordSearch("agent", "app", "side"),
}).lazy(lazily(() => import("./features/databases/variables/route")));

const database = createRoute({
  getParentRoute: () => workspace,
  path: "/databases/$databaseId",
  validateSearch: listSearch("tab", "side", "filter", "sort", "order", "user"),
}).lazy(lazily(() => import("./features/databases/table/route")));

const prompts = createRoute({
  getParentRoute: () => workspace,
  path: "/prompts",
  validateSearch: listSearch("tag", "prompt"),
}).lazy(lazily(() => import("./features/prompts/route")));

const runs = createRoute({
  getParentRoute: () => workspace,
  path: "/runs",
  validateSearch: listSearch(
    "time",
    "state",
    "agent",
    "workflow",
    "source",
    "duration",
    "feedback",
    "model",
    "tool",
    "tag",
    "cost",
    "version",
    "user",
    "conversation",
    "error",
    "sort",
  ),
}).lazy(lazily(() => import("./features/runs/route")));

const compare = createRoute({
  getParentRoute: () => workspace,
  path: "/runs/compare",
  validateSearch: wordSearch("a", "b", "all"),
}).lazy(lazily(() => import("./features/compare/route")));

const trace = createRoute({
  getParentRoute: () => workspace,
  path: "/runs/$runId",
  validateSearch: listSearch("span", "pane", "of"),
}).lazy(lazily(() => import("./features/trace/route")));

const conversations = createRoute({
  getParentRoute: () => workspace,
  path: "/conversations",
  validateSearch: listSearch("time", "agent", "source", "feedback", "waits", "own", "user"),
}).lazy(lazily(() => import("./features/conversations/route")));

const conversation = createRoute({
  getParentRoute: () => workspace,
  path: "/conversations/$conversationId",
}).lazy(lazily(() => import("./features/conversations/one/route")));

const links = createRoute({
  getParentRoute: () => workspace,
  path: "/links",
  validateSearch: wordSearch("agent"),
}).lazy(lazily(() => import("./features/links/route")));

const link = createRoute({
  getParentRoute: () => workspace,
  path: "/links/$linkId",
}).lazy(lazily(() => import("./features/links/editor/route")));

const usage = createRoute({
  getParentRoute: () => workspace,
  path: "/usage",
  validateSearch: listSearch("tab", "period", "by", "also", "metric"),
}).lazy(lazily(() => import("./features/usage/route")));

const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings/{-$tab}",
}).lazy(lazily(() => import("./features/settings/route")));

const find = createRoute({
  getParentRoute: () => shell,
  path: "/find",
  validateSearch: wordSearch("q"),
  component: Finding,
});

const models = createRoute({
  getParentRoute: () => shell,
  path: "/models",
  validateSearch: listSearch("type"),
}).lazy(lazily(() => import("./features/models/route")));

const model = createRoute({
  getParentRoute: () => shell,
  path: "/models/$modelId",
}).lazy(lazily(() => import("./features/models/model/route")));

const administration = createRoute({
  getParentRoute: () => shell,
  path: "/admin/{-$tab}",
  validateSearch: listSearch("time", "actor", "resource"),
}).lazy(lazily(() => import("./features/administration/route")));

const operations = createRoute({
  getParentRoute: () => shell,
  path: "/operations/{-$tab}",
  validateSearch: listSearch("state", "consumer", "level", "source", "span", "figure"),
}).lazy(lazily(() => import("./features/operations/route")));

const account = createRoute({ getParentRoute: () => shell, path: "/account" }).lazy(
  lazily(() => import("./features/account/route")),
);

const tree = root.addChildren([
  signIn,
  welcome,
  shell.addChildren([
    start,
    find,
    models,
    model,
    administration,
    operations,
    account,
    workspace.addChildren([
      home,
      agents,
      workbench,
      versions,
      workflows,
      workflow,
      workflowVersions,
      knowledge,
      knowledgeBase,
      knowledgeImport,
      knowledgeDocument,
      plugins,
      pluginImport,
      plugin,
      pluginTool,
      databases,
      variables,
      database,
      prompts,
      runs,
      compare,
      trace,
      conversations,
      conversation,
      links,
      link,
      usage,
      settings,
    ]),
  ]),
]);

export function newRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: "/console",
    parseSearch: parseSearchWith(searchValue),
    stringifySearch: stringifySearchWith(JSON.stringify, searchValue),
    context: { queries },
    defaultPreload: "intent",
    defaultPreloadDelay: PREFETCH_MS,
    defaultErrorComponent: ScreenFailed,
    defaultNotFoundComponent: NoSuchPage,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
