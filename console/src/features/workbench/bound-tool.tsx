import {
  ArrowUpCircle,
  ChevronRight,
  Database,
  MonitorSmartphone,
  Pencil,
  Play,
  Plug,
  Server,
  Workflow,
  X,
} from "lucide-react";
import type { ReactNode } from "react";
import type { AdminDatabase } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Select } from "../../ui/select/select";
import unseen from "../../ui/unseen.module.css";
import styles from "./bound-tool.module.css";
import type { Draft } from "./edits";
import { FixedValues } from "./fixed-values";
import sections from "./section.module.css";
import { workbenchText } from "./text";
import { useBoundFlow, useBoundTool } from "./tool-facts";

type Flow = Draft["workflows"][number];
type Tool = Draft["plugins"][number];
type ClientTool = Draft["client_tools"][number];
type Approval = Tool["approval"];

const APPROVALS: readonly Approval[] = ["auto", "always", "exempt"];
/** Stands for no version in a list of them. */
const NEWEST = "newest";

type Common = {
  /** Somebody looks: what is not known yet is asked for. */
  isWanted: boolean;
  isReadOnly: boolean;
  onRemove: () => void;
};

/** A tool of a plugin or MCP server: when it may be called, which version of it, with what fixed. */
export function BoundTool(
  props: Common & {
    bound: Tool;
    name: string;
    onTry: () => void;
    onChange: (change: Partial<Tool>) => void;
  },
) {
  const { bound, name, isWanted, isReadOnly, onTry, onChange, onRemove } = props;
  const text = useText(workbenchText).tools;
  const facts = useBoundTool(String(bound.plugin_id), String(bound.tool_id), isWanted);
  const shown = facts?.tool?.name ?? name;
  const effect = facts?.tool && text.effects[facts.tool.effect];
  return (
    <Row
      icon={facts?.plugin.type === "mcp" ? <Server size={16} /> : <Plug size={16} />}
      name={shown}
      note={[facts?.plugin.name, effect].filter(Boolean).join(" · ")}
      problem={facts && !facts.tool ? text.gone : undefined}
      isReadOnly={isReadOnly}
      onRemove={onRemove}
      onTry={facts?.tool ? onTry : undefined}
    >
      <Rules
        name={shown}
        approval={bound.approval}
        version={bound.version}
        newest={facts?.plugin.published_version ?? ""}
        versions={facts?.versions ?? []}
        onChange={onChange}
      />
      {facts?.tool && (
        <details className={sections.more}>
          <summary className={sections.summary}>
            <ChevronRight size={14} className={sections.fold} />
            {text.fixed}
            <span className={styles.count}>
              {text.fixedCount(Object.keys(bound.defaults ?? {}).length)}
            </span>
          </summary>
          <FixedValues tool={facts.tool} bound={bound} onChange={onChange} />
        </details>
      )}
    </Row>
  );
}

export function BoundFlow(
  props: Common & { bound: Flow; name: string; onChange: (change: Partial<Flow>) => void },
) {
  const { bound, name, isWanted, isReadOnly, onChange, onRemove } = props;
  const text = useText(workbenchText).tools;
  const facts = useBoundFlow(String(bound.workflow_id), isWanted);
  const shown = facts?.flow.name ?? name;
  const effect = text.effects[effectOf(bound.applied_effect || bound.effect)];
  return (
    <Row
      icon={<Workflow size={16} />}
      name={shown}
      note={[text.workflow, effect].join(" · ")}
      isReadOnly={isReadOnly}
      onRemove={onRemove}
    >
      <Rules
        name={shown}
        approval={bound.approval}
        version={bound.version}
        newest={facts?.flow.latest_version ?? ""}
        versions={facts?.versions ?? []}
        onChange={onChange}
      />
    </Row>
  );
}

/** A table whose rows the agent reads and writes by SQL. */
export function BoundTable(props: Common & { table: AdminDatabase }) {
  const text = useText(workbenchText).tools;
  const { table, isReadOnly, onRemove } = props;
  return (
    <Row
      icon={<Database size={16} />}
      name={table.table_name}
      note={[text.ofWorkspace.database, table.table_desc].filter(Boolean).join(" · ")}
      isReadOnly={isReadOnly}
      onRemove={onRemove}
    />
  );
}

