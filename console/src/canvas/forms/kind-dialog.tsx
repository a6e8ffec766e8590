import type { NodeKind } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Dialog } from "../../ui/dialog/dialog";
import { useFixedOutputs, useKindName, useKinds } from "../kinds";
import { categoryOf } from "../model/kind";
import { canvasText } from "../text";
import { typeWord } from "../type-word";
import { kindText } from "./kind-text";
import type { Text } from "./kind-text.en";
import styles from "./rows.module.css";

type Props = { type: string; onClose: () => void };

/** What nodes of a kind do, what to know before one is used, and what they give. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function KindDialog({ type, onClose }: Props) {
  const text = useText(kindText);
  const canvas = useText(canvasText);
  const nameOf = useKindName();
  const kind = useKinds().get(type);
  const outputs = useFixedOutputs()(type);
  const how = text.how[type] ?? (categoryOf(type) === "conversation" ? text.conversation : "");
  return (
    <Dialog
      isOpen
      isForReading
      onClose={onClose}
      title={nameOf(type)}
      description={canvas.about[type]}
    >
      <div className={styles.stack}>
        {how && <p>{how}</p>}
        {kind && (
          <ul className={styles.facts}>
            {factsOf(kind, text).map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        )}
        {outputs.length > 0 && (
          <section className={styles.rows}>
            <h3 className={styles.heading}>{text.outputs}</h3>
            {outputs.map((each) => (
              <div key={each.name} className={styles.row}>
                <span>{each.name}</span>
                <span className={styles.chip}>{typeWord(each, canvas)}</span>
                {each.description && <span className={styles.hint}>{each.description}</span>}
              </div>
            ))}
          </section>
        )}
      </div>
    </Dialog>
  );
}

function factsOf(kind: NodeKind, { facts }: Text): readonly string[] {
  return [
    !kind.is_supported && facts.unsupported,
    kind.has_batch_mode && facts.batch,
    kind.streams && facts.streams,
    kind.interrupts && facts.interrupts,
    kind.effects === "reads" && facts.reads,
    kind.effects === "writes" && facts.writes,
  ].filter((each) => each !== false);
}
