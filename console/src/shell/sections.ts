import {
  Activity,
  Blocks,
  BookOpen,
  Bot,
  Box,
  ChartColumn,
  Database,
  HeartPulse,
  House,
  Link2,
  type LucideIcon,
  MessageSquareQuote,
  MessagesSquare,
  Settings,
  ShieldCheck,
  Workflow,
} from "lucide-react";
import type { Permission } from "../session/session";
import type { Text } from "./text.en";

/** A list of the workspace, as the rail, the palette and the keyboard lead to it. */
export type Section = {
  key:
    | "home"
    | "agents"
    | "workflows"
    | "knowledge"
    | "plugins"
    | "databases"
    | "prompts"
    | "runs"
    | "conversations"
    | "links"
    | "usage"
    | "settings";
  to:
    | "/w/$workspaceId"
    | "/w/$workspaceId/agents"
    | "/w/$workspaceId/workflows"
    | "/w/$workspaceId/knowledge"
    | "/w/$workspaceId/plugins"
    | "/w/$workspaceId/databases"
    | "/w/$workspaceId/prompts"
    | "/w/$workspaceId/runs"
    | "/w/$workspaceId/conversations"
    | "/w/$workspaceId/links"
    | "/w/$workspaceId/usage"
    | "/w/$workspaceId/settings/{-$tab}";
  icon: LucideIcon;
  /** Without it the section is not shown. */
  permission: Permission;
  /** Goes there after `G`. */
  letter?: string;
  /** What lies below it are sections of their own. */
  isExact?: true;
};

export const SECTIONS: readonly Section[] = [
  {
    key: "home",
    to: "/w/$workspaceId",
    icon: House,
    permission: "workspace.read",
    letter: "h",
    isExact: true,
  },
  { key: "agents", to: "/w/$workspaceId/agents", icon: Bot, permission: "bot.read", letter: "a" },
  {
    key: "workflows",
    to: "/w/$workspaceId/workflows",
    icon: Workflow,
    permission: "workflow.read",
    letter: "w",
  },
  {
    key: "knowledge",
    to: "/w/$workspaceId/knowledge",
    icon: BookOpen,
    permission: "dataset.read",
    letter: "k",
  },
  {
    key: "plugins",
    to: "/w/$workspaceId/plugins",
    icon: Blocks,
    permission: "plugin.read",
    letter: "p",
  },
  {
    key: "databases",
    to: "/w/$workspaceId/databases",
    icon: Database,
    permission: "dataset.read",
    letter: "d",
  },
  {
    key: "prompts",
    to: "/w/$workspaceId/prompts",
    icon: MessageSquareQuote,
    permission: "bot.read",
  },
  {
    key: "runs",
    to: "/w/$workspaceId/runs",
    icon: Activity,
    permission: "trace.read",
    letter: "r",
  },
  {
    key: "conversations",
    to: "/w/$workspaceId/conversations",
    icon: MessagesSquare,
    permission: "conversation.read",
    letter: "c",
  },
  {
    key: "links",
    to: "/w/$workspaceId/links",
    icon: Link2,
    permission: "bot.publish",
    letter: "l",
  },
  {
    key: "usage",
    to: "/w/$workspaceId/usage",
    icon: ChartColumn,
    permission: "usage.read",
    letter: "u",
  },
  {
    key: "settings",
    to: "/w/$workspaceId/settings/{-$tab}",
    icon: Settings,
    permission: "workspace.read",
    letter: "s",
  },
];

export const MODELS = { key: "models", to: "/models", icon: Box, letter: "m" } as const;

/** A screen that belongs to all workspaces. */
export type Place = {
  key: "models" | "operations" | "administration";
  to: "/models" | "/operations/{-$tab}" | "/admin/{-$tab}";
  icon: LucideIcon;
  letter?: string;
};

const OF_ADMINISTRATORS: readonly Place[] = [
  { key: "operations", to: "/operations/{-$tab}", icon: HeartPulse, letter: "o" },
  { key: "administration", to: "/admin/{-$tab}", icon: ShieldCheck },
];

/** The screens of the deployment that a person may see. */
export function placesFor(user: { is_admin: boolean }): readonly Place[] {
  return user.is_admin ? [MODELS, ...OF_ADMINISTRATORS] : [MODELS];
}

export function sectionName(section: Section, text: Text): string {
  return text[section.key];
}