/** A tool that runs at the client: it is sent the call and answers it. */
export function BoundClientTool(props: Common & { bound: ClientTool; onWrite: () => void }) {
  const text = useText(workbenchText).tools;
  const { bound, isReadOnly, onWrite, onRemove } = props;
  return (
    <Row
      icon={<MonitorSmartphone size={16} />}
      name={bound.name}
      note={[text.client, bound.description].filter(Boolean).join(" · ")}
      isReadOnly={isReadOnly}
      onWrite={onWrite}
      onRemove={onRemove}
    />
  );
}

type RowProps = {
  icon: ReactNode;
  name: string;
  note: string;
  problem?: string | undefined;
  isReadOnly: boolean;
  onRemove: () => void;
  onTry?: (() => void) | undefined;
  onWrite?: (() => void) | undefined;
  children?: ReactNode;
};

function Row({
  icon,
  name,
  note,
  problem,
  isReadOnly,
  onRemove,
  onTry,
  onWrite,
  children,
}: RowProps) {
  const text = useText(workbenchText).tools;
  return (
    <fieldset className={styles.tool} disabled={isReadOnly}>
      <legend className={unseen.unseen}>{name}</legend>
      <div className={styles.head}>
        <span className={styles.icon}>{icon}</span>
        <span className={styles.words}>
          <span className={styles.name} title={name}>
            {name}
          </span>
          <span className={styles.note} title={note}>
            {note}
          </span>
        </span>
        {onWrite && !isReadOnly && (
          <IconButton
            size="compact"
            label={text.write(name)}
            icon={<Pencil size={14} />}
            onClick={onWrite}
          />
        )}
        {onTry && (
          <IconButton
            size="compact"
            label={text.call(name)}
            icon={<Play size={14} />}
            onClick={onTry}
          />
        )}
        {!isReadOnly && (
          <IconButton
            size="compact"
            label={text.remove(name)}
            icon={<X size={14} />}
            onClick={onRemove}
          />
        )}
      </div>
      {problem && <p className={styles.problem}>{problem}</p>}
      {children}
    </fieldset>
  );
}

type RulesProps = {
  name: string;
  approval: Approval;
  /** Empty: the newest one. */
  version: string;
  newest: string;
  versions: readonly string[];
  onChange: (change: { approval?: Approval; version?: string }) => void;
};

/** When a person is asked before a call, and which version is called. */
function Rules({ name, approval, version, newest, versions, onChange }: RulesProps) {
  const text = useText(workbenchText).tools;
  const known = version && !versions.includes(version) ? [version, ...versions] : versions;
  const isOlder = version !== "" && newest !== "" && version !== newest;
  return (
    <>
      <div className={styles.rules}>
        <Select
          label={text.approval}
          size="compact"
          value={approval}
          options={APPROVALS.map((each) => ({ value: each, label: text.approvals[each] }))}
          onChange={(next) => onChange({ approval: next })}
        />
        <Select
          label={text.version}
          size="compact"
          value={version || NEWEST}
          options={[
            { value: NEWEST, label: text.newest, ...(newest && { hint: newest }) },
            ...known.map((each) => ({ value: each, label: each })),
          ]}
          onChange={(next) => onChange({ version: next === NEWEST ? "" : next })}
        />
      </div>
      {isOlder && (
        <p className={styles.newer}>
          <ArrowUpCircle size={14} />
          <span>{text.newer(newest)}</span>
          <Button
            size="compact"
            kind="quiet"
            aria-label={text.takeNewer(name, newest)}
            onClick={() => onChange({ version: newest })}
          >
            {text.take}
          </Button>
        </p>
      )}
    </>
  );
}

function effectOf(effect: string): "read" | "external_write" | "irreversible" {
  return effect === "external_write" || effect === "irreversible" ? effect : "read";
}
