import { useText } from "../../../text/catalogue";
import { TextArea } from "../../../ui/text-field/text-area";
import { textOf } from "../../document/read";
import { noteText } from "../../model/card";
import type { Placed } from "../../model/graph";
import { BREAK, CONTINUE, INPUT, NOTE } from "../../model/kind";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { Section } from "../input-rows";
import { OutputRows } from "../output-rows";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";

const NOTE_TEXT = ["data", "inputs", "note"];

/** Kinds with hardly anything to set: ends of iterations, forms, notes, and those of conversations. */
function PlainForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  switch (node.type) {
    case BREAK:
    case CONTINUE:
      return (
        <p className={styles.section}>{text.plain[node.type === BREAK ? "leaves" : "skips"]}</p>
      );
    case INPUT:
      return <OutputRows node={node} title={text.plain.fields} isEntry />;
    case NOTE:
      return (
        <Section title={text.plain.note}>
          <TextArea
            label={text.plain.note}
            rows={8}
            value={noteText(textOf(edit.at(NOTE_TEXT)))}
            disabled={edit.isReadOnly}
            onChange={(said) => edit.set(NOTE_TEXT, JSON.stringify(paragraphs(said)))}
          />
        </Section>
      );
    default:
      return null;
  }
}

function paragraphs(said: string) {
  return said
    .split("\n")
    .map((line) => ({ type: "paragraph", children: [{ text: line, type: "text" }] }));
}

export const form: NodeForm = {
  types: [BREAK, CONTINUE, INPUT, NOTE],
  Form: PlainForm,
  inputs: "none",
  outputs: "none",
};
