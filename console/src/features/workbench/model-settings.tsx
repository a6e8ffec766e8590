import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { readRecord } from "../../json/json";
import { useText } from "../../text/catalogue";
import { TextArea } from "../../ui/text-field/text-area";
import styles from "./section.module.css";
import { workbenchText } from "./text";

type Parameters = Readonly<Record<string, string | null>>;
type Props = {
  /** What it says of them while they are folded. */
  state: string;
  parameters: Parameters;
  onChange: (parameters: Record<string, string>) => void;
  children: ReactNode;
};

/** Settings of a model in one line that opens, among them such as only its provider knows. */
export function ModelSettings({ state, parameters, onChange, children }: Props) {
  const text = useText(workbenchText).model;
  const [typed, setTyped] = useState<string>();
  const stored = Object.keys(parameters).length > 0 ? JSON.stringify(parameters, null, 2) : "";
  const read = typed === undefined ? undefined : parametersOf(typed);
  return (
    <details className={styles.more}>
      <summary className={styles.summary}>
        <ChevronRight size={14} className={styles.fold} />
        {text.settings}
        <span className={styles.state}>{state}</span>
      </summary>
      <div className={styles.rest}>
        {children}
        <TextArea
          label={text.extra}
          hint={text.extraHint}
          error={typed !== undefined && !read ? text.extraWrong : undefined}
          isCode
          isShort
          value={typed ?? stored}
          onChange={(next) => {
            setTyped(next);
            const found = parametersOf(next);
            if (found) onChange(found);
          }}
          onBlur={() => read && setTyped(undefined)}
        />
      </div>
    </details>
  );
}

/** Reads a JSON object of texts, numbers and switches, all of which travel as texts. */
function parametersOf(typed: string): Record<string, string> | undefined {
  if (!typed.trim()) return {};
  const read = readRecord(typed);
  if (!read) return undefined;
  const entries = Object.entries(read).map(([key, each]) => [
    key,
    typeof each === "string" ? each : JSON.stringify(each),
  ]);
  return Object.fromEntries(entries);
}
