import type { Finding, FindingCode } from "../../api/schema";

/** What a remark names; absent parts are empty. */
export type Named = { id: string; name: string; parameters: string };

/** The words of each remark that the server can make: one that is missing does not compile. */
export type Told = Readonly<Record<FindingCode, (named: Named) => string>>;

/** A remark in the language of the person; in the server's words where it is a new one. */
export function toldOf({ code, message, params }: Finding, told: Told): string {
  const say: Told[FindingCode] | undefined = told[code];
  return say ? say({ id: "", name: "", parameters: "", ...params }) : message;
}
