import { Copy, Ellipsis, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../text/catalogue";
import { IconButton } from "../button/icon-button";
import { Menu, MenuItem, MenuLine } from "../menu/menu";
import { uiText } from "../text";
import { toast } from "../toast/toasts";

type Props = {
  name: string;
  id: string;
  /** Absent where the person may not delete it. */
  onDelete?: (() => void) | undefined;
  /** What deleting is called where it is more than that: removing, revoking. */
  deleteVerb?: string;
  /** In rows it is small. */
  size?: "compact" | "normal";
  /** Whether keys of the list do the same; small ones stand in rows, which have them. */
  hasKeys?: boolean;
  children?: ReactNode;
};

/** What can be done with a row, or with what a page shows: its own entries, the id, and deleting at the end. */
export function RowMenu(props: Props) {
  const { name, id, onDelete, deleteVerb, size = "compact", children } = props;
  const { hasKeys = size === "compact" } = props;
  const text = useText(uiText);
  return (
    <Menu
      align="end"
      trigger={<IconButton size={size} label={text.moreFor(name)} icon={<Ellipsis size={16} />} />}
    >
      {children}
      <MenuItem
        icon={<Copy size={16} />}
        onSelect={() => void navigator.clipboard.writeText(id).then(() => toast(text.idCopied))}
      >
        {text.copyId}
      </MenuItem>
      {onDelete && (
        <>
          <MenuLine />
          <MenuItem
            isDangerous
            icon={<Trash2 size={16} />}
            {...(hasKeys ? { shortcut: "delete" } : {})}
            onSelect={onDelete}
          >
            {deleteVerb ?? text.remove}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
