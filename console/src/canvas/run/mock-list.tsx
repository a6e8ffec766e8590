import { Pin, X } from "lucide-react";
import { useText } from "../../text/catalogue";
import { IconButton } from "../../ui/button/icon-button";
import { Section } from "../forms/input-rows";
import rows from "../forms/rows.module.css";
import { graphOf } from "../model/graph";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import { useMocks } from "./overlay";
import { useRunControl } from "./run-store";
import styles from "./saved-inputs.module.css";

/** The nodes that the next run leaves out, for their outputs are fixed. */
export function MockList() {
  const { mock: text } = useText(canvasText).run;
  const store = useCanvasStore();
  const control = useRunControl();
  const mocks = useMocks();
  const graph = useCanvas((state) => graphOf(state.root));
  const nodes = [...mocks.keys()].flatMap((id) => graph.nodes.get(id) ?? []);
  if (nodes.length === 0) return null;
  return (
    <Section title={text.list(nodes.length)}>
      <div className={rows.stack}>
        <ul className={styles.list} aria-label={text.list(nodes.length)}>
          {nodes.map((node) => (
            <li key={node.id} className={styles.item}>
              <button
                type="button"
                className={styles.take}
                onClick={() => {
                  store.getState().select([node.id]);
                  store.getState().open("node");
                }}
              >
                <Pin size={14} />
                <span className={styles.name}>{node.title}</span>
              </button>
              <IconButton
                size="compact"
                label={text.releaseOf(node.title)}
                icon={<X size={14} />}
                onClick={() => control.mock(node.id, undefined)}
              />
            </li>
          ))}
        </ul>
        <p className={rows.hint}>{text.notCounted}</p>
      </div>
    </Section>
  );
}
