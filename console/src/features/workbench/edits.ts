import type { AdminAgent, UpdateAgentBody } from "../../api/schema";

/** What was changed and not yet acknowledged: a merge patch of the agent. */
export type Edits = Omit<UpdateAgentBody, "alias" | "icon_file_id">;

/** Sections that are merged field by field; all others are replaced as a whole. */
const MERGED = ["prompt", "model", "knowledge", "memory", "onboarding", "suggest_reply"] as const;

/** Edits that the server has not acknowledged, and the agent that they were made on. */
export type Unsaved = { readonly base: AdminAgent; readonly edits: Edits };

/** The agent as it will be once all is saved. */
export function shown(agent: AdminAgent, edits: Edits) {
  return {
    ...agent,
    ...edits,
    prompt: { ...agent.prompt, ...edits.prompt },
    model: { ...agent.model, ...edits.model },
    knowledge: { ...agent.knowledge, ...edits.knowledge },
    memory: { ...agent.memory, ...edits.memory },
    onboarding: { ...agent.onboarding, ...edits.onboarding },
    suggest_reply: { ...agent.suggest_reply, ...edits.suggest_reply },
    variables: edits.variables ?? agent.variables,
    plugins: edits.plugins ?? agent.plugins,
    workflows: edits.workflows ?? agent.workflows,
    client_tools: edits.client_tools ?? agent.client_tools,
    agents: edits.agents ?? agent.agents,
    router: edits.router ?? agent.router,
    link_hosts: edits.link_hosts ?? agent.link_hosts,
    egress_hosts: edits.egress_hosts ?? agent.egress_hosts,
    name: edits.name ?? agent.name,
    description: edits.description ?? agent.description,
  };
}

export type Draft = ReturnType<typeof shown>;

/** Earlier edits with later ones on top. */
export function merged(earlier: Edits, later: Edits): Edits {
  const both: Edits = { ...earlier, ...later };
  for (const name of MERGED) {
    if (!earlier[name] || !later[name]) continue;
    Object.assign(both, { [name]: { ...earlier[name], ...later[name] } });
  }
  return both;
}

/** One value that was edited: `prompt.text`, `variables`. */
type Leaf = { path: string; value: unknown };

function leavesOf(edits: Edits): Leaf[] {
  return Object.entries(edits).flatMap(([name, value]): Leaf[] =>
    isMerged(name)
      ? Object.entries(value ?? {}).map(([key, each]) => ({ path: `${name}.${key}`, value: each }))
      : [{ path: name, value }],
  );
}

function valueAt(agent: AdminAgent | Draft, path: string): unknown {
  let value: unknown = agent;
  for (const key of path.split(".")) {
    const fields: Readonly<Record<string, unknown>> = Object(value);
    value = fields[key];
  }
  return value;
}

/** The edits without one of them. */
export function without(edits: Edits, path: string): Edits {
  const [name = "", key] = path.split(".");
  const rest = Object.entries(edits).flatMap<[string, unknown]>(([each, value]) => {
    if (each !== name) return [[each, value]];
    if (key === undefined) return [];
    const kept = Object.entries(value ?? {}).filter(([field]) => field !== key);
    return kept.length > 0 ? [[each, Object.fromEntries(kept)]] : [];
  });
  return Object.fromEntries(rest);
}

export type Conflict = { path: string; base: unknown; theirs: unknown; mine: unknown };

/** Values that both sides changed, and not to the same. */
export function conflictsOf(base: AdminAgent, theirs: AdminAgent, edits: Edits): Conflict[] {
  return leavesOf(edits)
    .map(({ path, value }) => ({
      path,
      base: valueAt(base, path),
      theirs: valueAt(theirs, path),
      mine: value,
    }))
    .filter((each) => !isSame(each.base, each.theirs) && !isSame(each.theirs, each.mine));
}

/** What edits would change of an agent, value by value. */
export function differencesOf(
  agent: AdminAgent | Draft,
  edits: Edits,
): readonly { path: string; now: unknown; mine: unknown }[] {
  return leavesOf(edits)
    .map(({ path, value }) => ({ path, now: valueAt(agent, path), mine: value }))
    .filter(({ now, mine }) => !isSame(now, mine));
}

/** A value as somebody reads it beside another one. */
export function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}

export function isEmpty(edits: Edits): boolean {
  return leavesOf(edits).length === 0;
}

function isMerged(name: string): boolean {
  const names: readonly string[] = MERGED;
  return names.includes(name);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
