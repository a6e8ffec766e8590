import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { client, unwrap } from "../api/client";
import type { AppVariableFields } from "../api/schema";
import { field } from "./model/field";
import { VARIABLE_SOURCES, type VariableSource, type Variables } from "./model/variables";
import { loadWorkflow } from "./saving";

const SOME_TIME_MS = 60_000;

function useWorkspace() {
  const { workspaceId = "" } = useParams({ strict: false });
  const path = { workspace_id: workspaceId };
  return { workspaceId, params: { path, query: { limit: "100" } } };
}

/** The bases that nodes can search and write. */
export function useBases() {
  const { workspaceId, params } = useWorkspace();
  const { data } = useQuery({
    queryKey: ["admin.datasets.list", workspaceId, "canvas"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/datasets", { params, signal })),
    staleTime: SOME_TIME_MS,
  });
  return { bases: data?.items ?? [] };
}

/** The tables that nodes can read and write. */
export function useTables() {
  const { workspaceId, params } = useWorkspace();
  const { data } = useQuery({
    queryKey: ["admin.databases.list", workspaceId, "canvas"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/databases", { params, signal })),
    staleTime: SOME_TIME_MS,
  });
  return { tables: data?.items ?? [] };
}

/** What can be read of an end user without being stored. */
export function useSystemVariables() {
  return useQuery({
    queryKey: ["admin.variables.list_system"],
    queryFn: () => unwrap(client.GET("/admin/v1/system-variables")),
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.items;
}

/** The variables that the app of the workflow declares, and those of the system. */
export function useDeclaredVariables(): readonly Variables[] {
  const { workflowId = "" } = useParams({ strict: false });
  const system = useSystemVariables();
  const { data: workflow } = useQuery({
    queryKey: ["admin.workflows.get", workflowId],
    queryFn: ({ signal }) => loadWorkflow(workflowId, signal),
    staleTime: SOME_TIME_MS,
    enabled: workflowId !== "",
  });
  const appId = workflow?.app_id ?? "";
  const { data: app } = useQuery({
    queryKey: ["admin.apps.get", appId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/apps/{app_id}", { params: { path: { app_id: appId } }, signal }),
      ),
    staleTime: SOME_TIME_MS,
    enabled: appId !== "",
  });
  return useMemo(
    () => [
      ...VARIABLE_SOURCES.map((source) => ({
        source,
        fields: (app?.variables ?? [])
          .filter((each) => SOURCES[each.channel ?? "custom"] === source && !each.is_disabled)
          .map(({ key, type = "any", description = "" }) =>
            field(key, type === "any" ? "string" : type, { description }),
          ),
      })),
      {
        source: "global_variable_system" as const,
        fields: (system ?? []).map(({ keyword, description }) =>
          field(keyword, "string", { description }),
        ),
      },
    ],
    [app, system],
  );
}

/** Who holds a variable of an app, as canvases call it. */
const SOURCES: Readonly<Record<NonNullable<AppVariableFields["channel"]>, VariableSource>> = {
  custom: "global_variable_user",
  app: "global_variable_app",
  system: "global_variable_system",
};
