import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../../api/client";
import type { ModelReport, ModelView } from "../../../api/schema";
import { upload } from "../../../api/upload";

export type Report = ModelReport;
export type Chosen = { id: string; name: string };

const OFFLINE = "offline";
const FILE = 5;

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

/** The agent that is there longest. */
export function useFirstAgent(workspaceId: string): Chosen | undefined {
  const { data } = useQuery({
    queryKey: ["admin.agents.list", workspaceId, "first"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
          params: { path: { workspace_id: workspaceId }, query: { limit: "1", order: "asc" } },
          signal,
        }),
      ),
  });
  return data?.items[0];
}

type AgentForm = { name: string; persona: string; base: string; files: readonly File[] };

/** Makes an agent; what it is to know becomes a base of its own, read behind everything else. */
export function useMakeAgent(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (form: AgentForm): Promise<Chosen> => {
      const bases = form.files.length > 0 ? [await baseOf(workspaceId, form)] : [];
      return await unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/agents", {
          params: {
            path: { workspace_id: workspaceId },
            header: { "Idempotency-Key": crypto.randomUUID() },
          },
          body: {
            name: form.name,
            description: "",
            prompt: { text: form.persona },
            ...(bases.length > 0 && { knowledge: { dataset_ids: bases } }),
          },
        }),
      );
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["admin.agents.list"] }),
  });
}

async function baseOf(workspaceId: string, form: AgentForm): Promise<string> {
  const stored = await Promise.all(
    form.files.map((file) =>
      upload(file, file.name, {
        workspaceId,
        key: crypto.randomUUID(),
        signal: new AbortController().signal,
        onProgress: () => undefined,
      }),
    ),
  );
  const base = await unwrap(
    client.POST("/admin/v1/workspaces/{workspace_id}/datasets", {
      params: {
        path: { workspace_id: workspaceId },
        header: { "Idempotency-Key": crypto.randomUUID() },
      },
      body: { name: form.base, description: "", format_type: 0 },
    }),
  );
  await done(
    client.POST("/admin/v1/datasets/{dataset_id}/documents", {
      params: {
        path: { dataset_id: base.id },
        header: { "Idempotency-Key": crypto.randomUUID() },
      },
      body: {
        document_bases: stored.map((file, index) => ({
          name: form.files[index]?.name ?? file.id,
          source_info: { source_file_id: file.id, document_source: FILE },
        })),
      },
    }),
  );
  return base.id;
}

/** Begins a conversation with the draft; the workbench goes on with it. */
export function useFirstQuestion() {
  return useMutation({
    mutationFn: ({ agentId, question }: { agentId: string; question: string }) =>
      unwrap(
        client.POST("/admin/v1/agents/{agent_id}/chats", {
          params: {
            path: { agent_id: agentId },
            header: { "Idempotency-Key": crypto.randomUUID() },
          },
          body: { version: "draft", content: question },
        }),
      ),
  });
}
