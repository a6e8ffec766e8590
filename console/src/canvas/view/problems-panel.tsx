import { CircleAlert, CircleCheck, TriangleAlert, X } from "lucide-react";
import type { Diagnostic } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { useFindingWords } from "../../ui/error-state/reasons";
import { fixOf } from "../commands/fix";
import panel from "../forms/panel.module.css";
import { graphOf } from "../model/graph";
import { useProblems } from "../problems";
import run from "../run/run-panel.module.css";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import styles from "./problems-panel.module.css";

const ORDER = { error: 0, warning: 1, info: 2 } as const;

/** Findings, the worst first. */
export function sortedProblems(all: readonly Diagnostic[]): readonly Diagnostic[] {
  return all.toSorted((one, other) => ORDER[one.severity] - ORDER[other.severity]);
}

/** What tells a finding from others, in this check and the next. */
export function problemKey(each: Diagnostic): string {
  return [each.code, each.node_id, each.json_pointer, each.message].join("|");
}

/** Everything that the check found, by weight; a choice goes to the field. */
export function ProblemsPanel({ onGo }: { onGo: (problem: Diagnostic) => void }) {
  const text = useText(canvasText);
  const store = useCanvasStore();
  const root = useCanvas((state) => state.root);
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  const graph = graphOf(root);
  const { all, state } = useProblems();
  const wordsOf = useFindingWords();
  return (
    <div className={panel.panel}>
      <header className={panel.head}>
        <h2 className={run.title}>{text.problems.title}</h2>
        <IconButton
          size="compact"
          label={text.close}
          icon={<X size={16} />}
          onClick={() => store.getState().open("")}
        />
      </header>
      <div className={panel.body}>
        {all.length === 0 && state === "ready" && (
          <p className={styles.none}>
            <CircleCheck size={16} />
            {text.problems.none}
          </p>
        )}
        {state === "failed" && <p className={styles.none}>{text.problems.failed}</p>}
        <ul className={run.list}>
          {sortedProblems(all).map((each) => {
            const { what, advice } = wordsOf(each);
            const fix = isReadOnly ? undefined : fixOf(root, each);
            return (
              <li key={problemKey(each)}>
                <button
                  type="button"
                  className={styles.item}
                  data-tone={each.severity}
                  onClick={() => each.node_id && onGo(each)}
                >
                  {each.severity === "error" ? (
                    <CircleAlert size={16} aria-label={text.problems.error} />
                  ) : (
                    <TriangleAlert size={16} aria-label={text.problems.warning} />
                  )}
                  <span className={run.words}>
                    <span className={styles.message}>{what}</span>
                    {advice && <span className={styles.hint}>{advice}</span>}
                    <span className={run.small}>
                      {[graph.nodes.get(each.node_id)?.title ?? each.node_title, each.code]
                        .filter(Boolean)
                        .join(" · ")}
                    </span>
                  </span>
                </button>
                {fix && (
                  <div className={styles.fix}>
                    <Button
                      size="compact"
                      onClick={() =>
                        store.getState().apply(text.problems.fixes[fix.kind], fix.apply)
                      }
                    >
                      {text.problems.fixes[fix.kind]}
                    </Button>
                  </div>
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}
