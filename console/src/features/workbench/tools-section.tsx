import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf } from "../../api/list";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { BoundClientTool, BoundFlow, BoundTable, BoundTool } from "./bound-tool";
import styles from "./bound-tool.module.css";
import type { Draft, Edits } from "./edits";
import { toolKey } from "./queries";
import { Section } from "./section";
import { workbenchText } from "./text";
import { type Offer, useBoundTables } from "./tool-facts";

const ClientToolDialog = lazy(() => import("./client-tool-dialog"));
const NewTool = lazy(() => import("./new-tool"));
const ToolPicker = lazy(() => import("./tool-picker"));

type Props = { draft: Draft; onEdit: (edits: Edits) => void };
type Workflow = Draft["workflows"][number];
type Tool = Draft["plugins"][number];

/** What the agent may call: tools of plugins and MCP servers, workflows, tables, its clients' own. */
export function ToolsSection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).tools;
  const { plugins, workflows, client_tools: own } = draft;
  const workspace = useWorkspace(draft.workspace_id);
  const isReadOnly = !may(workspace, "bot.write");
  const canBring = !isReadOnly && may(workspace, "plugin.write");
  const [isOpen, setOpen] = useState(false);
  const [picking, setPicking] = useState<string>();
  const [isBringing, setBringing] = useState(false);
  /** The tool of the client that is written, by its place; behind the last one: a new one. */
  const [writing, setWriting] = useState<number>();
  const { tables, change } = useBoundTables(draft.workspace_id, draft.id);
  const failure = failureOf(change.error);
  const count = plugins.length + workflows.length + tables.length + own.length;
  const common = { isWanted: isOpen, isReadOnly };
  function remove({ key }: Pick<Offer, "key">): void {
    onEdit({
      plugins: plugins.filter((each) => keyOf(each) !== key),
      workflows: workflows.filter((each) => String(each.workflow_id) !== key),
    });
  }
  return (
    <Section
      part="tools"
      title={text.title}
      state={count > 0 ? text.count(count) : text.none}
      onOpen={() => setOpen(true)}
    >
      {plugins.map((each) => (
        <BoundTool
          key={keyOf(each)}
          {...common}
          bound={each}
          name={String(each.tool_id)}
          onTry={() => setPicking(keyOf(each))}
          onChange={(change) =>
            onEdit({ plugins: plugins.map((one) => (one === each ? { ...one, ...change } : one)) })
          }
          onRemove={() => remove({ key: keyOf(each) })}
        />
      ))}
      {workflows.map((each) => (
        <BoundFlow
          key={String(each.workflow_id)}
          {...common}
          bound={each}
          name={each.tool_name || String(each.workflow_id)}
          onChange={(change) =>
            onEdit({
              workflows: workflows.map((one) => (one === each ? { ...one, ...change } : one)),
            })
          }
          onRemove={() => remove({ key: String(each.workflow_id) })}
        />
      ))}
      {tables.map((each) => (
        <BoundTable
          key={each.id}
          {...common}
          table={each}
          onRemove={() => change.mutate({ id: each.id, isBound: false })}
        />
      ))}
      {own.map((each, index) => (
        <BoundClientTool
          key={each.name}
          {...common}
          bound={each}
          onWrite={() => setWriting(index)}
          onRemove={() => onEdit({ client_tools: own.filter((one) => one !== each) })}
        />
      ))}
      {failure && <ErrorLine failure={failure} />}
      {!isReadOnly && (
        <div className={styles.adding}>
          <Button size="compact" icon={<Plus size={14} />} onClick={() => setPicking("")}>
            {text.add}
          </Button>
          <Button size="compact" kind="quiet" onClick={() => setWriting(own.length)}>
            {text.addClient}
          </Button>
        </div>
      )}
      <Suspense>
        {writing !== undefined && (
          <ClientToolDialog
            tool={own[writing]}
            taken={own.filter((_, at) => at !== writing).map((each) => each.name)}
            isReadOnly={isReadOnly}
            onSave={(tool) => {
              onEdit({ client_tools: own.toSpliced(writing, 1, tool) });
              setWriting(undefined);
            }}
            onClose={() => setWriting(undefined)}
          />
        )}
      </Suspense>
      <Suspense>
        {picking !== undefined && (
          <ToolPicker
            workspaceId={draft.workspace_id}
            bound={new Set([...plugins.map(keyOf), ...workflows.map(flowKey), ...tables.map(idOf)])}
            first={picking}
            isReadOnly={isReadOnly}
            onBring={
              canBring
                ? () => {
                    setPicking(undefined);
                    setBringing(true);
                  }
                : undefined
            }
            onAdd={({ key, kind }) =>
              kind === "database"
                ? change.mutate({ id: key, isBound: true })
                : onEdit(
                    kind === "workflow"
                      ? { workflows: [...workflows, newFlow(key)] }
                      : { plugins: [...plugins, newTool(key)] },
                  )
            }
            onRemove={(offer) =>
              offer.kind === "database"
                ? change.mutate({ id: offer.key, isBound: false })
                : remove(offer)
            }
            onClose={() => setPicking(undefined)}
          />
        )}
      </Suspense>
      <Suspense>
        {isBringing && (
          <NewTool
            workspaceId={draft.workspace_id}
            onMade={(keys) => {
              onEdit({ plugins: [...plugins, ...keys.map(newTool)] });
              setBringing(false);
              setPicking(keys[0] ?? "");
            }}
            onBack={() => {
              setBringing(false);
              setPicking("");
            }}
            onClose={() => setBringing(false)}
          />
        )}
      </Suspense>
    </Section>
  );
}

function keyOf(tool: Tool): string {
  return toolKey(String(tool.plugin_id), String(tool.tool_id));
}

function idOf({ id }: { id: string }): string {
  return id;
}

function flowKey(flow: Workflow): string {
  return String(flow.workflow_id);
}

/** Publishing binds the newest version. */
function newTool(key: string): Tool {
  const [plugin_id = "", tool_id = ""] = key.split("/");
  return { plugin_id, tool_id, version: "", approval: "auto" };
}

/** The newest version, which says by itself what it changes. */
function newFlow(workflowId: string): Workflow {
  return {
    workflow_id: workflowId,
    tool_name: "",
    version: "",
    effect: "read",
    approval: "auto",
    applied_effect: "",
  };
}
