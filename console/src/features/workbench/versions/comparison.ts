import type { AdminAgent } from "../../../api/schema";

const SECTIONS = [
  "facts",
  "persona",
  "model",
  "tools",
  "knowledge",
  "memory",
  "variables",
  "opening",
  "shortcuts",
  "team",
  "boundaries",
] as const;
type SectionName = (typeof SECTIONS)[number];

export type Change = {
  key: string;
  /** Of a thing that has one; fields are named by their key. */
  name: string | undefined;
  kind: "added" | "removed" | "changed";
  left: string;
  right: string;
};

export type Section = { name: SectionName; changes: readonly Change[] };

/** Names of what an agent knows by ids alone: tools, workflows, shortcuts. */
export type Names = ReadonlyMap<string, string>;

type Entry = { key: string; name?: string | undefined; text: string; isMinor?: boolean };

/** Fields that say how something looks, and not what the agent does. */
const DISPLAY = new Set(["style", "show_source", "show_source_mode", "cache_type"]);
/** What another field of the same agent says in words. */
const TWICE = new Set(["model_id", "datasets", "dataset_infos", "applied_effect", "agent_name"]);

/** What differs between two states of an agent, by the section of the workbench that has it. */
export function comparisonOf(
  left: AdminAgent,
  right: AdminAgent,
  names: Names,
  hasMinor: boolean,
): readonly Section[] {
  const [one, other] = [unpinned(left, right), unpinned(right, left)];
  return SECTIONS.map((name) => ({
    name,
    changes: changesOf(ENTRIES[name](one, names), ENTRIES[name](other, names), hasMinor),
  })).filter(({ changes }) => changes.length > 0);
}

/** An agent without the versions that publishing filled in where the other one says none. */
function unpinned(agent: AdminAgent, other: AdminAgent): AdminAgent {
  const loose = <T extends { version: string }>(
    own: readonly T[],
    others: readonly T[],
    keyOf: (thing: T) => string,
  ): T[] => {
    const open = new Set(others.filter(({ version }) => !version).map(keyOf));
    return own.map((each) => (open.has(keyOf(each)) ? { ...each, version: "" } : each));
  };
  return {
    ...agent,
    plugins: loose(agent.plugins, other.plugins, (each) => `${each.plugin_id}/${each.tool_id}`),
    workflows: loose(agent.workflows, other.workflows, (each) => each.workflow_id),
    agents: loose(agent.agents, other.agents, (each) => each.agent_id),
  };
}

function changesOf(
  left: readonly Entry[],
  right: readonly Entry[],
  hasMinor: boolean,
): readonly Change[] {
  const before = new Map(left.map((entry) => [entry.key, entry]));
  const after = new Map(right.map((entry) => [entry.key, entry]));
  const changes: Change[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(key), after.get(key)];
    const entry = other ?? one;
    if (!entry || one?.text === other?.text || (entry.isMinor && !hasMinor)) continue;
    const kind = one && other ? "changed" : one ? "removed" : "added";
    changes.push({ key, name: entry.name, kind, left: one?.text ?? "", right: other?.text ?? "" });
  }
  return changes;
}

const ENTRIES: Readonly<Record<SectionName, (agent: AdminAgent, names: Names) => Entry[]>> = {
  facts: ({ name, description, icon_file_id, mode }) => [
    ...fields({ name, description, mode }),
    { key: "icon", text: icon_file_id ?? "", isMinor: true },
  ],
  persona: ({ prompt }) => [{ key: "prompt", text: prompt.text }],
  model: ({ model }) => fields(model),
  tools: ({ plugins, workflows, client_tools: own }, names) => [
    ...things(plugins, ({ plugin_id, tool_id }) => `${plugin_id}/${tool_id}`, names),
    ...things(workflows, ({ workflow_id }) => workflow_id, names),
    ...things(own, ({ name }) => name, names),
    order([
      ...plugins.map(({ plugin_id, tool_id }) => `${plugin_id}/${tool_id}`),
      ...workflows.map(({ workflow_id }) => workflow_id),
    ]),
  ],
  knowledge: ({ knowledge }) => [
    ...knowledge.dataset_infos.map(({ id, name }) => ({ key: id, name, text: name })),
    ...fields(knowledge),
  ],
  memory: ({ memory }) => fields(memory),
  variables: ({ variables }, names) => [
    ...things(variables, ({ key }) => key, names),
    order(variables.map(({ key }) => key)),
  ],
  opening: ({ onboarding, suggest_reply }) => [
    ...fields(onboarding),
    ...fields(suggest_reply, "suggest_reply."),
  ],
  shortcuts: ({ shortcuts }, names) => [
    ...things(shortcuts, (id) => id, names),
    order([...shortcuts]),
  ],
  team: ({ agents, router, workflow_agent: lead }, names) => [
    ...things(
      agents,
      ({ agent_id }) => agent_id,
      new Map(agents.map((each) => [each.agent_id, each.agent_name || each.name])),
    ),
    ...fields(router, "router."),
    { key: "workflow_agent", text: lead ? (names.get(lead.workflow_id) ?? lead.workflow_id) : "" },
  ],
  boundaries: ({ link_hosts, egress_hosts, openai_system, openai_tools }) =>
    fields({ link_hosts, egress_hosts, openai_system, openai_tools }),
};

function fields(value: object, prefix = ""): Entry[] {
  return Object.entries(value)
    .filter(([key]) => !TWICE.has(key))
    .map(([key, each]) => ({ key: prefix + key, text: said(each), isMinor: DISPLAY.has(key) }));
}

/** One entry for each thing, whatever place it has among the others. */
function things<T>(all: readonly T[], keyOf: (thing: T) => string, names: Names): Entry[] {
  return all.map((thing) => {
    const key = keyOf(thing);
    const name = names.get(key) ?? key;
    const facts = typeof thing === "object" && thing ? details(thing, key) : "";
    return { key, name, text: facts || name };
  });
}

/** What is set of a thing, without what it is known by and what is switched off. */
function details(thing: object, key: string): string {
  const known = new Set(key.split("/"));
  const facts = Object.entries(thing).filter(
    ([name, value]) =>
      !TWICE.has(name) && value !== false && said(value) !== "" && !known.has(String(value)),
  );
  return facts.map(([name, value]) => `${name}: ${said(value)}`).join("\n");
}

function order(keys: readonly string[]): Entry {
  return { key: "order", text: keys.join("\n"), isMinor: true };
}

function said(value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  if (Array.isArray(value) && value.every((each) => typeof each === "string"))
    return value.join("\n");
  if (typeof value !== "object") return String(value);
  return Object.keys(value).length === 0 ? "" : JSON.stringify(value, null, 2);
}
