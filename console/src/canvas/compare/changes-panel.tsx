import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useText } from "../../text/catalogue";
import { IconButton } from "../../ui/button/icon-button";
import { Select } from "../../ui/select/select";
import panel from "../forms/panel.module.css";
import { ChangedFields, ChangedNode } from "./changed-node";
import styles from "./changes-panel.module.css";
import type { Comparison, NodeChange } from "./compare";
import { DRAFT, useVersions } from "./queries";
import { compareText } from "./text";

type Props = {
  workflowId: string;
  from: string;
  to: string;
  comparison: Comparison;
  chosenId: string;
  onChoose: (id: string) => void;
  onStep: (by: 1 | -1) => void;
  onSides: (from: string, to: string) => void;
  onClose: () => void;
};

/** What two states of a workflow differ in: by node, then by field. */
export function ChangesPanel(props: Props) {
  const { workflowId, from, to, comparison, chosenId, onChoose, onStep, onSides, onClose } = props;
  const text = useText(compareText);
  const versions = useVersions(workflowId);
  const known = versions.data?.pages.flatMap((page) => page.items) ?? [];
  const options = [
    { value: DRAFT, label: text.draft },
    ...known.map(({ version, description }) => ({
      value: version,
      label: version,
      ...(description && { hint: description }),
    })),
  ];
  const { changes } = comparison;
  const told = changes.filter(({ state }) => state !== "moved");
  return (
    <div className={panel.panel}>
      <header className={panel.head}>
        <h2 className={styles.title}>{text.changeCount(told.length)}</h2>
        <IconButton
          size="compact"
          label={text.previous}
          shortcut="["
          icon={<ChevronUp size={16} />}
          aria-disabled={changes.length === 0}
          onClick={() => onStep(-1)}
        />
        <IconButton
          size="compact"
          label={text.next}
          shortcut="]"
          icon={<ChevronDown size={16} />}
          aria-disabled={changes.length === 0}
          onClick={() => onStep(1)}
        />
        <IconButton
          size="compact"
          label={text.endComparison}
          icon={<X size={16} />}
          onClick={onClose}
        />
      </header>
      <div className={panel.body}>
        <div className={styles.sides}>
          <Select
            label={text.from}
            value={from}
            options={options}
            onChange={(value) => onSides(value, to)}
          />
          <Select
            label={text.to}
            value={to}
            options={options}
            onChange={(value) => onSides(from, value)}
          />
        </div>
        {told.length === 0 && (
          <p className={styles.none}>{changes.length > 0 ? text.onlyMoved : text.same}</p>
        )}
        <ol className={styles.list} aria-label={text.changes}>
          {changes.map((change) => (
            <Change
              key={change.id}
              change={change}
              isChosen={change.id === chosenId}
              onChoose={onChoose}
            />
          ))}
        </ol>
      </div>
    </div>
  );
}

type ChangeProps = { change: NodeChange; isChosen: boolean; onChoose: (id: string) => void };

function Change({ change, isChosen, onChoose }: ChangeProps) {
  const { id } = change;
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) place.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return (
    <li ref={place} className={styles.change} data-chosen={isChosen || undefined}>
      <button
        type="button"
        className={styles.node}
        aria-current={isChosen || undefined}
        onClick={() => onChoose(id)}
      >
        <ChangedNode change={change} />
      </button>
      <ChangedFields change={change} />
    </li>
  );
}
