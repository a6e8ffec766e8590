import { Link } from "@tanstack/react-router";
import { Copy, Download, Ellipsis, GitCompareArrows, Link2, Pin, PinOff } from "lucide-react";
import { useText } from "../../text/catalogue";
import { traceBodyText } from "../../trace/body-text";
import { type Summary, usePin } from "../../trace/queries";
import { IconButton } from "../../ui/button/icon-button";
import { Menu, MenuItem, MenuLine, MenuLink } from "../../ui/menu/menu";
import { uiText } from "../../ui/text";
import { toast } from "../../ui/toast/toasts";

/** What can be done with a run that is over. */
export function TraceMenu({ trace }: { trace: Summary }) {
  const text = useText(traceBodyText);
  const ui = useText(uiText);
  const pin = usePin(trace.run_id);
  const isPinned = Boolean(trace.pinned_at);
  const file = (format: string) => (
    // biome-ignore lint/a11y/useAnchorContent: the entry of the menu says what it is
    <a href={`/admin/v1/traces/${trace.run_id}/export?format=${format}`} download />
  );
  const copy = (value: string, said: string) =>
    void navigator.clipboard.writeText(value).then(() => toast(said));
  return (
    <Menu align="end" trigger={<IconButton label={text.more} icon={<Ellipsis size={16} />} />}>
      <MenuItem
        icon={isPinned ? <PinOff size={16} /> : <Pin size={16} />}
        onSelect={() => pin.mutate(!isPinned, { onError: () => toast(text.pinFailed) })}
      >
        {isPinned ? text.unpin : text.pin}
      </MenuItem>
      <MenuLink
        icon={<GitCompareArrows size={16} />}
        link={
          <Link
            to="/w/$workspaceId/runs/compare"
            params={{ workspaceId: trace.workspace_id }}
            search={{ a: trace.run_id }}
          />
        }
      >
        {text.compareTo}
      </MenuLink>
      <MenuLine />
      <MenuLink icon={<Download size={16} />} link={file("otlp-json")}>
        {text.exportOtlp}
      </MenuLink>
      <MenuLink icon={<Download size={16} />} link={file("jsonl")}>
        {text.exportJsonl}
      </MenuLink>
      <MenuLine />
      <MenuItem icon={<Link2 size={16} />} onSelect={() => copy(location.href, text.addressCopied)}>
        {text.copyAddress}
      </MenuItem>
      <MenuItem icon={<Copy size={16} />} onSelect={() => copy(trace.run_id, ui.idCopied)}>
        {ui.copyId}
      </MenuItem>
    </Menu>
  );
}
