import { Link as RouteLink } from "@tanstack/react-router";
import { useText } from "../../../text/catalogue";
import { MultiCombobox } from "../../../ui/combobox/multi-combobox";
import { NumberField } from "../../../ui/number/number-field";
import { Section } from "../../../ui/page/section";
import { TextField } from "../../../ui/text-field/text-field";
import { linksText } from "../text";
import type { PartProps } from "./draft";
import styles from "./editor.module.css";

/** How much visitors may ask, until when, and on which sites. */
export function Limits({ draft, onChange, workspaceId }: PartProps & { workspaceId: string }) {
  const text = useText(linksText);
  const option = (origin: string) => ({ value: origin, label: origin });
  return (
    <Section title={text.parts.limits}>
      <div className={styles.pair}>
        <NumberField
          label={text.runsPerMin}
          hint={text.runsHint}
          value={draft.runs_per_min}
          min={0}
          max={6000}
          onChange={(runs_per_min) => onChange({ runs_per_min: runs_per_min ?? 0 })}
        />
        <TextField
          label={text.expires}
          type="datetime-local"
          value={draft.expires}
          onChange={(expires) => onChange({ expires })}
        />
      </div>
      <MultiCombobox
        label={text.origins}
        hint={text.originsHint}
        values={draft.allowed_origins.map(option)}
        options={[]}
        onCreate={option}
        onChange={(next) => onChange({ allowed_origins: next.map(({ value }) => value) })}
      />
      <p className={styles.note}>
        {text.budget}{" "}
        <RouteLink
          to="/w/$workspaceId/usage"
          params={{ workspaceId }}
          search={{ tab: "budgets" }}
          className={styles.link}
        >
          {text.budgetLink}
        </RouteLink>
      </p>
    </Section>
  );
}
