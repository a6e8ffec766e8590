import {
  Activity,
  Blocks,
  BookOpen,
  Bot,
  CircleUser,
  Database,
  FileText,
  KeyRound,
  type LucideIcon,
  MessageSquareQuote,
  MessagesSquare,
  Workflow,
} from "lucide-react";
import type { EntryType } from "../api/schema";

const SIGNS: Readonly<Record<EntryType, LucideIcon>> = {
  agent: Bot,
  workflow: Workflow,
  dataset: BookOpen,
  document: FileText,
  plugin: Blocks,
  database: Database,
  prompt: MessageSquareQuote,
  member: CircleUser,
  run: Activity,
  conversation: MessagesSquare,
  token: KeyRound,
};

/** The sign of a kind of thing, as the rail shows it too. */
export function EntrySign({ type, size = 16 }: { type: EntryType; size?: number }) {
  const Sign = SIGNS[type];
  return <Sign size={size} strokeWidth={1.5} />;
}
