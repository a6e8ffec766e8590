import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { loadAgent } from "../../../api/agent";
import { client, done, unwrap } from "../../../api/client";
import { useList } from "../../../api/list";
import { PAGE_ROWS } from "../../../api/queries";
import type { AppVariableFields, EndUserItem } from "../../../api/schema";

/** An agent or app, with the side whose values are meant. */
export type Owner = { kind: "agent" | "app"; id: string; side: "draft" | "online" };
/** An end user, on the way that they came by. */
export type Person = { id: string; connector: string };

const PEOPLE = "admin.end_users.list";
const VALUES = "admin.user_variables.list";
const APP = "admin.apps.get";
const MOST_FOUND = "20";

type Named = { kind: Owner["kind"]; id: string; name: string };

/** Agents and apps of a workspace whose name has what was typed. */
export async function findOwners(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly Named[]> {
  const path = { workspace_id: workspaceId };
  const query = { limit: MOST_FOUND, ...(q && { q }) };
  const [agents, apps] = await Promise.all([
    unwrap(
      client.GET("/admin/v1/workspaces/{workspace_id}/agents", { params: { path, query }, signal }),
    ),
    unwrap(
      client.GET("/admin/v1/workspaces/{workspace_id}/apps", { params: { path, query }, signal }),
    ),
  ]);
  return [
    ...agents.items.map(({ id, name }) => ({ kind: "agent" as const, id, name })),
    ...apps.items.map(({ id, name }) => ({ kind: "app" as const, id, name })),
  ];
}

export function useAgent(agentId: string | undefined) {
  return useQuery({
    queryKey: ["admin.agents.get", agentId],
    queryFn: ({ signal }) => loadAgent(agentId ?? "", signal),
    enabled: agentId !== undefined,
  });
}

export function useApp(appId: string | undefined) {
  return useQuery({
    queryKey: [APP, appId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/apps/{app_id}", {
          params: { path: { app_id: appId ?? "" } },
          signal,
        }),
      ),
    enabled: appId !== undefined,
  });
}

/** Replaces what the draft of an app declares, unless somebody else changed it meanwhile. */
export function useDeclare(appId: string, revision: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (variables: AppVariableFields[]) =>
      unwrap(
        client.PATCH("/admin/v1/apps/{app_id}", {
          params: { path: { app_id: appId }, header: { "If-Match": String(revision) } },
          body: { variables },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [APP, appId] }),
  });
}

/** Of whom something is kept, who came last first. */
export function usePeople({ kind, id, side }: Owner, q: string) {
  return useList<EndUserItem>({
    key: [PEOPLE, kind, id, side, q],
    fetch: (cursor, signal) => {
      const query = {
        env: side,
        limit: String(PAGE_ROWS),
        ...(q && { q }),
        ...(cursor && { cursor }),
      };
      return kind === "agent"
        ? unwrap(
            client.GET("/admin/v1/agents/{agent_id}/users", {
              params: { path: { agent_id: id }, query },
              signal,
            }),
          )
        : unwrap(
            client.GET("/admin/v1/apps/{app_id}/users", {
              params: { path: { app_id: id }, query },
              signal,
            }),
          );
    },
  });
}

/** The values of one person, and how they are changed. */
export function useValues({ kind, id, side }: Owner, person: Person) {
  const queries = useQueryClient();
  const ofAgent = { agent_id: id, connector_uid: person.id };
  const ofApp = { app_id: id, connector_uid: person.id };
  const query = { env: side, connector_id: person.connector };
  const onSuccess = () =>
    Promise.all(
      [[VALUES], [PEOPLE, kind, id]].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  const values = useQuery({
    queryKey: [VALUES, kind, id, side, person.connector, person.id],
    queryFn: ({ signal }) =>
      kind === "agent"
        ? unwrap(
            client.GET("/admin/v1/agents/{agent_id}/users/{connector_uid}/variables", {
              params: { path: ofAgent, query },
              signal,
            }),
          )
        : unwrap(
            client.GET("/admin/v1/apps/{app_id}/users/{connector_uid}/variables", {
              params: { path: ofApp, query },
              signal,
            }),
          ),
  });
  const write = useMutation({
    mutationFn: (item: { keyword: string; value: string }) => {
      const body = { items: [item] };
      return kind === "agent"
        ? unwrap(
            client.PUT("/admin/v1/agents/{agent_id}/users/{connector_uid}/variables", {
              params: { path: ofAgent, query },
              body,
            }),
          )
        : unwrap(
            client.PUT("/admin/v1/apps/{app_id}/users/{connector_uid}/variables", {
              params: { path: ofApp, query },
              body,
            }),
          );
    },
    onSuccess,
  });
  const reset = useMutation({
    mutationFn: (keyword: string | undefined) => {
      const some = { ...query, ...(keyword !== undefined && { keywords: keyword }) };
      return kind === "agent"
        ? done(
            client.DELETE("/admin/v1/agents/{agent_id}/users/{connector_uid}/variables", {
              params: { path: ofAgent, query: some },
            }),
          )
        : done(
            client.DELETE("/admin/v1/apps/{app_id}/users/{connector_uid}/variables", {
              params: { path: ofApp, query: some },
            }),
          );
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [VALUES] });
      // Who has nothing left stays in sight until the list is looked at anew.
      await queries.invalidateQueries({ queryKey: [PEOPLE, kind, id], refetchType: "none" });
    },
  });
  return { values, write, reset };
}
