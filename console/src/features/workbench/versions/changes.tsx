import { useMemo } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Difference } from "../../../ui/difference/difference";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Switch } from "../../../ui/switch/switch";
import { type Change, comparisonOf } from "./comparison";
import { useContent, useNames } from "./queries";
import { versionsText } from "./text";
import styles from "./versions.module.css";

type Props = {
  workspaceId: string;
  agentId: string;
  from: string;
  to: string;
  /** Whether order and looks count, too. */
  hasAll: boolean;
  onAll: (hasAll: boolean) => void;
};

/** Two states of an agent, section by section: what came, what went, what is said differently. */
export function Changes({ workspaceId, agentId, from, to, hasAll, onAll }: Props) {
  const text = useText(versionsText);
  const left = useContent(agentId, from);
  const right = useContent(agentId, to);
  const names = useNames(workspaceId, agentId);
  const sections = useMemo(
    () => left.data && right.data && comparisonOf(left.data, right.data, names, hasAll),
    [left.data, right.data, names, hasAll],
  );
  const failure = failureOf(left.error ?? right.error);
  if (failure)
    return (
      <ErrorState
        failure={failure}
        onRetry={() => void Promise.all([left.refetch(), right.refetch()])}
      />
    );
  return (
    <section aria-label={text.changes} aria-busy={!sections} className={styles.changes}>
      <header className={styles.bar}>
        <h2 className={styles.title}>{text.changes}</h2>
        <Switch label={text.onlyMatters} isOn={!hasAll} onChange={(isOn) => onAll(!isOn)} />
      </header>
      {sections?.length === 0 && <p className={styles.facts}>{text.same}</p>}
      {sections?.map(({ name, changes }) => (
        <section key={name} aria-label={text.sections[name]} className={styles.section}>
          <h3 className={styles.sectionName}>{text.sections[name]}</h3>
          {changes.map((change) => (
            <ChangeLine key={change.key} change={change} />
          ))}
        </section>
      ))}
    </section>
  );
}

export function ChangeLine({ change }: { change: Change }) {
  const text = useText(versionsText);
  const { key, name, kind, left, right } = change;
  const known: Readonly<Record<string, string>> = text.fields;
  const label = name ?? known[key] ?? key;
  return (
    <div className={styles.change}>
      <p className={styles.label}>
        {label}
        <span className={styles.kind} data-kind={kind}>
          {text.kinds[kind]}
        </span>
      </p>
      <Difference label={label} left={left} right={right} />
    </div>
  );
}
