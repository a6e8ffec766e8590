import createClient from "openapi-fetch";
import { apiError } from "./errors";
import type { paths } from "./schema";
import { transport } from "./transport";

/** Typed calls of the API; whatever they name is in `idl/openapi.yaml`. */
export const client = createClient<paths>({ baseUrl: location.origin, fetch: transport });

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** The body of an answer that has one. */
export async function unwrap<T>(call: Answer<T>): Promise<T> {
  const { data, error, response } = await call;
  if (data === undefined) throw apiError(response, error);
  return data;
}

/** Waits for an answer without a body. */
export async function done(call: Answer<unknown>): Promise<void> {
  const { error, response } = await call;
  if (!response.ok) throw apiError(response, error);
}

/** Addresses of the deployment's own files as this page may load them: on its own origin. */
export function onThisOrigin(address: string): string {
  if (!address) return "";
  const url = new URL(address, location.origin);
  return url.pathname + url.search;
}

/** The same for pictures of people and workspaces; those of other hosts are not loaded. */
export function pictureHere(address: string): string {
  const path = onThisOrigin(address);
  return path.includes("/avatars/") ? path : "";
}

/** What a route takes that wants one file as a form. */
export function fileForm(file: File) {
  const form = new FormData();
  form.append("file", file);
  return { body: { file: file.name }, bodySerializer: () => form };
}
