import {
  CircleAlert,
  CircleCheck,
  History,
  ListTree,
  Play,
  Redo2,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { useProblems } from "../problems";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import { useActs } from "./acts";
import styles from "./bar.module.css";

type Props = {
  present: ReactNode;
  canRun: boolean;
  canPublish: boolean;
  isOutline: boolean;
  onOutline: () => void;
  onPublish: () => void;
  menu: ReactNode;
};

/** What can be done with the whole canvas. */
export function Bar(props: Props) {
  const { present, canRun, canPublish, isOutline, onOutline, onPublish, menu } = props;
  const text = useText(canvasText);
  const store = useCanvasStore();
  const acts = useActs();
  const past = useCanvas((state) => state.history.past.at(-1)?.label);
  const future = useCanvas((state) => state.history.future[0]?.label);
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  const panel = useCanvas((state) => state.panel);
  const { all } = useProblems();
  const errors = all.filter((each) => each.severity === "error").length;
  const warnings = all.filter((each) => each.severity === "warning").length;
  const toggle = (next: "problems" | "runs" | "run") =>
    store.getState().open(panel === next ? "" : next);
  return (
    <div className={styles.bar}>
      {present}
      {!isReadOnly && (
        <>
          <IconButton
            label={past ? text.undo(past) : text.nothingToUndo}
            shortcut="mod+z"
            icon={<Undo2 size={16} />}
            aria-disabled={!past}
            onClick={() => acts.undo()}
          />
          <IconButton
            label={future ? text.redo(future) : text.nothingToRedo}
            shortcut="mod+shift+z"
            icon={<Redo2 size={16} />}
            aria-disabled={!future}
            onClick={() => acts.redo()}
          />
        </>
      )}
      <IconButton
        label={text.outline}
        shortcut="mod+shift+o"
        icon={<ListTree size={16} />}
        aria-pressed={isOutline}
        onClick={onOutline}
      />
      <IconButton
        label={text.run.runs}
        icon={<History size={16} />}
        aria-pressed={panel === "runs"}
        onClick={() => toggle("runs")}
      />
      {!isReadOnly && (
        <button
          type="button"
          className={styles.problems}
          aria-pressed={panel === "problems"}
          aria-label={text.problems.count(errors, warnings)}
          data-tone={errors > 0 ? "error" : warnings > 0 ? "warning" : "none"}
          onClick={() => toggle("problems")}
        >
          {errors > 0 ? (
            <CircleAlert size={16} />
          ) : warnings > 0 ? (
            <TriangleAlert size={16} />
          ) : (
            <CircleCheck size={16} />
          )}
          {errors + warnings > 0 && errors + warnings}
        </button>
      )}
      {canRun && (
        <Button icon={<Play size={16} />} onClick={() => toggle("run")}>
          <span className={styles.verb}>{text.run.verb}</span>
        </Button>
      )}
      {canPublish && (
        <Button kind="primary" onClick={onPublish}>
          {text.publish.open}
        </Button>
      )}
      {menu}
    </div>
  );
}
