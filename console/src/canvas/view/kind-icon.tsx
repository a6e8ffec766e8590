import {
  Blocks,
  Bot,
  Braces,
  Brackets,
  CircleHelp,
  CirclePlay,
  CircleStop,
  CodeXml,
  Database,
  FilePlus2,
  FileX2,
  GitFork,
  Globe,
  type LucideIcon,
  MessageSquare,
  MessagesSquare,
  Repeat,
  Rows3,
  Search,
  Signpost,
  SkipForward,
  Split,
  SquarePen,
  StickyNote,
  TextCursorInput,
  Type,
  Variable,
  Workflow,
} from "lucide-react";
import { classes } from "../../ui/classes";
import { categoryOf, isRunnable } from "../model/kind";
import styles from "./kind-icon.module.css";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  "1": CirclePlay,
  "2": CircleStop,
  "3": Bot,
  "4": Blocks,
  "5": CodeXml,
  "6": Search,
  "8": GitFork,
  "9": Workflow,
  "12": Database,
  "13": MessageSquare,
  "15": Type,
  "18": CircleHelp,
  "19": CircleStop,
  "20": SquarePen,
  "21": Repeat,
  "22": Signpost,
  "27": FilePlus2,
  "28": Rows3,
  "29": SkipForward,
  "30": TextCursorInput,
  "31": StickyNote,
  "32": Split,
  "40": Variable,
  "42": Database,
  "43": Database,
  "44": Database,
  "45": Globe,
  "46": Database,
  "58": Braces,
  "59": Brackets,
  "60": FileX2,
};

/** The sign of a kind of node on a tile of its category's hue. */
export function KindIcon({ type, size = 20 }: { type: string; size?: 20 | 24 }) {
  const category = categoryOf(type);
  const Icon = ICONS[type] ?? (category === "conversation" ? MessagesSquare : Blocks);
  return (
    <span
      aria-hidden="true"
      className={classes(styles.tile, styles[category], !isRunnable(type) && styles.hatched)}
      data-size={size}
    >
      <Icon size={size === 24 ? 16 : 14} strokeWidth={1.75} />
    </span>
  );
}
