import { useState } from "react";
import { useText } from "../../../text/catalogue";
import { NumberField } from "../../../ui/number/number-field";
import { TextArea } from "../../../ui/text-field/text-area";
import { numberOf, textOf } from "../../document/read";
import { NOTE_COLOURS, NOTE_SIZE, noteColour, noteText } from "../../model/card";
import type { Placed } from "../../model/graph";
import { BREAK, CONTINUE, INPUT, NOTE } from "../../model/kind";
import { outputsOf } from "../../model/output";
import { type Draft, RunForm } from "../../run/run-form";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { Section } from "../input-rows";
import { OutputRows } from "../output-rows";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";

const NOTE_TEXT = ["data", "inputs", "note"];
const SIZE = ["data", "size"];
const COLOUR = ["data", "inputs", "color"];

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
      return (
        <>
          <OutputRows node={node} title={text.plain.fields} isEntry />
          <Preview node={node} />
        </>
      );
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
          <div className={`${styles.row} ${styles.below}`}>
            {(["width", "height"] as const).map((side) => (
              <NumberField
                key={side}
                label={text.plain[side]}
                value={numberOf(edit.at([...SIZE, side])) ?? NOTE_SIZE[side]}
                min={side === "width" ? 120 : 48}
                max={2000}
                step={10}
                isDisabled={edit.isReadOnly}
                onChange={(value) => edit.set([...SIZE, side], value ?? NOTE_SIZE[side])}
              />
            ))}
          </div>
          <fieldset className={styles.swatches} disabled={edit.isReadOnly}>
            <legend className={styles.hint}>{text.plain.colour}</legend>
            {NOTE_COLOURS.map((colour) => (
              <button
                key={colour}
                type="button"
                className={styles.swatch}
                data-colour={colour}
                aria-label={text.plain.colours[colour]}
                title={text.plain.colours[colour]}
                aria-pressed={noteColour(node) === colour}
                onClick={() => edit.set(COLOUR, colour === NOTE_COLOURS[0] ? undefined : colour)}
              />
            ))}
          </fieldset>
        </Section>
      );
    default:
      return null;
  }
}

/** The form as people will see it. */
function Preview({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const [draft, setDraft] = useState<Draft>({});
  const fields = outputsOf(node);
  if (fields.length === 0) return null;
  return (
    <Section title={text.plain.preview}>
      <RunForm fields={fields} draft={draft} onChange={setDraft} />
    </Section>
  );
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
