import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../../api/client";
import type {
  AdminAgent,
  AdminDocument,
  AdminDocumentList,
  ModelReport,
  ModelView,
} from "../../../api/schema";
import { upload } from "../../../api/upload";

export type Report = ModelReport;
export type Chosen = { id: string; name: string };

const OFFLINE = "offline";
const FILE = 5;
/** As many documents as the server takes at once. */
const AT_ONCE = 10;

/** The model that answers where an agent names none; the built-in one does not count. */
export function useRealModel() {
  return useQuery({
    queryKey: ["admin.models.list", "llm"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/models", {
          params: { query: { type: "llm", limit: "100" } },
          signal,
        }),
      ),
    select: ({ items }) => {
      const real = items.filter((each) => each.enabled && each.provider !== OFFLINE);
      return real.find((each) => each.is_default) ?? real[0] ?? null;
    },
  });
}

/** Kinds of servers that have models which answer. */
export function useKinds() {
  const { data } = useQuery({
    queryKey: ["admin.model_providers.list"],
    queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/model-providers", { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.items.filter((each) => each.types.includes("llm") && each.class !== OFFLINE);
}

export type ModelForm = { kind: string; address: string; key: string; name: string };

/** Stores a model, or what was changed in one that did not answer, and calls it. */
export function useTryModel() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ form, stored }: { form: ModelForm; stored: ModelView | undefined }) => {
      const body = {
        type: "llm" as const,
        provider: form.kind,
        display: { name: form.name },
        connection: {
          base_url: form.address,
          model: form.name,
          ...(form.key && { api_key: form.key }),
        },
        is_default: true,
      };
      const { type: _, ...change } = body;
      const model = stored
        ? await unwrap(
            client.PATCH("/admin/v1/models/{model_id}", {
              params: { path: { model_id: stored.id } },
              body: change,
            }),
          )
        : await unwrap(client.POST("/admin/v1/models", { body }));
      const report = await unwrap(
        client.POST("/admin/v1/models/{model_id}/test", {
          params: { path: { model_id: model.id } },
        }),
      );
      return { model, report };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["admin.models.list"] }),
  });
}

/** The agent that is there longest, and whether it knows something. */
export function useFirstAgent(workspaceId: string) {
  return useQuery({
    queryKey: ["admin.agents.list", workspaceId, "first"],
    queryFn: async ({ signal }) => {
      const { items } = await unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
          params: { path: { workspace_id: workspaceId }, query: { limit: "1", order: "asc" } },
          signal,
        }),
      );
      const [first] = items;
      return first ? await loaded(first.id) : null;
    },
  });
}

function loaded(agentId: string): Promise<AdminAgent> {
  return unwrap(
    client.GET("/admin/v1/agents/{agent_id}", { params: { path: { agent_id: agentId } } }),
  );
}

/** Who answers in a workspace: an agent that is there, or one that is made when it is needed. */
export type Host = { id: string | undefined; name: string; persona: string };

async function hostOf(workspaceId: string, host: Host, key: string): Promise<string> {
  if (host.id !== undefined) return host.id;
  const made = await unwrap(
    client.POST("/admin/v1/workspaces/{workspace_id}/agents", {
      params: {
        path: { workspace_id: workspaceId },
        header: { "Idempotency-Key": `${key}-agent` },
      },
      body: { name: host.name, description: "", prompt: { text: host.persona } },
    }),
  );
  return made.id;
}

type Lesson = { host: Host; files: readonly File[]; base: string; key: string };

/** Makes a base of files, which are read behind everything else, and gives it to an agent. */
export function useTeach(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (lesson: Lesson) => {
      const baseId = await baseOf(workspaceId, lesson);
      const agentId = await hostOf(workspaceId, lesson.host, lesson.key);
      const { id, name, revision, knowledge } = await loaded(agentId);
      const known = knowledge.datasets ?? [];
      if (!known.includes(baseId))
        await unwrap(
          client.PATCH("/admin/v1/agents/{agent_id}", {
            params: { path: { agent_id: id }, header: { "If-Match": String(revision) } },
            body: { knowledge: { datasets: [...known, baseId] } },
          }),
        );
      return { agent: { id, name }, baseId };
    },
    onSuccess: () =>
      Promise.all(
        ["admin.datasets.list", "admin.agents.list"].map((name) =>
          queries.invalidateQueries({ queryKey: [name] }),
        ),
      ),
  });
}

async function baseOf(workspaceId: string, { files, base, key }: Lesson): Promise<string> {
  const stored = await Promise.all(
    files.map((file, index) =>
      upload(file, file.name, {
        workspaceId,
        key: `${key}-${index}`,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      }),
    ),
  );
  const made = await unwrap(
    client.POST("/admin/v1/workspaces/{workspace_id}/datasets", {
      params: {
        path: { workspace_id: workspaceId },
        header: { "Idempotency-Key": `${key}-base` },
      },
      body: { name: base, description: "", format_type: 0 },
    }),
  );
  const documents = stored.map((file, index) => ({
    name: files[index]?.name ?? file.id,
    source_info: { source_file_id: file.id, document_source: FILE },
  }));
  for (let from = 0; from < documents.length; from += AT_ONCE)
    await done(
      client.POST("/admin/v1/datasets/{dataset_id}/documents", {
        params: {
          path: { dataset_id: made.id },
          header: { "Idempotency-Key": `${key}-documents-${from}` },
        },
        body: { document_bases: documents.slice(from, from + AT_ONCE) },
      }),
    );
  return made.id;
}

/** How far the documents of a base are. */
export type Read = {
  done: number;
  failed: readonly { name: string; code: number; reason: string }[];
  isOver: boolean;
};

/** Follows a base until each of its documents is read, or is known not to be readable. */
export function useReading(baseId: string | undefined): Read | undefined {
  const { data } = useQuery<AdminDocumentList>({
    queryKey: ["admin.documents.list", baseId, "first"],
    enabled: baseId !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.every(isRead) ? false : LOOK_AGAIN_MS),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/datasets/{dataset_id}/documents", {
          params: { path: { dataset_id: baseId ?? "" }, query: { limit: "100" } },
          signal,
        }),
      ),
  });
  if (!data) return undefined;
  const over = data.items.filter(isRead);
  const failed = over.filter(({ fail_code }) => fail_code !== 0);
  return {
    done: over.length,
    failed: failed.map(({ name, fail_code, fail_reason }) => ({
      name,
      code: fail_code,
      reason: fail_reason,
    })),
    isOver: over.length === data.items.length,
  };
}

const LOOK_AGAIN_MS = 500;
const WAITING = -1;
const IN_WORK = 4;

function isRead({ status }: AdminDocument): boolean {
  return status !== WAITING && status !== IN_WORK;
}

/** Begins a conversation with the draft; the workbench goes on with it. */
export function useFirstQuestion(workspaceId: string) {
  return useMutation({
    mutationFn: async ({ host, question }: { host: Host; question: string }) => {
      const key = crypto.randomUUID();
      const agentId = await hostOf(workspaceId, host, key);
      const { conversation_id } = await unwrap(
        client.POST("/admin/v1/agents/{agent_id}/chats", {
          params: { path: { agent_id: agentId }, header: { "Idempotency-Key": key } },
          body: { version: "draft", content: question },
        }),
      );
      return { agentId, chat: conversation_id };
    },
  });
}
