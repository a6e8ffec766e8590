import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { client, unwrap } from "../api/client";
import type { NodeKind } from "../api/schema";
import { useLanguage } from "../text/catalogue";
import { isObject, type Json, type JsonObject } from "./document/read";
import { field, isFieldType } from "./model/field";
import type { FixedOutputs } from "./model/output";

const kindsQuery = {
  queryKey: ["admin.node_types.list"],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    unwrap(client.GET("/admin/v1/workflow-node-types", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
};

/** The kinds of nodes that the server knows, by their number in a canvas. */
export function useKinds(): ReadonlyMap<string, NodeKind> {
  const { data } = useQuery(kindsQuery);
  return useMemo(() => new Map(data?.items.map((each) => [each.type_id, each]) ?? []), [data]);
}

/** The name of a kind in the active language. */
export function useKindName(): (type: string) => string {
  const kinds = useKinds();
  const language = useLanguage() === "zh" ? "zh" : "en";
  return useCallback(
    (type: string) => kinds.get(type)?.names[language] ?? kinds.get(type)?.name ?? type,
    [kinds, language],
  );
}

/** Outputs that nodes of a kind have though the canvas does not declare them. */
export function useFixedOutputs(): FixedOutputs {
  const kinds = useKinds();
  return useCallback(
    (type: string) =>
      (kinds.get(type)?.outputs ?? []).map(({ name, type: said, description }) =>
        field(name, isFieldType(said) ? said : "string", { description }),
      ),
    [kinds],
  );
}

/** What a new node of a kind begins with. */
export function defaultsOf(kind: NodeKind): JsonObject {
  const json: Json = JSON.parse(JSON.stringify(kind.defaults));
  return isObject(json) ? json : {};
}
