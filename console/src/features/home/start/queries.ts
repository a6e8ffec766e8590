import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Host, hostOf } from "../../../agent/teach";
import { loadAgent } from "../../../api/agent";
import { client, unwrap } from "../../../api/client";
import type { ModelReport, ModelView } from "../../../api/schema";

export type Report = ModelReport;

const OFFLINE = "offline";

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
      return first ? await loadAgent(first.id) : null;
    },
  });
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
