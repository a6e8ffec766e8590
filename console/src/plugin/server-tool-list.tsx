import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { ServerTool } from "../api/schema";
import { useText } from "../text/catalogue";
import { Checkbox } from "../ui/checkbox/checkbox";
import styles from "./server-tool-list.module.css";
import { pluginImportText } from "./text";

/** The tools of a server that are to be taken; those that need a person's look are not, at first. */
export function useTaken(tools: readonly ServerTool[]) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(
    () => new Set(tools.filter((tool) => !tool.problem && !isRisky(tool)).map((tool) => tool.name)),
  );
  function take(name: string, isTaken: boolean): void {
    const next = new Set(taken);
    if (isTaken) next.add(name);
    else next.delete(name);
    setTaken(next);
  }
  return { taken, take };
}

type Props = {
  tools: readonly ServerTool[];
  taken: ReadonlySet<string>;
  onTake: (name: string, isTaken: boolean) => void;
};

/** What a server offers, with what a model will read of it. */
export function ServerToolList({ tools, taken, onTake }: Props) {
  return (
    <ul className={styles.tools}>
      {tools.map((tool) => (
        <li key={tool.name} className={styles.tool}>
          <div className={styles.head}>
            <Checkbox
              label={tool.name}
              isChecked={taken.has(tool.name)}
              onChange={(isTaken) => onTake(tool.name, isTaken)}
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
  const { serverTools: text } = useText(pluginImportText);
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
  const { serverTools: text } = useText(pluginImportText);
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
