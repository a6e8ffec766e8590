import type { Permission } from "../session/session";

/** Permissions in the order in which people look for them. */
export const SCOPE_GROUPS = {
  talk: [
    "chat",
    "conversation.read",
    "conversation.write",
    "message.read",
    "message.write",
    "file",
  ],
  agents: ["bot.read", "bot.write", "bot.publish"],
  workflows: ["workflow.read", "workflow.run", "workflow.write"],
  knowledge: ["dataset.read", "dataset.write", "variable"],
  plugins: ["plugin.read", "plugin.write", "model.use"],
  look: ["trace.read", "usage.read", "workspace.read"],
  manage: ["workspace.write", "admin"],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;

export type ScopeGroup = keyof typeof SCOPE_GROUPS;
export const GROUPS: readonly ScopeGroup[] = [
  "talk",
  "agents",
  "workflows",
  "knowledge",
  "plugins",
  "look",
  "manage",
];

export type Preset = "chat" | "build" | "all" | "own";

const CHAT: readonly Permission[] = SCOPE_GROUPS.talk;
const BUILD: readonly Permission[] = GROUPS.filter((group) => group !== "manage").flatMap(
  (group): readonly Permission[] => SCOPE_GROUPS[group],
);

/** What a preset grants, of what its maker has; nothing stands for all of it. */
export function scopesOf(
  preset: Exclude<Preset, "own">,
  mine: readonly Permission[],
): readonly Permission[] | undefined {
  if (preset === "all") return undefined;
  return (preset === "chat" ? CHAT : BUILD).filter((each) => mine.includes(each));
}

/** The preset that a list of permissions is, if it is one. */
export function presetOf(scopes: readonly string[] | null, mine: readonly Permission[]): Preset {
  if (scopes === null) return "all";
  const isSame = (wanted: readonly string[] | undefined) =>
    wanted?.length === scopes.length && wanted.every((each) => scopes.includes(each));
  if (isSame(CHAT) || isSame(scopesOf("chat", mine))) return "chat";
  return isSame(BUILD) || isSame(scopesOf("build", mine)) ? "build" : "own";
}
