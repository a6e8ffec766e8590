import { RefreshCw, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../../api/list";
import type { ServerTool, ServerToolList } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Checkbox } from "../../../ui/checkbox/checkbox";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { uiText } from "../../../ui/text";
import { toast } from "../../../ui/toast/toasts";
import type { Plugin } from "../queries";
import { useAccept, useInspect } from "./queries";
import styles from "./server-tools.module.css";
import { pluginText } from "./text";

/** Asks an MCP server for its tools; what somebody has looked at is taken. */
export function ServerTools({ plugin }: { plugin: Plugin }) {
  const { server: text } = useText(pluginText);
  const inspect = useInspect(plugin.id);
  const failure = failureOf(inspect.error);
  return (
    <div className={styles.bar}>
      <p className={styles.note}>{plugin.tool_count === 0 ? text.first : text.why}</p>
      <Button
        icon={<RefreshCw size={16} />}
        isLoading={inspect.isPending}
        onClick={() => inspect.mutate()}
      >
        {text.inspect}
      </Button>
      {failure && <ErrorLine failure={failure} />}
      {inspect.data && <Offered plugin={plugin} list={inspect.data} onClose={inspect.reset} />}
    </div>
  );
}

type OfferedProps = { plugin: Plugin; list: ServerToolList; onClose: () => void };

function Offered({ plugin, list, onClose }: OfferedProps) {
  const { server: text } = useText(pluginText);
  const { cancel } = useText(uiText);
  const accept = useAccept(plugin.id);
  const failure = failureOf(accept.error);
  const changed = list.items.filter((tool) => tool.change !== "same");
  const [taken, setTaken] = useState<ReadonlySet<string>>(
    () =>
      new Set(changed.filter((tool) => !tool.problem && !isRisky(tool)).map((tool) => tool.name)),
  );
  function take(name: string, isTaken: boolean): void {
    const next = new Set(taken);
    if (isTaken) next.add(name);
    else next.delete(name);
    setTaken(next);
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={text.title}
      description={changed.length > 0 ? text.choose : text.same(list.total)}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          {changed.length > 0 && (
            <Button
              kind="primary"
              disabled={taken.size === 0}
              isLoading={accept.isPending}
              onClick={() =>
                accept.mutate(
                  { digest: list.digest, names: [...taken] },
                  {
                    onSuccess: () => {
                      toast(text.accepted(taken.size));
                      onClose();
                    },
                  },
                )
              }
            >
              {text.accept(taken.size)}
            </Button>
          )}
        </>
      }
    >
      {failure && <ErrorLine failure={failure} />}
      <ul className={styles.tools}>
        {changed.map((tool) => (
          <li key={tool.name} className={styles.tool}>
            <div className={styles.head}>
              <Checkbox
                label={tool.name}
                isChecked={taken.has(tool.name)}
                onChange={(isTaken) => take(tool.name, isTaken)}
              />
              <Change tool={tool} />
            </div>
            <Words tool={tool} />
            {tool.problem && (
              <p className={styles.danger}>
                <TriangleAlert size={14} />
                {tool.problem}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Whether a person has to look before it is taken: models obey what a description says. */
function isRisky(tool: ServerTool): boolean {
  return tool.destructive || isReworded(tool);
}

function isReworded({ before, now }: ServerTool): boolean {
  return Boolean(before && now && before.description !== now.description);
}

function Change({ tool }: { tool: ServerTool }) {
  const { server: text } = useText(pluginText);
  const changes: Readonly<Record<string, string>> = text.changes;
  const facts = [
    changes[tool.change] ?? tool.change,
    tool.read_only && text.readOnly,
    tool.destructive && text.destructive,
    isReworded(tool) && text.reworded,
  ].filter(Boolean);
  return (
    <span className={styles.change} data-is-danger={isRisky(tool) || undefined}>
      {facts.join(" · ")}
    </span>
  );
}

/** What a model reads of a tool now, and what it read before where that is something else. */
function Words({ tool }: { tool: ServerTool }) {
  const { server: text } = useText(pluginText);
  const { before, now } = tool;
  const isReshaped =
    before && now && JSON.stringify(before.input_schema) !== JSON.stringify(now.input_schema);
  return (
    <>
      {before && now && isReworded(tool) ? (
        <dl className={styles.sides}>
          <div>
            <dt>{text.before}</dt>
            <dd>{before.description}</dd>
          </div>
          <div>
            <dt>{text.now}</dt>
            <dd>{now.description}</dd>
          </div>
        </dl>
      ) : (
        <p className={styles.words}>{(now ?? before)?.description}</p>
      )}
      {isReshaped && (
        <details className={styles.schemas}>
          <summary>{text.otherParameters}</summary>
          <dl className={styles.sides}>
            <div>
              <dt>{text.before}</dt>
              <dd>
                <pre>{JSON.stringify(before.input_schema, null, 2)}</pre>
              </dd>
            </div>
            <div>
              <dt>{text.now}</dt>
              <dd>
                <pre>{JSON.stringify(now.input_schema, null, 2)}</pre>
              </dd>
            </div>
          </dl>
        </details>
      )}
    </>
  );
}
