import { lazy, Suspense, useMemo } from "react";
import { useText } from "../../text/catalogue";
import { formatNames } from "../../text/formats";
import { variablesIn } from "../../text/prompt-variables";
import { Button } from "../../ui/button/button";
import type { Draft, Edits } from "./edits";
import styles from "./persona.module.css";
import { useFindPrompts, useSystemVariables } from "./queries";
import { workbenchText } from "./text";
import { newVariable } from "./variables-section";

const PromptEditor = lazy(() => import("./prompt-editor"));
const KNOWLEDGE = "knowledge";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };

/** Who the agent is, in Markdown with variables. */
export function Persona({ draft, onEdit }: Props) {
  const text = useText(workbenchText).prompt;
  const system = useSystemVariables();
  const findPrompts = useFindPrompts(draft.workspace_id);
  const value = draft.prompt.text ?? "";
  const declared = draft.variables;
  const variables = useMemo(
    () => [
      ...declared.map((each) => ({ name: each.key, note: each.description })),
      ...(system ?? []).map((each) => ({ name: each.keyword, note: each.description })),
      { name: KNOWLEDGE, note: "" },
    ],
    [declared, system],
  );
  const known = new Set(variables.map((each) => each.name));
  const unknown = system ? variablesIn(value).filter((name) => !known.has(name)) : [];
  return (
    <>
      <Suspense fallback={<div className={styles.empty} />}>
        <PromptEditor
          label={text.label}
          placeholder={text.placeholder}
          value={value}
          variables={variables}
          findPrompts={findPrompts}
          onChange={(words) => onEdit({ prompt: { text: words } })}
        />
      </Suspense>
      <footer className={styles.foot}>
        <span>{text.characters(value.length)}</span>
        {unknown.length > 0 && (
          <span className={styles.unknown}>
            {text.unknown(formatNames(unknown))}
            <Button
              size="compact"
              onClick={() => onEdit({ variables: [...declared, ...unknown.map(newVariable)] })}
            >
              {text.declare}
            </Button>
          </span>
        )}
      </footer>
    </>
  );
}
