import { queryOptions } from "@tanstack/react-query";
import { transport } from "./transport";

type About = { version: string; docs: string };

/** What the deployment says of itself at its bare address. */
export const aboutQuery = queryOptions({
  queryKey: ["about"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<About> => {
    const headers = { Accept: "application/json" };
    const response = await transport(new Request(new URL("/", location.origin), { headers }));
    const { version, docs }: { version: string; docs: string | null } = await response.json();
    return { version, docs: docs ? new URL(docs).pathname : "" };
  },
});
