import { useText } from "../text/catalogue";
import { Checkbox } from "../ui/checkbox/checkbox";
import { classes } from "../ui/classes";
import { Select } from "../ui/select/select";
import { TextArea } from "../ui/text-field/text-area";
import field from "../ui/text-field/text-field.module.css";
import { Method } from "./method";
import styles from "./review-table.module.css";
import { isTooShort, parametersShown, type ToolDraft } from "./rules";
import { pluginImportText } from "./text";

type Choice = { key: number; tool: ToolDraft; isTaken: boolean };

type Props = { tools: readonly Choice[]; onChange: (tools: Choice[]) => void };

const EFFECTS = ["read", "external_write", "irreversible"] as const;

/** Every tool that was found, with what can be said otherwise before it is taken. */
export function ReviewTable({ tools, onChange }: Props) {
  const text = useText(pluginImportText);
  const count = tools.filter((each) => each.isTaken).length;
  function put(key: number, change: Partial<Choice>): void {
    onChange(tools.map((each) => (each.key === key ? { ...each, ...change } : each)));
  }
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={styles.caption}>{text.found(tools.length)}</caption>
        <thead>
          <tr>
            <th scope="col">
              <Checkbox
                label={text.takeAll}
                isLabelHidden
                isChecked={count === tools.length}
                isMixed={count > 0 && count < tools.length}
                onChange={(isTaken) => onChange(tools.map((each) => ({ ...each, isTaken })))}
              />
            </th>
            <th scope="col">{text.columns.tool}</th>
            <th scope="col">{text.columns.description}</th>
            <th scope="col">{text.columns.parameters}</th>
            <th scope="col">{text.columns.effect}</th>
            <th scope="col">{text.columns.approval}</th>
          </tr>
        </thead>
        <tbody>
          {tools.map((each) => (
            <Row key={each.key} choice={each} onChange={(change) => put(each.key, change)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = { choice: Choice; onChange: (change: Partial<Choice>) => void };

function Row({ choice: { tool, isTaken }, onChange }: RowProps) {
  const text = useText(pluginImportText);
  const { names, more } = parametersShown(tool);
  const say = (change: Partial<ToolDraft>) => onChange({ tool: { ...tool, ...change } });
  const isShort = isTaken && isTooShort(tool.description);
  return (
    <tr data-is-left={!isTaken || undefined}>
      <td>
        <Checkbox
          label={text.take(tool.name)}
          isLabelHidden
          isChecked={isTaken}
          onChange={(next) => onChange({ isTaken: next })}
        />
      </td>
      <td>
        <input
          aria-label={text.nameOf(tool.name)}
          value={tool.name}
          onChange={(event) => say({ name: event.target.value })}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          className={classes(field.input, styles.name)}
        />
        <div className={styles.call}>
          <Method method={tool.method} />
          <span>{tool.path}</span>
        </div>
      </td>
      <td>
        <NarrowLabel>{text.columns.description}</NarrowLabel>
        <TextArea
          label={text.descriptionOf(tool.name)}
          isLabelHidden
          isShort
          rows={1}
          maxLength={2000}
          value={tool.description}
          {...(isShort ? { hint: text.tooShort } : {})}
          onChange={(description) => say({ description })}
        />
      </td>
      <td className={styles.parameters}>
        <NarrowLabel>{text.columns.parameters}</NarrowLabel>
        {names.length > 0 ? (
          <>
            {names.map((name) => (
              <code key={name}>{name}</code>
            ))}
            {more > 0 && <span>{text.more(more)}</span>}
          </>
        ) : (
          <span>{text.none}</span>
        )}
      </td>
      <td>
        <NarrowLabel>{text.columns.effect}</NarrowLabel>
        <Select
          label={text.effectOf(tool.name)}
          isLabelHidden
          value={tool.effect ?? "read"}
          options={EFFECTS.map((value) => ({ value, label: text.effects[value] }))}
          onChange={(effect) => say({ effect })}
        />
      </td>
      <td className={styles.approval}>
        <Checkbox
          label={text.approvalOf(tool.name)}
          isLabelHidden
          isChecked={tool.needs_approval}
          onChange={(needs_approval) => say({ needs_approval })}
        />
        <NarrowLabel>{text.columns.approval}</NarrowLabel>
      </td>
    </tr>
  );
}

/** What the head of the column says, where there is no room for columns; fields say more to readers. */
function NarrowLabel({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className={styles.narrowLabel}>
      {children}
    </span>
  );
}
