import { Search, Sparkles } from "lucide-react";
import { lazy, Suspense, use, useEffect, useMemo, useRef, useState } from "react";
import { useSystemVariables } from "../../canvas/resources";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { formatNames } from "../../text/formats";
import { variablesIn } from "../../text/prompt-variables";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import type { Draft, Edits } from "./edits";
import styles from "./persona.module.css";
import { useChosenModel, useFindPrompts, useTokens } from "./queries";
import { Shown } from "./section";
import { workbenchText } from "./text";
import { newVariable } from "./variables-section";
import bench from "./workbench.module.css";

const ImproveDialog = lazy(() => import("./improve-dialog"));
const PromptEditor = lazy(() => import("./prompt-editor"));
const KNOWLEDGE = "knowledge";
/** Beyond this share of the window little room is left for what is asked and found. */
const HEAVY = 1 / 3;

type Props = { draft: Draft; onEdit: (edits: Edits) => void };

/** Who the agent is, in Markdown with variables. */
export function Persona({ draft, onEdit }: Props) {
  const { prompt: text, persona } = useText(workbenchText);
  const system = useSystemVariables();
  const findPrompts = useFindPrompts(draft.workspace_id);
  const canWrite = may(useWorkspace(draft.workspace_id), "bot.write");
  const [isFinding, setFinding] = useState(false);
  const [isImproving, setImproving] = useState(false);
  const head = useRef<HTMLElement>(null);
  const shown = use(Shown);
  useEffect(() => {
    if (shown?.part === "persona") head.current?.scrollIntoView({ block: "start" });
  }, [shown]);
  const value = draft.prompt.text ?? "";
  const declared = draft.variables;
  const variables = useMemo(
    () => [
      ...declared.map((each) => ({
        name: each.key,
        note: each.description,
        facts: [each.default_value ? text.byDefault(each.default_value) : text.noValue],
      })),
      ...(system ?? []).map((each) => ({
        name: each.keyword,
        note: each.description,
        facts: [text.bySystem],
      })),
      { name: KNOWLEDGE, note: text.knowledge, facts: [] },
    ],
    [declared, system, text],
  );
  const known = new Set(variables.map((each) => each.name));
  const unknown = system ? variablesIn(value).filter((name) => !known.has(name)) : [];
  return (
    <>
      <header ref={head} className={bench.paneHead}>
        <h2>{persona}</h2>
        <span className={bench.paneTools}>
          {canWrite && (
            <Button
              kind="quiet"
              size="compact"
              icon={<Sparkles size={14} />}
              onClick={() => setImproving(true)}
            >
              {text.improve}
            </Button>
          )}
          <IconButton
            size="compact"
            label={text.find}
            aria-pressed={isFinding}
            icon={<Search size={16} />}
            onClick={() => setFinding(!isFinding)}
          />
        </span>
      </header>
      <Suspense fallback={<div className={styles.empty} />}>
        <PromptEditor
          label={text.label}
          placeholder={text.placeholder}
          value={value}
          variables={variables}
          findPrompts={findPrompts}
          isReadOnly={!canWrite}
          isFinding={isFinding}
          onFinding={setFinding}
          onChange={(words) => onEdit({ prompt: { text: words } })}
        />
      </Suspense>
      <footer className={styles.foot}>
        <Count draft={draft} value={value} />
        {unknown.length > 0 && (
          <span className={styles.unknown}>
            {text.unknown(formatNames(unknown))}
            {canWrite && (
              <Button
                size="compact"
                onClick={() => onEdit({ variables: [...declared, ...unknown.map(newVariable)] })}
              >
                {text.declare}
              </Button>
            )}
          </span>
        )}
      </footer>
      <Suspense>
        {isImproving && (
          <ImproveDialog
            agentId={draft.id}
            value={value}
            onApply={(words) => onEdit({ prompt: { text: words } })}
            onClose={() => setImproving(false)}
          />
        )}
      </Suspense>
    </>
  );
}

/** How long the text is, for people and for the model that reads it with every answer. */
function Count({ draft, value }: { draft: Draft; value: string }) {
  const text = useText(workbenchText).prompt;
  const model = useChosenModel(draft.model);
  const tokens = useTokens(model?.id, value);
  const share = tokens !== undefined && model ? tokens / model.display.max_tokens : 0;
  const isHeavy = Number.isFinite(share) && share > HEAVY;
  return (
    <span className={isHeavy ? styles.heavy : undefined}>
      {text.characters(value.length)}
      {tokens !== undefined && ` · ${text.tokens(tokens)}`}
      {isHeavy && ` · ${text.heavy(Math.round(share * 100))}`}
    </span>
  );
}
