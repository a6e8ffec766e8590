import { Link } from "@tanstack/react-router";
import {
  Code,
  Copy,
  Download,
  Ellipsis,
  FileUp,
  GitCompareArrows,
  Keyboard,
  Mouse,
  SmilePlus,
  Touchpad,
  Waypoints,
} from "lucide-react";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import type { AdminWorkflow } from "../../api/schema";
import { canvasIn } from "../../canvas/document/canvas-in";
import { loadCanvas } from "../../canvas/saving";
import { useCanvas, useCanvasStore } from "../../canvas/store";
import { canvasText } from "../../canvas/text";
import { setPointing, useAppearance } from "../../session/appearance";
import { POINTINGS, type Pointing } from "../../session/local";
import { useText } from "../../text/catalogue";
import { IconButton } from "../../ui/button/icon-button";
import { saveAs } from "../../ui/file/save-as";
import { Menu, MenuChoice, MenuItem, MenuLine, MenuLink } from "../../ui/menu/menu";
import { shortcutsRequest } from "../../ui/page/page-request";
import { toast } from "../../ui/toast/toasts";
import { CHAT_FLOW } from "./mode";

const CallersDialog = lazy(() => import("../../canvas/run/callers-dialog"));
const CallsDialog = lazy(() => import("../../canvas/run/calls-dialog"));
const RoleDialog = lazy(() => import("./role-dialog"));

const SIGNS: Readonly<Record<Pointing, ReactNode>> = {
  trackpad: <Touchpad size={16} />,
  mouse: <Mouse size={16} />,
};

/** What is done with a workflow less often. */
export function WorkflowMenu({ workflow }: { workflow: AdminWorkflow }) {
  const text = useText(canvasText);
  const store = useCanvasStore();
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  const { pointing } = useAppearance();
  const file = useRef<HTMLInputElement>(null);
  const [asked, setAsked] = useState<"callers" | "calls" | "role">();
  const close = () => setAsked(undefined);
  async function take(chosen: File): Promise<void> {
    const root = canvasIn(await chosen.text());
    if (!root) {
      toast(text.importJson.noCanvas(chosen.name));
      return;
    }
    store.getState().apply(text.steps.replace(chosen.name), () => root, { selection: [] });
    toast(text.importJson.done(chosen.name));
  }
  return (
    <>
      <Menu align="end" trigger={<IconButton label={text.more} icon={<Ellipsis size={16} />} />}>
        <MenuLink
          icon={<GitCompareArrows size={16} />}
          link={
            <Link
              to="/w/$workspaceId/workflows/$workflowId/versions"
              params={{ workspaceId: workflow.workspace_id, workflowId: workflow.id }}
              search={workflow.latest_version ? { b: workflow.latest_version } : {}}
            />
          }
        >
          {text.panels.versions}
        </MenuLink>
        <MenuItem icon={<Waypoints size={16} />} onSelect={() => setAsked("callers")}>
          {text.callers.open}
        </MenuItem>
        <MenuItem icon={<Code size={16} />} onSelect={() => setAsked("calls")}>
          {text.calls.open}
        </MenuItem>
        {workflow.mode === CHAT_FLOW && !isReadOnly && (
          <MenuItem icon={<SmilePlus size={16} />} onSelect={() => setAsked("role")}>
            {text.role}
          </MenuItem>
        )}
        <MenuLine />
        {!isReadOnly && (
          <MenuItem icon={<FileUp size={16} />} onSelect={() => file.current?.click()}>
            {text.importJson.open}
          </MenuItem>
        )}
        <MenuItem
          icon={<Download size={16} />}
          onSelect={async () => {
            const { text: canvas } = await loadCanvas(workflow.id, "");
            saveAs(canvas, `${workflow.name}.json`);
          }}
        >
          {text.exportJson}
        </MenuItem>
        <MenuItem
          icon={<Copy size={16} />}
          onSelect={async () => {
            const { text: canvas } = await loadCanvas(workflow.id, "");
            await navigator.clipboard.writeText(canvas);
            toast(text.jsonCopied);
          }}
        >
          {text.copyJson}
        </MenuItem>
        <MenuLine />
        <MenuChoice
          label={text.pointing.title}
          value={pointing}
          options={POINTINGS.map((value) => ({
            value,
            label: text.pointing.names[value],
            hint: text.pointing.hints[value],
            icon: SIGNS[value],
          }))}
          onChange={setPointing}
        />
        <MenuLine />
        <MenuItem
          icon={<Keyboard size={16} />}
          shortcut="?"
          onSelect={() => shortcutsRequest.ask()}
        >
          {text.keys}
        </MenuItem>
      </Menu>
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={text.importJson.open}
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          event.target.value = "";
          if (chosen) void take(chosen);
        }}
      />
      <Suspense>
        {asked === "callers" && <CallersDialog workflow={workflow} onClose={close} />}
        {asked === "calls" && <CallsDialog workflow={workflow} onClose={close} />}
        {asked === "role" && <RoleDialog workflowId={workflow.id} onClose={close} />}
      </Suspense>
    </>
  );
}
