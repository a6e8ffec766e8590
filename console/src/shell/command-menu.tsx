import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Blocks,
  BookOpen,
  Bot,
  CircleUser,
  Contrast,
  Keyboard,
  Languages,
  LogOut,
  SquareStack,
  Upload,
  Workflow,
} from "lucide-react";
import { useState } from "react";
import { useRested } from "../api/list";
import type { AdminEntry } from "../api/schema";
import { placeOf } from "../directory/place";
import { findQuery, homeQuery } from "../directory/queries";
import { EntrySign } from "../directory/sign";
import { directoryText } from "../directory/text";
import { setLanguage, setTheme, useAppearance } from "../session/appearance";
import { signOut } from "../session/keeper";
import { may, type Permission, useSession, type Workspace } from "../session/session";
import { useLanguage, useText } from "../text/catalogue";
import { THEMES } from "../text/preference";
import { type Command, CommandMenu as Menu } from "../ui/command-menu/command-menu";
import { toast } from "../ui/toast/toasts";
import { findText } from "./find-text";
import { placesFor, SECTIONS, sectionName } from "./sections";
import { shellText } from "./text";

const RECENT = 5;

type Props = {
  workspace: Workspace | undefined;
  /** What is looked for from the beginning. */
  begin: string;
  onClose: () => void;
  onHelp: () => void;
};

/** Find or do: what can be done everywhere, and where one can go. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function CommandMenu({ workspace, begin, onClose, onHelp }: Props) {
  const shell = useText(shellText);
  const find = useText(findText);
  const places = usePlaces(workspace);
  const deeds = [...useBeginnings(workspace), ...useDeeds(onHelp)];
  const [query, setQuery] = useState(begin.trim());
  const found = useEntries(workspace, query);
  return (
    <Menu
      label={shell.find.label}
      begin={begin}
      found={{ value: query ? find.groups.found : find.groups.recent, items: found }}
      onQuery={setQuery}
      groups={[
        { value: find.groups.open, items: places },
        { value: find.groups.do, items: deeds },
      ]}
      nothing={{ title: find.nothing, why: find.nothingWhy }}
      onClose={onClose}
    />
  );
}

/** What is found in the workspace; what was opened last, as long as nothing is typed. */
function useEntries(workspace: Workspace | undefined, query: string): Command[] {
  const { types } = useText(directoryText);
  const navigate = useNavigate();
  const q = useRested(query);
  const id = workspace?.id ?? "";
  const recent = useQuery({ ...homeQuery(id), enabled: workspace !== undefined && !query });
  const found = useQuery({ ...findQuery(id, q), enabled: workspace !== undefined && q !== "" });
  const entries: readonly AdminEntry[] =
    (query ? found.data?.items : recent.data?.recent.slice(0, RECENT)) ?? [];
  return entries.map((entry) => ({
    id: `${entry.type} ${entry.id}`,
    label: entry.name || entry.id,
    hint: types[entry.type],
    icon: <EntrySign type={entry.type} />,
    run: () => void navigate(placeOf(entry.workspace_id === "0" ? id : entry.workspace_id, entry)),
  }));
}

function usePlaces(workspace: Workspace | undefined): Command[] {
  const text = useText(shellText);
  const find = useText(findText);
  const navigate = useNavigate();
  const { user, workspaces } = useSession();
  const sections = SECTIONS.filter((each) => may(workspace, each.permission)).map(
    (each): Command => ({
      id: each.to,
      label: sectionName(each, text),
      icon: <each.icon size={16} strokeWidth={1.5} />,
      shortcut: each.letter && `g ${each.letter}`,
      run: () => {
        if (workspace) void navigate({ to: each.to, params: { workspaceId: workspace.id } });
      },
    }),
  );
  const others = workspaces
    .filter((each) => each.id !== workspace?.id)
    .map(
      (each): Command => ({
        id: each.id,
        label: find.workspace(each.name),
        icon: <SquareStack size={16} strokeWidth={1.5} />,
        run: () => void navigate({ to: "/w/$workspaceId", params: { workspaceId: each.id } }),
      }),
    );
  return [
    ...sections,
    ...placesFor(user).map(
      (place): Command => ({
        id: place.to,
        label: text[place.key],
        icon: <place.icon size={16} strokeWidth={1.5} />,
        shortcut: place.letter && `g ${place.letter}`,
        run: () => void navigate({ to: place.to }),
      }),
    ),
    {
      id: "/account",
      label: text.account,
      icon: <CircleUser size={16} strokeWidth={1.5} />,
      run: () => void navigate({ to: "/account" }),
    },
    ...others,
  ];
}

/** What can be begun in the workspace from anywhere. */
function useBeginnings(workspace: Workspace | undefined): Command[] {
  const text = useText(findText);
  const navigate = useNavigate();
  if (!workspace) return [];
  const params = { workspaceId: workspace.id };
  const all: readonly (Command & { permission: Permission })[] = [
    {
      id: "new-agent",
      permission: "bot.write",
      label: text.begin.agent,
      icon: <Bot size={16} strokeWidth={1.5} />,
      run: () => void navigate({ to: "/w/$workspaceId/agents", params, search: { new: "agent" } }),
    },
    {
      id: "new-workflow",
      permission: "workflow.write",
      label: text.begin.workflow,
      icon: <Workflow size={16} strokeWidth={1.5} />,
      run: () =>
        void navigate({ to: "/w/$workspaceId/workflows", params, search: { new: "workflow" } }),
    },
    {
      id: "import-canvas",
      permission: "workflow.write",
      label: text.begin.canvas,
      icon: <Upload size={16} strokeWidth={1.5} />,
      run: () =>
        void navigate({ to: "/w/$workspaceId/workflows", params, search: { new: "canvas" } }),
    },
    {
      id: "new-base",
      permission: "dataset.write",
      label: text.begin.base,
      icon: <BookOpen size={16} strokeWidth={1.5} />,
      run: () =>
        void navigate({ to: "/w/$workspaceId/knowledge", params, search: { new: "base" } }),
    },
    {
      id: "import-plugin",
      permission: "plugin.write",
      label: text.begin.plugin,
      icon: <Blocks size={16} strokeWidth={1.5} />,
      run: () => void navigate({ to: "/w/$workspaceId/plugins/import", params }),
    },
  ];
  return all.filter((each) => may(workspace, each.permission));
}

function useDeeds(onHelp: () => void): Command[] {
  const text = useText(shellText);
  const find = useText(findText);
  const { theme } = useAppearance();
  const language = useLanguage();
  const queries = useQueryClient();
  const themes = THEMES.filter((each) => each !== theme).map(
    (each): Command => ({
      id: `theme-${each}`,
      label: find.themes[each],
      icon: <Contrast size={16} strokeWidth={1.5} />,
      run: () => setTheme(each),
    }),
  );
  const other = language === "zh" ? "en" : "zh";
  return [
    ...themes,
    {
      id: "language",
      label: find.language(other === "en" ? text.english : text.chinese),
      hint: text.language,
      icon: <Languages size={16} strokeWidth={1.5} />,
      run: () => void setLanguage(other),
    },
    {
      id: "shortcuts",
      label: find.shortcuts,
      icon: <Keyboard size={16} strokeWidth={1.5} />,
      shortcut: "?",
      run: onHelp,
    },
    {
      id: "sign-out",
      label: find.signOut,
      icon: <LogOut size={16} strokeWidth={1.5} />,
      run: () => void signOut(queries).catch(() => toast(text.signOutFailed)),
    },
  ];
}
