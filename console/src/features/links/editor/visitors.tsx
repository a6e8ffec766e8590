import { useText } from "../../../text/catalogue";
import { Checkbox } from "../../../ui/checkbox/checkbox";
import { Section } from "../../../ui/page/section";
import { linksText } from "../text";
import type { PartProps } from "./draft";
import styles from "./editor.module.css";

/** What visitors may do and see besides chatting. */
export function Visitors({ draft, onChange }: PartProps) {
  const text = useText(linksText);
  return (
    <Section title={text.parts.visitors}>
      <div className={styles.checks}>
        <Checkbox
          label={text.allowsFiles}
          isChecked={draft.allows_files}
          onChange={(allows_files) => onChange({ allows_files })}
        />
        <Checkbox
          label={text.keepsHistory}
          isChecked={draft.keeps_history}
          onChange={(keeps_history) => onChange({ keeps_history })}
        />
        <Checkbox
          label={text.takesFeedback}
          isChecked={draft.takes_feedback}
          onChange={(takes_feedback) => onChange({ takes_feedback })}
        />
        <Checkbox
          label={text.showsCitations}
          isChecked={draft.shows_citations}
          onChange={(shows_citations) => onChange({ shows_citations })}
        />
        <Checkbox
          label={text.showsSteps}
          isChecked={draft.shows_steps}
          onChange={(shows_steps) => onChange({ shows_steps })}
        />
      </div>
    </Section>
  );
}
