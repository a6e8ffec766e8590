import { Download, Pencil, Power, RefreshCw, Scissors, Tag } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../../text/catalogue";
import { RowMenu } from "../../../ui/list/row-menu";
import { MenuItem, MenuLink } from "../../../ui/menu/menu";
import type { Asked } from "./document-dialogs";
import { type Batch, type Document, useBatch } from "./queries";
import { baseText } from "./text";

const WEB_PAGE = 1;

type Props = {
  document: Document;
  canWrite: boolean;
  onAsk: (asked: Asked) => void;
  /** In rows it is small, and has keys. */
  size?: "compact" | "normal";
  /** What only this place offers, before everything else. */
  children: ReactNode;
};

/** What can be done with one document. */
export function DocumentMenu(props: Props) {
  const { document, canWrite, onAsk, size = "compact", children } = props;
  const { documents: text } = useText(baseText);
  const { mutate } = useBatch(document.dataset_id);
  const change = (action: Batch["action"]) => mutate({ ids: [document.id], action });
  return (
    <RowMenu
      name={document.name}
      id={document.id}
      size={size}
      onDelete={canWrite ? () => onAsk({ kind: "delete", documents: [document] }) : undefined}
    >
      {children}
      <MenuLink
        icon={<Download size={16} />}
        link={<a href={`/admin/v1/documents/${document.id}/original`} download />}
      >
        {text.download}
      </MenuLink>
      {canWrite && (
        <>
          <MenuItem
            icon={<Pencil size={16} />}
            {...(size === "compact" ? { shortcut: "e" } : {})}
            onSelect={() => onAsk({ kind: "rename", document })}
          >
            {text.rename}
          </MenuItem>
          <MenuItem
            icon={<Tag size={16} />}
            onSelect={() => onAsk({ kind: "tag", documents: [document] })}
          >
            {text.tag}
          </MenuItem>
          <MenuItem
            icon={<Power size={16} />}
            onSelect={() => change(document.enabled ? "disable" : "enable")}
          >
            {document.enabled ? text.disable : text.enable}
          </MenuItem>
          {document.source_type === WEB_PAGE ? (
            <MenuItem icon={<RefreshCw size={16} />} onSelect={() => change("refetch")}>
              {text.refetch}
            </MenuItem>
          ) : (
            <MenuItem icon={<Scissors size={16} />} onSelect={() => change("resegment")}>
              {text.resegment}
            </MenuItem>
          )}
        </>
      )}
    </RowMenu>
  );
}
